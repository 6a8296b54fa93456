/** Executes one slice of an order: a swap of exactly its amount, for no less than the order's limit price allows. */
import { Token } from "@vault-trader/core/chain/Token"
import { max, of as quantityOf, format, usdValue } from "@vault-trader/core/chain/Quantity"
import { explain } from "@vault-trader/core/failure/Explanation"
import { againstOracle, SkippedVenue } from "@vault-trader/core/trading/Trading"
import type { OrderSliceRequest } from "@vault-trader/core/vault-order/VaultOrder"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Tokens } from "../chain/Tokens.ts"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import { movedBy } from "../platform/Transfers.ts"
import * as PairState from "../trading/PairState.ts"
import { SliceSizer } from "../trading/SliceSizer.ts"
import { approval, refuses, swap } from "../trading/TradeMovements.ts"
import { minOutOf } from "../trading/VenueOffer.ts"
import { selectVenue } from "../trading/VenueSelection.ts"
import * as Action from "../vault/Action.ts"
import type { AggregatorClient } from "../venue/AggregatorClient.ts"

/** The plan of a slice; quantities in smallest units. */
const Details = Schema.Struct({
  paper: Schema.Boolean,
  venue: Schema.String,
  route: Schema.Array(Schema.String),
  tokenIn: Token,
  tokenOut: Token,
  amountIn: Schema.BigIntFromString,
  amountOut: Schema.BigIntFromString,
  minOut: Schema.BigIntFromString,
  /** USD per whole token by the vault's oracle at planning, 18 decimals. */
  prices: Schema.Struct({ in: Schema.BigIntFromString, out: Schema.BigIntFromString }),
  passed: Schema.Array(SkippedVenue)
})

/** Fills a slice on paper, at a venue's quote that the terms accept. */
const onPaper = (context: Action.VaultContext, request: OrderSliceRequest, market: PairState.Market) =>
  Effect.gen(function*() {
    const { amount, floor, slippage } = request
    const { decimals, symbol } = market.tokenOut
    const quote = Option.getOrUndefined(yield* (yield* SliceSizer).quote(context, request, market, amount))
    if (quote === undefined) {
      return yield* explain({
        ...{ _tag: "NoVenueCanSwap", from: market.tokenIn.symbol, to: symbol, skipped: [], errorType: "no_route" }
      })
    }
    const { bought, venue } = quote
    const minOut = max(floor, minOutOf(bought, PairState.fairOut(market, amount), slippage))
    if (bought < minOut) {
      const [paid, required] = [format(bought, decimals), format(minOut, decimals)]
      return yield* explain(
        bought < floor
          ? { _tag: "LimitPriceNotMet", venue, paid, required: format(floor, decimals), symbol }
          : { _tag: "VenuePaysTooLittle", venue, paid, required, symbol, slippage }
      )
    }
    const details: typeof Details.Type = {
      ...{ paper: true, venue, route: [], tokenIn: market.tokenIn, tokenOut: market.tokenOut },
      ...{ amountIn: amount, amountOut: bought, minOut, passed: [] },
      prices: { in: market.priceIn, out: market.priceOut }
    }
    return { calls: [], details, nothingToDo: `On paper at the quote of ${venue}. Nothing was sent.` }
  })

export const OrderSlice = Action.make<
  OrderSliceRequest,
  typeof Details.Type,
  typeof Details.Encoded,
  Tokens | AggregatorClient | SliceSizer
>({
  charge: "trade",
  lifetimeSeconds: Action.swapLifetimeSeconds,
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const tokenIn = yield* tokens.resolve(context.network, request.from, context.assets)
      const tokenOut = yield* tokens.resolve(context.network, request.to, context.assets)
      const market = yield* PairState.read(context, tokenIn, tokenOut)
      if (request.paper) return yield* onPaper(context, request, market)
      const size = { amount: BigDecimal.make(request.amount, tokenIn.decimals) }
      const amountIn = yield* RequestedAmount.upTo(size, tokenIn, market.balance)
      const { calls, estimate, minOut, passed, quote, venue } = yield* selectVenue(context, request, market, amountIn)
      const details: typeof Details.Type = {
        ...{ paper: false, venue, route: quote.route, tokenIn, tokenOut, amountIn, amountOut: quote.amountOut, minOut },
        ...{ passed, prices: { in: market.priceIn, out: market.priceOut } }
      }
      return {
        calls,
        worth: usdValue(amountIn, market.priceIn, tokenIn.decimals),
        details,
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    }),
  decodeMovement: (chain, call) => approval(chain, call) ?? swap(chain, call),
  refuses,
  describe: (details) => ({
    venue: details.venue,
    route: details.route,
    amountIn: quantityOf(details.tokenIn, details.amountIn),
    amountOut: quantityOf(details.tokenOut, details.amountOut),
    minOut: quantityOf(details.tokenOut, details.minOut),
    passed_over: details.passed
  }),
  interpretReceipt: ({ pool }, details, receipt) =>
    Effect.sync(() => {
      const { amountIn, amountOut, minOut, paper, passed, prices, route, tokenIn, tokenOut, venue } = details
      const logs = receipt?.logs ?? []
      const sent = paper ? amountIn : movedBy(logs, tokenIn.address, pool).sent
      const received = paper ? amountOut : movedBy(logs, tokenOut.address, pool).received
      const [sold, bought] = [quantityOf(tokenIn, sent), quantityOf(tokenOut, received)]
      const sentence = `${sold.amount} ${sold.symbol} for ${bought.amount} ${bought.symbol} on ${venue}.`
      return {
        message: paper ? `On paper: ${sentence} Nothing was sent.` : `Sold ${sentence}`,
        result: {
          ...{ paper, venue, route, sold: { ...sold }, bought: { ...bought } },
          quoted: { ...quantityOf(tokenOut, amountOut) },
          min_out: { ...quantityOf(tokenOut, minOut) },
          passed_over: passed,
          oracle: againstOracle(
            usdValue(sent, prices.in, tokenIn.decimals),
            usdValue(received, prices.out, tokenOut.decimals)
          )
        }
      }
    })
})
