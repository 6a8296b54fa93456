/** Compares the transaction counts of gas wallets with the ledger. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** A wallet's transaction count in the newest block. */
export interface Count {
  readonly wallet: Address
  readonly count: bigint
}

export const Comparison = Schema.Struct({
  wallet: Address,
  count: Schema.BigIntFromString,
  /** Null at the wallet's first check. */
  baseline: Schema.NullOr(Schema.BigIntFromString),
  /** Submissions of this service whose nonce is at or above the baseline and below the count. */
  ours: Schema.BigIntFromString,
  /** The highest nonce of a final submission; null without one. */
  lastFinal: Schema.NullOr(Schema.BigIntFromString)
}).annotate({ identifier: "Comparison" })
export type Comparison = typeof Comparison.Type

const Comparisons = Schema.decodeUnknownEffect(Schema.Array(Comparison))

export class NonceBaselineStore extends Context.Service<NonceBaselineStore, {
  /** Lists the wallets that are linked to a vault, have a bot or have traded on the network. */
  readonly active: (network: Network) => Effect.Effect<ReadonlyArray<Address>, SqlError>
  /**
   * Compares these counts with the ledger. Counts must be read first, because a row is older than the transaction it
   * explains.
   */
  readonly compare: (
    network: Network,
    counts: ReadonlyArray<Count>
  ) => Effect.Effect<ReadonlyArray<Comparison>, SqlError>
  /** Raises the baselines to these counts. */
  readonly recordExplained: (network: Network, counts: ReadonlyArray<Count>) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/gas-wallet/NonceBaselineStore") {
  static readonly layer = Layer.effect(
    NonceBaselineStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const records = (counts: ReadonlyArray<Count>) =>
        sql`${JSON.stringify(counts.map(({ count, wallet }) => ({ wallet, count: count.toString() })))}::jsonb`
      return {
        active: (network) =>
          Effect.map(
            sql<{ readonly wallet: Address }>`select w.address as wallet from gas_wallets w
              where exists (select 1 from vault_links l where l.wallet = w.address and l.network = ${network})
                or exists (select 1 from vault_rules r where r.wallet = w.address and r.network = ${network})
                or exists (select 1 from submissions s where s.wallet = w.address and s.network = ${network})
                or exists (select 1 from nonce_baselines n where n.wallet = w.address and n.network = ${network})`,
            (rows) => rows.map(({ wallet }) => wallet)
          ),
        compare: (network, counts) =>
          counts.length === 0 ? Effect.succeed([]) : Effect.flatMap(
            sql`with v as (select v.wallet, v.count, coalesce(b.nonce, case when not w.imported then 0 end) as baseline
                from jsonb_to_recordset(${records(counts)}) as v(wallet text, count bigint)
                left join nonce_baselines b on b.network = ${network} and b.wallet = v.wallet
                left join gas_wallets w on w.address = v.wallet)
              select v.wallet, v.count::text as count, v.baseline::text as baseline,
                (select count(*) from submissions s
                where s.network = ${network} and s.wallet = v.wallet and s.nonce >= v.baseline
                and s.nonce < v.count)::text as ours,
                (select max(s.nonce) from submissions s
                where s.network = ${network} and s.wallet = v.wallet and s.status = 'final')::text as "lastFinal"
              from v`,
            (rows) => Effect.orDie(Comparisons(rows))
          ),
        recordExplained: (network, counts) =>
          counts.length === 0 ? Effect.void : Effect.asVoid(sql`insert into nonce_baselines (network, wallet, nonce)
            select ${network}, v.wallet, v.count from jsonb_to_recordset(${
            records(counts)
          }) as v(wallet text, count bigint)
            on conflict (network, wallet) do update
            set nonce = greatest(nonce_baselines.nonce, excluded.nonce), updated_at = now()
            where nonce_baselines.nonce < excluded.nonce`)
      }
    })
  )
}
