/**
 * An index of managers' vaults by network, built from the platform's events so that the chain need not be searched each
 * time.
 */
import * as Arr from "effect/Array"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** A vault, and its manager at the last check. */
export const IndexedVault = Schema.Struct({
  pool: Address,
  managerLogic: Address,
  manager: Address,
  /** The block that caused the check. */
  block: Schema.BigIntFromString
}).annotate({ identifier: "IndexedVault" })
export type IndexedVault = typeof IndexedVault.Type

const Rows = Schema.decodeUnknownEffect(Schema.Array(IndexedVault))
/** Maximum number of rows per statement. */
const pageSize = 1_000

export class VaultIndexStore extends Context.Service<VaultIndexStore, {
  /** Returns the block up to which the index is complete and final; none before the network was first indexed. */
  readonly reach: (network: Network) => Effect.Effect<Option.Option<bigint>, SqlError>
  readonly managedBy: (network: Network, manager: Address) => Effect.Effect<ReadonlyArray<Address>, SqlError>
  readonly size: (network: Network) => Effect.Effect<number, SqlError>
  /** Lists the vaults of these manager-logic contracts, and those that were checked above a block. */
  readonly findAffected: (
    network: Network,
    by: { readonly managerLogics: ReadonlyArray<Address>; readonly above: bigint }
  ) => Effect.Effect<ReadonlyArray<IndexedVault>, SqlError>
  /**
   * Replaces the given vaults and advances the reach. Rows that another process has read at a later block are kept; the
   * reach never decreases.
   */
  readonly keep: (network: Network, seen: {
    readonly vaults: ReadonlyArray<IndexedVault>
    readonly gone: ReadonlyArray<Address>
    readonly reach: bigint
  }) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/manager/VaultIndexStore") {
  static readonly layer = Layer.effect(
    VaultIndexStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const put = (network: Network, vaults: Arr.NonEmptyReadonlyArray<IndexedVault>) =>
        sql`insert into vault_index ${
          sql.insert(Arr.map(vaults, ({ block, manager, managerLogic, pool }) => ({
            network,
            pool,
            manager_logic: managerLogic,
            manager,
            block: block.toString()
          })))
        } on conflict (network, pool) do update
        set manager_logic = excluded.manager_logic, manager = excluded.manager, block = excluded.block
          where excluded.block >= vault_index.block`

      return {
        reach: (network) =>
          Effect.map(
            sql<
              { readonly block: string }
            >`select block::text as block from vault_index_reach where network = ${network}`,
            ([row]) => Option.map(Option.fromNullishOr(row), ({ block }) => BigInt(block))
          ),
        managedBy: (network, manager) =>
          Effect.map(
            sql<
              { readonly pool: Address }
            >`select pool from vault_index where network = ${network} and manager = ${manager} order by pool`,
            (rows) => rows.map(({ pool }) => pool)
          ),
        size: (network) =>
          Effect.map(
            sql<{ readonly count: number }>`select count(*)::int as count from vault_index where network = ${network}`,
            ([row]) => row?.count ?? 0
          ),
        findAffected: (network, { above, managerLogics }) =>
          Effect.flatMap(
            sql`select pool, manager_logic as "managerLogic", manager, block::text as block from vault_index
              where network = ${network} and (block > ${above.toString()}::bigint or manager_logic = any(${[
              ...managerLogics
            ]}::text[])) order by pool`,
            (rows) => Effect.orDie(Rows(rows))
          ),
        keep: (network, { gone, reach, vaults }) =>
          sql.withTransaction(Effect.gen(function*() {
            for (const page of Arr.chunksOf(vaults, pageSize)) yield* put(network, page)
            if (gone.length > 0) {
              yield* sql`delete from vault_index where network = ${network} and pool = any(${[...gone]}::text[])`
            }
            yield* sql`insert into vault_index_reach ${sql.insert({ network, block: reach.toString() })}
              on conflict (network) do update set block = greatest(vault_index_reach.block, excluded.block)`
          }))
      }
    })
  )
}
