/**
 * Transactions that a frozen runner left open. PostgreSQL keeps a session for as long as its TCP connection lives, and a process that is frozen
 * keeps that: its session is ended when others wait for it. (The session that holds its shard locks ends by itself: the cluster gives it an idle timeout.)
 */
import * as SqlClient from "effect/sql/SqlClient"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

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
