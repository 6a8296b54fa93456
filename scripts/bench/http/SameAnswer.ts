/** Compares the responses of the service and of its peer: a peer that answers something else is no comparison. */
import * as Effect from "effect/Effect"

const textOf = (url: string) =>
  Effect.promise(async (signal) => {
    const response = await fetch(url, { signal })
    return `${response.status} ${await response.text()}`
  })

/** Requests a path of both. A difference is a defect. */
export const check = (ours: string, peer: string, path: string): Effect.Effect<void> =>
  Effect.gen(function*() {
    const [service, other] = [yield* textOf(`${ours}${path}`), yield* textOf(`${peer}${path}`)]
    if (service !== other) {
      return yield* Effect.die(
        new Error(`the peer answers ${other.slice(0, 500)}, the service ${service.slice(0, 500)}`)
      )
    }
  })
