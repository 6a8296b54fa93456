/** Sizes the next slice of an order on the market of this moment, before it is committed. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { shortfallText } from "@vault-trader/core/failure/MarketExplanations"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { floorOf } from "@vault-trader/core/vault-order/OrderDecision"
import { OrderSliceRequest, type OrderTerms, tokensOf } from "@vault-trader/core/vault-order/VaultOrder"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PairState from "../trading/PairState.ts"
import { noSliceText, SliceSizer } from "../trading/SliceSizer.ts"
import { minOutOf } from "../trading/VenueOffer.ts"
import type { VaultContext } from "../vault/Action.ts"

/** A slice and its quote, which is null for a slice that is quoted when it is planned; or why there is none now. */
export type SlicePlan =
  | {
    readonly _tag: "slice"
    readonly amount: bigint
    readonly quote: { readonly bought: bigint; readonly minBought: bigint; readonly venue: VenueName } | null
  }
  | { readonly _tag: "wait"; readonly reason: string }

const wait = (reason: string): SlicePlan => ({ _tag: "wait", reason })

/** Finds the part of the amount that the market bears, and its quote; all of it without a maximum. */
const sized = (context: VaultContext, terms: OrderTerms, market: PairState.Market, amount: bigint) =>
  Effect.gen(function*() {
    const sizer = yield* SliceSizer
    if (terms.maxImpact !== null) {
      const found = yield* sizer.largest(context, terms, market, amount, terms.maxImpact)
      return found._tag === "none" ? noSliceText(found) : found
    }
    const quote = yield* sizer.quote(context, terms, market, amount)
    return Option.isSome(quote) ? quote.value : "No venue has a quote."
  })

/** Sizes a slice of at most `amount`, and compares its quote with the order's limit price. */
export const quoted = (
  context: VaultContext,
  terms: OrderTerms,
  amount: bigint
): Effect.Effect<SlicePlan, Failure, SliceSizer> =>
  Effect.gen(function*() {
    const { bought: token, sold } = tokensOf(terms)
    const market = yield* PairState.read(context, sold, token)
    const found = yield* sized(context, terms, market, amount)
    if (typeof found === "string") return wait(found)
    const floor = floorOf(terms, found.amount)
    if (found.bought < floor) {
      const { decimals, symbol } = token
      return wait(
        `${found.venue} pays ${Quantity.format(found.bought, decimals)} ${symbol} for ${
          Quantity.format(found.amount, sold.decimals)
        } ${sold.symbol}, less than the limit price's ${Quantity.format(floor, decimals)}.`
      )
    }
    const byMarket = minOutOf(found.bought, PairState.fairOut(market, found.amount), terms.slippage)
    const { amount: size, bought, venue } = found
    if (bought < byMarket) {
      const { decimals, symbol } = token
      const shortfall = {
        paid: Quantity.format(bought, decimals),
        required: Quantity.format(byMarket, decimals),
        symbol,
        slippage: terms.slippage
      }
      return wait(`${venue} ${shortfallText(shortfall)}.`)
    }
    return { _tag: "slice", amount: size, quote: { bought, minBought: Quantity.max(byMarket, floor), venue } }
  })

/**
 * Sizes the slice of an order. One without a limit price and without a maximum of its price impact is not quoted here:
 * its plan quotes it.
 */
export const make = (
  context: VaultContext,
  terms: OrderTerms,
  amount: bigint
): Effect.Effect<SlicePlan, Failure, SliceSizer> =>
  terms.maxImpact === null && terms.limit18 === null
    ? Effect.succeed<SlicePlan>({ _tag: "slice", amount, quote: null })
    : quoted(context, terms, amount)

/** Builds the request of a slice. */
export const requestOf = (
  order: { readonly id: string; readonly slice: number; readonly terms: OrderTerms; readonly paper: boolean },
  amount: bigint
): OrderSliceRequest => {
  const { id, paper, slice, terms } = order
  const { bought, sold } = tokensOf(terms)
  return OrderSliceRequest.make({
    ...{ orderId: id, slice, from: sold.address, to: bought.address, amount, floor: floorOf(terms, amount) },
    ...{ slippage: terms.slippage, platform: terms.platform, paper }
  })
}
