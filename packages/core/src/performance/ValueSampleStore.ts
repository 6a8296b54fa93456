/** Stores samples of vaults' values, the slots without one, and what is sampled next. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { MissedSlot, SampleDetails, ValuePoint, type ValueSample } from "./ValueSample.ts"

/** A vault and what is sampled of it next. */
export const SampledVault = Schema.Struct({
  pool: Address,
  nextSlot: Schema.NullOr(Schema.Date),
  backfillSlot: Schema.NullOr(Schema.Date),
  backfillUntil: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "SampledVault" })
export type SampledVault = typeof SampledVault.Type

/** A sample that is not final yet. */
const Provisional = Schema.Struct({
  pool: Address,
  slot: Schema.Date,
  block: Schema.Int,
  blockHash: Hash
}).annotate({ identifier: "ProvisionalSample" })
export type Provisional = typeof Provisional.Type

interface VaultPlace {
  readonly network: Network
  readonly pool: Address
}

/** The next slots to sample. */
interface Progress {
  readonly nextSlot: Date
  readonly backfillSlot: Date | null
  readonly backfillUntil: Date | null
}

const decodeVaults = Schema.decodeUnknownEffect(Schema.Array(SampledVault))
const decodePoints = Schema.decodeUnknownEffect(Schema.Array(ValuePoint))
const decodeMissed = Schema.decodeUnknownEffect(Schema.Array(MissedSlot))
const decodeProvisional = Schema.decodeUnknownEffect(Schema.Array(Provisional))
const decodeDetails = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ slot: Schema.Date, details: SampleDetails }))
)
const encodeDetails = Schema.encodeSync(Schema.fromJsonString(SampleDetails))

/** Maximum number of vaults or samples in memory. */
const pageSize = 500

const valuePoints = (sql: SqlClient.SqlClient) =>
  sql.literal(`slot, interval_seconds as "intervalSeconds", at, block::float8 as block, value_usd::text as "value18",
    supply::text as supply, owed::text as owed`)

const reads = (
  sql: SqlClient.SqlClient
): Pick<
  ValueSampleStore["Service"],
  "points" | "missed" | "details" | "newestBefore" | "provisional" | "traded" | "vaults"
> => {
  const ofVault = ({ network, pool }: VaultPlace) => sql`network = ${network} and pool = ${pool}`
  return {
    // One step of the index for each vault, however many intents it has.
    traded: (network) =>
      Effect.map(
        sql<{ readonly pool: Address }>`with recursive traded as (
            (select pool from intents where network = ${network} and status in ('succeeded', 'failed')
              order by pool limit 1)
            union all
            select (select i.pool from intents i where i.network = ${network} and i.status in ('succeeded', 'failed')
              and i.pool > traded.pool order by i.pool limit 1) from traded where traded.pool is not null)
          select pool from traded where pool is not null
            -- Requests for several vaults have their wallet in the place of a vault.
            and not exists (select 1 from gas_wallets w where w.address = traded.pool)`,
        (rows) => rows.map(({ pool }) => pool)
      ),
    vaults: (network, after) =>
      Effect.flatMap(
        sql`select pool, next_slot as "nextSlot", backfill_slot as "backfillSlot", backfill_until as "backfillUntil"
          from vault_sampling where network = ${network} and pool > ${after ?? ""} order by pool limit ${pageSize}`,
        (rows) => Effect.orDie(decodeVaults(rows))
      ),
    points: (place, from, to) =>
      Effect.flatMap(
        sql`select ${valuePoints(sql)} from vault_values where ${ofVault(place)} and slot >= ${from} and slot <= ${to}
          and reason is null and final order by slot`,
        (rows) => Effect.orDie(decodePoints(rows))
      ),
    missed: (place, from, to) =>
      Effect.flatMap(
        sql`select slot, reason from vault_values where ${ofVault(place)} and slot >= ${from} and slot <= ${to}
          and reason is not null order by slot`,
        (rows) => Effect.orDie(decodeMissed(rows))
      ),
    details: (place, slots) =>
      slots.length === 0 ? Effect.succeed([]) : Effect.flatMap(
        sql`select slot, details from vault_values where ${ofVault(place)} and slot in (
            select s::timestamptz from jsonb_array_elements_text(${
          JSON.stringify(slots.map((slot) => slot.toISOString()))
        }::jsonb) as j(s)) and reason is null and final order by slot`,
        (rows) => Effect.orDie(decodeDetails(rows))
      ),
    newestBefore: (place, before) =>
      Effect.flatMap(
        sql`select pool, slot, block::float8 as block, block_hash as "blockHash" from vault_values
          where ${ofVault(place)} and slot < ${before} and reason is null order by slot desc limit 1`,
        (rows) => Effect.map(Effect.orDie(decodeProvisional(rows)), ([row]) => Option.fromNullishOr(row))
      ),
    provisional: (network, upTo) =>
      Effect.flatMap(
        sql`select pool, slot, block::float8 as block, block_hash as "blockHash" from vault_values
          where network = ${network} and not final and block <= ${upTo} order by block limit ${pageSize}`,
        (rows) => Effect.orDie(decodeProvisional(rows))
      )
  }
}

const writes = (
  sql: SqlClient.SqlClient
): Pick<
  ValueSampleStore["Service"],
  "register" | "add" | "miss" | "advance" | "settle" | "discard"
> => ({
  register: (network, pools, from) =>
    pools.length === 0 ? Effect.void : Effect.asVoid(
      sql`insert into vault_sampling (network, pool, backfill_slot, backfill_until)
        select ${network}, p, ${from.slot}::timestamptz, ${from.until}::timestamptz
        from jsonb_array_elements_text(${JSON.stringify(pools)}::jsonb) as j(p) on conflict do nothing`
    ),
  // A sample replaces a missed slot and a provisional sample; a final one is never replaced.
  add: ({ network, pool }, sample, final) =>
    Effect.asVoid(
      sql`insert into vault_values (network, pool, slot, interval_seconds, at, block, block_hash, value_usd, supply,
        owed, details, final) values (${network}, ${pool}, ${sample.slot}, ${sample.intervalSeconds}, ${sample.at},
        ${sample.block}, ${sample.blockHash}, ${sample.value18.toString()}::numeric,
        ${sample.supply.toString()}::numeric, ${sample.owed.toString()}::numeric,
        ${encodeDetails(sample.details)}::jsonb, ${final})
        on conflict (network, pool, slot) do update set interval_seconds = excluded.interval_seconds, at = excluded.at,
          block = excluded.block, block_hash = excluded.block_hash, value_usd = excluded.value_usd,
          supply = excluded.supply, owed = excluded.owed, details = excluded.details, final = excluded.final,
          reason = null
        where vault_values.reason is not null or not vault_values.final`
    ),
  miss: ({ network, pool }, slot, intervalSeconds, reason) =>
    Effect.asVoid(
      sql`insert into vault_values (network, pool, slot, interval_seconds, reason, final)
        values (${network}, ${pool}, ${slot}, ${intervalSeconds}, ${reason}, true)
        on conflict (network, pool, slot) do update set reason = excluded.reason
          where vault_values.reason is not null`
    ),
  advance: ({ network, pool }, { backfillSlot, backfillUntil, nextSlot }) =>
    Effect.asVoid(
      sql`update vault_sampling set next_slot = greatest(next_slot, ${nextSlot}), backfill_slot = ${backfillSlot},
        backfill_until = ${backfillUntil} where network = ${network} and pool = ${pool}`
    ),
  settle: ({ network, pool }, { blockHash, slot }) =>
    Effect.asVoid(
      sql`update vault_values set final = true where network = ${network} and pool = ${pool} and slot = ${slot}
        and block_hash = ${blockHash}`
    ),
  discard: ({ network, pool }, { blockHash, slot }, reason) =>
    Effect.asVoid(
      sql`update vault_values set reason = ${reason}, at = null, block = null, block_hash = null, value_usd = null,
        supply = null, owed = null, details = null, final = true
        where network = ${network} and pool = ${pool} and slot = ${slot} and block_hash = ${blockHash}`
    )
})

export class ValueSampleStore extends Context.Service<ValueSampleStore, {
  /** Adds vaults that are not known yet, with the part of the past to fill. */
  readonly register: (
    network: Network,
    pools: ReadonlyArray<Address>,
    from: { readonly slot: Date | null; readonly until: Date | null }
  ) => Effect.Effect<void, SqlError>
  /** Lists the vaults on a network that intents of this service were about. */
  readonly traded: (network: Network) => Effect.Effect<ReadonlyArray<Address>, SqlError>
  /** Lists a page of the sampled vaults, by address. */
  readonly vaults: (
    network: Network,
    after: Address | null
  ) => Effect.Effect<ReadonlyArray<SampledVault>, SqlError>
  /** Stores a sample, unless its slot has a final one. */
  readonly add: (place: VaultPlace, sample: ValueSample, final: boolean) => Effect.Effect<void, SqlError>
  /** Stores why a slot has no sample. */
  readonly miss: (
    place: VaultPlace,
    slot: Date,
    intervalSeconds: number,
    reason: string
  ) => Effect.Effect<void, SqlError>
  readonly advance: (place: VaultPlace, progress: Progress) => Effect.Effect<void, SqlError>
  /** Lists samples up to a block that are not final yet. */
  readonly provisional: (network: Network, upTo: number) => Effect.Effect<ReadonlyArray<Provisional>, SqlError>
  /** Returns the newest sample before a time. */
  readonly newestBefore: (place: VaultPlace, before: Date) => Effect.Effect<Option.Option<Provisional>, SqlError>
  readonly settle: (
    place: VaultPlace,
    sample: Pick<Provisional, "slot" | "blockHash">
  ) => Effect.Effect<void, SqlError>
  /** Replaces a sample of a block that was removed by the reason. */
  readonly discard: (
    place: VaultPlace,
    sample: Pick<Provisional, "slot" | "blockHash">,
    reason: string
  ) => Effect.Effect<void, SqlError>
  /** Lists the final samples whose slots are in a range, both ends included, without holdings. */
  readonly points: (place: VaultPlace, from: Date, to: Date) => Effect.Effect<ReadonlyArray<ValuePoint>, SqlError>
  readonly missed: (place: VaultPlace, from: Date, to: Date) => Effect.Effect<ReadonlyArray<MissedSlot>, SqlError>
  /** Lists the holdings of the samples of these slots. */
  readonly details: (
    place: VaultPlace,
    slots: ReadonlyArray<Date>
  ) => Effect.Effect<ReadonlyArray<{ readonly slot: Date; readonly details: SampleDetails }>, SqlError>
}>()("vault-trader/core/performance/ValueSampleStore") {
  static readonly layer = Layer.effect(
    ValueSampleStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({ ...reads(sql), ...writes(sql) }))
  )
}
