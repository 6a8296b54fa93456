/**
 * QuickSwap on polygon through Algebra's router, quoted by its on-chain quoter: pools without fee tiers, paths of
 * addresses only.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import type { TokenEntry } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import { concatHex, parseAbi, size, slice } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import * as PathQuote from "./PathQuote.ts"
import { NoQuote } from "./NoQuote.ts"
import type { Quote, QuoteRequest, Swap, Venue } from "./Venue.ts"
import { AggregatorClient } from "./AggregatorClient.ts"

const routerAbi = parseAbi([
  "struct ExactInputSingleParams { address tokenIn; address tokenOut; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 limitSqrtPrice; }",
  "struct ExactInputParams { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(ExactInputSingleParams params) payable returns (uint256 amountOut)",
  "function exactInput(ExactInputParams params) payable returns (uint256 amountOut)"
])

/** The tokens of a path after the sold one. */
type Path = ReadonlyArray<Pick<TokenEntry, "address" | "symbol">>

const encodePath = (from: Address, path: Path): Hex => concatHex([from, ...path.map(({ address }) => address)])

/** Returns the direct path, and those with one hop over USDC or the wrapped native token. */
const candidates = ({ chain, tokenIn, tokenOut }: QuoteRequest): ReadonlyArray<Path> => {
  const middles = chain.book.tokens.filter(({ address, symbol }) =>
    (symbol.toUpperCase() === "USDC" || address === chain.book.wrappedNative) && address !== tokenIn.address &&
    address !== tokenOut.address
  )
  return [[tokenOut], ...middles.map((middle) => [middle, tokenOut])]
}

const calldata = (
  { amountIn, tokenIn, tokenOut, vault }: QuoteRequest,
  path: Path,
  amountOutMinimum: bigint,
  deadline: bigint
): Hex => {
  const common = { recipient: vault, deadline, amountIn, amountOutMinimum }
  return path.length === 1
    ? Calldata.encode({
      abi: routerAbi,
      functionName: "exactInputSingle",
      args: [{ ...common, tokenIn: tokenIn.address, tokenOut: tokenOut.address, limitSqrtPrice: 0n }]
    })
    : Calldata.encode({
      abi: routerAbi,
      functionName: "exactInput",
      args: [{ ...common, path: encodePath(tokenIn.address, path) }]
    })
}

/** Returns the first and last token of a path of 20 bytes per token; `undefined` for another length. */
const endsOf = (path: Hex): readonly [Address, Address] | undefined =>
  size(path) >= 40 && size(path) % 20 === 0
    ? [Contract.lower(slice(path, 0, 20)), Contract.lower(slice(path, size(path) - 20))]
    : undefined

const decode = (data: Hex): Swap | undefined => {
  const call = Calldata.read(routerAbi, data)
  if (call === undefined) return undefined
  const [params] = call.args
  const [tokenIn, tokenOut] = "path" in params
    ? endsOf(params.path) ?? []
    : [Contract.lower(params.tokenIn), Contract.lower(params.tokenOut)]
  if (tokenIn === undefined || tokenOut === undefined || params.amountIn === 0n) return undefined
  return {
    tokenIn,
    amountIn: params.amountIn,
    tokenOut,
    minOut: params.amountOutMinimum,
    receiver: Contract.lower(params.recipient)
  }
}

const open: Venue["open"] = (chain, wallet) =>
  Effect.flatMap(AggregatorClient, ({ refuseBanned }) => refuseBanned("quickswap", chain.book, wallet))

export const Quickswap = {
  name: "quickswap",
  router: (chain) => chain.book.quickswap?.router,
  open,
  decode,
  quote: (request) =>
    Effect.gen(function*() {
      const { amountIn, chain, tokenIn } = request
      const deployment = chain.book.quickswap
      if (deployment === undefined) return yield* new NoQuote({ reason: "not deployed on this network" })
      yield* open(chain, request.wallet)
      const paths = candidates(request)
      const encode = (path: (typeof paths)[number]) => encodePath(tokenIn.address, path)
      const best = yield* PathQuote.best(chain, deployment.quoter, paths, encode, amountIn)
      return {
        router: deployment.router,
        amountOut: best.amountOut,
        route: [
          tokenIn.symbol,
          ...best.path.map(({ symbol }) => symbol)
        ],
        build: (minOut, deadline) => Effect.sync(() => calldata(request, best.path, minOut, deadline))
      } satisfies Quote
    })
} satisfies Venue
