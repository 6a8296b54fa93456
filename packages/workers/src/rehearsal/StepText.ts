/** Words the plan of a step. */
import type { RehearsedPlan } from "./RehearsedPlan.ts"

/** Returns a quantity of a plan as text, such as `10 USDC`. */
const quantity = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "amount" in value && "symbol" in value
    ? `${String(value.amount)} ${String(value.symbol)}`
    : undefined

const quantities = (value: unknown): string =>
  Array.isArray(value) ? value.map((each) => quantity(each) ?? "?").join(" and ") : "?"

const costOf = ({ gas, gas_cost: cost }: RehearsedPlan) => `gas ${gas}, at most ${cost}`

export const trade = (plan: RehearsedPlan): string => {
  const { amountIn, amountOut, minOut, route } = plan.details
  const by = Array.isArray(route) && route.length > 0 ? `, route ${route.join(" ")}` : ""
  return `sells ${quantity(amountIn)} for ${quantity(amountOut)}, at least ${quantity(minOut)}${by}; ${costOf(plan)}`
}

export const lend = (plan: RehearsedPlan): string => `supplies ${quantity(plan.details["supplied"])}; ${costOf(plan)}`

export const liquidity = (plan: RehearsedPlan): string =>
  `adds ${quantities(plan.details["added"])}, at least ${quantities(plan.details["minimum"])}; ${costOf(plan)}`

export const deposit = (plan: RehearsedPlan): string =>
  `deposits ${quantity(plan.details["deposited"])}; ${costOf(plan)}`

/** Words a threshold bot's turn, which may be to hold. */
export const turn = (plan: RehearsedPlan): string => {
  if (plan.nothingToDo !== null) return `holds: ${plan.nothingToDo}`
  const { min_out: minOut, sold, venue } = plan.details
  return `sells ${quantity(sold)} by ${String(venue)}, for at least ${quantity(minOut)}; ${costOf(plan)}`
}
