/** The flags of `vault-trader backtest`. Each value is read here; BacktestOptions.ts checks how they fit together. */
import { readDecimal } from "@vault-trader/core/endpoint/Params"
import { defaults as indexStandard } from "@vault-trader/core/index-bot/IndexBot"
import { readInterval } from "@vault-trader/core/index-bot/IndexBotApi"
import { symbolOf } from "@vault-trader/core/chain/Token"
import { sides, defaults } from "@vault-trader/core/threshold-bot/ThresholdBot"
import * as BigDecimal from "effect/BigDecimal"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { flag, optional } from "../ParsedParam.ts"
import { strategyFlags } from "./StrategyFlags.ts"

const decimalOf = (accepts: (value: number) => boolean) => (text: string) => {
  const value = readDecimal(text.trim())
  return value !== undefined && accepts(BigDecimal.toNumberUnsafe(value)) ? value : undefined
}

const numberOf = (accepts: (value: number) => boolean) => (text: string) => {
  const value = decimalOf(accepts)(text)
  return value === undefined ? undefined : BigDecimal.toNumberUnsafe(value)
}

const usdFlag = (name: string) =>
  flag(name, "USD", "a number of US dollars above 0", decimalOf((value) => value > 0 && value <= 1e15))
const percentFlag = (name: string) =>
  flag(name, "PERCENT", "a number from 0 to 100", numberOf((value) => value >= 0 && value <= 100))
const costFlag = (name: string) =>
  flag(name, "PERCENT", "a percentage from 0 to less than 100", numberOf((value) => value >= 0 && value < 100))

/** Parses a pair of two different symbols. */
const pairOf = (text: string) => {
  const [, base, quote] = /^([A-Za-z0-9.]{1,20})[-/_]([A-Za-z0-9.]{1,20})$/.exec(text) ?? []
  return base === undefined || quote === undefined || symbolOf(base) === symbolOf(quote)
    ? undefined
    : { base: symbolOf(base), quote: symbolOf(quote) }
}

/** Flags of all kinds. */
const commonFlags = {
  bot: Flag.Literals("bot", ["threshold", "index", "strategy", "order"]).pipe(
    Flag.withDescription("Kind of bot, or an order (threshold)"),
    Flag.withDefault("threshold" as const)
  ),
  candles: Flag.String("candles").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "Prices of the base in the quote: CSV time,open,high,low,close,volume[,side], or JSON; " +
        "for an index SYMBOL=FILE, once for each target but the quote"
    ),
    Flag.atLeast(0)
  ),
  maxUsd: usdFlag("max-usd").pipe(
    Flag.withDescription(`Most that a trade, or a run of an index, may be worth (${defaults.maxUsd})`),
    Flag.withDefault(BigDecimal.fromStringUnsafe(defaults.maxUsd))
  ),
  slippage: costFlag("slippage").pipe(
    Flag.withDescription("Percent that each trade loses to the market (0.5)"),
    Flag.withDefault(0.5)
  ),
  fee: costFlag("fee").pipe(
    Flag.withDescription("Percent that each trade loses to the venue (0.1)"),
    Flag.withDefault(0.1)
  ),
  startUsd: usdFlag("start-usd").pipe(
    Flag.withDescription("Value at the start (100000)"),
    Flag.withDefault(BigDecimal.fromStringUnsafe("100000"))
  ),
  out: Flag.String("out").pipe(
    Flag.withMetavar("FOLDER"),
    Flag.withDescription("Folder for trades.csv, equity.csv and chart.svg"),
    optional
  )
}

/** Flags of a threshold bot; `undefined` when not given. */
const thresholdFlags = {
  pair: flag("pair", "BASE-QUOTE", "two different symbols, as WETH-USDC", pairOf).pipe(
    Flag.withDescription("Names of the assets (BASE-USDC)"),
    optional
  ),
  side: flag(
    "side",
    sides.join("|"),
    sides.join(", "),
    (text) => sides.find((side) => side === text.toLowerCase())
  ).pipe(
    Flag.withDescription("Side to keep at first (hold, if signals or a side column set it later)"),
    optional
  ),
  signals: Flag.String("signals").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Changes of the side: CSV time,side"),
    optional
  ),
  inverse: Flag.String("inverse").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("Candles of the base's inverse token, for short"),
    optional
  ),
  threshold: percentFlag("threshold").pipe(
    Flag.withDescription(`Percent of the pair's value that may be on the wrong side (${defaults.threshold})`),
    optional
  ),
  share: flag(
    "share",
    "PERCENT",
    "a percentage above 0 and at most 100",
    numberOf((value) => value > 0 && value <= 100)
  ).pipe(
    Flag.withDescription(`Percent of the wrong side that one trade takes (${defaults.share})`),
    optional
  ),
  start: Flag.Literals("start", ["quote", "base"]).pipe(
    Flag.withDescription("Asset that the bot holds at first (quote)"),
    optional
  )
}

/** Flags of an index bot; `undefined` when not given. */
const indexFlags = {
  targets: Flag.String("targets").pipe(
    Flag.withMetavar("LIST"),
    Flag.withDescription("As WETH:40,WBTC:40,USDC:20; WETH:40:2 sets its own tolerance"),
    optional
  ),
  quote: Flag.String("quote").pipe(
    Flag.withMetavar("SYMBOL"),
    Flag.withDescription(`Asset that trades go through, always a dollar (${indexStandard.quote})`),
    Flag.map(symbolOf),
    optional
  ),
  interval: flag("interval", "TIME", "seconds from 60 on, or as 15m, 6h, 1d", readInterval).pipe(
    Flag.withDescription("Time between two checks of the weights (6h)"),
    optional
  ),
  tolerance: percentFlag("tolerance").pipe(
    Flag.withDescription(`Points that a weight may be off (${indexStandard.tolerance})`),
    optional
  ),
  minTradeUsd: usdFlag("min-trade-usd").pipe(
    Flag.withDescription(`Value below which nothing is traded (${indexStandard.minTradeUsd})`),
    optional
  )
}

/** Flags of an order; `undefined` when not given. */
const orderFlags = {
  order: Flag.String("order").pipe(
    Flag.withMetavar("PARAMETERS"),
    Flag.withDescription("Parameters of placeOrder, as 'type=bracket side=sell share=100 stop_price=2700 …'"),
    optional
  )
}

export const backtestFlags = {
  ...commonFlags,
  thresholdOnly: thresholdFlags,
  indexOnly: indexFlags,
  strategyOnly: strategyFlags,
  orderOnly: orderFlags
}
export type BacktestFlags = Command.Command.Config.Infer<typeof backtestFlags>
