/** Decodes from a call's bytes alone what it does with the vault's assets. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Calldata from "../chain/Calldata.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import type { VaultCall } from "./VaultCall.ts"
import { poolAbi } from "./PlatformAbi.ts"

export interface Movement {
  /** Maximum amounts that leave the vault, in smallest units. */
  readonly gives: ReadonlyArray<{ readonly token: Address; readonly amount: bigint }>
  /** Receiver of the proceeds; null when there are none, or when the vault receives them as the caller. */
  readonly receiver: Address | null
  /** Other vaults that the call affects in any way. */
  readonly vaults?: ReadonlyArray<Address>
  /**
   * The one asset that the call lets a vault hold, or no longer hold. The wallet makes such a call at the vault's
   * manager contract, by its own right as the vault's trader or manager.
   */
  readonly changedAsset?: Address
}

/** Decodes one call of a kind of request; `undefined` for calls that this kind of request never makes. */
export type MovementDecoder = (chain: ChainClient, call: VaultCall) => Movement | undefined

/** Returns the calls of a transaction to a vault that `throughVault` has encoded; `undefined` for any other bytes. */
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
