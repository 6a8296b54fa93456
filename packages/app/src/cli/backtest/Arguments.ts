/** Reads the arguments of `npm run backtest`. */
import { readDecimal } from "@vault-trader/core/endpoint/Params"
import { standard as indexStandard } from "@vault-trader/core/index-bot/IndexBot"
import { readInterval } from "@vault-trader/core/index-bot/IndexBotApi"
import { type AskedTarget, read as readTargets } from "@vault-trader/core/index-bot/Targets"
import { symbolOf } from "@vault-trader/core/chain/Token"
import type { Costs } from "@vault-trader/core/backtest/Portfolio"
import { type Side, sides, standard } from "@vault-trader/core/threshold-bot/ThresholdBot"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { parseArgs } from "node:util"
import { CannotStart } from "../../StartupFailure.ts"

export const usage = `Usage: npm run backtest -- --candles FILE --side long|neutral|short|hold [option…]
       npm run backtest -- --bot index --candles SYMBOL=FILE … --targets SYMBOL:WEIGHT,… [option…]
For a threshold bot
  --candles FILE       prices of the base in the quote: CSV time,open,high,low,close,volume[,side], or JSON
  --pair BASE-QUOTE    names of the assets (BASE-USDC)
  --side SIDE          the side to keep at first (hold, if signals or a side column set it later)
  --signals FILE       changes of the side: CSV time,side
  --inverse FILE       candles of the base's inverse token, for short
  --threshold PERCENT  of the pair's value that may be on the wrong side (${standard.threshold})
  --share PERCENT      of the wrong side that one trade takes (${standard.share})
  --start quote|base   what it holds at first (quote)
For an index bot
  --candles SYMBOL=FILE  once for each target but the quote
  --targets LIST       as WETH:40,WBTC:40,USDC:20; WETH:40:2 sets its own tolerance
  --quote SYMBOL       what trades go through, always a dollar (${indexStandard.quote})
  --interval TIME      between two checks of the weights: seconds, or as 15m, 6h, 1d (6h)
  --tolerance POINTS   that a weight may be off (${indexStandard.tolerance})
  --min-trade-usd USD  below it nothing is traded (${indexStandard.minTradeUsd})
For both
  --max-usd USD        that a trade, or a run of an index, may be worth (${standard.maxUsd})
  --slippage PERCENT   that each trade loses to the market (0.5)
  --fee PERCENT        that each trade loses to the venue (0.1)
  --start-usd USD      what there is at first (100000)
  --out FOLDER         where trades.csv, equity.csv and chart.svg are written`

/** Options of both kinds of bot. */
interface Common {
  readonly costs: Costs
  readonly maxUsd: BigDecimal.BigDecimal
  readonly startUsd: BigDecimal.BigDecimal
  readonly out: string | null
}

export interface ThresholdBacktest extends Common {
  readonly _tag: "threshold"
  readonly candles: string
  readonly base: string
  readonly quote: string
  /** Null when only signals set the side. */
  readonly side: Side | null
  readonly signals: string | null
  readonly inverse: string | null
  readonly threshold: number
  readonly share: number
  readonly start: "quote" | "base"
}

export interface IndexBacktest extends Common {
  readonly _tag: "index"
  readonly candles: ReadonlyArray<{ readonly symbol: string; readonly file: string }>
  readonly targets: ReadonlyArray<AskedTarget>
  readonly quote: string
  readonly intervalSeconds: number
  readonly tolerance: number
  readonly minTradeUsd: BigDecimal.BigDecimal
}

export type Backtest = ThresholdBacktest | IndexBacktest

const text = { type: "string" } as const
const common = {
  bot: text,
  candles: { type: "string", multiple: true },
  "max-usd": text,
  slippage: text,
  fee: text,
  "start-usd": text,
  out: text
} as const
const ofThreshold = {
  pair: text,
  side: text,
  signals: text,
  inverse: text,
  threshold: text,
  share: text,
  start: text
} as const
const ofIndex = { targets: text, quote: text, interval: text, tolerance: text, "min-trade-usd": text } as const
const options = { ...common, ...ofThreshold, ...ofIndex } as const

type Words = { readonly [K in Exclude<keyof typeof options, "candles">]?: string } & {
  readonly candles?: ReadonlyArray<string>
}

const refuse = (option: string, given: string | undefined, accepted: string) =>
  new CannotStart({
    message: given === undefined
      ? `--${option} is missing: ${accepted}.`
      : `--${option} '${given}' cannot be used: ${accepted}.`
  })

const decimal = (
  words: Words,
  option: Exclude<keyof Words, "candles">,
  fallback: string,
  accepted: string,
  accepts: (value: number) => boolean
) =>
  Effect.suspend(() => {
    const given = words[option] ?? fallback
    const value = readDecimal(given.trim())
    return value !== undefined && accepts(BigDecimal.toNumberUnsafe(value))
      ? Effect.succeed(value)
      : refuse(option, given, accepted)
  })

const number = (...asked: Parameters<typeof decimal>) => Effect.map(decimal(...asked), BigDecimal.toNumberUnsafe)
const usd = (words: Words, option: "max-usd" | "start-usd" | "min-trade-usd", fallback: string) =>
  decimal(words, option, fallback, "accepted is a number of US dollars above 0", (value) => value > 0 && value <= 1e15)
const percent = (words: Words, option: "threshold" | "tolerance", fallback: number) =>
  number(words, option, String(fallback), "accepted is a number from 0 to 100", (value) => value >= 0 && value <= 100)
const cost = (words: Words, option: "fee" | "slippage", fallback: string) =>
  number(
    words,
    option,
    fallback,
    "accepted is a percentage from 0 to less than 100",
    (value) => value >= 0 && value < 100
  )

const commonOf = (words: Words): Effect.Effect<Common, CannotStart> =>
  Effect.all({
    costs: Effect.all({ fee: cost(words, "fee", "0.1"), slippage: cost(words, "slippage", "0.5") }),
    maxUsd: usd(words, "max-usd", standard.maxUsd),
    startUsd: usd(words, "start-usd", "100000"),
    out: Effect.succeed(words.out ?? null)
  })

const isSide = (word: string): word is Side => sides.some((side) => side === word)

const threshold = (words: Words): Effect.Effect<ThresholdBacktest, CannotStart> =>
  Effect.gen(function*() {
    const [candles, ...more] = words.candles ?? []
    if (candles === undefined) {
      return yield* refuse("candles", undefined, "name a file of prices, as --candles prices.csv")
    }
    if (more.length > 0) {
      return yield* refuse("candles", more[0], "a threshold bot has one file of prices; --bot index has several")
    }
    const pair = words.pair ?? "BASE-USDC"
    const [, base, quote] = /^([A-Za-z0-9.]{1,20})[-/_]([A-Za-z0-9.]{1,20})$/.exec(pair) ?? []
    if (base === undefined || quote === undefined || symbolOf(base) === symbolOf(quote)) {
      return yield* refuse("pair", pair, "accepted are two different symbols, as WETH-USDC")
    }
    const side = words.side?.toLowerCase() ?? null
    if (side !== null && !isSide(side)) {
      return yield* refuse("side", words.side, `accepted are ${sides.join(", ")}`)
    }
    const start = words.start ?? "quote"
    if (start !== "quote" && start !== "base") {
      return yield* refuse("start", start, "accepted are quote and base")
    }
    const share = yield* number(
      words,
      "share",
      String(standard.share),
      "accepted is a percentage above 0 and at most 100",
      (value) => value > 0 && value <= 100
    )
    return {
      ...yield* commonOf(words),
      ...{ _tag: "threshold", candles, base: symbolOf(base), quote: symbolOf(quote), side, start, share },
      ...{
        signals: words.signals ?? null,
        inverse: words.inverse ?? null,
        threshold: yield* percent(words, "threshold", standard.threshold)
      }
    }
  })

const targetsOf = (list: string | undefined) =>
  Effect.suspend(() => {
    const accepted = "accepted are symbols and weights, as WETH:40,WBTC:40,USDC:20"
    const words = (list ?? "").split(",").map((word) => word.trim().split(":"))
    if (list === undefined || words.some(({ length }) => length < 2 || length > 3)) {
      return refuse("targets", list, accepted)
    }
    const asked = words.map(([asset, weight, tolerance]) => ({
      asset,
      weight,
      ...(tolerance === undefined ? {} : { tolerance })
    }))
    return Result.match(readTargets(asked), {
      onFailure: (fault) => new CannotStart({ message: `--targets '${list}' ${fault}.` }),
      onSuccess: Effect.succeed
    })
  })

const sources = (words: Words, quote: string, targets: ReadonlyArray<AskedTarget>) =>
  Effect.gen(function*() {
    const named = yield* Effect.forEach(words.candles ?? [], (word) => {
      const [, symbol, file] = /^([A-Za-z0-9.]{1,20})=(.+)$/.exec(word) ?? []
      return symbol === undefined || file === undefined
        ? refuse("candles", word, "an index names each file's asset, as --candles WETH=weth.csv")
        : Effect.succeed({ symbol: symbolOf(symbol), file })
    })
    const wanted = targets.map(({ asset }) => symbolOf(asset)).filter((symbol) => symbol !== quote)
    const missing = wanted.find((symbol) => !named.some((one) => one.symbol === symbol))
    if (missing !== undefined) {
      return yield* new CannotStart({ message: `There are no prices of ${missing}: add --candles ${missing}=FILE.` })
    }
    const idle = named.find(({ symbol }, index) =>
      !wanted.includes(symbol) || named.findIndex((one) => one.symbol === symbol) < index
    )
    if (idle !== undefined) {
      return yield* refuse(
        "candles",
        `${idle.symbol}=${idle.file}`,
        `accepted is one file for each of ${wanted.join(", ")}`
      )
    }
    return named
  })

const index = (words: Words): Effect.Effect<IndexBacktest, CannotStart> =>
  Effect.gen(function*() {
    const targets = yield* targetsOf(words.targets)
    const quote = symbolOf(words.quote ?? indexStandard.quote)
    const given = words.interval ?? "6h"
    const intervalSeconds = readInterval(given)
    if (intervalSeconds === undefined) {
      return yield* refuse("interval", given, "accepted are seconds from 60 on, or as 15m, 6h, 1d")
    }
    return {
      ...yield* commonOf(words),
      ...{ _tag: "index", candles: yield* sources(words, quote, targets), targets, quote, intervalSeconds },
      ...{
        tolerance: yield* percent(words, "tolerance", indexStandard.tolerance),
        minTradeUsd: yield* usd(words, "min-trade-usd", indexStandard.minTradeUsd)
      }
    }
  })

/** Parses the arguments. Each failure is a sentence that names the option and the values it accepts. */
export const read = (words: ReadonlyArray<string>): Effect.Effect<Backtest, CannotStart> =>
  Effect.gen(function*() {
    const { values } = yield* Effect.try({
      try: () => parseArgs({ args: [...words], options }),
      catch: (error) =>
        new CannotStart({
          message: `${
            (error instanceof Error ? error.message : String(error)).replace(/\.?$/, ".")
          } Try npm run backtest -- --help.`
        })
    })
    const bot = values.bot ?? "threshold"
    if (bot !== "threshold" && bot !== "index") return yield* refuse("bot", bot, "accepted are threshold and index")
    const foreign = Object.keys(bot === "index" ? ofThreshold : ofIndex).find((name) => Object.hasOwn(values, name))
    if (foreign !== undefined) {
      return yield* new CannotStart({
        message: `--${foreign} is not an option of ${
          bot === "index" ? "an index" : "a threshold"
        } bot. Try npm run backtest -- --help.`
      })
    }
    return yield* bot === "index" ? index(values) : threshold(values)
  })
