/** The state of one request: when its answer is due, and how far its write has come. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Seconds within which a request is answered: admission, waiting and reading the ledger together. */
export const RequestSeconds = Context.Reference<number>("vault-trader/server/gate/RequestSeconds", { defaultValue: () => 25 })

/** Kept back from every step, so that the answer itself is ready before the deadline. */
const closingMillis = 500

/**
 * `untouched`: nothing was handed to the ledger or to an actor. `offered`: a commit was asked for, and may stand. `doubtful`: an actor
 * was asked for a change and did not say whether it made it. `settled`: the ledger holds the request.
 */
export type Standing = "untouched" | "offered" | "doubtful" | "settled"

export interface State {
  /** When the answer is due, unix milliseconds. */
  readonly deadline: number
  standing: Standing
  /** Under which name the write is done once; undefined for reads, dry runs and writes without an idempotency key. */
  name: WriteName | undefined
  /** The request's claim to accept a write under its name; undefined until the caller's wallet is known. */
  claim: Claim | undefined
  /** Whether a commit is in progress that goes on when the caller hangs up: it gives the claim up, not the request. */
  committing: boolean
}

/** The caller's name for a write, and the ledger that knows it: a request's idempotency key, or the reference of a charge. */
export interface WriteName {
  readonly ledger: "requests" | "charges"
  readonly text: string
}

/** A request that may still accept a write under this name of the wallet. */
export interface Claim {
  readonly wallet: Address
  readonly name: WriteName
  /** Gives the claim up; giving it up again changes nothing. */
  readonly leave: () => void
}

/** The request that the current fiber works for; undefined outside of requests. */
export const RequestState = Context.Reference<State | undefined>("vault-trader/server/gate/RequestState", { defaultValue: () => undefined })

/** The state of a request that begins now. */
export const begin: Effect.Effect<State> = Effect.gen(function*() {
  const seconds = yield* RequestSeconds
  const now = yield* Clock.currentTimeMillis
  return { deadline: now + seconds * 1000, standing: "untouched", name: undefined, claim: undefined, committing: false }
})

/**
 * Runs a commit to its end also when the caller hangs up. The request's claim is held until then: a repeat that came meanwhile would
 * otherwise find nothing in the ledger a moment before the commit.
 */
export const committed = <A, E, R>(commit: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(RequestState, (state) => {
    if (state === undefined) return commit
    const over = Effect.sync(() => {
      state.committing = false
      state.claim?.leave()
    })
    return Effect.uninterruptibleMask((restore) =>
      Effect.sync(() => { state.committing = true }).pipe(
        Effect.andThen(Effect.forkDetach(Effect.ensuring(Effect.interruptible(commit), over), { uninterruptible: true })),
        Effect.flatMap((fiber) => restore(Fiber.join(fiber)))
      ))
  })

/** Returns the duration, or what is left of the request's budget if that is less. */
export const within = (duration: Duration.Input): Effect.Effect<Duration.Duration> =>
  Effect.gen(function*() {
    const state = yield* RequestState
    if (state === undefined) return Duration.fromInputUnsafe(duration)
    const left = state.deadline - closingMillis - (yield* Clock.currentTimeMillis)
    return Duration.min(Duration.fromInputUnsafe(duration), Duration.millis(Math.max(0, left)))
  })

/** Returns the time until the deadline itself. */
export const untilDeadline = ({ deadline }: State): Effect.Effect<Duration.Duration> =>
  Effect.map(Clock.currentTimeMillis, (now) => Duration.millis(Math.max(0, deadline - now)))

/** Notes how far the request's write has come. A settled one gives up its claim: repeats find it in the ledger. */
export const note = (standing: Standing): Effect.Effect<void> =>
  Effect.map(RequestState, (state) => {
    if (state === undefined) return
    state.standing = standing
    if (standing === "settled") state.claim?.leave()
  })
