/** Lies of a node that last for a while, each as data. A lying node is consistent: the same question, the same lie. */
import type { Hex } from "@vault-trader/core/chain/Address"
import * as Data from "effect/Data"

export type Lie = Data.TaggedEnum<{
  /** The node rebuilds its index: no receipt and no transaction is found by its hash. */
  EmptyIndex: {}
  /**
   * The node left the chain `depth` blocks ago and follows its own branch: receipts of blocks that the chain does not
   * have, other hashes of blocks. With `keep`, the transactions of the blocks that it left are mined on its branch. With
   * `foreignBy`, another program has used this key there, at the first nonce that these transactions leave free.
   */
  Fork: { readonly depth: number; readonly keep: boolean; readonly foreignBy?: Hex }
  /** Every transaction count is wrong by this number, at every block. */
  WrongNonce: { readonly by: bigint }
  /** The node has the state of its newest `blocks` blocks only. */
  NoHistory: { readonly blocks: number }
  /** Tokens have so many decimals more or fewer, and the oracle's prices are multiplied. */
  WrongNumbers: { readonly decimals: number; readonly priceTimes: bigint }
  /**
   * The node came back from a restart on another chain; with `copied`, on one that was copied from the chain with all
   * its transactions.
   */
  OtherChain: { readonly chainId: number; readonly copied: boolean }
}>
export const Lie = Data.taggedEnum<Lie>()
