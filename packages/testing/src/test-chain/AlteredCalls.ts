/** Nodes that answer calls of the multicall wrongly. */
import type { Hex } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import { decodeFunctionData, decodeFunctionResult, encodeFunctionResult, toFunctionSelector } from "viem"
import { multicall3Abi } from "@vault-trader/workers/chain/Multicall3"
import type { Request } from "./Rpc.ts"

/** A call inside the multicall. */
interface InnerCall {
  readonly target: string
  /** The function's selector with its arguments. */
  readonly data: Hex
}

interface InnerResult {
  readonly success: boolean
  readonly returnData: Hex
}

/** Changes the result of a call inside the multicall; without a result the call keeps its own. */
export type Change = (call: InnerCall, result: InnerResult) => InnerResult | undefined

/** The selector of the multicall's `aggregate3`. */
export const aggregate3 = toFunctionSelector("aggregate3((address,bool,bytes)[])")

/** Changes the results of the calls inside a multicall. */
export const alterAnswer = (data: Hex, answer: Hex, change: Change): Hex => {
  const abi = multicall3Abi
  const { args } = decodeFunctionData({ abi, data })
  const results = decodeFunctionResult({ abi, functionName: "aggregate3", data: answer })
  const calls = (args ?? [[]])[0] as ReadonlyArray<{ readonly target: string; readonly callData: Hex }>
  return encodeFunctionResult({
    abi,
    functionName: "aggregate3",
    result: results.map((result, index) => {
      const call = calls[index]!
      return change({ target: call.target.toLowerCase(), data: call.callData }, result) ?? result
    })
  })
}

/** Builds a node that changes the results of calls inside the multicall. */
export const altered = (request: Request, change: Change): Request => (method, params) =>
  Effect.map(request(method, params), (answer) => {
    if (method !== "eth_call") return answer
    const [{ data }] = params as [{ readonly data: Hex }]
    return data.startsWith(aggregate3) ? alterAnswer(data, answer as Hex, change) : answer
  })

/** Multiplies the number that these functions return about an address. */
export const multiplied =
  (selectors: ReadonlyArray<Hex>, about: string, factor: bigint): Change => ({ data }, { returnData, success }) =>
    selectors.some((selector) => data.startsWith(selector)) && data.endsWith(about.slice(2))
      ? { success, returnData: `0x${(BigInt(returnData) * factor).toString(16).padStart(64, "0")}` }
      : undefined
