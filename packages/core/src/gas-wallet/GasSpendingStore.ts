/** Reads what a gas wallet's transactions of a day cost, or can still cost. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** The gas of a wallet on a network on the current day (UTC). */
export interface GasSpending {
  /** The day, as `2026-11-24`. */
  readonly day: string
  /**
   * Native smallest units: the cost of the transactions that are mined, and the maximum cost of the others, of which
   * at most one attempt can be mined.
   */
  readonly wei: bigint
  /** Nonces below it can have no further attempt, on this day or later. */
  readonly from: bigint
}

export class GasSpendingStore extends Context.Service<GasSpendingStore, {
  /** Sums the transactions signed today with nonces of at least `from`, which an earlier read of the same day gave. */
  readonly today: (network: Network, wallet: Address, from: bigint) => Effect.Effect<GasSpending, SqlError>
}>()("vault-trader/core/gas-wallet/GasSpendingStore") {
  static readonly layer = Layer.effect(
    GasSpendingStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      today: (network, wallet, from) =>
        Effect.map(
          sql<{ readonly day: string; readonly wei: string; readonly first: string }>`with t as (
              select a.submission_key as key, min(a.nonce) as nonce, max(a.gas_limit * a.max_fee_per_gas) as most
              from attempts a where a.network = ${network} and a.wallet = ${wallet}
                and a.nonce >= ${from.toString()}::bigint
                and a.created_at >= date_trunc('day', now() at time zone 'utc') at time zone 'utc'
              group by 1)
            select (now() at time zone 'utc')::date::text as day,
              coalesce(sum(case when s.receipt is null then t.most
                else (s.receipt ->> 'gasUsed')::numeric * (s.receipt ->> 'effectiveGasPrice')::numeric
                  + coalesce((s.receipt ->> 'l1Fee')::numeric, 0) end), 0)::text as wei,
              coalesce(least(min(t.nonce), (select min(o.nonce) from submissions o where o.network = ${network}
                and o.wallet = ${wallet} and o.status in ('signed', 'mined'))), 0)::text as first
            from t join submissions s on s.key = t.key`,
          ([row]) => ({ day: row?.day ?? "", wei: BigInt(row?.wei ?? "0"), from: BigInt(row?.first ?? "0") })
        )
    }))
  )
}
