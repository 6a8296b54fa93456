/** Records attempts in the signing record before they are broadcast. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { type Attempt, isFiller } from "@vault-trader/core/gas-wallet/Submission"
import type { PlannedSubmission } from "@vault-trader/core/gas-wallet/SubmissionReads"
import type { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Effect from "effect/Effect"
import { parseTransaction, type TransactionSerializedEIP1559 } from "viem"
import { retryForever } from "../actor/Retry.ts"
import { lower } from "../chain/Contract.ts"
import type { LaneQuarantines } from "./LaneQuarantines.ts"
import type { SigningEntry } from "./SigningEntry.ts"
import type { RecordConflict, SigningRecord } from "./SigningRecord.ts"

/** Returns the attempts that may be broadcast: all of them are in the record then. */
export type RecordAttempts = (attempts: ReadonlyArray<Attempt>) => Effect.Effect<ReadonlyArray<Attempt>>

const entryOf = (
  { cancels, hash, nonce, raw, submissionKey, wallet }: Attempt,
  planned: ReadonlyMap<string, PlannedSubmission>
): SigningEntry => {
  const { chainId = 0, data = "0x", to, value = 0n } = parseTransaction(raw as TransactionSerializedEIP1559)
  const kind = cancels ? "cancel" as const : "call" as const
  const { plan = null, validUntil = null } = planned.get(submissionKey) ?? {}
  return {
    ...{ chainId, wallet, nonce, hash, key: submissionKey, kind, to: lower(to ?? wallet), data, value },
    ...{ plan, raw, validUntil }
  }
}

const waits = (message: string) =>
  Effect.as(Effect.logError(`signed bytes wait for the signing record: ${message}`), [] as ReadonlyArray<Attempt>)

/** Makes the function that records attempts. One that contradicts the record quarantines the lane and is dropped. */
export const make = ({ network, quarantines, record, store, wallet }: {
  readonly network: Network
  readonly wallet: Address
  readonly store: SubmissionStore["Service"]
  readonly record: SigningRecord["Service"]
  readonly quarantines: LaneQuarantines
}): RecordAttempts => {
  const refuse = ({ entry, message }: RecordConflict) =>
    quarantines.open({
      ...{ network, wallet, kind: "record_conflict", reason: `the signing record contradicts the ledger: ${message}` },
      evidence: {
        count: null,
        transactions: [{ nonce: entry.nonce.toString(), hash: entry.hash, note: `submission ${entry.key}` }]
      }
    })

  return (attempts) =>
    Effect.gen(function*() {
      const isFirst = ({ attempt, submissionKey }: Attempt) => attempt === 0 && !isFiller(submissionKey)
      const candidates = attempts.filter(isFirst).map(({ submissionKey }) => submissionKey)
      const known = new Set(
        candidates.length === 0 ? [] : (yield* record.findKeys(candidates)).map(({ key }) => key)
      )
      const firsts = candidates.filter((key) => !known.has(key))
      const planned = firsts.length === 0
        ? new Map<string, PlannedSubmission>()
        : yield* retryForever(store.findPlanned(firsts))
      const entries = attempts.map((attempt) => entryOf(attempt, planned))
      const commit = (some: ReadonlyArray<SigningEntry>) => record.commit(some)
      return yield* commit(entries).pipe(
        Effect.as(attempts),
        Effect.catchTags({
          // One at a time: only the attempt that contradicts the record is dropped.
          RecordConflict: () =>
            Effect.map(
              Effect.forEach(attempts, (attempt, index) =>
                commit([entries[index]!]).pipe(
                  Effect.as([attempt]),
                  Effect.catchTags({
                    RecordConflict: (conflict) => Effect.as(refuse(conflict), []),
                    RecordUnwritable: () => Effect.succeed([])
                  })
                )),
              (kept) => kept.flat()
            ),
          RecordUnwritable: ({ message }) => waits(message)
        })
      )
    }).pipe(Effect.catchTag("SignerAway", ({ message }) => waits(message)))
}
