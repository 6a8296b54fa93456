/** 1inch's aggregation router V6 through its swap API: one request returns both the quote and the calldata. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi, toHex } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import * as AggregatorCalldata from "./AggregatorCalldata.ts"
import { NoQuote } from "./NoQuote.ts"
import type { Quote, QuoteRequest, Swap, Venue } from "./Venue.ts"
import { type Api, AggregatorClient } from "./AggregatorClient.ts"

const api: Api = { venue: "1inch", authorise: (key) => ({ authorization: `Bearer ${key}` }) }

const routerAbi = parseAbi([
  "struct SwapDescription { address srcToken; address dstToken; address srcReceiver; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; }",
  "function swap(address executor, SwapDescription desc, bytes data) payable returns (uint256 returnAmount, uint256 spentAmount)",
  "function unoswap(uint256 token, uint256 amount, uint256 minReturn, uint256 dex) returns (uint256 returnAmount)",
  "function unoswap2(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2) returns (uint256 returnAmount)",
  "function unoswap3(uint256 token, uint256 amount, uint256 minReturn, uint256 dex, uint256 dex2, uint256 dex3) returns (uint256 returnAmount)"
])
const poolAbi = parseAbi(["function token0() view returns (address)", "function token1() view returns (address)"])

const Answer = Schema.Struct({
  dstAmount: AggregatorCalldata.Amount,
  tx: Schema.Struct({
    to: AggregatorCalldata.AnyAddress,
    data: AggregatorCalldata.Bytes,
    value: AggregatorCalldata.Amount
  })
})

/** Refused flags of `swap`: partial fill, native token required, transfer through Permit2. */
const unsupportedSwapFlags = 0b111n

/** Refused flags of a leg of `unoswap`: unwrapped output, native token input, transfer through Permit2. */
const unsupportedPoolFlags = 0b111n << 250n
/** Supported pool kinds: Uniswap V2 and V3. Other kinds name their tokens differently. */
const poolKinds: ReadonlyArray<bigint> = [0n, 1n]
const isPlain = (leg: bigint) => (leg & unsupportedPoolFlags) === 0n && poolKinds.includes(leg >> 253n)
const poolOf = (leg: bigint): Address => toHex(leg & (2n ** 160n - 1n), { size: 20 })
const sellsToken0 = (leg: bigint) => (leg >> 247n & 1n) === 1n

/** Returns the legs of an `unoswap` in order; empty for other calls. */
const legsOf = (data: Hex): ReadonlyArray<bigint> => {
  const call = Calldata.readLoosely(routerAbi, data)
  return call === undefined || call.functionName === "swap" ? [] : call.args.slice(3)
}

const decode = (data: Hex): Swap | undefined => {
  const call = Calldata.read(routerAbi, data)
  if (call === undefined) return undefined
  if (call.functionName === "swap") {
    const [, { amount, dstReceiver, dstToken, flags, minReturnAmount, srcToken }] = call.args
    return (flags & unsupportedSwapFlags) !== 0n || amount === 0n ? undefined : {
      tokenIn: Contract.lower(srcToken),
      amountIn: amount,
      tokenOut: Contract.lower(dstToken),
      minOut: minReturnAmount,
      receiver: Contract.lower(dstReceiver)
    }
  }
  const [token, amountIn, minOut] = call.args
  if (amountIn === 0n || token >= 2n ** 160n || !legsOf(data).every(isPlain)) return undefined
  return { tokenIn: toHex(token, { size: 20 }), amountIn, tokenOut: null, minOut, receiver: null }
}

const draftOf = (data: Hex): AggregatorCalldata.EditableSwap | undefined => {
  const call = Calldata.readLoosely(routerAbi, data)
  switch (call?.functionName) {
    case "swap": {
      const [executor, desc, inner] = call.args
      return {
        minOut: desc.minReturnAmount,
        withMinOut: (minReturnAmount) =>
          encodeFunctionData({
            abi: routerAbi,
            functionName: "swap",
            args: [executor, { ...desc, minReturnAmount }, inner]
          })
      }
    }
    case "unoswap": {
      const [token, amount, minOut, ...legs] = call.args
      return {
        minOut,
        withMinOut: (minOut) =>
          encodeFunctionData({ abi: routerAbi, functionName: "unoswap", args: [token, amount, minOut, ...legs] })
      }
    }
    case "unoswap2": {
      const [token, amount, minOut, ...legs] = call.args
      return {
        minOut,
        withMinOut: (minOut) =>
          encodeFunctionData({ abi: routerAbi, functionName: "unoswap2", args: [token, amount, minOut, ...legs] })
      }
    }
    case "unoswap3": {
      const [token, amount, minOut, ...legs] = call.args
      return {
        minOut,
        withMinOut: (minOut) =>
          encodeFunctionData({ abi: routerAbi, functionName: "unoswap3", args: [token, amount, minOut, ...legs] })
      }
    }
    default:
      return undefined
  }
}

/**
 * Returns the token bought by selling through these pools in order; `undefined` when a pool does not trade its input
 * token.
 */
const outputOf = (chain: ChainClient, sold: Address, legs: ReadonlyArray<bigint>) =>
  legs.length === 0 ? Effect.succeed(undefined) : Effect.map(
    Effect.mapError(
      chain.readAll(legs.flatMap((leg) => [
        Contract.read(poolAbi, poolOf(leg), "token0", []),
        Contract.read(poolAbi, poolOf(leg), "token1", [])
      ])),
      unavailable
    ),
    (tokens) =>
      legs.reduce<Address | undefined>((token, leg, index) => {
        const [token0, token1] = tokens.slice(index * 2, index * 2 + 2).map(Result.getOrUndefined)
        const [takes, pays] = sellsToken0(leg) ? [token0, token1] : [token1, token0]
        return pays !== undefined && takes?.toLowerCase() === token ? Contract.lower(pays) : undefined
      }, sold)
  )

const swapRequest = ({ amountIn, chain, slippage, tokenIn, tokenOut, vault }: QuoteRequest) =>
  HttpClientRequest.get(`/swap/v6.0/${chain.book.chainId}/swap`, {
    urlParams: {
      src: tokenIn.address,
      dst: tokenOut.address,
      amount: amountIn.toString(),
      from: vault,
      receiver: vault,
      slippage: String(slippage),
      // The API's simulation would use a contract as sender.
      disableEstimate: "true",
      usePermit2: "false"
    }
  })

export const OneInch: Venue = {
  name: "1inch",
  router: (chain) => chain.book.aggregators["1inch"]?.router,
  open: (chain, wallet) => Effect.flatMap(AggregatorClient, ({ open }) => open(api, chain.book, wallet)),
  decode,
  quote: (request) =>
    Effect.gen(function*() {
      const { chain, tokenIn, tokenOut } = request
      const router = OneInch.router(chain)
      if (router === undefined) return yield* new NoQuote({ reason: "not available on this network" })
      const ask = yield* (yield* AggregatorClient).open(api, chain.book, request.wallet)
      const { dstAmount, tx } = yield* ask(Answer, swapRequest(request))
      return {
        router,
        amountOut: dstAmount,
        route: [tokenIn.symbol, tokenOut.symbol],
        build: (minOut) =>
          Effect.flatMap(outputOf(chain, tokenIn.address, legsOf(tx.data)), (bought) =>
            AggregatorCalldata.verify({
              request,
              venue: OneInch,
              router,
              handout: tx,
              draft: draftOf(tx.data),
              bought,
              minOut
            }))
      } satisfies Quote
    })
}
