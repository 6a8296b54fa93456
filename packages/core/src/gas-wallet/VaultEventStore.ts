/** Compares the events of vaults with the ledger, from the block where the last comparison ended. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address, Hash } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

export class VaultEventStore extends Context.Service<VaultEventStore, {
  /** Lists the vaults on the network that a gas wallet is linked to or has a bot at. */
  readonly vaults: (network: Network) => Effect.Effect<ReadonlyArray<Address>, SqlError>
  /** Returns the last block that was compared; none before the first comparison. */
  readonly cursor: (network: Network) => Effect.Effect<Option.Option<bigint>, SqlError>
  readonly advance: (network: Network, block: bigint) => Effect.Effect<void, SqlError>
  /** Returns those of these transactions that this service did not sign. */
  readonly unsigned: (hashes: ReadonlyArray<Hash>) => Effect.Effect<ReadonlyArray<Hash>, SqlError>
  /** Returns those of these addresses that are gas wallets of this service. */
  readonly wallets: (addresses: ReadonlyArray<Address>) => Effect.Effect<ReadonlyArray<Address>, SqlError>
}>()("vault-trader/core/gas-wallet/VaultEventStore") {
  static readonly layer = Layer.effect(
    VaultEventStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      vaults: (network) =>
        Effect.map(
          sql<{ readonly pool: Address }>`select pool from vault_links where network = ${network}
            union select pool from vault_rules where network = ${network} and ended_at is null`,
          (rows) => rows.map(({ pool }) => pool)
        ),
      cursor: (network) =>
        Effect.map(
          sql<{ readonly block: string }>`select block::text as block from vault_event_cursors
            where network = ${network}`,
          ([row]) => row === undefined ? Option.none() : Option.some(BigInt(row.block))
        ),
      advance: (network, block) =>
        Effect.asVoid(sql`insert into vault_event_cursors (network, block)
          values (${network}, ${block.toString()}::bigint)
          on conflict (network) do update set block = excluded.block, updated_at = now()
            where vault_event_cursors.block < excluded.block`),
      unsigned: (hashes) =>
        hashes.length === 0 ? Effect.succeed([]) : Effect.map(
          sql<{ readonly hash: Hash }>`select v.hash from jsonb_array_elements_text(${
            JSON.stringify(hashes)
          }::jsonb) as v(hash) where not exists (select 1 from attempts a where a.hash = v.hash)`,
          (rows) => rows.map(({ hash }) => hash)
        ),
      wallets: (addresses) =>
        addresses.length === 0 ? Effect.succeed([]) : Effect.map(
          sql<{ readonly address: Address }>`select address from gas_wallets where address in ${sql.in(addresses)}`,
          (rows) => rows.map(({ address }) => address)
        )
    }))
  )
}
