/** The parts that a lane's transaction tracker works on, and how transactions enter it. */
import type { Attempt, CancelReason, Receipt, Settled } from "@vault-trader/core/gas-wallet/Submission"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import type * as Latch from "effect/Latch"
import * as MutableRef from "effect/MutableRef"
import { retryForever } from "../actor/Retry.ts"
import * as DataFee from "../chain/DataFee.ts"
import type { RecordAttempts } from "./AttemptRecord.ts"
import type { BroadcastQueue } from "./BroadcastQueue.ts"
import type { FinalityTracker } from "./FinalityTracker.ts"
import * as InFlight from "./InFlight.ts"
import type { LaneQuarantines } from "./LaneQuarantines.ts"
import * as LaneState from "./LaneState.ts"
import type { LaneReconciler } from "./LaneReconciler.ts"
import type { NonceConflict } from "./NonceConflict.ts"
import type * as Replacement from "./Replacement.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"

export interface TrackedLane extends Replacement.Lane {
  /** Called with the outcome of a submission that was mined. */
  readonly landed: (key: string, settled: Settled) => Effect.Effect<void>
  readonly superseded: (key: string, nonce: bigint) => Effect.Effect<void>
  readonly alerts: WalletAlerts["Service"]
  /** Returns the attempts that may be broadcast. */
  readonly record: RecordAttempts
  readonly quarantines: LaneQuarantines
  readonly judge: LaneReconciler["judge"]
  readonly takeRecordedAt: LaneReconciler["takeRecordedAt"]
}

export interface Tracking {
  readonly lane: TrackedLane
  readonly state: MutableRef.MutableRef<LaneState.LaneState>
  readonly conflicts: NonceConflict
  readonly finality: FinalityTracker
  readonly broadcasts: BroadcastQueue
  /** Open while there is something to check. */
  readonly busy: Latch.Latch
  /** Opened when attempts are added, so that a tracker that only waits for finality returns to the fast pace at once. */
  readonly added: Latch.Latch
}

/** Logs a warning about a nonce of the lane. */
export const warn = ({ lane: { network, wallet } }: Tracking, text: string, nonce: bigint) =>
  Effect.logWarning(text).pipe(Effect.annotateLogs({ network, wallet, nonce: nonce.toString() }))

/** Reads every attempt at a submission from the rows, whichever owner of the lane has signed it. */
export const attemptsOf = ({ network, store, wallet }: Replacement.Lane, key: string) =>
  Effect.map(
    retryForever(store.inFlight(network, wallet)),
    (all) => all.filter(({ submissionKey }) => submissionKey === key)
  )

/** Broadcasts the newest attempt of each flight, but never a call whose lifetime is over. */
export const send = ({ broadcasts, state }: Tracking, flights: ReadonlyArray<InFlight.InFlight>) =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const [alive, expired] = Arr.partition(
      flights,
      Filter.fromPredicate((flight: InFlight.InFlight) => InFlight.broadcastable(flight, now).length > 0)
    )
    MutableRef.update(state, (current) => LaneState.put(LaneState.queueForBroadcast(current, alive), expired))
    return broadcasts.offer(alive.flatMap((flight) => InFlight.broadcastable(flight, now).slice(-1)))
  })

/** Broadcasts the same bytes again; the reported outcome and the charge have been reverted with the row. */
export const rebroadcast = (tracking: Tracking, flight: InFlight.InFlight) =>
  Effect.gen(function*() {
    yield* warn(tracking, "a reorg removed a transaction; the same bytes are broadcast again", flight.nonce)
    const signedAt = yield* Clock.currentTimeMillis
    // It was mined in time, so its lifetime no longer applies; a cancellation keeps the nonce from its call.
    const cancelling = flight.attempts.filter(({ cancels }) => cancels)
    const validUntil = cancelling.length > 0 ? flight.validUntil : null
    MutableRef.update(tracking.state, (now) => LaneState.queueForBroadcast(now, [{ ...flight, signedAt, validUntil }]))
    yield* tracking.broadcasts.offer(cancelling.length > 0 ? cancelling : flight.attempts)
  }).pipe(IntentTrace.span("submission.reorged", flight.key))

/** Tracks a transaction that its row says was mined, and has it checked again: a reorg may have happened since. */
export const trackMined = (
  { conflicts, finality, lane, state }: Tracking,
  flight: InFlight.InFlight,
  receipt: Receipt,
  cancelled: CancelReason | null
) =>
  Effect.suspend(() => {
    conflicts.forget(flight.key)
    MutableRef.update(state, (now) => LaneState.remove(now, [flight.key]))
    finality.add({ flight, receipt })
    finality.invalidate()
    return lane.landed(flight.key, InFlight.minedAs(receipt, cancelled))
  })

/** Tracks attempts that another owner of the lane has signed; their bytes are broadcast at the next check. */
export const addAttempts = (
  { state }: Tracking,
  flight: InFlight.InFlight,
  attempts: ReadonlyArray<Attempt>
): Effect.Effect<void> =>
  attempts.length <= flight.attempts.length ? Effect.void : Effect.map(
    InFlight.withAttempts(flight, attempts),
    (changed) => void MutableRef.update(state, (now) => LaneState.put(now, [{ ...changed, sentAt: 0 }]))
  )

/** Resumes the signed transactions in the rows: those of an earlier run of this lane, or of another owner. */
export const recover = (tracking: Tracking): Effect.Effect<void> =>
  Effect.gen(function*() {
    const { busy, finality, lane: { chain, network, store, wallet }, state } = tracking
    const now = yield* Clock.currentTimeMillis
    const attempts = yield* retryForever(store.inFlight(network, wallet))
    const rows = new Map((yield* retryForever(store.listUnsettled(network, wallet))).map((row) => [row.key, row]))
    const { flights } = MutableRef.get(state)
    const unknown = attempts.filter(({ submissionKey }) => !flights.has(submissionKey) && !finality.has(submissionKey))
    const lost: Array<InFlight.InFlight> = []
    // Without a node the transactions are resumed all the same, without what their data costs.
    const dataPrice = unknown.length === 0
      ? DataFee.free
      : yield* Effect.orElseSucceed(chain.dataPrice, () => DataFee.free)
    for (const [key, all] of Object.entries(Arr.groupBy(unknown, ({ submissionKey }) => submissionKey))) {
      const row = rows.get(key)
      const dataFee = DataFee.ofSigned(dataPrice, all[all.length - 1]?.raw ?? "0x")
      const flight = row === undefined
        ? undefined
        : InFlight.make(all, { ...row, reserve: row.reserve + dataFee }, now)
      if (row === undefined || flight === undefined) continue
      if (row.receipt === null) lost.push(flight)
      else yield* trackMined(tracking, flight, row.receipt, row.cancelled)
    }
    yield* send(tracking, lost)
    if (finality.size() > 0) finality.invalidate()
    if (MutableRef.get(state).flights.size + finality.size() > 0) yield* busy.open
  })
