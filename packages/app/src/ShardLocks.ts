/**
 * Ends transactions that a frozen runner left open. PostgreSQL keeps a session while its TCP connection is open, and a
 * frozen process keeps it open: its session is terminated when others wait for it. The session that holds its shard
 * locks ends by the cluster's idle timeout.
 */
import * as SqlClient from "effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Terminates the sessions that have an open transaction, were idle in it for this long, and block others. Transactions
 * of this service wait for nothing but the database. Returns the number of sessions it terminated.
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
    if (ended.length > 0) {
      yield* Effect.logWarning(
        `ended ${ended.length} database sessions of processes that stopped in the middle of a transaction`
      )
    }
    return ended.length
  })

/** Repeats `endAbandoned` every two seconds. */
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
