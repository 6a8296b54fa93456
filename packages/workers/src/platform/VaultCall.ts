/** Calls that a vault makes, and the transaction that carries them. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { encodeFunctionData } from "viem"
import { poolAbi } from "./PlatformAbi.ts"

/** A call the vault makes to somebody else. */
export interface VaultCall {
  readonly to: Address
  readonly data: Hex
}

/** The one transaction a gas wallet sends to the vault for these calls: all of them happen, or none. */
export const throughVault = (calls: ReadonlyArray<VaultCall>): Hex => {
  const [only] = calls
  return calls.length === 1 && only !== undefined
    ? encodeFunctionData({ abi: poolAbi, functionName: "execTransaction", args: [only.to, only.data] })
    : encodeFunctionData({ abi: poolAbi, functionName: "execTransactions", args: [calls] })
}
