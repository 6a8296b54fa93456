/** A bot's holdings in a backtest, and the effect of a trade. Quantities are in smallest units, USD has 18 decimals. */
import type { Address } from "../chain/Address.ts"
import type { Token } from "../chain/Token.ts"
import { percent18 } from "../index-bot/RebalancePlan.ts"
import type { Prices } from "./PriceSeries.ts"

export type Portfolio = ReadonlyMap<Address, bigint>

/** The costs of each trade, in percent. */
export interface Costs {
  /** The venue's fee, of the amount sold. */
  readonly fee: number
  /** The loss to the market, of the amount after the fee. */
  readonly slippage: number
}

/** An executed trade. */
export interface Fill {
  /** Unix seconds. */
  readonly time: number
  readonly from: Token
  readonly to: Token
  readonly sold: bigint
  readonly bought: bigint
  /** The value of the amount sold. */
  readonly usd18: bigint
  /** The value sold minus the value bought. */
  readonly cost18: bigint
  readonly reason: string
}

const hundred18 = 100n * 10n ** 18n
const unitsOf = ({ decimals }: Token) => 10n ** BigInt(decimals)

export const heldOf = (portfolio: Portfolio, { address }: Token): bigint => portfolio.get(address) ?? 0n

/** Computes the value of an amount in USD, rounded down. */
const worthOf = (token: Token, amount: bigint, prices: Prices): bigint =>
  amount * (prices.get(token.address) ?? 0n) / unitsOf(token)

/** Computes the value of the whole portfolio in USD. */
export const valueOf = (portfolio: Portfolio, tokens: ReadonlyArray<Token>, prices: Prices): bigint =>
  tokens.reduce((sum, token) => sum + worthOf(token, heldOf(portfolio, token), prices), 0n)

/** Computes the amount of a token that is worth this many USD, rounded down. */
export const worth = (token: Token, usd18: bigint, prices: Prices): bigint => {
  const price = prices.get(token.address) ?? 0n
  return price === 0n ? 0n : usd18 * unitsOf(token) / price
}

interface Swap {
  readonly time: number
  readonly from: Token
  readonly to: Token
  readonly amount: bigint
  readonly reason: string
}

/**
 * Sells the requested amount, or the balance if that is less, at these prices minus the costs. Returns `undefined` if
 * nothing would be bought.
 */
export const swap = (
  portfolio: Portfolio,
  { amount, from, reason, time, to }: Swap,
  prices: Prices,
  { fee, slippage }: Costs
): readonly [Portfolio, Fill] | undefined => {
  const balance = heldOf(portfolio, from)
  const sold = amount < balance ? amount : balance
  const usd18 = worthOf(from, sold, prices)
  const price = prices.get(to.address) ?? 0n
  if (price === 0n) return undefined
  // A single division rounds only the last unit.
  const bought = sold * (prices.get(from.address) ?? 0n) * unitsOf(to) * (hundred18 - percent18(fee)) *
    (hundred18 - percent18(slippage)) /
    (price * unitsOf(from) * hundred18 * hundred18)
  if (bought === 0n) return undefined
  const after = new Map([...portfolio, [from.address, balance - sold], [to.address, heldOf(portfolio, to) + bought]])
  return [after, { time, from, to, sold, bought, usd18, cost18: usd18 - worthOf(to, bought, prices), reason }]
}
