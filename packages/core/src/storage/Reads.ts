/**
 * Reads that stand alone: one statement, in no transaction, by which nothing is decided that a later write relies on. Many of them share a connection
 * and go out together; a slow one would hold up those behind it, so reports and whatever walks a table stay with the ledger's own connections.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"

/** The client for such reads, where the process has one. */
export class Reads extends Context.Service<Reads, SqlClient.SqlClient>()("vault-trader/core/storage/Reads") {}

/** That client; without one, the ledger's. */
export const reads: Effect.Effect<SqlClient.SqlClient, never, SqlClient.SqlClient> = Effect.flatMap(
  Effect.serviceOption(Reads),
  Option.match({ onNone: () => SqlClient.SqlClient, onSome: Effect.succeed })
)
