/**
 * Converts a caller's order to the price and size that HyperCore accepts: 5 significant figures and the market's own
 * decimals. Rounding favors the vault: a price is never worse than the limit, a size never above the requested one.
 */
import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import { format, max, toRaw } from "../chain/Quantity.ts"
import type { Side } from "./Perpetual.ts"

/** A perpetual contract as HyperCore describes it now. Prices are USD with 8 decimals. */
export interface PerpetualMarket {
  /** The contract's number in actions. */
  readonly asset: number
  readonly coin: string
  /** Decimals of sizes. */
  readonly sizeDecimals: number
  readonly mark: bigint
  /** Between the best bid and the best ask; null while one of them is missing. */
  readonly mid: bigint | null
}

/** A requested order. Sizes in coins and prices in USD, human units. */
export interface OrderRequest {
  readonly side: Side
  readonly size?: BigDecimal.BigDecimal | undefined
  readonly usd?: BigDecimal.BigDecimal | undefined
  readonly price?: BigDecimal.BigDecimal | undefined
  /** Percent. */
  readonly slippage: number
}

/** An order's price and size as sent, 8 decimals, and their product in USD with 8 decimals, rounded up. */
interface Terms {
  readonly price: bigint
  readonly size: bigint
  readonly notional: bigint
}

/** An unusable parameter, and the reason. */
interface Unusable {
  readonly parameter: "price" | "size" | "usd"
  readonly reason: string
}

/** Decimals of prices and sizes as sent. */
export const wireDecimals = 8

/** Minimum value of an order, USD with 8 decimals. */
const minNotional = 10n * 10n ** 8n

/** Maximum price or size, which are sent as 64 bits. */
const maxEncodable = 2n ** 64n - 1n

const one = 10n ** BigInt(wireDecimals)

/** Returns the tick around a price. HyperCore always accepts whole dollars. */
export const priceStep = (price: bigint, sizeDecimals: number): bigint => {
  const figures = 10n ** BigInt(Math.max(0, price.toString().length - 5))
  const decimals = 10n ** BigInt(wireDecimals - Math.max(0, 6 - sizeDecimals))
  const step = figures > decimals ? figures : decimals
  return step > one ? one : step
}

/** Rounds to the nearest valid price that is not worse for the buyer or seller. */
export const roundedPrice = (price: bigint, side: Side, sizeDecimals: number): bigint => {
  const step = priceStep(price, sizeDecimals)
  return side === "buy" ? price / step * step : (price + step - 1n) / step * step
}

/** Rounds down to a valid size. */
const roundedSize = (size: bigint, sizeDecimals: number): bigint => {
  const step = 10n ** BigInt(wireDecimals - sizeDecimals)
  return size / step * step
}

/** Returns the worst price of a market order: the mid price plus (buy) or minus (sell) the slippage. */
export const marketPrice = (middle: bigint, side: Side, slippage: number): bigint => {
  const { scale, value } = BigDecimal.fromNumberUnsafe(slippage)
  const whole = 10n ** BigInt(scale + 2)
  return side === "buy" ? middle * (whole + value) / whole : (middle * (whole - value) + whole - 1n) / whole
}

/** Returns how much worse than the market a price is, as a fraction with 18 decimals; 0 when it is not worse. */
export const worseBy = (price: bigint, middle: bigint, side: Side): bigint => {
  const difference = side === "buy" ? price - middle : middle - price
  return difference <= 0n || middle === 0n ? 0n : difference * 10n ** 18n / middle
}

const unusable = (parameter: Unusable["parameter"], reason: string) => Result.fail<Unusable>({ parameter, reason })

/**
 * Computes the price and size of an order. `closing`: the size when neither a size nor dollars are given, 8 decimals.
 */
export const of = (market: PerpetualMarket, requested: OrderRequest, closing = 0n): Result.Result<Terms, Unusable> => {
  const middle = market.mid ?? market.mark
  const limit = requested.price === undefined
    ? marketPrice(middle, requested.side, requested.slippage)
    : toRaw(requested.price, wireDecimals)
  const price = roundedPrice(limit, requested.side, market.sizeDecimals)
  if (price === 0n || price > maxEncodable) return unusable("price", `must be a valid price of ${market.coin}`)
  // Uses the higher of the two prices, so that the order is never worth more than requested.
  const higher = max(price, middle)
  const wanted = requested.size !== undefined
    ? toRaw(requested.size, wireDecimals)
    : requested.usd !== undefined
    ? toRaw(requested.usd, wireDecimals) * one / higher
    : closing
  const size = roundedSize(wanted, market.sizeDecimals)
  const parameter = requested.size === undefined && requested.usd !== undefined ? "usd" : "size"
  if (size === 0n) {
    return unusable(
      parameter,
      `results in less than ${
        format(10n ** BigInt(wireDecimals - market.sizeDecimals), wireDecimals)
      } ${market.coin}, the minimum size`
    )
  }
  if (size > maxEncodable) {
    return unusable(parameter, `must be at most ${format(maxEncodable, wireDecimals)} ${market.coin}`)
  }
  return Result.succeed({ price, size, notional: (price * size + one - 1n) / one })
}

/** Returns why an order that opens or increases a position is too small; `undefined` when it is not. */
export const tooSmall = ({ notional, price, size }: Terms, coin: string): string | undefined =>
  notional >= minNotional
    ? undefined
    : `${format(size, wireDecimals)} ${coin} at ${format(price, wireDecimals)} is worth ${
      format(notional / 10n ** 6n, 2)
    } USD; the minimum is 10 USD`
