/** Odos's router V3 through its API: a quote under a path id, then the transaction assembled for that path. */
import type { Hex } from "@vault-trader/core/chain/Address"
import { max } from "@vault-trader/core/chain/Quantity"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import { parseAbi } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import * as AggregatorCalldata from "./AggregatorCalldata.ts"
import { NoQuote } from "./NoQuote.ts"
import type { Quote, QuoteRequest, Swap, Venue } from "./Venue.ts"
import { type Api, AggregatorClient } from "./AggregatorClient.ts"

const api: Api = { venue: "odosV3", authorise: (key) => ({ "x-api-key": key }) }

const routerAbi = parseAbi([
  "struct SwapTokenInfo { address inputToken; uint256 inputAmount; address inputReceiver; address outputToken; uint256 outputQuote; uint256 outputMin; address outputReceiver; }",
  "struct SwapReferralInfo { uint64 code; uint64 fee; address feeRecipient; }",
  "function swap(SwapTokenInfo tokenInfo, bytes pathDefinition, address executor, SwapReferralInfo referralInfo) payable returns (uint256 amountOut)"
])

const QuoteResponse = Schema.Struct({ pathId: Schema.String, outAmounts: Schema.Tuple([AggregatorCalldata.Amount]) })
const AssembleResponse = Schema.Struct({
  transaction: Schema.Struct({
    to: AggregatorCalldata.AnyAddress,
    data: AggregatorCalldata.Bytes,
    value: AggregatorCalldata.Amount
  })
})

const decode = (data: Hex): Swap | undefined => {
  const call = Calldata.read(routerAbi, data)
  if (call === undefined) return undefined
  const [{ inputAmount, inputToken, outputMin, outputQuote, outputReceiver, outputToken }, , , { fee }] = call.args
  // The router treats an amount of 0 as the whole balance, and refuses a minimum above the quote.
  if (inputAmount === 0n || outputQuote < outputMin || fee !== 0n) return undefined
  return {
    tokenIn: Contract.lower(inputToken),
    amountIn: inputAmount,
    tokenOut: Contract.lower(outputToken),
    minOut: outputMin,
    receiver: Contract.lower(outputReceiver)
  }
}

/**
 * `quoted` is the API's quote. The router keeps proceeds above the call's quote, so that is raised to at least
 * `quoted`.
 */
const draftOf = (data: Hex, quoted: bigint): AggregatorCalldata.EditableSwap | undefined => {
  const call = Calldata.readLoosely(routerAbi, data)
  if (call === undefined) return undefined
  const [info, path, executor, referral] = call.args
  return {
    minOut: info.outputMin,
    withMinOut: (outputMin) => {
      const outputQuote = max(max(info.outputQuote, quoted), outputMin)
      // Removes a referral fee that the API may add unrequested; the platform does not allow one.
      const args = [{ ...info, outputQuote, outputMin }, path, executor, { ...referral, fee: 0n }] as const
      return Calldata.encode({ abi: routerAbi, functionName: "swap", args })
    }
  }
}

const quoteOf = ({ amountIn, chain, slippage, tokenIn, tokenOut, vault }: QuoteRequest) =>
  HttpClientRequest.post("/sor/quote/v3").pipe(HttpClientRequest.bodyJsonUnsafe({
    chainId: chain.book.chainId,
    inputTokens: [{ tokenAddress: tokenIn.address, amount: amountIn.toString() }],
    outputTokens: [{ tokenAddress: tokenOut.address, proportion: 1 }],
    slippageLimitPercent: slippage,
    userAddr: vault,
    // The packed form cannot be decoded.
    compact: false,
    referralFee: 0
  }))

const assemblyOf = ({ vault }: QuoteRequest, pathId: string) =>
  HttpClientRequest.post("/sor/assemble").pipe(
    HttpClientRequest.bodyJsonUnsafe({ pathId, userAddr: vault, simulate: false })
  )

export const Odos: Venue = {
  name: "odosV3",
  router: (chain) => chain.book.aggregators.odosV3?.router,
  open: (chain, wallet) => Effect.flatMap(AggregatorClient, ({ open }) => open(api, chain.book, wallet)),
  decode,
  quote: (request) =>
    Effect.gen(function*() {
      const { chain, tokenIn, tokenOut } = request
      const router = Odos.router(chain)
      if (router === undefined) return yield* new NoQuote({ reason: "not available on this network" })
      const ask = yield* (yield* AggregatorClient).open(api, chain.book, request.wallet)
      const { outAmounts: [amountOut], pathId } = yield* ask(QuoteResponse, quoteOf(request))
      return {
        router,
        amountOut,
        route: [tokenIn.symbol, tokenOut.symbol],
        build: (minOut) =>
          Effect.flatMap(ask(AssembleResponse, assemblyOf(request, pathId)), ({ transaction }) =>
            AggregatorCalldata.verify({
              request,
              venue: Odos,
              router,
              handout: transaction,
              draft: draftOf(transaction.data, amountOut),
              minOut
            }))
      } satisfies Quote
    })
}
