/** Stores observed balances of gas wallets, and sums the known cost of the transactions between two observations. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** A wallet's balance and transaction count at one block. */
export const Observation = Schema.Struct({
  block: Schema.BigIntFromString,
  nonce: Schema.BigIntFromString,
  /** Native smallest units. */
  wei: Schema.BigIntFromString
}).annotate({ identifier: "Observation" })
export type Observation = typeof Observation.Type

export const ObservedBalance = Schema.Struct({
  wallet: Address,
  /** Every fall before it is explained or was reported. */
  base: Observation,
  /** A later one, which is judged once the receipts of the transactions before it are recorded. */
  next: Schema.NullOr(Observation)
}).annotate({ identifier: "ObservedBalance" })
export type ObservedBalance = typeof ObservedBalance.Type

/** The transactions of a wallet with nonces from `from` up to, but not including, `to`. */
interface NonceSpan {
  readonly wallet: Address
  readonly from: bigint
  readonly to: bigint
}

export const SpanCost = Schema.Struct({
  wallet: Address,
  /** Gas, L1 data fees and transferred values of our transactions of the span, native smallest units. */
  wei: Schema.BigIntFromString,
  /** Number of our transactions of the span whose receipt is not recorded yet. */
  unrecorded: Schema.Int,
  /** Number of receipts of the span without an L1 data fee. */
  withoutL1Fee: Schema.Int
}).annotate({ identifier: "SpanCost" })
export type SpanCost = typeof SpanCost.Type

const Balances = Schema.decodeUnknownEffect(Schema.Array(ObservedBalance))
const Costs = Schema.decodeUnknownEffect(Schema.Array(SpanCost))

const fieldsOf = (observation: Observation | null, prefix = "") => ({
  [`${prefix}block`]: observation?.block.toString() ?? null,
  [`${prefix}nonce`]: observation?.nonce.toString() ?? null,
  [`${prefix}wei`]: observation?.wei.toString() ?? null
})

export class BalanceStore extends Context.Service<BalanceStore, {
  readonly list: (
    network: Network,
    wallets: ReadonlyArray<Address>
  ) => Effect.Effect<ReadonlyArray<ObservedBalance>, SqlError>
  readonly put: (network: Network, balances: ReadonlyArray<ObservedBalance>) => Effect.Effect<void, SqlError>
  /** Sums the cost of each span. Balances must be read first: a row is older than the transaction that it explains. */
  readonly costs: (
    network: Network,
    spans: ReadonlyArray<NonceSpan>
  ) => Effect.Effect<ReadonlyArray<SpanCost>, SqlError>
}>()("vault-trader/core/gas-wallet/BalanceStore") {
  static readonly layer = Layer.effect(
    BalanceStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      list: (network, wallets) =>
        wallets.length === 0 ? Effect.succeed([]) : Effect.flatMap(
          sql`select wallet, jsonb_build_object('block', block::text, 'nonce', nonce::text, 'wei', wei::text) as base,
              case when next_block is not null then jsonb_build_object('block', next_block::text,
                'nonce', next_nonce::text, 'wei', next_wei::text) end as next
            from balance_observations where network = ${network} and wallet in ${sql.in(wallets)}`,
          (rows) => Effect.orDie(Balances(rows))
        ),
      put: (network, balances) =>
        balances.length === 0 ? Effect.void : Effect.asVoid(sql`insert into balance_observations
            (network, wallet, block, nonce, wei, next_block, next_nonce, next_wei)
          select ${network}, v.* from jsonb_to_recordset(${
          JSON.stringify(balances.map(({ base, next, wallet }) => ({
            wallet,
            ...fieldsOf(base),
            ...fieldsOf(next, "next_")
          })))
        }::jsonb) as v(wallet text, block bigint, nonce bigint, wei numeric, next_block bigint, next_nonce bigint,
            next_wei numeric)
          on conflict (network, wallet) do update set block = excluded.block, nonce = excluded.nonce,
            wei = excluded.wei, next_block = excluded.next_block, next_nonce = excluded.next_nonce,
            next_wei = excluded.next_wei, updated_at = now()`),
      costs: (network, spans) =>
        spans.length === 0 ? Effect.succeed([]) : Effect.flatMap(
          sql`select v.wallet, coalesce(sum((s.receipt ->> 'gasUsed')::numeric
                * (s.receipt ->> 'effectiveGasPrice')::numeric + coalesce((s.receipt ->> 'l1Fee')::numeric, 0)
                + case when s.cancelled is null and (s.receipt ->> 'succeeded')::boolean then s.value else 0 end),
                0)::text as wei,
              (count(*) filter (where s.status = 'signed'))::int as unrecorded,
              (count(*) filter (where s.receipt is not null and s.receipt ->> 'l1Fee' is null))::int as "withoutL1Fee"
            from jsonb_to_recordset(${
            JSON.stringify(spans.map(({ from, to, wallet }) => ({
              wallet,
              first: from.toString(),
              past: to.toString()
            })))
          }::jsonb) as v(wallet text, first bigint, past bigint)
              left join submissions s on s.network = ${network} and s.wallet = v.wallet
                and s.nonce >= v.first and s.nonce < v.past
            group by v.wallet`,
          (rows) => Effect.orDie(Costs(rows))
        )
    }))
  )
}
