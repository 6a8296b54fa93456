/** The options of a backtest: which bot or order, over which files, with which limits and costs. */
import { defaults as indexStandard } from "@vault-trader/core/index-bot/IndexBot"
import { type UnresolvedTarget, read as readTargets } from "@vault-trader/core/index-bot/Targets"
import { symbolOf } from "@vault-trader/core/chain/Token"
import type { Costs } from "@vault-trader/core/backtest/Portfolio"
import type { PlacedParams } from "@vault-trader/core/vault-order/OrderTermsCheck"
import { type Side, defaults } from "@vault-trader/core/threshold-bot/ThresholdBot"
import * as BigDecimal from "effect/BigDecimal"
import * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BacktestFlags } from "./BacktestFlags.ts"
import { orderOf } from "./OrderWords.ts"

/** Options of all kinds. */
export interface Common {
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
  readonly targets: ReadonlyArray<UnresolvedTarget>
  readonly quote: string
  readonly intervalSeconds: number
  readonly tolerance: number
  readonly minTradeUsd: BigDecimal.BigDecimal
}

export interface OrderBacktest extends Common {
  readonly _tag: "order"
  readonly candles: string
  readonly base: string
  readonly quote: string
  readonly order: PlacedParams
}

export type Backtest = ThresholdBacktest | IndexBacktest | OrderBacktest

const refuse = (message: string) => new CliError.ValidationError({ message })

export const commonOf = ({ fee, maxUsd, out, slippage, startUsd }: BacktestFlags): Common => ({
  costs: { fee, slippage },
  maxUsd,
  startUsd,
  out: out ?? null
})

/** Returns the one file of prices. */
const candlesOf = ([candles, ...more]: ReadonlyArray<string>, kind: string) => {
  if (candles === undefined) {
    return Effect.fail(refuse("--candles is missing: name a file of prices, as --candles prices.csv."))
  }
  return more.length === 0
    ? Effect.succeed(candles)
    : Effect.fail(refuse(`--candles is given twice: ${kind} has one file of prices, --bot index several.`))
}

const defaultPair = { base: "BASE", quote: "USDC" }

const thresholdOf = (flags: BacktestFlags): Effect.Effect<ThresholdBacktest, CliError.ValidationError> =>
  Effect.gen(function*() {
    const candles = yield* candlesOf(flags.candles, "a threshold bot")
    const { inverse, pair, share, side, signals, start, threshold } = flags.thresholdOnly
    return {
      _tag: "threshold",
      ...commonOf(flags),
      ...(pair ?? defaultPair),
      candles,
      side: side ?? null,
      signals: signals ?? null,
      inverse: inverse ?? null,
      start: start ?? "quote",
      share: share ?? defaults.share,
      threshold: threshold ?? defaults.threshold
    }
  })

const targetsOf = (list: string | undefined) =>
  Effect.suspend(() => {
    const accepted = "accepted are symbols and weights, as WETH:40,WBTC:40,USDC:20"
    if (list === undefined) return refuse(`--targets is missing: ${accepted}.`)
    const words = list.split(",").map((word) => word.trim().split(":"))
    if (words.some(({ length }) => length < 2 || length > 3)) {
      return refuse(`--targets '${list}' cannot be used: ${accepted}.`)
    }
    const members = words.map(([asset, weight, tolerance]) => ({
      asset,
      weight,
      ...(tolerance === undefined ? {} : { tolerance })
    }))
    return Result.match(readTargets(members), {
      onFailure: (fault) => refuse(`--targets '${list}' ${fault}.`),
      onSuccess: Effect.succeed
    })
  })

/** Reads one `SYMBOL=FILE` for each target but the quote. */
const sourcesOf = (candles: ReadonlyArray<string>, quote: string, targets: ReadonlyArray<UnresolvedTarget>) =>
  Effect.gen(function*() {
    const named = yield* Effect.forEach(candles, (word) => {
      const [, symbol, file] = /^([A-Za-z0-9.]{1,20})=(.+)$/.exec(word) ?? []
      return symbol === undefined || file === undefined
        ? refuse(`--candles '${word}' cannot be used: an index names each file's asset, as --candles WETH=weth.csv.`)
        : Effect.succeed({ symbol: symbolOf(symbol), file })
    })
    const wanted = targets.map(({ asset }) => symbolOf(asset)).filter((symbol) => symbol !== quote)
    const missing = wanted.find((symbol) => !named.some((source) => source.symbol === symbol))
    if (missing !== undefined) {
      return yield* refuse(`There are no prices of ${missing}: add --candles ${missing}=FILE.`)
    }
    const idle = named.find(({ symbol }, index) =>
      !wanted.includes(symbol) || named.findIndex((source) => source.symbol === symbol) < index
    )
    return idle === undefined ? named : yield* refuse(
      `--candles '${idle.symbol}=${idle.file}' cannot be used: accepted is one file for each of ${wanted.join(", ")}.`
    )
  })

const indexOf = (flags: BacktestFlags): Effect.Effect<IndexBacktest, CliError.ValidationError> =>
  Effect.gen(function*() {
    const { interval, minTradeUsd, tolerance, ...given } = flags.indexOnly
    const targets = yield* targetsOf(given.targets)
    const quote = given.quote ?? symbolOf(indexStandard.quote)
    return {
      _tag: "index",
      ...commonOf(flags),
      candles: yield* sourcesOf(flags.candles, quote, targets),
      targets,
      quote,
      intervalSeconds: interval ?? 6 * 60 * 60,
      tolerance: tolerance ?? indexStandard.tolerance,
      minTradeUsd: minTradeUsd ?? BigDecimal.fromStringUnsafe(indexStandard.minTradeUsd)
    }
  })

const orderBacktestOf = (flags: BacktestFlags): Effect.Effect<OrderBacktest, CliError.ValidationError> =>
  Effect.gen(function*() {
    const { order } = flags.orderOnly
    if (order === undefined) {
      return yield* refuse(
        "--order is missing: give its parameters, as --order 'type=stop_loss side=sell share=100 …'."
      )
    }
    return {
      _tag: "order",
      ...commonOf(flags),
      ...(flags.thresholdOnly.pair ?? defaultPair),
      candles: yield* candlesOf(flags.candles, "an order"),
      order: yield* orderOf(order)
    }
  })

/** Returns the name of a flag as the user writes it. */
export const kebabOf = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Checks that the flags fit together. Each failure is a sentence that names the flag and the values it accepts. */
export const optionsOf = (flags: BacktestFlags): Effect.Effect<Backtest, CliError.ValidationError> => {
  const { bot } = flags
  if (bot === "strategy") return Effect.die(new Error("strategyOptionsOf reads the options of a strategy"))
  const { indexOnly, orderOnly, strategyOnly, thresholdOnly } = flags
  const { pair: _, ...withoutPair } = thresholdOnly
  const [others, kind] = {
    threshold: [{ ...indexOnly, ...orderOnly, ...strategyOnly }, "a threshold bot"] as const,
    index: [{ ...thresholdOnly, ...orderOnly, ...strategyOnly }, "an index bot"] as const,
    order: [{ ...withoutPair, ...indexOnly, ...strategyOnly }, "an order"] as const
  }[bot]
  const foreign = Object.entries(others).find(([, value]) => value !== undefined)
  if (foreign !== undefined) return Effect.fail(refuse(`--${kebabOf(foreign[0])} is not an option of ${kind}.`))
  return { threshold: thresholdOf, index: indexOf, order: orderBacktestOf }[bot](flags)
}
