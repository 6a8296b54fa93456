/** Lines that say what a plan does: the same ones while it is chosen and in its review. */
import { amount, dollars, percent, shortOf } from "../shell/Format.ts"
import { amountsText, feeText, plannedRange, swapText, valuedText, worstOf } from "./LiquidityFigures.ts"
import type { LiquidityPlan, LiquidityRequest } from "./LiquidityPlans.ts"
import type { Holding, Side } from "./Positions.ts"
import { t } from "../text/Text.ts"

/** The facts that the words of a plan depend on besides the plan. */
export interface PlanContext {
  /** The request's assets. */
  readonly first: Side
  readonly second: Side
  readonly holdings: ReadonlyArray<Holding>
  /** The exchange's name. */
  readonly exchange: string
}

type Line = readonly [name: string, value: string] | undefined

const costsOf = (plan: LiquidityPlan, { holdings }: PlanContext): ReadonlyArray<Line> => [
  [t("Max gas"), plan.gas_cost === null ? t("unknown") : shortOf(plan.gas_cost)],
  [t("Charge"), dollars(plan.charge.usd)],
  [t("Worst case"), worstOf(holdings, plan)]
]

const addLines = (plan: LiquidityPlan, context: PlanContext): ReadonlyArray<Line> => [
  [
    t("Position"),
    plan.is_new === true || plan.token_id === null
      ? t("New position")
      : t("Added to position #{id}, which has this range", { id: plan.token_id })
  ],
  [t("Pool"), `${context.exchange} · ${feeText(plan)}`],
  [t("Range"), plannedRange(plan, context.first, context.second)],
  [
    t("Swapped first"),
    plan.swapped === null || plan.swapped === undefined ? t("nothing") : swapText(plan.swapped)
  ],
  [t("Goes in"), valuedText(context.holdings, plan.added ?? [])],
  [
    t("At least"),
    t("{amounts}, or it fails and nothing moves", { amounts: amountsText(plan.minimum ?? []) })
  ],
  [t("Liquidity"), amount(plan.liquidity)],
  plan.staked ? [t("Staking"), t("Taken back and staked again in the same transaction")] : undefined
]

const removeLines = (
  { params }: LiquidityRequest,
  plan: LiquidityPlan,
  context: PlanContext
): ReadonlyArray<Line> => [
  [
    t("Position"),
    plan.burnt === true
      ? t("All of #{id}, which is closed", { id: plan.token_id ?? "" })
      : t("{percent} of #{id}", { id: plan.token_id ?? "", percent: percent(Number(params["amount"] ?? "100")) })
  ],
  [t("Comes out"), valuedText(context.holdings, plan.removed ?? [])],
  [t("Including fees"), amountsText(plan.fees ?? [])],
  [
    t("At least"),
    t("{amounts}, or it fails and nothing moves", { amounts: amountsText(plan.minimum ?? []) })
  ],
  plan.swapped === null || plan.swapped === undefined ? undefined : [t("Then swapped"), swapText(plan.swapped)],
  plan.staked ? [t("Staking"), t("The rest is staked again in the same transaction")] : undefined
]

/** Lists what the plan of a request does. */
export const linesOf = (request: LiquidityRequest, plan: LiquidityPlan, context: PlanContext): ReadonlyArray<Line> => {
  const { action } = request
  const own = action === "addLiquidity"
    ? addLines(plan, context)
    : action === "removeLiquidity"
    ? removeLines(request, plan, context)
    : [
      [t("Position"), `#${plan.token_id ?? ""} · ${context.first.symbol}/${context.second.symbol}`] as const,
      [t("Pool"), `${context.exchange} · ${feeText(plan)}`] as const,
      action === "collectFees" && !plan.staked
        ? [t("Fees"), valuedText(context.holdings, plan.fees ?? [])] as const
        : undefined,
      action !== "stakeLiquidity" && (plan.staked || action === "unstakeLiquidity")
        ? [t("Rewards"), t("Known when the transaction is mined")] as const
        : undefined
    ]
  return [...own, ...costsOf(plan, context)]
}
