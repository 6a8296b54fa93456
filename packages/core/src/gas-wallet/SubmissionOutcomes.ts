/** Records the outcomes of submissions: receipts, reorgs, finality, refusals. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as Audit from "../audit/Audit.ts"
import type { Address, Hash } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import type { ExecutionFailure } from "../failure/Failure.ts"
import * as AnswerLimit from "../storage/AnswerLimit.ts"
import * as Batcher from "../storage/Batcher.ts"
import * as ChargeCorrection from "./ChargeCorrection.ts"
import { type CancelReason, Receipt } from "./Submission.ts"
import { encodeFailure } from "./SubmissionRows.ts"

/** A signed submission and its receipt. */
interface MinedReceipt {
  readonly key: string
  readonly receipt: Receipt
  /** Why the receipt is that of the cancellation; absent for the call. */
  readonly cancelled?: CancelReason | null
}

/** A submission and the final block of its transaction. */
export interface FinalBlock {
  readonly key: string
  readonly blockHash: Hash
}

/** Maximum number of lanes that share a statement. */
const maxLanes = 64

const encodeReceipt = Schema.encodeSync(Receipt)

/** Changes of one submission. */
export interface OutcomeChanges {
  /**
   * Replaces the receipt of a transaction that a reorg moved, with the same effects, from this block to another. It is
   * no longer final.
   */
  readonly recordMoved: (key: string, from: Hash, receipt: Receipt) => Effect.Effect<void, SqlError>
  /**
   * Reverts a submission that a reorg removed with this block, even a final one, in one transaction: the submission is
   * `signed` again, its intent unfinished, its charge deleted. A charge that a payment already covers stays with that
   * payment, and is corrected should the intent fail. The same bytes are broadcast again. Changes nothing when another
   * owner has recorded the submission in another block since.
   */
  readonly revertMined: (key: string, blockHash: Hash) => Effect.Effect<void, SqlError>
  /** Ends a submission that was never signed. */
  readonly refuse: (key: string, failure: ExecutionFailure, by?: "policy") => Effect.Effect<void, SqlError>
  /** Ends a signed submission whose nonce a foreign transaction has used. */
  readonly supersede: (key: string) => Effect.Effect<void, SqlError>
  /**
   * Gives a superseded submission its nonce back, which no transaction uses now. It is signed again with a lifetime
   * that is over, so that its lane cancels it and never sends its call: its intent may have been planned again.
   */
  readonly reopenSuperseded: (key: string) => Effect.Effect<void, SqlError>
}

/** Changes of many submissions, of several lanes, in one statement. */
export interface BatchedOutcomes {
  /**
   * Records the receipts of signed submissions, in one statement. A receipt that differs from the one another owner has
   * recorded reverts that one's outcome and charge, as `revertMined` does.
   */
  readonly recordMined: (receipts: ReadonlyArray<MinedReceipt>) => Effect.Effect<void, SqlError>
  /**
   * Marks these mined submissions as final, each in its block. Returns those that are final there now: another owner may
   * have reverted one, and a recording that its owner had given up may have committed late, with an older receipt.
   */
  readonly finalize: (all: ReadonlyArray<FinalBlock>) => Effect.Effect<ReadonlySet<string>, SqlError>
}

export type SubmissionOutcomes = OutcomeChanges & BatchedOutcomes

/**
 * Returns the condition that an intent `i` waits for its submission `s`. The outcome of an intent that was planned again
 * does not depend on the submission before.
 */
export const isOfCurrentStep = (sql: SqlClient.SqlClient) => sql.literal("s.key = i.id::text || '/' || i.step")

const recordReceipts = (sql: SqlClient.SqlClient, receipts: ReadonlyArray<MinedReceipt>) =>
  Effect.asVoid(
    sql`with v as (select * from jsonb_to_recordset(${
      JSON.stringify(
        receipts.map(({ cancelled = null, key, receipt }) => ({ key, receipt: encodeReceipt(receipt), cancelled }))
      )
    }::jsonb) as v(key text, receipt jsonb, cancelled text)),
    contradicted as (select s.intent_id from submissions s join v on v.key = s.key
    join intents i on i.id = s.intent_id and ${isOfCurrentStep(sql)}
    where s.status = 'mined'
      and (s.receipt -> 'transactionHash', s.receipt -> 'succeeded', s.receipt -> 'logs')
        is distinct from (v.receipt -> 'transactionHash', v.receipt -> 'succeeded', v.receipt -> 'logs')
        for update of s),
    unbooked as (delete from charges c using contradicted d
    where (c.intent_id = d.intent_id or c.corrects = d.intent_id) and c.settlement_id is null),
    untold as (update intents i set status = 'submitted', outcome = null, updated_at = now() from contradicted d
    where i.id = d.intent_id)
    update submissions s set status = 'mined', receipt = v.receipt, cancelled = v.cancelled, waiting_for_gas = false,
      updated_at = now()
    -- The count makes contradicted run before the update: a statement skips rows that it has changed itself
    -- instead of locking them.
    from v where s.key = v.key and s.status in ('signed', 'mined') and (select count(*) from contradicted) >= 0`
  )

/** Marks mined submissions as final and returns which of them are final in their block now. */
const finalizeAll = (sql: SqlClient.SqlClient, all: ReadonlyArray<FinalBlock>) =>
  Effect.gen(function*() {
    const blocks = sql`jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as v(key text, "blockHash" text)`
    yield* sql`update submissions s set status = 'final', updated_at = now() from ${blocks}
      where s.key = v.key and s.status = 'mined' and s.receipt ->> 'blockHash' = v."blockHash"`
    const rows = yield* sql<{ readonly key: string }>`select s.key from submissions s join ${blocks} on s.key = v.key
      where s.status = 'final' and s.receipt ->> 'blockHash' = v."blockHash"`
    return new Set(rows.map(({ key }) => key))
  })

/** Builds the batched changes. Lanes that record and finalize at the same moment share a statement. */
const makeBatchedOutcomes = (sql: SqlClient.SqlClient): Effect.Effect<BatchedOutcomes, never, Scope> =>
  Effect.gen(function*() {
    const recordMined = yield* Batcher.make({
      maximum: maxLanes,
      concurrency: 2,
      limit: AnswerLimit.ofChange,
      run: (lists: ReadonlyArray<ReadonlyArray<MinedReceipt>>) =>
        Effect.as(recordReceipts(sql, lists.flat()), lists.map(() => undefined))
    })
    const finalize = yield* Batcher.make({
      maximum: maxLanes,
      concurrency: 2,
      limit: AnswerLimit.ofChange,
      run: (lists: ReadonlyArray<ReadonlyArray<FinalBlock>>) =>
        Effect.map(
          finalizeAll(sql, lists.flat()),
          (final) => lists.map((own) => new Set(own.flatMap(({ key }) => final.has(key) ? [key] : [])))
        )
    })
    return { recordMined, finalize }
  })

const outcomeChanges = (sql: SqlClient.SqlClient): OutcomeChanges => ({
  recordMoved: (key, from, receipt) =>
    Effect.asVoid(
      sql`update submissions set status = 'mined', receipt = ${
        JSON.stringify(encodeReceipt(receipt))
      }::jsonb, updated_at = now()
      where key = ${key} and status in ('mined', 'final') and receipt ->> 'blockHash' = ${from}`
    ),
  revertMined: (key, blockHash) =>
    sql.withTransaction(Effect.gen(function*() {
      const [row] = yield* sql<
        { readonly intent_id: string | null }
      >`update submissions set status = 'signed', receipt = null, cancelled = null,
          -- It was mined in time: the same bytes are broadcast again, however long that was ago.
          valid_until = case when cancelled is null then null else valid_until end, updated_at = now()
        where key = ${key} and status in ('mined', 'final') and receipt ->> 'blockHash' = ${blockHash}
        returning intent_id`
      if (row === undefined || row.intent_id === null) return
      const reverted = yield* sql`update intents i set status = 'submitted', outcome = null, updated_at = now()
        from submissions s where i.id = ${row.intent_id}::uuid and s.key = ${key} and ${isOfCurrentStep(sql)}
        returning i.id`
      if (reverted.length > 0) yield* ChargeCorrection.deleteUnclaimed(sql, row.intent_id)
    })),
  refuse: (key, failure, by) => {
    const refused = sql<
      { readonly network: Network; readonly wallet: Address }
    >`update submissions set status = 'refused', failure = ${encodeFailure(failure)}::jsonb, updated_at = now()
      where key = ${key} and status = 'queued' returning network, wallet`
    return by === undefined ?
      Effect.asVoid(refused) :
      Effect.asVoid(Audit.recorded(sql, refused, (rows) =>
        rows.map(({ network, wallet }) => ({
          action: "row.refused",
          subject: key,
          wallet,
          details: { network, reason: failure.message }
        }))))
  },
  supersede: (key) =>
    Effect.asVoid(
      sql`update submissions set status = 'superseded', updated_at = now()
        where key = ${key} and status = 'signed'`
    ),
  reopenSuperseded: (key) =>
    Effect.asVoid(
      // Over by every runner's clock.
      sql`update submissions set status = 'signed', valid_until = to_timestamp(0), updated_at = now()
        where key = ${key} and status = 'superseded'`
    )
})

export const make: Effect.Effect<SubmissionOutcomes, never, SqlClient.SqlClient | Scope> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  return { ...outcomeChanges(sql), ...(yield* makeBatchedOutcomes(sql)) }
})
