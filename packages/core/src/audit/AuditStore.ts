/** Reads the audit log. Nothing here changes it: see `Audit`, and `AuditSeal` for ranges that move to files. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address, Hash, Hex } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { AuditEntry } from "./AuditEntry.ts"

/** A range of entries that was moved to a file. */
export interface Seal {
  readonly firstSeq: number
  readonly lastSeq: number
  readonly entries: number
  /** The digest before the first entry. */
  readonly previous: string
  readonly lastDigest: string
  /** The file's name, without its folder. */
  readonly file: string
  readonly fileDigest: string
}

/** A signed transaction of the ledger, and its place in the log. */
export interface LoggedAttempt {
  readonly hash: Hash
  readonly raw: Hex
  readonly createdAt: string
  /** The entry that has it; null for none. */
  readonly seq: number | null
  /** True if that entry is in the table and contains the hash. */
  readonly isListed: boolean
}

/** The readers of entries: some wallets, and a manager for what belongs to no wallet. */
export interface Reader {
  readonly wallets: ReadonlyArray<Address>
  readonly manager?: { readonly address: Address; readonly network: Network | null } | undefined
}

/** A selection of entries; absent parts select all. */
export interface Selection {
  readonly action?: string | undefined
  readonly since?: Date | undefined
  /** The `seq` of the previous page's last entry. */
  readonly before?: number | undefined
  readonly limit: number
}

const Rows = Schema.decodeUnknownEffect(Schema.Array(AuditEntry))

/** Builds the condition of a selection. */
const selected = (sql: SqlClient.SqlClient, { action, before, since }: Selection) =>
  sql.and([
    before === undefined ? sql`true` : sql`e.seq < ${before}`,
    action === undefined ? sql`true` : sql`e.action = ${action}`,
    since === undefined ? sql`true` : sql`e.at >= ${since}`
  ])

const entryReads = (
  sql: SqlClient.SqlClient
): Pick<AuditStore["Service"], "list" | "listFor" | "after" | "head"> => {
  const columns = sql.literal(
    `e.seq::float8 as seq, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at,
    jsonb_build_object('kind', e.actor_kind, 'id', e.actor, 'from', e.origin, 'credential', e.credential) as actor,
    e.action, e.subject, e.wallet, e.details, e.previous, e.digest`
  )
  const entries = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))
  return {
    list: ({ wallet, ...selection }) =>
      entries(
        sql`select ${columns} from audit_entries e where ${selected(sql, selection)} and ${
          wallet === undefined ? sql`true` : sql`e.wallet = ${wallet}`
        } order by e.seq desc limit ${selection.limit}`
      ),
    listFor: ({ manager, wallets }, selection) => {
      const newest = sql`${selected(sql, selection)} order by e.seq desc limit ${selection.limit}`
      const own = manager === undefined ? sql`` : sql`union all (select e.seq from audit_entries e
        where e.wallet is null and e.subject = ${manager.address} and ${
        manager.network === null ? sql`true` : sql`e.details ->> 'network' = ${manager.network}`
      } and ${newest})`
      // Each wallet's newest entries are read from its index, however long the log is.
      return entries(sql`select ${columns} from audit_entries e where e.seq in (
          select n.seq from jsonb_array_elements_text(${JSON.stringify(wallets)}::jsonb) as w(wallet)
          cross join lateral (select e.seq from audit_entries e where e.wallet = w.wallet and ${newest}) n
          ${own})
        order by e.seq desc limit ${selection.limit}`)
    },
    after: (seq, limit) =>
      entries(sql`select ${columns} from audit_entries e where e.seq > ${seq} order by e.seq limit ${limit}`),
    head: Effect.map(
      entries(sql`select ${columns} from audit_entries e order by e.seq desc limit 1`),
      ([entry]) => Option.fromNullishOr(entry)
    )
  }
}

const rangeReads = (sql: SqlClient.SqlClient): Pick<AuditStore["Service"], "seals" | "lastBefore" | "attempts"> => ({
  seals: sql<Seal>`select first_seq::float8 as "firstSeq", last_seq::float8 as "lastSeq", entries::float8 as entries,
    previous, last_digest as "lastDigest", file, file_digest as "fileDigest" from audit_seals order by first_seq`,
  lastBefore: (time) =>
    Effect.map(
      sql<{ readonly last: number | null }>`select coalesce(
        (select min(seq) - 1 from audit_entries where at >= ${time}),
        (select max(seq) from audit_entries))::float8 as last`,
      ([row]) => row?.last ?? 0
    ),
  attempts: (after, limit) =>
    sql<LoggedAttempt>`select a.hash, a.raw, a.created_at::text as "createdAt", x.seq::float8 as seq, exists (
        select 1 from audit_entries e where e.seq = x.seq and e.action = 'transactions.signed'
        and e.details -> 'transactions' @> jsonb_build_array(jsonb_build_object('hash', a.hash::text))) as "isListed"
      from attempts a left join audited_attempts x on x.hash = a.hash
      where a.created_at < now() - interval '1 minute' and ${
      after === undefined ? sql`true` : sql`(a.created_at, a.hash) > (${after.createdAt}::timestamptz, ${after.hash})`
    } order by a.created_at, a.hash limit ${limit}`
})

export class AuditStore extends Context.Service<AuditStore, {
  /** Lists entries, newest first: of one wallet, or all. */
  readonly list: (
    selection: Selection & { readonly wallet?: Address | undefined }
  ) => Effect.Effect<ReadonlyArray<AuditEntry>, SqlError>
  /** Lists the entries that a reader may see, newest first. */
  readonly listFor: (reader: Reader, selection: Selection) => Effect.Effect<ReadonlyArray<AuditEntry>, SqlError>
  /** Lists entries in their order, after this `seq`. */
  readonly after: (seq: number, limit: number) => Effect.Effect<ReadonlyArray<AuditEntry>, SqlError>
  /** Returns the newest entry. */
  readonly head: Effect.Effect<Option.Option<AuditEntry>, SqlError>
  /** Lists the sealed ranges in their order. */
  readonly seals: Effect.Effect<ReadonlyArray<Seal>, SqlError>
  /** Returns the `seq` of the last entry before the first one at or after a time; 0 when there is none. */
  readonly lastBefore: (time: Date) => Effect.Effect<number, SqlError>
  /** Lists the signed transactions that are older than a minute, oldest first. */
  readonly attempts: (
    after: Pick<LoggedAttempt, "createdAt" | "hash"> | undefined,
    limit: number
  ) => Effect.Effect<ReadonlyArray<LoggedAttempt>, SqlError>
}>()("vault-trader/core/audit/AuditStore") {
  static readonly layer = Layer.effect(
    AuditStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({ ...entryReads(sql), ...rangeReads(sql) }))
  )
}
