/** Compares the transactions in flight with the chain: records the mined ones, re-prices, closes gaps, investigates. */
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import { retryForever } from "../actor/Retry.ts"
import type { Block } from "../chain/BlockFollower.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import type * as FinalityTracker from "./FinalityTracker.ts"
import { alertGasCap } from "./GasCapAlert.ts"
import * as InFlight from "./InFlight.ts"
import * as LaneState from "./LaneState.ts"
import * as Replacement from "./Replacement.ts"
import { addAttempts, attemptsOf, recover, send, trackMined, type Tracking, warn } from "./Tracking.ts"

/** How long before bytes that no block holds are broadcast again. */
export const rebroadcastMillis = 3_000

const missingStatus: InFlight.OnChainStatus = { _tag: "missing" }

/** Checks all flights against the chain as of block `head`. */
export const checkFlights = (tracking: Tracking, head: Block) =>
  Effect.gen(function*() {
    const { conflicts, lane: { chain, wallet }, state } = tracking
    if (MutableRef.get(state).flights.size === 0) return
    // A transaction above the chain's count is in no block: only those below it are read.
    const next = yield* chain.nonce(wallet, "latest")
    const [below, ahead] = Arr.partition(
      LaneState.inNonceOrder(MutableRef.get(state)),
      Filter.fromPredicate(({ nonce }: InFlight.InFlight) => nonce < next)
    )
    const sights = [
      ...(yield* InFlight.checkStatus(chain, head.number, below)),
      ...ahead.map((flight) => ({ flight, sight: missingStatus }))
    ]
    yield* recordMined(
      tracking,
      sights.flatMap(({ flight, sight }) => sight._tag === "mined" ? [{ flight, receipt: sight.receipt }] : [])
    )
    for (const flight of ahead) conflicts.wasFree(flight, head.number)
    const now = yield* Clock.currentTimeMillis
    const lowest = LaneState.inNonceOrder(MutableRef.get(state))[0]
    if (lowest !== undefined) yield* closeGap(tracking, lowest, next, now)
    const missing = sights.flatMap(({ flight, sight }) => sight._tag === "missing" ? [flight] : [])
    if (!conflicts.isUnexplained()) {
      const ended = yield* endedFlights(tracking, missing, now)
      yield* Effect.forEach(ended, (flight) => cancel(tracking, flight), { discard: true })
      const alive = missing.filter((flight) => !ended.includes(flight))
      const overdue = InFlight.overdue(alive, chain.book.patienceMillis, head.baseFee, now)
      yield* Effect.forEach(overdue, (flight) => reprice(tracking, flight), { discard: true })
    }
    // Bytes that no block holds after a while may have been dropped: they are broadcast again, also those at the fee
    // cap.
    const missingKeys = missing.map(({ key }) => key)
    yield* send(tracking, LaneState.unsentSince(MutableRef.get(state), missingKeys, now, rebroadcastMillis))
    // Last, because it may be slow: everything else in the lane is done by now.
    const used = sights.flatMap(({ flight, sight }) => sight._tag === "used" ? [flight] : [])
    yield* Effect.forEach(used, (flight) => investigate(tracking, flight, head), { discard: true })
  })

const recordMined = (
  { conflicts, finality, lane, state }: Tracking,
  found: ReadonlyArray<FinalityTracker.MinedTransaction>
) =>
  Effect.gen(function*() {
    if (found.length === 0) return
    const { network, store } = lane
    const now = yield* Clock.currentTimeMillis
    const cancelledBy = new Map(
      found.map(({ flight, receipt }) => [flight.key, InFlight.cancelReasonOf(flight, receipt, now)])
    )
    const reasonOf = (key: string) => cancelledBy.get(key) ?? null
    yield* retryForever(
      store.recordMined(found.map(({ flight: { key }, receipt }) => ({ key, receipt, cancelled: reasonOf(key) })))
    )
    const seconds = found.map(({ flight }) => (now - flight.departedAt) / 1000)
    yield* Metrics.observeAll(Metrics.secondsToMine, { network }, seconds)
    MutableRef.update(state, (before) => LaneState.land(before, found.map(({ flight }) => flight)))
    for (const { flight, receipt } of found) {
      conflicts.forget(flight.key)
      finality.add({ flight, receipt })
      const attributes = {
        hash: receipt.transactionHash,
        block: receipt.blockNumber.toString(),
        succeeded: receipt.succeeded
      }
      const settled = InFlight.minedAs(receipt, reasonOf(flight.key))
      yield* IntentTrace.spans("submission.mined", [flight.key], attributes)(lane.landed(flight.key, settled))
    }
  })

/**
 * Explains a used nonce without a receipt of ours. What used it is judged as soon as a block has it: it may be a
 * transaction of this service that a restore forgot, and then nothing may be signed. The flight is superseded only once
 * a foreign transaction is final: replanning earlier could execute the intent twice.
 */
const investigate = (tracking: Tracking, flight: InFlight.InFlight, head: Block) =>
  Effect.gen(function*() {
    const { conflicts, lane } = tracking
    const { chain } = lane
    const use = yield* conflicts.investigate(flight, head.number)
    if (use._tag === "Foreign") {
      const row = yield* retryForever(lane.store.find(flight.key))
      const verdict = Option.isNone(row) ? "foreign" : yield* lane.judge(row.value, use.hash)
      if (verdict === "ours") return yield* addAttempts(tracking, flight, yield* attemptsOf(lane, flight.key))
      const isFinal = use.block <= (yield* finalBlockOf(chain))
      // Otherwise the alert is repeated at the next check, which ends with the flight.
      const isKnown = isFinal && conflicts.isAlerted(flight.key)
      if (verdict === "foreign" && isKnown) return yield* supersede(tracking, flight)
    }
    if (use._tag !== "Ours") return
    for (const receipt of use.receipts) {
      const sight = InFlight.statusOf(chain, head.number, receipt)
      if (sight._tag !== "mined" || !(yield* chain.confirmed([receipt])).has(receipt.transactionHash)) continue
      return yield* recordMined(tracking, [{ flight, receipt }])
    }
    // Another owner may have signed the attempt that was mined: from now on its receipt is read, too.
    yield* addAttempts(tracking, flight, yield* attemptsOf(lane, flight.key))
  })

/** Reads the newest final block; none is final while it cannot be read. */
const finalBlockOf = ({ finalBlock }: ChainClient) => Effect.orElseSucceed(finalBlock, () => -1n)

const supersede = (tracking: Tracking, flight: InFlight.InFlight) =>
  Effect.gen(function*() {
    const { conflicts, lane, state } = tracking
    yield* retryForever(lane.store.supersede(flight.key))
    const row = yield* retryForever(lane.store.find(flight.key))
    conflicts.forget(flight.key)
    MutableRef.update(state, (now) => LaneState.remove(now, [flight.key]))
    if (Option.isNone(row) || row.value.status === "superseded") {
      return yield* lane.superseded(flight.key, flight.nonce)
    }
    // Another owner may have seen it mined meanwhile: the row decides whether it is superseded.
    if (row.value.receipt !== null) {
      yield* lane.landed(flight.key, InFlight.minedAs(row.value.receipt, row.value.cancelled))
    }
    yield* recover(tracking)
  }).pipe(IntentTrace.span("submission.superseded", flight.key))

/**
 * Selects the flights whose nonces are taken from their calls: their lifetime is over, or a kill switch cancels. The
 * switch is read only for flights that have been missing for a while.
 */
const endedFlights = ({ lane: { store, wallet } }: Tracking, missing: ReadonlyArray<InFlight.InFlight>, now: number) =>
  Effect.gen(function*() {
    const calls = missing.filter((flight) => !InFlight.isCancelling(flight))
    const late = calls.filter(({ departedAt }) => now - departedAt >= rebroadcastMillis)
    const isCancelled = late.length > 0 && (yield* retryForever(store.isCancelled(wallet)))
    return calls.filter((flight) => InFlight.isExpired(flight, now) || (isCancelled && late.includes(flight)))
  })

/** Takes the nonce from a flight's call. */
const cancel = (tracking: Tracking, flight: InFlight.InFlight) =>
  Effect.gen(function*() {
    const attempt = yield* Replacement.cancellation(tracking.lane, flight)
    if (Option.isNone(attempt)) return
    yield* warn(tracking, "a signed transaction that was not mined is cancelled", flight.nonce)
    yield* send(tracking, [yield* InFlight.withAttempts(flight, [...flight.attempts, attempt.value])])
  }).pipe(
    Effect.catch(({ _tag }) =>
      Effect.andThen(Effect.logInfo(`a transaction was not cancelled: ${_tag}`), readAgain(tracking, flight))
    )
  )

/** Sends a replacement, or marks that it waits for fees to fall. */
const reprice = (tracking: Tracking, flight: InFlight.InFlight) =>
  Effect.gen(function*() {
    const { lane, state } = tracking
    const next = yield* Effect.catchTag(Replacement.replacement(lane, flight), "GasCapReached", ({ message }) =>
      Effect.as(alertGasCap(lane, message), "waits" as const))
    if (next === "stopped") {
      return
    }
    if (next === "waits") {
      MutableRef.update(state, (now) =>
        LaneState.waitForGas(now, flight.key))
      if (flight.waitingForGas) {
        return
      }
      yield* Metrics.count(Metrics.waitingForGas, { network: lane.network })
      return yield* lane.store.waitForGas(flight.key, true)
    }
    yield* send(tracking, [yield* InFlight.withAttempts(flight, [...flight.attempts, next])])
    if (flight.waitingForGas) {
      yield* lane.store.waitForGas(flight.key, false)
    }
  }).pipe(
    // A pause, another owner or a failing database: the rows say which attempts exist, and the next check decides
    // again.
    Effect.catch(({ _tag }) =>
      Effect.andThen(Effect.logInfo(`a transaction was not re-priced: ${_tag}`), readAgain(tracking, flight))
    )
  )

/** Reads from the rows what another owner of the lane did with a flight. */
const readAgain = (tracking: Tracking, flight: InFlight.InFlight) =>
  Effect.gen(function*() {
    const row = yield* retryForever(tracking.lane.store.find(flight.key))
    // Another owner that was suspended may have written an outdated observation.
    if (Option.isSome(row) && row.value.status === "mined" && row.value.receipt !== null) {
      return yield* trackMined(tracking, flight, row.value.receipt, row.value.cancelled)
    }
    const attempts = yield* attemptsOf(tracking.lane, flight.key)
    const current = MutableRef.get(tracking.state).flights.get(flight.key)
    if (current !== undefined) yield* addAttempts(tracking, current, attempts)
  })

/**
 * Handles a gap: the lowest flight's nonce is above the chain's count. If one of our rows owns the missing nonce, a
 * reorg removed its transaction, possibly deeper than finality: the finality tracker checks that, and a superseded row
 * takes its nonce back. If none does, a foreign transaction was lost: what the signing record has under the nonce takes
 * it, or a filler.
 */
const closeGap = (tracking: Tracking, lowest: InFlight.InFlight, next: bigint, now: number) =>
  Effect.gen(function*() {
    const { conflicts, finality, lane } = tracking
    if (lowest.nonce <= next) return
    const owner = yield* lane.store.ownerOf(lane.network, lane.wallet, next)
    if (Option.isSome(owner)) {
      const { key, status } = owner.value
      if (status === "superseded") return yield* takeBack(tracking, key, next)
      return status === "signed" ? yield* recover(tracking) : finality.invalidate()
    }
    if (now - lowest.departedAt < lane.chain.book.patienceMillis || conflicts.isUnexplained()) return
    // A transaction that is pending at the nonce closes the gap.
    if ((yield* lane.chain.nonce(lane.wallet, "pending")) > next) return
    if (yield* lane.takeRecordedAt(next)) return yield* recover(tracking)
    const filler = yield* Replacement.filler(lane, lowest)
    if (Option.isNone(filler)) return
    yield* warn(tracking, "a gap in a lane is closed with an empty transaction", filler.value.nonce)
    const row = { key: filler.value.submissionKey, value: 0n, reserve: 0n, waitingForGas: false, validUntil: null }
    yield* send(tracking, Arr.fromNullishOr(InFlight.make([filler.value], row, now)))
  }).pipe(Effect.catch((reason) => Effect.logInfo(`a gap in a lane was not closed: ${reason._tag}`)))

/**
 * Takes the nonce of a superseded submission back once the foreign transaction that used it is gone and none waits for
 * it. What it superseded may have been planned again, so neither call may have the nonce: an empty transaction does.
 */
const takeBack = (tracking: Tracking, key: string, nonce: bigint) =>
  Effect.gen(function*() {
    const { conflicts, lane: { alerts, chain, network, store, wallet } } = tracking
    if (conflicts.isUnexplained() || (yield* chain.nonce(wallet, "pending")) > nonce) return
    yield* alerts.raise({
      kind: "unexplained_nonce",
      network,
      wallet,
      message:
        `A deep reorg on ${network} removed the foreign transaction that had used nonce ${nonce} of ${wallet}. An empty ` +
        "transaction takes the nonce, unless another one is mined first.",
      details: { nonce: nonce.toString(), submission: key }
    })
    yield* store.reopenSuperseded(key)
    yield* recover(tracking)
  })
