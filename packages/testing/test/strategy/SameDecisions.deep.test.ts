import { assert, layer } from "@effect/vitest"
import * as StrategyBacktest from "@vault-trader/core/backtest/StrategyBacktest"
import { alignBars, tokenOf } from "@vault-trader/core/backtest/PriceSeries"
import { resolve } from "@vault-trader/core/strategy/StrategyInputs"
import * as Sandbox from "@vault-trader/workers/strategy/Sandbox"
import * as StrategyFolder from "@vault-trader/workers/strategy/StrategyFolder"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Path from "node:path"
import { toRaw } from "../../src/strategy-test/TestedService.ts"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"

const strategies = Path.join(import.meta.dirname, "../../../app/strategies")
const inputs = { fast: "2", slow: "3" }

interface Bot {
  readonly data: { readonly mode: string }
  readonly decisions: ReadonlyArray<{
    readonly candle: number
    readonly decision: { readonly targets?: Readonly<Record<string, number>> }
    readonly trades: ReadonlyArray<{ readonly state: string }>
  }>
  readonly candles: ReadonlyArray<{
    readonly time: number
    readonly prices: { readonly WETH: Readonly<Record<"open" | "high" | "low" | "close", string>> }
  }>
}

/** Runs the example over a bot's own candles. */
const backtested = ({ candles }: Bot) =>
  Effect.scoped(Effect.gen(function*() {
    const [quote, base] = [tokenOf("USDC", 0, 6), tokenOf("WETH", 1)]
    const series = candles.map(({ prices: { WETH: { close, high, low, open } }, time }) => ({
      ...{
        time,
        open: toRaw(open, 18),
        high: toRaw(high, 18),
        low: toRaw(low, 18),
        close: toRaw(close, 18),
        side: null
      }
    }))
    // A bar after the last one: the strategy trades at the next open.
    const last = series.at(-1)!
    const { bars } = alignBars([{ token: base, candles: [...series, { ...last, time: last.time + 60 }] }], quote)
    const sandbox = yield* Sandbox.open(yield* StrategyFolder.read(strategies, "ema-cross"))
    const { decisions } = yield* StrategyBacktest.run(
      { bars, candles: { WETH: StrategyBacktest.candlesAt(series, bars) } },
      {
        terms: {
          ...{ assets: [base], quote, tolerance: 1, slippage: 3, maxUsd18: 10n ** 22n, minTradeUsd18: 10n ** 18n }
        },
        history: sandbox.description.history,
        inputs: Result.getOrThrow(resolve(sandbox.description, inputs)),
        costs: { fee: 0, slippage: 0 },
        start: new Map([[quote.address, 10n ** 10n]])
      },
      sandbox.decide
    )
    return decisions.map(({ decision }) => decision.targets)
  }))

layer(VaultTraderTest.layer({ strategies }))("the example of averages", (it) => {
  it.effect("decides the same on paper, live and in a backtest of the same candles", () =>
    Effect.gen(function*() {
      const service = yield* VaultTraderTest
      yield* service.setPrice("WETH", 3000)
      yield* service.setOraclePrice("USDC", 1)
      const vaults = yield* Effect.forEach(["paper", "live"], (mode) =>
        Effect.gen(function*() {
          const { apiKey, network, pool, wallet } = yield* service.vault({ WETH: "1", USDC: "3000" })
          const about = { apiKey, network, pool }
          yield* service.call("setStrategyBot", {
            ...{ ...about, mode, strategy: "ema-cross", assets: "WETH", interval: "1m", max_usd: 10_000, slippage: 3 },
            inputs: Object.entries(inputs).map(([name, value]) => `${name}=${value}`).join(",")
          })
          return { about, wallet }
        }))
      for (const price of [3000, 3000, 3100, 3200, 3250, 3100, 2950, 2900, 3000]) {
        yield* service.setPrice("WETH", price)
        yield* service.advance("1 minute")
      }
      const [paper, live] = yield* Effect.forEach(vaults, ({ about }) =>
        Effect.map(service.call("getStrategyBots", about), ({ bots }) => (bots as ReadonlyArray<Bot>)[0]!))
      assert.deepStrictEqual([paper?.data.mode, live?.data.mode], ["paper", "live"])
      for (const bot of [paper, live]) {
        if (bot === undefined) {
          return assert.fail("a bot is missing")
        }
        const decided = bot.decisions.toReversed().filter(({ decision }) =>
          decision !== null
        )
        assert.isAtLeast(decided.length, 6)
        assert.deepStrictEqual(decided.map(({ decision }) => decision.targets), yield* backtested(bot))
      }
      const targetsOf = (bot: Bot | undefined) =>
        new Map(bot?.decisions.map(({ candle, decision }) => [candle, decision?.targets?.["WETH"]]))
      const [onPaper, onChain] = [targetsOf(paper), targetsOf(live)]
      for (const [candle, target] of onPaper) {
        if (onChain.has(candle)) assert.strictEqual(onChain.get(candle), target, String(candle))
      }
      // It went in and out at least once.
      assert.isTrue([0, 95].every((weight) => [...onChain.values()].includes(weight)))
      assert.strictEqual(yield* service.transactionCount(vaults[0]!.wallet), 0)
      assert.isAtLeast(yield* service.transactionCount(vaults[1]!.wallet), 2)
    }))
})
