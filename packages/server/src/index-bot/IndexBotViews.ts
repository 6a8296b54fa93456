/** Index bots and their runs in the form of API responses. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { type IndexBot, isActive } from "@vault-trader/core/index-bot/IndexBot"
import type { BotView, RunView, TradedView } from "@vault-trader/core/index-bot/IndexBotViews"
import { type IndexRun, type PlannedTrade, type RunLeg, plannedTradeOf } from "@vault-trader/core/index-bot/IndexRun"
import * as Option from "effect/Option"

const wireStatus = { succeeded: "success", failed: "fail", paper: "paper" } as const

export const tradeOf = (leg: RunLeg): typeof TradedView.Type => ({
  ...plannedTradeOf(leg, leg.slippage),
  status: leg.outcome === null ? "pending" : wireStatus[leg.outcome.status],
  intent_id: leg.intentId,
  tx_hash: leg.outcome?.txHash ?? null,
  sold: leg.outcome?.sold ?? null,
  bought: leg.outcome?.bought ?? null,
  message: leg.outcome?.message ?? null
})

/** Returns the run's initial plan, with the slippage of its legs. */
export const planOf = ({ legs, planned }: IndexRun, slippage: number): ReadonlyArray<PlannedTrade> =>
  (planned ?? []).map((leg) => plannedTradeOf(leg, legs[0]?.slippage ?? slippage))

const runOf = (run: IndexRun, slippage: number): typeof RunView.Type => ({
  id: run.id,
  reason: run.reason,
  state: run.state,
  paper: run.paper,
  traded_usd: Quantity.usd(run.spent18),
  plan: planOf(run, slippage),
  trades: run.legs.map(tradeOf),
  message: run.message,
  started_at: run.startedAt.toISOString(),
  ended_at: run.endedAt?.toISOString() ?? null
})

/** `killSwitch`: the switch that stops the bot, or null. */
export const botOf = (
  bot: IndexBot,
  lastRun: Option.Option<IndexRun>,
  killSwitch: string | null
): typeof BotView.Type => ({
  network: bot.network,
  pool: bot.pool,
  gasWallet: bot.wallet,
  active: isActive(bot) && killSwitch === null,
  enabled: bot.enabled,
  paper: bot.paper,
  paused_reason: bot.pausedReason,
  kill_switch: killSwitch,
  targets: bot.targets.map(({ token, tolerance, weight }) => ({
    asset: token.symbol,
    contract: token.address,
    weight,
    tolerance: tolerance ?? bot.tolerance
  })),
  interval: bot.intervalSeconds,
  max_usd: Quantity.usd(bot.maxUsd18),
  min_trade_usd: Quantity.usd(bot.minTradeUsd18),
  tolerance: bot.tolerance,
  slippage: bot.slippage,
  quote: bot.quote.symbol,
  platform: bot.platform,
  last_decision: bot.lastDecision,
  last_decided_at: bot.lastDecidedAt?.toISOString() ?? null,
  next_run_at: isActive(bot) && killSwitch === null ? bot.nextRunAt.toISOString() : null,
  last_run: Option.getOrNull(Option.map(lastRun, (run) => runOf(run, bot.slippage)))
})

/** Summarizes a plan in a sentence. */
export const planned = (plan: ReadonlyArray<PlannedTrade>): string => {
  const worth = plan.reduce((sum, { amountUsd }) => sum + amountUsd, 0)
  return plan.length === 0
    ? "A run would trade nothing."
    : `A run would make ${plan.length} trade${plan.length === 1 ? "" : "s"} worth $${worth.toFixed(2)}.`
}
