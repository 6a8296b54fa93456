import { assert, layer } from "@effect/vitest"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import { ended, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Answer, type Fields, rows, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as PoolTokens from "@vault-trader/testing/harness/PoolTokens"
import { until } from "@vault-trader/testing/harness/Until"

const network: Network = "base"
const { symbol } = PoolTokens

const raw = (quantity: unknown): bigint => BigInt(String((quantity as Fields)["raw"]))

/** A vault with USDC that may hold pool tokens, and its trader. */
const scene = Effect.gen(function*() {
  const { ask } = yield* Running
  const pool = yield* OnChain.createVault(network, 10_000n)
  yield* PoolTokens.enable(network, pool)
  const by = yield* trader({ network, pool })
  const about = { apiKey: by.apiKey, network, pool }
  return {
    ...by,
    about,
    pool,
    trade: (json: Fields) => ask("/vaultTrade", { json: { ...about, slippage: 1, ...json } }),
    held: PoolTokens.held(network, pool),
    usdc: OnChain.balanceOf(network, "USDC", pool),
    steps: PoolTokens.steps(network, pool),
    sent: OnChain.transactionCount(network, by.address),
    intent: (id: unknown) =>
      Effect.map(
        ask("/getIntent", { query: { apiKey: by.apiKey, intent_id: String(id) } }),
        ({ fields }) => fields["intent"] as Fields
      ),
    ended: (id: unknown) => ended(ask, by.apiKey, id),
    waiting: (id: unknown, text: RegExp) =>
      until(
        `the intent's reason to wait, ${text.source}`,
        Effect.map(ask("/getIntent", { query: { apiKey: by.apiKey, intent_id: String(id) } }), ({ fields }) => {
          const intent = (fields["intent"] ?? {}) as Fields
          return intent["status"] === "pending" && text.test(String(intent["message"])) ? intent : undefined
        })
      )
  }
})

const env = { WAIT_SECONDS: "10", BOT_CHECK_SECONDS: "1" }

layer(running({ env }), { timeout: 240_000, excludeTestServices: true })("pool tokens", (it) => {
  it.effect("are bought for a quote, wait out their cooldown with a reason that names its end, and are redeemed in two steps", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, apiKey, held, intent, pool, sent, steps, trade, usdc, waiting, ...vault } = yield* scene
      yield* PoolTokens.setCooldown(network, 3_600n)
      const dry = succeeded(yield* trade({ from: "USDC", to: symbol, amount: 1_000, dryRun: true }))
      assert.strictEqual((dry["plan"] as Fields)["venue"], "toros")
      const bought = succeeded(yield* trade({ from: "USDC", to: symbol, amount: 1_000, platform: "toros" }))
      assert.strictEqual(bought["venue"], "toros")
      assert.strictEqual(raw(bought["bought"]), 50n * 10n ** 18n)
      assert.strictEqual(yield* held, 50n * 10n ** 18n)

      const count = yield* sent
      const pending = (yield* trade({ from: symbol, to: "USDC", share: 100 })).fields
      assert.strictEqual(pending["status"], "pending")
      const id = pending["intent_id"]
      const waits = yield* waiting(id, /is in its cooldown and can be redeemed from 20.*Z on/)
      assert.strictEqual(waits["tx_hash"], null)
      assert.match(String(pending["message"]), /Waiting: BTCBEAR1X is in its cooldown/)
      // Other requests of the vault and wallet are carried out meanwhile.
      succeeded(yield* trade({ from: "USDC", to: "WETH", amount: 10 }))
      assert.deepStrictEqual([yield* sent, yield* steps], [count + 1, { inits: 0, completes: 0 }])

      yield* PoolTokens.passTime(network, 3_601)
      const before = yield* usdc
      const done = yield* vault.ended(id)
      assert.strictEqual(done["status"], "success", String(done["message"]))
      assert.match(String(done["message"]), /^Redeemed 50 BTCBEAR1X for 1000 USDC\.$/)
      const result = done["result"] as Fields
      assert.strictEqual(raw(result["sold"]), 50n * 10n ** 18n)
      assert.strictEqual(raw(result["bought"]), (yield* usdc) - before)
      assert.strictEqual((result["oracle"] as Fields)["slippage_percent"], 0)
      const { init_tx_hash: init } = result["redemption"] as Fields
      assert.notStrictEqual(init, done["tx_hash"])
      assert.strictEqual(Number((yield* OnChain.receipt(network, init)).status), 1)
      assert.deepStrictEqual([yield* sent, yield* steps, yield* held], [count + 3, { inits: 1, completes: 1 }, 0n])
      assert.deepStrictEqual(
        yield* rows(`select count(*)::int as n from charges where intent_id = '${String(id)}'`),
        [{ n: 1 }]
      )
      const gas = yield* Effect.all([OnChain.receipt(network, init), OnChain.receipt(network, done["tx_hash"])])
      assert.strictEqual(result["gas_used"], gas.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n).toString())
      assert.deepInclude(yield* intent(id), { status: "success" })
      const shown = succeeded(yield* ask("/poolComposition", { query: { apiKey, network, pool } }))
      const line = (shown["composition"] as ReadonlyArray<Fields>).find(({ asset_type: type }) => type === 30)
      assert.deepInclude(line, { kind: "position", value_usd: 0 })
      assert.strictEqual(about.pool, pool)
    }))

  it.effect("that are paid out in another asset than the requested one are claimed as they are where no venue swaps them", () =>
    Effect.gen(function*() {
      const { pool, steps, trade } = yield* scene
      yield* PoolTokens.setCooldown(network, 0n)
      succeeded(yield* trade({ from: "USDC", to: symbol, amount: 1_000 }))
      const weth = yield* OnChain.balanceOf(network, "WETH", pool)
      yield* Effect.acquireUseRelease(
        PoolTokens.setParts(network, 4_000n, 6_000n),
        () =>
          Effect.gen(function*() {
            const done = succeeded(yield* trade({ from: symbol, to: "USDC", amount: 50 }))
            assert.match(String(done["message"]), /^Redeemed 50 BTCBEAR1X for 400 USDC and 0\.2 WETH\.$/)
            assert.strictEqual((yield* OnChain.balanceOf(network, "WETH", pool)) - weth, 2n * 10n ** 17n)
            assert.deepStrictEqual(yield* steps, { inits: 1, completes: 1 })
          }),
        () => PoolTokens.setParts(network, 10_000n, 0n)
      )
    }))

  it.effect("are refused with a reason: other tokens, other venues, vaults that could not redeem them, lying quotes", () =>
    Effect.gen(function*() {
      const { about, held, pool, sent, trade } = yield* scene
      const count = yield* sent
      const { poolToken } = yield* PoolTokens.contracts(network)
      const message = (answer: Answer) => String(answer.body["message"])
      assert.match(
        message(yield* trade({ from: "USDC", to: "WETH", amount: 10, platform: "toros" })),
        /toros.*trades only the platform's leveraged and inverse tokens.*BTCBEAR1X/
      )
      assert.match(message(yield* trade({ from: "DAI", to: symbol, amount: 10 })), /DAI|balance/)
      yield* Effect.acquireUseRelease(
        PoolTokens.setQuoteLie(network, 500n),
        () =>
          Effect.map(trade({ from: "USDC", to: symbol, amount: 10 }), (answer) => {
            assert.strictEqual(answer.body["status"], "fail", answer.text)
            assert.match(message(answer), /would revert|slippage/i)
          }),
        () => PoolTokens.setQuoteLie(network, 0n)
      )
      yield* Effect.acquireUseRelease(
        PoolTokens.setQuoteLie(network, -500n),
        () =>
          Effect.map(trade({ from: "USDC", to: symbol, amount: 10 }), (answer) => {
            assert.strictEqual(answer.body["error_type"], "slippage_exceeded", answer.text)
          }),
        () => PoolTokens.setQuoteLie(network, 0n)
      )
      const other = yield* OnChain.createVault(network, 1_000n)
      yield* PoolTokens.enable(network, other, [poolToken])
      const by = yield* trader({ network, pool: other })
      const { ask } = yield* Running
      assert.match(
        message(
          yield* ask("/vaultTrade", {
            json: { apiKey: by.apiKey, network, pool: other, from: "USDC", to: symbol, amount: 10, slippage: 1 }
          })
        ),
        /EasySwapperV2 .* is not enabled as an asset of the vault/
      )
      assert.deepStrictEqual([yield* sent, yield* held, about.pool], [count, 0n, pool])
    }))

  it.effect("are held by a threshold bot that goes short, neutral and long", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, held, pool, steps, usdc } = yield* scene
      yield* PoolTokens.setCooldown(network, 0n)
      const set = (side: string) => ask("/setBot", { json: { ...about, pair: "BTC-USDC", side, platform: "auto" } })
      succeeded(yield* set("short"))
      yield* until(
        "the short",
        Effect.map(Effect.all([held, usdc]), ([tokens, rest]) => tokens > 0n && rest === 0n ? true : undefined)
      )
      succeeded(yield* set("neutral"))
      yield* until(
        "all in USDC",
        Effect.map(Effect.all([held, usdc]), ([tokens, rest]) => tokens === 0n && rest > 0n ? true : undefined)
      )
      assert.deepStrictEqual(yield* steps, { inits: 1, completes: 1 })
      succeeded(yield* set("long"))
      const wbtc = OnChain.balanceOf(network, "WBTC", pool)
      yield* until("the long", Effect.map(wbtc, (amount) => amount > 0n ? true : undefined))
      succeeded(yield* set("short"))
      yield* until(
        "short again, by way of the quote",
        Effect.map(Effect.all([held, wbtc]), ([tokens, rest]) => tokens > 0n && rest === 0n ? true : undefined)
      )
    }))
})
