/** Runs the checks of one account, one at a time. */
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import type { AccountConnection } from "./AccountConnection.ts"

export const make = (connection: AccountConnection) =>
  Effect.gen(function*() {
    const scope = yield* Effect.scope
    /** Allows one check at a time. Settings do not wait for it. */
    const exclusively = (yield* Semaphore.make(1)).withPermits(1)
    let isScheduled = false

    /** Schedules a check. One that is already scheduled will see the new state. */
    const schedule = Effect.suspend(() => {
      if (isScheduled) return Effect.void
      isScheduled = true
      return Effect.flatMap(
        Effect.sync(() => {
          isScheduled = false
        }),
        () => Effect.flatMap(connection.current, (each) => each.check)
      ).pipe(
        exclusively,
        Effect.catchTag(
          "ExchangeUnavailable",
          ({ reason }) => Effect.logDebug(`an exchange account will be checked again later: ${reason}`)
        ),
        Effect.catchCause((cause) => Effect.logWarning("a check of an exchange account failed", cause)),
        Effect.ensuring(Effect.sync(() => {
          isScheduled = false
        })),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    })

    return { exclusively, schedule }
  })
export type CheckSchedule = Effect.Success<ReturnType<typeof make>>
