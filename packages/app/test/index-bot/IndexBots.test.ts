import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, ledger, rows, Running, running, wallet } from "@vault-trader/testing/harness/Harness"
import {
  dataOf,
  ended,
  failed,
  list,
  makeDue,
  network,
  refused,
  scene,
  targets,
  tokenOf,
  weights
} from "@vault-trader/testing/harness/IndexSetup"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

layer(running(), { timeout: 240_000, excludeTestServices: true })("an index bot", (it) => {
  it.effect("is set, read, rebalanced to its weights, and then has nothing to do", () =>
    Effect.gen(function*() {
      const { about, address, bot, of, pool, sent, set } = yield* scene()
      const made = dataOf(yield* set())
      assert.deepInclude(made, {
        pool,
        gasWallet: address,
        active: false,
        enabled: false,
        paper: false,
        interval: 21_600,
        max_usd: 100_000,
        tolerance: 5,
        slippage: 1,
        quote: "USDC",
        platform: "auto"
      })
      assert.deepStrictEqual(list(made["targets"]).map(({ asset, tolerance, weight }) => [asset, weight, tolerance]), [
        ["WETH", 40, 5],
        ["WBTC", 30, 2],
        ["DAI", 20, 5],
        ["USDC", 10, 5]
      ])

      const now = dataOf(yield* of("/getCurrentAllocations"))
      assert.deepInclude(now, {
        totalValueUsd: 1_000,
        needsRebalance: true,
        reason: null,
        max_usd: 100_000,
        platform: "auto",
        unmanagedAssets: []
      })
      assert.deepInclude(list(now["allocations"])[0], {
        asset: "WETH",
        targetPct: 40,
        currentPct: 0,
        driftPct: -40,
        valueUsd: 0,
        targetUsd: 400,
        tolerance: 5,
        outOfBand: true,
        inVault: true
      })
      assert.deepInclude(list(now["allocations"])[3], { asset: "USDC", currentPct: 100, driftPct: 90, outOfBand: true })

      const before = yield* ledger
      const preview = dataOf(yield* of("/previewIndexBot"))
      assert.deepStrictEqual([preview["executed"], preview["trades"], preview["totalValueUsd"]], [false, [], 1_000])
      assert.deepStrictEqual(
        list(preview["plan"]).map((
          { amount, amountUsd, asset, from, side, slippage, to }
        ) => [asset, side, from, to, amountUsd, amount, slippage]),
        [
          ["WETH", "buy", "USDC", "WETH", 400, "400", 1],
          ["WBTC", "buy", "USDC", "WBTC", 300, "300", 1],
          ["DAI", "buy", "USDC", "DAI", 200, "200", 1]
        ]
      )
      const dry = succeeded(yield* of("/rebalancePool"))
      assert.deepInclude(dry, { intent_id: null, tx_hash: null, data: preview })
      assert.deepStrictEqual([
        yield* sent,
        yield* ledger,
        yield* rows(`select 1 from index_runs where pool = '${pool}'`)
      ], [0, before, []])

      const done = succeeded(yield* of("/rebalancePool", { execute: true, idempotency_key: `index-${pool}` }))
      const data = done["data"] as Fields
      assert.deepStrictEqual([data["executed"], data["totalValueUsd"], data["plan"]], [true, 1_000, preview["plan"]])
      const trades = list(data["trades"])
      assert.deepStrictEqual(trades.map(({ asset, side, status }) => [asset, side, status]), [
        ["WETH", "buy", "success"],
        ["WBTC", "buy", "success"],
        ["DAI", "buy", "success"]
      ])
      for (const { amount, bought, minOut, sold, tx_hash } of trades) {
        assert.strictEqual((sold as Fields)["amount"], amount)
        assert.isAtLeast(Number((bought as Fields)["amount"]), Number(minOut))
        assert.strictEqual(Number((yield* OnChain.receipt(network, tx_hash)).status), 1)
      }
      assert.deepStrictEqual([done["intent_id"], done["tx_hash"]], [trades[2]?.["intent_id"], trades[2]?.["tx_hash"]])
      const reached = yield* weights(pool)
      for (const [symbol, weight] of [["WETH", 40], ["WBTC", 30], ["DAI", 20], ["USDC", 10]] as const) {
        assert.approximately(reached[symbol] ?? 0, weight, 0.5, symbol)
      }
      assert.strictEqual(yield* sent, 3)

      // The same key is the same run; without a key nothing is left to do, and force finds no trade of at least $10
      // either.
      assert.deepStrictEqual(
        yield* of("/rebalancePool", { execute: true, idempotency_key: `index-${pool}` }).pipe(Effect.map(succeeded)),
        done
      )
      refused(
        yield* of("/rebalancePool", { execute: true, force: true, idempotency_key: `index-${pool}` }),
        /^idempotency_key: was used for another request/
      )
      const again = succeeded(yield* of("/rebalancePool", { execute: true }))
      assert.deepInclude(again, { intent_id: null, tx_hash: null })
      assert.deepStrictEqual([(again["data"] as Fields)["trades"], (again["data"] as Fields)["plan"]], [[], []])
      assert.match(String(again["message"]), /nothing to trade/)
      succeeded(yield* set({ min_trade_usd: 10 }))
      assert.deepStrictEqual((dataOf(yield* of("/rebalancePool", { execute: true, force: true })))["trades"], [])
      assert.strictEqual(yield* sent, 3)
      assert.deepInclude((yield* bot)["last_run"], { reason: "asked", state: "done" })
      const listed = list(succeeded(yield* of("/getIntents", about))["intents"])
      assert.deepStrictEqual(
        listed.map(({ endpoint, status }) => [endpoint, status]),
        Array.from({ length: 3 }, () => ["rebalancePool", "success"])
      )
      assert.deepStrictEqual(
        yield* rows(`select count(*)::int as n, sum(usd)::float8 as usd from charges where wallet = '${address}'`),
        [{ n: 3, usd: 0.3 }]
      )
    }))

  it.effect("sells before it buys, keeps to its cap, and comes to its weights run after run", () =>
    Effect.gen(function*() {
      const { of, pool, runs, set } = yield* scene()
      succeeded(yield* of("/vaultTrade", { from: "USDC", to: "WETH", amount: 900 }))
      succeeded(
        yield* set({
          max_usd: 300,
          targets: [{ asset: "WETH", weight: 50 }, { asset: "DAI", weight: 40 }, { asset: "USDC", weight: 10 }]
        })
      )
      const first = dataOf(yield* of("/rebalancePool", { execute: true }))
      assert.deepStrictEqual(list(first["trades"]).map(({ asset, side, status }) => [asset, side, status]), [[
        "WETH",
        "sell",
        "success"
      ], ["DAI", "buy", "success"]])
      assert.isAtMost(list(first["trades"]).reduce((sum, { amountUsd }) => sum + Number(amountUsd), 0), 300)
      const executed = yield* Effect.forEach([2, 3], () => Effect.map(of("/rebalancePool", { execute: true }), dataOf))
      assert.isTrue(executed.every(({ trades }) => list(trades).length === 2))
      const reached = yield* weights(pool)
      for (const [symbol, weight] of [["WETH", 50], ["DAI", 40], ["USDC", 10]] as const) {
        assert.approximately(reached[symbol] ?? 0, weight, 5, symbol)
      }
      assert.deepStrictEqual((yield* runs).map(({ legs, state }) => [state, legs]), [["done", 2], ["done", 2], [
        "done",
        2
      ]])
    }))

  it.effect("runs by itself when it is enabled and due, once however late, and not when it is disabled", () =>
    Effect.gen(function*() {
      const { bot, of, pool, runs, sent, set } = yield* scene()
      const pair = [{ asset: "WETH", weight: 50 }, { asset: "USDC", weight: 50 }]
      succeeded(yield* set({ targets: pair }))
      yield* makeDue(pool)
      const other = yield* scene()
      succeeded(yield* other.set({ targets: pair, enabled: true, interval: 3600 }))
      yield* ended(other.pool, 1)
      assert.deepInclude((yield* other.runs)[0], { state: "done", reason: "scheduled", legs: 1 })
      assert.approximately((yield* weights(other.pool))["WETH"] ?? 0, 50, 0.5)
      assert.deepStrictEqual([yield* sent, yield* runs], [0, []])

      const seen = (yield* other.bot)["next_run_at"]
      yield* makeDue(other.pool)
      const told = yield* until(
        "the bot to look",
        Effect.map(other.bot, (data) => /within its tolerance/.test(String(data["last_decision"])) ? data : undefined)
      )
      assert.isAbove(Date.parse(String(told["next_run_at"])), Date.now())
      assert.isAtLeast(Date.parse(String(told["next_run_at"])), Date.parse(String(seen)))
      assert.strictEqual((yield* other.runs).length, 1)

      succeeded(yield* of("/setIndexBot", { targets: pair, interval: "1d", max_usd: 1_000, enabled: true }))
      yield* ended(pool, 1)
      const off = dataOf(yield* of("/disableIndexBot"))
      assert.deepInclude(off, { active: false, enabled: false, next_run_at: null, max_usd: 1_000 })
      assert.strictEqual(list(off["targets"]).length, 2)
      assert.deepInclude(yield* bot, { active: false, last_decision: (yield* runs)[0]?.["message"] })
    }))

  it.effect("in paper mode reports what it would trade and sends nothing", () =>
    Effect.gen(function*() {
      const { bot, of, pool, sent, set } = yield* scene()
      succeeded(yield* set({ paper: true, enabled: true }))
      const [run] = yield* ended(pool, 1)
      assert.deepInclude(run, { state: "done", reason: "scheduled" })
      assert.match(String(run?.["message"]), /^On paper: 3 trades worth \$900\.00; nothing was sent\.$/)
      const last = (yield* bot)["last_run"] as Fields
      assert.deepStrictEqual(list(last["trades"]).map(({ asset, intent_id, status }) => [asset, status, intent_id]), [
        ["WETH", "paper", null],
        ["WBTC", "paper", null],
        ["DAI", "paper", null]
      ])
      const asked = dataOf(yield* of("/rebalancePool", { execute: true }))
      assert.deepStrictEqual([asked["executed"], list(asked["trades"]).length], [false, 3])
      assert.deepStrictEqual([yield* sent, yield* rows(`select 1 from intents where pool = '${pool}'`)], [0, []])
    }))

  it.effect("explains a trade that fails, makes the others, and pauses after three failed runs until it is set again", () =>
    Effect.gen(function*() {
      const { address, bot, of, pool, sent, set } = yield* scene()
      const withLink = [{ asset: "WETH", weight: 40 }, { asset: "LINK", weight: 40 }, { asset: "USDC", weight: 20 }]
      const terms = { targets: withLink, min_trade_usd: 10 }
      succeeded(yield* set({ ...terms, enabled: true }))
      const [run] = yield* ended(pool, 1)
      assert.strictEqual(run?.["state"], "failed")
      assert.match(
        String(run?.["message"]),
        /^Made 1 trade worth \$400\.00\. The buy of LINK failed: No venue can swap USDC for LINK .*Nothing was sent\.$/
      )
      const last = (yield* bot)["last_run"] as Fields
      assert.sameDeepMembers(list(last["trades"]).map(({ asset, status }) => [asset, status]), [["WETH", "success"], [
        "LINK",
        "fail"
      ]])
      assert.strictEqual(last["traded_usd"], 400)
      failed(yield* of("/rebalancePool", { execute: true }), "no_route", /The buy of LINK failed/)
      yield* makeDue(pool)
      yield* ended(pool, 3)
      const paused = yield* bot
      assert.deepInclude(paused, { active: false, enabled: true, next_run_at: null })
      assert.match(
        String(paused["paused_reason"]),
        /^3 runs in a row failed; set it again to resume it\. Last failure: The buy of LINK failed/
      )
      assert.strictEqual(yield* sent, 1)
      assert.deepInclude(dataOf(yield* set({ ...terms, enabled: false })), { paused_reason: null })
      assert.deepStrictEqual(yield* rows(`select count(*)::int as n from charges where wallet = '${address}'`), [{
        n: 1
      }])
    }))

  it.effect("buys after a failed sell only with the quote that is there", () =>
    Effect.gen(function*() {
      const { of, pool, set } = yield* scene()
      const devnet = yield* Devnet
      yield* Effect.orDie(devnet.mintToken({ network, symbol: "LINK", address: pool, amount: 100n * 10n ** 18n }))
      succeeded(
        yield* set({
          targets: [{ asset: "WETH", weight: 50 }, { asset: "LINK", weight: 20 }, { asset: "USDC", weight: 30 }]
        })
      )
      const { data, message } = succeeded(yield* of("/rebalancePool", { execute: true }))
      const { plan, trades } = data as Fields
      const told = (legs: unknown) =>
        list(legs).map(({ amountUsd, asset, side }) => [side, asset, Math.round(Number(amountUsd))])
      assert.deepStrictEqual(told(plan), [["sell", "LINK", 1_000], ["buy", "WETH", 1_250]])
      assert.deepStrictEqual(told(trades), [["sell", "LINK", 1_000], ["buy", "WETH", 250]])
      assert.deepStrictEqual(list(trades).map(({ status }) => status), ["fail", "success"])
      assert.match(String(message), /^Made 1 trade worth \$250\.00\. The sell of LINK failed: /)
    }))

  it.effect("is stopped by the kill switch, which is no failure of its own", () =>
    Effect.gen(function*() {
      const { address, bot, of, sent, set } = yield* scene()
      succeeded(yield* set())
      const execute = of("/rebalancePool", { execute: true })
      yield* rows(`insert into kill_switches (scope, reason) values ('wallet/${address}', 'a test')`)
      for (const _ of [1, 2, 3]) failed(yield* execute, "paused", /Signing is stopped for this wallet/)
      assert.deepInclude(yield* bot, { paused_reason: null })
      assert.strictEqual(yield* sent, 0)
      yield* rows(`delete from kill_switches where scope = 'wallet/${address}'`)
      assert.strictEqual(list(dataOf(yield* execute)["trades"]).length, 3)
    }))

  it.effect("trades nothing while a price is stale, and says why", () =>
    Effect.gen(function*() {
      const { bot, of, pool, sent, set } = yield* scene()
      succeeded(yield* set({}))
      yield* OnChain.whileStale(
        network,
        "WBTC",
        Effect.gen(function*() {
          const stale = /WBTC: the vault's oracle has no fresh price for it \(Chainlink price expired\)/
          const now = dataOf(yield* of("/getCurrentAllocations"))
          assert.deepInclude(now, { totalValueUsd: null, needsRebalance: null })
          assert.match(String(now["reason"]), stale)
          for (const path of ["/previewIndexBot", "/rebalancePool"]) {
            failed(yield* of(path), "price_unavailable", stale)
          }
          failed(yield* of("/rebalancePool", { execute: true }), "price_unavailable", stale)
          succeeded(yield* set({ enabled: true }))
          yield* until(
            "the bot to say why",
            Effect.map(
              bot,
              (data) => stale.test(String(data["last_decision"])) && data["next_run_at"] !== null ? data : undefined
            )
          )
        })
      )
      assert.strictEqual(yield* sent, 0)
      yield* makeDue(pool)
      yield* ended(pool, 2)
      assert.approximately((yield* weights(pool))["WBTC"] ?? 0, 30, 0.5)
    }))

  it.effect("continues after its process died between two trades, or after a trade was accepted, without doing one twice", () =>
    Effect.gen(function*() {
      const { of, pool, sent, set } = yield* scene()
      succeeded(yield* set())
      const done = dataOf(yield* of("/rebalancePool", { execute: true }))
      assert.strictEqual(list(done["trades"]).length, 3)
      // Rows as a crash after the last trade's acceptance leaves them: the leg exists, its outcome does not.
      yield* rows(`update index_runs set state = 'running', ended_at = null, message = null,
        legs = jsonb_set(jsonb_set(legs, '{2,outcome}', 'null'), '{2,intentId}', 'null') where pool = '${pool}'`)
      const [run] = yield* ended(pool, 1)
      assert.deepInclude(run, { state: "done" })
      const after = (yield* of("/getIndexBot").pipe(Effect.map(dataOf)))["last_run"] as Fields
      assert.deepStrictEqual(after["trades"], done["trades"])
      assert.strictEqual(yield* sent, 3)

      // Rows as a crash before the first trade's acceptance leaves them: that leg is executed as stored, the rest is
      // planned again.
      const other = yield* scene()
      succeeded(yield* other.set())
      const [from, to] = yield* Effect.all([tokenOf("USDC", 6), tokenOf("WETH", 18)])
      const leg = {
        side: "buy",
        asset: to,
        from,
        to,
        amount: "390000000",
        minOut: "1",
        usd18: "390000000000000000000",
        slippage: 1,
        platform: "auto",
        intentId: null,
        outcome: null
      }
      yield* rows(
        `insert into index_runs (id, network, pool, wallet, key_id, reason, quote, force, paper, cap18, spent18, legs)
        select gen_random_uuid(), network, pool, wallet, key_id, 'asked', quote, false, false, max_usd18, 390e18, '${
          JSON.stringify([leg])
        }'
        from index_bots where pool = '${other.pool}'`
      )
      yield* ended(other.pool, 1)
      assert.deepStrictEqual((yield* other.runs).map(({ legs, state }) => [state, legs]), [["done", 3]])
      assert.strictEqual(yield* other.sent, 3)
      const reached = yield* weights(other.pool)
      for (const [symbol, weight] of [["WETH", 39], ["WBTC", 30], ["DAI", 20]] as const) {
        assert.approximately(reached[symbol] ?? 0, weight, 0.5, symbol)
      }
    }))

  it.effect("has one run at a time: a request during a run gets that run's outcome", () =>
    Effect.gen(function*() {
      const { of, runs, sent, set } = yield* scene()
      succeeded(yield* set())
      const answers = yield* Effect.forEach([1, 2, 3, 4, 5], () => of("/rebalancePool", { execute: true }), {
        concurrency: "unbounded"
      })
      const all = answers.map(dataOf)
      const made = all.map(({ trades }) => list(trades)).find(({ length }) => length > 0)
      assert.deepStrictEqual(made?.map(({ asset, status }) => [asset, status]), [["WETH", "success"], [
        "WBTC",
        "success"
      ], ["DAI", "success"]], JSON.stringify(made))
      assert.strictEqual(yield* sent, 3)
      assert.strictEqual((yield* runs).reduce((sum, { legs }) => sum + Number(legs), 0), 3)
    }))

  it.effect("is refused with the reason when it cannot be used, and nothing is kept", () =>
    Effect.gen(function*() {
      const { bot, of, pool, set } = yield* scene(yield* OnChain.createVault(network, 1_000n))
      const of2 = (weights: ReadonlyArray<number>, more: Fields = {}) =>
        set({ targets: [{ asset: "WETH", weight: weights[0] }, { asset: "USDC", weight: weights[1] }], ...more })
      const many = Array.from({ length: 21 }, (_, index) => ({ asset: `T${index}`, weight: 100 / 21 }))
      refused(yield* of2([50, 49]), /^targets: have weights that sum to 99; they must sum to 100$/)
      refused(yield* of2([50.02, 50]), /^targets: have weights that sum to 100.02; they must sum to 100$/)
      refused(yield* of2([150, -50]), /^targets: has a member whose weight is not above 0 and at most 100, in place 1$/)
      refused(yield* set({ targets: [{ asset: "WETH", weight: 100 }] }), /^targets: must be 2 to 20 targets, not 1$/)
      refused(yield* set({ targets: many }), /^targets: must be 2 to 20 targets, not 21$/)
      refused(
        yield* set({ targets: [{ asset: "BTC", weight: 50 }, { asset: "wbtc", weight: 50 }] }),
        /^targets: Duplicate asset: WBTC is named more than once/
      )
      const weth = yield* OnChain.token(network, "WETH")
      refused(
        yield* set({
          targets: [{ asset: "ETH", weight: 50 }, { asset: weth.toUpperCase().replace("0X", "0x"), weight: 50 }]
        }),
        /^targets: Duplicate asset: WETH \(0x[0-9a-f]{40}\) is named more than once$/
      )
      refused(
        yield* set({ targets: [{ asset: "AAVE", weight: 50 }, { asset: "USDC", weight: 50 }] }),
        /^targets: the vault cannot hold AAVE \(0x[0-9a-f]{40}\): it is not enabled there/
      )
      refused(
        yield* set({ targets: [{ asset: "NOSUCH", weight: 50 }, { asset: "USDC", weight: 50 }] }),
        /^targets: 'NOSUCH' is not a token/
      )
      refused(
        yield* set({ targets: [{ asset: "WETH", weight: 50, tolerance: 101 }, { asset: "USDC", weight: 50 }] }),
        /^targets: .*tolerance is not from 0 to 100, in place 1$/
      )
      refused(yield* set({ targets: "WETH-50-USDC-50" }), /^targets: must be a JSON list/)
      refused(yield* set({ interval: 0 }), /^interval: must be a whole number of seconds from 60/)
      refused(yield* set({ interval: 59 }), /^interval: /)
      refused(yield* set({ max_usd: 0 }), /^max_usd: must be a number of US dollars above 0$/)
      refused(yield* set({ tolerance: 100.5 }), /^tolerance: must be a number of percentage points from 0 to 100$/)
      refused(yield* set({ slippage: 6 }), /^slippage: /)
      refused(yield* set({ quote: "AAVE" }), /^quote: the vault cannot hold AAVE/)
      refused(
        yield* of("/setIndexBot", { targets }),
        /^Missing required parameter: interval, max_usd$|Missing required parameter/
      )
      for (
        const path of [
          "/getIndexBot",
          "/getCurrentAllocations",
          "/previewIndexBot",
          "/rebalancePool",
          "/disableIndexBot"
        ]
      ) {
        refused(yield* of(path), new RegExp(`^Vault ${pool} has no index bot; setIndexBot makes one\\.$`))
      }
      refused(yield* of("/rebalancePool", { execute: true }), /has no index bot/)
      assert.deepStrictEqual(yield* rows(`select 1 from index_bots where pool = '${pool}'`), [])
      succeeded(yield* set())
      const { apiKey } = yield* wallet
      for (
        const path of [
          "/getIndexBot",
          "/getCurrentAllocations",
          "/previewIndexBot",
          "/rebalancePool",
          "/disableIndexBot"
        ]
      ) {
        refused(yield* of(path, { apiKey }), /is not the trader/, "1006")
      }
      assert.deepInclude(yield* bot, { active: false })
    }))

  it.effect("is shown to callers that still use setAllocations, as the call that sets it", () =>
    Effect.gen(function*() {
      const { about, of, pool } = yield* scene()
      const { ask } = yield* Running
      const used = succeeded(
        yield* of("/setAllocations", {
          assets: "WBTC-WETH",
          allocations: "50-50",
          lower_thresholds: "5-4",
          upper_thresholds: "5-6",
          slippages: "1-0.5",
          max_usd: "2500",
          platform: "uniswapV3"
        })
      )
      assert.match(
        String(used["message"]),
        /Its interval is a proposal\..*the smaller one is the tolerance.*one slippage/
      )
      assert.deepInclude((used["data"] as Fields)["body"] as Fields, {
        targets: [{ asset: "WBTC", weight: 50, tolerance: 5 }, { asset: "WETH", weight: 50, tolerance: 4 }],
        slippage: 0.5,
        max_usd: "2500",
        platform: "uniswapV3"
      })
      const legacy = dataOf(yield* of("/setAllocations", { allocations: "BTC-50-ETH-30-USDC-20" }))
      assert.deepInclude(legacy, { method: "POST", path: "/setIndexBot" })
      const body = legacy["body"] as Fields
      assert.deepStrictEqual(list(body["targets"]).map(({ asset, weight }) => [asset, weight]), [["BTC", 50], [
        "ETH",
        30
      ], ["USDC", 20]])
      assert.deepStrictEqual(yield* rows(`select 1 from index_bots where pool = '${pool}'`), [])
      const made = dataOf(yield* ask(String(legacy["path"]), { json: { apiKey: about.apiKey, ...body } }))
      assert.deepStrictEqual(list(made["targets"]).map(({ asset, weight }) => [asset, weight]), [["WBTC", 50], [
        "WETH",
        30
      ], ["USDC", 20]])
      assert.deepInclude(dataOf(yield* of("/setAllocations", { targets })), { method: "POST" })
      refused(yield* of("/setAllocations"), /^Missing required parameter: targets$/)
      refused(yield* of("/setAllocations", { allocations: "BTC-50-ETH-30", targets }), /^allocations: /)
      refused(
        yield* of("/setAllocations", { allocations: "BTC-50-ETH-30-USDC-19" }),
        /^allocations: have weights that sum to 99/
      )
      refused(
        yield* of("/setAllocations", { allocations: "BTC-50-ETH" }),
        /^allocations: must be numbers beside assets .* or assets and weights in turn/
      )
      refused(yield* of("/setAllocations", { allocations: "BTC-50-WBTC-50" }), /^allocations: Duplicate asset: WBTC/)
    }))
})
