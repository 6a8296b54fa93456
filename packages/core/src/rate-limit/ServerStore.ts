/** The server processes that are running: each records a heartbeat. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** A server without a heartbeat for this long is not counted. */
const aliveSeconds = 20

export class ServerStore extends Context.Service<ServerStore, {
  /** Records a heartbeat of this server and returns the number of servers that are running. */
  readonly beat: (id: string) => Effect.Effect<number, SqlError>
  /** Removes a server that stops. */
  readonly leave: (id: string) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/rate-limit/ServerStore") {
  static readonly layer = Layer.effect(
    ServerStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      beat: (id) =>
        Effect.gen(function*() {
          yield* sql`insert into servers (id, seen_at) values (${id}::uuid, now())
            on conflict (id) do update set seen_at = excluded.seen_at`
          yield* sql`delete from servers where seen_at < now() - interval '1 hour'`
          const [row] = yield* sql<{ readonly alive: number }>`select count(*)::int as alive from servers
            where seen_at > now() - make_interval(secs => ${aliveSeconds})`
          return Math.max(1, row?.alive ?? 1)
        }),
      leave: (id) => Effect.asVoid(sql`delete from servers where id = ${id}::uuid`)
    }))
  )
}
