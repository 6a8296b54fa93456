/**
 * The number of servers that share the request rates. Each counts its own requests, so a client's rate at each of them
 * is the configured one divided by this number.
 */
import { ServerStore } from "@vault-trader/core/rate-limit/ServerStore"
import { withoutTracing } from "@vault-trader/core/telemetry/UntracedLoop"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How often a server records its heartbeat and counts the others'. */
const interval = "5 seconds"

export class LiveServers extends Context.Service<LiveServers, {
  /** The number at the last heartbeat; requests are counted without the database. */
  readonly count: () => number
}>()("vault-trader/server/gate/LiveServers") {
  static readonly layer = Layer.effect(
    LiveServers,
    Effect.gen(function*() {
      const store = yield* ServerStore
      const id = crypto.randomUUID()
      let alive = 1
      const beat = Effect.catchCause(
        Effect.map(store.beat(id), (count) => {
          alive = count
        }),
        (cause) => Effect.logDebug("the servers could not be counted; the last number stays in effect", cause)
      )
      yield* Effect.addFinalizer(() => Effect.ignoreCause(Effect.timeout(store.leave(id), "1 second")))
      yield* withoutTracing(() => Effect.forkScoped(Effect.forever(Effect.andThen(beat, Effect.sleep(interval)))))
      return { count: () => alive }
    })
  )
}
