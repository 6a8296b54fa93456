import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, rows, running, trader, wallet, yieldVault } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"

/** A vault with USDC whose own trader runs bots on it. */
const scene = (pool?: Address) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const vault = pool ?? (yield* OnChain.createVault(network, 10_000n))
    const by = yield* trader({ network, pool: vault })
    const about = { apiKey: by.apiKey, network, pool: vault }
    const status = Effect.map(ask("/getBotStatus", { query: about }), (answer) => succeeded(answer)["data"] as Fields)
    return {
      ...by,
      about,
      pool: vault,
      status,
      bot: Effect.map(status, ({ bots }) => (bots as ReadonlyArray<Fields>)[0]!),
      set: (json: Fields) => ask("/setBot", { json: { ...about, pair: "ETH-USDC", side: "long", ...json } }),
      held: Effect.all({
        weth: OnChain.balanceOf(network, "WETH", vault),
        usdc: OnChain.balanceOf(network, "USDC", vault)
      }),
      sent: OnChain.transactionCount(network, by.address),
      decided: (action: string) =>
        until(
          `the bot's decision to ${action}`,
          Effect.map(status, ({ bots }) => {
            const last = ((bots as ReadonlyArray<Fields>)[0]?.["last_decision"] ?? {}) as Fields
            return last["action"] === action ? last : undefined
          })
        )
    }
  })

const outcomeOf = (apiKey: string, intentId: unknown) =>
  Effect.flatMap(
    Running,
    ({ ask }) =>
      until(
        "the intent's outcome",
        Effect.map(ask("/getIntent", { query: { apiKey, intent_id: String(intentId) } }), ({ fields }) => {
          const intent = (fields["intent"] ?? {}) as Fields
          return intent["status"] === "success" || intent["status"] === "fail" ? intent : undefined
        })
      )
  )

layer(running({ env: { BOT_CHECK_SECONDS: "1" } }), { timeout: 120_000, excludeTestServices: true })(
  "threshold bots",
  (it) => {
    it.effect("trades to its side at once, keeps it by itself, turns when it is set to the other, and is gone when deleted", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { about, address, apiKey, bot, decided, held, pool, sent, set, status } = yield* scene()
        assert.deepInclude(yield* status, {
          active: false,
          hasBot: false,
          bots: [],
          hasAllocations: false,
          allocations: [],
          index: null
        })
        const first = succeeded(yield* set({}))
        assert.deepInclude(first["data"] as Fields, {
          pair: "WETH-USDC",
          side: "long",
          threshold: 1,
          max_usd: 10_000_000,
          share: 100,
          slippage: 1,
          platform: "auto",
          active: true
        })
        assert.match(
          String((yield* outcomeOf(apiKey, first["intent_id"]))["message"]),
          /^Sold 10000 USDC for [0-9.]+ WETH on uniswapV3\.$/
        )
        const long = yield* held
        assert.isTrue(long.weth > 0n && long.usdc === 0n)
        assert.match(String((yield* decided("hold"))["reason"]), /is not WETH; the threshold is 1 %\.$/)

        // Another wallet trades against it: the watch sees it, and the bot trades back.
        succeeded(yield* ask("/vaultTrade", { json: { ...about, from: "WETH", to: "USDC", share: 50 } }))
        yield* until("the bot's own trade", Effect.map(held, ({ usdc }) => usdc === 0n ? true : undefined))
        yield* until(
          "the turn's end",
          Effect.map(
            rows(`select 1 from threshold_bots where pool = '${pool}' and open_intent is null and turn >= 2`),
            (found) => found[0]
          )
        )

        succeeded(yield* set({ side: "neutral", threshold: 0 }))
        yield* until("all in USDC", Effect.map(held, ({ weth }) => weth === 0n ? true : undefined))
        const count = yield* until(
          "the turn's end",
          Effect.flatMap(
            rows(`select 1 from threshold_bots where pool = '${pool}' and open_intent is null`),
            (found) => found[0] === undefined ? Effect.succeed(undefined) : sent
          )
        )

        // Rows the watch writes meanwhile are ignored here.
        const { last_decision: _, ...settled } = yield* bot
        const [listed = {}] = succeeded(yield* ask("/getAllBots", { query: { apiKey } }))["bots"] as ReadonlyArray<
          Fields
        >
        assert.deepInclude(listed, { ...settled, network, pool, gasWallet: address })
        refused(yield* ask("/deleteBot", { query: { ...about, pair: "nonsense" } }), "1003", /pair/)
        assert.deepStrictEqual(
          succeeded(yield* ask("/deleteBot", { method: "DELETE", query: { ...about, pair: "BTC-USDC" } }))["removed"],
          []
        )
        assert.deepStrictEqual(succeeded(yield* ask("/deleteBot", { method: "DELETE", query: about }))["removed"], [
          "WETH-USDC"
        ])
        assert.deepInclude(yield* status, { hasBot: false, bots: [] })
        assert.strictEqual(yield* sent, count)
      }))

    it.effect("with auto_enable enables the asset it is to hold, once and in an intent of its own, and then trades", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { about, apiKey, decided, held, pool, sent, set } = yield* scene()
        const weth = yield* OnChain.token(network, "WETH")
        const disabled = succeeded(yield* ask("/disableAsset", { json: { ...about, asset: "ETH" } }))
        assert.deepInclude(disabled, { asset: weth, symbol: "WETH", enabled: false, charge_usd: 0 })
        refused(yield* set({}), "1003", /cannot hold WETH.*auto_enable=true/)
        const first = succeeded(yield* set({ auto_enable: true }))
        assert.strictEqual((first["data"] as Fields)["auto_enable"], true)
        assert.match(
          String((yield* outcomeOf(apiKey, first["intent_id"]))["message"]),
          /^WETH is not enabled in the vault\. The bot enables it first/
        )
        yield* until(
          "the bot's trade",
          Effect.map(held, ({ usdc, weth }) => usdc === 0n && weth > 0n ? true : undefined)
        )
        yield* decided("hold")
        // The chain shows a trade before the ledger concludes its intent.
        const ended = yield* until(
          "the end of every intent",
          Effect.map(
            rows(
              `select request ->> '_tag' as kind, status from intents where pool = '${pool}'
              and (tx_hash is not null or request ->> '_tag' = 'EnableAsset') order by id`
            ),
            (found) => found.every(({ status }) => status === "succeeded") ? found : undefined
          )
        )
        assert.deepStrictEqual(
          ended,
          [
            { kind: "DisableAsset", status: "succeeded" },
            { kind: "EnableAsset", status: "succeeded" },
            { kind: "BotTrade", status: "succeeded" }
          ]
        )
        assert.strictEqual(yield* sent, 3)
      }))

    it.effect("goes short by the inverse token, from either side, and back", () =>
      Effect.gen(function*() {
        const { apiKey, held, pool, set } = yield* scene()
        const inverse = OnChain.balanceOf(network, "ETHBEAR1X", pool)
        const done = (side: string) =>
          Effect.flatMap(
            // The pool of the inverse token is thin: by default the bot would trade a part of it.
            set({ side, max_impact: 50 }),
            (answer) => Effect.map(outcomeOf(apiKey, succeeded(answer)["intent_id"]), ({ message }) => String(message))
          )
        assert.match(yield* done("short"), /^Sold 10000 USDC for [0-9.]+ ETHBEAR1X on uniswapV3\.$/)
        assert.isTrue((yield* inverse) > 0n && (yield* held).usdc === 0n)
        assert.match(yield* done("long"), /^Sold [0-9.]+ ETHBEAR1X for [0-9.]+ WETH on uniswapV3\.$/)
        assert.strictEqual(yield* inverse, 0n)
        assert.match(yield* done("short"), /^Sold [0-9.]+ WETH for [0-9.]+ ETHBEAR1X on uniswapV3\.$/)
        assert.strictEqual((yield* held).weth, 0n)
        assert.match(yield* done("neutral"), /^Sold [0-9.]+ ETHBEAR1X for [0-9.]+ USDC on uniswapV3\.$/)
      }))

    it.effect("makes one rebalance of the same webhook three times in a second, and none of a fourth", () =>
      Effect.gen(function*() {
        const { apiKey, held, pool, sent, set } = yield* scene()
        const answers = yield* Effect.all([set({}), set({}), set({ pair: "WETH/USD" })], { concurrency: "unbounded" })
        const ids = answers.map((answer) => succeeded(answer)["intent_id"])
        for (const id of ids) assert.strictEqual((yield* outcomeOf(apiKey, id))["status"], "success")
        const fourth = succeeded(yield* set({}))
        assert.deepInclude(yield* outcomeOf(apiKey, fourth["intent_id"]), { status: "success", tx_hash: null })
        assert.strictEqual(yield* sent, 1)
        assert.strictEqual((yield* held).usdc, 0n)
        assert.deepStrictEqual(
          yield* rows(
            `select count(*)::int as charges from charges c join intents i on i.id = c.intent_id where i.pool = '${pool}'`
          ),
          [{ charges: 1 }]
        )
        // A repeat under a key gets the turn it began; another request under the key is refused.
        const keyed = succeeded(yield* set({ side: "neutral", idempotency_key: "flip" }))
        yield* outcomeOf(apiKey, keyed["intent_id"])
        assert.strictEqual(
          succeeded(yield* set({ side: "neutral", idempotency_key: "flip" }))["intent_id"],
          keyed["intent_id"]
        )
        refused(yield* set({ side: "long", idempotency_key: "flip" }), "1010", /idempotency_key/)
      }))

    it.effect("in paper mode decides by live prices, reports what it would hold, and sends nothing", () =>
      Effect.gen(function*() {
        const { apiKey, bot, held, pool, sent, set } = yield* scene()
        const before = yield* held
        const { intent_id: turn } = succeeded(yield* set({ paper: true }))
        assert.match(
          String((yield* outcomeOf(apiKey, turn))["message"]),
          /^On paper: .*10000 USDC is sold for WETH\. Nothing was sent\.$/
        )
        assert.deepInclude(yield* bot, { paper: true, active: true })
        const row = yield* until(
          "what it holds on paper",
          Effect.map(
            rows(
              "select paper_holdings ->> 'quote' as quote, (paper_holdings ->> 'base')::numeric > 0 as base from " +
                `threshold_bots where pool = '${pool}' and paper_holdings is not null`
            ),
            (found) => found[0]
          )
        )
        assert.deepStrictEqual(row, { quote: "0", base: true })
        assert.deepStrictEqual([yield* sent, yield* held], [0, before])
      }))

    it.effect("that lends parks what is idle and takes it back for a trade, each in one transaction", () =>
      Effect.gen(function*() {
        const pool = yield* yieldVault(network)
        const { apiKey, held, sent, set } = yield* scene(pool)
        succeeded(yield* set({ side: "neutral", lending: true }))
        yield* until(
          "all of it in lenderA",
          Effect.map(held, ({ usdc, weth }) => usdc < 1_000_000n && weth === 0n ? true : undefined)
        )
        const parked = yield* sent
        const { intent_id: turn } = succeeded(yield* set({ side: "long", lending: true, max_usd: 500 }))
        const { message, result } = yield* outcomeOf(apiKey, turn)
        assert.match(String(message), /^Sold 500 USDC for [0-9.]+ WETH/)
        const raw = (name: string) => BigInt(String(((result as Fields)[name] as Fields)["raw"]))
        // All but what the swap returned above its minimum.
        assert.isTrue(raw("supplied") <= raw("bought") && raw("supplied") * 100n > raw("bought") * 98n)
        succeeded(yield* set({ side: "hold" }))
        assert.isAbove(yield* sent, parked)
      }))

    it.effect("does nothing by a stale price and says why, and nothing while trading is paused; it is not paused for either", () =>
      Effect.gen(function*() {
        const { bot, decided, held, pool, set } = yield* scene()
        const before = yield* held
        yield* OnChain.whileStale(
          network,
          "WETH",
          Effect.gen(function*() {
            succeeded(yield* set({}))
            assert.match(String((yield* decided("failed"))["reason"]), /^price_unavailable: .*WETH/)
          })
        )
        assert.deepStrictEqual(yield* held, before)
        assert.deepInclude(yield* bot, { active: true, paused_reason: null })
        assert.deepStrictEqual(yield* rows(`select failures from threshold_bots where pool = '${pool}'`), [{
          failures: 0
        }])
      }))

    it.effect("pauses itself after three failures in a row and says so; setting it again clears that", () =>
      Effect.gen(function*() {
        const { apiKey, bot, pool, set } = yield* scene()
        // Its wallet is no longer the trader: every turn fails.
        const { setTrader } = yield* Devnet
        const { address } = yield* trader()
        succeeded(yield* set({ side: "hold" }))
        yield* rows(`update threshold_bots set side = 'long', next_check = now() where pool = '${pool}'`)
        yield* Effect.orDie(setTrader({ network, pool, trader: address }))
        const paused = yield* until(
          "the bot's pause",
          Effect.tap(
            Effect.map(bot, (now) => now["active"] === false ? now : undefined),
            () => rows(`update threshold_bots set next_check = now() where pool = '${pool}'`)
          )
        )
        assert.match(
          String(paused["paused_reason"]),
          /^It failed 3 times in a row; set it again to resume it\. Last failure: 1006: /
        )
        assert.isNull(paused["next_check"])
        // Setting it again is accepted from its row, and fails when the turn is planned.
        const { intent_id: turn } = succeeded(yield* set({}))
        assert.deepInclude((yield* outcomeOf(apiKey, turn))["failure"] as Fields, { status_code: "1006" })
      }))

    it.effect("is stopped by its owner at once, alone of all that its wallet does, and continues when it may", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { about, apiKey, bot, held, pool, sent, set, status } = yield* scene()
        refused(yield* ask("/pauseBot", { json: about }), "1010", /has no bot at/)
        succeeded(yield* set({ side: "hold" }))
        const paused = succeeded(yield* ask("/pauseBot", { json: { ...about, reason: "market closed" } }))
        assert.strictEqual(paused["message"], "Signing is stopped for the bots of this vault (market closed).")
        assert.deepStrictEqual(paused["switches"], [{
          scope: `bot/${network}/${pool}`,
          reason: "market closed",
          by: "owner"
        }])
        const asked = succeeded(yield* set({}))
        assert.match(String(asked["message"]), /stopped for the bots of this vault \(market closed\); the bot waits\.$/)
        const { error_type, message } = (yield* outcomeOf(apiKey, asked["intent_id"]))["failure"] as Fields
        assert.deepStrictEqual([error_type, message], [
          "paused",
          "Signing is stopped for the bots of this vault (market closed). Nothing was sent."
        ])
        assert.deepInclude(yield* bot, {
          active: false,
          paused_reason: null,
          next_check: null,
          kill_switch: "Signing is stopped for the bots of this vault (market closed)"
        })
        assert.isFalse((yield* status)["active"])
        // Other requests of its wallet continue, on the same vault.
        succeeded(yield* ask("/vaultTrade", { json: { ...about, from: "USDC", to: "WETH", amount: 100 } }))
        assert.strictEqual(yield* sent, 1)
        // An owner cannot start what an operator has stopped.
        yield* rows(`update kill_switches set set_by = 'operator' where scope = 'bot/${network}/${pool}'`)
        refused(yield* ask("/resumeBot", { json: about }), "1010", /operator/)
        yield* rows(`update kill_switches set set_by = 'owner' where scope = 'bot/${network}/${pool}'`)
        assert.strictEqual(
          succeeded(yield* ask("/resumeBot", { json: about }))["message"],
          "Resumed: the bots of this vault."
        )
        yield* rows(`update threshold_bots set next_check = now() where pool = '${pool}'`)
        yield* until("the bot's trade", Effect.map(held, ({ usdc }) => usdc === 0n ? true : undefined))
        assert.deepInclude(yield* bot, { active: true, kill_switch: null })

        succeeded(yield* ask("/pauseWallet", { json: { apiKey } }))
        assert.deepInclude(
          (yield* ask("/vaultTrade", { json: { ...about, from: "WETH", to: "USDC", share: 10 } })).body,
          { status_code: "2040", error_type: "paused" }
        )
        assert.strictEqual(
          succeeded(yield* ask("/resumeWallet", { json: { apiKey } }))["message"],
          "Resumed: this wallet."
        )
        assert.strictEqual(
          succeeded(yield* ask("/resumeWallet", { json: { apiKey } }))["message"],
          "Was not stopped: this wallet."
        )
        succeeded(yield* ask("/vaultTrade", { json: { ...about, from: "WETH", to: "USDC", share: 10 } }))
      }))

    it.effect("is stopped alone by its pair, whatever it is set to, while the vault's other bot trades", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { about, apiKey, held, pool, set, status } = yield* scene()
        const both = Effect.map(
          status,
          ({ bots }) => new Map((bots as ReadonlyArray<Fields>).map((each) => [each["pair"], each]))
        )
        const switchOf = (action: "pauseBot" | "resumeBot", pair?: string) =>
          ask(`/${action}`, { json: { ...about, ...(pair === undefined ? {} : { pair }) } })
        succeeded(yield* set({ side: "hold" }))
        succeeded(yield* set({ pair: "BTC-USDC", side: "hold" }))
        refused(
          yield* switchOf("pauseBot", "LINK-USDC"),
          "1010",
          /pair: the vault has no bot of LINK-USDC; .*WETH-USDC/
        )
        refused(yield* switchOf("pauseBot", "WETH"), "1003", /pair.*BASE-QUOTE/)
        const paused = succeeded(yield* switchOf("pauseBot", "eth-usdc"))
        assert.strictEqual(paused["message"], "Signing is stopped for this bot (by its owner).")
        const { base, quote } = (yield* both).get("WETH-USDC") ?? {}
        assert.deepStrictEqual(paused["switches"], [{
          scope: `bot/${network}/${pool}/${String(base)}/${String(quote)}`,
          reason: "by its owner",
          by: "owner"
        }])
        const asked = succeeded(yield* set({}))
        assert.match(String(asked["message"]), /stopped for this bot \(by its owner\); the bot waits\.$/)
        assert.deepInclude((yield* outcomeOf(apiKey, asked["intent_id"]))["failure"] as Fields, {
          error_type: "paused",
          message: "Signing is stopped for this bot (by its owner). Nothing was sent."
        })
        const traded = succeeded(yield* set({ pair: "BTC-USDC", share: 50 }))
        assert.deepInclude(yield* outcomeOf(apiKey, traded["intent_id"]), { status: "success" })
        assert.deepInclude((yield* both).get("WETH-USDC"), { active: false, next_check: null, paused_reason: null })
        assert.deepInclude((yield* both).get("WBTC-USDC"), { active: true, kill_switch: null })

        // The bot that is set again after it was deleted is still stopped; its scope names it by its assets.
        succeeded(yield* ask("/deleteBot", { method: "DELETE", query: { ...about, pair: "WETH-USDC" } }))
        assert.match(String(succeeded(yield* set({}))["message"]), /stopped for this bot/)
        // Resuming all of the vault resumes no bot that was stopped alone.
        assert.strictEqual(
          succeeded(yield* switchOf("resumeBot"))["message"],
          "Was not stopped: the bots of this vault."
        )
        assert.strictEqual((yield* held).weth, 0n)
        assert.strictEqual(
          succeeded(yield* switchOf("resumeBot", "WETH-USDC"))["message"],
          "Resumed: the bot of WETH-USDC."
        )
        yield* rows(`update threshold_bots set next_check = now() where pool = '${pool}'`)
        yield* until("the bot's trade", Effect.map(held, ({ weth }) => weth > 0n ? true : undefined))
      }))

    it.effect("refuses what no bot can be, naming the parameter and what is accepted", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { about, set, status } = yield* scene()
        refused(yield* set({ pair: "WETH" }), "1003", /pair.*BASE-QUOTE/)
        refused(yield* set({ pair: "WETH-NOPE" }), "1003", /pair: 'NOPE' is not a token/)
        refused(yield* set({ pair: "ETH-WETH" }), "1003", /same asset/)
        refused(yield* set({ pair: "AAVE-USDC" }), "1003", /pair: /)
        refused(yield* set({ pair: "LINK-USDC", side: "short" }), "1008", /no inverse token of LINK.*it is for W/)
        refused(yield* set({ pair: "BTC-USDC", side: "short" }), "1003", /hold the inverse token of WBTC.*enableAsset/)
        refused(yield* set({ side: "up" }), "1008", /long, neutral, short, hold/)
        refused(yield* set({ threshold: 101 }), "1010", /threshold.*0 to 100/)
        refused(yield* set({ max_usd: 0 }), "1010", /max_usd.*above 0/)
        refused(yield* set({ share: 0 }), "1007", /share/)
        refused(yield* set({ slippage: 6 }), "1010", /slippage/)
        refused(yield* set({ platform: "nowhere" }), "1010", /platform/)
        refused(yield* set({ lending: "perhaps" }), "1010", /lending/)
        refused(yield* ask("/setBot", { json: about }), "1010", /pair.*side|side.*pair/)
        assert.deepInclude(yield* status, { hasBot: false })
      }))

    it.effect("shows a vault's strategy to its own keys only: to a stranger a vault with bots looks like one without", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { file } = yield* Devnet
        const { about, address, pool, set } = yield* scene()
        succeeded(yield* set({ side: "hold" }))
        yield* until(
          "the turn's end",
          Effect.map(
            rows(`select 1 from threshold_bots where pool = '${pool}' and open_intent is null and turn > 0`),
            (found) => found[0]
          )
        )
        const targets = [{ asset: "WETH", weight: 50 }, { asset: "USDC", weight: 50 }]
        succeeded(yield* ask("/setIndexBot", { json: { ...about, targets, interval: "1d", max_usd: 1_000 } }))
        const seenBy = (apiKey: string) => Effect.map(ask("/getBotStatus", { query: { ...about, apiKey } }), succeeded)
        const stranger = yield* wallet
        const hidden = yield* seenBy(stranger.apiKey)
        assert.deepStrictEqual(hidden["data"], {
          network,
          pool,
          gasWallet: null,
          active: false,
          hasBot: false,
          bots: [],
          waiting: [],
          hasAllocations: false,
          allocations: [],
          index: null
        })
        assert.match(String(hidden["message"]), /shown only to keys of the vault's trader, its manager/)
        const without = yield* yieldVault(network)
        const seen = succeeded(
          yield* ask("/getBotStatus", { query: { apiKey: stranger.apiKey, network, pool: without } })
        )
        assert.deepStrictEqual(seen, { ...hidden, data: { ...hidden["data"] as Fields, pool: without } })
        // A limited key and a read-only key of a stranger see no more.
        succeeded(yield* ask("/setKeyLimits", { json: { apiKey: stranger.apiKey, read_only: true } }))
        assert.deepStrictEqual(yield* seenBy(stranger.apiKey), hidden)
        const own = yield* seenBy(about.apiKey)
        assert.deepInclude(own, { message: null })
        assert.deepInclude((own["data"] as Fields)["index"] as Fields, { gasWallet: address, max_usd: 1_000 })

        // A wallet in the list of the vault's manager, and one that has become the trader since.
        const colleague = yield* wallet
        yield* rows(
          `insert into managers (address) values ('${file.manager.address.toLowerCase()}') on conflict do nothing`
        )
        yield* rows(
          `insert into manager_wallets (manager, wallet) values ('${file.manager.address.toLowerCase()}', '${colleague.address}')`
        )
        assert.deepStrictEqual(yield* seenBy(colleague.apiKey), own)
        const successor = yield* trader({ network, pool })
        yield* until(
          "the new trader's view",
          Effect.map(seenBy(successor.apiKey), ({ message }) => message === null ? true : undefined)
        )
        assert.deepStrictEqual(yield* seenBy(about.apiKey), own)
      }))
  }
)
