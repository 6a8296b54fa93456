/** Plans the decision of a bot's turn: a trade, a supply, or a change of its paper holdings. */
import { type Decision, type Leg, type Legs as PairLegs } from "@vault-trader/core/threshold-bot/ThresholdDecision"
import { type BotTradeRequest, type PaperHoldings } from "@vault-trader/core/threshold-bot/ThresholdBot"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { simulate } from "../lending/LenderRevert.ts"
import * as PairState from "../trading/PairState.ts"
import type { StepDecision } from "../trading/RedemptionStep.ts"
import * as Payout from "../trading/Payout.ts"
import * as Redemption from "../trading/Redemption.ts"
import { noSliceText, SliceSizer } from "../trading/SliceSizer.ts"
import * as WholeOrPart from "../trading/WholeOrPart.ts"
import { minOutOf } from "../trading/VenueOffer.ts"
import { selectVenue } from "../trading/VenueSelection.ts"
import type * as Action from "../vault/Action.ts"
import { format, min, usdValue, usdValueOrNull } from "@vault-trader/core/chain/Quantity"
import type { EarlierStep } from "../vault/EarlierStep.ts"
import { poolTokenAt } from "../venue/EasySwapper.ts"
import { lenderOf, planSupply, takenOf, withdrawMissing } from "./IdleFunds.ts"
import { nothing, type TurnDetails } from "./TurnDetails.ts"

/** A decision to trade. */
type TradeDecision = Extract<Decision, { readonly _tag: "trade" }>

/** Returns the vault's holdings, with which a bot starts on paper. */
const holdingsOf = ({ base, inverse, quote }: PairLegs): PaperHoldings => ({
  base: base.held,
  quote: quote.held,
  inverse: inverse?.held ?? 0n
})

/** Applies a trade to paper holdings at the oracle's price, less the slippage. */
const applyTrade = (
  legs: PairLegs,
  { amount, from, to }: Extract<Decision, { readonly _tag: "trade" }>,
  slippage: number
) => {
  const fair = amount * (from.price ?? 0n) * 10n ** BigInt(to.token.decimals) /
    ((to.price ?? 1n) * 10n ** BigInt(from.token.decimals))
  const bought = minOutOf(fair, 0n, slippage)
  const after = (leg: Leg | null) => (leg?.held ?? 0n) - (leg === from ? amount : 0n) + (leg === to ? bought : 0n)
  return { bought, holdings: { base: after(legs.base), quote: after(legs.quote), inverse: after(legs.inverse) } }
}

/**
 * Plans a trade in one transaction: withdraws supplied assets, swaps, and supplies the proceeds. `floor` is the health
 * factor floor, 18 decimals.
 */
const tradeOf = (
  context: Action.VaultContext,
  request: BotTradeRequest,
  floor: bigint,
  decision: TradeDecision,
  market: PairState.Market
) =>
  Effect.gen(function*() {
    const { from, reason, to } = decision
    if (Redemption.applies(context, request, from.token)) {
      return turnOf(yield* Redemption.planFirst(context, request, market, decision.amount), reason)
    }
    const before = yield* withdrawMissing(context, from, decision.amount, floor)
    const amount = before.sellable
    if (amount <= 0n) {
      const kept = `All of the vault's ${from.token.symbol} secures a debt at lenderA that is worth less than a dollar.`
      return turnHeld(kept)
    }
    const usd18 = amount === decision.amount ? decision.usd18 : decision.usd18 * amount / decision.amount
    const offer = yield* selectVenue(
      context,
      { platform: request.platform, slippage: request.slippage, after: before.calls },
      market,
      amount
    )
    const after = planSupply(
      request.lending ? yield* lenderOf(context, to.token) : Option.none(),
      request.lending ? to.held - min(to.held, takenOf(before, to.token)) + offer.minOut : 0n
    )
    const calls = [...before.calls, ...offer.calls, ...after.calls]
    const estimate = after.calls.length === 0 ? offer.estimate : yield* simulate(context, calls)
    const sold = usdValue(amount, market.priceIn, from.token.decimals)
    const supplied = usdValue(after.supplied, market.priceOut, to.token.decimals)
    const details: TurnDetails = {
      ...nothing,
      ...{ action: "trade", reason, paper: false, venue: offer.venue, from: from.token, to: to.token, amount },
      ...{ usd18, minOut: offer.minOut, withdrawn: before.withdrawn, supplied: after.supplied },
      quoted: offer.quote.amountOut,
      prices: { in: market.priceIn, out: market.priceOut }
    }
    return {
      calls,
      worth: sold + supplied + (before.repaid?.worth ?? 0n),
      details,
      nothingToDo: "",
      ...(estimate === undefined ? {} : { estimate })
    }
  })

/** Returns the plan of a turn that trades nothing. */
const turnHeld = (reason: string) => {
  const details: TurnDetails = { ...nothing, action: "hold", reason, paper: false }
  return { calls: [], details, nothingToDo: `${reason} Nothing was sent.` }
}

/** Reduces a decision to a part of its amount, and says so in its reason. */
const partOf = (decision: TradeDecision, amount: bigint): TradeDecision => {
  const { from: { token }, reason, usd18 } = decision
  if (amount >= decision.amount) return decision
  return {
    ...{ ...decision, amount, usd18: usd18 * amount / decision.amount },
    reason:
      `${reason} The pool bears ${format(amount, token.decimals)} ${token.symbol} of it now; later checks trade ` +
      "the rest."
  }
}

/** Reduces a decision to the largest part whose price impact is within the bound; or returns why there is none. */
const sliceOf = (
  context: Action.VaultContext,
  { platform, slippage }: BotTradeRequest,
  decision: TradeDecision,
  market: PairState.Market,
  maxImpact: number
) =>
  Effect.gen(function*() {
    const sizer = yield* SliceSizer
    const sized = yield* sizer.largest(context, { platform, slippage }, market, decision.amount, maxImpact)
    if (sized._tag === "none") return noSliceText(sized)
    return partOf(decision, sized.amount)
  })

/**
 * Plans a trade. With a maximum price impact it is the part that the pool bears; without one it is the whole, or the
 * part of it that loses little more than a small trade does. Pool tokens are not sliced.
 */
export const trade = (context: Action.VaultContext, request: BotTradeRequest, floor: bigint, decision: TradeDecision) =>
  Effect.gen(function*() {
    const { amount, from, to } = decision
    const { maxImpact, platform, slippage } = request
    const market = yield* PairState.read(context, from.token, to.token)
    const planOf = (part: TradeDecision) => tradeOf(context, request, floor, part, market)
    if (maxImpact === null) {
      const wanted = {
        ...{ market, amount, request: { platform, slippage } },
        quotedBy: ({ details }: Effect.Success<ReturnType<typeof planOf>>) =>
          details.quoted === undefined ? undefined : { amount: details.amount, bought: details.quoted }
      }
      return yield* WholeOrPart.plan(context, wanted, (part) => planOf(partOf(decision, part)))
    }
    if (!WholeOrPart.isDivisible(context, market)) return yield* planOf(decision)
    const slice = yield* sliceOf(context, request, decision, market, maxImpact)
    return typeof slice === "string" ? turnHeld(`${decision.reason} ${slice}`) : yield* planOf(slice)
  })

/** Returns the turn's decision for a redemption's step. */
const turnOf = (
  { details: redemption, ...decision }: StepDecision,
  reason: string
) => {
  const details: TurnDetails = {
    ...nothing,
    ...{ action: "trade", reason, paper: false, venue: "toros", redemption },
    ...{ from: redemption.poolToken, to: redemption.tokenOut, amount: redemption.amount },
    ...{ usd18: redemption.usd18, minOut: redemption.minOut }
  }
  return { ...decision, details }
}

/** Plans the second step of a redemption. */
export const completeRedemption = (
  context: Action.VaultContext,
  request: BotTradeRequest,
  { details, receipt }: EarlierStep<TurnDetails>
) =>
  details.redemption === undefined
    ? Effect.die(new Error("a swap has no second step"))
    : Effect.map(
      Payout.plan(context, request, { details: details.redemption, receipt }),
      (decision) => turnOf(decision, details.reason)
    )

/**
 * Returns the decision as one trade can do it. A pool token is bought with the quote and redeemed into the quote, so
 * that a change between it and the base takes two turns.
 */
export const throughQuote = (
  { chain }: Action.VaultContext,
  legs: PairLegs,
  decision: Extract<Decision, { readonly _tag: "trade" }>
): Extract<Decision, { readonly _tag: "trade" }> =>
  [decision.from, decision.to].some(({ token }) => poolTokenAt(chain.book, token.address) !== undefined)
    && decision.from !== legs.quote
    ? { ...decision, to: legs.quote }
    : decision

/** Plans to supply an asset that the vault holds. */
export const park = (
  context: Action.VaultContext,
  { amount, leg, reason }: Extract<Decision, { readonly _tag: "park" }>
) =>
  Effect.gen(function*() {
    const { calls, supplied } = planSupply(yield* lenderOf(context, leg.token), amount)
    const details: TurnDetails = {
      ...nothing,
      action: supplied === 0n ? "hold" : "park",
      reason,
      paper: false,
      to: leg.token,
      supplied
    }
    if (supplied === 0n) {
      return {
        calls: [],
        details,
        nothingToDo: `${reason} lenderA does not accept it from this vault; nothing was sent.`
      }
    }
    const estimate = yield* simulate(context, calls)
    return {
      calls,
      worth: usdValueOrNull(supplied, leg.price, leg.token.decimals),
      details,
      nothingToDo: "",
      ...(estimate === undefined ? {} : { estimate })
    }
  })

/** Plans a turn on paper: reports the decision and the resulting paper holdings. */
export const onPaper = (legs: PairLegs, decision: Decision, slippage: number) => {
  if (decision._tag !== "trade") {
    return {
      calls: [],
      details: {
        ...nothing,
        action: "hold" as const,
        reason: decision.reason,
        paper: true,
        holdings: holdingsOf(legs)
      },
      nothingToDo: decision.reason
    }
  }
  const { bought, holdings } = applyTrade(legs, decision, slippage)
  const { amount, from, reason, to, usd18 } = decision
  const details: TurnDetails = {
    ...nothing,
    action: "trade",
    reason,
    paper: true,
    usd18,
    from: from.token,
    to: to.token,
    amount,
    minOut: bought,
    holdings
  }
  return { calls: [], details, nothingToDo: `On paper: ${reason} Nothing was sent.` }
}
