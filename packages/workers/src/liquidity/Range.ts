/** Converts price ranges between the caller's form (asset2 per asset1) and the pool's (ticks of token1 per token0). */
import type { Token } from "@vault-trader/core/chain/Token"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import type { SqrtRange } from "./Amounts.ts"
import { maxTick, minTick, q96, sqrtPriceAt, squareRoot, tickAt } from "./TickMath.ts"

export interface Range extends SqrtRange {
  readonly tickLower: number
  readonly tickUpper: number
}

/** Two tokens in the caller's order. */
export interface Pair {
  readonly first: Token
  readonly second: Token
}

/** Returns true when the caller's first token is also the pool's first. */
export const isStraight = ({ first, second }: Pair): boolean => first.address < second.address

/** Returns the pair in the pool's order, which is by address. */
export const ordered = (pair: Pair): readonly [token0: Token, token1: Token] =>
  isStraight(pair) ? [pair.first, pair.second] : [pair.second, pair.first]

/** Returns the end ticks of a pool's widest range. */
const ends = (spacing: number) => ({
  lowest: Math.ceil(minTick / spacing) * spacing,
  highest: Math.floor(maxTick / spacing) * spacing
})

const q192 = q96 * q96

/**
 * Converts a price of `second` per `first` in human units to the square root of token1's smallest units per token0's.
 */
const sqrtPriceOf = (price: BigDecimal.BigDecimal, pair: Pair): bigint => {
  const { scale, value } = price
  const [up, down] = scale >= 0 ? [value, 10n ** BigInt(scale)] : [value * 10n ** BigInt(-scale), 1n]
  const [numerator, denominator] = [up * 10n ** BigInt(pair.second.decimals), down * 10n ** BigInt(pair.first.decimals)]
  return isStraight(pair) ? squareRoot(numerator * q192 / denominator) : squareRoot(denominator * q192 / numerator)
}

/** Returns the usable tick nearest to a price. */
const nearest = (sqrtPrice: bigint, spacing: number): number => {
  const { highest, lowest } = ends(spacing)
  const below = Math.floor(tickAt(sqrtPrice) / spacing) * spacing
  const above = below + spacing
  if (below < lowest) return lowest
  if (above > highest) return highest
  // Compares ratios, not differences: ticks are evenly spaced in ratios.
  return sqrtPrice * sqrtPrice <= sqrtPriceAt(below) * sqrtPriceAt(above) ? below : above
}

const isReachable = (sqrtPrice: bigint, spacing: number) => {
  const { highest, lowest } = ends(spacing)
  return sqrtPrice >= sqrtPriceAt(lowest) && sqrtPrice <= sqrtPriceAt(highest)
}

/**
 * Returns the range of ticks nearest to the caller's prices; a missing price means the pool's end. Fails with 1010 for
 * invalid prices.
 */
export const of = (
  pair: Pair,
  spacing: number,
  { lowerPrice, upperPrice }: {
    readonly lowerPrice?: BigDecimal.BigDecimal | undefined
    readonly upperPrice?: BigDecimal.BigDecimal | undefined
  }
): Effect.Effect<Range, ValidationFailure> =>
  Effect.gen(function*() {
    for (const [name, price] of [["lower_price", lowerPrice], ["upper_price", upperPrice]] as const) {
      if (price !== undefined && !isReachable(sqrtPriceOf(price, pair), spacing)) {
        return yield* new ValidationFailure({
          code: "1010",
          message: `${name}: a pool of ${pair.first.symbol} and ${pair.second.symbol} cannot have this price`
        })
      }
    }
    const { highest, lowest } = ends(spacing)
    const tickOf = (price: BigDecimal.BigDecimal | undefined, otherwise: number) =>
      price === undefined ? otherwise : nearest(sqrtPriceOf(price, pair), spacing)
    // In the inverted order, the lower price is the upper one.
    const [low, high] = isStraight(pair) ? [lowerPrice, upperPrice] : [upperPrice, lowerPrice]
    const [tickLower, tickUpper] = [tickOf(low, lowest), tickOf(high, highest)]
    if (tickLower >= tickUpper) {
      return yield* new ValidationFailure({
        code: "1010",
        message: `upper_price: must be above lower_price by at least one step of the pool (${stepOf(spacing)} %)`
      })
    }
    return make(tickLower, tickUpper)
  })

const stepOf = (spacing: number) => ((1.0001 ** spacing - 1) * 100).toPrecision(2)

export const make = (tickLower: number, tickUpper: number): Range => ({
  tickLower,
  tickUpper,
  lower: sqrtPriceAt(tickLower),
  upper: sqrtPriceAt(tickUpper)
})

const significantDigits = 12

/** Formats a fraction as decimal text with twelve significant digits, rounded down. */
const decimal = (numerator: bigint, denominator: bigint): string => {
  const length = (value: bigint) => value.toString().length
  const places = Math.max(0, significantDigits - (length(numerator) - length(denominator)))
  return BigDecimal.format(
    BigDecimal.normalize(BigDecimal.make(numerator * 10n ** BigInt(places) / denominator, places))
  )
}

/** Returns the caller's price (second per first, human units) at a tick. */
const priceAt = (pair: Pair, tick: number): string => {
  const square = sqrtPriceAt(tick) ** 2n
  const [own, other] = [10n ** BigInt(pair.first.decimals), 10n ** BigInt(pair.second.decimals)]
  return isStraight(pair) ? decimal(square * own, q192 * other) : decimal(q192 * own, square * other)
}

/** Returns the range in the caller's prices, from low to high; null where it has no end. */
export const priceBounds = (
  pair: Pair,
  { tickLower, tickUpper }: Pick<Range, "tickLower" | "tickUpper">,
  spacing: number
) => {
  const { highest, lowest } = ends(spacing)
  const below = tickLower <= lowest ? null : priceAt(pair, tickLower)
  const above = tickUpper >= highest ? null : priceAt(pair, tickUpper)
  return isStraight(pair) ? { lower_price: below, upper_price: above } : { lower_price: above, upper_price: below }
}
