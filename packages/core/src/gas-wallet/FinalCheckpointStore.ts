/** Stores a final block of each network, and reads the blocks in which wallets' newest final transactions are. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** A block and its place in the chain. */
const BlockPoint = Schema.Struct({ number: Schema.BigIntFromString, hash: Hash })
export type BlockPoint = typeof BlockPoint.Type

/** The block of a wallet's newest final transaction. */
const WalletPoint = Schema.Struct({ ...BlockPoint.fields, wallet: Address })
export type WalletPoint = typeof WalletPoint.Type

const decodePoints = Schema.decodeUnknownEffect(Schema.Array(BlockPoint))
const decodeWalletPoints = Schema.decodeUnknownEffect(Schema.Array(WalletPoint))

export class FinalCheckpointStore extends Context.Service<FinalCheckpointStore, {
  /** Reads the final block up to which every wallet's newest final transaction was in its block. */
  readonly read: (network: Network) => Effect.Effect<Option.Option<BlockPoint>, SqlError>
  readonly record: (network: Network, block: BlockPoint) => Effect.Effect<void, SqlError>
  /**
   * Lists the blocks of wallets' newest final transactions that are above a block, -1 for all of them: the lowest
   * blocks, each with all of its wallets, by height.
   */
  readonly newestFinal: (
    network: Network,
    above: bigint,
    maxBlocks: number
  ) => Effect.Effect<ReadonlyArray<WalletPoint>, SqlError>
}>()("vault-trader/core/gas-wallet/FinalCheckpointStore") {
  static readonly layer = Layer.effect(
    FinalCheckpointStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      read: (network) =>
        sql`select number::text as number, hash from final_checkpoints where network = ${network}`.pipe(
          Effect.flatMap((rows) => Effect.orDie(decodePoints(rows))),
          Effect.map(([block]) => Option.fromNullishOr(block))
        ),
      record: (network, { hash, number }) =>
        Effect.asVoid(sql`insert into final_checkpoints (network, number, hash)
          values (${network}, ${number.toString()}::bigint, ${hash})
          on conflict (network) do update set number = excluded.number, hash = excluded.hash, updated_at = now()`),
      newestFinal: (network, above, maxBlocks) =>
        Effect.flatMap(
          sql`select wallet, number::text as number, hash from (
              select *, dense_rank() over (order by number) as rank from (
                select w.address as wallet, (f.receipt ->> 'blockNumber')::bigint as number,
                  f.receipt ->> 'blockHash' as hash
                from gas_wallets w cross join lateral (select s.receipt from submissions s
                  where s.network = ${network} and s.wallet = w.address and s.status = 'final'
                  order by s.nonce desc limit 1) f) newest
              where number > ${above.toString()}::bigint) ranked
            where rank <= ${maxBlocks} order by number`,
          (rows) => Effect.orDie(decodeWalletPoints(rows))
        )
    }))
  )
}
