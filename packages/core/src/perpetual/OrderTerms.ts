/**
 * From what a caller asks to the price and the size the core takes: 5 significant figures and a market's own decimals. What has to be
 * rounded is rounded for the vault: a price never worse than the limit, a size never over what was asked.
 */
import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import { format, toRaw } from "../chain/Quantity.ts"
import type { Side } from "./Perpetual.ts"

/** A perpetual contract as the core describes it now. Prices are USD with 8 decimals. */
export interface PerpetualMarket {
  /** What actions name it by. */
  readonly asset: number
  readonly coin: string
  /** Decimals that sizes have. */
  readonly sizeDecimals: number
  readonly mark: bigint
  /** Between the best bid and the best ask; null while one of them is missing. */
  readonly mid: bigint | null
}

/** What is asked for. Sizes in coins and prices in USD, human units. */
export interface Asked {
  readonly side: Side
  readonly size?: BigDecimal.BigDecimal | undefined
  readonly usd?: BigDecimal.BigDecimal | undefined
  readonly price?: BigDecimal.BigDecimal | undefined
  /** Percent. */
  readonly slippage: number
}

/** An order's price and size as the wire has them, 8 decimals, and their product in USD with 8 decimals, rounded up. */
export interface Terms {
  readonly price: bigint
  readonly size: bigint
  readonly notional: bigint
}

/** What is wrong, and with which parameter. */
export interface Unusable {
  readonly parameter: "price" | "size" | "usd"
  readonly reason: string
}

/** Decimals of prices and sizes on the wire. */
export const wireDecimals = 8

/** USD with 8 decimals that an order has to be worth at least. */
export const minimumNotional = 10n * 10n ** 8n

/** The most a price or a size can be: they travel as 64 bits. */
const most = 2n ** 64n - 1n

const one = 10n ** BigInt(wireDecimals)

/** The distance of prices the core takes around this one. Whole dollars are always taken. */
export const priceStep = (price: bigint, sizeDecimals: number): bigint => {
  const figures = 10n ** BigInt(Math.max(0, price.toString().length - 5))
  const decimals = 10n ** BigInt(wireDecimals - Math.max(0, 6 - sizeDecimals))
  const step = figures > decimals ? figures : decimals
  return step > one ? one : step
}

/** The nearest price the core takes that is not worse than this one for who buys or sells. */
export const roundedPrice = (price: bigint, side: Side, sizeDecimals: number): bigint => {
  const step = priceStep(price, sizeDecimals)
  return side === "buy" ? price / step * step : (price + step - 1n) / step * step
}

/** The largest size the core takes that is not over this one. */
export const roundedSize = (size: bigint, sizeDecimals: number): bigint => {
  const step = 10n ** BigInt(wireDecimals - sizeDecimals)
  return size / step * step
}

/** The middle of the market, less or more the slippage: the worst price a market order takes. */
export const marketPrice = (middle: bigint, side: Side, slippage: number): bigint => {
  const { scale, value } = BigDecimal.fromNumberUnsafe(slippage)
  const whole = 10n ** BigInt(scale + 2)
  return side === "buy" ? middle * (whole + value) / whole : (middle * (whole - value) + whole - 1n) / whole
}

/** How much worse than the market a price is, as a fraction with 18 decimals; 0 where it is better. */
export const worseBy = (price: bigint, middle: bigint, side: Side): bigint => {
  const difference = side === "buy" ? price - middle : middle - price
  return difference <= 0n || middle === 0n ? 0n : difference * 10n ** 18n / middle
}

const unusable = (parameter: Unusable["parameter"], reason: string) => Result.fail<Unusable>({ parameter, reason })

const larger = (a: bigint, b: bigint) => a > b ? a : b

/** Price and size of an order. `closing`: the size to take where neither a size nor dollars are asked for, 8 decimals. */
export const of = (market: PerpetualMarket, asked: Asked, closing = 0n): Result.Result<Terms, Unusable> => {
  const middle = market.mid ?? market.mark
  const limit = asked.price === undefined ? marketPrice(middle, asked.side, asked.slippage) : toRaw(asked.price, wireDecimals)
  const price = roundedPrice(limit, asked.side, market.sizeDecimals)
  if (price === 0n || price > most) return unusable("price", `must be a price ${market.coin} can have`)
  // At the dearer of the two prices, so that it is never worth more than was asked.
  const dearer = larger(price, middle)
  const wanted = asked.size !== undefined
    ? toRaw(asked.size, wireDecimals)
    : asked.usd !== undefined ? toRaw(asked.usd, wireDecimals) * one / dearer : closing
  const size = roundedSize(wanted, market.sizeDecimals)
  const parameter = asked.size === undefined && asked.usd !== undefined ? "usd" : "size"
  if (size === 0n) {
    return unusable(parameter, `comes to less than ${format(10n ** BigInt(wireDecimals - market.sizeDecimals), wireDecimals)} ${market.coin}, the least that is traded`)
  }
  if (size > most) return unusable(parameter, `must be at most ${format(most, wireDecimals)} ${market.coin}`)
  return Result.succeed({ price, size, notional: (price * size + one - 1n) / one })
}

/** Why an order that opens or adds to a position is too small; `undefined` when it is not. */
export const tooSmall = ({ notional, price, size }: Terms, coin: string): string | undefined =>
  notional >= minimumNotional
    ? undefined
    : `${format(size, wireDecimals)} ${coin} at ${format(price, wireDecimals)} are worth ${format(notional / 10n ** 6n, 2)} USD; an order has to be worth at least 10`
