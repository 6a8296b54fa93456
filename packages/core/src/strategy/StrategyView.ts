/** Strategy bots as responses show them. */
import * as Schema from "effect/Schema"
import * as Quantity from "../chain/Quantity.ts"
import {
  type StrategyBot,
  type StrategyDecisionRow,
  type StrategyEvent,
  strategyEventKinds,
  StrategyMode
} from "./StrategyBot.ts"

const text = Schema.NullOr(Schema.String)

export const StrategyBotView = Schema.Struct({
  id: Schema.String,
  network: Schema.String,
  pool: Schema.String,
  gasWallet: Schema.String,
  strategy: Schema.String,
  /** SHA-256 of the file that the bot was set with: it runs no other. */
  digest: Schema.String,
  mode: StrategyMode,
  /** True while it samples and decides: not paused, not stopped by a switch. */
  active: Schema.Boolean,
  /** Why it has paused itself, as a code; null while it has not. */
  paused_code: text,
  reason: Schema.String,
  kill_switch: text,
  assets: Schema.Array(Schema.String),
  quote: Schema.String,
  inputs: Schema.Record(Schema.String, Schema.Json),
  /** As `3600s` or `20blocks`. */
  interval: Schema.String,
  max_usd: Schema.Number,
  min_trade_usd: Schema.Number,
  tolerance: Schema.Number,
  slippage: Schema.Number,
  max_impact: Schema.NullOr(Schema.Number),
  platform: Schema.String,
  memory: Schema.Json,
  open_intent_id: text,
  failures: Schema.Int,
  /** Holdings of a bot on paper, by symbol; null for a live bot. */
  paper_holdings: Schema.NullOr(Schema.Record(Schema.String, Schema.String)),
  checked_at: text,
  created_at: Schema.String
})

/** A decision; amounts of its trades in whole tokens. */
export const StrategyDecisionView = Schema.Struct({
  number: Schema.Int,
  candle: Schema.Int,
  decision: Schema.Json,
  reason: Schema.String,
  state: Schema.String,
  trades: Schema.Array(Schema.Struct({
    from: Schema.String,
    to: Schema.String,
    amount: Schema.String,
    min_out: Schema.String,
    usd: Schema.Number,
    state: Schema.String,
    intent_id: text,
    tx_hash: text,
    bought: text,
    message: text
  })),
  decided_at: Schema.String
})

export const StrategyEventView = Schema.Struct({
  at: Schema.String,
  kind: Schema.Literals(strategyEventKinds),
  reason: Schema.String
})

/** A closed candle of all assets by symbol, USD per whole token. */
export const CandleView = Schema.Struct({
  time: Schema.Int,
  prices: Schema.Record(
    Schema.String,
    Schema.Struct({ open: Schema.String, high: Schema.String, low: Schema.String, close: Schema.String })
  )
})

const heldOf = ({ balances, mode, terms: { assets, quote } }: StrategyBot) =>
  mode === "live" || balances === null
    ? null
    : Object.fromEntries(
      [...assets, quote].map((
        { address, decimals, symbol }
      ) => [symbol, Quantity.format(balances[address] ?? 0n, decimals)])
    )

/** Converts a bot for a response; `stopped`: why a switch stops it, or null. */
export const viewOf = (bot: StrategyBot, stopped: string | null): typeof StrategyBotView.Type => {
  const { digest, id, memory, mode, network, pausedCode, pool, reason, strategy, terms, wallet } = bot
  const { inputs, length, maxImpact, maxUsd18, minTradeUsd18, platform, slippage, tolerance } = terms
  return {
    ...{ id, network, pool, gasWallet: wallet, strategy, digest, mode, reason, memory, inputs },
    active: bot.endedAt === null && pausedCode === null && stopped === null,
    ...{ paused_code: pausedCode, kill_switch: stopped, quote: terms.quote.symbol },
    assets: terms.assets.map(({ symbol }) => symbol),
    interval: length.unit === "blocks" ? `${length.size}blocks` : `${length.size}s`,
    ...{ max_usd: Quantity.usd(maxUsd18), min_trade_usd: Quantity.usd(minTradeUsd18), tolerance, slippage, platform },
    ...{ max_impact: maxImpact, open_intent_id: bot.openIntent, failures: bot.failures, paper_holdings: heldOf(bot) },
    checked_at: bot.checkedAt?.toISOString() ?? null,
    created_at: bot.createdAt.toISOString()
  }
}

export const decisionViewOf = (row: StrategyDecisionRow): typeof StrategyDecisionView.Type => ({
  ...{ number: row.number, candle: row.bucket, decision: row.decision, reason: row.reason, state: row.state },
  trades: row.trades.map(({ amount, bought, from, intentId, message, minOut, state, to, txHash, usd18 }) => ({
    ...{ from: from.symbol, to: to.symbol, usd: Quantity.usd(usd18), state, message },
    ...{ amount: Quantity.format(amount, from.decimals), min_out: Quantity.format(minOut, to.decimals) },
    ...{ intent_id: intentId, tx_hash: txHash, bought: bought === null ? null : Quantity.format(bought, to.decimals) }
  })),
  decided_at: row.decidedAt.toISOString()
})

export const eventViewOf = ({ at, kind, reason }: StrategyEvent): typeof StrategyEventView.Type => ({
  ...{ at: at.toISOString(), kind, reason }
})
