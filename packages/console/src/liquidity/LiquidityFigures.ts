/** Figures of plans and results, for display: the service checks its own. */
import type { Quantity } from "@vault-trader/core/chain/Quantity"
import { amount, dollars, listOf, money, percent, price } from "../shell/Format.ts"
import { type Priced, valueOf } from "../vault/Amounts.ts"
import type { LiquidityPlan, Swapped } from "./LiquidityPlans.ts"
import type { Side } from "./Positions.ts"
import { t } from "../text/Text.ts"

/** A quantity as plans and results have it. */
type Amount = Pick<Quantity, "amount" | "symbol">

/** Lists quantities: "0.332 WETH and 996 USDC". */
export const amountsText = (quantities: ReadonlyArray<Amount>): string =>
  listOf(quantities.map((each) => `${amount(each.amount)} ${each.symbol}`), "and")

/** Returns the value of quantities in USD; undefined while a price is unknown. */
export const worthOf = (holdings: ReadonlyArray<Priced>, quantities: ReadonlyArray<Quantity>): number | undefined => {
  const values = quantities.map((each) => Number(each.amount) === 0 ? 0 : valueOf(holdings, each))
  return values.some((each) => each === undefined)
    ? undefined
    : values.reduce<number>((sum, each) => sum + (each ?? 0), 0)
}

/** Lists quantities with their value. */
export const valuedText = (holdings: ReadonlyArray<Priced>, quantities: ReadonlyArray<Quantity>): string => {
  const worth = worthOf(holdings, quantities)
  return `${amountsText(quantities)}${worth === undefined ? "" : ` (${money(worth)})`}`
}

/** A pool's fee as its exchange names it. */
export const feeText = ({ fee_tier, tick_spacing }: Pick<LiquidityPlan, "fee_tier" | "tick_spacing">): string =>
  fee_tier === null ? t("tick spacing {spacing}", { spacing: tick_spacing ?? "" }) : percent(fee_tier / 10_000)

/** Describes a range in the second asset per first. */
export const rangeText = (low: number | null, high: number | null, first: Side, second: Side): string => {
  const names = { first: first.symbol, second: second.symbol }
  return low === null && high === null
    ? t("Every price")
    : high === null
    ? t("From {low} {second} per {first} up", { ...names, low: price(low) })
    : low === null
    ? t("Up to {high} {second} per {first}", { ...names, high: price(high) })
    : t("{low} to {high} {second} per {first}", { ...names, low: price(low), high: price(high) })
}

const numberOf = (text: string | null): number | null => text === null ? null : Number(text)

/** Describes the range of a plan, whose ends are prices that the pool has. */
export const plannedRange = ({ lower_price, upper_price }: LiquidityPlan, first: Side, second: Side): string =>
  rangeText(numberOf(lower_price), numberOf(upper_price), first, second)

/** A holding as a swap's words name it. */
type Named = Priced & { readonly symbol: string }

/** Returns the value in USD of a swap's side in words; undefined without a price. */
const sideWorth = (holdings: ReadonlyArray<Named>, words: string): number | undefined => {
  const [size = "", symbol] = words.split(" ")
  const price = holdings.find((holding) => holding.symbol === symbol)?.price
  return price === null || price === undefined || !Number.isFinite(Number(size)) ? undefined : Number(size) * price
}

/** Returns what a swap can lose at most by the vault's oracle, in USD: none without one. */
const swapLossOf = (holdings: ReadonlyArray<Named>, swapped: Swapped | null | undefined): number | undefined => {
  if (swapped === null || swapped === undefined) return 0
  const [sold, bought] = [sideWorth(holdings, swapped.sold), sideWorth(holdings, swapped.bought)]
  return sold === undefined || bought === undefined ? undefined : Math.max(0, sold - bought)
}

/** Describes the most that a plan can cost: the swap at its worst, the charge and the gas. */
export const worstOf = (holdings: ReadonlyArray<Named>, { charge, swapped }: LiquidityPlan): string => {
  const loss = swapLossOf(holdings, swapped)
  return loss === undefined
    ? t("unknown, no price")
    : t("{usd} and the gas", { usd: dollars(loss + charge.usd) })
}

/** Describes a swap of a plan, whose proceeds are the least that it accepts. */
export const swapText = ({ bought, sold, venue }: Swapped): string =>
  t("{sold} for at least {bought} on {venue}", { sold: wordsOf(sold), bought: wordsOf(bought), venue })

/** Describes a swap that was made. */
export const swappedText = ({ bought, sold, venue }: Swapped): string =>
  t("{sold} for {bought} on {venue}", { sold: wordsOf(sold), bought: wordsOf(bought), venue })

const wordsOf = (words: string): string => {
  const [size = "", ...symbol] = words.split(" ")
  return [amount(size), ...symbol].join(" ")
}
