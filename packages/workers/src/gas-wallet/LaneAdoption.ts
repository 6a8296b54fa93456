/** Gives the rows of a lane the transactions that they have forgotten. */
import { min } from "@vault-trader/core/chain/Quantity"
import type { AdoptedTransactions } from "@vault-trader/core/gas-wallet/AdoptedTransactions"
import { Attempt, intentOf, keyOf } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as SentTransaction from "../chain/SentTransaction.ts"
import type { ReconciledLane } from "./ReconciledLane.ts"
import type { SigningEntry } from "./SigningEntry.ts"

/** Maximum number of nonces that one pass searches for; a lane further behind needs its operator. */
export const maxNonces = 256

/** Builds what the rows adopt of the recorded transactions of one nonce; their bytes are in the record. */
export const adoptable = (lane: ReconciledLane, entries: ReadonlyArray<SigningEntry>, isMined: boolean) => {
  const call = entries.find(({ kind }) => kind === "call") ?? entries[0]
  return call === undefined ? undefined : adoptionOf(
    lane,
    call,
    entries.map(({ hash, kind, nonce, raw }) => ({
      sent: { hash, nonce, signed: SentTransaction.signedFields(raw) },
      cancels: kind === "cancel"
    })),
    isMined
  )
}

/** Builds the adoption of transactions by their submission; undefined where their bytes are not known. */
export const adoptionOf = (
  { network, wallet }: ReconciledLane,
  { data, key, plan, to, validUntil, value }: Pick<
    SigningEntry,
    "data" | "key" | "plan" | "to" | "validUntil" | "value"
  >,
  sents: ReadonlyArray<{
    readonly sent: Pick<SentTransaction.SentTransaction, "hash" | "nonce" | "signed">
    readonly cancels: boolean
  }>,
  isMined: boolean
): AdoptedTransactions | undefined => {
  const attempts = sents.flatMap(({ cancels, sent: { hash, nonce, signed } }) =>
    signed === undefined
      ? []
      : [Attempt.make({ ...{ network, wallet, nonce, attempt: 0, submissionKey: key, hash, cancels }, ...signed })]
  )
  const [first] = attempts
  return first === undefined ? undefined : {
    ...{ network, wallet, key, nonce: first.nonce, to, data, value },
    ...{ plan: plan ?? undefined, attempts, isMined, validUntil }
  }
}

/**
 * Adopts transactions of the record. A call after which its request was planned again is cancelled, never sent: the later
 * one may have been executed.
 */
export const adopt = (lane: ReconciledLane, adopted: AdoptedTransactions) =>
  Effect.gen(function*() {
    const later = laterKeyOf(adopted.key)
    const isOvertaken = later !== undefined && (yield* lane.record.findKeys([later])).length > 0
    return yield* lane.rows.adopt(isOvertaken ? { ...adopted, validUntil: 0 } : adopted)
  })

/** Returns the key of the step after this one; undefined for a payment, a top-up or a filler. */
const laterKeyOf = (key: string): string | undefined => {
  const id = intentOf(key)
  return id === undefined ? undefined : keyOf(id, Number(key.split("/")[1]) + 1)
}

/**
 * Gives a nonce that no row has the transactions that the record has under it, which no block has. Those of an open
 * request are its own; those of another get a row whose lifetime is over, and the lane cancels them. Returns true when
 * there were any.
 */
const adoptAt = (lane: ReconciledLane, nonce: bigint) =>
  Effect.gen(function*() {
    const { chain, record, rows, wallet } = lane
    const adopted = adoptable(lane, yield* record.find(chain.book.chainId, wallet, nonce), false)
    if (adopted === undefined) return false
    // A payment is not paid again by itself.
    return (intentOf(adopted.key) !== undefined && (yield* adopt(lane, adopted))) ||
      (yield* rows.adoptReleased(adopted))
  })

/**
 * Takes the nonces of recorded transactions that are explained and that no block has, so that the lane can go on: an
 * operator has released them, or a deep reorg has removed the foreign transactions that had used them. Returns true when
 * there were any.
 */
export const takeRecorded = (
  lane: ReconciledLane,
  { count, explained, recorded }: { readonly count: bigint; readonly explained: bigint; readonly recorded: bigint }
) =>
  Effect.gen(function*() {
    const { network, rows, wallet } = lane
    const to = min(recorded, explained)
    if (count >= to) return false
    let isChanged = false
    for (const nonce of yield* rows.unowned(network, wallet, { from: count, to, limit: maxNonces })) {
      if (yield* adoptAt(lane, nonce)) isChanged = true
    }
    return isChanged
  })

/** The same for one nonce that the chain counts next and that no row has. */
export const takeRecordedAt = (lane: ReconciledLane, nonce: bigint) =>
  Effect.flatMap(
    lane.rows.head(lane.network, lane.wallet),
    ({ baseline }) => nonce < (baseline ?? 0n) ? adoptAt(lane, nonce) : Effect.succeed(false)
  )

/**
 * Gives a queued submission the transactions that the record has of it, also where its nonce is below those that the
 * lane explains: another transaction may have used the nonce, or a deep reorg may have freed it. The tracker then finds
 * its outcome. Returns false when the record has none, or when a row has the nonce.
 */
export const adoptRecorded = (lane: ReconciledLane, key: string) =>
  Effect.gen(function*() {
    const { chain, network, record, rows, wallet } = lane
    const entries = (yield* record.findKeys([key])).filter((entry) =>
      entry.chainId === chain.book.chainId && entry.wallet === wallet
    )
    const [first] = entries
    if (first === undefined) return false
    const { nonce } = first
    const free = yield* rows.unowned(network, wallet, { from: nonce, to: nonce + 1n, limit: 1 })
    if (free.length === 0) return false
    const count = yield* chain.nonce(wallet, "latest")
    const adopted = adoptable(lane, entries.filter((entry) => entry.nonce === nonce), nonce < count)
    return adopted !== undefined && (yield* adopt(lane, adopted))
  })
