/** Signed transactions on their way: where they are looked for, offered again, re-priced, and when their fate is certain. */
import type { Attempt, Receipt, Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { ChainClient, Fees } from "../chain/ChainClient.ts"
import { alreadyKnown, type RpcUnavailable } from "../chain/RpcFailure.ts"

/** One signed submission: every attempt has the same nonce. */
export interface InFlight {
  readonly key: string
  readonly nonce: bigint
  /** Oldest first. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The most it can still cost, native smallest units: gas, value and the charge that follows. */
  readonly committed: bigint
  /** When it was first signed or taken up; unix milliseconds. */
  readonly departedAt: number
  /** When the newest attempt was signed, and when its bytes were last offered; unix milliseconds. */
  readonly signedAt: number
  readonly sentAt: number
  readonly waitingForGas: boolean
}

/** The flight of these attempts of one submission, oldest first, whose bytes are still to be offered; none without attempts. */
export const make = (
  attempts: ReadonlyArray<Attempt>,
  submission: Pick<Submission, "key" | "value" | "reserve" | "waitingForGas">,
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
    waitingForGas: submission.waitingForGas
  }
}

/** The same flight with these attempts, the newest of them signed just now. */
export const withAttempts = (flight: InFlight, attempts: ReadonlyArray<Attempt>): Effect.Effect<InFlight> =>
  Effect.map(Clock.currentTimeMillis, (signedAt) => {
    const committed = flight.committed - costOf(flight.attempts.at(-1)) + costOf(attempts.at(-1))
    return { ...flight, attempts, committed, signedAt, waitingForGas: false }
  })

/** The most gas an attempt can cost. */
const costOf = (attempt: Attempt | undefined) => attempt === undefined ? 0n : attempt.gasLimit * attempt.maxFeePerGas

/** Of flights in the order of their nonces, too long without a block: the oldest, and every one whose fee the next block would not take. */
export const overdue = (missing: ReadonlyArray<InFlight>, patienceMillis: number, baseFee: bigint, now: number): ReadonlyArray<InFlight> =>
  missing.filter((flight, index) => {
    const cannotEnter = (flight.attempts.at(-1)?.maxFeePerGas ?? 0n) < baseFee
    const late = now - flight.signedAt >= patienceMillis
    return flight.waitingForGas ? !cannotEnter || late : late && (index === 0 || cannotEnter)
  })

/** What the chain says of a flight. */
export type OnChainStatus =
  | { readonly _tag: "mined"; readonly receipt: Receipt }
  /** No block holds it and its nonce is free: it waits, or was dropped. */
  | { readonly _tag: "missing" }
  /** In a block that is too young, or the node did not answer. */
  | { readonly _tag: "unclear" }
  /** Its nonce is used, and the node has no receipt of ours: `NonceConflict` finds out by what. */
  | { readonly _tag: "used" }

/** Hands the bytes to the network's endpoints, in order. Whatever they answer, the attempts stand until the chain tells their fate. */
export const broadcast = (chain: ChainClient, attempts: ReadonlyArray<Attempt>): Effect.Effect<void> =>
  Effect.flatMap(chain.broadcast(attempts.map(({ raw }) => raw)), (results) =>
    Effect.forEach(attempts, ({ hash, nonce, submissionKey }, index) => {
      const result = results[index]
      if (result === undefined || Result.isSuccess(result)) return Effect.void
      const { failure } = result
      if (failure._tag === "RpcRefused" && alreadyKnown(failure)) return Effect.void
      const what = failure._tag === "RpcRefused" ? "a node did not take a transaction" : "it is not known whether a transaction arrived"
      return Effect.logInfo(`${what}; it stays in its lane`).pipe(
        Effect.annotateLogs({ hash, nonce: nonce.toString(), reason: failure.reason, ...IntentTrace.annotations(submissionKey) })
      )
    }, { discard: true })).pipe(IntentTrace.spans("submission.broadcast", attempts.map(({ submissionKey }) => submissionKey)))

/** The least raise every node takes for a replacement, on both fees. */
const raised = (fee: bigint) => (fee * 1125n + 999n) / 1000n
const larger = (a: bigint, b: bigint) => (a > b ? a : b)
const smaller = (a: bigint, b: bigint) => (a < b ? a : b)

/** Reads the receipts of flights whose nonces the chain has counted, in one request, seen from block `head`. */
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
      if (receipt !== undefined && Result.isSuccess(receipt) && receipt.success !== null) return { flight, sight: statusOf(chain, head, receipt.success) }
      // One refused read says nothing about this flight, and nothing about the others.
      return { flight, sight: own.some(Result.isFailure) ? { _tag: "unclear" } : { _tag: "used" } }
    })
  })

/** A receipt counts once its block has the network's confirmations. It may come from a block younger than the head we saw. */
export const statusOf = (chain: ChainClient, head: bigint, receipt: Receipt): OnChainStatus =>
  larger(head, receipt.blockNumber) - receipt.blockNumber + 1n >= BigInt(chain.book.confirmations)
    ? { _tag: "mined", receipt }
    : { _tag: "unclear" }

/** Market fees under the network's cap. */
export const capped = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees, cap: bigint): Fees => ({
  maxFeePerGas: maxFeePerGas < cap ? maxFeePerGas : cap,
  maxPriorityFeePerGas: maxPriorityFeePerGas < cap ? maxPriorityFeePerGas : cap
})

/** Fees of the next attempt of a flight; none when the cap leaves no room for a raise that nodes would take. */
export const nextFees = (last: Fees, market: Fees, cap: bigint): Option.Option<Fees> => {
  const maxFeePerGas = smaller(larger(raised(last.maxFeePerGas), market.maxFeePerGas), cap)
  const maxPriorityFeePerGas = larger(raised(last.maxPriorityFeePerGas), market.maxPriorityFeePerGas)
  return maxFeePerGas >= raised(last.maxFeePerGas) && raised(last.maxPriorityFeePerGas) <= maxFeePerGas
    ? Option.some({ maxFeePerGas, maxPriorityFeePerGas: smaller(maxPriorityFeePerGas, maxFeePerGas) })
    : Option.none()
}

/** Whether a transaction that another block holds now did the same there. */
export const sameEffects = (before: Receipt, after: Receipt): boolean =>
  before.transactionHash === after.transactionHash && before.succeeded === after.succeeded && before.logs.length === after.logs.length &&
  before.logs.every((log, index) => log.data === after.logs[index]?.data)

/** Gas of a transaction that does nothing, on every network we know; rollups charge their data fee apart. */
export const fillerGas = 60_000n
