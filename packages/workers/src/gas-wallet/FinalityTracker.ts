/**
 * Tracks mined transactions that a reorg may still remove: re-reads them after each reorg, and makes them final once
 * their blocks are. A deeper reorg is possible: after each reorg the final transactions of recent blocks are re-read,
 * too.
 */
import { max } from "@vault-trader/core/chain/Quantity"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as ReceiptQuorum from "../chain/ReceiptQuorum.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import * as BlockStandings from "./BlockStandings.ts"
import * as InFlight from "./InFlight.ts"
import type { Lane } from "./Replacement.ts"
import { retryForever } from "../actor/Retry.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"

/** A lane whose owner is alerted about reorgs of final blocks. */
interface AlertedLane extends Lane {
  readonly alerts: WalletAlerts["Service"]
}

export interface MinedTransaction {
  readonly flight: InFlight.InFlight
  readonly receipt: Receipt
}

export interface FinalityTracker {
  readonly has: (key: string) => boolean
  readonly size: () => number
  /** Adds a transaction that was just seen in a block. */
  readonly add: (landed: MinedTransaction) => void
  /**
   * Makes the next check re-read all of them, even without a reorg: another owner saw them mined, or this one did
   * earlier.
   */
  readonly invalidate: () => void
  /** Checks all of them after a reorg or `invalidate`, else only those whose blocks are final. */
  readonly check: Effect.Effect<void, RpcFailure>
}

export interface FinalityEvents {
  /** Called after a reorg has removed a transaction and its row has been updated. */
  readonly removed: (flight: InFlight.InFlight) => Effect.Effect<void>
  /** Called when rows were not made final as expected: they show which transactions must still be tracked. */
  readonly moved: Effect.Effect<void>
}

/**
 * `isObserved`: the head was read since its receipt, so that a reorg before the receipt is known. `finalRow`: its row is
 * final, and it is tracked again because a reorg removed final blocks; `alerted` once its owner was alerted about that.
 */
interface TrackedTransaction extends MinedTransaction {
  readonly isObserved: () => boolean
  readonly finalRow?: "doubted" | "alerted"
}

/** The mined transactions that are tracked, by submission key. */
type MinedTransactions = Map<string, TrackedTransaction>

const put = (
  { chain }: Lane,
  mined: MinedTransactions,
  { finalRow, flight, receipt }: MinedTransaction & Pick<TrackedTransaction, "finalRow">
) => {
  mined.set(flight.key, { flight, receipt, isObserved: chain.markHead(), ...(finalRow && { finalRow }) })
}

/** How long before an alert that could not be stored is raised again. */
const alertRetryMillis = 1_000

export const make = (lane: AlertedLane, events: FinalityEvents): FinalityTracker => {
  const { chain } = lane
  const mined: MinedTransactions = new Map()
  let seenReorgs = 0
  /** The first check re-reads everything: an owner before this one may have ended before it followed a reorg. */
  let invalidations = 1
  /** The invalidations that a complete check has covered; one that arrives during a check is covered by the next. */
  let coveredInvalidations = 0

  return {
    has: (key) => mined.has(key),
    size: () => mined.size,
    add: (each) => put(lane, mined, each),
    invalidate: () => {
      invalidations += 1
    },
    check: Effect.gen(function*() {
      const pendingInvalidations = invalidations
      const reorgs = yield* chain.reorgs
      const checkAll = seenReorgs !== reorgs || coveredInvalidations !== pendingInvalidations
      if (checkAll) yield* trackFinalAgain(lane, mined)
      const final = mined.size === 0 ? undefined : yield* finalBlockOf(chain)
      const isFinal = ({ receipt }: MinedTransaction) => final !== undefined && receipt.blockNumber <= final
      const due = Array.from(mined.values()).filter((each) => checkAll || isFinal(each))
      const { moved, stands, unknown } = yield* BlockStandings.read(chain, due)
      const agreed = yield* agreedOn(chain, stands.filter(isFinal))
      const doubtful = stands.filter((each) => isFinal(each) && !agreed.includes(each))
      for (const each of doubtful) if (yield* isRefuted(chain, each)) yield* revert(lane, mined, each, events)
      const unalerted = moved.filter(({ finalRow }) => finalRow === "doubted")
      yield* alertDeepReorg(lane, unalerted)
      for (const each of unalerted) mined.set(each.flight.key, { ...each, finalRow: "alerted" })
      for (const each of moved) yield* followMove(lane, mined, each, events)
      // A reorg may be known by its new transactions first, and final rows that it removed have to be read again then.
      if (agreed.some(({ isObserved }) => !isObserved())) yield* chain.head
      if ((yield* chain.reorgs) !== reorgs) return
      // After the removals: an owner that ended between the two would leave a removed one before a newer final row.
      yield* finalize(lane, mined, beforeDoubted(agreed, { stands, unknown }), events)
      seenReorgs = reorgs
      coveredInvalidations = pendingInvalidations
      // A block whose state is unknown is read again at the next block.
      if (unknown.length > 0) invalidations += 1
    })
  }
}

/**
 * Selects what may become final: nothing after a transaction whose row is final although its block may be gone. A lane's
 * next owner finds such rows by the newest final one. Where one of them is in its block, those before it are, too.
 */
const beforeDoubted = (
  agreed: ReadonlyArray<MinedTransaction>,
  { stands, unknown }: Pick<BlockStandings.Standings<TrackedTransaction>, "stands" | "unknown">
) => {
  const noncesOf = (transactions: ReadonlyArray<TrackedTransaction>) =>
    transactions.flatMap(({ finalRow, flight }) => finalRow === undefined ? [] : [flight.nonce])
  const standing = noncesOf(stands).reduce(max, -1n)
  const doubted = noncesOf(unknown).filter((nonce) => nonce > standing)
  return agreed.filter(({ flight }) => doubted.every((nonce) => flight.nonce < nonce))
}

const finalize = (
  { store }: Lane,
  mined: MinedTransactions,
  final: ReadonlyArray<MinedTransaction>,
  { moved }: FinalityEvents
) =>
  Effect.gen(function*() {
    if (final.length === 0) return
    const blocks = final.map(({ flight, receipt }) => ({ key: flight.key, blockHash: receipt.blockHash }))
    const settled = yield* retryForever(store.finalize(blocks))
    for (const { flight } of final) mined.delete(flight.key)
    // Another owner that was suspended, or a statement that committed late, may have recorded an outdated observation.
    if (settled.size < final.length) yield* moved
  })

/** Finds the new block of a transaction whose block a reorg removed; reverts it where no block has it. */
const followMove = (lane: Lane, mined: MinedTransactions, each: MinedTransaction, events: FinalityEvents) =>
  Effect.gen(function*() {
    const { flight } = each
    const receipts = yield* lane.chain.receiptsAnywhere(flight.attempts.map(({ hash }) => hash))
    const [receipt] = yield* Effect.filter(
      receipts.filter(({ blockHash }) => blockHash !== each.receipt.blockHash),
      isConfirmed(lane.chain)
    )
    if (receipt === undefined || !InFlight.sameEffects(each.receipt, receipt)) {
      return yield* revert(lane, mined, each, events)
    }
    yield* retryForever(lane.store.recordMoved(flight.key, each.receipt.blockHash, receipt))
    put(lane, mined, { flight, receipt })
  })

const revert = (
  { network, store }: Lane,
  mined: MinedTransactions,
  { flight, receipt }: MinedTransaction,
  { removed }: FinalityEvents
) =>
  Effect.gen(function*() {
    yield* retryForever(store.revertMined(flight.key, receipt.blockHash))
    yield* Metrics.count(Metrics.reorgs, { network })
    mined.delete(flight.key)
    yield* removed(flight)
  })

/** The final transactions of a lane that a deep reorg may have removed; none are older. */
const maxRecentFinal = 500

/**
 * Returns the final transactions that a deep reorg may have removed. While the newest of them is in its block, all of
 * them are: none becomes final before those before it have been re-read, and their rows no longer are where they were
 * removed.
 */
const doubtedFinal = ({ chain, network, store, wallet }: Lane) =>
  Effect.gen(function*() {
    /** Reads the newest rows; none where the newest of them is in its block. */
    const read = (limit: number) =>
      Effect.gen(function*() {
        const rows = yield* retryForever(store.recentFinal(network, wallet, limit))
        const receipt = rows[0]?.submission.receipt ?? null
        return receipt !== null && (yield* BlockStandings.placeOf(chain, receipt)) === "in place" ? undefined : rows
      })
    // One row decides nearly always. It is left out where its bytes are not the wallet's own: the others are read then.
    return (yield* read(1)) === undefined ? [] : (yield* read(maxRecentFinal)) ?? []
  })

/** Tracks final transactions again if a deep reorg has removed them. */
const trackFinalAgain = (lane: Lane, mined: MinedTransactions) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    for (const { attempts, submission } of yield* doubtedFinal(lane)) {
      const flight = InFlight.make(attempts, submission, now)
      if (flight === undefined || submission.receipt === null || mined.has(submission.key)) continue
      put(lane, mined, { flight, receipt: submission.receipt, finalRow: "doubted" })
    }
  })

/** Reads the final block; `undefined` where it is not known, so that nothing becomes final. */
const finalBlockOf = ({ book, finalBlock }: ChainClient) =>
  Effect.catch(finalBlock, ({ reason }) =>
    Effect.as(
      Effect.logDebug(`the final block of ${book.network} is not known: ${reason}`),
      undefined
    ))

/**
 * Selects the transactions whose receipts two endpoints confirm, where so many are configured: a receipt may have been
 * recorded while one endpoint alone answered.
 */
const agreedOn = <T extends MinedTransaction>(chain: ChainClient, transactions: ReadonlyArray<T>) =>
  transactions.length === 0 ? Effect.succeed(transactions) : Effect.map(
    chain.confirmed(transactions.map(({ receipt }) => receipt)),
    (confirmed) => transactions.filter(({ receipt }) => confirmed.has(receipt.transactionHash))
  )

/**
 * Returns whether two endpoints have another receipt than the recorded one, or another block at its height: then one
 * endpoint alone said otherwise.
 */
const isRefuted = (chain: ChainClient, { flight, receipt }: MinedTransaction) =>
  Effect.gen(function*() {
    if (chain.quorum > 1 && (yield* BlockStandings.placeOf(chain, receipt)) === "moved") return true
    const receipts = yield* chain.receiptsAnywhere(flight.attempts.map(({ hash }) => hash))
    const others = receipts.filter((other) => ReceiptQuorum.textOf(other) !== ReceiptQuorum.textOf(receipt))
    return (yield* Effect.filter(others, isConfirmed(chain))).length > 0
  })

/** Returns the check whether two endpoints confirm a receipt. */
const isConfirmed = (chain: ChainClient) => (receipt: Receipt) =>
  Effect.map(chain.confirmed([receipt]), (confirmed) => confirmed.has(receipt.transactionHash))

/** Alerts that a reorg removed final blocks. Raised before outcomes are reverted: a crash must not lose the alert. */
const alertDeepReorg = (
  { alerts, network, wallet }: AlertedLane,
  removed: ReadonlyArray<MinedTransaction>
): Effect.Effect<void> => {
  const [first, ...others] = [...removed].sort((a, b) => a.receipt.blockNumber < b.receipt.blockNumber ? -1 : 1)
  if (first === undefined) return Effect.void
  const count = others.length + 1
  const { blockNumber, transactionHash } = first.receipt
  return alerts.raise({
    kind: "deep_reorg",
    network,
    wallet,
    message: `A reorg on ${network} removed blocks from ${blockNumber} on that were final, with ${count} ` +
      `transaction${count === 1 ? "" : "s"} of ${wallet}. One that another block holds with the same effects keeps ` +
      "its outcome. For every other one outcome and charge are taken back, and the same bytes are broadcast again.",
    details: { block: blockNumber.toString(), transactions: count, tx_hash: transactionHash }
  }).pipe(
    Effect.repeat({ until: (raised) => raised, schedule: Schedule.spaced(alertRetryMillis) }),
    Effect.asVoid
  )
}
