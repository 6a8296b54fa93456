/**
 * Chains signed transactions that the audit log does not have yet, after they were committed: signing itself does
 * nothing for it. A crash between two batches loses nothing, because the rows show which transactions are left.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Address } from "../chain/Address.ts"
import * as Audit from "./Audit.ts"

/** Maximum number of transactions that one batch chains. */
export const batchSize = 500

/**
 * The result of a batch. `from`: the time from which the next batch looks. A commit can be later than the time of its
 * rows, so a batch that has found everything looks again at the last minutes.
 */
interface Chained {
  readonly count: number
  readonly from: string
}

interface Signed {
  readonly network: string
  readonly wallet: Address
  readonly nonce: string
  readonly key: string
  readonly hash: string
  readonly createdAt: string
}

/** Builds one entry for each wallet that signed. */
const changesOf = (signed: ReadonlyArray<Signed>): ReadonlyArray<Audit.Change> =>
  [...new Set(signed.map(({ wallet }) => wallet))].map((wallet) => ({
    action: "transactions.signed",
    subject: wallet,
    wallet,
    details: {
      transactions: signed.filter((each) => each.wallet === wallet).map(({ hash, key, network, nonce }) => ({
        network,
        nonce,
        key,
        hash
      }))
    }
  }))

/** Chains one batch, oldest first; `from` is null for the first batch, which reads all transactions. */
export const chainBatch = (from: string | null): Effect.Effect<Chained, SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    sql.withTransaction(Effect.gen(function*() {
      // Locked before the chain is, so that a removal of these rows that waits for the chain cannot deadlock.
      const signed = yield* sql<Signed>`select a.network, a.wallet, a.nonce::text as nonce, a.submission_key as key,
          a.hash, a.created_at::text as "createdAt" from attempts a
        where ${from === null ? sql`true` : sql`a.created_at >= ${from}::timestamptz`}
          and not exists (select 1 from audited_attempts x where x.hash = a.hash)
        order by a.created_at, a.hash limit ${batchSize} for key share of a skip locked`
      if (signed.length > 0) {
        const changes = changesOf(signed)
        yield* Audit.appendAll(sql, changes)
        // The chain's lock is held, so the last entries are these.
        yield* sql`insert into audited_attempts (hash, seq) select t ->> 'hash', e.seq
          from (select seq, details from audit_entries order by seq desc limit ${changes.length}) e,
            jsonb_array_elements(e.details -> 'transactions') t`
      }
      const last = signed.at(-1)
      if (last !== undefined && signed.length === batchSize) return { count: signed.length, from: last.createdAt }
      const [now] = yield* sql<{ readonly from: string }>`select (now() - interval '5 minutes')::text as from`
      return { count: signed.length, from: now?.from ?? "-infinity" }
    })))
