/** Sizes a trade of a strategy bot on the market of this moment: for its intent, or as a fill on paper. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { Leg } from "@vault-trader/core/index-bot/RebalancePlan"
import type { StrategyTerms, StrategyTrade } from "@vault-trader/core/strategy/StrategyBot"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as PairState from "../trading/PairState.ts"
import { noSliceText, SliceSizer } from "../trading/SliceSizer.ts"
import { minOutOf } from "../trading/VenueOffer.ts"
import * as WholeOrPart from "../trading/WholeOrPart.ts"
import type { VaultContext } from "../vault/Action.ts"

/** An amount that the market bears, with the quote that was made for it; or why there is none. */
type Sized =
  | {
    readonly _tag: "sized"
    readonly amount: bigint
    readonly quoted: { readonly bought: bigint; readonly venue: string } | null
  }
  | { readonly _tag: "none"; readonly reason: string }

const none = (reason: string): Sized => ({ _tag: "none", reason })

/** Finds how much of a trade is made: what is held of it, and what its market bears within the maximum impact. */
const size = (
  context: VaultContext,
  terms: StrategyTerms,
  market: PairState.Market,
  wanted: bigint,
  isQuoted: boolean
): Effect.Effect<Sized, Failure, SliceSizer> =>
  Effect.gen(function*() {
    const sizer = yield* SliceSizer
    const { maxImpact, platform, slippage } = terms
    if (wanted === 0n) return none(`The vault holds no ${market.tokenIn.symbol}.`)
    if (maxImpact !== null) {
      const found = yield* sizer.largest(context, { platform, slippage }, market, wanted, maxImpact)
      return found._tag === "none"
        ? none(noSliceText(found))
        : { _tag: "sized", amount: found.amount, quoted: { bought: found.bought, venue: found.venue } }
    }
    if (!isQuoted) return { _tag: "sized", amount: wanted, quoted: null }
    if (WholeOrPart.isDivisible(context, market)) {
      const found = yield* sizer.largest(context, { platform, slippage }, market, wanted, null)
      if (found._tag === "sized") {
        return { _tag: "sized", amount: found.amount, quoted: { bought: found.bought, venue: found.venue } }
      }
    }
    const quote = Option.getOrUndefined(yield* sizer.quote(context, { platform, slippage }, market, wanted))
    return quote === undefined
      ? none("No venue has a quote.")
      : { _tag: "sized", amount: wanted, quoted: { bought: quote.bought, venue: quote.venue } }
  })

/** Makes the request of a trade; or returns why none is made now. */
export const requestOf = (context: VaultContext, terms: StrategyTerms, { amount, from, to }: Leg) =>
  Effect.gen(function*() {
    const market = yield* PairState.read(context, from, to)
    const sized = yield* size(context, terms, market, Quantity.min(amount, market.balance), false)
    return sized._tag === "none" ? sized : {
      _tag: "request" as const,
      request: TradeRequest.make({
        ...{ from: from.address, to: to.address, platform: terms.platform, slippage: terms.slippage },
        amount: BigDecimal.make(sized.amount, from.decimals),
        ...(terms.maxImpact === null ? { partial: true } : {})
      })
    }
  })

/** Fills a trade on paper at a venue's quote of this moment. `balances` are those of the bot on paper. */
export const onPaper = (
  context: VaultContext,
  terms: StrategyTerms,
  leg: Leg,
  balances: Readonly<Record<string, bigint>>
): Effect.Effect<
  { readonly trade: StrategyTrade; readonly balances: Readonly<Record<string, bigint>> },
  Failure,
  SliceSizer
> =>
  Effect.gen(function*() {
    const { from, to } = leg
    const market = yield* PairState.read(context, from, to)
    const held = balances[from.address] ?? 0n
    const sized = yield* size(context, terms, market, Quantity.min(leg.amount, held), true)
    const row = { ...leg, intentId: null, txHash: null, bought: null }
    if (sized._tag === "none" || sized.quoted === null) {
      const message = sized._tag === "none" ? sized.reason : "No venue has a quote."
      return { trade: { ...row, state: "failed", message }, balances }
    }
    const { amount, quoted: { bought, venue } } = sized
    const text = (raw: bigint, { decimals, symbol }: Leg["from"]) => `${Quantity.format(raw, decimals)} ${symbol}`
    const minOut = minOutOf(bought, PairState.fairOut(market, amount), terms.slippage)
    if (bought < minOut) {
      const message = `${venue} pays ${text(bought, to)}; at least ${text(minOut, to)} is accepted.`
      return { trade: { ...row, amount, state: "failed", message }, balances }
    }
    return {
      trade: {
        ...{ ...row, amount, minOut, bought, state: "paper" },
        message: `On paper: ${text(amount, from)} for ${text(bought, to)} at the quote of ${venue}. Nothing was sent.`
      },
      balances: {
        ...balances,
        [from.address]: held - amount,
        [to.address]: (balances[to.address] ?? 0n) + bought
      }
    }
  })
