import { assert, layer } from "@effect/vitest"
import { KeyLimits, none } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, rows, Running, running, yieldVault } from "@vault-trader/testing/harness/Harness"
import { dataOf, failed, list, makeDue, network, scene } from "@vault-trader/testing/harness/IndexSetup"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

const mismatch =
  /Uniswap V3 positions \(0x[0-9a-f]{40}\): the vault platform does not value it now \(Uni v3 LP price mismatch\)/

/**
 * The vault that may have positions, with 50,000 USDC of liquidity between DAI and USDC, and a way to make the platform
 * refuse to value it: DAI's feed departs from the pool's price, and no other asset depends on it.
 */
const providing = Effect.gen(function*() {
  const { ask } = yield* Running
  const { setPrice } = yield* Devnet
  const by = yield* scene(yield* yieldVault(network))
  const off = (usd: number) => Effect.orDie(setPrice({ network, symbol: "DAI", usd }))
  succeeded(
    yield* by.of("/addLiquidity", { asset1: "DAI", asset2: "USDC", input_asset: "USDC", amount: 50_000, fee_tier: 100 })
  )
  const decision = (saying: RegExp) =>
    until(
      `the bot to say ${String(saying)}`,
      Effect.map(by.bot, (data) => saying.test(String(data["last_decision"])) ? data : undefined)
    )
  return {
    ...by,
    ask,
    decision,
    composition: Effect.map(ask("/poolComposition", { query: by.about }), succeeded),
    whileOff: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.acquireUseRelease(off(1.05), () => effect, () => off(1))
  }
})

layer(running(), { timeout: 240_000, excludeTestServices: true })(
  "a vault with a position that the platform does not value",
  (it) => {
    it.effect("is not traded by an index that was on target; the index says why, is not paused, and continues when the value is back", () =>
      Effect.gen(function*() {
        const { composition, decision, of, pool, sent, set, whileOff } = yield* providing
        const before = yield* composition
        assert.approximately(Number(before["total_value_usd"]), 130_000, 500)
        // 10 WETH are 23 % of the vault. Without the position they would be 37 %, and $12,000 of them would be sold.
        succeeded(
          yield* set({
            targets: [{ asset: "WETH", weight: 23, tolerance: 2 }, { asset: "USDC", weight: 77, tolerance: 100 }],
            enabled: true
          })
        )
        yield* decision(/^Every weight is within its tolerance/)
        const count = yield* sent

        yield* whileOff(Effect.gen(function*() {
          const now = yield* composition
          assert.isNull(now["total_value_usd"])
          const unknown = list(now["composition"]).filter(({ reason }) => reason !== null)
          assert.deepStrictEqual(
            unknown.map(({ amount, kind, price, reason, value_usd }) => ({ amount, kind, price, reason, value_usd })),
            [{
              amount: null,
              kind: "position",
              price: null,
              reason: "the vault platform does not value it now (Uni v3 LP price mismatch)",
              value_usd: null
            }]
          )

          const weights = dataOf(yield* of("/getCurrentAllocations"))
          assert.deepInclude(weights, { totalValueUsd: null, needsRebalance: null })
          assert.match(String(weights["reason"]), mismatch)
          assert.deepInclude(list(weights["allocations"])[0], {
            asset: "WETH",
            targetPct: 23,
            valueUsd: 30_000,
            currentPct: null,
            driftPct: null,
            outOfBand: null
          })
          for (
            const [path, more] of [["/previewIndexBot", {}], ["/rebalancePool", {}], ["/rebalancePool", {
              execute: true
            }], ["/rebalancePool", { execute: true, force: true }]] as const
          ) {
            failed(yield* of(path, more), "price_unavailable", mismatch)
          }

          for (const round of [1, 2, 3, 4]) {
            yield* rows(`update index_bots set last_decision = null where pool = '${pool}'`)
            yield* makeDue(pool)
            const data = yield* decision(mismatch)
            assert.deepInclude(data, { active: true, paused_reason: null }, `look ${round}`)
            assert.isAtMost(
              Date.parse(String(data["next_run_at"])) - Date.now(),
              61_000,
              "it looks again soon, not in six hours"
            )
          }
          assert.strictEqual(yield* sent, count)
          assert.deepStrictEqual(
            yield* rows(`select 1 from intents where pool = '${pool}' and endpoint = 'rebalancePool'`),
            []
          )
          assert.deepStrictEqual(yield* rows(`select failures from index_bots where pool = '${pool}'`), [{
            failures: 0
          }])
        }))

        assert.strictEqual((yield* composition)["total_value_usd"], before["total_value_usd"])
        yield* makeDue(pool)
        yield* decision(/^Every weight is within its tolerance/)
        assert.strictEqual(yield* sent, count)
        // And it trades again by the values it reads.
        succeeded(
          yield* set({
            targets: [{ asset: "WETH", weight: 20, tolerance: 2 }, { asset: "USDC", weight: 80, tolerance: 100 }],
            enabled: true
          })
        )
        const run = yield* until(
          "a run",
          Effect.map(
            rows(`select legs from index_runs where pool = '${pool}' and state = 'done' and reason = 'scheduled'`),
            ([first]) => first
          )
        )
        assert.deepStrictEqual(list(run["legs"]).map(({ asset, side }) => [(asset as Fields)["symbol"], side]), [[
          "WETH",
          "sell"
        ]])
      }))

    it.effect(
      "is traded by a threshold bot, which needs no more than its pair; while an asset of the pair has no price " +
        "it waits and says so",
      () =>
        Effect.gen(function*() {
          const { of, pool, sent, whileOff } = yield* providing
          const held = OnChain.balanceOf(network, "WETH", pool)
          const decided = (saying: RegExp) =>
            until(
              `the bot to say ${String(saying)}`,
              Effect.map(
                rows(
                  "select last_decision ->> 'reason' as reason, active, failures from threshold_bots where pool = " +
                    `'${pool}' and open_intent is null`
                ),
                ([row]) => row !== undefined && saying.test(String(row["reason"])) ? row : undefined
              )
            )
          yield* whileOff(Effect.gen(function*() {
            const before = yield* held
            succeeded(yield* of("/setBot", { pair: "WETH-USDC", side: "neutral", max_usd: 100 }))
            yield* until("its trade", Effect.map(held, (now) => now < before ? true : undefined))
          }))
          succeeded(yield* of("/setBot", { pair: "WETH-USDC", side: "hold" }))
          yield* decided(/./)
          yield* OnChain.whileStale(
            network,
            "WETH",
            Effect.gen(function*() {
              const count = yield* sent
              succeeded(yield* of("/setBot", { pair: "WETH-USDC", side: "long", max_usd: 100 }))
              assert.deepInclude(yield* decided(/no fresh price for WETH/), { active: true, failures: 0 })
              assert.strictEqual(yield* sent, count)
            })
          )
          yield* rows(`update threshold_bots set next_check = now() where pool = '${pool}'`)
          yield* decided(/^Sold 100 USDC/)
          succeeded(yield* of("/deleteBot", { pair: "WETH-USDC" }))
        })
    )

    it.effect("leaves a gap in its record, and has no yield, while one price is stale", () =>
      Effect.gen(function*() {
        const { about, ask, pool } = yield* Effect.all([Running, scene()]).pipe(
          Effect.map(([{ ask }, by]) => ({ ...by, ask }))
        )
        const snapshots = rows(`select 1 from vault_snapshots where pool = '${pool}'`)
        yield* OnChain.whileStale(
          network,
          "WBTC",
          Effect.gen(function*() {
            const { total_value_usd } = succeeded(yield* ask("/poolComposition", { query: about }))
            assert.isNull(total_value_usd)
            failed(yield* ask("/getEstimatedAnualYield", { query: about }), "price_unavailable", /value/)
            assert.lengthOf(yield* snapshots, 0)
          })
        )
        assert.strictEqual(succeeded(yield* ask("/poolComposition", { query: about }))["total_value_usd"], 1_000)
        assert.lengthOf(yield* snapshots, 1)
      }))

    it.effect("lets a key with limits in USD do nothing whose worth is unknown, dry runs included", () =>
      Effect.gen(function*() {
        const { address, of, sent } = yield* scene(yield* yieldVault(network))
        const store = <A, E>(use: (limits: KeyLimitStore["Service"]) => Effect.Effect<A, E>) =>
          Effect.provide(Effect.flatMap(KeyLimitStore, use), KeyLimitStore.layer)
        yield* store((limits) =>
          limits.change(address, () => KeyLimits.make({ ...none, maxUsd18PerDay: 50n * 10n ** 18n }))
        )
        succeeded(yield* of("/lend", { asset: "USDC", amount: 10, dryRun: true }))
        const count = yield* sent
        yield* OnChain.whileStale(
          network,
          "USDC",
          Effect.gen(function*() {
            for (const more of [{ dryRun: true }, {}]) {
              failed(
                yield* of("/lend", { asset: "USDC", amount: 10, ...more }),
                "price_unavailable",
                /limits in USD.*Nothing was sent/
              )
            }
            failed(
              yield* of("/vaultTrade", { from: "USDC", to: "WETH", amount: 10 }),
              "price_unavailable",
              /no fresh price for USDC/
            )
          })
        )
        assert.strictEqual(yield* sent, count)
        succeeded(yield* of("/lend", { asset: "USDC", amount: 10 }))
        failed(yield* of("/lend", { asset: "USDC", amount: 41 }), "limit_exceeded", /40/)
      }))
  }
)
