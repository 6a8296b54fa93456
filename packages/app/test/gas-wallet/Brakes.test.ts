/** Bots are stopped and alerts accepted while every node accepts connections and answers none. */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ended, refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Answer, type Fields, rows, Running, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { mentions, RpcHold } from "@vault-trader/testing/harness/RpcHold"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"

// No node request times out within this test: an answer that arrives while they are held has waited for none.
const held = running({
  env: { RPC_TIMEOUT_MS: "600000", BOT_CHECK_SECONDS: "1" },
  books: (books) => Effect.map(RpcHold, ({ inFront }) => inFront("service", books))
}).pipe(Layer.provideMerge(RpcHold.layer))

const half = [{ asset: "ETH", weight: 50 }, { asset: "USDC", weight: 50 }]

/** Holds every request to a node until it is released. */
const silence = Effect.flatMap(
  RpcHold,
  ({ hold }) => hold({ network, when: (_, moment) => Effect.succeed(moment === "before the node") })
)

const scene = Effect.gen(function*() {
  const { ask } = yield* Running
  const pool = yield* OnChain.createVault(network, 10_000n)
  const by = yield* trader({ network, pool })
  const about = { apiKey: by.apiKey, network, pool }
  return {
    ...by,
    about,
    pool,
    of: (path: string, more: Fields = {}) => ask(path, { json: { ...about, ...more } }),
    set: (more: Fields = {}) => ask("/setBot", { json: { ...about, pair: "ETH-USDC", side: "long", ...more } }),
    /** Completes with the outcome of the turn that a setting or an alert began. */
    turn: <E, R>(setting: Effect.Effect<Answer, E, R>) =>
      Effect.flatMap(
        setting,
        (answer) => Effect.tap(outcomeOf(by.apiKey, succeeded(answer)["intent_id"]), idle(pool))
      ),
    remove: ask("/deleteBot", { method: "DELETE", query: about }),
    sent: OnChain.transactionCount(network, by.address),
    usdc: OnChain.balanceOf(network, "USDC", pool)
  }
})

const idle = (pool: Address) =>
  until(
    "the end of the bot's turn",
    Effect.map(
      rows(`select 1 from threshold_bots where pool = '${pool}' and open_intent is null and turn > 0`),
      (found) => found[0]
    )
  )

const intentOf = (apiKey: string, intentId: unknown) =>
  Effect.flatMap(
    Running,
    ({ ask }) =>
      Effect.map(ask("/getIntent", { query: { apiKey, intent_id: String(intentId) } }), ({ fields }) =>
        (fields["intent"] ?? {}) as Fields)
  )
const outcomeOf = (apiKey: string, intentId: unknown) =>
  until(
    "the intent's outcome",
    Effect.map(intentOf(apiKey, intentId), (intent) =>
      intent["status"] === "success" || intent["status"] === "fail" ? intent : undefined)
  )

layer(held, { timeout: 240_000, excludeTestServices: true })("while no node answers,", (it) => {
  it.effect("bots are shown, paused, resumed, disabled, deleted and a vault unlinked, and nothing of a deleted bot is executed later", () =>
    Effect.gen(function*() {
      const { about, apiKey, of, pool, remove, sent, set } = yield* scene
      succeeded(yield* set({ side: "hold" }))
      succeeded(yield* of("/linkGasWallet"))
      succeeded(
        yield* of("/setIndexBot", {
          targets: half,
          interval: "1d",
          max_usd: 100
        })
      )
      yield* idle(pool)

      const { reached, release } = yield* silence
      const asked = succeeded(yield* set())
      assert.strictEqual((asked["data"] as Fields)["side"], "long")
      // Its turn is in progress: it waits for the node.
      yield* reached
      const status = succeeded(yield* of("/getBotStatus"))["data"] as Fields
      assert.deepInclude(status, { hasBot: true, active: true, hasAllocations: true })
      assert.strictEqual((succeeded(yield* of("/getIndexBot"))["data"] as Fields)["enabled"], false)
      assert.match(
        String(succeeded(yield* of("/pauseBot"))["message"]),
        /^Signing is stopped for the bots of this vault/
      )
      succeeded(yield* of("/resumeBot"))
      assert.strictEqual(
        (succeeded(yield* of("/getWalletAuthority"))["bots"] as ReadonlyArray<Fields>).length,
        2,
        "everything that can act for the wallet is shown"
      )
      succeeded(yield* of("/pauseWallet"))
      succeeded(yield* of("/resumeWallet"))
      assert.strictEqual((succeeded(yield* of("/disableIndexBot"))["data"] as Fields)["enabled"], false)
      succeeded(yield* of("/unlinkGasWallet"))
      assert.deepStrictEqual(succeeded(yield* remove)["removed"], ["WETH-USDC"])
      // Without a node it is not certain that the ledger has everything that was sent before.
      assert.strictEqual((yield* intentOf(apiKey, asked["intent_id"]))["status"], "pending")

      yield* release
      const { ask } = yield* Running
      assert.deepInclude((yield* ended(ask, apiKey, asked["intent_id"]))["failure"] as Fields, {
        error_type: "nothing_to_do",
        message: "The bot was deleted before this was planned. Nothing was sent."
      })
      // The vault's queue is free again, and nothing else was ever sent.
      succeeded(yield* ask("/vaultTrade", { json: { ...about, from: "USDC", to: "WETH", amount: 100 } }))
      assert.strictEqual(yield* sent, 1)
      assert.deepStrictEqual(yield* rows(`select 1 from threshold_bots where pool = '${pool}'`), [])
    }))

  it.effect("bots are shown and stopped by the wallet that set them without a call to any node", () =>
    Effect.gen(function*() {
      const [own, another] = [yield* scene, yield* scene]
      const stranger = yield* wallet
      for (const { of, pool, set } of [own, another]) {
        succeeded(yield* set({ side: "hold" }))
        succeeded(yield* of("/linkGasWallet"))
        succeeded(
          yield* of("/setIndexBot", { targets: half, interval: "1d", max_usd: 100 })
        )
        yield* idle(pool)
      }
      const calls: Array<string> = []
      yield* Effect.flatMap(RpcHold, ({ hold }) =>
        hold({
          network,
          when: (asked, moment) =>
            Effect.sync(() => {
              if (moment === "before the node") {
                for (const call of asked.calls) {
                  if (mentions(call, own.pool)) calls.push(`own ${call.method}`)
                  if (mentions(call, another.pool)) calls.push(`another ${call.method}`)
                }
              }
              return moment === "before the node"
            })
        }))
      const brakes = [
        "getBotStatus",
        "getIndexBot",
        "pauseBot",
        "resumeBot",
        "pauseWallet",
        "resumeWallet",
        "disableIndexBot",
        "unlinkGasWallet"
      ]
      for (const brake of brakes) succeeded(yield* own.of(`/${brake}`))
      assert.deepStrictEqual(succeeded(yield* own.remove)["removed"], ["WETH-USDC"])
      assert.deepStrictEqual(calls, [])

      // A stranger is checked on chain: the calls are noticed.
      const { ask } = yield* Running
      const refusal = yield* ask("/deleteBot", {
        method: "DELETE",
        query: { apiKey: stranger.apiKey, network, pool: another.pool }
      })
      assert.deepStrictEqual([refusal.status, refusal.body["error_type"]], [400, "rpc_unavailable"], refusal.text)
      assert.isAbove(calls.filter((call) => call.startsWith("another")).length, 0)
      assert.deepStrictEqual(calls.filter((call) => call.startsWith("own")), [])
    }))

  it.effect("an index bot is disabled in the middle of its run's check, and the run trades nothing once a node answers", () =>
    Effect.gen(function*() {
      const { of, pool, sent } = yield* scene
      succeeded(
        yield* of("/setIndexBot", {
          targets: half,
          interval: "1d",
          max_usd: 100
        })
      )
      const running = rows(`select 1 from index_runs where pool = '${pool}' and state = 'running'`)
      // From the moment at which the scheduled run has its row.
      const { reached, release } = yield* Effect.flatMap(
        RpcHold,
        ({ hold }) =>
          hold({
            network,
            when: (_, moment) =>
              moment === "before the node"
                ? Effect.map(running, (found) => found.length > 0)
                : Effect.succeed(false)
          })
      )
      yield* rows(`update index_bots set enabled = true, next_run_at = now() where pool = '${pool}'`)
      yield* reached
      assert.strictEqual((succeeded(yield* of("/disableIndexBot"))["data"] as Fields)["enabled"], false)
      yield* release
      const run = yield* until(
        "the run's end",
        Effect.map(
          rows(`select message from index_runs where pool = '${pool}' and state <> 'running'`),
          (found) => found[0]
        )
      )
      assert.match(String(run["message"]), /disabled/)
      assert.deepStrictEqual(yield* rows(`select 1 from intents where pool = '${pool}'`), [])
      assert.strictEqual(yield* sent, 0)
    }))

  it.effect(
    "an alert whose bot no row knows is kept, shown, and executed once when a node answers again; a stranger's " +
      "setting is not",
    () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { of, pool, remove, sent, usdc } = yield* scene
        const path = String(succeeded(yield* of("/createWebhookToken", { pair: "ETH-USDC" }))["path"])
        const unknown = String(succeeded(yield* of("/createWebhookToken", { pair: "NOPE-USDC" }))["path"])
        const stranger = yield* wallet
        const { release } = yield* silence
        // The vault is known from the wallet's rows; who trades it is checked when the bot acts.
        const late = String(succeeded(yield* of("/createWebhookToken", { pair: "ETH-USDC" }))["path"])
        const elsewhere = yield* of("/createWebhookToken", { pair: "ETH-USDC", pool: stranger.address })
        assert.deepStrictEqual(
          [elsewhere.status, elsewhere.body["error_type"]],
          [400, "rpc_unavailable"],
          elsewhere.text
        )
        for (const each of [path, path, late, unknown]) {
          const taken = yield* ask(each, { json: { side: "long" } })
          assert.deepInclude(taken.fields, { status: "pending", intent_id: null }, taken.text)
        }
        const waiting = Effect.map(
          of("/getBotStatus"),
          (answer) => (succeeded(answer)["data"] as Fields)["waiting"] as ReadonlyArray<Fields>
        )
        assert.deepStrictEqual((yield* waiting).map(({ pair, refused: why, side }) => ({ pair, side, why })), [
          { pair: "ETH-USDC", side: "long", why: null },
          { pair: "NOPE-USDC", side: "long", why: null }
        ])
        const refusal = yield* ask("/setBot", {
          json: { apiKey: stranger.apiKey, network, pool, pair: "ETH-USDC", side: "neutral" }
        })
        assert.deepStrictEqual([refusal.status, refusal.body["error_type"]], [400, "rpc_unavailable"], refusal.text)
        yield* release
        yield* idle(pool)
        yield* until(
          "the refusal of the other",
          Effect.map(
            waiting,
            ([left, ...more]) =>
              more.length === 0 && /^1003: pair: 'NOPE' is not a token/.test(String(left?.["refused"]))
                ? true
                : undefined
          )
        )
        assert.deepStrictEqual([yield* sent, yield* usdc], [1, 0n])
        assert.deepStrictEqual(
          yield* rows(`select wallet from threshold_bots where pool = '${pool}'`),
          yield* rows(`select wallet from webhook_tokens where pool = '${pool}' limit 1`)
        )
        succeeded(yield* remove)
        assert.deepStrictEqual(yield* waiting, [])
      })
  )

  it.effect("an alert that is kept is carried out before the settings that strangers had kept earlier for the same vault", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { of, pool } = yield* scene
      const path = String(succeeded(yield* of("/createWebhookToken", { pair: "ETH-USDC" }))["path"])
      const { address } = yield* wallet
      const { release } = yield* silence
      succeeded(yield* of("/getBotStatus"))
      assert.strictEqual((yield* ask(path, { json: { side: "long" } })).fields["status"], "pending")
      // As requests of another wallet leave them; their ids are older.
      yield* rows(`insert into waiting_settings (id, network, pool, wallet, key_id, base, quote, terms)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, w.network, w.pool, '${address}', k.id,
          'NOPE' || n, 'USDC', w.terms
        from waiting_settings w, api_keys k, generate_series(1, 1000) n where w.pool = '${pool}' and k.wallet = '${address}'`)
      yield* release
      yield* until(
        "the bot",
        Effect.map(rows(`select 1 from threshold_bots where pool = '${pool}'`), (found) => found[0])
      )
      const left = yield* rows(`select 1 from waiting_settings where pool = '${pool}' and refused is null`)
      yield* rows(`delete from waiting_settings where pool = '${pool}'`)
      assert.isAbove(left.length, 0)
    }))

  it.effect("an alert is taken, and carried out once when a node answers again", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey, of, pool, sent, set, usdc } = yield* scene
      const path = String(succeeded(yield* of("/createWebhookToken", { pair: "ETH-USDC" }))["path"])
      // Trades of other tests have moved the pool: by default this one would be made in parts.
      succeeded(yield* set({ side: "hold", max_impact: 50 }))
      yield* idle(pool)
      const { reached, release } = yield* silence
      const taken = succeeded(yield* ask(path, { json: { side: "long" } }))
      yield* reached
      // The same alert, sent again, is the same turn.
      assert.strictEqual(succeeded(yield* ask(path, { json: { side: "long" } }))["intent_id"], taken["intent_id"])
      yield* release
      assert.strictEqual((yield* outcomeOf(apiKey, taken["intent_id"]))["status"], "success")
      yield* idle(pool)
      assert.deepStrictEqual([yield* sent, yield* usdc], [1, 0n])
    }))
})

layer(running({ env: { BOT_CHECK_SECONDS: "600" } }), { timeout: 240_000, excludeTestServices: true })("bots", (it) => {
  it.effect("make one trade of three identical alerts, also where the cap is below the position", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { of, pool, sent, set, turn, usdc } = yield* scene
      succeeded(yield* set({ side: "hold", max_usd: 500 }))
      yield* idle(pool)
      const path = String(succeeded(yield* of("/createWebhookToken", { pair: "ETH-USDC" }))["path"])
      const alert = (more: Fields = {}) => turn(ask(path, { json: { side: "long", ...more } }))
      assert.match(String((yield* alert())["message"]), /^Sold 500 USDC/)
      assert.match(String((yield* alert())["message"]), /within its check interval/)
      assert.match(String((yield* alert({ idempotency_key: "third" }))["message"]), /within its check interval/)
      assert.deepStrictEqual([yield* sent, yield* usdc], [1, 9_500_000_000n])
    }))

  it.effect("trade no more than max_usd within a check interval, whatever the number of signals and their sides", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { of, pool, set, turn } = yield* scene
      succeeded(yield* set({ side: "hold", max_usd: 1000 }))
      yield* idle(pool)
      const path = String(succeeded(yield* of("/createWebhookToken", { pair: "ETH-USDC" }))["path"])
      const alert = (side: string) => turn(ask(path, { json: { side } }))
      const sold = Effect.map(
        rows(`select (outcome #>> '{result,sold_usd}')::float8 as usd from intents
          where pool = '${pool}' and outcome #>> '{result,action}' = 'trade' order by id`),
        (found) => found.map(({ usd }) => Number(usd))
      )
      const total = Effect.map(sold, (each) => each.reduce((sum, usd) => sum + usd, 0))

      assert.match(String((yield* turn(set({ side: "long", share: 6, max_usd: 1000 })))["message"]), /^Sold 600 USDC/)
      // Back to USDC: what is left of the cap, and then nothing in either direction.
      assert.match(String((yield* turn(set({ side: "neutral", max_usd: 1000 })))["message"]), /^Sold [0-9.]+ WETH/)
      assert.closeTo(yield* total, 1000, 0.01)
      for (const side of ["long", "neutral", "long"]) {
        assert.match(String((yield* alert(side))["message"]), /within its check interval of 600 s/)
      }
      assert.match(
        String((yield* alert("long"))["message"]),
        /^The bot has already traded its max_usd of \$1000 within/
      )
      assert.lengthOf(yield* sold, 2)
      assert.isAtMost(yield* total, 1000)

      // A raised cap counts what was traded under the old one.
      assert.match(String((yield* turn(set({ side: "neutral", max_usd: 1100 })))["message"]), /^Sold [0-9.]+ WETH/)
      assert.isAtMost(yield* total, 1100)
      yield* rows(`update intents set created_at = created_at - interval '10 minutes',
        updated_at = updated_at - interval '10 minutes' where pool = '${pool}'`)
      assert.match(
        String((yield* turn(set({ side: "long", share: 5, max_usd: 1000 })))["message"]),
        /^Sold [0-9.]+ USDC/
      )
    }))

  it.effect("are deleted by the wallet that set them although it is no longer the trader, by the new trader, and by no other", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const deleteAs = (apiKey: string, pool: Address) =>
        ask("/deleteBot", { method: "DELETE", query: { apiKey, network, pool } })
      const [first, second] = [yield* scene, yield* scene]
      const stranger = yield* wallet
      const next = yield* wallet
      for (const { of, pool, set } of [first, second]) {
        succeeded(yield* set({ side: "hold" }))
        succeeded(
          yield* of("/setIndexBot", {
            targets: half,
            interval: "1d",
            max_usd: 100
          })
        )
        yield* idle(pool)
        yield* Effect.orDie(devnet.setTrader({ network, pool, trader: next.address }))
      }
      refused(yield* deleteAs(stranger.apiKey, first.pool), "1006", /is not the trader/)
      refused(
        yield* ask("/disableIndexBot", { json: { apiKey: stranger.apiKey, network, pool: first.pool } }),
        "1006",
        /is not the trader/
      )
      refused(
        yield* ask("/pauseBot", { json: { apiKey: stranger.apiKey, network, pool: first.pool } }),
        "1006",
        /is not the trader/
      )
      succeeded(yield* first.of("/disableIndexBot"))
      assert.deepStrictEqual(succeeded(yield* first.remove)["removed"], ["WETH-USDC"])
      succeeded(yield* ask("/disableIndexBot", { json: { apiKey: next.apiKey, network, pool: second.pool } }))
      assert.deepStrictEqual(succeeded(yield* deleteAs(next.apiKey, second.pool))["removed"], ["WETH-USDC"])
    }))

  it.effect("that a wallet sets again after it lost the vault fail as their turn is planned, with 1006", () =>
    Effect.gen(function*() {
      const devnet = yield* Devnet
      const { apiKey, pool, sent, set } = yield* scene
      succeeded(yield* set({ side: "hold" }))
      yield* idle(pool)
      yield* Effect.orDie(devnet.setTrader({ network, pool, trader: (yield* wallet).address }))
      // Planning may have read a vault state that is one block old.
      yield* until(
        "a turn to fail with 1006",
        Effect.map(
          Effect.flatMap(set(), (answer) => outcomeOf(apiKey, succeeded(answer)["intent_id"])),
          ({ failure }) => (failure as Fields)["status_code"] === "1006" ? true : undefined
        )
      )
      assert.strictEqual(yield* sent, 0)
    }))
})
