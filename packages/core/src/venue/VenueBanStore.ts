/**
 * Stores bans of venues that limit the service or have banned it. Times are by the database's clock, the same for all
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
  /** Bans the venue on this network for this many seconds from now. A ban that lasts longer stays as it is. */
  readonly ban: (
    network: Network,
    venue: VenueName,
    terms: { readonly reason: string; readonly seconds: number }
  ) => Effect.Effect<void, SqlError>
  /** Returns the active ban. */
  readonly find: (network: Network, venue: VenueName) => Effect.Effect<Option.Option<VenueBan>, SqlError>
}>()("vault-trader/core/venue/VenueBanStore") {
  static readonly layer = Layer.effect(
    VenueBanStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      ban: (network, venue, { reason, seconds }) =>
        Effect.asVoid(sql`insert into venue_bans (network, venue, reason, until)
          values (${network}, ${venue}, ${reason}, now() + make_interval(secs => ${seconds}))
          on conflict (network, venue) do update set reason = excluded.reason, until = excluded.until
          where venue_bans.until < excluded.until`),
      find: (network, venue) =>
        Effect.map(
          sql<VenueBan>`select reason, to_char(until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until
            from venue_bans where network = ${network} and venue = ${venue} and until > now()`,
          ([row]) => Option.fromNullishOr(row)
        )
    }))
  )
}
