import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { movePrices } from "@vault-trader/devnet/devnet/MarketMaker"
import * as Effect from "effect/Effect"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, rows, running, yieldVault } from "@vault-trader/testing/harness/Harness"
import { list, network, scene } from "@vault-trader/testing/harness/IndexSetup"
import { until } from "@vault-trader/testing/harness/Until"

const minutes = 10

layer(running(), { timeout: 240_000, excludeTestServices: true })("an index of a vault whose guard reverts", (it) => {
  it.effect(`trades nothing in its first ${minutes} minutes, whatever the market does, and resumes when the vault has a value again`, () =>
    Effect.gen(function*() {
      const devnet = yield* Devnet
      const rpc = yield* Effect.orDie(devnet.rpc(network))
      const { about, of, pool, sent, set } = yield* scene(yield* yieldVault(network))
      const price = (symbol: string, usd: number) => Effect.orDie(devnet.setPrice({ network, symbol, usd }))
      succeeded(
        yield* of("/addLiquidity", {
          asset1: "DAI",
          asset2: "USDC",
          input_asset: "USDC",
          amount: 50_000,
          fee_tier: 100
        })
      )
      // 10 WETH are 23 % of the vault.
      const targets = [{ asset: "WETH", weight: 23, tolerance: 2 }, { asset: "USDC", weight: 77, tolerance: 100 }]
      const decided = (saying: RegExp) =>
        until(
          `a decision ${String(saying)}`,
          Effect.map(
            rows(`select last_decision from index_bots where pool = '${pool}' and next_run_at > now()`),
            ([row]) => saying.test(String(row?.["last_decision"])) ? row : undefined
          )
        )
      // A minute for the chain and for the bot's schedule.
      const minute = Effect.gen(function*() {
        yield* Effect.orDie(Effect.andThen(rpc.increaseTime(60), rpc.mine))
        yield* rows(
          `update index_bots set last_decision = null, next_run_at = next_run_at - interval '61 seconds' where pool = '${pool}'`
        )
      })
      succeeded(yield* set({ targets, interval: "15m", enabled: true }))
      yield* decided(/^Every weight is within its tolerance/)
      yield* rows(`update index_bots set next_run_at = now() + interval '30 seconds' where pool = '${pool}'`)
      const count = yield* sent

      // The DAI feed leaves the pool's price, so the guard of the position manager reverts; then WETH rises by a half.
      yield* price("DAI", 1.05)
      for (let passed = 0; passed < minutes; passed++) {
        yield* Effect.orDie(movePrices(devnet, [{ network, symbol: "WETH", usd: 3_000 + 150 * (passed + 1) }]))
        yield* minute
        yield* decided(/Uni v3 LP price mismatch\)\. Nothing is traded until every asset can be valued/)
        assert.strictEqual(yield* sent, count, `minute ${passed + 1}`)
      }
      assert.deepStrictEqual(yield* rows(`select 1 from index_runs where pool = '${pool}'`), [])
      assert.deepStrictEqual(
        yield* rows(`select failures, paused_reason, enabled from index_bots where pool = '${pool}'`),
        [{ failures: 0, paused_reason: null, enabled: true }]
      )
      const { composition, total_value_usd } = succeeded(yield* of("/poolComposition", about))
      assert.isNull(total_value_usd)
      const unknown = list(composition).filter(({ reason }) => reason !== null)
      assert.match(String(unknown[0]?.["label"]), /^Uniswap V3 position #\d+ \w+\/\w+ 0\.01 %$/)

      yield* price("DAI", 1)
      yield* minute
      const run = yield* until(
        "the run after it",
        Effect.map(
          rows(`select legs, message from index_runs where pool = '${pool}' and state = 'done'`),
          ([first]) => first
        )
      )
      assert.deepStrictEqual(
        list(run["legs"]).map(({ asset, side }) => [(asset as Fields)["symbol"], side]),
        [["WETH", "sell"]]
      )
      assert.strictEqual(yield* sent, count + 1)
    }))
})
