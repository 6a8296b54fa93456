/**
 * Swaps one vault asset for another: sizes the trade, selects a permitted venue and checks its price against the
 * vault's oracle.
 */
import { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { describeReason, explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { shortfallText } from "@vault-trader/core/failure/MarketExplanations"
import type { Reason, Reverted } from "@vault-trader/core/failure/Reason"
import { againstOracle, SkippedVenue, type TradeRequest } from "@vault-trader/core/trading/Trading"
import type { Estimate } from "@vault-trader/core/gas-wallet/Submission"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import * as BigDecimal from "effect/BigDecimal"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reasonOf } from "../chain/Revert.ts"
import { Tokens } from "../chain/Tokens.ts"
import { venues } from "../venue/VenueRegistry.ts"
import { NoQuote } from "../venue/NoQuote.ts"
import type { Quote, Venue } from "../venue/Venue.ts"
import type { AggregatorClient } from "../venue/AggregatorClient.ts"
import * as Action from "../vault/Action.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import { usdValue } from "@vault-trader/core/chain/Quantity"
import { meaningOf } from "../platform/PlatformRevert.ts"
import * as Allowance from "../platform/Allowance.ts"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import * as Simulation from "../platform/Simulation.ts"
import * as PairState from "./PairState.ts"
import { approval, swap } from "./TradeMovements.ts"
import { movedBy } from "../platform/Transfers.ts"

/** The plan of a trade; quantities in smallest units. */
const Details = Schema.Struct({
  venue: Schema.String,
  route: Schema.Array(Schema.String),
  router: Address,
  tokenIn: Token,
  tokenOut: Token,
  amountIn: Schema.BigIntFromString,
  amountOut: Schema.BigIntFromString,
  minOut: Schema.BigIntFromString,
  /** USD per whole token by the vault's oracle at planning, 18 decimals; absent in older rows. */
  prices: Schema.optional(Schema.Struct({ in: Schema.BigIntFromString, out: Schema.BigIntFromString })),
  /** The venues before it in the fallback chain, each with the reason it was skipped. */
  passed: Schema.Array(SkippedVenue).pipe(Schema.withDecodingDefaultType(Effect.succeed([])))
})

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

/** A swap's venue and slippage, and the calls that precede it in the same transaction. */
type Terms = Pick<TradeRequest, "platform" | "slippage"> & { readonly after?: ReadonlyArray<VaultCall> }

/** A venue's swap whose price passed the oracle check and whose simulation did not revert. */
interface VenueOffer {
  readonly venue: VenueName
  readonly quote: Quote
  readonly minOut: bigint
  readonly calls: ReadonlyArray<VaultCall>
  readonly estimate: Estimate | undefined
}

/**
 * Returns one venue's offer, or fails with the reason to skip it. An `ExecutionFailure` is not about the venue and ends
 * the search.
 */
const quoteVenue = (
  context: Action.VaultContext,
  request: Terms,
  market: PairState.Market,
  amountIn: bigint,
  name: VenueName
) =>
  Effect.gen(function*() {
    const { tokenIn, tokenOut } = market
    const venue: Venue = venues[name]
    if (!market.guarded.has(name)) {
      const reason = venue.router(context.chain) === undefined ? "not available" : "not allowed by the vault platform"
      return yield* new VenueSkipped({ reason: `${reason} on ${context.network}`, cause: undefined })
    }
    const { slippage } = request
    const quote = yield* orSkip(
      venue.quote({
        ...{ chain: context.chain, tokenIn, tokenOut, amountIn, slippage },
        ...{ vault: context.pool, wallet: context.wallet }
      })
    )
    const minOut = minOutOf(quote.amountOut, PairState.fairOut(market, amountIn), slippage)
    if (quote.amountOut < minOut) {
      const { decimals, symbol } = tokenOut
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

/** The cause that is reported to the caller when no other venue can do the swap. */
type SkipCause = Reverted | Extract<Reason, { readonly _tag: "VenuePaysTooLittle" }>

/** A venue is skipped: the reason in words, and its cause unless the venue has no quote at all. */
class VenueSkipped
  extends Data.TaggedError("Passed")<{ readonly reason: string; readonly cause: SkipCause | undefined }>
{}

const orSkip = <A, E, R>(effect: Effect.Effect<A, E | NoQuote, R>) =>
  Effect.catchIf(
    effect,
    (failure) => failure instanceof NoQuote,
    ({ reason }) => new VenueSkipped({ reason, cause: undefined })
  )

/** Builds the refusal for a venue the caller named. No other venue is tried, so the message names this one. */
const namedVenueFailure = (
  platform: VenueName,
  { guarded, tokenIn, tokenOut }: PairState.Market,
  { cause, reason }: VenueSkipped
) =>
  explain(
    cause === undefined
      ? {
        _tag: "NamedVenueCannotSwap",
        venue: platform,
        from: tokenIn.symbol,
        to: tokenOut.symbol,
        detail: reason,
        allowed: guarded.has(platform)
      }
      : cause._tag === "Reverted"
      ? { ...cause, venue: platform }
      : cause
  )

/**
 * Selects the venue of a swap: the named one, or the first of the fallback chain with a valid offer. Lists skipped
 * venues with reasons.
 */
export const selectVenue = (context: Action.VaultContext, request: Terms, market: PairState.Market, amountIn: bigint) =>
  Effect.gen(function*() {
    const passed: Array<{ readonly venue: VenueName; readonly reason: string; readonly cause: SkipCause | undefined }> =
      []
    const wanted = PairState.candidates(context, request.platform)
    for (const name of wanted) {
      const offer = yield* Effect.result(quoteVenue(context, request, market, amountIn, name))
      if (offer._tag === "Success") {
        return { ...offer.success, passed: passed.map(({ reason, venue }) => ({ venue, reason })) }
      }
      if (offer.failure._tag === "ExecutionFailure") return yield* offer.failure
      if (request.platform !== "auto") {
        return yield* namedVenueFailure(request.platform, market, offer.failure)
      }
      passed.push({ venue: name, reason: offer.failure.reason, cause: offer.failure.cause })
    }
    const known = passed.find(({ cause }) => cause !== undefined)?.cause
    if (known !== undefined && passed.length === 1) return yield* explain(known)
    const noQuote = wanted.some((name) => market.guarded.has(name)) ? "no_route" : "venue_not_allowed"
    return yield* explain({
      _tag: "NoVenueCanSwap",
      from: market.tokenIn.symbol,
      to: market.tokenOut.symbol,
      skipped: passed,
      errorType: known === undefined ? noQuote : describeReason(known).errorType
    })
  })

const callsFor = (market: PairState.Market, swap: VaultCall, amountIn: bigint, allowance: bigint) => {
  if (allowance >= amountIn) return [swap]
  // Approves exactly this amount, in the same transaction: no allowance is left over.
  return [...Allowance.set(market.tokenIn.address, swap.to, allowance, amountIn), swap]
}

export const Trade = Action.make<TradeRequest, typeof Details.Type, typeof Details.Encoded, Tokens | AggregatorClient>({
  charge: "trade",
  lifetimeSeconds: Action.swapLifetimeSeconds,
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const { assets } = context
      const tokenIn = yield* tokens.resolve(context.network, request.from, assets)
      const tokenOut = yield* tokens.resolve(context.network, request.to, assets)
      if (tokenIn.address === tokenOut.address) {
        return yield* new ValidationFailure({ code: "1010", message: "to: must be another asset than from" })
      }
      const market = yield* PairState.read(context, tokenIn, tokenOut)
      const amountIn = yield* RequestedAmount.upTo(request, tokenIn, market.balance)
      const { calls, estimate, minOut, passed, quote, venue } = yield* selectVenue(context, request, market, amountIn)
      return {
        calls,
        worth: usdValue(amountIn, market.priceIn, tokenIn.decimals),
        details: {
          venue,
          route: quote.route,
          router: quote.router,
          tokenIn,
          tokenOut,
          amountIn,
          amountOut: quote.amountOut,
          minOut,
          passed,
          prices: { in: market.priceIn, out: market.priceOut }
        },
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    }),
  decodeMovement: (chain, call) => approval(chain, call) ?? swap(chain, call),
  describe: (details) => ({
    venue: details.venue,
    route: details.route,
    amountIn: Quantity.of(details.tokenIn, details.amountIn),
    amountOut: Quantity.of(details.tokenOut, details.amountOut),
    minOut: Quantity.of(details.tokenOut, details.minOut),
    passed_over: details.passed
  }),
  interpretReceipt: (context, details, receipt) =>
    Effect.sync(() => {
      const logs = receipt?.logs ?? []
      const { sent } = movedBy(logs, details.tokenIn.address, context.pool)
      const { received } = movedBy(logs, details.tokenOut.address, context.pool)
      const sold = Quantity.of(details.tokenIn, sent)
      const bought = Quantity.of(details.tokenOut, received)
      return {
        message: `Sold ${sold.amount} ${sold.symbol} for ${bought.amount} ${bought.symbol} on ${details.venue}.`,
        result: {
          venue: details.venue,
          route: details.route,
          sold: { ...sold },
          bought: { ...bought },
          min_out: { ...Quantity.of(details.tokenOut, details.minOut) },
          passed_over: details.passed,
          oracle: details.prices === undefined ? null : againstOracle(
            usdValue(sent, details.prices.in, details.tokenIn.decimals),
            usdValue(received, details.prices.out, details.tokenOut.decimals)
          )
        }
      }
    })
})
