/** Contract reads as values: the address, the calldata, and the decoder of the result. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Result from "effect/Result"
import {
  type Abi,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  type EncodeFunctionDataParameters,
  type DecodeFunctionResultParameters
} from "viem"
import * as Calldata from "./Calldata.ts"

/** A read of one contract function. `decode` never throws: bytes that do not match the function are a `Failure`. */
export interface Read<A> {
  readonly to: Address
  readonly data: Hex
  readonly decode: (bytes: Hex) => Result.Result<A, string>
}

/** The failure of one read among several: its revert data, or a text. */
export interface ReadFailure {
  readonly data: string | undefined
  readonly reason: string
}

/** Reads that are made together, and their results in the same order. */
export type Reads = ReadonlyArray<Read<unknown>>
export type Results<R extends Reads> = {
  readonly [K in keyof R]: R[K] extends Read<infer A> ? Result.Result<A, ReadFailure> : never
}

/**
 * Builds a read of `functionName`, typed by its ABI; also for functions that are only simulated, as those of quoters.
 */
export const read = <
  const abi extends Abi,
  name extends ContractFunctionName<abi>,
  const args extends ContractFunctionArgs<abi, "view" | "pure" | "nonpayable" | "payable", name>
>(abi: abi, to: Address, functionName: name, args: args): Read<
  ContractFunctionReturnType<abi, "view" | "pure" | "nonpayable" | "payable", name, args>
> => ({
  to,
  data: Calldata.encode({ abi, functionName, args } as unknown as EncodeFunctionDataParameters),
  decode: (bytes) =>
    Result.try({
      try: () =>
        decodeFunctionResult(
          { abi, functionName, args, data: bytes } as unknown as DecodeFunctionResultParameters
        ) as ContractFunctionReturnType<abi, "view" | "pure" | "nonpayable" | "payable", name, args>,
      catch: () => bytes === "0x" ? "there is no contract at this address" : "the result does not match the function"
    })
})

/** Converts viem's checksummed address to our lower-case form. */
export const lower = (address: string): Address => address.toLowerCase() as Address
