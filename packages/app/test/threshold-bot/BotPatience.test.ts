/** A bot is set while its caller waits or hangs up and the node does not answer. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { rows, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { mentions, RpcHold } from "@vault-trader/testing/harness/RpcHold"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"

// No node request times out within this test: an answer that arrives while one is held has not waited for it.
const held = running({
  env: { RPC_TIMEOUT_MS: "600000", BOT_CHECK_SECONDS: "1" },
  books: (books) => Effect.map(RpcHold, ({ inFront }) => inFront("service", books))
}).pipe(Layer.provideMerge(RpcHold.layer))

const silence = Effect.flatMap(
  RpcHold,
  ({ hold }) => hold({ network, when: (_, moment) => Effect.succeed(moment === "before the node") })
)

const scene = Effect.gen(function*() {
  const pool = yield* OnChain.createVault(network, 10_000n)
  const { apiKey } = yield* trader({ network, pool })
  return { pool, json: { apiKey, network, pool, pair: "WETH-USDC", side: "long" } }
})

const botsOf = (pool: string) =>
  rows(`select side, open_intent is not null as open from threshold_bots where pool = '${pool}'`)
const traded = (pool: string) =>
  until(
    "the bot's trade",
    Effect.map(rows(`select status from intents where pool = '${pool}'`), (found) =>
      found.length > 0 && found.every(({ status }) => status === "succeeded") ? found : undefined)
  )

layer(held, { timeout: 120_000, excludeTestServices: true })("setBot, while no node answers,", (it) => {
  it.effect("is answered all the same: nothing is kept of an unknown vault, and what is known is set and traded later", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { json, pool } = yield* scene
      const first = yield* silence
      const refused = yield* ask("/setBot", { json })
      assert.deepStrictEqual([refused.status, refused.body["error_type"]], [400, "rpc_unavailable"], refused.text)
      assert.deepStrictEqual(yield* botsOf(pool), [])
      yield* first.release
      assert.strictEqual((yield* ask("/setBot", { json: { ...json, side: "hold" } })).fields["status"], "success")
      yield* until(
        "the end of its first turn",
        Effect.map(botsOf(pool), (found) => found[0]?.["open"] === false ? true : undefined)
      )

      const second = yield* silence
      assert.strictEqual((yield* ask("/setBot", { json })).fields["status"], "success")
      assert.deepStrictEqual(yield* botsOf(pool), [{ side: "long", open: true }])
      yield* second.release
      yield* traded(pool)
      assert.strictEqual(yield* OnChain.balanceOf(network, "USDC", pool), 0n)
    }))

  it.effect("is executed for a caller that hangs up while it waits", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const { json, pool } = yield* scene
      const { hold } = yield* RpcHold
      // Reads of the vault only: the service's own polls may be held before it has the call.
      const { reached, release } = yield* hold({
        network,
        when: ({ calls }, moment) =>
          Effect.succeed(moment === "before the node" && calls.some((call) => mentions(call, pool)))
      })
      const hangUp = new AbortController()
      const call = fetch(new URL("/setBot", baseUrl), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(json),
        signal: hangUp.signal
      })
      yield* reached
      hangUp.abort()
      assert.strictEqual(
        yield* Effect.promise(() => call.then(() => "answered", (error: Error) => error.name)),
        "AbortError"
      )
      yield* release
      // Its first turn may have ended by the time it is read.
      assert.strictEqual((yield* until("the bot", Effect.map(botsOf(pool), (found) => found[0])))["side"], "long")
      yield* traded(pool)
    }))
})
