import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Answer, type Fields, Running, rows, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"

/** A trader of a new vault, a token for one of its pairs, and the alerts that are sent to it. */
const scene = Effect.gen(function*() {
  const { ask } = yield* Running
  const pool = yield* OnChain.createVault(network, 10_000n)
  const by = yield* trader({ network, pool })
  const about = { apiKey: by.apiKey, network, pool }
  const made = succeeded(yield* ask("/createWebhookToken", { json: { ...about, pair: "ETH-USDC", label: "chart" } }))
  const path = String(made["path"])
  return {
    ...by,
    about,
    path,
    token: String(made["token"]),
    tokenId: String(made["token_id"]),
    alert: (json: Fields) => ask(path, { json }),
    bot: Effect.map(
      ask("/getBotStatus", { query: about }),
      (answer) => ((succeeded(answer)["data"] as Fields)["bots"] as ReadonlyArray<Fields>)[0]
    )
  }
})

// No check interval ends within a test: a bot that has traded its cap trades no more.
const service = running({ env: { BOT_CHECK_SECONDS: "600" } })

layer(service, { timeout: 240_000, excludeTestServices: true })("webhook tokens", (it) => {
  it.effect("let an alert without an API key set the side of their bot, which keeps its other settings", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, alert, apiKey, bot, path, pool } = yield* scene
      const first = succeeded(yield* alert({ side: "long" }))
      assert.deepInclude(first["data"] as Fields, { pair: "WETH-USDC", side: "long", threshold: 1, paper: false })
      const traded = yield* until(
        "the rebalance",
        Effect.map(ask("/getIntent", { query: { apiKey, intent_id: String(first["intent_id"]) } }), ({ fields }) => {
          const intent = (fields["intent"] ?? {}) as Fields
          return intent["status"] === "success" ? intent : undefined
        })
      )
      assert.match(String(traded["message"]), /^Sold 10000 USDC for/)
      succeeded(
        yield* ask("/setBot", {
          json: { ...about, pair: "ETH-USDC", side: "long", threshold: 7, max_usd: 500, slippage: 2 }
        })
      )
      // As TradingView sends it: JSON with the content type of plain text.
      const posted = yield* ask(path, {
        raw: `{"market_position": "flat", "ticker": "ETHUSD"}`,
        headers: { "content-type": "text/plain" }
      })
      assert.deepInclude(succeeded(posted)["data"] as Fields, {
        side: "neutral",
        threshold: 7,
        max_usd: 500,
        slippage: 2
      })
      assert.strictEqual((yield* bot)?.["side"], "neutral")
      assert.strictEqual(yield* OnChain.balanceOf(network, "USDC", pool), 0n)
    }))

  it.effect("understand the words that charts send, and refuse a placeholder that was not replaced by its name", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { about, alert, bot, path } = yield* scene
      succeeded(yield* ask("/setBot", { json: { ...about, pair: "ETH-USDC", side: "hold", paper: true } }))
      const text = (raw: string, contentType = "text/plain") =>
        ask(path, { raw, headers: { "content-type": contentType } })
      const sideOf = (answer: Answer) => (succeeded(answer)["data"] as Fields)["side"]
      for (
        const [word, side] of [
          ...[["buy", "long"], ["long", "long"], ["short", "short"]] as const,
          ...["sell", "close", "flat", "exit", "neutral"].map((each) => [each, "neutral"] as const)
        ]
      ) {
        // The devnet's network has no inverse token, so a short is refused as setBot refuses it.
        if (side === "short") continue
        assert.strictEqual(sideOf(yield* text(word)), side, word)
        assert.strictEqual(sideOf(yield* alert({ side: word.toUpperCase() })), side, word)
        assert.strictEqual(sideOf(yield* alert({ action: word })), side, word)
        assert.strictEqual(sideOf(yield* alert({ market_position: word })), side, word)
      }
      assert.strictEqual(sideOf(yield* text(" Long\n", "application/x-www-form-urlencoded")), "long")
      assert.strictEqual(sideOf(yield* text(`"exit"`, "application/json")), "neutral")
      // An order to buy that closes a short position leaves none.
      assert.strictEqual(sideOf(yield* alert({ action: "buy", market_position: "flat" })), "neutral")
      assert.strictEqual(sideOf(yield* ask(path, { query: { side: "long" }, raw: "ETHUSD crossing 3000" })), "long")
      const before = yield* bot
      refused(yield* text("ETHUSD crossing 3000"), "1008", /^alert: must be one of long, buy, short, /)
      refused(yield* alert({ side: "long", action: "sell" }), "1008", /^side: is long, but action means neutral/)
      const unresolved = /has the placeholder \{\{strategy\.order\.action\}\}, which the chart did not replace/
      refused(yield* text("{{strategy.order.action}}"), "1008", unresolved)
      refused(yield* text(`{"side": {{strategy.order.action}}}`), "1008", unresolved)
      for (const name of ["side", "action", "market_position"]) {
        const answer = yield* alert({ [name]: "{{ strategy.order.action }}" })
        refused(answer, "1008", unresolved)
        assert.match(String(answer.fields["message"]), new RegExp(`^${name}: `))
      }
      refused(yield* alert({ side: "long", timestamp: "{{timenow}}" }), "1010", /^timestamp: has the placeholder/)
      assert.deepStrictEqual((yield* bot)?.["side"], before?.["side"])
    }))

  it.effect("refuse what is no alert of theirs, in words, and do nothing then", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { alert, bot, path } = yield* scene
      const now = Math.floor(Date.now() / 1000)
      refused(yield* alert({}), "1010", /^Missing required parameter: side/)
      refused(yield* alert({ side: "up" }), "1008", /^side: must be one of long/)
      refused(
        yield* alert({ market_position: "sideways" }),
        "1008",
        /^market_position: must be one of long, buy, short/
      )
      refused(yield* alert({ side: "long", market_position: "flat" }), "1008", /send one of them/)
      refused(yield* alert({ side: "long", max_lag: 60 }), "1010", /^timestamp: is required/)
      refused(yield* alert({ side: "long", max_lag: 60, timestamp: "yesterday" }), "1010", /^timestamp: must be a time/)
      refused(
        yield* alert({ side: "long", max_lag: 60, timestamp: Math.floor(Date.now() / 1000) - 90 }),
        "1010",
        /^timestamp: the alert is 9\d s old, and max_lag is 60 s; nothing was done/
      )
      refused(
        yield* alert({ side: "long", max_lag: 0, timestamp: now }),
        "1010",
        /^max_lag: must be a whole number of seconds/
      )
      assert.isUndefined(yield* bot)
      refused(
        yield* ask(`/webhook/whk_${"0".repeat(64)}`, { json: { side: "long" } }),
        "1010",
        /^token: unknown or revoked/
      )
      assert.strictEqual((yield* ask(path)).status, 405)
      for (const timestamp of [now, now * 1000, new Date(now * 1000).toISOString()]) {
        succeeded(yield* alert({ side: "hold", max_lag: 60, timestamp }))
      }
    }))

  it.effect("are dead at once when they are revoked, survive a new key that keeps them, and stop with their wallet's authority", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const { about, alert, apiKey, pool, privateKey, tokenId } = yield* scene
      const next = String(succeeded(yield* ask("/getNewApiKey", { json: { privateKey, keep: true } }))["apiKey"])
      succeeded(yield* alert({ side: "hold" }))
      refused(yield* ask("/getWebhookTokens", { query: { apiKey } }), "1002", /revoked/)
      const listed = yield* ask("/getWebhookTokens", { query: { apiKey: next } })
      const [token] = succeeded(listed)["tokens"] as ReadonlyArray<Fields>
      assert.deepInclude(token!, { token_id: tokenId, pair: "ETH-USDC", label: "chart", pool })
      assert.notInclude(listed.text, "whk_")
      succeeded(yield* ask("/setKeyLimits", { json: { apiKey: next, vaults: [`optimism/${pool}`] } }))
      const limited = yield* alert({ side: "long" })
      assert.deepStrictEqual([limited.status, limited.body["status_code"]], [400, "2013"])
      refused(
        yield* ask("/revokeWebhookToken", { json: { apiKey: (yield* wallet).apiKey, token_id: tokenId } }),
        "1010",
        /^token_id: the wallet has no such token/
      )

      const other = yield* scene
      yield* Effect.orDie(devnet.setTrader({ network, pool: other.pool, trader: (yield* wallet).address }))
      yield* until(
        "the vault's new trader to be seen",
        Effect.map(other.alert({ side: "long" }), ({ fields }) => fields["status_code"] === "1006" ? true : undefined)
      )
      succeeded(yield* ask("/revokeWebhookToken", { json: { apiKey: other.apiKey, token_id: other.tokenId } }))
      refused(yield* other.alert({ side: "long" }), "1010", /^token: unknown or revoked/)
      refused(
        yield* ask("/revokeWebhookToken", { json: { apiKey: other.apiKey, token_id: other.tokenId } }),
        "1010",
        /already revoked/
      )
      refused(
        yield* ask("/createWebhookToken", { json: { ...about, apiKey: other.apiKey, pair: "ETH-USDC" } }),
        "1006",
        /is not the trader/
      )
    }))

  it.effect("are in no row: only a digest is kept", () =>
    Effect.gen(function*() {
      const { token } = yield* scene
      const kept = JSON.stringify(yield* rows("select * from webhook_tokens")) +
        JSON.stringify(yield* rows("select * from intents"))
      assert.notInclude(kept, token.slice(4))
      assert.match(token, /^whk_[0-9a-f]{64}$/)
    }))
})
