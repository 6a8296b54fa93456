/** KyberSwap's MetaAggregationRouterV2 through its aggregator API: a route first, then the calldata for that route. No key is needed. */
import type { Hex } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi } from "viem"
import * as Calldata from "../chain/Calldata.ts"
import * as Contract from "../chain/Contract.ts"
import * as AggregatorCalldata from "./AggregatorCalldata.ts"
import { NoQuote, type Quote, type QuoteRequest, type Swap, type Venue } from "./Venue.ts"
import { type Api, AggregatorClient } from "./AggregatorClient.ts"

const api: Api = { venue: "kyberswap" }

/** Who we say we are; the API limits anonymous callers more. */
const source = "vault-trader"

const routerAbi = parseAbi([
  "struct SwapDescriptionV2 { address srcToken; address dstToken; address[] srcReceivers; uint256[] srcAmounts; address[] feeReceivers; uint256[] feeAmounts; address dstReceiver; uint256 amount; uint256 minReturnAmount; uint256 flags; bytes permit; }",
  "struct SwapExecutionParams { address callTarget; address approveTarget; bytes targetData; SwapDescriptionV2 desc; bytes clientData; }",
  "function swap(SwapExecutionParams execution) payable returns (uint256 returnAmount, uint256 gasUsed)",
  "function swapSimpleMode(address caller, SwapDescriptionV2 desc, bytes executorData, bytes clientData) returns (uint256 returnAmount, uint256 gasUsed)"
])

/** The API's names of networks. */
const chains: Readonly<Record<Network, string>> = {
  optimism: "optimism",
  base: "base",
  arbitrum: "arbitrum",
  polygon: "polygon",
  ethereum: "ethereum",
  hyperliquid: "hyperevm"
}

/** `routeSummary` goes back as it came; only what it pays is read. */
const Routes = Schema.Struct({ data: Schema.Struct({ routeSummary: Schema.Unknown }) })
const Summary = Schema.Struct({ amountOut: AggregatorCalldata.Amount })
const Built = Schema.Struct({
  data: Schema.Struct({
    data: AggregatorCalldata.Bytes,
    routerAddress: AggregatorCalldata.AnyAddress,
    transactionValue: AggregatorCalldata.Amount.pipe(Schema.withDecodingDefaultType(Effect.succeed(0n)))
  })
})

/** It may sell less; it wants native money; it burns what its caller or signer has. */
const strange = 0x01n | 0x02n | 0x08n | 0x10n
/** The router takes the amount itself, besides what `srcReceivers` are sent. */
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
  if (feeReceivers.length > 0 || feeAmounts.length > 0 || permit !== "0x" || (flags & strange) !== 0n) return undefined
  // What the router takes is what it is told to hand on, whatever the amount says.
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
        encodeFunctionData({ abi: routerAbi, functionName: "swap", args: [{ ...execution, desc: { ...execution.desc, minReturnAmount } }] })
    }
  }
  const [caller, desc, executorData, clientData] = call.args
  return {
    minOut: desc.minReturnAmount,
    withMinOut: (minReturnAmount) =>
      encodeFunctionData({ abi: routerAbi, functionName: "swapSimpleMode", args: [caller, { ...desc, minReturnAmount }, executorData, clientData] })
  }
}

const identified = HttpClientRequest.setHeader("x-client-id", source)

const routesOf = ({ amountIn, chain, tokenIn, tokenOut }: QuoteRequest) =>
  HttpClientRequest.get(`/${chains[chain.book.network]}/api/v1/routes`, {
    urlParams: { tokenIn: tokenIn.address, tokenOut: tokenOut.address, amountIn: amountIn.toString(), source }
  }).pipe(identified)

const buildOf = ({ chain, slippage, vault }: QuoteRequest, routeSummary: unknown, deadline: bigint) =>
  HttpClientRequest.post(`/${chains[chain.book.network]}/api/v1/route/build`).pipe(
    identified,
    HttpClientRequest.bodyJsonUnsafe({
      routeSummary,
      sender: vault,
      recipient: vault,
      // Basis points, whole ones; never more than was asked for.
      slippageTolerance: Math.floor(slippage * 100),
      deadline: Number(deadline),
      source,
      // It would simulate a transaction whose sender is a contract.
      skipSimulateTx: true,
      enableGasEstimation: false
    })
  )

export const KyberSwap: Venue = {
  name: "kyberswap",
  router: (chain) => chain.book.aggregators.kyberswap?.router,
  open: (chain) => Effect.flatMap(AggregatorClient, ({ open }) => open(api, chain.book)),
  decode,
  quote: (request) =>
    Effect.gen(function*() {
      const { chain, tokenIn, tokenOut } = request
      const router = KyberSwap.router(chain)
      if (router === undefined) return yield* new NoQuote({ reason: "not known on this network" })
      const ask = yield* (yield* AggregatorClient).open(api, chain.book)
      const { data: { routeSummary } } = yield* ask(Routes, routesOf(request))
      const { amountOut } = yield* Effect.mapError(
        Schema.decodeUnknownEffect(Summary)(routeSummary),
        () => new NoQuote({ reason: "its API answers with what is no quote" })
      )
      return {
        router,
        amountOut,
        route: [tokenIn.symbol, tokenOut.symbol],
        build: (minOut, deadline) =>
          Effect.flatMap(ask(Built, buildOf(request, routeSummary, deadline)), ({ data: { data, routerAddress, transactionValue } }) =>
            AggregatorCalldata.verify({
              request,
              venue: KyberSwap,
              router,
              handout: { to: routerAddress, data, value: transactionValue },
              draft: draftOf(data),
              minOut
            }))
      } satisfies Quote
    })
}
