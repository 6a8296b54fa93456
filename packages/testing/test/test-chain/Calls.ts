/** The engine's calls to a chain, encoded by viem: the model's own codec must not verify itself. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { concatHex, decodeFunctionResult, encodeFunctionData, numberToHex, parseAbi } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { multicall3Abi } from "@vault-trader/workers/chain/Multicall3"
import type { Request } from "../../src/test-chain/Rpc.ts"

export const factoryAbi = parseAbi([
  "function isPool(address) view returns (bool)",
  "function isPaused() view returns (bool)",
  "function tradingPausedPools(address) view returns (bool)",
  "function isValidAsset(address) view returns (bool)",
  "function getAssetPrice(address) view returns (uint256)",
  "function getAssetType(address) view returns (uint16)",
  "function getContractGuard(address) view returns (address)"
])
export const poolAbi = parseAbi([
  "struct TxToExecute { address to; bytes data; }",
  "function execTransaction(address to, bytes data) returns (bool)",
  "function execTransactions(TxToExecute[] txs)",
  "function poolManagerLogic() view returns (address)"
])
export const managerLogicAbi = parseAbi([
  "struct Asset { address asset; bool isDeposit; }",
  "function manager() view returns (address)",
  "function trader() view returns (address)",
  "function setTrader(address)",
  "function getSupportedAssets() view returns (Asset[])",
  "function isSupportedAsset(address) view returns (bool)",
  "function getFundComposition() view returns (Asset[] assets, uint256[] balances, uint256[] rates)",
  "function assetBalance(address) view returns (uint256)",
  "function assetDecimal(address) view returns (uint256)",
  "function assetValue(address) view returns (uint256)"
])
export const tokenAbi = parseAbi([
  "function symbol() view returns (string)",
  "function decimals() view returns (uint8)",
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function approve(address spender, uint256 amount) returns (bool)",
  "function transfer(address to, uint256 amount) returns (bool)"
])
export const quoterAbi = parseAbi([
  "function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] sqrtPriceX96AfterList, uint32[] initializedTicksCrossedList, uint256 gasEstimate)"
])
export const routerAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct Along { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(Single params) payable returns (uint256 amountOut)",
  "function exactInput(Along params) payable returns (uint256 amountOut)",
  "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)"
])

export interface Call {
  readonly to: Address
  readonly data: Hex
}

/** Token, fee, token, fee, token … */
export const path = (first: Address, ...hops: ReadonlyArray<readonly [fee: number, to: Address]>): Hex =>
  concatHex([first, ...hops.flatMap(([fee, to]) => [numberToHex(fee, { size: 3 }), to])])

export const never = 2n ** 40n

export interface Swap {
  readonly router: Address
  readonly from: Address
  readonly to: Address
  readonly amountIn: bigint
  readonly recipient: Address
  readonly fee?: number
  readonly least?: bigint
  readonly deadline?: bigint
}

export const single = ({ amountIn, fee = 500, from, least = 0n, recipient, to }: Omit<Swap, "router">): Hex =>
  encodeFunctionData({
    abi: routerAbi,
    functionName: "exactInputSingle",
    args: [{ tokenIn: from, tokenOut: to, fee, recipient, amountIn, amountOutMinimum: least, sqrtPriceLimitX96: 0n }]
  })

export const withDeadline = (deadline: bigint, ...calls: ReadonlyArray<Hex>): Hex =>
  encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [deadline, calls] })

export const swap = ({ deadline = never, ...rest }: Swap): Call => ({
  to: rest.router,
  data: withDeadline(deadline, single(rest))
})

export const approve = (token: Address, spender: Address, amount: bigint): Call => ({
  to: token,
  data: encodeFunctionData({ abi: tokenAbi, functionName: "approve", args: [spender, amount] })
})

export const transfer = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [to, amount] })

export const through = (pool: Address, ...calls: ReadonlyArray<Call>): Call => {
  const [only] = calls
  return {
    to: pool,
    data: calls.length === 1 && only !== undefined
      ? encodeFunctionData({ abi: poolAbi, functionName: "execTransaction", args: [only.to, only.data] })
      : encodeFunctionData({ abi: poolAbi, functionName: "execTransactions", args: [calls] })
  }
}

const Bytes = Schema.TemplateLiteral(["0x", Schema.String])

/** Encodes many reads in one call; decodes the success and bytes of each. */
export const readAll = (request: Request, multicall3: Address, calls: ReadonlyArray<Call>, block: string = "latest") =>
  request("eth_call", [{
    to: multicall3,
    data: encodeFunctionData({
      abi: multicall3Abi,
      functionName: "aggregate3",
      args: [calls.map(({ data, to }) => ({ target: to, allowFailure: true, callData: data }))]
    })
  }, block]).pipe(
    Effect.flatMap((answer) => Effect.orDie(Schema.decodeUnknownEffect(Bytes)(answer))),
    Effect.map((data) => decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data }))
  )

export const number = (answer: unknown): bigint => typeof answer === "string" ? BigInt(answer) : -1n
