/** Decodes calldata. */
import type { Hex } from "@vault-trader/core/chain/Address"
import * as Result from "effect/Result"
import {
  type Abi,
  decodeFunctionData,
  type DecodeFunctionDataReturnType,
  encodeFunctionData,
  type EncodeFunctionDataParameters
} from "viem"

/**
 * Returns the function of `abi` that these bytes call, and its arguments. `undefined` for any other bytes, and for
 * bytes that are not the canonical encoding: a contract may decode those differently, so our decoding cannot be relied
 * on.
 */
export const read = <const abi extends Abi>(abi: abi, data: Hex): DecodeFunctionDataReturnType<abi> | undefined =>
  Result.getOrUndefined(Result.try(() => {
    const call = decodeFunctionData({ abi, data })
    const encoded = encodeFunctionData(
      { abi, functionName: call.functionName, args: call.args } as unknown as EncodeFunctionDataParameters
    )
    return encoded === data.toLowerCase() ? call : undefined
  }))

/** The same for any encoding. For calldata from third parties, which is encoded again before it is used. */
export const readLoosely = <const abi extends Abi>(
  abi: abi,
  data: Hex
): DecodeFunctionDataReturnType<abi> | undefined =>
  Result.getOrUndefined(Result.try(() => decodeFunctionData({ abi, data })))
