import { assert, layer } from "@effect/vitest"
import { endpoints as catalogue, endpointsByTitle } from "@vault-trader/core/Catalogue"
import type { Address } from "@vault-trader/core/chain/Address"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { executionCodes, validationCodes } from "@vault-trader/core/failure/Failure"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as FastCheck from "fast-check"
import * as Net from "node:net"
import {
  asDryRun,
  exampleRequest,
  fixtureOf,
  type Fixtures,
  type Params,
  toTexts
} from "@vault-trader/testing/harness/ExampleRequest"
import { registered } from "@vault-trader/testing/harness/ExchangeSetup"
import {
  type Answer,
  type Fields,
  ledger,
  type Request,
  rows,
  Running,
  running,
  trader,
  wallet,
  yieldVault
} from "@vault-trader/testing/harness/Harness"
import { velodromePosition } from "@vault-trader/testing/harness/LiquiditySetup"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"
/** Endpoints with a path parameter have the same tests elsewhere. */
const endpoints = catalogue.filter(({ paths }) => !paths[0]!.includes(":"))
const refusedWith = (answer: Answer, code: string, about: string) => {
  assert.strictEqual(answer.status, 200, `${about}: ${answer.text}`)
  assert.deepStrictEqual(Object.keys(answer.body), ["status", "status_code", "message"], about)
  assert.deepStrictEqual(
    [answer.fields["status"], answer.fields["status_code"]],
    ["fail", code],
    `${about}: ${answer.text}`
  )
  return String(answer.fields["message"])
}

/** Asserts that an answer is one the wire knows, with the headers of every answer. */
const isOfTheWire = ({ body, headers, status, text }: Answer, about: string) => {
  assert.include([200, 400, 403, 404, 405, 413], status, `${about}: ${text}`)
  assert.match(headers.get("content-type") ?? "", /^application\/json/, about)
  if (status === 200) {
    for (const value of Object.values(body)) {
      assert.isTrue(Array.isArray(value) && value.length === 1, `${about}: ${text}`)
    }
    const [word, code] = [body["status"], body["status_code"]].flat()
    assert.include(["success", "fail"], word, `${about}: ${text}`)
    if (word === "fail") assert.property(validationCodes, String(code), text)
  } else assert.strictEqual(body["status"], "fail", `${about}: ${text}`)
  if (status === 400) {
    assert.strictEqual(executionCodes[body["error_type"] as keyof typeof executionCodes], body["status_code"], text)
  }
  hasTheHeaders(headers, about)
}

/** Asserts the headers of every answer. Only documents, which are the same for every caller, may be kept. */
const hasTheHeaders = (headers: Headers, about: string) => {
  assert.match(headers.get("x-request-id") ?? "", /^[\w.:-]{1,128}$/, about)
  const isDocument = ["/openapi.json", "/__docs__", "/llmIntrospect"].includes(about)
  const caching = isDocument ? "public, max-age=300, must-revalidate" : "no-store"
  assert.strictEqual(headers.get("cache-control"), caching, about)
  assert.strictEqual(headers.get("referrer-policy"), "no-referrer", about)
}

/** An invalid value for each parameter, which no endpoint accepts; the code is the declared one. */
const malformed: Readonly<Record<string, ReadonlyArray<string>>> = {
  apiKey: ["not-a-key", "00000000-0000-4000-8000-00000000000g"],
  privateKey: ["0x12", "zz"],
  network: ["nowhere", "base2", "8453"],
  pool: ["0x12", "0x" + "g".repeat(40), "USDC", "0x" + "0".repeat(41)],
  pools: ["0x12", "0x" + "1".repeat(40) + ",USDC"],
  trader: ["0x12", "me"],
  manager: ["0x12", "me"],
  contract: ["USDC", "0x"],
  protocol: ["uniswap", "dhedge!"],
  platform: ["binance", "uniswapV4"],
  from: ["not a symbol", "0x1234567890", "ü"],
  to: ["a,b", "0x" + "1".repeat(41)],
  asset: ["US DC", "<script>"],
  asset1: ["US DC"],
  asset2: ["a,b"],
  input_asset: ["ü"],
  output_asset: ["<script>"],
  fee_tier: ["0", "250", "0.3%", "3000.5"],
  lower_price: ["0", "-1", "cheap", "0x10"],
  upper_price: ["0", "1e999999", "1,5"],
  symbol: ["U$ DC", "a/b"],
  share: ["0", "-1", "100.0001", "NaN", "Infinity", "all", "1e3", "0x10", "1_000"],
  amount: ["-1", "1e999999", "1,5", "abc", "Infinity", "0x10"],
  slippage: ["0", "-0.5", "5.01", "half"],
  dryRun: ["yes", "2", "constructor", "__proto__"],
  allowFailure: ["yes", "2"],
  USD: ["perhaps", "toString"],
  group: ["-majors", "a/b", "g".repeat(65)],
  members: ["[]", "majors", `[{"network":"base"}]`],
  split: ["half", "2"],
  idempotency_key: ["with space", "ключ", "k".repeat(256), "a\nb"],
  intent_id: ["1", "01936f5a-0000-7000-8000-00000000000"],
  limit: ["0", "101", "1.5", "ten"],
  cursor: ["-2", "next"],
  pair: ["WETH", "WETH-USDC-DAI", "WETH:USDC", "-USDC"],
  side: ["up", "LONGER", "1"],
  threshold: ["-1", "100.5", "some"],
  lending: ["perhaps", "2"],
  targets: ["[]", "WETH-50-USDC-50", `[{"asset":"WETH","weight":50},{"asset":"USDC","weight":49}]`],
  allocations: ["WETH", "WETH-50-USDC", "WETH-50-USDC-49"],
  interval: ["0", "59", "1.5h", "-1", "1y"],
  max_usd: ["0", "-1", "1e999999", "all"],
  min_trade_usd: ["0", "cheap"],
  tolerance: ["-1", "100.1", "some"],
  quote: ["US DC", "<script>"],
  enabled: ["yes", "2"],
  paper: ["yes", "2"],
  signature: ["0x00", "v3.1795284000.0123456789abcdef.0x00", "v2.now.0123456789abcdef.0x00"],
  gas_wallet_api_key: ["x", "00000000-0000-4000-8000"],
  exchange: ["e/x", "../binance"],
  subaccount_name: ["a/b", "-main", "m".repeat(65)],
  cex_api_key: ["with blank", "ключ"],
  cex_secret: ["with blank", "k".repeat(513)],
  cex_passphrase: ["with blank"],
  payment_network: ["narnia"],
  settings: ["nonsense", "{\"testnet\":\"x\"}", "{\"url\":\"http://127.0.0.1\"}"],
  strategy: ["bad luck", "../luck"],
  timeframe: ["6", "h6", "0m"],
  bars_back: ["0", "1001", "1.5"],
  before: ["-1", "soon"],
  execute: ["yes", "2"],
  force: ["yes", "2"],
  action: ["fly away", "a.b", "/getAllBots"],
  subject: ["a\nb", "x".repeat(129)],
  label: ["a\nb", "x".repeat(65)],
  wallet: ["0x12", "me"],
  vaults: ["base", "mars/0x" + "1".repeat(40), "any,base/0x" + "1".repeat(40)],
  max_usd_per_trade: ["-1", "much", "1e3"],
  max_usd_per_day: ["-1", "none"],
  read_only: ["yes", "2"],
  keep: ["yes", "2", "managers,everything", "true,tokens"],
  params: ["nonsense", "[1]", "7"],
  token_id: ["-1", "1.5", "0x1", "everything"],
  url: ["hooks.example.com", "ftp://hooks.example.com/", "https://a:b@hooks.example.com/"],
  events: ["everything", "intent.failed,gas"],
  webhook_id: ["1", "all"],
  channel_id: ["1", "all"],
  kind: ["pigeon", "sms"],
  smtp_host: ["-", "a b"],
  smtp_port: ["0", "70000", "smtp"],
  smtp_user: ["a b"],
  quiet_hours: ["at night", "22:00-06:00 Mars/Olympus"],
  digest_minutes: ["-1", "1441"],
  max_per_hour: ["0", "601"],
  commands: ["all", "trade"],
  name: ["a\nb", "x".repeat(65)],
  templates: ["text", "{\"gas.low\":\"{secret}\"}"],
  bind: ["yes", "2"],
  coin: ["ETH/USD", "x".repeat(17), "ü"],
  size: ["0", "-1", "all"],
  usd: ["0", "-5", "much"],
  price: ["0", "-1", "market"],
  tif: ["fok", "day"],
  reduce_only: ["yes", "2"],
  cloid: ["0x12", "01936f5a000070008000000000000000"],
  oid: ["-1", "1.5", "last"],
  reason: ["x".repeat(201)],
  order_id: ["with space", "k".repeat(129)],
  format: ["xml", "jsonl"],
  token: ["US DC", "<script>"]
}

/** Values of which most parameters accept none, for parameters that are not in the table above. */
const unusual = ["-1", "<script>", "with space", "ü", "x".repeat(1000)]

/** Endpoints without path parameters: a segment wins over every other source. `Pricing.deep.test.ts` has the others. */
const plain = endpoints.filter(({ paths }) => !paths[0]?.includes(":"))

/** A small supply and loan at every lender. */
const startLending = (about: Readonly<Record<"apiKey" | "network" | "pool", string>>) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const lendingRequests = [["/lenderAV3/lend", "USDC", "1000"], ["/lenderAV3/borrow", "DAI", "10"], [
      "/lenderBV3/lend",
      "USDC",
      "10"
    ], ["/lenderC/lend", "USDC", "10"]] as const
    for (const [path, asset, amount] of lendingRequests) {
      const answer = yield* ask(path, { json: { ...about, asset, amount } })
      assert.strictEqual(answer.fields["status"], "success", answer.text)
    }
  })

/** An exchange account with an idle bot. */
const exchangeScene = Effect.gen(function*() {
  const { about, apiKey, manager, secret, set } = yield* registered()
  yield* set({ side: "hold" })
  const signed = { manager: manager.address, signature: "v2.1795284000.0123456789abcdef.0x00" }
  const fixtures: Fixtures = {
    registerCEXSubaccount: { ...signed, exchange: "binance", cex_api_key: apiKey, cex_secret: secret },
    deleteCEXBot: { pair: "ETH-USDT" },
    deleteCEXSubaccount: signed
  }
  return { about, fixtures }
})

/** A vault that may trade perpetual contracts and has some margin, with a resting limit order. */
const perpetualScene = ({ address, apiKey }: { readonly address: Address; readonly apiKey: string }) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const devnet = yield* Devnet
    const pool = yield* yieldVault("hyperliquid")
    yield* Effect.orDie(devnet.setTrader({ network: "hyperliquid", pool, trader: address }))
    yield* Effect.orDie(devnet.faucet({ network: "hyperliquid", address, amountWei: 10n ** 18n }))
    const about = { apiKey, network: "hyperliquid", pool }
    yield* ask("/depositToPerpetuals", { json: { ...about, amount: 200 } })
    const limit = { size: "0.01", price: "2000" }
    const { fields } = yield* ask("/placePerpetualOrder", { json: { ...about, coin: "ETH", side: "buy", ...limit } })
    assert.strictEqual(fields["order_status"], "open")
    const fixtures: Fixtures = {
      placePerpetualOrder: { ...limit, usd: undefined },
      cancelPerpetualOrder: { oid: String(fields["oid"]) }
    }
    return { pool, fixtures }
  })

/**
 * A refused alert that was replayed: asked for again, it is answered from its row. Its index bot has no targets for the
 * side, so the replay accepts no intent.
 */
const replayedSignal = (about: Readonly<Record<"apiKey" | "network" | "pool", string>>) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const { apiKey } = about
    const { fields: made } = yield* ask("/createWebhookToken", { json: { ...about, pair: "WETH-USDC" } })
    const token_id = String(made["token_id"])
    const long = [{ asset: "WETH", weight: 50 }, { asset: "USDC", weight: 50 }]
    const bots = [{ network: about.network, pool: about.pool, index: { long } }]
    const muted = yield* ask("/setWebhookToken", { json: { apiKey, token_id, muted: true, bots } })
    assert.strictEqual(muted.fields["status"], "success", muted.text)
    yield* ask(String(made["path"]), { json: { side: "hold" } })
    const { fields } = yield* ask("/getSignals", { json: { apiKey, token_id } })
    const signal_id = String((fields["signals"] as ReadonlyArray<Fields>)[0]?.["signal_id"])
    const replay = yield* ask("/replaySignal", { json: { apiKey, signal_id } })
    assert.strictEqual(replay.fields["status"], "success", replay.text)
    return { replaySignal: { signal_id }, setWebhookToken: { token_id } }
  })

/** A caller who trades the demo vault, and a valid request for each endpoint. Writes are dry runs. */
const makeScene = Effect.gen(function*() {
  const { address, apiKey, pool } = yield* trader()
  const about = { apiKey, network, pool }
  const provider = { ...about, pool: yield* yieldVault(network) }
  yield* Effect.orDie((yield* Devnet).setTrader({ network, pool: provider.pool, trader: address }))
  yield* startLending(provider)
  const { ask } = yield* Running
  const targets = [{ asset: "WETH", weight: 50 }, { asset: "USDC", weight: 50 }]
  yield* ask("/setIndexBot", { json: { ...about, targets, interval: "6h", max_usd: "1000" } })
  const provided = yield* ask("/addLiquidity", {
    json: { ...provider, asset1: "WETH", asset2: "USDC", input_asset: "USDC", amount: 100 }
  })
  const staked = { token_id: yield* velodromePosition(network, provider.pool, apiKey) }
  yield* ask("/stakeLiquidity", { json: { ...provider, asset1: "WETH", asset2: "USDC", ...staked } })
  const exchanges = yield* exchangeScene
  const perpetuals = yield* perpetualScene({ address, apiKey })
  const values = {
    ...about,
    ...exchanges.about,
    pools: [pool],
    trader: address,
    manager: address,
    wallet: address,
    // Well-formed, but of no known account.
    signature: `v2.1800000000.0123456789abcdef.0x${"12".repeat(65)}`,
    contract: yield* OnChain.token(network, "USDC")
  }
  const pools: Readonly<Record<string, Address>> = {
    Lending: provider.pool,
    Yields: provider.pool,
    Liquidity: provider.pool,
    "Perpetual contracts": perpetuals.pool
  }
  const fixtures: Fixtures = {
    getNewApiKey: { privateKey: "11".repeat(32) },
    removeLiquidity: { token_id: String(provided.fields["token_id"]) },
    ...{ collectFees: staked, stakeLiquidity: staked, unstakeLiquidity: staked, claimRewards: staked },
    setIndexBot: { targets, max_usd: "1000" },
    ...(yield* replayedSignal(about)),
    revokeSubKey: { sub_key_id: "all" },
    revokeWebhookToken: { token_id: "all" },
    setWebhook: { url: "https://1.1.1.1/" },
    createChannel: { url: "https://1.1.1.1/topic" },
    ...exchanges.fixtures,
    ...perpetuals.fixtures
  }
  const requests = new Map(
    Object.entries(endpointsByTitle).flatMap(([title, group]) =>
      group.map((facts) => {
        const known = { ...values, pool: pools[title] ?? pool }
        return [facts.name, asDryRun(facts, exampleRequest(facts, known, fixtureOf(fixtures, facts)))] as const
      })
    )
  )
  return { address, apiKey, pool, of: (facts: EndpointFacts): Params => requests.get(facts.name) ?? {} }
})

/** The scene of a file: its requests change nothing that another test depends on. */
class Scene extends Context.Service<Scene, Effect.Success<typeof makeScene>>()("test/Refusals/Scene") {
  static readonly layer = Layer.effect(Scene, makeScene)
}

/** Returns the values in turn, each of them once before any comes again. */
const inTurn = () => {
  let next = 0
  return <A>(values: ReadonlyArray<A>): A => values[next++ % values.length]!
}

/** The request by every transport the endpoint has. Secrets are not sent in the query. */
const byEachTransport = (facts: EndpointFacts, params: Params): ReadonlyArray<Request> => [
  ...(facts.params.some(({ info }) => info.bodyOnly) ? [] : [{ method: "GET" as const, query: toTexts(params) }]),
  { method: "POST", json: params },
  { method: "POST", form: toTexts(params) }
]

layer(Layer.provideMerge(Scene.layer, running({ networks: [network, "hyperliquid"] })), {
  timeout: 240_000,
  excludeTestServices: true
})(
  "bad requests",
  (it) => {
    it.effect("each endpoint names all the required parameters that miss, before anything else", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { of } = yield* Scene
        for (const facts of plain) {
          const required = facts.params.filter((param) => param.required).map(({ name }) => name)
          const others = Object.fromEntries(
            facts.params.filter((param) => !param.required).map(({ name }) => [name, malformed[name]?.[0]])
          )
          if (required.length === 0) continue
          for (const absent of ["", "null", "NA", "undefined", " "]) {
            const request = {
              method: "POST" as const,
              json: { ...others, ...Object.fromEntries(required.map((name) => [name, absent])) }
            }
            const message = refusedWith(yield* ask(facts.paths[0]!, request), "1010", `${facts.name} without anything`)
            for (const name of required) assert.include(message, name)
          }
          for (const name of required) {
            for (const request of byEachTransport(facts, { ...of(facts), [name]: undefined })) {
              const message = refusedWith(yield* ask(facts.paths[0]!, request), "1010", `${facts.name} without ${name}`)
              assert.strictEqual(message, `Missing required parameter: ${name}`)
            }
          }
        }
      }))

    it.effect("each endpoint refuses each parameter it cannot use by its declared code, whatever the transport, and names it", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { of } = yield* Scene
        const before = yield* ledger
        for (const facts of plain) {
          // Each value comes by another transport than the one before it.
          const transport = inTurn()
          for (const { decode, info, name } of facts.params) {
            const values = malformed[name] ?? unusual.filter((value) => Option.isNone(decode(value)))
            assert.isNotEmpty(values, `${name} has no malformed value here`)
            for (const value of values) {
              const request = transport(byEachTransport(facts, { ...of(facts), [name]: value }))
              const message = refusedWith(
                yield* ask(facts.paths[0]!, request),
                info.code,
                `${facts.name} ${name}=${value}`
              )
              assert.match(message, new RegExp(`^${name}: `))
              if (info.secret) assert.notInclude(message, value)
            }
          }
        }
        assert.deepStrictEqual(yield* ledger, before)
      }))

    it.effect("each endpoint refuses a list or an object where one value is meant", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { of } = yield* Scene
        for (const facts of plain) {
          for (const { info, name } of facts.params) {
            for (
              const value of [
                ...(info.kind === "list" ? [] : [[String(of(facts)[name])]]),
                ...(info.kind === "json" ? [] : [{ value: of(facts)[name] }]),
                [[]]
              ]
            ) {
              refusedWith(
                yield* ask(facts.paths[0]!, { method: "POST", json: { ...of(facts), [name]: value } }),
                info.code,
                `${facts.name} ${name}`
              )
            }
          }
        }
      }))

    it.effect("what is unknown has its code: network, protocol, key, vault, and what comes first wins", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { address, of } = yield* Scene
        const unknown = [
          ["network", "arbitrum", "1000"],
          ["network", "polygon", "1000"],
          ["protocol", "enzyme", "1001"],
          ["apiKey", "00000000-0000-4000-8000-000000000000", "1002"],
          ["pool", address, "1004"],
          ["pool", "0x0000000000000000000000000000000000000000", "1004"]
        ] as const
        for (const facts of endpoints.filter(({ access }) => access === "apiKey")) {
          const has = (name: string) => facts.params.some((param) => param.name === name)
          // Endpoints that need only rows do not check on the chain that a vault exists.
          const asksForVault = has("pool") && !["getIntents", "getSignals"].includes(facts.name) &&
            (!facts.fromRows || facts.trader)
          for (const [name, value, code] of unknown.filter(([each]) => each === "pool" ? asksForVault : has(each))) {
            const message = refusedWith(
              yield* ask(facts.paths[0]!, { json: { ...of(facts), [name]: value } }),
              code,
              `${facts.name} ${name}=${value}`
            )
            assert.match(message, new RegExp(`^${name}: `))
          }
          // The wire's order: fixing each failure uncovers the next.
          const wrongs = [
            ["network", "nowhere", "1000"],
            ["protocol", "enzyme", "1001"],
            ["apiKey", "x", "1002"],
            ["pool", "0x1", "1004"],
            ["trader", "me", "1005"],
            ["share", "0", "1007"],
            ["amount", "-1", "1009"],
            ["platform", "binance", "1010"]
          ] as const
          const own = wrongs.filter(([name]) => has(name))
          for (const [index, [, , code]] of own.entries()) {
            const wrong = Object.fromEntries(own.slice(index).map(([name, value]) => [name, value]))
            refusedWith(
              yield* ask(facts.paths[0]!, { json: { ...of(facts), ...wrong } }),
              code,
              `${facts.name} with ${Object.keys(wrong).join(", ")} wrong`
            )
          }
        }
      }))

    it.effect("a wallet that is not the vault's trader is refused by each endpoint that moves funds, and nothing is kept of it", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { of } = yield* Scene
        const stranger = yield* wallet
        const before = yield* ledger
        for (const facts of endpoints.filter((endpoint) => endpoint.trader)) {
          for (const dryRun of ["true", "false"]) {
            refusedWith(
              yield* ask(facts.paths[0]!, { json: { ...of(facts), apiKey: stranger.apiKey, dryRun } }),
              "1006",
              facts.name
            )
          }
        }
        assert.deepStrictEqual(yield* ledger, before)
      }))

    it.effect("a value given twice must agree where something changes; where nothing does the query wins", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { address, apiKey, of, pool } = yield* Scene
        const trade = toTexts(of(endpoints.find(({ name }) => name === "vaultTrade")!))
        const twice = { query: { ...trade, amount: ["1", "2"] } }
        assert.match(refusedWith(yield* ask("/vaultTrade", twice), "1010", "twice in the query"), /^amount: /)
        const contradicting = { query: trade, json: { amount: 2 } }
        assert.match(refusedWith(yield* ask("/vaultTrade", contradicting), "1010", "query and body"), /^amount: /)
        const header = { query: trade, headers: { "x-api-key": "00000000-0000-4000-8000-000000000000" } }
        assert.match(refusedWith(yield* ask("/vaultTrade", header), "1010", "query and header"), /apiKey/)
        const agreeing = yield* ask("/vaultTrade", {
          query: { ...trade, amount: ["1", "1"] },
          json: { amount: "1", network: "BASE" }
        })
        assert.strictEqual(agreeing.fields["status"], "success", agreeing.text)
        const read = yield* ask("/isPoolTrader", {
          query: { apiKey, network, pool, trader: address },
          json: { trader: pool, network: "nowhere" }
        })
        assert.strictEqual((read.fields["data"] as Params)["trader"], address, read.text)
      }))

    it.effect("a body that is no parameters is no obstacle where the query has them, and none at all otherwise", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey } = yield* Scene
        const bodies = [
          "[1,2]",
          "null",
          "42",
          "\"text\"",
          "{\"apiKey\":",
          "not json at all",
          "\0\0\0",
          "{}",
          "  ",
          "\ud800",
          "true",
          "[{\"apiKey\":1}]"
        ]
        for (const raw of bodies) {
          for (const contentType of ["application/json", "text/plain", "application/octet-stream"]) {
            const headers = { "content-type": contentType }
            const answer = yield* ask("/getGasBalance", { query: { apiKey, network }, raw, headers })
            assert.strictEqual(answer.fields["status"], "success", `${raw}: ${answer.text}`)
            refusedWith(yield* ask("/getGasBalance", { raw, headers }), "1010", raw)
          }
        }
      }))

    it.effect("hostile members and texts are answered like any other bad value", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey, of, pool } = yield* Scene
        const before = yield* ledger
        const hostile = [
          "\u0000",
          "USDC\u0000",
          "\ud800",
          "\udfff\ud800",
          "x".repeat(60_000),
          "'; drop table intents; --",
          "${7*7}",
          "../../etc/passwd",
          "\r\nX: y",
          "🦄"
        ]
        // A parameter has one decoder at all endpoints: each endpoint gets three of the values, in turn.
        const text = inTurn()
        for (const facts of plain) {
          const isOfGroup = facts.params.some(({ name }) => name === "group")
          for (const { name } of facts.params) {
            for (const value of [text(hostile), text(hostile), text(hostile)]) {
              const answer = yield* ask(facts.paths[0]!, { method: "POST", json: { ...of(facts), [name]: value } })
              isOfTheWire(answer, `${facts.name} ${name}=${JSON.stringify(value.slice(0, 20))}`)
              // An idempotency key may be any printable text; a group's trade fails then, because there is no group.
              const usable = (name === "idempotency_key" && !isOfGroup && /^[\x21-\x7e]{1,255}$/.test(value)) ||
                // So may labels, and the subject of a signature.
                (((name === "label" && facts.access === "apiKey") || name === "subject" || name === "reason") &&
                  /^[^\p{Cc}\p{Cs}]{1,64}$/u.test(value.trim()))
              assert.strictEqual(
                answer.fields["status"],
                usable ? "success" : "fail",
                `${name}=${JSON.stringify(value.slice(0, 20))}: ${answer.text}`
              )
              // Its own label is shown to a caller.
              if (name !== "subject" && name !== "reason" && !(usable && name === "label")) {
                assert.notInclude(answer.text, value.length > 1_000 ? value : "drop table")
              }
            }
          }
        }
        const polluted = yield* ask("/poolComposition", {
          raw:
            `{"__proto__":{"apiKey":"${apiKey}","network":"base"},"constructor":{"prototype":{"network":"base"}},"pool":"${pool}"}`
        })
        refusedWith(polluted, "1010", "__proto__")
        const named = yield* ask("/poolComposition", {
          raw: JSON.stringify({ apiKey, network, pool }).replace("{", `{"__proto__":1,"toString":2,`)
        })
        assert.strictEqual(named.fields["status"], "success", named.text)
        // A bot has no dry run: settings under keys its caller may use become turns that hold.
        const [turns] = yield* rows(`select count(*)::int as turns from intents where endpoint = 'setBot'`)
        const after = yield* ledger
        assert.deepStrictEqual({ ...after, intents: after.intents - Number(turns?.["turns"]) }, before)
      }))

    it.effect("a body over 64 KiB is 413, announced or not, and the service keeps running", () =>
      Effect.gen(function*() {
        const { ask, baseUrl } = yield* Running
        const { apiKey } = yield* Scene
        const large = JSON.stringify({ apiKey, network, filler: "x".repeat(1_000_000) })
        for (const path of ["/getGasBalance", "/vaultTrade", "/createGasWallet"]) {
          const answer = yield* ask(path, { raw: large, headers: { "content-type": "application/json" } })
          assert.strictEqual(answer.status, 413, answer.text)
          isOfTheWire(answer, path)
        }
        const chunked = yield* spoken(baseUrl, [
          `POST /getGasBalance HTTP/1.1\r\nHost: localhost:${
            new URL(baseUrl).port
          }\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
          ...Array.from({ length: 40 }, () => `1000\r\n${"x".repeat(4096)}\r\n`),
          "0\r\n\r\n"
        ])
        assert.match(chunked, /^HTTP\/1\.1 413 /)
        const fits = yield* ask("/getGasBalance", { json: { apiKey, network, filler: "x".repeat(60_000) } })
        assert.strictEqual(fits.fields["status"], "success", fits.text)
      }))

    it.effect("unknown paths are 404 and wrong methods 405, in JSON and with the headers", () =>
      Effect.gen(function*() {
        const { ask, baseUrl } = yield* Running
        for (
          const path of [
            "/nothing",
            "/vaultTrade/extra",
            "/%00",
            "/%zz",
            "/..%2fversion",
            "/__proto__",
            "/favicon.ico",
            `/${"x".repeat(4_000)}`
          ]
        ) {
          const answer = yield* ask(path)
          assert.strictEqual(answer.status, 404, `${path}: ${answer.text}`)
          isOfTheWire(answer, path)
        }
        for (const { methods, name, paths } of endpoints) {
          for (
            const method of (["GET", "POST", "PUT", "PATCH", "DELETE"] as const).filter((each) =>
              !methods.some((allowed) => allowed === each)
            )
          ) {
            const answer = yield* ask(paths[0]!, { method })
            assert.strictEqual(answer.status, 405, `${method} ${name}`)
            assert.strictEqual(answer.headers.get("allow"), methods.join(", "))
            isOfTheWire(answer, `${method} ${name}`)
          }
          assert.match(
            yield* spoken(baseUrl, [
              `OPTIONS ${paths[0]} HTTP/1.1\r\nHost: localhost:${new URL(baseUrl).port}\r\nConnection: close\r\n\r\n`
            ]),
            /^HTTP\/1\.1 405 /
          )
        }
        for (const target of ["http://elsewhere/version", "//version", "/version?%"]) {
          assert.match(
            yield* spoken(baseUrl, [
              `GET ${target} HTTP/1.1\r\nHost: localhost:${new URL(baseUrl).port}\r\nConnection: close\r\n\r\n`
            ]),
            /^HTTP\/1\.1 (200|404) /
          )
        }
      }))

    it.effect("every kind of answer has the headers, and a request id given is a request id kept if it is one", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        for (
          const path of [
            "/version",
            "/health/live",
            "/openapi.json",
            "/__docs__",
            "/llmIntrospect",
            "/nothing",
            "/vaultTrade",
            "/createGasWallet"
          ]
        ) {
          hasTheHeaders((yield* ask(path)).headers, path)
        }
        const idOf = (given: string) =>
          Effect.map(
            ask("/version", { headers: { "x-request-id": given } }),
            ({ headers }) => headers.get("x-request-id")
          )
        assert.strictEqual(yield* idOf("trace:1.a-b_c"), "trace:1.a-b_c")
        for (const given of ["with space", "x".repeat(129), "<script>"]) {
          assert.notStrictEqual(yield* idOf(given), given)
        }
      }))

    it.effect("a prefetch or a HEAD changes nothing", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { of } = yield* Scene
        const before = yield* ledger
        const wallets = rows("select count(*)::int as wallets from gas_wallets")
        const known = yield* wallets
        for (
          const facts of endpoints.filter((endpoint) => endpoint.class !== "readOnly")
        ) {
          const { dryRun: _, ...params } = toTexts(of(facts))
          const answer = yield* ask(facts.paths[0]!, {
            method: facts.method as "GET" | "POST",
            query: params,
            headers: { "sec-purpose": "prefetch" }
          })
          assert.strictEqual(answer.status, 403, facts.name)
          isOfTheWire(answer, facts.name)
          const head = yield* ask(facts.paths[0]!, { method: "HEAD", query: params })
          assert.deepStrictEqual([head.status, head.text], [405, ""], facts.name)
        }
        assert.deepStrictEqual(yield* wallets, known)
        assert.deepStrictEqual(yield* ledger, before)
      }))

    it.effect("whatever comes, no answer is a 500, every answer is the wire's, and the ledger stays as it is", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey, of, pool } = yield* Scene
        const stranger = yield* wallet
        const before = yield* ledger
        const requests = randomRequests({ keys: [apiKey, stranger.apiKey], pool, of })
        for (const { facts, request } of FastCheck.sample(requests, { numRuns: 200, seed: 7 })) {
          isOfTheWire(yield* ask(facts.paths[0]!, request), `${facts.name} ${JSON.stringify(request)}`)
        }
        assert.deepStrictEqual(yield* ledger, before)
      }))
  }
)

layer(running({ env: { RATE_LIMIT: "on", RATE_LIMIT_BURST: "5", RATE_LIMIT_PER_MINUTE: "1" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("too many requests", (it) => {
  it.effect("are answered with the HTML 503, with the headers and the time to wait, and health with its truth", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const answers = yield* Effect.forEach(Array.from({ length: 8 }), () => ask("/llmIntrospect"), {
        concurrency: "unbounded"
      })
      const throttled = answers.filter(({ status }) => status === 503)
      assert.strictEqual(throttled.length, 3)
      for (const { headers, text } of throttled) {
        assert.include(text, "503 Service Temporarily Unavailable")
        assert.match(headers.get("content-type") ?? "", /text\/html/)
        assert.isAtLeast(Number(headers.get("retry-after")), 1)
        hasTheHeaders(headers, "throttled")
      }
      yield* until(
        "an unthrottled answer that it is ready",
        Effect.map(ask("/health/ready"), ({ status }) => status === 200 ? true : undefined)
      )
    }))
})

/** Sends these bytes and returns what the server answers until it closes. */
const spoken = (baseUrl: string, parts: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const socket = Net.connect(Number(new URL(baseUrl).port), "127.0.0.1")
    let said = ""
    socket.on("data", (chunk: Buffer) => {
      said += chunk.toString("latin1")
    })
    // A server that has answered may close while the test still sends.
    socket.on("error", () => {})
    for (const part of parts) socket.write(part)
    await new Promise((closed) => socket.once("close", closed))
    return said
  })

/**
 * Requests of declared parameters, valid and invalid, with garbage among them. Authorized callers only send dry runs.
 */
const randomRequests = (
  known: {
    readonly keys: readonly [mayTrade: string, stranger: string]
    readonly pool: string
    readonly of: (facts: EndpointFacts) => Params
  }
) => {
  const garbage = FastCheck.oneof(
    FastCheck.string({ unit: "binary", maxLength: 300 }),
    FastCheck.constantFrom(
      "",
      "null",
      "0",
      "-1",
      "1e80",
      "9".repeat(80),
      "true",
      "ALL",
      "auto",
      "WETH",
      "aave",
      "__proto__",
      known.pool,
      "0x" + "f".repeat(40)
    ),
    FastCheck.double(),
    FastCheck.bigInt().map(String),
    FastCheck.boolean(),
    FastCheck.constant(null),
    FastCheck.jsonValue({ maxDepth: 3 })
  )
  const paramsOf = (facts: EndpointFacts) =>
    FastCheck.record(
      Object.fromEntries(facts.params.map(({ info, name }) => {
        const good = FastCheck.constantFrom(
          ...[known.of(facts)[name], info.example, ...(name === "apiKey" ? known.keys : [])].filter((value) =>
            value !== undefined
          )
        )
        return [name, FastCheck.oneof({ weight: 5, arbitrary: good }, { weight: 2, arbitrary: garbage })]
      })),
      { requiredKeys: facts.params.filter(({ required }) => required).map(({ name }) => name).slice(0, 3) }
    )
  const harmless = (facts: EndpointFacts, params: Params): Params =>
    facts.class === "movesFunds" && (!facts.trader || params["apiKey"] !== known.keys[1])
      ? { ...params, dryRun: "true", execute: "false" }
      // An index that is enabled would trade by itself.
      : facts.name === "setIndexBot"
      ? { ...params, enabled: "false" }
      : params
  return FastCheck.constantFrom(...endpoints).chain((facts) =>
    FastCheck.tuple(
      paramsOf(facts),
      FastCheck.dictionary(FastCheck.string({ maxLength: 20 }), garbage, { maxKeys: 4 }),
      FastCheck.constantFrom("query", "json", "form", "both")
    ).map(
      ([chosen, extra, transport]) => {
        const params = harmless(facts, { ...extra, ...chosen })
        const bodyOnly = facts.methods.every((method) => method === "POST")
        const request: Request = transport === "json" || bodyOnly
          ? { method: "POST", json: params }
          : transport === "form"
          ? { method: "POST", form: toTexts(params) }
          : {
            method: transport === "query" ? "GET" : "POST",
            query: toTexts(params),
            ...(transport === "both" ? { json: params } : {})
          }
        return { facts, request }
      }
    )
  )
}
