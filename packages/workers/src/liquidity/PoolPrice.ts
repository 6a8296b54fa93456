/**
 * Bounds a pool's price by the vault's oracle. Anyone can move a pool's price for one transaction, and a deposit at such
 * a price loses to the account that moves it back.
 */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import type { Market } from "../trading/PairState.ts"
import { type Amounts, minAmounts, movedPrices, type SqrtRange, toAdd } from "./Amounts.ts"
import type { Pool } from "./PairPools.ts"
import type { Pair } from "./Range.ts"
import { q96, squareRoot } from "./TickMath.ts"

/** Returns the oracle's price as a pool states its own: the square root, in Q96 format. */
const oraclePrice = ({ priceIn, priceOut, tokenIn, tokenOut }: Market): bigint => {
  const [given, other] = [{ token: tokenIn, usd: priceIn }, { token: tokenOut, usd: priceOut }]
  const [zero, one] = tokenIn.address < tokenOut.address ? [given, other] : [other, given]
  return squareRoot(
    zero.usd * 10n ** BigInt(one.token.decimals) * q96 * q96 / (one.usd * 10n ** BigInt(zero.token.decimals))
  )
}

/** The prices at which a deposit is acceptable, and how they are explained. */
export interface Limits {
  readonly oracle: bigint
  /** Distance from the oracle's price in percent. */
  readonly percent: number
  readonly range: SqrtRange
}

const limitsAt = (oracle: bigint, percent: number): Limits => {
  const { down, up } = movedPrices(oracle, percent)
  return { oracle, percent, range: { lower: down, upper: up } }
}

/**
 * Returns the limits before a swap of the same transaction: the slippage and the pool's fee, within which arbitrage
 * does not pay. A swap that goes through the same pool may move it by the slippage again.
 */
export const limitsOf = (market: Market, { fee }: Pick<Pool, "fee">, slippage: number) => {
  const oracle = oraclePrice(market)
  const percent = slippage + fee / 10_000
  return { before: limitsAt(oracle, percent), after: limitsAt(oracle, percent + slippage) }
}

const rounded = (percent: number) => String(Number(percent.toFixed(2)))

/** Returns the distance of two square root prices in percent of the second. */
const distance = (sqrtPrice: bigint, oracle: bigint) => {
  const [price, fair] = [sqrtPrice * sqrtPrice, oracle * oracle]
  return fair === 0n ? 100 : Number((price > fair ? price - fair : fair - price) * 10_000n / fair) / 100
}

/** Fails with `slippage_exceeded` when the pool's price is outside the limits. */
export const check = (
  { first, second }: Pair,
  { oracle, percent, range }: Limits,
  sqrtPrice: bigint
): Effect.Effect<void, ExecutionFailure> =>
  sqrtPrice >= range.lower && sqrtPrice <= range.upper ? Effect.void : explain({
    _tag: "PoolPriceTooFar",
    first: first.symbol,
    second: second.symbol,
    percent: rounded(distance(sqrtPrice, oracle)),
    allowed: rounded(percent)
  })

/** Returns a deposit's minimum of each token: the price may move by the slippage, but not out of the limits. */
export const minimumsOf = (
  limits: Limits,
  sqrtPrice: bigint,
  range: SqrtRange,
  liquidity: bigint,
  slippage: number
): Amounts => {
  const [least0, least1] = minAmounts(toAdd, sqrtPrice, range, liquidity, slippage)
  const [bound0] = toAdd(limits.range.upper, range, liquidity)
  const [, bound1] = toAdd(limits.range.lower, range, liquidity)
  return [least0 > bound0 ? least0 : bound0, least1 > bound1 ? least1 : bound1]
}
