/** What a vault's call does with the vault's assets, told from its bytes alone. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Calldata from "../chain/Calldata.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import type { VaultCall } from "./VaultCall.ts"
import { poolAbi } from "./PlatformAbi.ts"

export interface Movement {
  /** What leaves the vault for it at most, in smallest units. */
  readonly gives: ReadonlyArray<{ readonly token: Address; readonly amount: bigint }>
  /** Who gets what comes of it; null when nothing comes of it, or the vault gets it because it is the one who calls. */
  readonly receiver: Address | null
  /** Other vaults that it does something with, whatever that is. */
  readonly vaults?: ReadonlyArray<Address>
}

/** Reads one call of a kind of request; `undefined` for calls this kind of request never makes. */
export type MovementDecoder = (chain: ChainClient, call: VaultCall) => Movement | undefined

/** The calls of a transaction to a vault, as `throughVault` joins them; `undefined` for any other bytes. */
export const callsOf = (data: Hex): ReadonlyArray<VaultCall> | undefined => {
  const call = Calldata.read(poolAbi, data)
  switch (call?.functionName) {
    case "execTransaction":
      return [{ to: Contract.lower(call.args[0]), data: call.args[1] }]
    case "execTransactions":
      return call.args[0].map((each) => ({ to: Contract.lower(each.to), data: each.data }))
    default:
      return undefined
  }
}
