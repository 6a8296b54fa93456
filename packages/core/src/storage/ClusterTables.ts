/** The cluster's own tables: what effect/cluster makes at its start, leaves without an index for its poll, and never empties. */
import * as Snowflake from "effect/cluster/Snowflake"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"

/**
 * How the names of the tables about runners begin. Shard locks have other keys than those of Effect 3's cluster, whose runners are registered in
 * `cluster_runners`: with a table of our own, a row there is one of theirs.
 */
export const runnersPrefix = "cluster_v4"

/** Any number that no other user of the database locks; the cluster's shard locks are far below. */
const indexLock = 874_629_131

/** Rows a page looks at. */
const pageSize = 500

/** Whether the cluster keeps its messages in this database, and has made its tables. */
const stand = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly messages: string | null }>`select to_regclass('cluster_messages')::text as messages`,
    ([row]) => row !== undefined && row.messages !== null
  ))

/**
 * An index of the unread messages alone: runners ask for them every second, and the table is mostly history. To be run when the
 * cluster has made its tables; safe to run again and from several processes. Tells whether the index is there.
 */
export const indexUnread: Effect.Effect<boolean, SqlError, SqlClient.SqlClient> = Effect.gen(function*() {
  if (!(yield* stand)) return false
  const sql = yield* SqlClient.SqlClient
  const found = sql`select 1 from pg_indexes where schemaname = current_schema() and indexname = 'cluster_messages_unread'`
  // Making an index, even one that is there, waits for whoever writes to the table: it is not even asked for twice.
  if ((yield* found).length > 0) return true
  return yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`select pg_advisory_xact_lock(${indexLock})`
    yield* sql`create index if not exists cluster_messages_unread on cluster_messages (shard_id) where processed = false`
    return true
  }))
})

/** What one page came to. `next` is null when nothing is left to look at. */
export interface Page {
  readonly removed: number
  readonly next: string | null
}

/**
 * Removes requests answered longer than `days` ago, and their replies. Their primary keys are free again afterwards: a repeat of
 * such a request is a new one. The ids tell the time: they are snowflakes.
 */
export const purge = (days: number, from: string | null): Effect.Effect<Page, SqlError, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    if (!(yield* stand)) return { removed: 0, next: null }
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(Effect.gen(function*() {
      const before = sql`((extract(epoch from now() - make_interval(days => ${days})) * 1000)::bigint - ${Snowflake.constEpochMillis}::bigint) << 22`
      const rows = yield* sql<{ readonly id: string; readonly kind: number }>`select id, kind from cluster_messages
        where processed and id < ${before} and id > ${from ?? "0"}::bigint and (last_reply_id is null or last_reply_id < ${before})
        order by id limit ${pageSize} for update skip locked`
      const ids = rows.map(({ id }) => id)
      // An acknowledgement carries its request's number: only the request takes its replies with it.
      const requests = rows.filter(({ kind }) => kind === 0).map(({ id }) => id)
      if (requests.length > 0) yield* sql`delete from cluster_replies where request_id in ${sql.in(requests)}`
      if (ids.length > 0) yield* sql`delete from cluster_messages where id in ${sql.in(ids)}`
      return { removed: ids.length, next: rows.length < pageSize ? null : ids.at(-1) ?? null }
    }))
  })
