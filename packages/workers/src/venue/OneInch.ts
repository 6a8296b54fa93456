/**
 * 1inch's aggregation router V6: through its swap API, of which one request returns both the quote and the calldata, or
 * without it over Uniswap V3's pools.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { parseAbi } from "viem"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import * as AggregatorCalldata from "./AggregatorCalldata.ts"
import { NoQuote } from "./NoQuote.ts"
import * as OneInchCalldata from "./OneInchCalldata.ts"
import * as Unoswap from "./Unoswap.ts"
import type { Quote, QuoteRequest, Venue } from "./Venue.ts"
import { type Api, AggregatorClient } from "./AggregatorClient.ts"

const api: Api = { venue: "1inch", authorise: (key) => ({ authorization: `Bearer ${key}` }) }

const poolAbi = parseAbi(["function token0() view returns (address)", "function token1() view returns (address)"])

const Answer = Schema.Struct({
  dstAmount: AggregatorCalldata.Amount,
  tx: Schema.Struct({
    to: AggregatorCalldata.AnyAddress,
    data: AggregatorCalldata.Bytes,
    value: AggregatorCalldata.Amount
  })
})

/** Reads the tokens of the pools of an API's `unoswap`, and returns the bought one; `undefined` for a `swap`. */
const boughtBy = (chain: ChainClient, sold: Address, legs: ReadonlyArray<bigint>) =>
  legs.length === 0 ? Effect.succeed(undefined) : Effect.map(
    Effect.mapError(
      chain.readAll(legs.flatMap((leg) => [
        Contract.read(poolAbi, OneInchCalldata.poolOf(leg), "token0", []),
        Contract.read(poolAbi, OneInchCalldata.poolOf(leg), "token1", [])
      ])),
      unavailable
    ),
    (tokens) =>
      OneInchCalldata.outputOf(sold, legs, (pool) => {
        const index = legs.findIndex((leg) => OneInchCalldata.poolOf(leg) === pool)
        const [token0, token1] = tokens.slice(index * 2, index * 2 + 2).map(Result.getOrUndefined)
        return token0 === undefined || token1 === undefined
          ? undefined
          : [Contract.lower(token0), Contract.lower(token1)]
      })
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

const openApi = (chain: ChainClient, wallet: Address) =>
  Effect.flatMap(AggregatorClient, ({ open }) => open(api, chain.book, wallet))

export const OneInch: Venue = {
  name: "1inch",
  router: (chain) => chain.book.aggregators["1inch"]?.router,
  open: (chain, wallet) => Effect.catch(openApi(chain, wallet), (closed) => Unoswap.open(chain, wallet, closed)),
  decode: OneInchCalldata.decode,
  quote: (request) =>
    Effect.gen(function*() {
      const { chain, tokenIn, tokenOut } = request
      const router = OneInch.router(chain)
      if (router === undefined) return yield* new NoQuote({ reason: "not available on this network" })
      const ask = yield* openApi(chain, request.wallet)
      const { dstAmount, tx } = yield* ask(Answer, swapRequest(request))
      const legs = OneInchCalldata.legsOf(tx.data)
      return {
        router,
        amountOut: dstAmount,
        route: [tokenIn.symbol, tokenOut.symbol],
        build: (minOut) =>
          Effect.flatMap(boughtBy(chain, tokenIn.address, legs), (bought) =>
            AggregatorCalldata.verify({
              request,
              venue: OneInch,
              router,
              handout: tx,
              draft: OneInchCalldata.draftOf(tx.data),
              bought,
              minOut
            }))
      } satisfies Quote
    }),
  withoutApi: (request) =>
    Effect.gen(function*() {
      const router = OneInch.router(request.chain)
      if (router === undefined) return yield* new NoQuote({ reason: "not available on this network" })
      return yield* Unoswap.quote(request, OneInch, router)
    })
}
