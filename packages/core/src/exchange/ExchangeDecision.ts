/** What an exchange bot does about the balances it sees. Pure. Everything is exact decimals in human units. */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"

type Big = BigDecimal.BigDecimal

/** `long`: hold the base. `neutral`: hold the quote. `hold`: do nothing. */
export const sides = ["long", "neutral", "hold"] as const
export const Side = Schema.Literals(sides)
export type Side = typeof Side.Type

/** A market's steps and least sizes. */
export interface MarketRules {
  readonly amountStep: Big
  readonly priceStep: Big
  /** In the base. */
  readonly minAmount: Big
  /** In the quote. */
  readonly minCost: Big
}

/** What the exchange shows of a pair. */
export interface Sight {
  /** Free balances. */
  readonly base: Big
  readonly quote: Big
  readonly bid: Big
  readonly ask: Big
  /** US dollars per quote. */
  readonly usd: Big
}

export interface Terms {
  readonly side: Side
  /** Percent of what is on the wrong side. */
  readonly share: number
  /** USD one order may be worth. */
  readonly maxUsd: Big
  /** What an earlier decision left where it is; it is touched again only by another setting. */
  readonly rest: Big
  /** What an earlier order was to move and did not; all of it is moved, whatever the share. */
  readonly owed: Big
  /** Percent an order may be worse than the market shows. */
  readonly slippage: number
}

export type Decision =
  | { readonly _tag: "hold"; readonly reason: string }
  | {
    readonly _tag: "order"
    readonly side: "buy" | "sell"
    /** In the base. */
    readonly amount: Big
    readonly limit: Big
    readonly usd: Big
    /** What the bot leaves alone from now on. */
    readonly rest: Big
    readonly reason: string
  }

const zero = BigDecimal.fromBigInt(0n)
const hundred = BigDecimal.fromBigInt(100n)
/** Percent of the pair's worth that may be on the wrong side: orders for less cost more than they mend. */
export const threshold = BigDecimal.fromBigInt(1n)

const max = (left: Big, right: Big) => BigDecimal.isGreaterThan(left, right) ? left : right
const min = (left: Big, right: Big) => BigDecimal.isLessThan(left, right) ? left : right
const percentOf = (value: Big, percent: Big) => BigDecimal.divideUnsafe(BigDecimal.multiply(value, percent), hundred)
const over = (left: Big, right: Big) => BigDecimal.isZero(right) ? zero : BigDecimal.divideUnsafe(left, right)

/** Whole steps, rounded down. */
export const floorTo = (value: Big, step: Big): Big =>
  BigDecimal.isZero(step) ? value : BigDecimal.normalize(BigDecimal.multiply(BigDecimal.floor(BigDecimal.divideUnsafe(value, step)), step))
const ceilTo = (value: Big, step: Big): Big => {
  const down = floorTo(value, step)
  return BigDecimal.isLessThan(down, value) ? BigDecimal.sum(down, step) : down
}

/** Plain digits, never scientific notation, at most 12 places. */
export const show = (value: Big): string => {
  const { scale, value: digits } = BigDecimal.normalize(BigDecimal.scale(value, Math.min(12, Math.max(0, value.scale))))
  const plain = BigDecimal.scale(BigDecimal.make(digits, scale), Math.max(0, scale))
  const text = (plain.value < 0n ? -plain.value : plain.value).toString().padStart(plain.scale + 1, "0")
  const whole = text.slice(0, text.length - plain.scale)
  return `${plain.value < 0n ? "-" : ""}${whole}${plain.scale === 0 ? "" : `.${text.slice(text.length - plain.scale)}`}`
}

const hold = (reason: string): Decision => ({ _tag: "hold", reason })

export const decide = (terms: Terms, sight: Sight, rules: MarketRules, [base, quote]: readonly [string, string]): Decision => {
  const { maxUsd, owed, rest, share, side, slippage } = terms
  if (side === "hold") return hold("The side is hold.")
  const buys = side === "long"
  const wanted = buys ? base : quote
  const held = buys ? sight.quote : sight.base
  const factor = BigDecimal.fromNumberUnsafe(buys ? 100 + slippage : 100 - slippage)
  const limit = buys ? ceilTo(percentOf(sight.ask, factor), rules.priceStep) : floorTo(percentOf(sight.bid, factor), rules.priceStep)
  if (!BigDecimal.isPositive(limit)) return hold(`The exchange shows no price of ${base}-${quote}.`)
  const inQuote = (amount: Big) => buys ? amount : BigDecimal.multiply(amount, sight.bid)
  const fresh = max(zero, BigDecimal.subtract(held, rest))
  const whole = BigDecimal.sum(BigDecimal.multiply(sight.base, sight.bid), sight.quote)
  if (!BigDecimal.isGreaterThan(BigDecimal.multiply(inQuote(fresh), hundred), BigDecimal.multiply(whole, threshold))) {
    return hold(`Not more than ${show(threshold)} % of what the pair holds is to become ${wanted}.`)
  }
  const chased = min(owed, fresh)
  const part = BigDecimal.sum(chased, percentOf(BigDecimal.subtract(fresh, chased), BigDecimal.fromNumberUnsafe(share)))
  const cap = over(maxUsd, buys ? sight.usd : BigDecimal.multiply(sight.usd, sight.bid))
  const taken = min(part, cap)
  const amount = floorTo(buys ? over(taken, limit) : taken, rules.amountStep)
  const cost = BigDecimal.multiply(amount, limit)
  if (!BigDecimal.isPositive(amount) || BigDecimal.isLessThan(amount, rules.minAmount) || BigDecimal.isLessThan(cost, rules.minCost)) {
    return hold(`What may be moved to ${wanted} is below the exchange's least order (${show(rules.minAmount)} ${base}, ${show(rules.minCost)} ${quote}).`)
  }
  const usd = BigDecimal.multiply(inQuote(taken), sight.usd)
  const [from, to] = buys ? [quote, base] : [base, quote]
  return {
    _tag: "order",
    side: buys ? "buy" : "sell",
    amount,
    limit,
    usd,
    rest: BigDecimal.subtract(held, taken),
    reason: `${show(floorTo(taken, BigDecimal.fromStringUnsafe("0.00000001")))} of ${show(held)} ${from} is to become ${to}.`
  }
}

/** The least an order on a market is worth in USD, with room for its price to move. */
export const leastUsd = (rules: MarketRules, { ask, usd }: Pick<Sight, "ask" | "usd">): Big =>
  BigDecimal.multiply(max(rules.minCost, BigDecimal.multiply(rules.minAmount, ask)), usd)
