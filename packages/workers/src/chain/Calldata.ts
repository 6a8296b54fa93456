/** Calldata read back into the call it is. */
import type { Hex } from "@vault-trader/core/chain/Address"
import * as Result from "effect/Result"
import { type Abi, decodeFunctionData, type DecodeFunctionDataReturnType, encodeFunctionData, type EncodeFunctionDataParameters } from "viem"

/**
 * The function of `abi` these bytes call, and its arguments. `undefined` for any other bytes, also for those that could have been
 * written in another way: what a contract makes of them is then its own affair, and nobody should rely on our reading.
 */
export const read = <const abi extends Abi>(abi: abi, data: Hex): DecodeFunctionDataReturnType<abi> | undefined =>
  Result.getOrUndefined(Result.try(() => {
    const call = decodeFunctionData({ abi, data })
    const again = encodeFunctionData({ abi, functionName: call.functionName, args: call.args } as unknown as EncodeFunctionDataParameters)
    return again === data.toLowerCase() ? call : undefined
  }))

/** The same, however the bytes are written. For what others hand out, which is written anew before anybody relies on it. */
export const readLoosely = <const abi extends Abi>(abi: abi, data: Hex): DecodeFunctionDataReturnType<abi> | undefined =>
  Result.getOrUndefined(Result.try(() => decodeFunctionData({ abi, data })))
