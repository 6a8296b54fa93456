/**
 * Removes expired rows, page by page: each page is a separate short transaction, finds its rows through an index and
 * skips locked rows. Several runners may remove at once, and a removal may stop at any point.
 *
 * Kept forever: intents with their requests and outcomes, exchange orders, charges and settlements. Kept for
 * `ledgerDays` after the end: submissions, their attempts and the intent's plan, which record how an intent was
 * executed. Mined transactions stay on chain under the intent's hash. Of samples of vaults' values one a day is kept
 * forever.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { groupKeyPrefix, idempotencyDays } from "./IdempotencyKeys.ts"
import * as Uuid from "./Uuid.ts"

/** Maximum number of rows that a page reads. */
const pageSize = 200

/** The last row that a walk has read. */
export interface Cursor {
  readonly at: string
  readonly key: string
}

/** The result of one page. `next` is null when no rows are left. */
interface Page {
  readonly removed: number
  readonly next: Cursor | null
}

/** A row that a page has read; it is removed if `ended`. */
interface Row {
  readonly key: string
  readonly at: string
  readonly ended: boolean
}

/** Builds the condition on the rows after a cursor. */
const after = (
  sql: SqlClient.SqlClient,
  column: "updated_at" | "created_at",
  key: "key" | "id",
  from: Cursor | null
) =>
  from === null
    ? sql`true`
    : sql`(${sql(column)}, ${sql(key)}) > (${from.at}::timestamptz, ${from.key}${
      sql.literal(key === "id" ? "::uuid" : "")
    })`

const pageOf = (rows: ReadonlyArray<Row>, removed: number): Page => {
  const last = rows.at(-1)
  return { removed, next: last === undefined || rows.length < pageSize ? null : { at: last.at, key: last.key } }
}

const removeWorkingPapers = (sql: SqlClient.SqlClient): RetentionStore["Service"]["workingPapers"] => (days, from) =>
  sql.withTransaction(Effect.gen(function*() {
    // The lane's next nonce is derived from its highest row, which is therefore kept, however old.
    const rows = yield* sql<Row>`with page as materialized (
        select key, updated_at, intent_id, network, wallet, nonce from submissions
        where status in ('final', 'refused', 'superseded')
          and updated_at < now() - make_interval(days => ${days}) and ${after(sql, "updated_at", "key", from)}
        order by updated_at, key limit ${pageSize} for update skip locked)
      select key, updated_at::text as at,
        (intent_id is null or exists (select 1 from intents i
        where i.id = page.intent_id and i.status in ('succeeded', 'failed')))
        and not exists (select 1 from settlements t where t.network = page.network and t.wallet = page.wallet
          and t.status = 'open' and 'settlement/' || t.id = page.key)
        and (nonce is null or exists (select 1 from submissions later
          where later.network = page.network and later.wallet = page.wallet
          and later.nonce > page.nonce)) as ended
      from page order by updated_at, key`
    const keys = rows.filter(({ ended }) => ended).map(({ key }) => key)
    if (keys.length > 0) {
      yield* sql`delete from attempts where submission_key in ${sql.in(keys)}`
      const gone = yield* sql<{ readonly intent: string | null }>`delete from submissions where key in ${sql.in(keys)}
        returning intent_id::text as intent`
      const intents = gone.flatMap(({ intent }) => intent === null ? [] : [intent])
      if (intents.length > 0) {
        yield* sql`update intents set plan = null where plan is not null and id in ${sql.in(intents)}`
        // The counted sales of its day, which is over.
        yield* sql`delete from key_spending where intent_id in ${sql.in(intents)}`
      }
    }
    return pageOf(rows, keys.length)
  }))

const releaseKeys = (sql: SqlClient.SqlClient): Pick<RetentionStore["Service"], "idempotencyKeys" | "otherKeys"> => ({
  idempotencyKeys: (from) =>
    sql.withTransaction(Effect.gen(function*() {
      // An open intent keeps its key, or a repeat would execute the request a second time.
      const rows = yield* sql<
        Row
      >`select id as key, created_at::text as at, status in ('succeeded', 'failed') as ended
        from intents where idempotency_key is not null
          and created_at < now() - make_interval(days => ${idempotencyDays}) and ${after(sql, "created_at", "id", from)}
        order by created_at, id limit ${pageSize} for update skip locked`
      const ids = rows.filter(({ ended }) => ended).map(({ key }) => key)
      if (ids.length > 0) yield* sql`update intents set idempotency_key = null where id in ${sql.in(ids)}`
      return pageOf(rows, ids.length)
    })),
  otherKeys: Effect.gen(function*() {
    const orders = yield* sql`update exchange_orders set idempotency_key = null where id in (
        select id from exchange_orders
        where idempotency_key is not null and created_at < now() - make_interval(days => ${idempotencyDays})
          and status not in ('accepted', 'decided', 'sending')
        order by created_at, id limit 10000 for update skip locked) returning id`
    const vaultOrders = yield* sql`update vault_orders set idempotency_key = null where id in (
        select id from vault_orders
        where idempotency_key is not null and created_at < now() - make_interval(days => ${idempotencyDays})
          and ended_at is not null
        order by created_at, id limit 10000 for update skip locked) returning id`
    // A call keeps its key while one of its trades is open, as an intent does.
    const calls = yield* sql`update vault_group_calls set idempotency_key = null where id in (
        select c.id from vault_group_calls c
        where c.idempotency_key is not null and c.created_at < now() - make_interval(days => ${idempotencyDays})
          and not exists (select 1 from intents i where i.wallet = c.wallet and i.status in ('accepted', 'submitted')
            and starts_with(i.idempotency_key, ${groupKeyPrefix} || c.id::text))
        order by c.created_at, c.id limit 10000 for update skip locked) returning id`
    const runs =
      yield* sql`delete from index_run_keys where created_at < now() - make_interval(days => ${idempotencyDays})
        returning run_id`
    return orders.length + vaultOrders.length + calls.length + runs.length
  })
})

const expiredRows = (
  sql: SqlClient.SqlClient
): Pick<RetentionStore["Service"], "sessions" | "managerNonces" | "webhookEvents" | "rateLimits"> => ({
  sessions: Effect.gen(function*() {
    const over = yield* sql`delete from sessions where expires_at < now() returning digest`
    const unsigned = yield* sql`delete from sign_ins where expires_at < now() returning nonce`
    return over.length + unsigned.length
  }),
  // Kept an hour longer than the signatures are valid: clocks of servers and database differ.
  managerNonces: Effect.map(
    sql`delete from manager_nonces where expires_at < now() - interval '1 hour' returning nonce`,
    (rows) => rows.length
  ),
  // A budget that was not used for an hour is full, as one without a row is.
  rateLimits: Effect.map(
    sql`delete from rate_limits where at < now() - interval '1 hour' returning name`,
    (rows) => rows.length
  ),
  webhookEvents: Effect.gen(function*() {
    yield* sql`delete from channel_messages where id in (select id from channel_messages
      where created_at < now() - interval '30 days' and state in ('sent', 'dropped') limit 10000)`
    yield* sql`delete from chat_confirmations where expires_at < now() - interval '1 day'`
    const gone = yield* sql`delete from webhook_events where id in (select id from webhook_events
      where created_at < now() - interval '30 days' limit 10000) returning id`
    return gone.length
  })
})

const removeSignals = (sql: SqlClient.SqlClient): RetentionStore["Service"]["signals"] => (days, from) =>
  Effect.gen(function*() {
    const before = Uuid.firstAt((yield* Clock.currentTimeMillis) - days * 86_400_000)
    // A signal whose bot still waits for a node is open.
    const rows = yield* sql<{ readonly id: string }>`delete from signals where id in (
        select id from signals where id < ${before}::uuid and id > ${from ?? Uuid.nil}::uuid and state <> 'waiting'
        order by id limit ${pageSize} for update skip locked) returning id`
    const last = rows.map(({ id }) => id).sort().at(-1)
    return { removed: rows.length, next: last === undefined || rows.length < pageSize ? null : last }
  })

const thinSamples = (sql: SqlClient.SqlClient): RetentionStore["Service"]["samples"] => (days) =>
  sql.withTransaction(Effect.gen(function*() {
    // Whole days only: the last final sample of a vault's day stays, whatever the rows of the page are.
    const rows = yield* sql<{ readonly removed: number; readonly read: number }>`with page as materialized (
          select network, pool, slot from vault_values where not daily
            and slot < date_trunc('day', now() at time zone 'utc') at time zone 'utc' - make_interval(days => ${days})
          order by slot, network, pool limit ${pageSize} for update skip locked),
        judged as (
          select p.*, v.reason is null and v.final and not exists (
            select 1 from vault_values later where later.network = p.network and later.pool = p.pool
              and later.slot > p.slot
              and later.slot < date_trunc('day', p.slot at time zone 'utc') at time zone 'utc' + interval '1 day'
              and later.reason is null and later.final) as stays
          from page p join vault_values v using (network, pool, slot)),
        kept as (
          update vault_values v set daily = true, interval_seconds = greatest(interval_seconds, 86400)
          from judged j where v.network = j.network and v.pool = j.pool and v.slot = j.slot and j.stays),
        gone as (
          delete from vault_values v using judged j
          where v.network = j.network and v.pool = j.pool and v.slot = j.slot and not j.stays returning 1)
        select (select count(*)::int from gone) as removed, (select count(*)::int from page) as read`
    const [{ read, removed } = { read: 0, removed: 0 }] = rows
    return { removed, more: read === pageSize }
  }))

export class RetentionStore extends Context.Service<RetentionStore, {
  /**
   * Removes submissions that ended longer than `days` ago, of ended intents, with their attempts and the intents'
   * plans.
   */
  readonly workingPapers: (days: number, from: Cursor | null) => Effect.Effect<Page, SqlError>
  /** Releases idempotency keys older than `idempotencyDays`; their intents are kept. */
  readonly idempotencyKeys: (from: Cursor | null) => Effect.Effect<Page, SqlError>
  /** Does the same for the keys of exchange orders and rebalance runs; returns their number. */
  readonly otherKeys: Effect.Effect<number, SqlError>
  /** Removes signals older than `days`, with their results; the intents of their bots are kept. */
  readonly signals: (
    days: number,
    from: string | null
  ) => Effect.Effect<{ readonly removed: number; readonly next: string | null }, SqlError>
  /** Thins a page of samples of vaults' values that are older than `days` to the last one of each day. */
  readonly samples: (days: number) => Effect.Effect<{ readonly removed: number; readonly more: boolean }, SqlError>
  /** Removes expired sessions and sign-in messages; returns their number. */
  readonly sessions: Effect.Effect<number, SqlError>
  /** Removes used nonces of managers' signatures that have expired; returns their number. */
  readonly managerNonces: Effect.Effect<number, SqlError>
  /** Removes creation budgets that are full again; returns their number. */
  readonly rateLimits: Effect.Effect<number, SqlError>
  /** Removes events older than 30 days, with their deliveries, and messages of channels; returns the events' number. */
  readonly webhookEvents: Effect.Effect<number, SqlError>
}>()("vault-trader/core/storage/RetentionStore") {
  static readonly layer = Layer.effect(
    RetentionStore,
    Effect.map(
      SqlClient.SqlClient,
      (sql) => ({
        workingPapers: removeWorkingPapers(sql),
        signals: removeSignals(sql),
        samples: thinSamples(sql),
        ...releaseKeys(sql),
        ...expiredRows(sql)
      })
    )
  )
}
