/**
 * Converts liquidity between two prices to token amounts and back, rounded as in Uniswap V3. Prices are square roots in
 * Q96 format.
 */
import * as BigDecimal from "effect/BigDecimal"
import { q96, squareRoot } from "./TickMath.ts"

/** Smallest units of a pool's two tokens, in the order of their addresses. */
export type Amounts = readonly [amount0: bigint, amount1: bigint]

export interface SqrtRange {
  readonly lower: bigint
  readonly upper: bigint
}

const ceil = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / denominator
const clamp = (price: bigint, { lower, upper }: SqrtRange) => price < lower ? lower : price > upper ? upper : price

/** Returns the amounts needed to add this liquidity at a price, rounded up. */
export const toAdd = (price: bigint, range: SqrtRange, liquidity: bigint): Amounts => {
  const inside = clamp(price, range)
  const amount0 = ceil(ceil((liquidity << 96n) * (range.upper - inside), range.upper), inside)
  return [amount0, ceil(liquidity * (inside - range.lower), q96)]
}

/** Returns the amounts received for removing this liquidity at a price, rounded down. */
export const toRemove = (price: bigint, range: SqrtRange, liquidity: bigint): Amounts => {
  const inside = clamp(price, range)
  return [(liquidity << 96n) * (range.upper - inside) / range.upper / inside, liquidity * (inside - range.lower) / q96]
}

/** Returns the maximum liquidity these amounts suffice for, computed as the position manager does. */
export const liquidityOf = (price: bigint, range: SqrtRange, [amount0, amount1]: Amounts): bigint => {
  const inside = clamp(price, range)
  const of0 = inside === range.upper ? undefined : amount0 * (inside * range.upper / q96) / (range.upper - inside)
  const of1 = inside === range.lower ? undefined : amount1 * q96 / (inside - range.lower)
  return of0 === undefined ? of1 ?? 0n : of1 === undefined || of0 < of1 ? of0 : of1
}

/** Moves a price up and down by a percentage. */
export const movedPrices = (price: bigint, percent: number) => {
  const { scale, value } = BigDecimal.fromNumberUnsafe(percent)
  const whole = 10n ** BigInt(scale + 2)
  return {
    up: squareRoot(price * price * (whole + value) / whole),
    down: squareRoot(price * price * (whole - value) / whole)
  }
}

/**
 * Returns the minimum of each token while the price moves at most by the slippage (percent). Each token decreases in
 * one direction.
 */
export const minAmounts = (
  amounts: (price: bigint, range: SqrtRange, liquidity: bigint) => Amounts,
  price: bigint,
  range: SqrtRange,
  liquidity: bigint,
  slippage: number
): Amounts => {
  const { down, up } = movedPrices(price, slippage)
  return [amounts(up, range, liquidity)[0], amounts(down, range, liquidity)[1]]
}

/**
 * Returns the part of `whole` to swap so that the rest and the proceeds match the range at this price. The swap's rate
 * is `bought` for `sold`. `given` is the index of the caller's token in the pool.
 */
export const toSwap = (
  price: bigint,
  range: SqrtRange,
  given: 0 | 1,
  whole: bigint,
  { bought, sold }: { readonly sold: bigint; readonly bought: bigint }
): bigint => {
  const [need0, need1] = toRemove(price, range, 1n << 128n)
  const [own, other] = given === 0 ? [need0, need1] : [need1, need0]
  return other === 0n ? 0n : whole * other * sold / (other * sold + own * bought)
}
