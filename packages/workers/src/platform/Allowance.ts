/** Allowances of a vault's assets, and the calls that change them. */
import type { Address } from "@vault-trader/core/chain/Address"
import { erc20 } from "../chain/Tokens.ts"
import type { VaultCall } from "./VaultCall.ts"
import * as Calldata from "../chain/Calldata.ts"

/**
 * Returns the vault's calls after which `spender` may take exactly `wanted` of the token; amounts in smallest units.
 */
export const set = (token: Address, spender: Address, current: bigint, wanted: bigint): ReadonlyArray<VaultCall> => {
  const approve = (amount: bigint) => ({
    to: token,
    data: Calldata.encode({ abi: erc20, functionName: "approve", args: [spender, amount] })
  })
  // USDT on Ethereum, and tokens modelled on it, refuse to change one nonzero allowance to another: it must be set to
  // zero first.
  return current === 0n || wanted === 0n ? [approve(wanted)] : [approve(0n), approve(wanted)]
}
