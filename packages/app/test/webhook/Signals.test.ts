import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, rows, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import { registered } from "@vault-trader/testing/harness/ExchangeSetup"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"

/** A trader of two new vaults with bots on paper, and a token for the first one's. */
const scene = Effect.gen(function*() {
  const { ask } = yield* Running
  const pools = [yield* OnChain.createVault(network, 10_000n), yield* OnChain.createVault(network, 10_000n)] as const
  const by = yield* trader({ network, pool: pools[0] })
  yield* Effect.orDie((yield* Devnet).setTrader({ network, pool: pools[1], trader: by.address }))
  const { apiKey } = by
  const set = (pool: string, more: Fields = {}) =>
    ask("/setBot", { json: { apiKey, network, pool, pair: "ETH-USDC", side: "hold", paper: true, ...more } })
  for (const pool of pools) succeeded(yield* set(pool))
  const made = succeeded(
    yield* ask("/createWebhookToken", { json: { apiKey, network, pool: pools[0], pair: "ETH-USDC" } })
  )
  const tokenId = String(made["token_id"])
  const path = String(made["path"])
  const sideOf = (pool: string) =>
    Effect.map(ask("/getBotStatus", { query: { apiKey, network, pool } }), (answer) => {
      const [bot] = (succeeded(answer)["data"] as Fields)["bots"] as ReadonlyArray<Fields>
      return [bot?.["side"], bot?.["share"]]
    })
  return {
    ...by,
    pools,
    set,
    sideOf,
    token: String(made["token"]),
    tokenId,
    rule: (json: Fields) => ask("/setWebhookToken", { json: { apiKey, token_id: tokenId, ...json } }),
    send: (json: Fields) => ask(path, { json }),
    text: (raw: string, to = path) => ask(to, { raw, headers: { "content-type": "text/plain" } }),
    path,
    inbox: (more: Fields = {}) =>
      Effect.map(
        ask("/getSignals", { json: { apiKey, token_id: tokenId, ...more } }),
        (answer) => succeeded(answer)["signals"] as ReadonlyArray<Fields>
      )
  }
})

layer(running(), { timeout: 240_000, excludeTestServices: true })("the inbox of signals", (it) => {
  it.effect("has each call of a token and each setBot, with what was understood and its results", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey, inbox, pools: [pool], send, text, token } = yield* scene
      const done = succeeded(yield* send({ side: "long", apiKey, note: token }))
      refused(yield* text("ETHUSD crossing 3000"), "1008", /^alert: must be one of/)
      refused(yield* text(`buy {{strategy.order.action}} ${"x".repeat(9_000)}`), "1008", /placeholder/)
      const [long, crossing, buy] = yield* inbox()
      assert.deepInclude(buy!, { signal_id: done["signal_id"], state: "accepted", source: "alert", from: "127.0.0.1" })
      const [result] = buy!["results"] as ReadonlyArray<Fields>
      assert.deepInclude(result!, {
        ...{ kind: "threshold", network, pool, pair: "WETH-USDC", side: "long", state: "accepted" },
        intent_id: done["intent_id"]
      })
      assert.deepInclude(crossing!, { state: "refused", body: "ETHUSD crossing 3000", results: [] })
      assert.match(String(crossing!["reason"]), /^1008: alert: must be one of/)
      assert.deepStrictEqual((crossing!["understood"] as Fields)["unknown_words"], ["crossing"])
      assert.deepStrictEqual((long!["understood"] as Fields)["placeholders"], ["strategy.order.action"])
      assert.deepStrictEqual([long!["truncated"], String(long!["body"]).length], [true, 8192])
      // The inbox has no credential, whatever the sender put into a body.
      const kept = JSON.stringify(yield* rows(`select * from signals where body like '%note%'`))
      assert.include(kept, "redacted")
      for (const secret of [token.slice(4), apiKey]) assert.notInclude(kept, secret)

      const all = succeeded(yield* ask("/getSignals", { query: { apiKey, network, pool, limit: "2" } }))
      const last = succeeded(
        yield* ask("/getSignals", { query: { apiKey, network, pool, limit: "2", cursor: String(all["cursor"]) } })
      )
      assert.isNull(last["cursor"])
      const sources = [...(all["signals"] as ReadonlyArray<Fields>), ...(last["signals"] as ReadonlyArray<Fields>)]
      assert.deepStrictEqual(sources.map(({ source }) => source), ["alert", "alert", "alert", "setBot"])
      assert.strictEqual((yield* inbox({ state: "refused" })).length, 2)
      // Another wallet sees nothing of it.
      const stranger = yield* wallet
      assert.deepStrictEqual(
        succeeded(yield* ask("/getSignals", { query: { apiKey: stranger.apiKey } }))["signals"],
        []
      )
      yield* until(
        "the turn's outcome in the inbox",
        Effect.map(
          inbox({ state: "accepted" }),
          ([signal]) =>
            (signal?.["results"] as ReadonlyArray<Fields>)[0]?.["intent_status"] === "success" ? true : undefined
        )
      )
    }))

  it.effect("of two opposite signals within a second the later one counts, and both are there", () =>
    Effect.gen(function*() {
      const { inbox, pools: [pool], send, sideOf } = yield* scene
      yield* Effect.all([send({ side: "long" }), send({ side: "neutral" }), send({ side: "long" })], {
        concurrency: "unbounded"
      })
      const all = yield* inbox()
      assert.strictEqual(all.length, 3)
      const latest = [...all].sort((one, other) => Number(BigInt(String(other["seq"])) - BigInt(String(one["seq"]))))[0]
      assert.strictEqual((yield* sideOf(pool))[0], (latest!["understood"] as Fields)["side"])
      for (const { state } of all) assert.include(["accepted", "ignored"], state)
    }))

  it.effect("refuses by the token's rules, says why, and carries a refused signal out when it is replayed, once", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey, inbox, pools: [pool], rule, send, sideOf } = yield* scene
      succeeded(yield* rule({ muted: true }))
      refused(yield* send({ side: "long" }), "1010", /^token: is muted; nothing was done/)
      succeeded(yield* rule({ muted: false, sources: "tradingview" }))
      refused(yield* send({ side: "long" }), "1010", /^token: takes no calls from 127\.0\.0\.1/)
      succeeded(yield* rule({ sources: "tradingview,127.0.0.0/8", rate: 1, max_age: 60 }))
      refused(yield* send({ side: "long" }), "1010", /^timestamp: is required with the token's max_age/)
      succeeded(yield* send({ side: "hold", ts: Date.now() }))
      refused(yield* send({ side: "long", ts: Date.now() }), "1010", /^token: its rate is 1 a minute/)
      succeeded(yield* rule({ rate: "none", quiet_hours: "00:00-23:59" }))
      refused(yield* send({ side: "long", ts: Date.now() }), "1010", /^token: has quiet hours, 00:00-23:59 UTC/)
      refused(yield* rule({ quiet_hours: "25:00" }), "1010", /^quiet_hours: must be hours such as/)
      const [token] = succeeded(yield* ask("/getWebhookTokens", { query: { apiKey } }))["tokens"] as ReadonlyArray<
        Fields
      >
      assert.deepInclude(token!, {
        ...{ muted: false, quiet_hours: "00:00-23:59 UTC", sources: ["tradingview", "127.0.0.0/8"], rate: null },
        max_age: 60
      })
      const signals = yield* inbox({ state: "refused" })
      assert.strictEqual(signals.length, 5)
      const signal_id = String(signals[0]!["signal_id"])
      const replay = () => ask("/replaySignal", { json: { apiKey, signal_id } })
      const first = succeeded(yield* replay())
      const again = succeeded(yield* replay())
      assert.deepStrictEqual([again["signal_id"], again["intent_id"]], [first["signal_id"], first["intent_id"]])
      assert.deepStrictEqual((yield* sideOf(pool))[0], "long")
      const [replayed, original] = yield* inbox({ limit: 2 })
      assert.deepInclude(replayed!, { source: "replay", replay_of: signal_id, state: "accepted" })
      assert.deepInclude(original!, { signal_id, replayed_by: first["signal_id"] })
      refused(
        yield* ask("/replaySignal", { json: { apiKey, signal_id: first["signal_id"] } }),
        "1010",
        /^signal_id: is accepted; only refused and ignored/
      )
    }))

  it.effect("a body can be tested: the answer says what it would do, and nothing is done", () =>
    Effect.gen(function*() {
      const { inbox, path, pools: [pool], rule, sideOf, text } = yield* scene
      const test = (raw: string) => Effect.map(text(raw, `${path}/test`), succeeded)
      // Without a weight an alert changes the side and nothing else.
      const unweighted = yield* test("buy 25% ETHUSD @ 3000")
      assert.match(
        String((unweighted["would"] as ReadonlyArray<string>)[0]),
        /: refused, percent: counts only at a bot/
      )
      succeeded(yield* rule({ bots: [{ network, pool, pair: "ETH-USDC", weight: 100 }] }))
      const would = yield* test("buy 25% ETHUSD @ 3000")
      assert.deepInclude(would, { accepted: true, reason: null })
      assert.deepInclude(would["understood"] as Fields, { side: "long", percent: 25, price: "3000" })
      assert.match(String((would["would"] as ReadonlyArray<string>)[0]), /: set from hold to long, 25 % of a balance/)
      const unknown = yield* test("buy and sell")
      assert.deepInclude(unknown, { accepted: false, would: [] })
      assert.match(String(unknown["reason"]), /^alert: names long \(buy\) and neutral \(sell\)/)
      succeeded(yield* rule({ muted: true }))
      assert.match(String((yield* test("buy"))["reason"]), /^token: is muted/)
      assert.deepStrictEqual([(yield* sideOf(pool))[0], yield* inbox()], ["hold", []])
    }))

  it.effect("drives several bots by one token, with a result for each; one that refuses does not stop the others", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey, inbox, pools: [one, other], rule, send, sideOf } = yield* scene
      const foreign = yield* OnChain.createVault(network, 10_000n)
      refused(yield* rule({ bots: [{ network, pool: foreign, pair: "ETH-USDC" }] }), "1006", /is not the trader/)
      refused(yield* rule({ bots: [{ subaccount: "main", pair: "ETH-USDT" }] }), "1010", /^bots: the wallet has no/)
      const targets = (weth: number) => [{ asset: "WETH", weight: weth }, { asset: "USDC", weight: 100 - weth }]
      succeeded(
        yield* ask("/setIndexBot", {
          json: { apiKey, network, pool: one, targets: targets(50), interval: "6h", max_usd: 100, paper: true }
        })
      )
      const set = succeeded(
        yield* rule({
          bots: [
            { network, pool: one, pair: "ETH-USDC", weight: 40 },
            { network, pool: other, pair: "ETH-USDC", weight: 100 },
            { network, pool: one, index: { long: targets(80), neutral: targets(10) } }
          ]
        })
      )
      assert.strictEqual(((set["token"] as Fields)["bots"] as ReadonlyArray<string>).length, 3)
      const answer = succeeded(yield* send({ side: "buy", percent: 50 }))
      assert.match(String(answer["message"]), /^Of 3 bots: 3 set\.$/)
      assert.deepStrictEqual(
        (answer["results"] as ReadonlyArray<Fields>).map(({ kind, state }) => [kind, state]),
        [["threshold", "accepted"], ["threshold", "accepted"], ["index", "accepted"]]
      )
      assert.deepStrictEqual([yield* sideOf(one), yield* sideOf(other)], [["long", 20], ["long", 50]])
      const { data } = succeeded(yield* ask("/getIndexBot", { query: { apiKey, network, pool: one } }))
      assert.deepStrictEqual(
        ((data as Fields)["targets"] as ReadonlyArray<Fields>).map(({ weight }) => weight),
        [80, 20]
      )
      // The wallet's limits exclude one of the vaults from then on.
      succeeded(yield* ask("/setKeyLimits", { json: { apiKey, vaults: [`${network}/${other}`] } }))
      const partial = succeeded(yield* send({ side: "sell" }))
      assert.match(String(partial["message"]), /^Of 3 bots: 1 set, 2 refused\.$/)
      assert.deepStrictEqual([(yield* sideOf(one))[0], (yield* sideOf(other))[0]], ["long", "neutral"])
      const [signal] = yield* inbox()
      assert.deepStrictEqual(
        (signal!["results"] as ReadonlyArray<Fields>).map(({ state }) => state),
        ["refused", "accepted", "refused"]
      )
    }))

  it.effect("drives an exchange bot, and records the answer of its account", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { bots, gas: { address, apiKey }, set } = yield* registered()
      succeeded(yield* set({ side: "hold", pair: "ETH-USDT" }))
      const pool = yield* OnChain.createVault(network, 1_000n)
      yield* Effect.orDie((yield* Devnet).setTrader({ network, pool, trader: address }))
      const made = succeeded(
        yield* ask("/createWebhookToken", { json: { apiKey, network, pool, pair: "ETH-USDC" } })
      )
      const token_id = made["token_id"]
      succeeded(
        yield* ask("/setWebhookToken", {
          json: {
            ...{ apiKey, token_id },
            bots: [{ subaccount: "main", pair: "ETH-USDT", weight: 50 }, { subaccount: "main", pair: "BTC-USDT" }]
          }
        })
      )
      const send = (json: Fields) => ask(String(made["path"]), { json })
      const answer = succeeded(yield* send({ side: "buy" }))
      const results = answer["results"] as ReadonlyArray<Fields>
      assert.deepStrictEqual(results.map(({ kind, state }) => [kind, state]), [
        ["exchange", "accepted"],
        ["exchange", "refused"]
      ])
      assert.match(String(results[1]!["reason"]), /main has no bot of BTC-USDT; setCEXSide makes one/)
      assert.strictEqual(answer["intent_id"], results[0]!["intent_id"])
      const [bot] = yield* bots
      assert.deepInclude(bot!, { pair: "ETH-USDT", side: "long", share: 50 })
      refused(
        yield* send({ side: "short" }),
        "1010",
        /^No bot was set\. main ETH-USDT: 1010: side: an exchange bot takes/
      )
      const inbox = succeeded(yield* ask("/getSignals", { json: { apiKey, token_id } }))
      const [short, long] = inbox["signals"] as ReadonlyArray<Fields>
      assert.deepStrictEqual([short!["state"], long!["state"]], ["refused", "accepted"])
    }))
})
