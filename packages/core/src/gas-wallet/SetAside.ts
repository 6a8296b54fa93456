/** Sets rows of submissions and attempts aside, so that a row that cannot be read or trusted never stops its lane. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import type { Address, Hash } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { explain } from "../failure/Explanation.ts"
import { ExecutionFailure } from "../failure/Failure.ts"

/** A row that was set aside. Its texts are as stored and unverified. */
export interface SetAside {
  readonly key: string
  readonly network: string
  readonly wallet: Address
}

const encodeFailure = Schema.encodeSync(Schema.fromJsonString(ExecutionFailure))

const encodedFailure = (key: string, detail: string) =>
  encodeFailure(explain({ _tag: "SubmissionSetAside", key, detail }))

const unreadable = "the stored row cannot be read"
/** Why a submission without a valid MAC is set aside. */
export const forged = "its row was not written by this service, or was changed since"
const unsigned = "no stored attempt carries the wallet's signature"

const list = (values: ReadonlyArray<string>) => JSON.stringify(values)

const reasons = (keys: ReadonlyArray<string>, reason: string) =>
  JSON.stringify(keys.map((key) => ({ key, failure: JSON.parse(encodedFailure(key, reason)) as unknown })))

/** Makes the function that runs a statement which sets rows aside, and records them. */
const recorder = (sql: SqlClient.SqlClient) =>
(
  reason: string,
  statement: Effect.Effect<ReadonlyArray<SetAside & { readonly hash?: string }>, SqlError>
) =>
  Audit.recorded(sql, statement, (rows) =>
    rows.map(({ hash, key, network, wallet }) => ({
      action: "row.set_aside",
      subject: key,
      wallet,
      details: { network, reason, hash }
    })))

const endForged = (sql: SqlClient.SqlClient, key: string) =>
  sql<SetAside>`with kept as (insert into set_aside_rows (source, reason, contents)
    select 'submissions', ${forged}, to_jsonb(s) from submissions s where s.key = ${key} and s.status = 'queued')
  update submissions set status = 'refused', failure = ${encodedFailure(key, forged)}::jsonb, updated_at = now()
  where key = ${key} and status = 'queued' returning key, network, wallet`

/** Statements over raw keys; none of them reads a value that may be malformed. */
export const make = Effect.map(SqlClient.SqlClient, (sql) => {
  const recorded = recorder(sql)

  return {
    /**
     * Ends the queued submissions among these, and clears the columns of the others that only the service itself needs.
     * A mined one returns to status `signed`: its receipt is read from the chain again.
     */
    submissions: (keys: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<SetAside>, SqlError> =>
      recorded(
        unreadable,
        sql<SetAside>`with v as (select * from jsonb_to_recordset(${
          reasons(keys, unreadable)
        }::jsonb) as v(key text, failure jsonb)),
        kept as (insert into set_aside_rows (source, reason, contents)
          select 'submissions', ${unreadable}, to_jsonb(s) from submissions s join v on v.key = s.key)
        update submissions s set
          status = case s.status when 'queued' then 'refused' when 'mined' then 'signed' else s.status end,
          failure = case when s.status in ('queued', 'refused') then v.failure end,
          receipt = case when s.status = 'final' then s.receipt end,
          estimate = null,
          value = case when s.value = 'NaN' then 0 else s.value end,
          reserve = case when s.reserve = 'NaN' then 0 else s.reserve end,
          updated_at = now()
        from v where s.key = v.key returning s.key, s.network, s.wallet`
      ),
    /** Ends a queued submission that no planner of this service has written. */
    forged: (key: string): Effect.Effect<void, SqlError> => Effect.asVoid(recorded(forged, endForged(sql, key))),
    /** Removes attempts by hash. */
    attempts: (hashes: ReadonlyArray<Hash>): Effect.Effect<void, SqlError> =>
      Effect.asVoid(recorded(
        unsigned,
        sql<SetAside>`with gone as (delete from attempts where hash in (select jsonb_array_elements_text(${
          list(hashes)
        }::jsonb)) returning *),
        kept as (insert into set_aside_rows (source, reason, contents)
          select 'attempts', ${unsigned}, to_jsonb(gone) from gone)
        select submission_key as key, network, wallet, hash from gone`
      )),
    /**
     * Ends a lane's signed and mined submissions among these that have no attempt; a signature and its attempt are one
     * commit.
     */
    withoutAttempt: (keys: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<SetAside>, SqlError> =>
      recorded(
        unsigned,
        sql<SetAside>`with v as (select * from jsonb_to_recordset(${
          reasons(keys, unsigned)
        }::jsonb) as v(key text, failure jsonb)),
        kept as (insert into set_aside_rows (source, reason, contents)
          select 'submissions', ${unsigned}, to_jsonb(s) from submissions s join v on v.key = s.key
          where s.status in ('signed', 'mined') and not exists (select 1 from attempts a
          where a.submission_key = s.key))
        update submissions s
        set status = 'refused', nonce = null, receipt = null, failure = v.failure, waiting_for_gas = false,
        updated_at = now()
        from v where s.key = v.key and s.status in ('signed', 'mined') and not exists (select 1 from attempts a
        where a.submission_key = s.key)
        returning s.key, s.network, s.wallet`
      ),
    /** Ends the queued submissions of networks that do not exist. */
    elsewhere: (networks: ReadonlyArray<Network>): Effect.Effect<ReadonlyArray<SetAside>, SqlError> =>
      recorded(
        unreadable,
        sql<SetAside>`update submissions set status = 'refused', failure = ${
          encodedFailure("of an unknown network", unreadable)
        }::jsonb, updated_at = now()
        where status = 'queued' and not network in (select jsonb_array_elements_text(${
          list(networks)
        }::jsonb)) returning key, network, wallet`
      )
  }
})
