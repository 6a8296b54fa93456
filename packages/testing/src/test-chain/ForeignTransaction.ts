/** A transaction that another program sends with a key the engine has too. */
import type * as Effect from "effect/Effect"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { type Blocks, nextBaseFee } from "./Blocks.ts"
import * as Mempool from "./Mempool.ts"
import * as Transaction from "./Transaction.ts"

/**
 * Fees default to enough to replace a transaction waiting at the nonce, and are ample otherwise. Without a receiver it
 * goes to its sender.
 */
export interface Foreign {
  /** Defaults to the next nonce after chain and mempool. */
  readonly nonce?: bigint
  readonly to?: Address
  readonly value?: bigint
  readonly data?: Hex
  readonly gas?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
}

const gwei = 1_000_000_000n

/**
 * Returns a quarter more than the transaction waiting at the nonce pays, and at least twice the base fee and a gwei.
 */
const ampleFees = (blocks: Blocks, from: Address, nonce: bigint) => {
  const waiting = Mempool.of(blocks.mempool, from).find(({ transaction }) => transaction.nonce === nonce)?.transaction
  const more = (fee: bigint | undefined, minimum: bigint) =>
    fee === undefined || fee * 5n / 4n < minimum ? minimum : fee * 5n / 4n + 1n
  return {
    maxPriorityFeePerGas: more(waiting?.maxPriorityFeePerGas, gwei),
    maxFeePerGas: more(waiting?.maxFeePerGas, nextBaseFee(blocks) * 2n + gwei)
  }
}

/** Returns the signed bytes. */
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
