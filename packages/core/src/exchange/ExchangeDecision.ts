/** The decision of an exchange bot from its balances. Pure; all quantities are exact decimals in human units. */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"

type Big = BigDecimal.BigDecimal

/** `long`: hold the base. `neutral`: hold the quote. `hold`: do nothing. */
export const sides = ["long", "neutral", "hold"] as const
export const Side = Schema.Literals(sides)
export type Side = typeof Side.Type

/** A market's step sizes and minimum order sizes. */
export interface MarketRules {
  readonly amountStep: Big
  readonly priceStep: Big
  /** In the base. */
  readonly minAmount: Big
  /** In the quote. */
  readonly minCost: Big
}

/** A pair's balances and prices at the exchange. */
export interface PairView {
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
  /** Percent of the balance on the wrong side to move per decision. */
  readonly share: number
  /** The maximum value of one order, USD. */
  readonly maxUsd: Big
  /** The balance that an earlier decision left unchanged. Only a new setting moves it. */
  readonly rest: Big
  /** The amount that an earlier order should have moved and did not. All of it is moved, whatever the share. */
  readonly owed: Big
  /** Percent by which an order's limit may be worse than the market price. */
  readonly slippage: number
  /** True while a triggered bracket closes a position: it is sold however small a part of the pair's value it is. */
  readonly closes?: boolean
}

export type Decision =
  | {
    readonly _tag: "hold"
    readonly reason: string
    /** True when what is left to convert is below the exchange's minimum order. */
    readonly isTooSmall: boolean
  }
  | {
    readonly _tag: "order"
    readonly side: "buy" | "sell"
    /** In the base. */
    readonly amount: Big
    readonly limit: Big
    readonly usd: Big
    /** The balance that the bot leaves unchanged from now on. */
    readonly rest: Big
    readonly reason: string
  }

const zero = BigDecimal.fromBigInt(0n)
const hundred = BigDecimal.fromBigInt(100n)
/** Percent of the pair's value that may stay on the wrong side: trading less costs more than it gains. */
const threshold = BigDecimal.fromBigInt(1n)

const max = (left: Big, right: Big) => BigDecimal.isGreaterThan(left, right) ? left : right
const min = (left: Big, right: Big) => BigDecimal.isLessThan(left, right) ? left : right
const percentOf = (value: Big, percent: Big) => BigDecimal.divideUnsafe(BigDecimal.multiply(value, percent), hundred)
const over = (left: Big, right: Big) => BigDecimal.isZero(right) ? zero : BigDecimal.divideUnsafe(left, right)

/** Rounds down to whole steps. */
const floorTo = (value: Big, step: Big): Big =>
  BigDecimal.isZero(step)
    ? value
    : BigDecimal.normalize(BigDecimal.multiply(BigDecimal.floor(BigDecimal.divideUnsafe(value, step)), step))
const ceilTo = (value: Big, step: Big): Big => {
  const down = floorTo(value, step)
  return BigDecimal.isLessThan(down, value) ? BigDecimal.sum(down, step) : down
}

/** Formats a decimal with plain digits, never in scientific notation, and at most 12 decimal places. */
export const show = (value: Big): string => {
  const { scale, value: digits } = BigDecimal.normalize(BigDecimal.scale(value, Math.min(12, Math.max(0, value.scale))))
  const plain = BigDecimal.scale(BigDecimal.make(digits, scale), Math.max(0, scale))
  const text = (plain.value < 0n ? -plain.value : plain.value).toString().padStart(plain.scale + 1, "0")
  const whole = text.slice(0, text.length - plain.scale)
  return `${plain.value < 0n ? "-" : ""}${whole}${plain.scale === 0 ? "" : `.${text.slice(text.length - plain.scale)}`}`
}

const hold = (reason: string, isTooSmall = false): Decision => ({ _tag: "hold", reason, isTooSmall })

export const decide = (
  terms: Terms,
  sight: PairView,
  rules: MarketRules,
  [base, quote]: readonly [string, string]
): Decision => {
  const { closes = false, maxUsd, owed, rest, share, side, slippage } = terms
  if (side === "hold") return hold("The side is hold.")
  const buys = side === "long"
  const target = buys ? base : quote
  const balance = buys ? sight.quote : sight.base
  const factor = BigDecimal.fromNumberUnsafe(buys ? 100 + slippage : 100 - slippage)
  const limit = buys
    ? ceilTo(percentOf(sight.ask, factor), rules.priceStep)
    : floorTo(percentOf(sight.bid, factor), rules.priceStep)
  if (!BigDecimal.isPositive(limit)) return hold(`The exchange shows no price of ${base}-${quote}.`)
  const inQuote = (amount: Big) => buys ? amount : BigDecimal.multiply(amount, sight.bid)
  const movable = max(zero, BigDecimal.subtract(balance, rest))
  const whole = BigDecimal.sum(BigDecimal.multiply(sight.base, sight.bid), sight.quote)
  if (
    !closes &&
    !BigDecimal.isGreaterThan(BigDecimal.multiply(inQuote(movable), hundred), BigDecimal.multiply(whole, threshold))
  ) {
    return hold(`At most ${show(threshold)} % of the pair's value is left to convert to ${target}.`)
  }
  const carriedOver = min(owed, movable)
  const part = BigDecimal.sum(
    carriedOver,
    percentOf(BigDecimal.subtract(movable, carriedOver), BigDecimal.fromNumberUnsafe(share))
  )
  const cap = over(maxUsd, buys ? sight.usd : BigDecimal.multiply(sight.usd, sight.bid))
  const moving = min(part, cap)
  const amount = floorTo(buys ? over(moving, limit) : moving, rules.amountStep)
  const cost = BigDecimal.multiply(amount, limit)
  if (
    !BigDecimal.isPositive(amount) || BigDecimal.isLessThan(amount, rules.minAmount) ||
    BigDecimal.isLessThan(cost, rules.minCost)
  ) {
    return hold(
      `The amount to convert to ${target} is below the exchange's minimum order (${show(rules.minAmount)} ${base}, ${
        show(rules.minCost)
      } ${quote}).`,
      true
    )
  }
  const usd = BigDecimal.multiply(inQuote(moving), sight.usd)
  const [from, to] = buys ? [quote, base] : [base, quote]
  return {
    _tag: "order",
    side: buys ? "buy" : "sell",
    amount,
    limit,
    usd,
    rest: BigDecimal.subtract(balance, moving),
    reason: `Converting ${show(floorTo(moving, BigDecimal.fromStringUnsafe("0.00000001")))} of ${
      show(balance)
    } ${from} to ${to}.`
  }
}

/**
 * Returns the minimum value of an order on a market in USD: the exchange's minimum cost, or its minimum amount at the
 * ask if that is more. An order's limit is worse than the market price by the slippage, so an order of exactly this
 * value can still be too small.
 */
export const minOrderUsd = (rules: MarketRules, { ask, usd }: Pick<PairView, "ask" | "usd">): Big =>
  BigDecimal.multiply(max(rules.minCost, BigDecimal.multiply(rules.minAmount, ask)), usd)
