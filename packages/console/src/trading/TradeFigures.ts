/** Figures of a trade by the vault's own oracle. For display only: the service checks the trade by its own. */
import { dollars, percent } from "../shell/Format.ts"
import { type Priced, valueOf } from "../vault/Amounts.ts"
import type { Trade } from "./Plans.ts"
import { t } from "../text/Text.ts"

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

/** Formats a route: symbols, and between them the fees of pools, which the service gives in millionths. */
export const routeText = (route: ReadonlyArray<string>): string =>
  route.map((step) => /^\d+$/.test(step) ? percent(Number(step) / 10_000) : step).join(" → ")
