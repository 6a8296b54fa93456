/** How many sockets each session has open here. */
import * as Effect from "effect/Effect"

/** Pages that are open at once: more are no person's. */
export const most = 8

export interface Sockets {
  /** Counts a socket of the session while `use` runs; `full` instead where the session has as many as may be. */
  readonly within: <A, E, R>(session: string, use: Effect.Effect<A, E, R>, full: A) => Effect.Effect<A, E, R>
}

export const make = (): Sockets => {
  const open = new Map<string, number>()
  const shift = (session: string, by: 1 | -1) => {
    const count = (open.get(session) ?? 0) + by
    if (count === 0) open.delete(session)
    else open.set(session, count)
  }
  return {
    within: (session, use, full) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          const fits = (open.get(session) ?? 0) < most
          if (fits) shift(session, 1)
          return fits
        }),
        (fits) => fits ? use : Effect.succeed(full),
        (fits) => Effect.sync(() => {
          if (fits) shift(session, -1)
        })
      )
  }
}
