/** Builds the endings of index runs with the messages that their status shows. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { ErrorType, Failure } from "@vault-trader/core/failure/Failure"
import type { IndexRun } from "@vault-trader/core/index-bot/IndexRun"
import type { RunEnd } from "@vault-trader/core/index-bot/IndexRunStore"
import type { Plan } from "@vault-trader/core/index-bot/RebalancePlan"

/** Failures that are not the bot's: its breaker does not count them. While a value is unknown the bot waits. */
const uncounted: ReadonlySet<ErrorType> = new Set<ErrorType>([
  "paused",
  "rpc_unavailable",
  "busy",
  "internal",
  "price_unavailable"
])

const counts = (failure: Failure | null): boolean =>
  failure !== null && (failure._tag === "ValidationFailure" || !uncounted.has(failure.errorType))

const dollars = (usd18: bigint) => `$${Quantity.usd(usd18).toFixed(2)}`
const trades = (count: number) => `${count} trade${count === 1 ? "" : "s"}`

const legsThat = (run: IndexRun, status: "succeeded" | "failed" | "paper") =>
  run.legs.filter(({ outcome }) => outcome?.status === status)

/** Describes the outcome of the run's legs. */
const describeLegs = (run: IndexRun): string => {
  const made = legsThat(run, "succeeded").length
  const failed = legsThat(run, "failed").map(({ asset, outcome, side }) =>
    `the ${side} of ${asset.symbol} failed: ${outcome?.message ?? ""}`
  )
  const whole = made === 0 ? "" : `Made ${trades(made)} worth ${dollars(run.spent18)}.`
  return [whole, ...failed.map((text) => text.charAt(0).toUpperCase() + text.slice(1))].filter((text) => text !== "")
    .join(" ")
}

/** Explains why a check ended without a trade. */
export const explainNoTrade = ({ needsRebalance, totalUsd18 }: Pick<Plan, "needsRebalance" | "totalUsd18">): string =>
  totalUsd18 === 0n
    ? "The vault is empty; nothing is traded."
    : needsRebalance
    ? "Weights are out of tolerance, but no trade within the cap reaches the minimum trade, or there is no quote " +
      "to buy with; nothing is traded."
    : "Every weight is within its tolerance; nothing is traded."

const success = (message: string): RunEnd => ({ state: "done", message, failure: null, counts: true })

/** Ends a run with nothing left to trade. */
export const endFinished = (run: IndexRun): RunEnd => {
  const failed = legsThat(run, "failed")
  const paper = legsThat(run, "paper")
  if (paper.length > 0) {
    return success(`On paper: ${trades(paper.length)} worth ${dollars(run.spent18)}; nothing was sent.`)
  }
  if (run.legs.length === 0) {
    return success(
      "There was nothing to trade: weights are within their tolerances, or no trade reaches the minimum trade. " +
        "Nothing was sent."
    )
  }
  return {
    state: failed.length > 0 ? "failed" : "done",
    message: describeLegs(run),
    failure: null,
    counts: failed.some(({ outcome }) => counts(outcome?.failure ?? null))
  }
}

const isUnpriced = (failure: Failure): boolean =>
  failure._tag === "ExecutionFailure" && failure.errorType === "price_unavailable"

/** Ends a run that could not be planned. */
export const endUnplannable = (run: IndexRun, failure: Failure): RunEnd => ({
  state: "failed",
  message: [describeLegs(run), failure.message, run.legs.length === 0 && isUnpriced(failure) ? "Nothing was sent." : ""]
    .filter((text) => text !== "").join(" "),
  failure,
  counts: counts(failure) || legsThat(run, "failed").some(({ outcome }) => counts(outcome?.failure ?? null))
})

/** Ends a run whose bot was disabled while it ran. */
export const endDisabled = (run: IndexRun): RunEnd => ({
  ...endFinished(run),
  message: [describeLegs(run), "The bot was disabled; the run was not completed."].filter((text) => text !== "").join(
    " "
  )
})
