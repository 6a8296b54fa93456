/**
 * Finds the largest part of a trade that its market bears: whose output at a venue is less than the vault's oracle says
 * by no more than a maximum. Quotes only; nothing is simulated.
 */
import { max, usdValue } from "@vault-trader/core/chain/Quantity"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import * as BigDecimal from "effect/BigDecimal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { VaultContext } from "../vault/Action.ts"
import { AggregatorClient, AggregatorClientLive } from "../venue/AggregatorClient.ts"
import type { Venue } from "../venue/Venue.ts"
import * as PairState from "./PairState.ts"
import * as VenueOffer from "./VenueOffer.ts"

/** A part of a trade and its quote, smallest units. */
export interface Sized {
  readonly venue: VenueName
  readonly amount: bigint
  readonly bought: bigint
}

/** No part is within the bound. */
export interface NoPart {
  readonly _tag: "none"
  /** How much the smallest quoted part loses to the oracle's value, percent; null when no venue quotes. */
  readonly best: number | null
  /** The most that is accepted, percent. */
  readonly most: number
}

export type Sizing = ({ readonly _tag: "sized" } & Sized) | NoPart

/** Minimum value of a slice: below a dollar, a trade costs more than it moves. */
const minUsd18 = 10n ** 18n
/** Quotes of a search: the whole, then eighths of eighths, then halves between the last two. */
const divisions = 5
const divisor = 8n
const halvings = 4

/** Value of the part whose quote is taken for the price of a small trade: large enough that rounding does not count. */
const probeUsd18 = 100n * 10n ** 18n

/** Percent by which a trade may lose more to its pool than a small one, where its owner has set no maximum. */
export const defaultImpact = 0.3

/** Returns the least that an amount must buy so that it loses at most `maxImpact` percent of the oracle's value. */
export const boundOf = (fair: bigint, maxImpact: number): bigint => VenueOffer.minOutOf(fair, fair, maxImpact)

/** Returns true if a trade of the amount loses no more than the default impact, whatever smaller ones lose. */
export const isLight = (market: PairState.Market, amount: bigint, bought: bigint): boolean =>
  bought >= boundOf(PairState.fairOut(market, amount), defaultImpact)

/** Returns how much less a quote is than the oracle's value, percent with two decimals. */
const lossOf = (bought: bigint, fair: bigint): number =>
  fair === 0n ? 0 : Number(max(0n, fair - bought) * 10_000n / fair) / 100

/** A venue's way to quote that has an answer for the whole trade. */
interface Quoting extends Sized {
  readonly source: Venue["quote"]
}

/** Finds the first venue that quotes the trade. Not the best: a search makes many quotes of one venue. */
const firstQuoting = (search: VenueOffer.Search) =>
  Effect.gen(function*() {
    const { amountIn, context, market, request } = search
    for (const venue of PairState.candidates(context, request.platform, market.tokenOut)) {
      for (const source of VenueOffer.sourcesOf(venue)) {
        const quote = yield* Effect.andThen(
          VenueOffer.refuseUnguarded(search, venue),
          VenueOffer.quoteBy(search, source)
        ).pipe(Effect.asSome, Effect.catchTag("VenueSkipped", () => Effect.succeedNone))
        if (Option.isSome(quote)) {
          return Option.some<Quoting>({ venue, source, amount: amountIn, bought: quote.value.amountOut })
        }
      }
    }
    return Option.none<Quoting>()
  })

/** Decides whether a quoted part is within the bound. */
type Bound = (part: Pick<Sized, "amount" | "bought">) => boolean

/** Bounds what a part loses to the oracle's value. */
const byOracle = (market: PairState.Market, maxImpact: number): Bound => ({ amount, bought }) =>
  bought >= boundOf(PairState.fairOut(market, amount), maxImpact)

/** Bounds what a part loses to the price of a small one, within the slippage. */
const bySmallTrade = (
  trade: VenueOffer.Search,
  whole: Sized,
  quoted: (amount: bigint) => Effect.Effect<
    Sized,
    ExecutionFailure,
    AggregatorClient
  >
) =>
  Effect.gen(function*() {
    const { market, request } = trade
    const isAllowed = byOracle(market, request.slippage)
    const worth = usdValue(whole.amount, market.priceIn, market.tokenIn.decimals)
    const probe = worth <= probeUsd18 ? whole : yield* quoted(whole.amount * probeUsd18 / worth)
    const isWithin: Bound = (part) =>
      isAllowed(part) && part.bought >= boundOf(probe.bought * part.amount / probe.amount, defaultImpact)
    return isWithin
  })

/** Searches the largest part of a trade that is within its bound. */
const search = (trade: VenueOffer.Search, maxImpact: number | null): Effect.Effect<
  Sizing,
  ExecutionFailure,
  AggregatorClient
> =>
  Effect.gen(function*() {
    const { market, request } = trade
    // A part that loses more than the slippage would be refused.
    const most = Math.min(maxImpact ?? request.slippage, request.slippage)
    const whole = Option.getOrUndefined(yield* firstQuoting(trade))
    if (whole === undefined) return { _tag: "none", best: null, most }
    const { source, venue } = whole
    const quoted = (amount: bigint) =>
      Effect.map(
        Effect.catchTag(
          VenueOffer.quoteBy({ ...trade, amountIn: amount }, source),
          "VenueSkipped",
          () => Effect.succeed({ amountOut: 0n })
        ),
        ({ amountOut }): Sized => ({ venue, amount, bought: amountOut })
      )
    const isWorthwhile = (amount: bigint) => usdValue(amount, market.priceIn, market.tokenIn.decimals) >= minUsd18
    const isWithin = maxImpact === null
      ? yield* bySmallTrade(trade, whole, quoted)
      : byOracle(market, most)
    if (isWithin(whole)) return { _tag: "sized", venue, amount: whole.amount, bought: whole.bought }
    let [last, tooLarge]: [Sized, bigint] = [whole, whole.amount]
    for (let left = divisions; left > 0 && !isWithin(last) && isWorthwhile(last.amount / divisor); left--) {
      tooLarge = last.amount
      last = yield* quoted(last.amount / divisor)
    }
    if (!isWithin(last)) {
      return { _tag: "none", best: lossOf(last.bought, PairState.fairOut(market, last.amount)), most }
    }
    for (let left = halvings; left > 0; left--) {
      const middle = yield* quoted((last.amount + tooLarge) / 2n)
      if (isWithin(middle)) last = middle
      else tooLarge = middle.amount
    }
    return { _tag: "sized", ...last }
  })

/** The results of a network's newest block. */
interface BlockSizes {
  deadline: bigint
  readonly sizes: Map<string, Sizing>
}

/** Identifies a search among those of its block; an API's quote depends on vault and wallet. */
const keyOf = ({ amountIn, context, market, request }: VenueOffer.Search, maxImpact: number | null) =>
  [
    ...[context.pool, context.wallet, market.tokenIn.address, market.tokenOut.address, amountIn],
    ...[request.platform, maxImpact, request.slippage]
  ].join("/")

export class SliceSizer extends Context.Service<SliceSizer, {
  /**
   * Returns the largest part of `amountIn` whose price impact is at most `maxImpact` percent, found with a bounded
   * number of quotes; none when not even a dollar's worth is. The impact is what the part loses to the oracle's value.
   * With null it is what the part loses more than a small trade, at most `defaultImpact`. No part loses more than the
   * slippage. The result of a block is reused.
   */
  readonly largest: (
    context: VaultContext,
    request: VenueOffer.Terms,
    market: PairState.Market,
    amountIn: bigint,
    maxImpact: number | null
  ) => Effect.Effect<Sizing, ExecutionFailure>
  /** Returns the first venue's quote of the whole amount; none when no venue has one. */
  readonly quote: (
    context: VaultContext,
    request: VenueOffer.Terms,
    market: PairState.Market,
    amountIn: bigint
  ) => Effect.Effect<Option.Option<Sized>, ExecutionFailure>
}>()("vault-trader/workers/trading/SliceSizer") {
  static readonly layer: Layer.Layer<SliceSizer, never, AggregatorClient> = Layer.effect(
    SliceSizer,
    Effect.map(AggregatorClient, (client) => {
      const blocks = new Map<string, BlockSizes>()
      const provided = Effect.provideService(AggregatorClient, client)
      return {
        largest: (context, request, market, amountIn, maxImpact) =>
          Effect.suspend(() => {
            const trade = { context, request, market, amountIn }
            const known = blocks.get(context.network)
            const block = known?.deadline === market.deadline
              ? known
              : { deadline: market.deadline, sizes: new Map<string, Sizing>() }
            blocks.set(context.network, block)
            const key = keyOf(trade, maxImpact)
            const found = block.sizes.get(key)
            if (found !== undefined) return Effect.succeed(found)
            return Effect.tap(provided(search(trade, maxImpact)), (sizing) =>
              Effect.sync(() => block.sizes.set(key, sizing)))
          }),
        quote: (context, request, market, amountIn) => provided(firstQuoting({ context, request, market, amountIn }))
      }
    })
  )
}

/** The sizer with the configured access to the venues' APIs. */
export const SliceSizerLive = Layer.provide(SliceSizer.layer, AggregatorClientLive)

/** Words why no part of a trade is within the bound. */
export const noSliceText = ({ best, most }: Pick<NoPart, "best" | "most">): string =>
  best === null
    ? "No venue has a quote."
    : `Even a small slice is worth ${best} % less at the venue than by the vault's oracle; at most ${
      BigDecimal.format(BigDecimal.fromNumberUnsafe(most))
    } % is accepted.`
