/** Stores the gas levels of watched wallets as of the last check, and the transfers that refill wallets. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import * as Uuid from "../storage/Uuid.ts"
import { walletsWithReceivers } from "../storage/Receivers.ts"
import { topUpKey } from "./Submission.ts"
import { SubmissionMac } from "./SubmissionMac.ts"

/** A wallet on a network. */
export interface Purse {
  readonly network: Network
  readonly wallet: Address
}

/**
 * The result of a check. `full`: far enough above the threshold to count as refilled. `between`: the stored level stays
 * unchanged.
 */
interface Look extends Purse {
  readonly wei: bigint
  readonly level: "low" | "between" | "full"
  /** The data of the `gas.low` event, which is sent when the gas becomes low. */
  readonly told: Readonly<Record<string, unknown>>
}

/** A transfer that refills a wallet. */
interface TopUp extends Purse {
  readonly funder: Address
  readonly wei: bigint
  readonly usd18: bigint
  /** Maximum sum of all top-ups of a day (UTC), USD with 18 decimals. */
  readonly maxUsd18PerDay: bigint
}

/** The terms of a top-up's transaction, from its row. */
export const TopUpTerms = Schema.Struct({
  key: Schema.String,
  network: Network,
  wallet: Address,
  funder: Address,
  /** Native smallest units. */
  wei: Schema.BigIntFromString
}).annotate({ identifier: "TopUpTerms" })
export type TopUpTerms = typeof TopUpTerms.Type

const AllTerms = Schema.decodeUnknownEffect(Schema.Array(TopUpTerms))

/**
 * Minimum time between top-ups of a wallet: the transfer has arrived by then, and a refused one is not repeated at
 * once.
 */
const pauseMinutes = 10

export class GasLevelStore extends Context.Service<GasLevelStore, {
  /**
   * Lists the wallets with a receiver of `gas.low`, on those of the networks where they have a vault, a bot or an intent.
   */
  readonly listWatched: (networks: ReadonlyArray<Network>) => Effect.Effect<ReadonlyArray<Purse>, SqlError>
  /** Stores the result of a check, and writes a `gas.low` event in the same transaction when the gas has become low. */
  readonly seen: (look: Look) => Effect.Effect<void, SqlError>
  /**
   * Commits a transfer with its submission; returns the submission's key. None while one is pending or recent, and
   * beyond the day's cap.
   */
  readonly refill: (topUp: TopUp) => Effect.Effect<Option.Option<string>, SqlError>
  /** Lists transfers that are not signed yet. */
  readonly unsigned: Effect.Effect<
    ReadonlyArray<{ readonly key: string; readonly network: Network; readonly funder: Address }>,
    SqlError
  >
  /** Returns the terms of these submissions; those that are not top-ups are left out. */
  readonly terms: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<TopUpTerms>, SqlError>
}>()("vault-trader/core/gas-wallet/GasLevelStore") {
  static readonly make: Effect.Effect<GasLevelStore["Service"], never, SqlClient.SqlClient> = Effect.map(
    Effect.all([SqlClient.SqlClient, SubmissionMac]),
    ([sql, macs]) => {
      const keyOf = sql.literal("t.id::text || '/topup'")
      return {
        listWatched: (networks) =>
          sql<Purse>`with wanted as (
              ${walletsWithReceivers(sql, "gas.low")}),
            served as (select jsonb_array_elements_text(${JSON.stringify(networks)}::jsonb) as network)
            select s.network, o.wallet from wanted o cross join served s
            where exists (select 1 from vault_links l where l.wallet = o.wallet and l.network = s.network)
              or exists (select 1 from vault_rules r where r.wallet = o.wallet and r.network = s.network)
              or exists (select 1 from intents i where i.wallet = o.wallet and i.network = s.network)`,
        seen: ({ level, network, told, wallet, wei }) =>
          sql.withTransaction(Effect.gen(function*() {
            yield* sql`insert into gas_levels (network, wallet, low, wei)
              values (${network}, ${wallet}, false, ${wei.toString()}::numeric) on conflict do nothing`
            const [row] = yield* sql<
              { readonly low: boolean }
            >`select low from gas_levels where network = ${network} and wallet = ${wallet} for update`
            const wasLow = row?.low === true
            const low = level === "between" ? wasLow : level === "low"
            yield* sql`update gas_levels set low = ${low}, wei = ${wei.toString()}::numeric, updated_at = now()
              where network = ${network} and wallet = ${wallet}`
            if (low && !wasLow) yield* sql`select webhook_tell('gas.low', ${wallet}, ${JSON.stringify(told)}::jsonb)`
          })),
        refill: ({ funder, maxUsd18PerDay, network, usd18, wallet, wei }) =>
          sql.withTransaction(Effect.gen(function*() {
            // Top-ups are committed one at a time, because the day's cap covers all of them together.
            yield* sql`select pg_advisory_xact_lock(hashtextextended('top_ups', 0))`
            const recent = yield* sql`select t.id from top_ups t left join submissions s on s.key = ${keyOf}
              where t.network = ${network} and t.wallet = ${wallet}
                and (s.status in ('queued', 'signed', 'mined')
                or t.created_at > now() - make_interval(mins => ${pauseMinutes}))`
            if (recent.length > 0) return Option.none()
            const [day] = yield* sql<
              { readonly beyond: boolean }
            >`select coalesce(sum(t.usd18),
            0) + ${usd18.toString()}::numeric > ${maxUsd18PerDay.toString()}::numeric as beyond
              from top_ups t left join submissions s on s.key = ${keyOf}
              where t.created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'
              and s.status is distinct from 'refused'`
            if (day?.beyond !== false) return Option.none()
            const id = yield* Uuid.v7
            const key = topUpKey(id)
            yield* sql`insert into top_ups ${
              sql.insert({ id, network, wallet, funder, wei: wei.toString(), usd18: usd18.toString() })
            }`
            yield* sql`insert into submissions ${
              sql.insert({
                key,
                network,
                wallet: funder,
                to_address: wallet,
                data: "0x",
                value: wei.toString(),
                reserve: "0",
                mac: macs.of({
                  ...{ key, intentId: null, network, wallet: funder, to: wallet, data: "0x", value: wei, reserve: 0n }
                })
              })
            }`
            return Option.some(key)
          })),
        unsigned: sql`select s.key, s.network, s.wallet as funder from top_ups t join submissions s on s.key = ${keyOf}
          where s.status = 'queued' and t.created_at > now() - interval '7 days'`,
        terms: (keys) =>
          keys.length === 0 ? Effect.succeed([]) : Effect.flatMap(
            sql`select ${keyOf} as key, t.network, t.wallet, t.funder, t.wei::text as wei from top_ups t
              where ${keyOf} in ${sql.in(keys)}`,
            (rows) => Effect.orDie(AllTerms(rows))
          )
      }
    }
  )

  static readonly layer = Layer.effect(GasLevelStore, GasLevelStore.make)
}
