/**
 * Spaces the reconciliations of a lane that stays quarantined: each of them reads the chain, where the node has no state
 * of old blocks hundreds of block bodies.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

export interface ReconcilePause {
  /** Returns true while the lane is quarantined and its next reconciliation is not due. Ends early with a release. */
  readonly isOn: Effect.Effect<boolean>
  /** Starts the pause that follows a reconciliation: longer each time in which nothing was adopted. */
  readonly start: (isAdopted: boolean) => Effect.Effect<void>
}

const minPauseMillis = 1_000
const maxPauseMillis = 120_000

export const make = (isQuarantined: Effect.Effect<boolean>): ReconcilePause => {
  let pauseMillis = 0
  let endsAt = 0
  const end = () => {
    pauseMillis = 0
    endsAt = 0
  }
  return {
    isOn: Effect.gen(function*() {
      if ((yield* Clock.currentTimeMillis) >= endsAt) return false
      if (yield* isQuarantined) return true
      end()
      return false
    }),
    start: (isAdopted) =>
      Effect.gen(function*() {
        if (!(yield* isQuarantined)) return end()
        pauseMillis = isAdopted ? minPauseMillis : Math.min(maxPauseMillis, Math.max(minPauseMillis, pauseMillis * 2))
        endsAt = (yield* Clock.currentTimeMillis) + pauseMillis
      })
  }
}
