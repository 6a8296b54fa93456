/**
 * Connections for stand-alone reads: one statement, in no transaction, that no later write depends on. Many of them
 * share a connection and are pipelined. A slow one would block those behind it, so reports and table scans use the
 * ledger's own connections.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"

/** The client for such reads, if the process has one. */
export class Reads extends Context.Service<Reads, SqlClient.SqlClient>()("vault-trader/core/storage/Reads") {}

/** Returns that client if the process has one, else the ledger's. */
export const reads: Effect.Effect<SqlClient.SqlClient, never, SqlClient.SqlClient> = Effect.flatMap(
  Effect.serviceOption(Reads),
  Option.match({ onNone: () => SqlClient.SqlClient, onSome: Effect.succeed })
)
