/**
 * Stores bans of venues that have banned the service, and pauses of wallets that have sent a venue too many requests.
 * Times are by the database's clock, the same for all runners.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import type { VenueName } from "./VenueName.ts"

/** A venue, or `unoswap`: 1inch's router without its API. A ban of `1inch` is one of its API. */
export type BannedName = VenueName | "unoswap"

/** How long a venue is not called, and why. */
export interface BanTerms {
  readonly reason: string
  readonly seconds: number
}

export interface VenueBan {
  /** The venue's reason, for people. */
  readonly reason: string
  /** End of the ban, ISO 8601. */
  readonly until: string
}

export class VenueBanStore extends Context.Service<VenueBanStore, {
  /** Bans the venue on this network for this many seconds from now. A ban that lasts longer stays as it is. */
  readonly ban: (network: Network, venue: VenueName, terms: BanTerms) => Effect.Effect<void, SqlError>
  /** The same for the requests of one wallet. */
  readonly pause: (
    network: Network,
    venue: VenueName,
    wallet: Address,
    terms: BanTerms
  ) => Effect.Effect<void, SqlError>
  /** Returns the active ban of the venue, or pause of the wallet, that lasts longest. */
  readonly find: (
    network: Network,
    venue: BannedName,
    wallet: Address
  ) => Effect.Effect<Option.Option<VenueBan>, SqlError>
}>()("vault-trader/core/venue/VenueBanStore") {
  static readonly layer = Layer.effect(
    VenueBanStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      ban: (network, venue, { reason, seconds }) =>
        Effect.asVoid(sql`insert into venue_bans (network, venue, reason, until)
          values (${network}, ${venue}, ${reason}, now() + make_interval(secs => ${seconds}))
          on conflict (network, venue) do update set reason = excluded.reason, until = excluded.until
          where venue_bans.until < excluded.until`),
      pause: (network, venue, wallet, { reason, seconds }) =>
        Effect.asVoid(sql`with ended as (delete from venue_pauses where until < now() - interval '1 hour')
          insert into venue_pauses (network, venue, wallet, reason, until)
          values (${network}, ${venue}, ${wallet}, ${reason}, now() + make_interval(secs => ${seconds}))
          on conflict (network, venue, wallet) do update set reason = excluded.reason, until = excluded.until
          where venue_pauses.until < excluded.until`),
      find: (network, venue, wallet) =>
        Effect.map(
          sql<VenueBan>`select reason, to_char(until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as until from (
              select reason, until from venue_bans where network = ${network} and venue = ${venue}
              union all
              select reason, until from venue_pauses
              where network = ${network} and venue = ${venue} and wallet = ${wallet}
            ) found where until > now() order by found.until desc limit 1`,
          ([row]) => Option.fromNullishOr(row)
        )
    }))
  )
}
