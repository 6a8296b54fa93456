/** Figures of a trade by the vault's own oracle. For display only: the service checks the trade by its own. */
import type { Quantity } from "@vault-trader/core/chain/Quantity"
import { dollars, percent } from "../shell/Format.ts"
import type { Trade } from "./Plans.ts"
import { t } from "../text/Text.ts"

interface Priced {
  readonly asset: string
  readonly price: number | null
}

/** Returns a quantity's value in USD; undefined without a price. */
export const valueOf = (holdings: ReadonlyArray<Priced>, { amount, asset }: Quantity): number | undefined => {
  const price = holdings.find((holding) => holding.asset === asset)?.price
  return price === null || price === undefined ? undefined : Number(amount) * price
}

/** Returns by how many percent the proceeds are worth less than what is sold; below 0 for a gain. */
export const impactOf = (holdings: ReadonlyArray<Priced>, { amountIn, amountOut }: Trade): number | undefined => {
  const [sold, bought] = [valueOf(holdings, amountIn), valueOf(holdings, amountOut)]
  return sold === undefined || bought === undefined || sold === 0 ? undefined : (sold - bought) / sold * 100
}

/** Describes the most that the trade can lose: its value minus the least proceeds, plus the charge. */
export const worstLossOf = (
  holdings: ReadonlyArray<Priced>,
  { amountIn, charge, minOut }: Trade
): string | undefined => {
  const [sold, bought] = [valueOf(holdings, amountIn), valueOf(holdings, minOut)]
  return sold === undefined || bought === undefined
    ? undefined
    : t("{usd} and the gas", { usd: dollars(Math.max(0, sold - bought) + charge.usd) })
}

/** Returns all of an amount, as the API accepts it. */
export const maxOf = (held: string): string => held

/** Returns a part of a decimal amount, rounded down, with the decimals that the amount has. Exact: no binary fractions. */
export const partOf = (held: string, percent: number): string => {
  const [whole = "0", fraction = ""] = held.split(".")
  const scaled = (BigInt(`${whole}${fraction}`) * BigInt(percent) / 100n).toString().padStart(fraction.length + 1, "0")
  if (fraction === "") return scaled
  const text = `${scaled.slice(0, -fraction.length)}.${scaled.slice(-fraction.length)}`
  return text.replace(/\.?0+$/, "")
}

/** Formats a route: symbols, and between them the fees of pools, which the service gives in millionths. */
export const routeText = (route: ReadonlyArray<string>): string =>
  route.map((step) => /^\d+$/.test(step) ? percent(Number(step) / 10_000) : step).join(" → ")
