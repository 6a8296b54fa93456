/**
 * KyberSwap's MetaAggregationRouterV2 through its aggregator API: a route first, then the calldata for that route. No
 * key is needed.
 */
import type { Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
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

const api: Api = { venue: "kyberswap" }

/** Our client id; the API limits anonymous callers more. */
const source = "vault-trader"

const routerAbi = parseAbi([
  "struct SwapDescriptionV2 { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }",
  "struct SwapExecutionParams { address callTarget; address approveTarget; bytes targetData; SwapDescriptionV2 desc; bytes clientData; }",
  "function swap(SwapExecutionParams execution) payable returns (uint256 returnAmount, uint256 gasUsed)",
  "function swapSimpleMode(address caller, SwapDescriptionV2 desc, bytes executorData, bytes clientData) returns (uint256 returnAmount, uint256 gasUsed)"
])

/** The API's network names. */
const chains: Readonly<Record<Network, string>> = {
  optimism: "optimism",
  base: "base",
  arbitrum: "arbitrum",
  polygon: "polygon",
  ethereum: "ethereum",
  hyperliquid: "hyperevm",
  plasma: "plasma"
}

/** `routeSummary` is sent back unchanged; only its output amount is read. */
const Routes = Schema.Struct({ data: Schema.Struct({ routeSummary: Schema.Unknown }) })
const Summary = Schema.Struct({ amountOut: AggregatorCalldata.Amount })
const Built = Schema.Struct({
  data: Schema.Struct({
    data: AggregatorCalldata.Bytes,
    routerAddress: AggregatorCalldata.AnyAddress,
    transactionValue: AggregatorCalldata.Amount.pipe(Schema.withDecodingDefaultType(Effect.succeed(0n)))
  })
})

/** Refused flags: partial fill, native token required, burns from the caller or the signer. */
const unsupportedFlags = 0x01n | 0x02n | 0x08n | 0x10n
/** The router takes the amount itself, in addition to the amounts sent to `srcReceivers`. */
const approvesFund = 0x100n

const descOf = (data: Hex, read: typeof Calldata.read) => {
  const call = read(routerAbi, data)
  return call === undefined ? undefined : call.functionName === "swap" ? call.args[0].desc : call.args[1]
}

const sum = (amounts: ReadonlyArray<bigint>) => amounts.reduce((total, amount) => total + amount, 0n)

const decode = (data: Hex): Swap | undefined => {
  const desc = descOf(data, Calldata.read)
  if (desc === undefined || desc.amount === 0n) return undefined
  const { amount, feeAmounts, feeReceivers, flags, permit, srcAmounts } = desc
  if (feeReceivers.length > 0 || feeAmounts.length > 0 || permit !== "0x" || (flags & unsupportedFlags) !== 0n) {
    return undefined
  }
  // The router takes the sum of `srcAmounts`, regardless of `amount`.
  if (sum(srcAmounts) > ((flags & approvesFund) === 0n ? amount : 0n)) return undefined
  return {
    tokenIn: Contract.lower(desc.srcToken),
    amountIn: amount,
    tokenOut: Contract.lower(desc.dstToken),
    minOut: desc.minReturnAmount,
    receiver: Contract.lower(desc.dstReceiver)
  }
}

const draftOf = (data: Hex): AggregatorCalldata.EditableSwap | undefined => {
  const call = Calldata.readLoosely(routerAbi, data)
  if (call === undefined) return undefined
  if (call.functionName === "swap") {
    const [execution] = call.args
    return {
      minOut: execution.desc.minReturnAmount,
      withMinOut: (minReturnAmount) =>
        Calldata.encode({
          abi: routerAbi,
          functionName: "swap",
          args: [{ ...execution, desc: { ...execution.desc, minReturnAmount } }]
        })
    }
  }
  const [caller, desc, executorData, clientData] = call.args
  return {
    minOut: desc.minReturnAmount,
    withMinOut: (minReturnAmount) =>
      Calldata.encode({
        abi: routerAbi,
        functionName: "swapSimpleMode",
        args: [caller, { ...desc, minReturnAmount }, executorData, clientData]
      })
  }
}

const withClientId = HttpClientRequest.setHeader("x-client-id", source)

const routesOf = ({ amountIn, chain, tokenIn, tokenOut }: QuoteRequest) =>
  HttpClientRequest.get(`/${chains[chain.book.network]}/api/v1/routes`, {
    urlParams: { tokenIn: tokenIn.address, tokenOut: tokenOut.address, amountIn: amountIn.toString(), source }
  }).pipe(withClientId)

const buildOf = ({ chain, slippage, vault }: QuoteRequest, routeSummary: unknown, deadline: bigint) =>
  HttpClientRequest.post(`/${chains[chain.book.network]}/api/v1/route/build`).pipe(
    withClientId,
    HttpClientRequest.bodyJsonUnsafe({
      routeSummary,
      sender: vault,
      recipient: vault,
      // Whole basis points, rounded down: never more than requested.
      slippageTolerance: Math.floor(slippage * 100),
      deadline: Number(deadline),
      source,
      // The API's simulation would use a contract as sender.
      skipSimulateTx: true,
      enableGasEstimation: false
    })
  )

export const KyberSwap: Venue = {
  name: "kyberswap",
  router: (chain) => chain.book.aggregators.kyberswap?.router,
  open: (chain, wallet) => Effect.flatMap(AggregatorClient, ({ open }) => open(api, chain.book, wallet)),
  decode,
  quote: (request) =>
    Effect.gen(function*() {
      const { chain, tokenIn, tokenOut } = request
      const router = KyberSwap.router(chain)
      if (router === undefined) return yield* new NoQuote({ reason: "not available on this network" })
      const ask = yield* (yield* AggregatorClient).open(api, chain.book, request.wallet)
      const { data: { routeSummary } } = yield* ask(Routes, routesOf(request))
      const { amountOut } = yield* Effect.mapError(
        Schema.decodeUnknownEffect(Summary)(routeSummary),
        () => new NoQuote({ reason: "its API's response is not a quote" })
      )
      return {
        router,
        amountOut,
        route: [tokenIn.symbol, tokenOut.symbol],
        build: (minOut, deadline) =>
          Effect.flatMap(
            ask(Built, buildOf(request, routeSummary, deadline)),
            ({ data: { data, routerAddress, transactionValue } }) =>
              AggregatorCalldata.verify({
                request,
                venue: KyberSwap,
                router,
                handout: { to: routerAddress, data, value: transactionValue },
                draft: draftOf(data),
                minOut
              })
          )
      } satisfies Quote
    })
}
