/** Gives the rows of a lane the transactions that they have forgotten. */
import { Attempt } from "@vault-trader/core/gas-wallet/Submission"
import type { AdoptedTransactions } from "@vault-trader/core/gas-wallet/AdoptedTransactions"
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
 * Takes the nonces of recorded transactions that an operator has released and that were never mined, so that the lane
 * can go on: each gets a row whose lifetime is over, and the lane cancels it. Returns true when there were any.
 */
export const cancelReleased = (
  lane: ReconciledLane,
  { count, recorded, released }: { readonly count: bigint; readonly recorded: bigint; readonly released: bigint }
) =>
  Effect.gen(function*() {
    const { chain, network, record, rows, wallet } = lane
    const to = recorded < released ? recorded : released
    if (count >= to) return false
    let isChanged = false
    for (const nonce of yield* rows.unowned(network, wallet, { from: count, to, limit: maxNonces })) {
      const adopted = adoptable(lane, yield* record.find(chain.book.chainId, wallet, nonce), false)
      if (adopted !== undefined && (yield* rows.adoptReleased(adopted))) isChanged = true
    }
    return isChanged
  })

/**
 * Gives a queued submission the transactions that the record has of it, also where its nonce is below those that the
 * lane explains: another transaction may have used the nonce, or a deep reorg may have freed it. The tracker then finds
 * out what became of it. Returns false when the record has none, or when a row has the nonce.
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
    return adopted !== undefined && (yield* rows.adopt(adopted))
  })
