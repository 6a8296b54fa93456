/**
 * Maintains the cluster's own tables. effect/cluster creates them at its start, without an index for its poll, and
 * never deletes their rows.
 */
import * as Snowflake from "effect/cluster/Snowflake"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"

/**
 * Name prefix of the tables about runners. The shard locks of Effect 3's cluster, whose runners are registered in
 * `cluster_runners`, have other keys. With a separate table, every row in `cluster_runners` belongs to that version.
 */
export const runnersPrefix = "cluster_v4"

/** Advisory lock key; any number that no other user of the database locks. The cluster's shard locks are far below. */
const indexLock = 874_629_131

/** Maximum number of rows that a page reads. */
const pageSize = 500

/** Checks whether the cluster stores its messages in this database and has created its tables. */
const tablesExist = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly messages: string | null }>`select to_regclass('cluster_messages')::text as messages`,
    ([row]) => row !== undefined && row.messages !== null
  ))

/**
 * Creates an index of the unread messages: runners poll for them every second, and the table is mostly history. Run it
 * when the cluster has created its tables; it is safe to repeat, also from several processes. Returns whether the index
 * exists.
 */
export const indexUnread: Effect.Effect<boolean, SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  if (!(yield* tablesExist)) return false
  const sql = yield* SqlClient.SqlClient
  const found =
    sql`select 1 from pg_indexes where schemaname = current_schema() and indexname = 'cluster_messages_unread'`
  // `create index` waits for all writers of the table even when the index exists, so its existence is checked first.
  if ((yield* found).length > 0) return true
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`select pg_advisory_xact_lock(${indexLock})`
    yield* sql`create index if not exists cluster_messages_unread on cluster_messages (shard_id) where processed = false`
    return true
  }))
})

/** The result of one page. `next` is null when no rows are left. */
interface Page {
  readonly removed: number
  readonly next: string | null
}

/**
 * Removes requests answered longer than `days` ago, and their replies. Their primary keys are free again afterwards, so
 * a repeat of such a request is a new one. The ids are snowflakes, which contain the time.
 */
export const purge = (days: number, from: string | null): Effect.Effect<Page, SqlError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    if (!(yield* tablesExist)) return { removed: 0, next: null }
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(Effect.gen(function*() {
      const before =
        sql`((extract(epoch from now() - make_interval(days => ${days})) * 1000)::bigint - ${Snowflake.constEpochMillis}::bigint) << 22`
      const rows = yield* sql<{ readonly id: string; readonly kind: number }>`select id, kind from cluster_messages
        where processed and id < ${before} and id > ${
        from ?? "0"
      }::bigint and (last_reply_id is null or last_reply_id < ${before})
        order by id limit ${pageSize} for update skip locked`
      const ids = rows.map(({ id }) => id)
      // An acknowledgement has its request's id; replies are deleted only together with the request itself.
      const requests = rows.filter(({ kind }) => kind === 0).map(({ id }) => id)
      if (requests.length > 0) yield* sql`delete from cluster_replies where request_id in ${sql.in(requests)}`
      if (ids.length > 0) yield* sql`delete from cluster_messages where id in ${sql.in(ids)}`
      return { removed: ids.length, next: rows.length < pageSize ? null : ids.at(-1) ?? null }
    }))
  })
