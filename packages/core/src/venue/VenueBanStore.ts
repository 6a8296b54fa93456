/**
 * Stores bans of venues that have rate-limited the service. Times are by the database's clock, the same for all
 * runners.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Network } from "../chain/Network.ts"
import type { VenueName } from "./VenueName.ts"

export interface VenueBan {
  /** The venue's reason, for people. */
  readonly reason: string
  /** End of the ban, ISO 8601. */
  readonly until: string
}

export class VenueBanStore extends Context.Service<VenueBanStore, {
  /** Bans the venue on this network for 24 hours from now; an active ban starts again. */
  readonly ban: (network: Network, venue: VenueName, reason: string) => Effect.Effect<void, SqlError>
  /** Returns the active ban. */
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
