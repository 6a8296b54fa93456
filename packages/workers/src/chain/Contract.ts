/** Contract reads as values: where, with which bytes, and how the answer decodes. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Result from "effect/Result"
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeFunctionData,
  type EncodeFunctionDataParameters,
  type DecodeFunctionResultParameters
} from "viem"

/** A read of one contract function. `decode` throws nothing: bytes that do not fit are a `Failure`. */
export interface Read<A> {
  readonly to: Address
  readonly data: Hex
  readonly decode: (bytes: Hex) => Result.Result<A, string>
}

/** A read of `functionName`, typed by its ABI (also for functions that are only ever simulated, as quoters are). */
export const read = <
  const abi extends Abi,
  name extends ContractFunctionName<abi>,
  const args extends ContractFunctionArgs<abi, "view" | "pure" | "nonpayable" | "payable", name>
>(abi: abi, to: Address, functionName: name, args: args): Read<
  ContractFunctionReturnType<abi, "view" | "pure" | "nonpayable" | "payable", name, args>
> => ({
  to,
  data: encodeFunctionData({ abi, functionName, args } as unknown as EncodeFunctionDataParameters),
  decode: (bytes) =>
    Result.try({
      try: () =>
        decodeFunctionResult({ abi, functionName, args, data: bytes } as unknown as DecodeFunctionResultParameters) as
          ContractFunctionReturnType<abi, "view" | "pure" | "nonpayable" | "payable", name, args>,
      catch: () => bytes === "0x" ? "no contract answers there" : "the answer does not fit the function"
    })
})

/** viem spells addresses with checksums; ours are lower-case. */
export const lower = (address: string): Address => address.toLowerCase() as Address
