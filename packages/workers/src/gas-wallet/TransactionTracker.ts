/**
 * Tracks every signed transaction of a lane until it is final: broadcasts, checks and re-prices it, and reverts it
 * after a reorg.
 */
import type { Attempt, Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import * as BroadcastQueue from "./BroadcastQueue.ts"
import * as FinalityTracker from "./FinalityTracker.ts"
import { checkFlights } from "./FlightCheck.ts"
import * as FundsAlert from "./FundsAlert.ts"
import * as InFlight from "./InFlight.ts"
import * as LaneState from "./LaneState.ts"
import * as NonceConflict from "./NonceConflict.ts"
import * as Tracking from "./Tracking.ts"

export interface TransactionTracker {
  /** Resumes the signed transactions in the rows: those of an earlier run of this lane, or of another owner. */
  readonly recover: Effect.Effect<void>
  /** Broadcasts newly committed attempts, in nonce order, and tracks them. */
  readonly track: (attempts: ReadonlyArray<Attempt>, submissions: ReadonlyArray<Submission>) => Effect.Effect<void>
  /** Maximum that the transactions in flight can still cost, native smallest units. */
  readonly reserved: Effect.Effect<bigint>
  /** Maximum cost of the transactions mined since this tracker was created, native smallest units; only grows. */
  readonly spent: Effect.Effect<bigint>
  readonly inFlight: Effect.Effect<number>
  /**
   * True while nothing may be signed: a nonce of this lane is used and no endpoint shows by which transaction, or a node
   * holds a transaction that the rows do not have under the nonce of a flight. That one may be of an intent that a
   * restored database queues again.
   */
  readonly onHold: Effect.Effect<boolean>
  /**
   * Re-checks mined and final transactions against their blocks. Called when the chain counts fewer transactions than
   * the rows.
   */
  readonly recheck: Effect.Effect<void>
}

/** How long without a new block before flights are checked anyway. */
const idleCheckMillis = 3_000

/**
 * How long a check that does not follow a wait for a block lets the broadcast finish first; checking earlier finds
 * nothing.
 */
const drainTimeoutMillis = 1_000

export const make = (lane: Tracking.TrackedLane): Effect.Effect<TransactionTracker, never, Scope> =>
  Effect.gen(function*() {
    const tracking = yield* open(lane)
    yield* Effect.addFinalizer(() =>
      Metrics.shift(Metrics.inFlight, { network: lane.network }, -MutableRef.get(tracking.state).reported)
    )
    yield* Effect.forkScoped(checkForever(tracking))
    const { added, busy, conflicts, finality, state } = tracking
    const resume = Effect.andThen(busy.open, added.open)
    return {
      recover: Tracking.recover(tracking),
      track: (attempts, submissions) =>
        Effect.gen(function*() {
          const flights = flightsOf(attempts, submissions, yield* Clock.currentTimeMillis)
          yield* Metrics.count(Metrics.signatures, { network: lane.network, kind: "first" }, flights.length)
          yield* Tracking.send(tracking, flights)
          yield* resume
        }),
      spent: Effect.sync(() => MutableRef.get(state).spent),
      reserved: Effect.sync(() => LaneState.reserved(MutableRef.get(state))),
      inFlight: Effect.sync(() => MutableRef.get(state).flights.size),
      onHold: Effect.sync(() => conflicts.isUnexplained() || LaneState.isContested(MutableRef.get(state))),
      recheck: Effect.suspend(() => {
        finality.invalidate()
        return resume
      })
    }
  })

/** Builds the tracker's parts, with nothing tracked yet. */
const open = (lane: Tracking.TrackedLane): Effect.Effect<Tracking.Tracking, never, Scope> =>
  Effect.gen(function*() {
    const { alerts, chain, network, quarantines, wallet } = lane
    const state = MutableRef.make(LaneState.empty)
    const flightOf = (key: string) => MutableRef.get(state).flights.get(key)
    const broadcasts = yield* BroadcastQueue.make(chain, {
      record: lane.record,
      flightOf,
      onRejected: FundsAlert.make(lane, () => LaneState.inNonceOrder(MutableRef.get(state))[0]),
      onContested: (attempt) => MutableRef.update(state, (now) => LaneState.contest(now, attempt)),
      onSent: (attempts) =>
        Effect.map(Clock.currentTimeMillis, (sentAt) => {
          const keys = attempts.map(({ submissionKey }) => submissionKey)
          MutableRef.update(state, (now) => LaneState.recordBroadcast(now, keys, sentAt))
        })
    })
    const conflicts = NonceConflict.make({
      ...{ alerts, chain, network, quarantines, wallet },
      hashesOf: (key) => Effect.map(Tracking.attemptsOf(lane, key), (attempts) => attempts.map(({ hash }) => hash))
    })
    const finality = FinalityTracker.make(lane, {
      removed: (flight) => Tracking.rebroadcast(tracking, flight),
      moved: Effect.suspend(() => Tracking.recover(tracking))
    })
    const busy = yield* Latch.make(false)
    const added = yield* Latch.make(false)
    const tracking: Tracking.Tracking = { lane, state, conflicts, finality, broadcasts, busy, added }
    return tracking
  })

/** Builds the flights of new attempts from their submissions' rows. */
const flightsOf = (attempts: ReadonlyArray<Attempt>, submissions: ReadonlyArray<Submission>, now: number) => {
  const rows = new Map(submissions.map((submission) => [submission.key, submission]))
  return attempts.flatMap((attempt) => {
    const row = rows.get(attempt.submissionKey)
    const flight = row === undefined ? undefined : InFlight.make([attempt], row, now)
    return flight === undefined ? [] : [flight]
  })
}

/** Shifts the network's gauge by the change in transactions in flight since the last report. */
const reportInFlight = ({ lane: { network }, state }: Tracking.Tracking) =>
  Effect.suspend(() => {
    const { flights, reported } = MutableRef.get(state)
    MutableRef.update(state, (now) => ({ ...now, reported: flights.size }))
    return flights.size === reported
      ? Effect.void
      : Metrics.shift(Metrics.inFlight, { network }, flights.size - reported)
  })

/** Waits for the next block, or for the time or the addition that makes another check due. */
const awaitNextHead = ({ added, lane: { chain }, state }: Tracking.Tracking, block: bigint) =>
  Effect.suspend(() =>
    MutableRef.get(state).flights.size > 0
      ? Effect.map(Effect.timeoutOption(chain.awaitBlockAfter(block, "fast"), idleCheckMillis), Option.getOrUndefined)
      : Effect.race(chain.awaitBlockAfter(block, "slow"), Effect.as(added.await, undefined))
  )

/** Checks the flights and the mined transactions once. */
const checkOnce = (tracking: Tracking.Tracking) =>
  Effect.gen(function*() {
    const { added, broadcasts, busy, finality, lane: { chain }, state } = tracking
    yield* busy.await
    // Closed before the check: anything that opens them from here on causes another check.
    yield* Effect.andThen(busy.close, added.close)
    yield* reportInFlight(tracking)
    const drained = Effect.timeoutOption(broadcasts.drained, drainTimeoutMillis)
    const head = MutableRef.get(state).nextHead ?? (yield* Effect.andThen(drained, chain.head))
    MutableRef.update(state, (now) => ({ ...now, nextHead: undefined }))
    yield* checkFlights(tracking, head)
    yield* tracking.conflicts.endQuarantine
    yield* finality.check
    yield* reportInFlight(tracking)
    if (MutableRef.get(state).flights.size + finality.size() === 0) return
    yield* busy.open
    const nextHead = yield* awaitNextHead(tracking, head.number)
    MutableRef.update(state, (now) => ({ ...now, nextHead }))
  })

const checkForever = (tracking: Tracking.Tracking) =>
  checkOnce(tracking).pipe(
    Effect.catchCause((cause) =>
      Effect.all([
        Effect.logWarning("transactions in flight could not be checked", cause),
        tracking.busy.open,
        Effect.sleep("1 second")
      ], { discard: true })
    ),
    Effect.forever
  )
