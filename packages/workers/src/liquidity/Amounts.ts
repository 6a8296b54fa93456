/** What liquidity between two prices is made of, rounded as Uniswap V3 rounds it. Prices are square roots of 96 binary places. */
import * as BigDecimal from "effect/BigDecimal"
import { q96, squareRoot } from "./TickMath.ts"

/** Smallest units of a pool's two tokens, in the order of their addresses. */
export type Amounts = readonly [amount0: bigint, amount1: bigint]

export interface SqrtRange {
  readonly lower: bigint
  readonly upper: bigint
}

const ceil = (numerator: bigint, denominator: bigint) => (numerator + denominator - 1n) / denominator
const within = (price: bigint, { lower, upper }: SqrtRange) => price < lower ? lower : price > upper ? upper : price

/** What a position of this liquidity takes at a price. */
export const toAdd = (price: bigint, range: SqrtRange, liquidity: bigint): Amounts => {
  const inside = within(price, range)
  const amount0 = ceil(ceil((liquidity << 96n) * (range.upper - inside), range.upper), inside)
  return [amount0, ceil(liquidity * (inside - range.lower), q96)]
}

/** What comes back of this liquidity at a price. */
export const toRemove = (price: bigint, range: SqrtRange, liquidity: bigint): Amounts => {
  const inside = within(price, range)
  return [(liquidity << 96n) * (range.upper - inside) / range.upper / inside, liquidity * (inside - range.lower) / q96]
}

/** The most liquidity these amounts suffice for, as the position manager works it out. */
export const liquidityOf = (price: bigint, range: SqrtRange, [amount0, amount1]: Amounts): bigint => {
  const inside = within(price, range)
  const of0 = inside === range.upper ? undefined : amount0 * (inside * range.upper / q96) / (range.upper - inside)
  const of1 = inside === range.lower ? undefined : amount1 * q96 / (inside - range.lower)
  return of0 === undefined ? of1 ?? 0n : of1 === undefined || of0 < of1 ? of0 : of1
}

/** A price moved by a percentage, up and down. */
const moved = (price: bigint, percent: number) => {
  const { scale, value } = BigDecimal.fromNumberUnsafe(percent)
  const whole = 10n ** BigInt(scale + 2)
  return { up: squareRoot(price * price * (whole + value) / whole), down: squareRoot(price * price * (whole - value) / whole) }
}

/** The least of each token while the pool's price is off by no more than the slippage (percent): each token gets less to one side. */
export const least = (
  amounts: (price: bigint, range: SqrtRange, liquidity: bigint) => Amounts,
  price: bigint,
  range: SqrtRange,
  liquidity: bigint,
  slippage: number
): Amounts => {
  const { down, up } = moved(price, slippage)
  return [amounts(up, range, liquidity)[0], amounts(down, range, liquidity)[1]]
}

/**
 * How much of `whole` to swap so that what is left and what is bought go into the range together, at this price and at the rate at which
 * `sold` buys `bought`. `given` is the place of the token that is given.
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
