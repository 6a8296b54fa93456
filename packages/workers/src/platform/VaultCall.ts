/** Calls that a vault makes, and the transaction that carries them. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { poolAbi } from "./PlatformAbi.ts"
import * as Calldata from "../chain/Calldata.ts"

/** A call that the vault makes to another contract. */
export interface VaultCall {
  readonly to: Address
  readonly data: Hex
}

/**
 * Encodes the single transaction that a gas wallet sends to the vault for these calls: all of them are executed, or
 * none.
 */
export const throughVault = (calls: ReadonlyArray<VaultCall>): Hex => {
  const [only] = calls
  return calls.length === 1 && only !== undefined
    ? Calldata.encode({ abi: poolAbi, functionName: "execTransaction", args: [only.to, only.data] })
    : Calldata.encode({ abi: poolAbi, functionName: "execTransactions", args: [calls] })
}
