/**
 * Runs a backtest as `vault-trader backtest` does, with the live bots' and orders' own decisions. What is read once, files
 * and prices, is kept between the runs of a sweep.
 */
import { type Candle, regularityOf } from "@vault-trader/core/backtest/Candle"
import * as CandleFile from "@vault-trader/core/backtest/CandleFile"
import * as IndexBacktest from "@vault-trader/core/backtest/IndexBacktest"
import * as OrderBacktest from "@vault-trader/core/backtest/OrderBacktest"
import { type Portfolio, worth } from "@vault-trader/core/backtest/Portfolio"
import { alignBars, type Bar, sidesBy, sidesIn, tokenOf } from "@vault-trader/core/backtest/PriceSeries"
import { holdEquity, type Outcome } from "@vault-trader/core/backtest/Replay"
import * as ThresholdBacktest from "@vault-trader/core/backtest/ThresholdBacktest"
import { format, toRaw } from "@vault-trader/core/chain/Quantity"
import { symbolOf, type Token } from "@vault-trader/core/chain/Token"
import { IndexBotApi } from "@vault-trader/core/index-bot/IndexBotApi"
import { percent18 } from "@vault-trader/core/index-bot/RebalancePlan"
import { read as readTargets } from "@vault-trader/core/index-bot/Targets"
import { legsOf } from "@vault-trader/core/chain/PairText"
import type { Side } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotApi } from "@vault-trader/core/threshold-bot/ThresholdBotApi"
import { tokensOf } from "@vault-trader/core/vault-order/VaultOrder"
import type * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import type { Fault, Job, OrderEnd, PlainFault, SeriesNote, Source, Values } from "./BacktestJob.ts"
import { orderOf } from "./BacktestOrder.ts"
import { costOf, readerOf, usdOf } from "./BacktestValues.ts"

type Read<A> = Result.Result<A, Fault>

/** Bars from an index to before another one. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** The outcome of a run, and the curves that it is compared with. */
export interface Played {
  readonly outcome: Outcome
  readonly bars: ReadonlyArray<Bar>
  readonly tokens: ReadonlyArray<Token>
  readonly quote: Token
  readonly holds: ReadonlyArray<{ readonly held: string | null; readonly equity: Outcome["equity"] }>
  readonly end: OrderEnd | null
}

/** A job whose files are read. */
export interface Prepared {
  readonly bars: ReadonlyArray<Bar>
  readonly left: number
  readonly series: ReadonlyArray<SeriesNote>
  readonly signals: { readonly count: number; readonly late: number } | null
  readonly hasSideColumn: boolean
  readonly play: (values: Values, window: Window) => Read<Played>
}

const bot = readerOf(ThresholdBotApi, "setBot")
const index = readerOf(IndexBotApi, "setIndexBot")

const faultOf = (code: PlainFault) => Result.fail<Fault>({ code })
const ofFile = <A>(result: Result.Result<A, string>): Read<A> =>
  Result.mapError(result, (message): Fault => ({ code: "file", message }))

export const candlesOf = ({ name, text }: Source): Read<ReadonlyArray<Candle>> => ofFile(CandleFile.read(name, text))
export const signalsOf = ({ name, text }: Source) => ofFile(CandleFile.readSignals(name, text))

export const noteOf = (name: string, candles: ReadonlyArray<Candle>): SeriesNote => ({
  ...{ name, bars: candles.length },
  ...regularityOf(candles.map(({ time }) => time))
})

const enough = (bars: ReadonlyArray<Bar>): Read<void> =>
  bars.length >= 2 ? Result.succeed(undefined) : faultOf("fewBars")

/** Returns a portfolio of one token, bought at the first close. */
const allIn = (token: Token, usd: BigDecimal.BigDecimal, [first]: ReadonlyArray<Bar>): Portfolio =>
  new Map([[token.address, first === undefined ? 0n : worth(token, toRaw(usd, 18), first.closes)]])

const holding = (token: Token, usd: BigDecimal.BigDecimal, bars: ReadonlyArray<Bar>) => ({
  held: token.symbol,
  equity: holdEquity(bars, [token], allIn(token, usd, bars))
})

const moneyOf = (values: Values) =>
  Result.gen(function*() {
    const [fee, slippage] = [yield* costOf(values, "cost_fee"), yield* costOf(values, "cost_slippage")]
    return { costs: { fee, slippage }, startUsd: yield* usdOf(values, "start_usd") }
  })

/** Returns the tokens of the pair; the quote is always a dollar. */
const pairOf = (base: string, quote: string): Read<readonly [base: Token, quote: Token]> =>
  base === "" || quote === "" || symbolOf(base) === symbolOf(quote)
    ? faultOf("pair")
    : Result.succeed([tokenOf(symbolOf(base), 1), tokenOf(symbolOf(quote), 0, 6)])

const firstSeries = ({ candles: [first], values }: Job): Read<Source> =>
  first === undefined ? Result.fail({ code: "missing", symbol: values["pair"] ?? "" }) : Result.succeed(first.source)

/** Returns the side to keep at each close: as set, by a file of signals, or by a column of the candles. */
const sidesOf = (job: Job, candles: ReadonlyArray<Candle>, bars: ReadonlyArray<Bar>) =>
  Result.gen(function*() {
    const times = bars.map(({ time }) => time)
    const kept = new Set(times)
    const own = candles.filter(({ time }) => kept.has(time))
    const hasSideColumn = own.some(({ side }) => side !== null)
    if (job.signals !== null && hasSideColumn) return yield* faultOf("twoSides")
    const signals = job.signals === null ? null : yield* signalsOf(job.signals)
    const late = (signals ?? []).filter(({ time }) => time > (times.at(-1) ?? 0)).length
    return {
      hasSideColumn,
      signals: signals === null ? null : { count: signals.length, late },
      from: (first: Side): ReadonlyArray<Side> =>
        signals !== null ? sidesBy(times, first, signals) : hasSideColumn ? sidesIn(own, first) : bars.map(() => first)
    }
  })

const threshold = (job: Job): Read<Prepared> =>
  Result.gen(function*() {
    const [base, quote] = yield* pairOf(...legsOf(job.values["pair"] ?? ""))
    const source = yield* firstSeries(job)
    const candles = yield* candlesOf(source)
    const inverse = job.inverse === null
      ? null
      : { token: tokenOf(`${base.symbol}-INVERSE`, 2), candles: yield* candlesOf(job.inverse) }
    const { bars, left } = alignBars([{ token: base, candles }, ...(inverse === null ? [] : [inverse])], quote)
    yield* enough(bars)
    const sides = yield* sidesOf(job, candles, bars)
    const play = (values: Values, { from, to }: Window): Read<Played> =>
      Result.gen(function*() {
        const { costs, startUsd } = yield* moneyOf(values)
        const all = sides.from(yield* bot.needed<Side>(values, "side"))
        if (inverse === null && all.includes("short")) return yield* faultOf("noInverse")
        const own = bars.slice(from, to)
        const setup: ThresholdBacktest.Setup = {
          ...{ base, quote, costs, inverse: inverse?.token ?? null, sides: all.slice(from, to) },
          terms: {
            threshold: yield* bot.needed<number>(values, "threshold"),
            share: yield* bot.needed<number>(values, "share"),
            maxUsd: yield* bot.needed<BigDecimal.BigDecimal>(values, "max_usd")
          },
          start: allIn(values["start"] === "base" ? base : quote, startUsd, own)
        }
        return {
          ...{ outcome: ThresholdBacktest.run(own, setup), bars: own, quote, end: null },
          tokens: ThresholdBacktest.tokensOf(setup),
          holds: [holding(base, startUsd, own), holding(quote, startUsd, own)]
        }
      })
    return {
      ...{ bars, left, play, signals: sides.signals, hasSideColumn: sides.hasSideColumn },
      series: [
        noteOf(source.name, candles),
        ...(inverse === null || job.inverse === null ? [] : [noteOf(job.inverse.name, inverse.candles)])
      ]
    }
  })

const ofIndex = (job: Job): Read<Prepared> =>
  Result.gen(function*() {
    const quoteSymbol = symbolOf(yield* index.needed<string>(job.values, "quote"))
    const targets = yield* Result.mapError(
      readTargets(
        job.targets.map(({ asset, tolerance, weight }) => ({
          ...{ asset: asset.trim(), weight: weight.trim() },
          ...(tolerance.trim() === "" ? {} : { tolerance: tolerance.trim() })
        }))
      ),
      (message): Fault => ({ code: "targets", message })
    )
    const quote = tokenOf(quoteSymbol, 0, 6)
    const symbols = targets.map(({ asset }) => symbolOf(asset)).filter((symbol) => symbol !== quote.symbol)
    const listed: Array<{ readonly name: string; readonly token: Token; readonly candles: ReadonlyArray<Candle> }> = []
    for (const [place, symbol] of symbols.entries()) {
      const found = job.candles.find((each) => each.symbol === symbol)
      if (found === undefined) return yield* Result.fail<Fault>({ code: "missing", symbol })
      const candles = yield* candlesOf(found.source)
      listed.push({ name: found.source.name, candles, token: tokenOf(symbol, place + 1) })
    }
    const { bars, left } = alignBars(listed, quote)
    yield* enough(bars)
    const tokens = [quote, ...listed.map(({ token }) => token)]
    const weighted = targets.flatMap(({ asset, tolerance, weight }) =>
      tokens.filter(({ symbol }) => symbol === symbolOf(asset)).map((token) => ({ token, weight, tolerance }))
    )
    const play = (values: Values, { from, to }: Window): Read<Played> =>
      Result.gen(function*() {
        const { costs, startUsd } = yield* moneyOf(values)
        const own = bars.slice(from, to)
        const usd = (name: string) =>
          Result.map(index.needed<BigDecimal.BigDecimal>(values, name), (value) => toRaw(value, 18))
        const outcome = IndexBacktest.run(own, {
          ...{ tokens, costs, start: allIn(quote, startUsd, own) },
          intervalSeconds: yield* index.needed<number>(values, "interval"),
          order: {
            ...{ targets: weighted, quote, slippage: costs.slippage },
            tolerance: yield* index.needed<number>(values, "tolerance"),
            maxUsd18: yield* usd("max_usd"),
            minTradeUsd18: yield* usd("min_trade_usd")
          }
        })
        const basket: Portfolio = new Map(weighted.map(({ token, weight }) => [
          token.address,
          worth(token, toRaw(startUsd, 18) * percent18(weight) / percent18(100), own[0]?.closes ?? new Map())
        ]))
        return {
          ...{ outcome, bars: own, tokens, quote, end: null },
          holds: [{ held: null, equity: holdEquity(own, tokens, basket) }, holding(quote, startUsd, own)]
        }
      })
    return {
      ...{ bars, left, play, signals: null, hasSideColumn: false },
      series: listed.map(({ candles, name }) => noteOf(name, candles))
    }
  })

const endOf = ({ reason, state, trigger }: OrderBacktest.OrderOutcome): OrderEnd => ({
  ...{ state, reason },
  trigger: trigger === null
    ? null
    : { condition: trigger.condition, price: format(trigger.price18, 18), at: trigger.at / 1_000 }
})

const ofOrder = (job: Job): Read<Prepared> =>
  Result.gen(function*() {
    const [base, quote] = yield* pairOf(...legsOf(job.values["pair"] ?? ""))
    const source = yield* firstSeries(job)
    const candles = yield* candlesOf(source)
    const { bars, left } = alignBars([{ token: base, candles }], quote)
    yield* enough(bars)
    const play = (values: Values, { from, to }: Window): Read<Played> =>
      Result.gen(function*() {
        const { costs, startUsd } = yield* moneyOf(values)
        const placed = yield* orderOf(values, base, quote)
        const own = bars.slice(from, to)
        const outcome = OrderBacktest.run(candles.slice(from, to), {
          ...{ ...placed, costs },
          start: allIn(tokensOf(placed.terms).sold, startUsd, own)
        })
        return {
          ...{ outcome, bars: own, tokens: [quote, base], quote, end: endOf(outcome) },
          holds: [holding(base, startUsd, own), holding(quote, startUsd, own)]
        }
      })
    return {
      ...{ bars, left, play, signals: null, hasSideColumn: false },
      series: [noteOf(source.name, candles)]
    }
  })

/** Reads the files of a job. */
export const prepare = (job: Job): Read<Prepared> =>
  job.kind === "index" ? ofIndex(job) : job.kind === "order" ? ofOrder(job) : threshold(job)
