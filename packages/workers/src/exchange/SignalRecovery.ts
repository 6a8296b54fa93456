/**
 * Settles the results of signals at exchange bots that are left waiting, because the service stopped between the record
 * of a signal and its account's answer. What the account has made is recorded; a signal that never reached it is refused, and
 * not sent: the signal is old by then.
 */
import { SignalStore } from "@vault-trader/core/signal/SignalStore"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"

const lostReason =
  "The service stopped before the signal reached the account, so nothing was done. replaySignal repeats the signal as a new one."

/** Seconds between two looks. */
const seconds = 60

/** Settles all results that no server waits for. */
export const round = Effect.gen(function*() {
  const signals = yield* SignalStore
  yield* Effect.forEach(yield* signals.unanswered, ({ position, request, signal }) =>
    signals.settle(
      { signal, position },
      request === null
        ? { state: "refused", reason: lostReason, intentId: null }
        : { state: "accepted", reason: null, intentId: request }
    ), { discard: true })
})

export const SignalRecoveryLive = Singleton.make(
  "SignalRecovery",
  round.pipe(
    Effect.catchCause((cause) => Effect.logWarning("results of signals could not be settled", cause)),
    Effect.andThen(Effect.sleep(`${seconds} seconds`)),
    Effect.forever
  )
)
