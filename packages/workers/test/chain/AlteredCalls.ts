/** Nodes that answer calls of the multicall wrongly. */
import type { Hex } from "@vault-trader/core/chain/Address"
import type { Request } from "@vault-trader/testing/test-chain/Rpc"
import * as Effect from "effect/Effect"
import { decodeFunctionData, decodeFunctionResult, encodeFunctionResult } from "viem"
import { multicall3Abi } from "../../src/chain/Multicall3.ts"

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

/** Changes the results of calls inside the multicall; a call for which `change` returns nothing keeps its result. */
export const altered =
  (request: Request, change: (call: InnerCall, result: InnerResult) => InnerResult | undefined): Request =>
  (method, params) =>
    Effect.map(request(method, params), (answer) => {
      if (method !== "eth_call") return answer
      const [{ data }] = params as [{ readonly data: Hex }]
      const abi = multicall3Abi
      const { args } = decodeFunctionData({ abi, data })
      const results = decodeFunctionResult({ abi, functionName: "aggregate3", data: answer as Hex })
      const calls = (args ?? [[]])[0] as ReadonlyArray<{ readonly target: string; readonly callData: Hex }>
      return encodeFunctionResult({
        abi,
        functionName: "aggregate3",
        result: results.map((result, index) => {
          const call = calls[index]!
          return change({ target: call.target.toLowerCase(), data: call.callData }, result) ?? result
        })
      })
    })

/** Multiplies the number that a function returns about an address. */
export const multiplied = (
  selectors: ReadonlyArray<Hex>,
  about: string,
  factor: bigint
): Parameters<typeof altered>[1] =>
({ data }, { returnData, success }) =>
  selectors.includes(data.slice(0, 10) as Hex) && data.endsWith(about.slice(2))
    ? { success, returnData: `0x${(BigInt(returnData) * factor).toString(16).padStart(64, "0")}` }
    : undefined
