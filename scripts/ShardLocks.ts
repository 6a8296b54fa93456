/**
 * Shard locks of a runner that stops answering. PostgreSQL keeps a session, and its advisory locks, for as long as the TCP connection lives: a
 * process that is frozen keeps both. The session that holds the locks therefore ends after `shardLockExpiration` without a statement, and
 * transactions that a frozen process left open are ended when others wait for them.
 */
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as SqlClient from "effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The same client, but connections reserved from it end when they are idle for that long. The cluster reserves one, and refreshes its locks on it. */
const locking = (expiration: Duration.Input) =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const reserve: typeof sql.reserve = Effect.tap(sql.reserve, (connection) =>
        Effect.andThen(
          Effect.addFinalizer(() => Effect.ignore(connection.executeRaw("reset idle_session_timeout", []))),
          connection.executeRaw(`set idle_session_timeout = ${Duration.toMillis(expiration)}`, [])
        ))
      return new Proxy(sql, { get: (client, name, self): unknown => name === "reserve" ? reserve : Reflect.get(client, name, self) })
    })
  )

/** `SqlRunnerStorage.layer`, with locks that end `expiration` after their runner's last sign of life. PostgreSQL 14 or newer. */
export const layer = (expiration: Duration.Input) => Layer.provide(SqlRunnerStorage.layer, locking(expiration))

/**
 * Ends the sessions that hold a transaction open, have sent nothing in it for that long, and keep others waiting. Transactions of this service
 * wait for nothing but the database. Returns how many sessions it ended.
 */
export const endAbandoned = (expiration: Duration.Input) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const ended = yield* sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
        and state in ('idle in transaction', 'idle in transaction (aborted)')
        and state_change < now() - ${Duration.toMillis(expiration)}::int * interval '1 millisecond'
        and pid in (select unnest(pg_blocking_pids(waiting.pid)) from pg_stat_activity waiting
          where waiting.datname = current_database() and waiting.wait_event_type = 'Lock')`
    if (ended.length > 0) yield* Effect.logWarning(`ended ${ended.length} database sessions of processes that stopped in the middle of a transaction`)
    return ended.length
  })

/** Does so every two seconds. */
export const watch = (expiration: Duration.Input) =>
  Layer.effectDiscard(
    endAbandoned(expiration).pipe(
      Effect.ignore,
      Effect.delay("2 seconds"),
      Effect.forever,
      Effect.withTracerEnabled(false),
      Effect.forkScoped
    )
  )
