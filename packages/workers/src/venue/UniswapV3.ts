/**
 * Uniswap V3 through SwapRouter02, quoted by the on-chain QuoterV2: direct pools and one hop over USDC or the wrapped
 * native token.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import * as Effect from "effect/Effect"
import { parseAbi, size, slice } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import * as PathQuote from "./PathQuote.ts"
import * as UniswapV3Path from "./UniswapV3Path.ts"
import { NoQuote } from "./NoQuote.ts"
import type { Quote, Swap, Venue } from "./Venue.ts"
import { AggregatorClient } from "./AggregatorClient.ts"

const routerAbi = parseAbi([
  "struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct ExactInputParams { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)",
  "function exactInput(ExactInputParams params) payable returns (uint256 amountOut)",
  "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[] results)"
])

const calldata = (
  tokenIn: Token,
  path: UniswapV3Path.Path,
  amountIn: bigint,
  vault: Address,
  minOut: bigint,
  deadline: bigint
): Hex => {
  const [only] = path
  const swap = path.length === 1 && only !== undefined
    ? Calldata.encode({
      abi: routerAbi,
      functionName: "exactInputSingle",
      args: [{
        tokenIn: tokenIn.address,
        tokenOut: only.to.address,
        fee: only.fee,
        recipient: vault,
        amountIn,
        amountOutMinimum: minOut,
        sqrtPriceLimitX96: 0n
      }]
    })
    : Calldata.encode({
      abi: routerAbi,
      functionName: "exactInput",
      args: [{
        path: UniswapV3Path.encode(tokenIn.address, path),
        recipient: vault,
        amountIn,
        amountOutMinimum: minOut
      }]
    })
  // The platform's guard accepts SwapRouter02's multicall with exactly one inner call; only that form carries a
  // deadline.
  return Calldata.encode({ abi: routerAbi, functionName: "multicall", args: [deadline, [swap]] })
}

/**
 * Returns the first and last token of a path of 20 bytes per token and 3 per fee between them; `undefined` for another
 * length.
 */
const endsOf = (path: Hex): readonly [Address, Address] | undefined =>
  size(path) >= 43 && (size(path) - 20) % 23 === 0
    ? [Contract.lower(slice(path, 0, 20)), Contract.lower(slice(path, size(path) - 20))]
    : undefined

const decode = (data: Hex): Swap | undefined => {
  const outer = Calldata.read(routerAbi, data)
  if (outer?.functionName !== "multicall" || outer.args[1].length !== 1) return undefined
  const inner = outer.args[1][0] === undefined ? undefined : Calldata.read(routerAbi, outer.args[1][0])
  if (inner?.functionName !== "exactInputSingle" && inner?.functionName !== "exactInput") return undefined
  const [params] = inner.args
  const { amountIn, amountOutMinimum: minOut, recipient } = params
  const [tokenIn, tokenOut] = "path" in params
    ? endsOf(params.path) ?? []
    : [Contract.lower(params.tokenIn), Contract.lower(params.tokenOut)]
  // The router treats an amount of 0 as its whole balance of the token.
  if (tokenIn === undefined || tokenOut === undefined || amountIn === 0n) return undefined
  return { tokenIn, amountIn, tokenOut, minOut, receiver: Contract.lower(recipient) }
}

const open: Venue["open"] = (chain, wallet) =>
  Effect.flatMap(AggregatorClient, ({ refuseBanned }) => refuseBanned("uniswapV3", chain.book, wallet))

export const UniswapV3 = {
  name: "uniswapV3",
  router: (chain) => chain.book.uniswapV3?.router,
  open,
  decode,
  quote: (request) =>
    Effect.gen(function*() {
      const { chain, tokenIn, amountIn, vault } = request
      const deployment = chain.book.uniswapV3
      if (deployment === undefined) return yield* new NoQuote({ reason: "not deployed on this network" })
      const paths = UniswapV3Path.candidates(request)
      yield* open(chain, request.wallet)
      const encodePath = (path: (typeof paths)[number]) => UniswapV3Path.encode(tokenIn.address, path)
      const best = yield* PathQuote.best(chain, deployment.quoter, paths, encodePath, amountIn)
      return {
        router: deployment.router,
        amountOut: best.amountOut,
        route: UniswapV3Path.routeOf(tokenIn, best.path),
        build: (minOut, deadline) => Effect.sync(() => calldata(tokenIn, best.path, amountIn, vault, minOut, deadline))
      } satisfies Quote
    })
} satisfies Venue
