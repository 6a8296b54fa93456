/**
 * The shipped example of averages, unchanged, at the same time live and on paper in one service on real contracts, and
 * then in a backtest over the candles that each bot recorded. Only the chain's clock is accelerated: each price is an hour of
 * block time, and each hour ends when both bots have read its price and every trade is over.
 */
import { assert, layer } from "@effect/vitest"
import * as DataFile from "@vault-trader/core/backtest/DataFile"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { movePrices } from "@vault-trader/devnet/devnet/MarketMaker"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, rows, Running, running, temporaryFolder, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fs from "node:fs"
import * as Path from "node:path"

const network = "base"
const hour = 3_600
const inputs = "fast=3,slow=5"
/** Falls, rises, falls and rises again. */
const prices = [3000, 2990, 2970, 2980, 2960, 3050, 3140, 3200, 3170, 3040, 2930, 2880, 2960, 3080, 3150, 3160]

interface Trade {
  readonly from: string
  readonly to: string
  readonly usd: number
  readonly state: string
  readonly tx_hash: string | null
}

interface Bot {
  readonly data: { readonly mode: string; readonly digest: string; readonly paused_code: string | null }
  readonly decisions: ReadonlyArray<{
    readonly candle: number
    readonly decision: { readonly targets?: Readonly<Record<string, number>>; readonly reason: string }
    readonly trades: ReadonlyArray<Trade>
  }>
  readonly candles: ReadonlyArray<
    { readonly time: number; readonly prices: { readonly WETH: { readonly close: string } } }
  >
}

/** A vault with a bot of the example, in one of the modes. */
const setBot = (mode: "paper" | "live") =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const pool = yield* OnChain.createVault(network, 10_000n)
    const { address, apiKey } = yield* trader({ network, pool })
    const about = { apiKey, network, pool }
    succeeded(
      yield* ask("/setStrategyBot", {
        json: {
          ...{ ...about, mode, strategy: "ema-cross", inputs, assets: "WETH", interval: "1h" },
          ...{ max_usd: 20_000, slippage: 2 }
        }
      })
    )
    const answer = ask("/getStrategyBots", { query: about })
    return {
      ...{ address, pool, answer },
      bot: Effect.map(answer, ({ body, text }) => {
        const [bot] = [body["bots"]].flat(2) as ReadonlyArray<Bot>
        return bot ?? assert.fail(text)
      })
    }
  })

/** Waits until the bots of these vaults have read this price of WETH in the present hour, and no trade is open. */
const seen = (pools: ReadonlyArray<string>, usd: number) =>
  Effect.gen(function*() {
    const { rpc } = yield* OnChain.on(network)
    const weth = yield* OnChain.token(network, "WETH")
    const { timestamp } = yield* Effect.orDie(rpc.latestBlock)
    yield* until(
      `the bots at ${usd}`,
      Effect.map(
        rows(`select 1 from strategy_bots b where pool in (${pools.map((pool) => `'${pool}'`).join(",")})
          and candle ->> 'bucket' = '${Math.floor(Number(timestamp) / hour)}'
          and candle -> 'prices' -> '${weth}' ->> 'close' = '${BigInt(usd) * 10n ** 18n}' and open_intent is null
          and not exists (select 1 from strategy_decisions d where d.bot_id = b.id and d.state = 'trading')`),
        (found) => found.length === pools.length ? true : undefined
      )
    )
  })

/** Runs the command of backtests over an answer of getStrategyBots; returns its decisions and trades. */
const backtested = (text: string) =>
  Effect.gen(function*() {
    const folder = yield* temporaryFolder
    const [recorded, out] = [Path.join(folder, "bots.json"), Path.join(folder, "out")]
    Fs.writeFileSync(recorded, text)
    const { code, stderr } = yield* ServiceProcess.toItsEnd(
      {},
      ...["backtest", "--bot", "strategy", "--strategy", "ema-cross", "--inputs", inputs],
      ...["--candles", `WETH=${recorded}`, "--start-usd", "10000", "--max-usd", "20000", "--out", out]
    )
    assert.strictEqual(code, 0, stderr)
    const read = (name: string, columns: ReadonlyArray<string>) =>
      Result.getOrThrow(
        DataFile.rowsOf(name, Fs.readFileSync(Path.join(out, name), "utf8"), { columns, needed: columns, field: "" })
      )
    const at = (row: DataFile.DataRow) => Result.getOrThrow(DataFile.timeOf(row))
    return {
      decisions: read("decisions.csv", ["time", "decision", "reason"]).map((row) => ({
        time: at(row),
        decision: { ...JSON.parse(row.fields["decision"] ?? "") as Fields, reason: row.fields["reason"] }
      })),
      // A backtest trades at the open of the candle after the one that it decided at.
      trades: read("trades.csv", ["time", "sold", "bought"]).map((row) => ({
        time: at(row) - hour,
        from: row.fields["sold"],
        to: row.fields["bought"]
      }))
    }
  })

const decisionsOf = ({ decisions }: Bot) =>
  decisions.toReversed().map(({ candle, decision }) => ({ time: candle * hour, decision }))

const tradesOf = ({ decisions }: Bot) =>
  decisions.toReversed().flatMap(({ candle, trades }) =>
    trades.map(({ from, to }) => ({ time: candle * hour, from, to }))
  )

layer(running({ env: { STRATEGY_CHECK_SECONDS: "1" } }), { timeout: 300_000, excludeTestServices: true })(
  "the example of averages on the devnet",
  (it) => {
    it.effect("decides and trades the same live, on paper and in a backtest of the candles that each bot recorded", () =>
      Effect.gen(function*() {
        const devnet = yield* Devnet
        const { rpc } = yield* OnChain.on(network)
        const moveTo = (usd: number) => Effect.orDie(movePrices(devnet, [{ network, symbol: "WETH", usd }]))
        const { timestamp } = yield* Effect.orDie(rpc.latestBlock)
        // Ten minutes into an hour: what this test takes ends no candle by itself.
        yield* Effect.orDie(rpc.increaseTime(hour - Number(timestamp) % hour + 600))
        yield* moveTo(prices[0]!)
        const [onPaper, onChain] = [yield* setBot("paper"), yield* setBot("live")]
        const pools = [onPaper.pool, onChain.pool]
        yield* seen(pools, prices[0]!)
        for (const price of prices.slice(1)) {
          // An empty block begins the hour: while anvil mines, it may answer a read from the new state with the time of
          // the block before.
          yield* Effect.orDie(Effect.andThen(rpc.increaseTime(hour), rpc.mine))
          yield* moveTo(price)
          yield* seen(pools, price)
        }
        const [paper, live] = [yield* onPaper.bot, yield* onChain.bot]
        assert.deepStrictEqual([paper.data.mode, live.data.mode], ["paper", "live"])
        assert.strictEqual(paper.data.digest, live.data.digest)

        // One decision for each closed candle, the same in both modes, which goes in, out and in again.
        assert.deepStrictEqual(live.candles.map(({ prices: { WETH } }) => Number(WETH.close)), prices.slice(0, -1))
        assert.deepStrictEqual(decisionsOf(live).map(({ time }) => time), live.candles.map(({ time }) => time))
        assert.deepStrictEqual(decisionsOf(paper), decisionsOf(live))
        assert.deepStrictEqual(
          tradesOf(live).map(({ from, to }) => `${from} for ${to}`),
          ["USDC for WETH", "WETH for USDC", "USDC for WETH"]
        )
        assert.deepStrictEqual(tradesOf(paper), tradesOf(live))
        for (const { answer, bot } of [onPaper, onChain]) {
          const { decisions, trades } = yield* backtested((yield* answer).text)
          const recorded = yield* bot
          // A backtest decides nothing in its last candle.
          assert.deepStrictEqual(
            decisions,
            decisionsOf(recorded).slice(0, -1).map(({ decision, time }) => ({ time, decision }))
          )
          assert.deepStrictEqual(trades, tradesOf(recorded))
        }

        // Asserts that live trades are on the chain and settled, and that the bot on paper signed nothing.
        const made = live.decisions.flatMap(({ trades }) => trades)
        assert.deepStrictEqual([...new Set(made.map(({ state }) => state))], ["succeeded"])
        for (const { tx_hash } of made) assert.strictEqual((yield* OnChain.receipt(network, tx_hash)).status, 1n)
        assert.strictEqual(yield* OnChain.transactionCount(network, onChain.address), made.length)
        assert.deepStrictEqual(
          yield* rows(`select count(*)::int as charged from charges c join intents i on i.id = c.intent_id
            where i.pool = '${onChain.pool}' and i.status = 'succeeded'`),
          [{ charged: made.length }]
        )
        assert.isAbove(Number(yield* OnChain.balanceOf(network, "WETH", onChain.pool)), 2.5e18)
        assert.deepStrictEqual(yield* rows(`select 1 from intents where pool = '${onPaper.pool}'`), [])
        assert.strictEqual(yield* OnChain.transactionCount(network, onPaper.address), 0)
        assert.strictEqual(yield* OnChain.balanceOf(network, "USDC", onPaper.pool), 10_000_000_000n)
        const filled = paper.decisions.flatMap(({ trades }) => trades)
        assert.deepStrictEqual([...new Set(filled.map(({ state }) => state))], ["paper"])
        for (const [place, { usd }] of filled.entries()) assert.approximately(usd, made[place]?.usd ?? 0, 100)
      }))
  }
)
