/** Stores prices of vaults' tokens, at most one a day from the first read on. Rows are never changed or removed. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** A vault's token price at a time. */
export const VaultSnapshot = Schema.Struct({
  /** USD with 18 decimals. */
  tokenPrice: Schema.BigIntFromString,
  at: Schema.Date
}).annotate({ identifier: "VaultSnapshot" })
export type VaultSnapshot = typeof VaultSnapshot.Type

const Rows = Schema.decodeUnknownEffect(Schema.Array(VaultSnapshot))

export class VaultSnapshotStore extends Context.Service<VaultSnapshotStore, {
  /** Checks whether the vault has a snapshot of the last day. */
  readonly isRecent: (network: Network, pool: Address) => Effect.Effect<boolean, SqlError>
  /** Stores a snapshot, unless one of the last day exists. */
  readonly add: (network: Network, pool: Address, tokenPrice: bigint) => Effect.Effect<void, SqlError>
  readonly first: (network: Network, pool: Address) => Effect.Effect<Option.Option<VaultSnapshot>, SqlError>
}>()("vault-trader/core/vault/VaultSnapshotStore") {
  static readonly make: Effect.Effect<VaultSnapshotStore["Service"], never, SqlClient.SqlClient> = Effect.gen(
    function*() {
      const sql = yield* SqlClient.SqlClient
      const recent = (network: Network, pool: Address) =>
        sql`select 1 from vault_snapshots where network = ${network} and pool = ${pool} and at > now() - interval '1 day' limit 1`

      return {
        isRecent: (network, pool) => Effect.map(recent(network, pool), (rows) => rows.length > 0),
        add: (network, pool, tokenPrice) =>
          sql.withTransaction(Effect.gen(function*() {
            // Concurrent readers store one snapshot: the second waits here, then finds the first one's.
            yield* sql`select pg_advisory_xact_lock(hashtextextended(${`vault_snapshots/${network}/${pool}`}, 0))`
            if ((yield* recent(network, pool)).length > 0) return
            yield* sql`insert into vault_snapshots ${sql.insert({ network, pool, token_price: tokenPrice.toString() })}`
          })),
        first: (network, pool) =>
          Effect.gen(function*() {
            const rows = yield* sql`select token_price::text as "tokenPrice", at from vault_snapshots
            where network = ${network} and pool = ${pool} order by at limit 1`
            return Option.fromNullishOr((yield* Effect.orDie(Rows(rows)))[0])
          })
      }
    }
  )

  static readonly layer = Layer.effect(VaultSnapshotStore, VaultSnapshotStore.make)
}
