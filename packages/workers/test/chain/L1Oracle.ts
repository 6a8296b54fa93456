/** Nodes of an OP-stack network: endpoints of a test chain that also has the oracle of the L1 data fee. */
import type { Hex } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import { decodeFunctionData, decodeFunctionResult, encodeFunctionResult, parseAbi, size } from "viem"
import { gasPriceOracle } from "../../src/chain/DataFee.ts"
import { multicall3Abi } from "../../src/chain/Multicall3.ts"
import type { RpcEndpoint } from "../../src/chain/RpcEndpoint.ts"

const oracleAbi = parseAbi(["function getL1Fee(bytes transaction) view returns (uint256)"])

const bytesOf = (data: Hex): bigint => BigInt(size(decodeFunctionData({ abi: oracleAbi, data }).args[0]))

/** Replaces the results of calls to the oracle's address, at which the test chain has no contract. */
const withFees = (data: Hex, answer: Hex, feeOf: (bytes: bigint) => bigint): Hex => {
  const { args, functionName } = decodeFunctionData({ abi: multicall3Abi, data })
  if (functionName !== "aggregate3") return answer
  const results = decodeFunctionResult({ abi: multicall3Abi, functionName, data: answer })
  return encodeFunctionResult({
    abi: multicall3Abi,
    functionName,
    result: results.map((result, index) => {
      const call = args[0][index]!
      return call.target.toLowerCase() === gasPriceOracle
        ? {
          success: true,
          returnData: encodeFunctionResult({
            abi: oracleAbi,
            functionName: "getL1Fee",
            result: feeOf(bytesOf(call.callData))
          })
        }
        : result
    })
  })
}

/** The endpoint with an oracle that charges this much for a transaction of so many bytes. */
export const withOracle = (
  endpoint: Pick<RpcEndpoint, "name" | "score" | "send">,
  feeOf: (bytes: bigint) => bigint
): RpcEndpoint => ({
  name: endpoint.name,
  score: endpoint.score,
  send: (call) =>
    Effect.map(endpoint.send(call), (answer) => {
      const [request] = call.params as ReadonlyArray<{ readonly data?: Hex }>
      return call.method === "eth_call" && request?.data?.startsWith("0x82ad56cb") === true
        ? withFees(request.data, answer as Hex, feeOf)
        : answer
    })
})
