/** A transaction somebody else makes with a key the engine has too. */
import type * as Effect from "effect/Effect"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { type Blocks, nextBaseFee } from "./Blocks.ts"
import * as Mempool from "./Mempool.ts"
import * as Transaction from "./Transaction.ts"

/** Fees replace what waits at the nonce, else are ample. Without a receiver it goes to its sender. */
export interface Foreign {
  /** The next one of chain and mempool when absent. */
  readonly nonce?: bigint
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Hex
  readonly gas?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
}

const gwei = 1_000_000_000n

/** A fourth more than what waits at the nonce, and no less than twice the base fee and a gwei. */
const ampleFees = (blocks: Blocks, from: Address, nonce: bigint) => {
  const waits = Mempool.of(blocks.mempool, from).find(({ transaction }) => transaction.nonce === nonce)?.transaction
  const more = (fee: bigint | undefined, least: bigint) => fee === undefined || fee * 5n / 4n < least ? least : fee * 5n / 4n + 1n
  return {
    maxPriorityFeePerGas: more(waits?.maxPriorityFeePerGas, gwei),
    maxFeePerGas: more(waits?.maxFeePerGas, nextBaseFee(blocks) * 2n + gwei)
  }
}

/** The signed bytes. */
export const sign = (blocks: Blocks, privateKey: Hex, foreign: Foreign): Effect.Effect<Hex> => {
  const from = Transaction.addressOf(privateKey)
  const nonce = foreign.nonce ?? Mempool.pendingNonce(blocks.mempool, blocks.head.world, from)
  return Transaction.sign(privateKey, {
    chainId: blocks.chainId,
    to: from,
    value: 0n,
    data: "0x",
    gas: foreign.data === undefined ? 21_000n : 1_000_000n,
    ...ampleFees(blocks, from, nonce),
    ...foreign,
    nonce
  })
}
