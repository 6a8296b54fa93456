/** Notifications that PostgreSQL sends when a transaction commits (`LISTEN`, `NOTIFY`). */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type * as Scope from "effect/Scope"

/** Takes the payload of the next notification; fails once the connection that listened has ended. */
export type Take = Effect.Effect<string, SqlError>

/** Absent where the database cannot notify: every user of it then works without. */
export class Notifications extends Context.Service<Notifications, {
  /**
   * Listens to a channel on a connection of its own until the scope closes. Notifications arrive in the order in which
   * their transactions committed, from the moment at which this returns.
   */
  readonly listen: (channel: string) => Effect.Effect<Take, SqlError, Scope.Scope>
}>()("vault-trader/core/storage/Notifications") {}
