/** Perpetual contracts end to end: callers get the outcome that HyperCore reports, whatever the transaction did. */
import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { ended, refused, succeeded } from "@vault-trader/testing/harness/Answers"
import {
  type Answer,
  demoVault,
  type Fields,
  rows,
  Running,
  running,
  trader,
  yieldVault
} from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

const network = "hyperliquid"

const failed = ({ body, status, text }: Answer, code: string, saying: RegExp) => {
  assert.deepStrictEqual([status, body["status"], body["status_code"]], [400, "fail", code], text)
  assert.match(String(body["message"]), saying)
  return body
}

/** A funded wallet that trades the vault which may trade on HyperCore. */
const scene = Effect.gen(function*() {
  const { ask } = yield* Running
  const { core } = yield* Devnet
  const pool = yield* yieldVault(network)
  const by = yield* trader({ network, pool })
  const about = { apiKey: by.apiKey, pool }
  const get = (path: string, query: Readonly<Record<string, string>> = {}) =>
    ask(path, { query: { ...about, ...query } })
  const positions = Effect.map(
    get("/getPerpetualPositions"),
    (answer) => (succeeded(answer)["data"] as Fields)["positions"] as ReadonlyArray<Fields>
  )
  /** Queries HyperCore directly, as any client can. */
  const atCore = Effect.map(
    Effect.orDie(core.info({ type: "clearinghouseState", user: pool })),
    (state) =>
      (state as {
        readonly assetPositions: ReadonlyArray<{ readonly position: { readonly coin: string; readonly szi: string } }>
      }).assetPositions.map(({ position }) => position)
  )
  return {
    ...by,
    about,
    core,
    get,
    positions,
    atCore,
    post: (path: string, json: Fields = {}) => ask(path, { json: { ...about, ...json } }),
    sent: OnChain.transactionCount(network, by.address),
    held: OnChain.balanceOf(network, "USDC", pool),
    outcome: (id: unknown) => ended(ask, by.apiKey, id)
  }
})

const chargesOf = (id: unknown) => rows(`select count(*)::int as n from charges where intent_id = '${String(id)}'`)

const env = { PERPETUAL_LOST_SECONDS: "15", WAIT_SECONDS: "120", VENUE_TIMEOUT_MS: "20000" }
const service = running({ networks: [network], aggregators: true, env })

layer(service, { timeout: 240_000, excludeTestServices: true })("perpetual contracts", (it) => {
  it.effect("are bought and sold with the vault's USDC, and the money comes back", () =>
    Effect.gen(function*() {
      const by = yield* scene
      const before = yield* by.held
      const deposit = succeeded(yield* by.post("/depositToPerpetuals", { amount: 5000 }))
      assert.deepInclude(deposit["deposited"] as Fields, { amount: "5000", symbol: "USDC" })
      assert.strictEqual(deposit["charge_usd"], 0)
      assert.strictEqual(before - (yield* by.held), 5_000_000_000n)

      const bought = succeeded(yield* by.post("/placePerpetualOrder", { coin: "eth", side: "long", usd: 1000 }))
      assert.deepInclude(bought, { coin: "ETH", side: "buy", tif: "ioc", order_status: "filled", charge_usd: 0.1 })
      assert.strictEqual(bought["filled"], bought["size"])
      assert.deepStrictEqual((yield* by.atCore).map(({ coin, szi }) => [coin, Number(szi)]), [[
        "ETH",
        Number(bought["filled"])
      ]])
      assert.deepStrictEqual((yield* by.positions).map(({ coin, side, size }) => [coin, side, Number(size)]), [[
        "ETH",
        "long",
        Number(bought["filled"])
      ]])
      assert.deepStrictEqual(yield* chargesOf(bought["intent_id"]), [{ n: 1 }])

      const closed = succeeded(yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "sell", reduce_only: true }))
      assert.strictEqual(closed["filled"], bought["filled"])
      assert.deepStrictEqual([yield* by.atCore, yield* by.positions], [[], []])

      const withdrawn = succeeded(yield* by.post("/withdrawFromPerpetuals", { share: 100 }))
      const back = BigInt(String((withdrawn["withdrawn"] as Fields)["raw"]))
      assert.isAbove(Number(back), 4_990_000_000)
      const start = before - 5_000_000_000n
      yield* until("the USDC in the vault", Effect.map(by.held, (now) => now === start + back ? now : undefined))
      assert.strictEqual(yield* by.sent, 4)
    }))

  it.effect("rest as limit orders, are listed, and are taken back by any of their names", () =>
    Effect.gen(function*() {
      const by = yield* scene
      succeeded(yield* by.post("/depositToPerpetuals", { amount: 1000 }))
      const order = { coin: "ETH", side: "buy", size: 0.1, price: 2000 }
      for (const name of ["intent_id", "cloid", "oid"]) {
        const placed = succeeded(yield* by.post("/placePerpetualOrder", order))
        assert.deepInclude(placed, {
          order_status: "open",
          tif: "gtc",
          filled: "0",
          average_price: null,
          limit_price: "2000"
        })
        const { orders } = succeeded(yield* by.get("/getPerpetualOrders")) as {
          readonly orders: ReadonlyArray<Fields> | Fields
        }
        const [listed] = [orders].flat() as ReadonlyArray<Fields>
        assert.deepInclude(listed, {
          intent_id: placed["intent_id"],
          cloid: placed["cloid"],
          oid: placed["oid"],
          remaining: "0.1"
        })
        const gone = succeeded(yield* by.post("/cancelPerpetualOrder", { coin: "ETH", [name]: placed[name] }))
        assert.deepInclude(gone, { order_status: "canceled", filled: "0", charge_usd: 0 })
        assert.match(
          String(succeeded(yield* by.post("/cancelPerpetualOrder", { coin: "ETH", [name]: placed[name] }))["message"]),
          /is no longer open/
        )
      }
    }))

  it.effect("are reported as refused when HyperCore refuses, although the transaction succeeded; that costs gas and no charge", () =>
    Effect.gen(function*() {
      const by = yield* scene
      succeeded(yield* by.post("/depositToPerpetuals", { amount: 100 }))
      const sent = yield* by.sent
      const body = failed(
        yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "buy", price: 2000, size: 0.01, tif: "ioc" }),
        "2031",
        /nothing could be filled .*iocCancelRejected.* Nothing was traded/
      )
      assert.strictEqual((yield* OnChain.receipt(network, body["tx_hash"])).status, 1n)
      assert.deepStrictEqual(yield* chargesOf(body["intent_id"]), [{ n: 0 }])
      failed(
        yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "buy", price: 3090, size: 0.01, tif: "alo" }),
        "2031",
        /alo orders may only rest/
      )
      failed(yield* by.post("/placePerpetualOrder", { coin: "BTC", side: "buy", size: 2 }), "2031", /margin/)
      assert.strictEqual((yield* by.sent) - sent, 3)
      assert.deepStrictEqual(yield* by.atCore, [])
    }))

  it.effect("that HyperCore never takes are called lost once its own clock says so, and nothing is sent again", () =>
    Effect.gen(function*() {
      const by = yield* scene
      succeeded(yield* by.post("/depositToPerpetuals", { amount: 100 }))
      const sent = yield* by.sent
      yield* by.core.drop(1)
      const told = failed(
        yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "buy", usd: 50 }),
        "2031",
        /never received the order.*nothing will be/
      )
      assert.strictEqual((yield* by.sent) - sent, 1)
      assert.deepStrictEqual(yield* by.atCore, [])
      assert.deepStrictEqual(
        yield* rows(
          `select count(*)::int as n from attempts a join submissions s on s.key = a.submission_key where s.intent_id = '${
            String(told["intent_id"])
          }'`
        ),
        [{ n: 1 }]
      )
    }))

  it.effect("wait while the info API is down, as pending and without holding up other vaults, and are reported when it is back", () =>
    Effect.gen(function*() {
      const by = yield* scene
      succeeded(yield* by.post("/depositToPerpetuals", { amount: 100 }))
      const sent = yield* by.sent
      yield* by.core.hold
      const asked = yield* Effect.forkChild(by.post("/placePerpetualOrder", { coin: "ETH", side: "buy", usd: 50 }))
      yield* until("the order's transaction", Effect.map(by.sent, (now) => now > sent ? now : undefined))
      yield* by.core.fail("serverError")
      yield* by.core.resume
      const other = yield* trader({ network })
      const { ask } = yield* Running
      succeeded(
        yield* ask("/vaultTrade", {
          json: { apiKey: other.apiKey, network, pool: other.pool, from: "USDC", to: "WHYPE", amount: 10 }
        })
      )
      failed(yield* by.get("/getPerpetualPositions"), "2030", /info API cannot be queried \(HTTP 500\)/)
      const [row] = yield* rows(
        `select id::text as id, status from intents where pool = '${by.pool}' order by id desc limit 1`
      )
      assert.strictEqual(row?.["status"], "submitted")
      yield* by.core.heal
      yield* Fiber.join(asked)
      assert.strictEqual((yield* by.outcome(row?.["id"]))["status"], "success")
      assert.strictEqual((yield* by.sent) - sent, 1)
      assert.lengthOf(yield* by.atCore, 1)
      succeeded(yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "sell", reduce_only: true }))
    }))

  it.effect(
    "go aside when HyperCore takes its time: the vault's other requests have their turn, and a deposit that takes " +
      "long is never called failed",
    () =>
      Effect.gen(function*() {
        const by = yield* scene
        succeeded(yield* by.post("/depositToPerpetuals", { amount: 100 }))
        const sent = yield* by.sent
        yield* by.core.fail("rateLimited")
        const deposit = yield* Effect.forkChild(by.post("/depositToPerpetuals", { amount: 77 }))
        yield* until("the deposit's transaction", Effect.map(by.sent, (now) => now > sent ? now : undefined))
        // Behind the deposit in the vault's queue, and finished before it.
        succeeded(yield* by.post("/approve", { network, asset: "USDC", amount: 12 }))
        const [row] = yield* rows(
          `select id::text as id, status from intents where pool = '${by.pool}' and endpoint = ` +
            "'depositToPerpetuals' order by id desc limit 1"
        )
        assert.strictEqual(row?.["status"], "submitted")
        yield* by.core.heal
        yield* Fiber.join(deposit)
        assert.strictEqual((yield* by.outcome(row?.["id"]))["status"], "success")
        assert.strictEqual((yield* by.sent) - sent, 2)
        assert.deepStrictEqual(
          yield* rows(
            "select count(*)::int as n, count(distinct entry)::int as entries from perpetual_moves where pool = " +
              `'${by.pool}' and entry like '%/deposit/77%'`
          ),
          [{ n: 1, entries: 1 }]
        )
      })
  )

  it.effect("are distinguished when two deposits are the same", () =>
    Effect.gen(function*() {
      const by = yield* scene
      yield* by.core.hold
      const both = yield* Effect.forkChild(
        Effect.all([by.post("/depositToPerpetuals", { amount: 33 }), by.post("/depositToPerpetuals", { amount: 33 })], {
          concurrency: "unbounded"
        })
      )
      yield* by.core.resume
      for (const answer of yield* Fiber.join(both)) succeeded(answer)
      assert.deepStrictEqual(
        yield* rows(
          "select count(*)::int as n, count(distinct entry)::int as entries from perpetual_moves where pool = " +
            `'${by.pool}' and entry like '%/deposit/33%'`
        ),
        [{ n: 2, entries: 2 }]
      )
    }))

  it.effect("are planned and not sent by a dry run", () =>
    Effect.gen(function*() {
      const by = yield* scene
      succeeded(yield* by.post("/depositToPerpetuals", { amount: 100 }))
      const sent = yield* by.sent
      const { plan } = succeeded(
        yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "buy", usd: 50, dryRun: true })
      )
      assert.deepInclude(plan as Fields, { coin: "ETH", order_status: "planned" })
      succeeded(yield* by.post("/withdrawFromPerpetuals", { share: 50, dryRun: true }))
      assert.strictEqual(yield* by.sent, sent)
    }))

  it.effect("are refused by name before anything is sent", () =>
    Effect.gen(function*() {
      const by = yield* scene
      succeeded(yield* by.post("/depositToPerpetuals", { amount: 100 }))
      const sent = yield* by.sent
      const place = (more: Fields) => by.post("/placePerpetualOrder", { coin: "ETH", side: "buy", usd: 50, ...more })
      refused(yield* place({ side: "up" }), "1008", /buy or sell/)
      refused(yield* place({ slippage: 3.1 }), "1010", /slippage: must be a percentage above 0 and at most 3/)
      refused(yield* place({ tif: "fok" }), "1010", /ioc, gtc, alo/)
      refused(yield* place({ tif: "gtc" }), "1010", /price: is missing/)
      refused(yield* place({ usd: undefined }), "1010", /size: is missing/)
      refused(yield* place({ usd: 9 }), "1009", /the minimum is 10 USD/)
      refused(yield* place({ usd: undefined, size: 0.000001 }), "1009", /0\.0001 ETH/)
      refused(yield* place({ price: 1e-9 }), "1010", /price/)
      refused(yield* by.post("/cancelPerpetualOrder", { coin: "ETH" }), "1010", /one of intent_id, cloid and oid/)
      refused(
        yield* by.post("/cancelPerpetualOrder", { coin: "ETH", oid: 1, cloid: `0x${"0".repeat(32)}` }),
        "1010",
        /2 of them/
      )
      failed(yield* by.post("/cancelPerpetualOrder", { coin: "ETH", oid: 99 }), "2014", /no order 99/)
      failed(yield* place({ coin: "NOSUCH" }), "2015", /getPerpetualMarkets/)
      failed(yield* place({ coin: "HPOS" }), "2015", /isolated/)
      failed(yield* place({ price: 3500 }), "2004", /more than 3 %/)
      failed(yield* place({ side: "sell", reduce_only: true }), "2014", /no position in ETH/)
      failed(yield* by.post("/depositToPerpetuals", { amount: 1e9 }), "2002", /less than/)
      failed(yield* by.post("/withdrawFromPerpetuals", { amount: 1e9 }), "2002", /less than/)
      const stranger = yield* trader({ network, pool: yield* demoVault(network) })
      const { ask } = yield* Running
      failed(
        yield* ask("/depositToPerpetuals", { json: { apiKey: stranger.apiKey, pool: stranger.pool, amount: 10 } }),
        "2007",
        /governance lists the vaults/
      )
      yield* by.core.whitelist({ pool: by.pool, allowed: false })
      failed(yield* place({}), "2007", /governance lists the vaults/)
      yield* by.core.whitelist({ pool: by.pool })
      assert.strictEqual(yield* by.sent, sent)
    }))

  it.effect("count against a key's limits with what they are worth, as deposits do", () =>
    Effect.gen(function*() {
      const by = yield* scene
      succeeded(yield* by.post("/depositToPerpetuals", { amount: 500 }))
      yield* rows(
        `insert into key_limits (wallet, max_usd18_per_trade) values ('${by.address}', 100 * 10::numeric ^ 18) returning wallet`
      )
      const sent = yield* by.sent
      const saying = /may sell 100 USD at a time/
      failed(yield* by.post("/depositToPerpetuals", { amount: 120 }), "2013", saying)
      failed(yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "buy", usd: 150 }), "2013", saying)
      failed(
        yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "buy", usd: 150, dryRun: true }),
        "2013",
        saying
      )
      assert.strictEqual(yield* by.sent, sent)
      succeeded(yield* by.post("/depositToPerpetuals", { amount: 50 }))
      succeeded(yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "buy", usd: 60 }))
      succeeded(yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "sell", reduce_only: true }))
      succeeded(yield* by.post("/withdrawFromPerpetuals", { share: 100 }))
    }))

  it.effect("for the same idempotency key are one order, and stop with the kill switch", () =>
    Effect.gen(function*() {
      const by = yield* scene
      succeeded(yield* by.post("/depositToPerpetuals", { amount: 500 }))
      const sent = yield* by.sent
      const order = { coin: "ETH", side: "buy", usd: 50, idempotency_key: "once" }
      const [one, two] = [
        succeeded(yield* by.post("/placePerpetualOrder", order)),
        succeeded(yield* by.post("/placePerpetualOrder", order))
      ]
      assert.deepStrictEqual([one["intent_id"], one["oid"]], [two["intent_id"], two["oid"]])
      assert.strictEqual((yield* by.sent) - sent, 1)
      succeeded(yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "sell", reduce_only: true }))
      succeeded(yield* by.post("/pauseWallet"))
      failed(yield* by.post("/placePerpetualOrder", { coin: "ETH", side: "buy", usd: 50 }), "2040", /Nothing was sent/)
      assert.deepStrictEqual(yield* by.atCore, [])
    }))

  it.effect("are listed with their prices", () =>
    Effect.gen(function*() {
      const by = yield* scene
      const markets = succeeded(yield* by.get("/getPerpetualMarkets"))["markets"] as ReadonlyArray<Fields>
      assert.deepInclude(markets.find(({ coin }) => coin === "ETH"), { asset_id: 1, isolated_only: false })
      assert.isUndefined(markets.find(({ coin }) => coin === "MATIC"))
    }))
})
