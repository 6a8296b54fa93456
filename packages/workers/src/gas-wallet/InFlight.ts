/**
 * Signed transactions in flight: broadcasts them, reads their status on chain, and chooses which to re-price and at
 * what fees.
 */
import { max, min } from "@vault-trader/core/chain/Quantity"
import {
  type Attempt,
  Cancelled,
  type CancelReason,
  Mined,
  type Receipt,
  type Submission
} from "@vault-trader/core/gas-wallet/Submission"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { ChainClient, Fees } from "../chain/ChainClient.ts"
import { alreadyKnown, type RpcFailure, type RpcUnavailable, underpricedReplacement } from "../chain/RpcFailure.ts"

/** One signed submission: every attempt has the same nonce. */
export interface InFlight {
  readonly key: string
  readonly nonce: bigint
  /** Oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
  /** Maximum that it can still cost, native smallest units: gas, value and the charge that follows. */
  readonly committed: bigint
  /** Time at which it was first signed or recovered; unix milliseconds. */
  readonly departedAt: number
  /** Time at which the newest attempt was signed, and at which its bytes were last broadcast; unix milliseconds. */
  readonly signedAt: number
  readonly sentAt: number
  readonly waitingForGas: boolean
  /** True once a node refused its newest bytes because it holds another transaction under the nonce. */
  readonly isContested: boolean
  /** Unix milliseconds after which its call must not be mined; null without a lifetime. */
  readonly validUntil: number | null
}

/**
 * Builds the flight of one submission's attempts, oldest first, with its bytes not yet broadcast; `undefined` without
 * attempts.
 */
export const make = (
  attempts: ReadonlyArray<Attempt>,
  submission: Pick<Submission, "key" | "value" | "reserve" | "waitingForGas" | "validUntil">,
  now: number
): InFlight | undefined => {
  const last = attempts.at(-1)
  return last === undefined ? undefined : {
    key: submission.key,
    nonce: last.nonce,
    attempts,
    committed: costOf(last) + submission.value + submission.reserve,
    departedAt: now,
    signedAt: now,
    sentAt: 0,
    waitingForGas: submission.waitingForGas,
    isContested: false,
    validUntil: submission.validUntil
  }
}

/** Returns true when the newest attempt takes the nonce from the call. */
export const isCancelling = ({ attempts }: InFlight): boolean => attempts.at(-1)?.cancels === true

/** Returns true when the flight's lifetime is over: its call must no longer be broadcast. */
export const isExpired = ({ validUntil }: InFlight, now: number): boolean => validUntil !== null && now >= validUntil

/** Returns the attempts that may be broadcast: once the nonce is taken from the call, only those that take it. */
export const broadcastable = (flight: InFlight, now: number): ReadonlyArray<Attempt> => {
  const cancelling = flight.attempts.filter(({ cancels }) => cancels)
  return cancelling.length > 0 ? cancelling : isExpired(flight, now) ? [] : flight.attempts
}

/** Returns why a receipt is that of the flight's cancellation; null for its call. */
export const cancelReasonOf = (flight: InFlight, { transactionHash }: Receipt, now: number): CancelReason | null => {
  const mined = flight.attempts.find(({ hash }) => hash === transactionHash)
  return mined?.cancels !== true ? null : isExpired(flight, now) ? "expired" : "stopped"
}

/** Returns the outcome of a submission that was mined. */
export const minedAs = (receipt: Receipt, cancelled: CancelReason | null) =>
  cancelled === null ? Mined.make({ receipt }) : Cancelled.make({ receipt, reason: cancelled })

/** Returns the flight with these attempts, the newest of them signed just now. */
export const withAttempts = (flight: InFlight, attempts: ReadonlyArray<Attempt>): Effect.Effect<InFlight> =>
  Effect.map(Clock.currentTimeMillis, (signedAt) => {
    const committed = flight.committed - costOf(flight.attempts.at(-1)) + costOf(attempts.at(-1))
    return { ...flight, attempts, committed, signedAt, waitingForGas: false }
  })

/** Returns the maximum gas cost of an attempt, native smallest units. */
const costOf = (attempt: Attempt | undefined) => attempt === undefined ? 0n : attempt.gasLimit * attempt.maxFeePerGas

/**
 * Selects the flights to re-price, from flights in nonce order: of those without a block for too long, the oldest and
 * every one whose fee is below the base fee. A flight that waits for gas is also selected once its fee reaches the base
 * fee.
 */
export const overdue = (
  missing: ReadonlyArray<InFlight>,
  patienceMillis: number,
  baseFee: bigint,
  now: number
): ReadonlyArray<InFlight> =>
  missing.filter((flight, index) => {
    const cannotEnter = (flight.attempts.at(-1)?.maxFeePerGas ?? 0n) < baseFee
    const late = now - flight.signedAt >= patienceMillis
    return flight.waitingForGas ? !cannotEnter || late : late && (index === 0 || cannotEnter)
  })

/** Status of a flight on chain. */
export type OnChainStatus =
  | { readonly _tag: "mined"; readonly receipt: Receipt }
  /** No block holds it and its nonce is free: it waits, or was dropped. */
  | { readonly _tag: "missing" }
  /** In a block with too few confirmations, or the node did not answer. */
  | { readonly _tag: "unclear" }
  /** Its nonce is used, and the node has no receipt of ours: `NonceConflict` finds the transaction that used it. */
  | { readonly _tag: "used" }

/** Called with each attempt that no endpoint has accepted, and why. */
export type OnRejected = (attempt: Attempt, failure: RpcFailure) => Effect.Effect<void>

/** The reactions to endpoints' answers to a broadcast. */
export interface Reactions {
  readonly onRejected: OnRejected
  /** Called with each attempt at whose nonce an endpoint holds another transaction. */
  readonly onContested: (attempt: Attempt) => void
}

/**
 * Sends the bytes to the network's endpoints, in order; with `privately` to its private endpoints only. Whatever they
 * answer, attempts stay in flight until the chain shows an outcome.
 */
export const broadcast = (
  chain: ChainClient,
  attempts: ReadonlyArray<Attempt>,
  { onContested, onRejected }: Reactions,
  privately = false
): Effect.Effect<void> =>
  attempts.length === 0 ? Effect.void : Effect.flatMap(
    chain.broadcast(attempts.map(({ raw }) => raw), {
      privately,
      onRefused: (place, refusal) => {
        const attempt = attempts[place]
        if (attempt !== undefined && underpricedReplacement(refusal)) onContested(attempt)
      }
    }),
    (results) =>
      Effect.forEach(attempts, (attempt, index) => {
        const { hash, nonce, submissionKey } = attempt
        const result = results[index]
        if (result === undefined || Result.isSuccess(result)) return Effect.void
        const { failure } = result
        if (failure._tag === "RpcRefused" && alreadyKnown(failure)) return Effect.void
        const what = failure._tag === "RpcRefused"
          ? "a node did not take a transaction"
          : "it is not known whether a transaction arrived"
        return Effect.logInfo(`${what}; it stays in its lane`).pipe(
          Effect.annotateLogs({
            hash,
            nonce: nonce.toString(),
            reason: failure.reason,
            ...IntentTrace.annotations(submissionKey)
          }),
          Effect.andThen(onRejected(attempt, failure))
        )
      }, { discard: true })
  ).pipe(IntentTrace.spans("submission.broadcast", attempts.map(({ submissionKey }) => submissionKey)))

/** Raises a fee by 12.5%, the minimum that every node accepts for a replacement, on both fees. */
export const minReplacementFee = (fee: bigint) => (fee * 1125n + 999n) / 1000n

/**
 * Reads the receipts of flights whose nonces the chain has counted, in one request. Confirmations are counted from
 * block `head`.
 */
export const checkStatus = (
  chain: ChainClient,
  head: bigint,
  flights: ReadonlyArray<InFlight>
): Effect.Effect<ReadonlyArray<{ readonly flight: InFlight; readonly sight: OnChainStatus }>, RpcUnavailable> =>
  Effect.map(chain.receipts(flights.flatMap(({ attempts }) => attempts.map(({ hash }) => hash))), (answers) => {
    let next = 0
    return flights.map((flight) => {
      const own = answers.slice(next, next += flight.attempts.length)
      const receipt = own.find((answer) => Result.isSuccess(answer) && answer.success !== null)
      if (receipt !== undefined && Result.isSuccess(receipt) && receipt.success !== null) {
        return { flight, sight: statusOf(chain, head, receipt.success) }
      }
      // A refused read gives no information about this flight, and none about the others.
      return { flight, sight: own.some(Result.isFailure) ? { _tag: "unclear" } : { _tag: "used" } }
    })
  })

/** Returns `mined` once the receipt's block has the network's confirmations. The block may be newer than `head`. */
export const statusOf = (chain: ChainClient, head: bigint, receipt: Receipt): OnChainStatus =>
  max(head, receipt.blockNumber) - receipt.blockNumber + 1n >= BigInt(chain.book.confirmations)
    ? { _tag: "mined", receipt }
    : { _tag: "unclear" }

/** Limits market fees to the network's cap. */
export const capped = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees, cap: bigint): Fees => ({
  maxFeePerGas: maxFeePerGas < cap ? maxFeePerGas : cap,
  maxPriorityFeePerGas: maxPriorityFeePerGas < cap ? maxPriorityFeePerGas : cap
})

/** Returns the fees of a flight's next attempt; none when the cap leaves no room for a raise that nodes accept. */
export const nextFees = (last: Fees, market: Fees, cap: bigint): Option.Option<Fees> => {
  const maxFeePerGas = min(max(minReplacementFee(last.maxFeePerGas), market.maxFeePerGas), cap)
  const maxPriorityFeePerGas = max(minReplacementFee(last.maxPriorityFeePerGas), market.maxPriorityFeePerGas)
  return maxFeePerGas >= minReplacementFee(last.maxFeePerGas) &&
      minReplacementFee(last.maxPriorityFeePerGas) <= maxFeePerGas
    ? Option.some({ maxFeePerGas, maxPriorityFeePerGas: min(maxPriorityFeePerGas, maxFeePerGas) })
    : Option.none()
}

/** Returns true when a transaction that moved to another block had the same effects there. */
export const sameEffects = (before: Receipt, after: Receipt): boolean =>
  before.transactionHash === after.transactionHash && before.succeeded === after.succeeded &&
  before.logs.length === after.logs.length &&
  before.logs.every((log, index) => log.data === after.logs[index]?.data)

/** Gas limit of an empty transaction, enough on every supported network; rollups charge their data fee separately. */
export const fillerGas = 60_000n
