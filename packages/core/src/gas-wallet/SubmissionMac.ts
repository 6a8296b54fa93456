/**
 * The MAC of a submission's row: the planner computes it with a key that is not in the database when it commits the
 * row, and the signer verifies it. A row that another hand has inserted or changed has no valid one.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Submission } from "./Submission.ts"
import * as SubmissionRows from "./SubmissionRows.ts"

/** The fields of a submission that decide what is signed for it, and when. */
export type SealedSubmission =
  & Pick<Submission, "key" | "intentId" | "network" | "wallet" | "to" | "data" | "value" | "reserve">
  & Partial<Pick<Submission, "estimate" | "validUntil">>

/** Returns the text that a MAC is computed over: the same fields give the same text, and no others do. */
export const textOf = (submission: SealedSubmission): string => {
  const { data, estimate, intentId, key, network, reserve, to, validUntil, value, wallet } = submission
  return JSON.stringify([
    "vault-trader/submission/1",
    ...[key, intentId, network, wallet, to, data, value.toString(), reserve.toString()],
    // As the column stores it: whole milliseconds.
    validUntil === null || validUntil === undefined ? null : String(Math.round(validUntil)),
    ...(estimate === null || estimate === undefined ? [null, null] : [estimate.gas.toString(), String(estimate.at)])
  ])
}

/** Computes and verifies MACs. */
export interface SubmissionMacs {
  /** Returns the MAC of a row that is about to be inserted; null in a process without the planner key. */
  readonly of: (submission: SealedSubmission) => string | null
  /** Returns true when the row is as a planner with the same key has committed it. */
  readonly verifies: (submission: Submission) => boolean
}

/** The MACs of this process. Without the planner key a row gets none, and none is valid: nothing new is signed. */
export const SubmissionMac = Context.Reference<SubmissionMacs>("vault-trader/core/gas-wallet/SubmissionMac", {
  defaultValue: () => ({ of: () => null, verifies: () => false })
})

/**
 * Gives the queued submissions that have no MAC one, and returns their number: those of a release without MACs. Only
 * for the transaction in which a planner key is first used with a database.
 */
export const adoptQueued = (macs: SubmissionMacs): Effect.Effect<number, SqlError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const { columns, decode } = yield* SubmissionRows.make
    const queued = yield* decode(
      sql<{ readonly key: string }>`select ${columns} from submissions where status = 'queued' and mac is null`
    )
    const rows = JSON.stringify(queued.map((row) => ({ key: row.key, mac: macs.of(row) })))
    yield* sql`update submissions s set mac = v.mac
      from jsonb_to_recordset(${rows}::jsonb) as v(key text, mac text) where s.key = v.key and s.status = 'queued'`
    return queued.length
  })
