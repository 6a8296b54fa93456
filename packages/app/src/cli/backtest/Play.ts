/** Runs the requested bot or order over files of prices. */
import { type Candle, regularityOf } from "@vault-trader/core/backtest/Candle"
import * as IndexBacktest from "@vault-trader/core/backtest/IndexBacktest"
import * as OrderBacktest from "@vault-trader/core/backtest/OrderBacktest"
import { alignBars, type Bar, sidesBy, sidesIn, tokenOf } from "@vault-trader/core/backtest/PriceSeries"
import { type Costs, type Fill, type Portfolio, worth } from "@vault-trader/core/backtest/Portfolio"
import { type Equity, holdEquity, type Outcome } from "@vault-trader/core/backtest/Replay"
import * as ThresholdBacktest from "@vault-trader/core/backtest/ThresholdBacktest"
import { format, toRaw } from "@vault-trader/core/chain/Quantity"
import { percent18 } from "@vault-trader/core/index-bot/RebalancePlan"
import { symbolOf, type Token } from "@vault-trader/core/chain/Token"
import type { TimedDecision } from "@vault-trader/core/backtest/StrategyBacktest"
import type { Side } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { tokensOf } from "@vault-trader/core/vault-order/VaultOrder"
import { expirySeconds, termsOf, totalOf } from "@vault-trader/core/vault-order/OrderTermsCheck"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import { CannotStart } from "../../StartupFailure.ts"
import type * as BacktestOptions from "./BacktestOptions.ts"
import * as Files from "./Files.ts"
import { barsOf, quantityText, spanText, timeText } from "./Text.ts"

/** An equity curve. */
interface Line {
  readonly name: string
  readonly equity: ReadonlyArray<Equity>
}

export interface BacktestResult {
  readonly title: string
  /** The settings and the quality of the files, one sentence each. */
  readonly notes: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<Token>
  readonly quote: Token
  readonly bars: ReadonlyArray<Bar>
  readonly fills: ReadonlyArray<Fill>
  /** The bot's curve first, then those it is compared with. */
  readonly lines: ReadonlyArray<Line>
  /** Those of a strategy, by the candle that closed. */
  readonly decisions?: ReadonlyArray<TimedDecision>
}

export const costsText = ({ fee, slippage }: Costs) =>
  `each trade loses ${fee} % to the venue and ${slippage} % to the market`
export const dollars = (usd: BigDecimal.BigDecimal) => `$ ${BigDecimal.toNumberUnsafe(usd).toLocaleString("en-US")}`

/** Gaps in a file are not an error, but they are reported. */
export const fileNote = (file: string, candles: ReadonlyArray<Candle>) => {
  const { gaps, missing, step } = regularityOf(candles.map(({ time }) => time))
  return `${file}: ${barsOf(candles.length, step)}${
    gaps === 0 ? ", no gaps" : `, ${gaps} gap${gaps === 1 ? "" : "s"} with ${missing} missing`
  }.`
}

export const enough = (bars: ReadonlyArray<Bar>) =>
  bars.length >= 2
    ? Effect.void
    : new CannotStart({
      message: "The files have fewer than two times in common; candles of the same times are accepted."
    })

export const leftNote = (left: number) =>
  left === 0
    ? []
    : [`${left} time${left === 1 ? "" : "s"} that not all files have ${left === 1 ? "was" : "were"} left out.`]

/** Returns a portfolio of one token, bought at the first close. */
export const allIn = (token: Token, usd: BigDecimal.BigDecimal, [first]: ReadonlyArray<Bar>): Portfolio =>
  new Map([[token.address, first === undefined ? 0n : worth(token, toRaw(usd, 18), first.closes)]])

interface SideSource {
  readonly sides: ReadonlyArray<Side>
  readonly text: string
}

/** Returns the side at each close: from the command, from a file of signals, or from a column of the candles. */
const readSides = (
  options: BacktestOptions.ThresholdBacktest,
  candles: ReadonlyArray<Candle>,
  bars: ReadonlyArray<Bar>
) =>
  Effect.gen(function*() {
    const times = bars.map(({ time }) => time)
    const first = options.side ?? "hold"
    const kept = new Set(times)
    const own = candles.filter(({ time }) => kept.has(time))
    const column = own.some(({ side }) => side !== null)
    if (options.signals !== null && column) {
      return yield* new CannotStart({
        message: `${options.candles} has a side column, and --signals says something too; one of them is accepted.`
      })
    }
    if (options.signals !== null) {
      const signals = yield* Files.signals(options.signals)
      const late = signals.filter(({ time }) => time > (times.at(-1) ?? 0)).length
      const text = `${signals.length} signal${signals.length === 1 ? "" : "s"} of ${options.signals}${
        late === 0 ? "" : `, ${late} of them after the last bar`
      }`
      return { sides: sidesBy(times, first, signals), text } satisfies SideSource
    }
    if (column) return { sides: sidesIn(own, first), text: "the side column" } satisfies SideSource
    if (options.side === null) {
      return yield* new CannotStart({
        message: "Nothing says which side to keep: give --side, --signals, or candles with a side column."
      })
    }
    return { sides: bars.map(() => first), text: `side ${first}` } satisfies SideSource
  })

const threshold = (options: BacktestOptions.ThresholdBacktest): Effect.Effect<BacktestResult, CannotStart> =>
  Effect.gen(function*() {
    const [quote, base] = [tokenOf(options.quote, 0, 6), tokenOf(options.base, 1)]
    const candles = yield* Files.candles(options.candles)
    const short = options.inverse === null
      ? null
      : { token: tokenOf(`${options.base}-INVERSE`, 2), candles: yield* Files.candles(options.inverse) }
    const { bars, left } = alignBars([{ token: base, candles }, ...(short === null ? [] : [short])], quote)
    yield* enough(bars)
    const { sides, text } = yield* readSides(options, candles, bars)
    if (short === null && sides.includes("short")) {
      return yield* new CannotStart({
        message: "A bot that goes short holds the base's inverse token: give its candles as --inverse FILE."
      })
    }
    const { costs, maxUsd, share, startUsd } = options
    const start = allIn(options.start === "base" ? base : quote, startUsd, bars)
    const setup: ThresholdBacktest.Setup = {
      base,
      quote,
      inverse: short?.token ?? null,
      terms: { threshold: options.threshold, share, maxUsd },
      sides,
      costs,
      start
    }
    const outcome: Outcome = ThresholdBacktest.run(bars, setup)
    const hold = (token: Token): Line => ({
      name: `hold ${token.symbol}`,
      equity: holdEquity(bars, [token], allIn(token, startUsd, bars))
    })
    return {
      title: `Threshold bot on ${base.symbol}-${quote.symbol}`,
      notes: [
        `By ${text}: threshold ${options.threshold} %, share ${share} %, at most ${dollars(maxUsd)} a trade; ${
          costsText(costs)
        }.`,
        fileNote(options.candles, candles),
        ...(short === null || options.inverse === null ? [] : [fileNote(options.inverse, short.candles)]),
        ...leftNote(left)
      ],
      ...{ tokens: ThresholdBacktest.tokensOf(setup), quote, bars, fills: outcome.fills },
      lines: [{ name: "bot", equity: outcome.equity }, hold(base), hold(quote)]
    }
  })

const index = (options: BacktestOptions.IndexBacktest): Effect.Effect<BacktestResult, CannotStart> =>
  Effect.gen(function*() {
    const quote = tokenOf(options.quote, 0, 6)
    const listed = yield* Effect.forEach(
      options.candles,
      ({ file, symbol }, place) =>
        Effect.map(Files.candles(file), (candles) => ({ file, candles, token: tokenOf(symbol, place + 1) }))
    )
    const { bars, left } = alignBars(listed, quote)
    yield* enough(bars)
    const tokens = [
      quote,
      ...listed.map(({ token }) => token)
    ]
    const targets = options.targets.flatMap(({ asset, tolerance, weight }) =>
      tokens.filter(({ symbol }) => symbol === symbolOf(asset)).map((token) => ({ token, weight, tolerance }))
    )
    const { costs, intervalSeconds, maxUsd, minTradeUsd, startUsd, tolerance } = options
    const outcome = IndexBacktest.run(bars, {
      ...{ tokens, costs, intervalSeconds, start: allIn(quote, startUsd, bars) },
      order: {
        targets,
        quote,
        tolerance,
        maxUsd18: toRaw(maxUsd, 18),
        minTradeUsd18: toRaw(minTradeUsd, 18),
        slippage: costs.slippage
      }
    })
    const basket: Portfolio = new Map(
      targets.map((
        { token, weight }
      ) => [
        token.address,
        worth(token, toRaw(startUsd, 18) * percent18(weight) / percent18(100), bars[0]?.closes ?? new Map())
      ])
    )
    return {
      title: `Index bot on ${targets.map(({ token, weight }) => `${token.symbol} ${weight} %`).join(", ")}`,
      notes: [
        `Looks every ${spanText(intervalSeconds)}: tolerance ${tolerance} points, at most ${
          dollars(maxUsd)
        } a run, at least ${dollars(minTradeUsd)} a trade; ${costsText(costs)}.`,
        ...listed.map(({ candles, file }) => fileNote(file, candles)),
        ...leftNote(left)
      ],
      ...{ tokens, quote, bars, fills: outcome.fills },
      lines: [
        { name: "bot", equity: outcome.equity },
        { name: "hold the targets", equity: holdEquity(bars, tokens, basket) },
        { name: `hold ${quote.symbol}`, equity: holdEquity(bars, [quote], allIn(quote, startUsd, bars)) }
      ]
    }
  })

const stateText = (
  { bought, fills, reason, sold, state, trigger }: OrderBacktest.OrderOutcome,
  [from, to]: readonly [Token, Token]
): string => {
  const triggered = trigger === null
    ? ""
    : ` Its ${trigger.condition} triggered at ${format(trigger.price18, 18)} on ${timeText(trigger.at / 1_000)} UTC.`
  return `At the end it is ${state}: ${reason}${triggered} It sold ${quantityText(from, sold)} for ${
    quantityText(to, bought)
  } in ${fills.length} slice${fills.length === 1 ? "" : "s"}.`
}

const order = (options: BacktestOptions.OrderBacktest): Effect.Effect<BacktestResult, CannotStart> =>
  Effect.gen(function*() {
    const [quote, base] = [tokenOf(options.quote, 0, 6), tokenOf(options.base, 1)]
    const candles = yield* Files.candles(options.candles)
    const { bars } = alignBars([{ token: base, candles }], quote)
    yield* enough(bars)
    const terms = yield* Effect.mapError(
      termsOf(options.order, { base, quote }),
      ({ message }) => new CannotStart({ message: `--order: ${message}.` })
    )
    const { costs, startUsd } = options
    const { bought, sold } = tokensOf(terms)
    const outcome = OrderBacktest.run(candles, {
      ...{ terms, total: totalOf(terms), costs, start: allIn(sold, startUsd, bars) },
      expirySeconds: options.order.expires_in ?? expirySeconds(terms)
    })
    const hold = (token: Token): Line => ({
      name: `hold ${token.symbol}`,
      equity: holdEquity(bars, [token], allIn(token, startUsd, bars))
    })
    return {
      title: `Order ${terms.type} to ${terms.side} ${terms.pair}`,
      notes: [
        `${stateText(outcome, [sold, bought])}`,
        `It begins with ${dollars(startUsd)} of ${sold.symbol}; ${costsText(costs)}.`,
        fileNote(options.candles, candles)
      ],
      ...{ tokens: [quote, base], quote, bars, fills: outcome.fills },
      lines: [{ name: "order", equity: outcome.equity }, hold(base), hold(quote)]
    }
  })

/** Runs the bot or the order over its files; each failure is a sentence that names the file. */
export const play = (options: BacktestOptions.Backtest): Effect.Effect<BacktestResult, CannotStart> =>
  options._tag === "index" ? index(options) : options._tag === "order" ? order(options) : threshold(options)
