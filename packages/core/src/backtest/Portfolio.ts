/** What a bot holds while it is tried on the past, and what a trade does to that. Quantities in smallest units, USD with 18 decimals. */
import type { Address } from "../chain/Address.ts"
import type { Token } from "../chain/Token.ts"
import { percent18 } from "../index-bot/RebalancePlan.ts"
import type { Prices } from "./PriceSeries.ts"

export type Portfolio = ReadonlyMap<Address, bigint>

/** Percent that each trade loses. */
export interface Costs {
  /** To the venue, of what is sold. */
  readonly fee: number
  /** To the market, of what is left. */
  readonly slippage: number
}

/** A trade that was made. */
export interface Fill {
  /** Unix seconds. */
  readonly time: number
  readonly from: Token
  readonly to: Token
  readonly sold: bigint
  readonly bought: bigint
  /** What was sold was worth. */
  readonly usd18: bigint
  /** How much less what was bought is worth. */
  readonly cost18: bigint
  readonly reason: string
}

const hundred18 = 100n * 10n ** 18n
const unitsOf = ({ decimals }: Token) => 10n ** BigInt(decimals)

export const heldOf = (portfolio: Portfolio, { address }: Token): bigint => portfolio.get(address) ?? 0n

/** USD of an amount, rounded down. */
export const worthOf = (token: Token, amount: bigint, prices: Prices): bigint => amount * (prices.get(token.address) ?? 0n) / unitsOf(token)

/** USD of all of it. */
export const valueOf = (portfolio: Portfolio, tokens: ReadonlyArray<Token>, prices: Prices): bigint =>
  tokens.reduce((sum, token) => sum + worthOf(token, heldOf(portfolio, token), prices), 0n)

/** As much of a token as so many USD buy, rounded down. */
export const worth = (token: Token, usd18: bigint, prices: Prices): bigint => {
  const price = prices.get(token.address) ?? 0n
  return price === 0n ? 0n : usd18 * unitsOf(token) / price
}

export interface Swap {
  readonly time: number
  readonly from: Token
  readonly to: Token
  readonly amount: bigint
  readonly reason: string
}

/** Sells what is wanted, as far as it is there, at these prices less the costs. Nothing where it would bring nothing. */
export const swap = (portfolio: Portfolio, { amount: wanted, from, reason, time, to }: Swap, prices: Prices, { fee, slippage }: Costs): readonly [Portfolio, Fill] | undefined => {
  const there = heldOf(portfolio, from)
  const sold = wanted < there ? wanted : there
  const usd18 = worthOf(from, sold, prices)
  const price = prices.get(to.address) ?? 0n
  if (price === 0n) return undefined
  // In one division, so that only the last unit is rounded.
  const bought = sold * (prices.get(from.address) ?? 0n) * unitsOf(to) * (hundred18 - percent18(fee)) * (hundred18 - percent18(slippage)) /
    (price * unitsOf(from) * hundred18 * hundred18)
  if (bought === 0n) return undefined
  const after = new Map([...portfolio, [from.address, there - sold], [to.address, heldOf(portfolio, to) + bought]])
  return [after, { time, from, to, sold, bought, usd18, cost18: usd18 - worthOf(to, bought, prices), reason }]
}
