/** Token quantities: `bigint` in smallest units with the decimals beside it; exact decimal text for people. */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import { Address } from "./Address.ts"
import type { Token } from "./Token.ts"

/** A quantity of a token in responses: `amount` in human units, `raw` in smallest units. */
export const Quantity = Schema.Struct({
  asset: Address,
  symbol: Schema.String,
  amount: Schema.String,
  raw: Schema.String
}).annotate({ identifier: "Quantity" })
export type Quantity = typeof Quantity.Type

/** Formats a quantity of smallest units in human units, exactly and without trailing zeros. */
export const format = (raw: bigint, decimals: number): string => {
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "")
  return `${raw < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`
}

/** Converts a decimal in human units to smallest units, rounded towards zero. */
export const toRaw = (amount: BigDecimal.BigDecimal, decimals: number): bigint =>
  BigDecimal.scale(amount, decimals).value

/** Returns the larger of two quantities. */
export const max = (one: bigint, other: bigint): bigint => one > other ? one : other

/** Returns the smaller of two quantities. */
export const min = (one: bigint, other: bigint): bigint => one < other ? one : other

/** Builds a token quantity for a response. */
export const of = (token: Token, raw: bigint): Quantity =>
  Quantity.make({
    asset: token.address,
    symbol: token.symbol,
    amount: format(raw, token.decimals),
    raw: raw.toString()
  })

/** Returns a percentage of a quantity, rounded towards zero. The percentage is used exactly as its decimal text. */
export const percentOf = (raw: bigint, percent: number): bigint => {
  if (percent >= 100) return raw
  const { scale, value } = BigDecimal.fromNumberUnsafe(percent)
  return toRaw(BigDecimal.make(raw * value, scale + 2), 0)
}

/**
 * Converts USD with 18 decimals to a number of dollars with 6 decimals; for display, never for arithmetic on amounts.
 */
export const usd = (raw18: bigint): number => Number(raw18 / 1_000_000_000_000n) / 1e6

/**
 * Returns USD with 18 decimals, rounded up, for an amount in smallest units at a price in USD (18 decimals) per whole
 * token.
 */
export const usdValue = (amount: bigint, price: bigint, decimals: number): bigint => {
  const whole = 10n ** BigInt(decimals)
  return (amount * price + whole - 1n) / whole
}

/** The same, but null where the oracle has no price, which a key's USD limits refuse. Never 0 for a missing price. */
export const usdValueOrNull = (amount: bigint, price: bigint | null, decimals: number): bigint | null =>
  price === null || price === 0n ? null : usdValue(amount, price, decimals)
