/** The state of one request: its deadline, and the progress of its write. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

/** Time limit of a request in seconds: admission, waiting and reading the ledger together. */
export const RequestSeconds = Context.Reference<number>("vault-trader/server/wire/RequestSeconds", {
  defaultValue: () => 25
})

/** Reserved from every step's time, so that the response is ready before the deadline. */
const closingMillis = 500

/** Reserved from the time of the last lookup, which comes after a step that used up its own time. */
const lastMillis = 100

/**
 * `untouched`: nothing was sent to the ledger or an actor. `offered`: a commit was requested and may have succeeded.
 * `doubtful`: an actor was called for a change and did not report whether it made it. `settled`: the ledger has the
 * request.
 */
export type WriteProgress = "untouched" | "offered" | "doubtful" | "settled"

export interface State {
  /** Deadline of the response, unix milliseconds. */
  readonly deadline: number
  /** Milliseconds before the deadline that no step may use. */
  reserved: number
  standing: WriteProgress
  /** The accepted intent, once the ledger has it. */
  intentId: string | undefined
  /**
   * The name under which the write is done once; undefined for reads, dry runs and writes without an idempotency key.
   */
  name: WriteName | undefined
  /** The request's claim to accept a write under its name; undefined until the caller's wallet is known. */
  claim: Claim | undefined
  /**
   * True while a commit is in progress that continues when the caller disconnects. The commit then releases the claim,
   * not the request.
   */
  committing: boolean
}

/**
 * The caller's name for a write, and the ledger that stores it: a request's idempotency key, or the reference of a
 * charge.
 */
export interface WriteName {
  readonly ledger: "requests" | "charges"
  readonly text: string
}

/** A request that may still accept a write under this name of the wallet. */
export interface Claim {
  readonly wallet: Address
  readonly name: WriteName
  /** Releases the claim. Idempotent. */
  readonly leave: () => void
}

/** The current fiber's request; undefined outside of requests. */
export const RequestState = Context.Reference<State | undefined>("vault-trader/server/wire/RequestState", {
  defaultValue: () => undefined
})

/** Returns the state of a request that arrives now, unix milliseconds. */
export const of = (seconds: number, now: number): State => ({
  deadline: now + seconds * 1000,
  reserved: closingMillis,
  standing: "untouched",
  intentId: undefined,
  name: undefined,
  claim: undefined,
  committing: false
})

/** Creates the state of a new request. */
export const begin: Effect.Effect<State> = Effect.gen(function*() {
  return of(yield* RequestSeconds, yield* Clock.currentTimeMillis)
})

/**
 * Completes a commit even if the caller disconnects. The request's claim is held until then; otherwise a repeat that
 * arrives meanwhile could read the ledger just before the commit and find nothing.
 */
export const committed = <A, E, R>(commit: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(RequestState, (state) => {
    if (state === undefined) return commit
    const onComplete = Effect.sync(() => {
      state.committing = false
      state.claim?.leave()
    })
    return Effect.uninterruptibleMask((restore) =>
      Effect.sync(() => {
        state.committing = true
      }).pipe(
        Effect.andThen(
          Effect.forkDetach(Effect.ensuring(Effect.interruptible(commit), onComplete), { uninterruptible: true })
        ),
        Effect.flatMap((fiber) => restore(Fiber.join(fiber)))
      )
    )
  })

/** Returns the duration, or the request's remaining time if that is shorter. */
export const within = (duration: Duration.Input): Effect.Effect<Duration.Duration> =>
  Effect.gen(function*() {
    const state = yield* RequestState
    if (state === undefined) return Duration.fromInputUnsafe(duration)
    const left = state.deadline - state.reserved - (yield* Clock.currentTimeMillis)
    return Duration.min(Duration.fromInputUnsafe(duration), Duration.millis(Math.max(0, left)))
  })

/** Gives the last lookup of a request the time that the steps before it left for the response. */
export const beginLastLookup: Effect.Effect<void> = Effect.map(RequestState, (state) => {
  if (state !== undefined) state.reserved = lastMillis
})

/** Returns the time until the deadline itself. */
export const untilDeadline = ({ deadline }: State): Effect.Effect<Duration.Duration> =>
  Effect.map(Clock.currentTimeMillis, (now) => Duration.millis(Math.max(0, deadline - now)))

/** Shares one deadline between all steps of the work, where it is not part of a request yet. */
export const started = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(begin, (state) => Effect.provideService(work, RequestState, state))

/** Records the intent that was accepted for the request. */
export const accepted = (intentId: string): Effect.Effect<void> =>
  Effect.map(RequestState, (state) => {
    if (state !== undefined) state.intentId = intentId
  })

/**
 * Records the progress of the request's write. A settled one releases its claim, since repeats find it in the ledger.
 */
export const note = (standing: WriteProgress): Effect.Effect<void> =>
  Effect.map(RequestState, (state) => {
    if (state === undefined) return
    state.standing = standing
    if (standing === "settled") state.claim?.leave()
  })
