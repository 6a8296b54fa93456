/** One venue's offer for a swap: its quote, the check of its price against the vault's oracle, and its simulated call. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { describeReason, explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { shortfallText } from "@vault-trader/core/failure/MarketExplanations"
import type { Reason, Reverted } from "@vault-trader/core/failure/Reason"
import type { Estimate } from "@vault-trader/core/gas-wallet/Submission"
import type { TradeRequest } from "@vault-trader/core/trading/Trading"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import * as BigDecimal from "effect/BigDecimal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { reasonOf } from "../chain/Revert.ts"
import * as Allowance from "../platform/Allowance.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"
import * as Simulation from "../platform/Simulation.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type { VaultContext } from "../vault/Action.ts"
import type { AggregatorClient } from "../venue/AggregatorClient.ts"
import { NoQuote } from "../venue/NoQuote.ts"
import type { Quote, QuoteRequest, Venue } from "../venue/Venue.ts"
import { venues } from "../venue/VenueRegistry.ts"
import * as PairState from "./PairState.ts"

/**
 * Returns the minimum proceeds: the larger of the quote and the oracle's value, less the slippage (percent, exactly as
 * written).
 */
export const minOutOf = (quoted: bigint, fair: bigint, slippage: number): bigint => {
  const { scale, value } = BigDecimal.fromNumberUnsafe(slippage)
  const whole = 10n ** BigInt(scale + 2)
  const worth = quoted > fair ? quoted : fair
  // Rounds up: rounding down would allow a worse price than the caller accepted.
  return (worth * (whole - value) + whole - 1n) / whole
}

/**
 * A swap's venue and slippage, the calls that precede it in the same transaction, and the least that it may buy by the
 * limit price of an order, smallest units.
 */
export type Terms = Pick<TradeRequest, "platform" | "slippage"> & {
  readonly after?: ReadonlyArray<VaultCall>
  readonly floor?: bigint
}

/** A swap for which a venue is searched. */
export interface Search {
  readonly context: VaultContext
  readonly request: Terms
  readonly market: PairState.Market
  /** Smallest units of the sold asset. */
  readonly amountIn: bigint
}

/** A venue's swap whose price passed the oracle check and whose simulation did not revert. */
export interface VenueOffer {
  readonly venue: VenueName
  readonly quote: Quote
  readonly minOut: bigint
  readonly calls: ReadonlyArray<VaultCall>
  readonly estimate: Estimate | undefined
}

/** The cause that is reported to the caller when no other venue can do the swap. */
export type SkipCause = Reverted | Extract<Reason, { readonly _tag: "VenuePaysTooLittle" | "LimitPriceNotMet" }>

/** A venue is skipped: the reason in words, and its cause unless the venue has no quote at all. */
export class VenueSkipped extends Data.TaggedError("VenueSkipped")<{
  readonly reason: string
  readonly cause: SkipCause | undefined
  /** The venue's API has no key: a setting, and no failure. */
  readonly keyMissing?: boolean
}> {}

/** A venue that was skipped, and why. */
export interface Skipped {
  readonly venue: VenueName
  readonly reason: string
  readonly cause: SkipCause | undefined
}

const orSkip = <A, E, R>(effect: Effect.Effect<A, E | NoQuote, R>) =>
  Effect.catchIf(
    effect,
    (failure) => failure instanceof NoQuote,
    ({ keyMissing = false, reason }) => new VenueSkipped({ reason, cause: undefined, keyMissing })
  )

/** Fails for a venue that does not exist on the network, or whose router has no guard there. */
export const refuseUnguarded = ({ context, market }: Search, name: VenueName): Effect.Effect<void, VenueSkipped> => {
  if (market.guarded.has(name)) return Effect.void
  const isMissing = venues[name].router(context.chain) === undefined
  const reason = isMissing ? "not available" : "not allowed by the vault platform"
  return new VenueSkipped({ reason: `${reason} on ${context.network}`, cause: undefined })
}

/** Returns the ways in which a venue quotes: first by its API, if it has one. */
export const sourcesOf = (name: VenueName): readonly [Venue["quote"], ...Array<Venue["quote"]>] => {
  const { quote, withoutApi }: Venue = venues[name]
  return withoutApi === undefined ? [quote] : [quote, withoutApi]
}

/** Quotes the swap by one of a venue's ways. */
export const quoteBy = (
  { amountIn, context, market, request }: Search,
  source: Venue["quote"]
): Effect.Effect<Quote, VenueSkipped | ExecutionFailure, AggregatorClient> => {
  const { tokenIn, tokenOut } = market
  const { chain, pool, wallet } = context
  const { slippage } = request
  return orSkip(source({ chain, tokenIn, tokenOut, amountIn, slippage, vault: pool, wallet } satisfies QuoteRequest))
}

/**
 * Turns a quote into an offer, or fails with the reason to skip the venue. An `ExecutionFailure` is not about the venue
 * and ends the search.
 */
export const offerOf = ({ amountIn, context, market, request }: Search, name: VenueName, quote: Quote) =>
  Effect.gen(function*() {
    const { floor = 0n, slippage } = request
    const { decimals, symbol } = market.tokenOut
    if (quote.amountOut < floor) {
      const paid = Quantity.format(quote.amountOut, decimals)
      const required = Quantity.format(floor, decimals)
      return yield* new VenueSkipped({
        reason: `pays ${paid} ${symbol}, less than the limit price's ${required}`,
        cause: { _tag: "LimitPriceNotMet", venue: name, paid, required, symbol }
      })
    }
    const byMarket = minOutOf(quote.amountOut, PairState.fairOut(market, amountIn), slippage)
    const minOut = Quantity.max(byMarket, floor)
    if (quote.amountOut < minOut) {
      const shortfall = {
        paid: Quantity.format(quote.amountOut, decimals),
        required: Quantity.format(minOut, decimals),
        symbol,
        slippage
      }
      const cause = { _tag: "VenuePaysTooLittle", venue: name, ...shortfall } as const
      return yield* new VenueSkipped({ reason: shortfallText(shortfall), cause })
    }
    const swap = { to: quote.router, data: yield* orSkip(quote.build(minOut, market.deadline)) }
    const calls = callsFor(market, swap, amountIn, market.allowances.get(quote.router) ?? 0n)
    const estimate = yield* Simulation.estimate(context, [...(request.after ?? []), ...calls], (data) => {
      const reason = reasonOf(data)
      return new VenueSkipped({ reason: `would revert (${reason})`, cause: meaningOf(reason) })
    })
    return { venue: name, quote, minOut, calls, estimate } satisfies VenueOffer
  })

const callsFor = (market: PairState.Market, swap: VaultCall, amountIn: bigint, allowance: bigint) => {
  if (allowance >= amountIn) return [swap]
  // Approves exactly this amount, in the same transaction: no allowance is left over.
  return [...Allowance.set(market.tokenIn.address, swap.to, allowance, amountIn), swap]
}

/** Builds the refusal for a venue the caller named. No other venue is tried, so the message names this one. */
export const namedVenueFailure = (
  platform: VenueName,
  { guarded, tokenIn, tokenOut }: PairState.Market,
  { cause, reason }: VenueSkipped
): ExecutionFailure =>
  explain(
    cause === undefined
      ? {
        _tag: "NamedVenueCannotSwap",
        venue: platform,
        from: tokenIn.symbol,
        to: tokenOut.symbol,
        detail: reason,
        allowed: guarded.has(platform),
        // Pool tokens are another kind of trade: toros is no alternative for a swap.
        alternatives: guarded.has(platform) ? [] : [...guarded].filter((name) => name !== "toros")
      }
      : cause._tag === "Reverted"
      ? { ...cause, venue: platform }
      : cause
  )

/** Builds the refusal where every venue was skipped. */
export const noVenueFailure = (
  { guarded, tokenIn, tokenOut }: PairState.Market,
  wanted: ReadonlyArray<VenueName>,
  skipped: ReadonlyArray<Skipped>
): ExecutionFailure => {
  const known = skipped.find(({ cause }) => cause !== undefined)?.cause
  if (known !== undefined && skipped.length === 1) return explain(known)
  const noQuote = wanted.some((name) => guarded.has(name)) ? "no_route" : "venue_not_allowed"
  return explain({
    _tag: "NoVenueCanSwap",
    from: tokenIn.symbol,
    to: tokenOut.symbol,
    skipped,
    errorType: known === undefined ? noQuote : describeReason(known).errorType
  })
}
