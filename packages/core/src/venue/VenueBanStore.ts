/** Venues that said we ask too much of them, and until when they are left alone. By the database's clock, for all runners alike. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Network } from "../chain/Network.ts"
import type { VenueName } from "./VenueName.ts"

export interface VenueBan {
  /** What the venue said, for people. */
  readonly reason: string
  /** When it ends, ISO 8601. */
  readonly until: string
}

export class VenueBanStore extends Context.Service<VenueBanStore, {
  /** Leaves the venue alone on this network for 24 hours from now; a ban that holds already starts anew. */
  readonly ban: (network: Network, venue: VenueName, reason: string) => Effect.Effect<void, SqlError>
  /** The ban that holds now. */
  readonly find: (network: Network, venue: VenueName) => Effect.Effect<Option.Option<VenueBan>, SqlError>
}>()("vault-trader/core/venue/VenueBanStore") {
  static readonly layer = Layer.effect(
    VenueBanStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      ban: (network, venue, reason) =>
        Effect.asVoid(sql`insert into venue_bans (network, venue, reason, until)
          values (${network}, ${venue}, ${reason}, now() + interval '24 hours')
          on conflict (network, venue) do update set reason = excluded.reason, until = excluded.until`),
      find: (network, venue) =>
        Effect.map(
          sql<VenueBan>`select reason, to_char(until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until
            from venue_bans where network = ${network} and venue = ${venue} and until > now()`,
          ([row]) => Option.fromNullishOr(row)
        )
    }))
  )
}
