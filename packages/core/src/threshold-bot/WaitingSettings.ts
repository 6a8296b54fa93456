/** Bot settings accepted while no node answered. Their pair or wallet can only be checked on chain, later. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { symbolOf } from "../chain/Token.ts"
import * as Uuid from "../storage/Uuid.ts"
import { BotTerms } from "./ThresholdBot.ts"

/** Maximum number of waiting settings of one wallet. */
export const maxWaiting = 200

/** A waiting setting. */
export const WaitingSetting = Schema.Struct({
  id: Schema.String,
  network: Network,
  pool: Address,
  wallet: Address,
  keyId: Schema.String,
  terms: BotTerms,
  idempotencyKey: Schema.NullOr(Schema.String),
  refused: Schema.NullOr(Schema.String),
  createdAt: Schema.Date
}).annotate({ identifier: "WaitingSetting" })
export type WaitingSetting = typeof WaitingSetting.Type

/** A setting to store. */
export interface NewSetting
  extends Pick<WaitingSetting, "network" | "pool" | "wallet" | "keyId" | "terms" | "idempotencyKey">
{
  /** The token of a chart alert; null for a caller with a key. */
  readonly token: string | null
  /** When the setting expires, unix milliseconds; null: never. */
  readonly validUntil: number | null
  /** The signal that it came from; null if none is recorded. */
  readonly signal?: string | null
}

/** The signal of a waiting setting, and its bot as the signal's result names it. */
interface Origin extends Pick<WaitingSetting, "network" | "pool"> {
  readonly signal: string
  readonly pair: string
}

const Rows = Schema.decodeUnknownEffect(Schema.Array(WaitingSetting))
const encodeTerms = Schema.encodeSync(Schema.fromJsonString(BotTerms))

/** Normalizes a leg's name, so that one asset has one name. */
const normalizedLeg = (leg: string): string => /^0x[0-9a-f]{40}$/i.test(leg) ? leg.toLowerCase() : symbolOf(leg)

/** Builds `keep`. `current`: the condition on settings that can still be applied. */
const keep = (
  sql: SqlClient.SqlClient,
  current: ReturnType<typeof sql.literal>
): WaitingSettings["Service"]["keep"] =>
({ idempotencyKey, keyId, network, pool, signal = null, terms, token, validUntil, wallet }) =>
  sql.withTransaction(Effect.gen(function*() {
    yield* sql`select address from gas_wallets where address = ${wallet} for no key update`
    // Expired settings, and refused ones after a week, do not count.
    yield* sql`delete from waiting_settings where wallet = ${wallet}
      and (not ${current} or (refused is not null and created_at < now() - interval '7 days'))`
    const [base, quote] = [normalizedLeg(terms.base), normalizedLeg(terms.quote)]
    const [count] = yield* sql<
      { readonly full: boolean }
    >`select count(*) >= ${maxWaiting} as full from waiting_settings
      where wallet = ${wallet} and not (network = ${network} and pool = ${pool} and base = ${base}
      and quote = ${quote})`
    if (count?.full === true) return false
    yield* sql`insert into waiting_settings (id, network, pool, wallet, key_id, base, quote, terms,
      idempotency_key, token, valid_until, signal)
      values (${yield* Uuid.v7}, ${network}, ${pool}, ${wallet}, ${keyId}, ${base}, ${quote}, ${
      encodeTerms(terms)
    }::jsonb, ${idempotencyKey},
        ${token}::uuid, to_timestamp(${validUntil}::float8 / 1000), ${signal}::uuid)
      on conflict (network, pool, wallet, base, quote) do update
      set id = excluded.id, key_id = excluded.key_id, terms = excluded.terms,
        idempotency_key = excluded.idempotency_key, token = excluded.token, valid_until = excluded.valid_until,
        signal = excluded.signal, refused = null, created_at = now()`
    return true
  }))

export class WaitingSettings extends Context.Service<WaitingSettings, {
  /**
   * Checks whether rows connect the wallet with a vault at this address: a snapshot, a link, a bot, a token or an
   * intent.
   */
  readonly isKnown: (network: Network, pool: Address, wallet: Address) => Effect.Effect<boolean, SqlError>
  /** Returns the signal that a setting came from. */
  readonly originOf: (id: string) => Effect.Effect<Origin | undefined, SqlError>
  /** Stores a setting, replacing an older one of the same bot. `false` when the wallet has the maximum number. */
  readonly keep: (setting: NewSetting) => Effect.Effect<boolean, SqlError>
  /** Lists a vault's waiting settings, oldest first, including refused ones. */
  readonly ofVault: (network: Network, pool: Address) => Effect.Effect<ReadonlyArray<WaitingSetting>, SqlError>
  /** Lists the vaults of one of `shards` shards of a network that have settings to apply. */
  readonly vaults: (network: Network, shard: number, shards: number) => Effect.Effect<ReadonlyArray<Address>, SqlError>
  /** Removes a setting, in the transaction that sets the bot. `false` when it is gone, or the bot was set since. */
  readonly take: (
    id: string,
    legs: { readonly base: Address; readonly quote: Address }
  ) => Effect.Effect<boolean, SqlError>
  readonly refuse: (id: string, reason: string) => Effect.Effect<void, SqlError>
  /** Removes a wallet's settings of a vault, or the one of a pair. Returns their number. */
  readonly remove: (
    about: { readonly network: Network; readonly pool: Address; readonly wallet: Address },
    legs: readonly [base: string, quote: string] | null
  ) => Effect.Effect<number, SqlError>
}>()("vault-trader/core/threshold-bot/WaitingSettings") {
  static readonly layer = Layer.effect(
    WaitingSettings,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql.literal(
        `id, network, pool, wallet, key_id as "keyId", terms, idempotency_key as "idempotencyKey", refused, created_at as "createdAt"`
      )
      const current = sql.literal(`(valid_until is null or valid_until > now())
        and (token is null or exists (select 1 from webhook_tokens t where t.id = token and t.revoked_at is null))`)
      return {
        isKnown: (network, pool, wallet) =>
          Effect.map(
            sql<
              { readonly known: boolean }
            >`select exists (select 1 from vault_snapshots where network = ${network} and pool = ${pool})
              or exists (select 1 from vault_links where network = ${network} and pool = ${pool} and wallet = ${wallet})
              or exists (select 1 from threshold_bots
              where network = ${network} and pool = ${pool} and wallet = ${wallet})
              or exists (select 1 from index_bots where network = ${network} and pool = ${pool} and wallet = ${wallet})
              or exists (select 1 from webhook_tokens
              where network = ${network} and pool = ${pool} and wallet = ${wallet} and revoked_at is null)
              or exists (select 1 from intents
              where network = ${network} and pool = ${pool} and wallet = ${wallet}) as known`,
            ([row]) => row?.known === true
          ),
        originOf: (id) =>
          Effect.map(
            sql<Origin>`select signal, network, pool, (terms ->> 'base') || '-' || (terms ->> 'quote') as pair
              from waiting_settings where id = ${id}::uuid and signal is not null`,
            ([origin]) => origin
          ),
        keep: keep(sql, current),
        ofVault: (network, pool) =>
          Effect.flatMap(
            sql`select ${columns} from waiting_settings where network = ${network} and pool = ${pool} and ${current}
              order by id`,
            (rows) => Effect.orDie(Rows(rows))
          ),
        vaults: (network, shard, shards) =>
          Effect.map(
            sql<
              { readonly pool: Address }
            >`select distinct pool from waiting_settings where network = ${network} and refused is null and ${current}
              and abs(hashtext(pool) % ${shards}) = ${shard}`,
            (rows) => rows.map(({ pool }) => pool)
          ),
        take: (id, { base, quote }) =>
          Effect.map(
            sql<{ readonly first: boolean }>`delete from waiting_settings w where id = ${id} and ${current}
              returning not exists (select 1 from threshold_bots b
              where b.network = w.network and b.pool = w.pool and b.base = ${base} and b.quote = ${quote}
                and b.set_at > w.created_at) as first`,
            ([row]) => row?.first === true
          ),
        refuse: (id, reason) => Effect.asVoid(sql`update waiting_settings set refused = ${reason} where id = ${id}`),
        remove: ({ network, pool, wallet }, legs) =>
          Effect.map(
            sql`delete from waiting_settings where network = ${network} and pool = ${pool} and wallet = ${wallet}
              and ${
              legs === null ? sql`true` : sql`base = ${normalizedLeg(legs[0])} and quote = ${normalizedLeg(legs[1])}`
            } returning id`,
            (rows) => rows.length
          )
      }
    })
  )
}
