/** How people read a backtest's parameters, faults and series. */
import { labels, needsOf, type OrderFields } from "../vault-order/OrderFields.ts"
import { listOf, spanOf } from "../shell/Format.ts"
import type { Curve, Fault, Kind, Objective, PlainFault, SeriesNote } from "./BacktestJob.ts"
import { t } from "../text/Text.ts"

export const kindLabels: Readonly<Record<Kind, string>> = {
  threshold: t("Threshold bot"),
  index: t("Index bot"),
  order: t("Order")
}

export const objectiveLabels: Readonly<Record<Objective, string>> = {
  sharpe: t("Sharpe ratio"),
  return: t("Return"),
  calmar: t("Return by greatest fall")
}

const costLabels = {
  cost_slippage: t("Lost to the market, %"),
  cost_fee: t("Fee of the venue, %"),
  start_usd: t("Start value, USD")
}

const botLabels = {
  pair: t("Pair"),
  side: t("Side"),
  threshold: t("Threshold %"),
  share: t("Share %"),
  max_usd: t("Max per trade, USD")
}

const indexLabels = {
  interval: t("Check every"),
  max_usd: t("Max per run, USD"),
  tolerance: t("Band, percentage points"),
  quote: t("Trade through"),
  min_trade_usd: t("Min per trade, USD")
}

const windowLabels = { train: t("Train window, bars"), test: t("Test window, bars") }

const all: Readonly<Record<string, string>> = {
  ...labels,
  ...indexLabels,
  ...botLabels,
  ...costLabels,
  ...windowLabels
}
const byKind: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  threshold: { ...all, ...botLabels },
  index: { ...all, ...indexLabels },
  order: { ...all, ...labels }
}

/** Returns the label of a parameter, as its field has it. */
export const labelOf = (kind: Kind, name: string): string => byKind[kind][name] ?? name

/** Returns the parameters that a sweep may go through. */
export const sweepable = (kind: Kind, order: Pick<OrderFields, "type">): ReadonlyArray<string> => {
  const own: Readonly<Record<Kind, ReadonlyArray<string>>> = {
    threshold: ["threshold", "share", "max_usd"],
    index: ["tolerance", "interval", "max_usd", "min_trade_usd"],
    order: needsOf(order)
  }
  return [...own[kind], "cost_slippage", "cost_fee"]
}

const faultTexts: Readonly<Record<PlainFault, string>> = {
  pair: t("Name two different assets, as WETH-USDC."),
  fewBars: t("The prices have fewer than two times in common. Candles of the same times are needed."),
  twoSides: t("The candles have a column with sides, and there is a file of signals too. Use one of them."),
  noInverse: t("A bot that goes short holds the inverse token. Choose a file with its candles."),
  nothingToSweep: t("Choose a parameter to go through."),
  size: t("Enter an amount or a share."),
  smallAmount: t("The amount is less than the smallest unit of the asset."),
  dcaShare: t("A DCA order has an amount, of each purchase, and no share."),
  bracketPrices: t("To sell, the target price is above the stop price; to buy, it is below."),
  shortSlices: t("Each slice needs ten seconds of the duration."),
  longSchedule: t("The purchases take longer than a year."),
  broken: t("The calculation ended unexpectedly. Choose fewer bars or combinations.")
}

/** Says why a backtest cannot run. Sentences about files are those of their reader. */
export const faultText = (kind: Kind, fault: Fault): string => {
  switch (fault.code) {
    case "file":
      return `${fault.message}.`
    case "targets":
      return t("The targets {fault}.", { fault: fault.message })
    case "value":
      return fault.value === ""
        ? t("{name} is missing.", { name: labelOf(kind, fault.name) })
        : t("{name} cannot be {value}.", { name: labelOf(kind, fault.name), value: fault.value })
    case "range":
      return t("{name}: {value} is no range. Write 1..10:1 (from, to, step) or 1|2|5.", {
        name: labelOf(kind, fault.name),
        value: fault.value === "" ? "–" : fault.value
      })
    case "combinations":
      return t("These are {count} combinations; at most {max} can run. Use a larger step or a shorter range.", {
        count: fault.count,
        max: fault.max
      })
    case "windows":
      return t("There are {bars} bars; both windows together need {needed} at least.", {
        bars: fault.bars,
        needed: fault.needed
      })
    case "missing":
      return t("There are no prices of {symbol}. Read its candles from an exchange or choose a file.", {
        symbol: fault.symbol
      })
    default:
      return faultTexts[fault.code]
  }
}

/** Describes a series: its bars, and its gaps. */
export const seriesText = ({ bars, gaps, missing, step }: SeriesNote): string =>
  listOf([
    t("{count, plural, one {# bar} other {# bars}}", { count: bars }),
    ...(step === 0 ? [] : [t("every {span}", { span: spanOf(step) })]),
    gaps === 0
      ? t("no gaps")
      : t("{count, plural, one {# gap} other {# gaps}} with {missing} missing", { count: gaps, missing })
  ], "none")

/** Names a curve. */
export const curveLabel = (kind: Kind, { held }: Curve, place: number): string =>
  place === 0
    ? kindLabels[kind]
    : held === null
    ? t("Holding the targets")
    : t("Holding {name}", { name: held })
