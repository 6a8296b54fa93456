import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { format, usd } from "@vault-trader/core/chain/Quantity"
import { endpoints, endpointsByTitle } from "@vault-trader/core/Catalogue"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { sentenceOf } from "@vault-trader/core/change-approval/ChangeRequest"
import { ChangeRequestStore } from "@vault-trader/core/change-approval/ChangeRequestStore"
import { LimitsChange } from "@vault-trader/core/change-approval/ProposedChange"
import { KeyLimits, none } from "@vault-trader/core/gas-wallet/KeyLimits"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Schema from "effect/Schema"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import * as ExampleRequest from "@vault-trader/testing/harness/ExampleRequest"
import { customer, registered } from "@vault-trader/testing/harness/ExchangeSetup"
import { until } from "@vault-trader/testing/harness/Until"
import {
  type Answer,
  demoVault,
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
import { contradictions, type Contradictions } from "@vault-trader/testing/harness/OpenApiAnswers"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { type Person, person, personOf, proof } from "@vault-trader/testing/harness/Signing"

const network = "base"
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const refused = ({ fields, status, text }: Answer, code: string): string => {
  assert.strictEqual(status, 200, text)
  assert.strictEqual(fields["status"], "fail", text)
  assert.strictEqual(fields["status_code"], code, text)
  return String(fields["message"])
}

const unboxed = { accept: "application/vnd.vault-trader.v1+json" }

/**
 * Asserts that the answer has `status` first, every field in a one-element array unless its media type has no boxes, and
 * values of the endpoint's own schema and of the OpenAPI document.
 */
const conforms = (facts: EndpointFacts, answer: Answer, contradictionsOf: Contradictions) => {
  assert.strictEqual(answer.status, 200, answer.text)
  assert.strictEqual(Object.keys(answer.body)[0], "status")
  const isBoxed = answer.headers.get("content-type") === "application/json"
  if (!isBoxed) assert.strictEqual(answer.headers.get("content-type"), unboxed.accept)
  const opened = Object.fromEntries(
    Object.entries(answer.body).map(([field, value]) => {
      if (!isBoxed) return [field, value]
      assert.isTrue(Array.isArray(value) && value.length === 1, answer.text)
      return [field, (value as ReadonlyArray<unknown>)[0]]
    })
  )
  assert.isTrue(Schema.is(Schema.toEncoded(facts.success))(opened), answer.text)
  assert.deepStrictEqual(contradictionsOf(facts, answer), [], answer.text)
}

/** The parameters that an endpoint's set-up adds to its example request, made again for each request. */
type Prepared =
  | Readonly<Record<string, string>>
  | Effect.Effect<Readonly<Record<string, string>>, never, Running | SqlClient.SqlClient>

/** A request with these parameters, and the manager's signature over them. */
const signedBy = (manager: Person, action: string, params: Readonly<Record<string, string>>, subject?: string) =>
  Effect.map(proof(manager, action, subject, params), (signed) => ({ ...params, ...signed }))

/** An exchange account, four bots and four accounts to delete, and four to connect: one for each transport. */
const exchangeScene = Effect.gen(function*() {
  const { about, set } = yield* registered()
  const pairs = ["ETH-USDT", "SOL-USDT", "BTC-USDC", "ETH-USDC"]
  yield* Effect.forEach(pairs, (pair) => set({ pair, side: "hold" }))
  yield* set({ side: "hold" })
  const newcomers = yield* Effect.forEach(
    ["one", "two", "three", "four"],
    () =>
      Effect.flatMap(
        customer(),
        ({ about: key, apiKey, manager, secret }) =>
          signedBy(manager, "registerCEXSubaccount", {
            ...key,
            exchange: "binance",
            cex_api_key: apiKey,
            cex_secret: secret
          })
      )
  )
  const leavers = yield* Effect.forEach(
    ["one", "two", "three", "four"],
    () =>
      Effect.flatMap(
        registered(),
        ({ manager }) => signedBy(manager, "deleteCEXSubaccount", { subaccount_name: "main" })
      )
  )
  const fixtures: ExampleRequest.Fixtures<() => Prepared> = {
    registerCEXSubaccount: () => newcomers.pop()!,
    deleteCEXBot: () => ({ pair: pairs.pop()! }),
    deleteCEXSubaccount: () => leavers.pop()!
  }
  return { about, fixtures }
})

/** A vault that may trade perpetual contracts, with enough margin. */
const perpetualScene = ({ address, apiKey }: { readonly address: Address; readonly apiKey: string }) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const devnet = yield* Devnet
    const pool = yield* yieldVault("hyperliquid")
    yield* Effect.orDie(devnet.setTrader({ network: "hyperliquid", pool, trader: address }))
    yield* Effect.orDie(devnet.faucet({ network: "hyperliquid", address, amountWei: 10n ** 18n }))
    const about = { apiKey, pool }
    yield* ask("/depositToPerpetuals", { json: { ...about, amount: 5000 } })
    const order = { ...about, coin: "ETH", side: "buy", size: "0.01", price: "2000" }
    const fixtures: ExampleRequest.Fixtures<() => Prepared> = {
      cancelPerpetualOrder: () =>
        Effect.map(ask("/placePerpetualOrder", { json: order }), ({ fields }) => ({ oid: String(fields["oid"]) }))
    }
    return { pool, fixtures }
  })

/** The service's approver. No change needs approvals here, but those that are requested can be voted on. */
const approver = personOf(generatePrivateKey())

/** Votes on a new request each time. */
const votes = Effect.gen(function*() {
  const { propose } = yield* Effect.provide(ChangeRequestStore, ChangeRequestStore.layer)
  const voteOf = (action: string) => () =>
    Effect.gen(function*() {
      const change = LimitsChange.make({
        ...{ wallet: (yield* wallet).address, manager: null, after: none },
        before: KeyLimits.make({ ...none, readOnly: true })
      })
      const request = yield* Effect.orDie(propose(change, { proposer: "operator", delayHours: 0 }))
      return yield* signedBy(approver, action, { request: request.id, change: sentenceOf(request) })
    })
  const fixtures: ExampleRequest.Fixtures<() => Prepared> = {
    approveChange: voteOf("approveChange"),
    vetoChange: voteOf("vetoChange")
  }
  return { fixtures }
})

/** The transports of a request's parameters. */
const transports: Readonly<Record<string, (params: Readonly<Record<string, string>>) => Request>> = {
  query: (query) => ({ method: "GET", query }),
  "query of a POST": (query) => ({ method: "POST", query }),
  JSON: (json) => ({ method: "POST", json }),
  form: (form) => ({ method: "POST", form })
}

/** A path as in the catalogue, with parameters as segments. */
const segmented = (path: string) => path.replace(/\{(\w+)\}/g, ":$1")

const line = (composition: Fields, symbol: string): Fields => {
  const found = (composition["composition"] as ReadonlyArray<Fields>).find((each) => each["symbol"] === symbol)
  assert.isDefined(found, symbol)
  return found
}

layer(running({ networks: ["base", "polygon", "ethereum", "hyperliquid"], env: { APPROVERS: approver.address } }), {
  timeout: 240_000,
  excludeTestServices: true
})("the endpoints", (it) => {
  it.effect("each answers its own schema's success by query, JSON and form, whatever its class", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, pool } = yield* trader()
      const usdc = yield* OnChain.token(network, "USDC")
      const { fields } = yield* ask("/vaultTrade", { query: { apiKey, pool, from: "USDC", to: "DAI", amount: "5" } })
      const about = { apiKey, network, pool }
      const lendable = yield* yieldVault(network)
      yield* Effect.orDie((yield* Devnet).setTrader({ network, pool: lendable, trader: address }))
      const provided = yield* ask("/addLiquidity", {
        json: { apiKey, network, pool: lendable, asset1: "WETH", asset2: "USDC", input_asset: "USDC", amount: 500 }
      })
      const position = String(provided.fields["token_id"])
      const stakeable = yield* velodromePosition(network, lendable, apiKey)
      const liquid = { apiKey, network, pool: lendable, asset1: "WETH", asset2: "USDC" }
      const index = [{ asset: "WETH", weight: 20 }, { asset: "USDC", weight: 80 }]
      const manager = yield* person
      const proven = (action: string, subject: string, more: Readonly<Record<string, string>>) =>
        signedBy(manager, action, more, subject)
      const done = (path: string, json: Readonly<Record<string, string>>) => Effect.map(ask(path, { json }), succeeded)
      const associated = Effect.gen(function*() {
        const { address: another, apiKey: key } = yield* wallet
        yield* done("/associateGasWallet", yield* proven("associateGasWallet", another, { apiKey: key }))
        return another
      })
      const token = String((yield* done("/createWebhookToken", { ...about, pair: "WETH-USDC" }))["token"])
      const placed = Effect.map(
        done("/placeOrder", {
          ...about,
          type: "limit",
          side: "sell",
          pair: "WETH-USDC",
          amount: "1",
          limit_price: "9999"
        }),
        ({ data }) => String((data as Fields)["id"])
      )
      /** A signal that was refused only because its token was muted. */
      const refusedSignal = Effect.gen(function*() {
        const made = yield* done("/createWebhookToken", { ...about, pair: "WETH-USDC" })
        yield* done("/setWebhookToken", { apiKey, token_id: String(made["token_id"]), muted: "true" })
        yield* ask(String(made["path"]), { json: { side: "hold" } })
        const { fields: found } = yield* ask("/getSignals", { query: { apiKey, token_id: String(made["token_id"]) } })
        return { signal_id: String((found["signals"] as ReadonlyArray<Fields>)[0]?.["signal_id"]) }
      })
      const webhook = { apiKey, url: "https://1.1.1.1/", events: "bot.paused" }
      /** A channel of a wallet of its own. */
      const channel = Effect.gen(function*() {
        const { apiKey: key } = yield* wallet
        const mail = { smtp_host: "1.1.1.1", from: "a@example.com", to: "b@example.com" }
        const made = yield* done("/createChannel", { apiKey: key, kind: "email", name: "mail", ...mail })
        const channel_id = String((made["channel"] as Fields)["channel_id"])
        return { apiKey: key, channel_id }
      })
      /** The same, which sends nothing: its mail server has become a private address. */
      const silentChannel = Effect.tap(
        channel,
        ({ channel_id }) =>
          rows(`update notification_channels set settings = settings || '{"host": "10.0.0.1"}'
          where id = '${channel_id}' returning id`)
      )
      const exchanges = yield* exchangeScene
      const perpetuals = yield* perpetualScene({ address, apiKey })
      const scene = {
        ...about,
        ...exchanges.about,
        pools: [pool],
        trader: address,
        manager: address,
        contract: usdc,
        intent_id: fields["intent_id"]
      }
      const pools: Readonly<Record<string, Address>> = {
        Lending: lendable,
        Yields: lendable,
        Liquidity: lendable,
        "Perpetual contracts": perpetuals.pool
      }
      const fixtures: ExampleRequest.Fixtures<() => Prepared> = {
        // Stopped, and resumed by the next in the catalogue.
        pauseBot: () => Effect.as(done("/setBot", { ...about, pair: "DAI-USDC", side: "hold" }), {}),
        unlinkGasWallet: () => Effect.as(done("/linkGasWallet", about), {}),
        associateGasWallet: () =>
          Effect.flatMap(
            wallet,
            (another) => proven("associateGasWallet", another.address, { apiKey: another.apiKey, label: "one" })
          ),
        deassociateGasWallet: () =>
          Effect.flatMap(associated, (another) => proven("deassociateGasWallet", another, { wallet: another })),
        getAssociatedGasWallets: () => proof(manager, "getAssociatedGasWallets"),
        setKeyLimits: () => Effect.map(wallet, (another) => ({ apiKey: another.apiKey })),
        revokeWebhookToken: () =>
          Effect.map(
            done("/createWebhookToken", { ...about, pair: "WETH-USDC" }),
            (made) => ({ token_id: String(made["token_id"]) })
          ),
        revokeSubKey: () =>
          Effect.map(
            done("/createSubKey", { apiKey }),
            (made) => ({ sub_key_id: String((made["sub_key"] as Fields)["sub_key_id"]) })
          ),
        webhook: () => ({ token }),
        testWebhook: () => ({ token }),
        setWebhookToken: () =>
          Effect.map(
            done("/createWebhookToken", { ...about, pair: "WETH-USDC" }),
            (made) => ({ token_id: String(made["token_id"]) })
          ),
        replaySignal: () => refusedSignal,
        setWebhook: () => ({ url: webhook.url }),
        deleteWebhook: () =>
          Effect.map(done("/setWebhook", webhook), (made) => ({ webhook_id: String(made["webhook_id"]) })),
        createChannel: () => ({ name: crypto.randomUUID(), url: "https://1.1.1.1/topic" }),
        updateChannel: () => channel,
        deleteChannel: () => channel,
        testChannel: () => silentChannel,
        getChannelMessages: () => channel,
        getNewApiKey: () => ({ privateKey: generatePrivateKey() }),
        removeLiquidity: () => ({ token_id: position }),
        collectFees: () => ({ token_id: position }),
        stakeLiquidity: () => ({ token_id: stakeable }),
        unstakeLiquidity: () => ({ token_id: stakeable }),
        // The one before has taken it back.
        claimRewards: () =>
          Effect.as(done("/stakeLiquidity", { ...liquid, token_id: stakeable }), { token_id: stakeable }),
        tradeGroup: () => {
          const members = JSON.stringify([{ network, pool }])
          return Effect.as(done("/setVaultGroup", { apiKey: about.apiKey, group: "majors", members }), {})
        },
        setIndexBot: () => ({ targets: JSON.stringify(index), max_usd: "100" }),
        rebalancePool: () => ({ execute: "true" }),
        amendOrder: () => Effect.map(placed, (order) => ({ order })),
        getOrder: () => Effect.map(placed, (order) => ({ order })),
        resetGuardian: () => Effect.as(done("/setGuardian", { ...about, kind: "gas", min_gas: "0.005" }), {}),
        ...exchanges.fixtures,
        ...perpetuals.fixtures,
        ...(yield* votes).fixtures
      }
      const described = contradictions(
        (yield* ask("/openapi.json")).body,
        (yield* ask("/openapi.json", { query: { answers: "boxed" } })).body
      )
      // createGasWallet is not in the document.
      const contradictionsOf: Contradictions = (facts, answer) => facts.listed ? described(facts, answer) : []
      for (const [title, group] of Object.entries(endpointsByTitle)) {
        for (const facts of group) {
          for (const [transport, toRequest] of Object.entries(transports)) {
            const prepared = ExampleRequest.fixtureOf(fixtures, facts)?.() ?? {}
            const all = ExampleRequest.toTexts(
              ExampleRequest.exampleRequest(
                facts,
                { ...scene, pool: pools[title] ?? pool },
                Effect.isEffect(prepared) ? yield* prepared : prepared
              )
            )
            for (const each of facts.paths) {
              const { params, path } = ExampleRequest.fillPath(each, all)
              const request = toRequest(params)
              if (
                !facts.methods.includes(request.method as "GET") ||
                (facts.params.some(({ info }) => info.bodyOnly) && request.query !== undefined)
              ) continue
              // One of the transports asks for answers without boxes.
              const answer = yield* ask(path, transport === "form" ? { ...request, headers: unboxed } : request)
              assert.strictEqual(answer.fields["status"], "success", `${facts.name} by ${transport}: ${answer.text}`)
              conforms(facts, answer, contradictionsOf)
            }
          }
        }
      }
    }))

  it.effect("createGasWallet answers four fields and no more, a key that is the wallet's, and another wallet each time", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const answers = yield* Effect.forEach(
        [{}, { json: {} }, { form: {} }],
        (request) => ask("/createGasWallet", request)
      )
      for (const answer of answers) {
        const fields = succeeded(answer)
        assert.deepStrictEqual(Object.keys(answer.body), ["status", "address", "private_key", "apiKey"])
        assert.match(String(fields["private_key"]), /^[0-9a-f]{64}$/)
        assert.match(String(fields["apiKey"]), uuid)
        assert.strictEqual(fields["address"], privateKeyToAddress(`0x${String(fields["private_key"])}`).toLowerCase())
      }
      for (const field of ["address", "private_key", "apiKey"]) {
        assert.strictEqual(new Set(answers.map(({ fields }) => fields[field])).size, 3)
      }
    }))

  it.effect("getNewApiKey revokes the old key at once, takes the private key with and without 0x, and keeps the wallet", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, privateKey } = yield* wallet
      const balance = (key: string) => ask("/getGasBalance", { query: { apiKey: key, network } })
      let current = apiKey
      for (
        const request of [{ json: { privateKey } }, { form: { privateKey: `0x${privateKey}` } }, {
          json: { privateKey: `0X${privateKey.toUpperCase()}` }
        }]
      ) {
        const answer = yield* ask("/getNewApiKey", request)
        const fields = succeeded(answer)
        assert.strictEqual(fields["address"], address)
        assert.match(String(fields["message"]), /revoked/)
        assert.notInclude(answer.text, privateKey)
        refused(yield* balance(current), "1002")
        current = String(fields["apiKey"])
        assert.strictEqual(succeeded(yield* balance(current))["address"], address)
      }
      assert.deepStrictEqual(
        yield* rows(`select count(*)::int as wallets from gas_wallets where address = '${address}'`),
        [{ wallets: 1 }]
      )
    }))

  it.effect("getNewApiKey asked ten times at once leaves exactly one of the ten keys", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { privateKey } = yield* wallet
      const keys = yield* Effect.forEach(Array.from({ length: 10 }), () =>
        Effect.map(ask("/getNewApiKey", { json: { privateKey } }), (answer) => String(succeeded(answer)["apiKey"])), {
        concurrency: "unbounded"
      })
      const answers = yield* Effect.forEach(keys, (apiKey) =>
        ask("/getGasBalance", { query: { apiKey, network } }))
      assert.strictEqual(
        answers.filter(({ fields }) =>
          fields["status"] === "success"
        ).length,
        1
      )
      assert.strictEqual(answers.filter(({ fields }) => fields["status_code"] === "1002").length, 9)
    }))

  it.effect("getNewApiKey imports a wallet the service does not know, and the wallet can then trade", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const privateKey = generatePrivateKey()
      const address = privateKeyToAddress(privateKey).toLowerCase() as Address
      const issued = succeeded(yield* ask("/getNewApiKey", { json: { privateKey } }))
      assert.strictEqual(issued["address"], address)
      const pool = yield* demoVault(network)
      yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 10n ** 18n }))
      yield* Effect.orDie(devnet.setTrader({ network, pool, trader: address }))
      succeeded(
        yield* ask("/vaultTrade", {
          query: { apiKey: String(issued["apiKey"]), pool, from: "USDC", to: "DAI", amount: "1" }
        })
      )
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 1)
    }))

  it.effect("getNewApiKey refuses a key in the URL, a malformed key, and GET", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey, privateKey } = yield* wallet
      const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
      assert.match(refused(yield* ask("/getNewApiKey", { method: "POST", query: { privateKey } }), "1010"), /body/)
      assert.match(
        refused(yield* ask("/getNewApiKey", { query: { privateKey }, json: { privateKey } }), "1010"),
        /body/
      )
      for (
        const none of [
          "0".repeat(64),
          order,
          `0x${order}`,
          "f".repeat(64),
          privateKey.slice(1),
          `${privateKey}0`,
          "z".repeat(64)
        ]
      ) {
        const answer = yield* ask("/getNewApiKey", { json: { privateKey: none } })
        assert.match(refused(answer, "1010"), /privateKey/)
        assert.notInclude(answer.text, none)
      }
      const got = yield* ask("/getNewApiKey")
      assert.strictEqual(got.status, 405)
      assert.strictEqual(got.headers.get("allow"), "POST")
      succeeded(yield* ask("/getGasBalance", { query: { apiKey, network } }))
    }))

  it.effect("a key may come as Bearer or X-API-Key, in any case, and two different keys are refused", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey } = yield* wallet
      const headers = [{ authorization: `Bearer ${apiKey}` }, { authorization: `bearer ${apiKey.toUpperCase()}` }, {
        "x-api-key": apiKey
      }]
      for (const each of headers) {
        assert.strictEqual(
          succeeded(yield* ask("/getGasBalance", { query: { network }, headers: each }))["address"],
          address
        )
      }
      const other = yield* wallet
      const pool = yield* demoVault(network)
      const write = { apiKey, network, pool, asset: "USDC" }
      assert.match(
        refused(yield* ask("/approve", { json: write, headers: { "x-api-key": other.apiKey } }), "1010"),
        /apiKey/
      )
    }))

  it.effect("getGasBalance returns the native balance and its value, for one network, its alias, or all", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const { address, apiKey } = yield* wallet
      yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 1_500_000_000_000_000_000n }))
      yield* Effect.orDie(devnet.faucet({ network: "polygon", address, amountWei: 10n ** 19n + 1n }))
      const of = (query: Readonly<Record<string, string>>) =>
        Effect.map(ask("/getGasBalance", { query: { apiKey, ...query } }), succeeded)
      assert.deepStrictEqual(yield* of({ network: "Base" }), {
        status: "success",
        address,
        token: "ETH",
        balance: "1.5"
      })
      assert.deepStrictEqual(yield* of({ network, USD: "1" }), {
        status: "success",
        address,
        token: "ETH",
        balance: "1.5",
        balance_usd: 4500
      })
      assert.deepStrictEqual(yield* of({ network, USD: "FALSE" }), {
        status: "success",
        address,
        token: "ETH",
        balance: "1.5"
      })
      assert.deepStrictEqual(yield* of({ network: "mainnet" }), {
        status: "success",
        address,
        token: "ETH",
        balance: "0"
      })
      assert.deepStrictEqual(yield* of({ network: "all", USD: "true" }), {
        status: "success",
        address,
        balances: [
          { network: "base", address, token: "ETH", balance: "1.5", balance_usd: 4500 },
          { network: "polygon", address, token: "POL", balance: "10.000000000000000001", balance_usd: 5 },
          { network: "ethereum", address, token: "ETH", balance: "0", balance_usd: 0 },
          { network: "hyperliquid", address, token: "HYPE", balance: "0", balance_usd: 0 }
        ]
      })
    }))

  it.effect("isPoolTrader is false before and true after the manager names the wallet, with any spelling of addresses", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const { address, apiKey } = yield* wallet
      const pool = yield* demoVault(network)
      const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`
      const of = (query: Readonly<Record<string, string>>) =>
        Effect.map(
          ask("/isPoolTrader", { query: { apiKey, network, pool, trader: address, ...query } }),
          (answer) => succeeded(answer)["data"]
        )
      const before = (yield* of({})) as Fields
      assert.isFalse(before["isTrader"])
      assert.notStrictEqual(before["poolTrader"], address)
      yield* Effect.orDie(devnet.setTrader({ network, pool, trader: address }))
      const after = {
        network,
        pool,
        trader: address,
        poolTrader: address,
        manager: devnet.file.manager.address,
        isTrader: true
      }
      assert.deepStrictEqual(yield* of({}), after)
      assert.deepStrictEqual(yield* of({ pool: upper(pool), trader: upper(address), protocol: "Chamber" }), after)
    }))

  it.effect("poolComposition is what the platform says on chain, asset by asset", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const { apiKey } = yield* wallet
      for (const each of ["base", "polygon"] as const) {
        const pool = yield* demoVault(each)
        const said = succeeded(
          yield* ask("/poolComposition", { query: { apiKey, network: each, pool, protocol: "dhedge" } })
        )
        const { lines, total } = yield* OnChain.fundComposition(each, pool)
        const tokens = Object.entries(devnet.file.networks[each]!.tokens)
        assert.deepStrictEqual(
          said["composition"],
          lines.map(({ asset, balance, isDeposit, rate }) => {
            const [symbol, { decimals }] = tokens.find(([, { address }]) => address === asset)!
            return {
              asset,
              symbol,
              assetPair: `${symbol}-USD`,
              isDeposit,
              amount: format(balance, decimals),
              price: usd(rate),
              value_usd: usd(balance * rate / 10n ** BigInt(decimals)),
              kind: "token",
              reason: null,
              asset_type: 0,
              label: symbol,
              positions: []
            }
          })
        )
        assert.closeTo(Number(said["total_value_usd"]), usd(total), 0.00001)
        assert.isAtLeast(Number(said["block"]), 1)
      }
    }))

  it.effect("getSymbol and getContract translate both ways, through aliases and in any case", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const devnet = yield* Devnet
      const { apiKey } = yield* wallet
      const { tokens } = devnet.file.networks.base!
      for (const [symbol, { address, decimals }] of Object.entries(tokens)) {
        const facts = { status: "success", symbol, contract: address, decimals }
        assert.deepStrictEqual(
          succeeded(yield* ask("/getSymbol", { query: { apiKey, network, contract: address } })),
          facts
        )
        assert.deepStrictEqual(
          succeeded(yield* ask("/getContract", { query: { apiKey, network, symbol: symbol.toLowerCase() } })),
          facts
        )
      }
      for (const [alias, symbol] of [["BTC", "WBTC"], ["eth", "WETH"], ["Usd", "USDC"]] as const) {
        assert.strictEqual(
          succeeded(yield* ask("/getContract", { query: { apiKey, network, symbol: alias } }))["contract"],
          tokens[symbol]!.address
        )
      }
      assert.strictEqual(
        succeeded(yield* ask("/getContract", { query: { apiKey, network: "polygon", symbol: "pol" } }))["symbol"],
        "WMATIC"
      )
      const pool = yield* demoVault(network)
      const nobody = "0x00000000000000000000000000000000000000aa"
      assert.match(
        refused(yield* ask("/getSymbol", { query: { apiKey, network, contract: nobody } }), "1005"),
        /contract/
      )
      // A vault issues shares, so it is a token too.
      assert.strictEqual(
        succeeded(yield* ask("/getSymbol", { query: { apiKey, network, contract: pool } }))["symbol"],
        "DEMO"
      )
      assert.match(
        refused(yield* ask("/getContract", { query: { apiKey, network, symbol: "NOSUCH" } }), "1010"),
        /symbol/
      )
      assert.match(
        refused(yield* ask("/getContract", { query: { apiKey, network, symbol: nobody } }), "1010"),
        /symbol/
      )
    }))

  it.effect("approve gives an unlimited or an exact allowance, takes it back, and a repeat sends and costs nothing", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, pool } = yield* trader()
      const about = { apiKey, network, pool, asset: "WBTC" }
      const allowance = OnChain.allowanceOf(network, "WBTC", pool)
      const approve = (more: Readonly<Record<string, string>>, transport: "json" | "query" = "json") =>
        Effect.map(
          ask("/approve", transport === "json" ? { json: { ...about, ...more } } : { query: { ...about, ...more } }),
          succeeded
        )
      const outcomes = [
        yield* approve({}),
        yield* approve({ platform: "uniswapv3", asset: "btc" }),
        yield* approve({ amount: "0.5" }),
        yield* approve({ amount: "5e-1", asset: yield* OnChain.token(network, "WBTC") }),
        yield* approve({ amount: "0.0", protocol: "chamber" }),
        yield* approve({ amount: "0", platform: "odos" }, "query")
      ]
      assert.deepStrictEqual(outcomes.map((each) => each["allowance"]), [
        "unlimited",
        "unlimited",
        "0.5",
        "0.5",
        "0",
        "0"
      ])
      assert.deepStrictEqual(outcomes.map((each) => each["charge_usd"]), [0.02, 0, 0.02, 0, 0.02, 0])
      assert.deepStrictEqual(outcomes.map((each) => each["tx_hash"] === null), [false, true, false, true, false, true])
      assert.strictEqual(new Set(outcomes.map((each) => each["intent_id"])).size, 6)
      assert.strictEqual(yield* allowance, 0n)
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 3)
      assert.deepStrictEqual(
        yield* rows(`select sum(usd)::float8 as usd, count(*)::int as many from charges where wallet = '${address}'`),
        [{ usd: 0.06, many: 3 }]
      )
      yield* approve({ amount: "0.5" })
      assert.strictEqual(yield* allowance, 50_000_000n)
      yield* approve({})
      assert.strictEqual(yield* allowance, 2n ** 256n - 1n)
    }))

  it.effect("approve refuses an amount no allowance can hold, and one that would silently be a revocation", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { apiKey, pool } = yield* trader()
      for (const amount of ["1e76", "9".repeat(80), "1e-9"]) {
        for (const dryRun of [true, false]) {
          const answer = yield* ask("/approve", { json: { apiKey, network, pool, asset: "WBTC", amount, dryRun } })
          assert.match(refused(answer, "1009"), /amount/)
        }
      }
      // The vault is not blocked by a request that cannot be executed.
      succeeded(yield* ask("/approve", { json: { apiKey, network, pool, asset: "WBTC", amount: "1" } }))
    }))

  it.effect("a dry run of either write shows the plan and leaves no trace", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, pool } = yield* trader()
      const before = yield* ledger
      const trade = succeeded(
        yield* ask("/vaultTrade", {
          query: { apiKey, network, pool, from: "USDC", to: "WETH", amount: "1000", dryRun: "1" }
        })
      )
      const approval = succeeded(
        yield* ask("/approve", { json: { apiKey, network, pool, asset: "LINK", dryRun: true } })
      )
      for (const { dryRun, intent_id, plan, tx_hash } of [trade, approval]) {
        assert.isTrue(dryRun)
        assert.isNull(intent_id)
        assert.isNull(tx_hash)
        assert.match(String((plan as Fields)["gas"]), /^\d+$/)
        assert.match(String((plan as Fields)["gas_cost"]), /^0\.\d+ ETH$/)
      }
      const plan = trade["plan"] as {
        readonly amountIn: Fields
        readonly amountOut: Fields
        readonly minOut: Fields
        readonly charge: Fields
      }
      assert.strictEqual(plan.amountIn["raw"], "1000000000")
      assert.isTrue(BigInt(String(plan.minOut["raw"])) <= BigInt(String(plan.amountOut["raw"])))
      assert.strictEqual(plan.charge["usd"], 0.1)
      assert.strictEqual(((approval["plan"] as Fields)["charge"] as Fields)["usd"], 0.02)
      assert.deepStrictEqual(yield* ledger, before)
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 0)
    }))

  it.effect("getIntent and getIntents return a wallet's own requests, newest first and in pages, and no other wallet's", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, pool } = yield* trader()
      const ids: Array<string> = []
      for (const amount of ["1", "2", "3"]) {
        ids.unshift(
          String(
            succeeded(
              yield* ask("/vaultTrade", { query: { apiKey, pool, from: "USDC", to: "DAI", amount } })
            )["intent_id"]
          )
        )
      }
      const failed = yield* ask("/vaultTrade", {
        query: { apiKey, pool, from: "USDC", to: "DAI", amount: "999999999" }
      })
      assert.strictEqual(failed.status, 400)
      ids.unshift(String(failed.fields["intent_id"]))

      const page = (query: Readonly<Record<string, string>>) =>
        Effect.map(ask("/getIntents", { query: { apiKey, ...query } }), succeeded)
      const idsOf = (fields: Fields) => (fields["intents"] as ReadonlyArray<Fields>).map(({ intent_id }) => intent_id)
      assert.deepStrictEqual(idsOf(yield* page({})), ids)
      const first = yield* page({ limit: "3" })
      assert.deepStrictEqual(idsOf(first), ids.slice(0, 3))
      const second = yield* page({ limit: "3", cursor: String(first["cursor"]) })
      assert.deepStrictEqual(idsOf(second), ids.slice(3))
      assert.isNull(second["cursor"])
      assert.deepStrictEqual(idsOf(yield* page({ network: "polygon" })), [])
      assert.deepStrictEqual(idsOf(yield* page({ network, pool, limit: "1" })), ids.slice(0, 1))
      assert.match(refused(yield* ask("/getIntents", { query: { apiKey, pool: address.slice(1) } }), "1004"), /pool/)

      const success = succeeded(yield* ask("/getIntent", { query: { apiKey, intent_id: ids[1]! } }))["intent"] as Fields
      assert.strictEqual(success["status"], "success")
      assert.strictEqual((success["result"] as Fields)["venue"], "uniswapV3")
      assert.isNull(success["failure"])
      const failure = succeeded(
        yield* ask("/getIntent", { query: { apiKey, intent_id: ids[0]!.toUpperCase() } })
      )["intent"] as Fields
      assert.strictEqual(failure["status"], "fail")
      assert.strictEqual((failure["failure"] as Fields)["status_code"], "2002")
      assert.isNull(failure["result"])

      const stranger = yield* wallet
      const own = refused(
        yield* ask("/getIntent", { query: { apiKey, intent_id: "01936f5a-0000-7000-8000-000000000000" } }),
        "1010"
      )
      const foreign = refused(
        yield* ask("/getIntent", { query: { apiKey: stranger.apiKey, intent_id: ids[0]! } }),
        "1010"
      )
      assert.strictEqual(foreign.replace(ids[0]!, ""), own.replace("01936f5a-0000-7000-8000-000000000000", ""))
      assert.deepStrictEqual(idsOf(succeeded(yield* ask("/getIntents", { query: { apiKey: stranger.apiKey } }))), [])
    }))

  it.effect("the documents list every endpoint but createGasWallet", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const listed = endpoints.filter((endpoint) => endpoint.listed)
      const openapi = yield* ask("/openapi.json")
      assert.strictEqual(openapi.status, 200)
      assert.match(String(openapi.body["openapi"]), /^3\.1/)
      const paths = openapi.body["paths"] as Readonly<Record<string, Fields>>
      assert.deepStrictEqual(
        Object.keys(paths).map(segmented).sort(),
        listed.map((endpoint) => endpoint.paths[0] ?? "").sort()
      )
      const page = yield* ask("/__docs__")
      assert.strictEqual(page.status, 200)
      assert.match(page.headers.get("content-type") ?? "", /text\/html/)
      for (const { name } of listed) assert.include(page.text, name)
      assert.notInclude(openapi.text, "createGasWallet")
      assert.notInclude(page.text, "createGasWallet")
      const llms = yield* ask("/llms.txt")
      assert.include(llms.text, "](/docs/api.md): ")
      for (const { name } of listed) assert.include(llms.text, name)
      const linked = Array.from(llms.text.matchAll(/\]\((\/[^)]+)\)/g), ([, path]) => path ?? "")
      for (const path of linked) assert.strictEqual((yield* ask(path)).status, 200, path)
      const introspected = succeeded(yield* ask("/llmIntrospect"))["endpoints"] as ReadonlyArray<Fields>
      assert.deepStrictEqual(introspected.map(({ name }) => name), endpoints.map(({ name }) => name))
    }))

  it.effect("health and version answer without a key", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      assert.deepStrictEqual((yield* ask("/health/live")).body, { status: "live" })
      const ready = yield* until(
        "the service to be ready",
        Effect.map(ask("/health/ready"), ({ body }) => body["status"] === "ready" ? body : undefined)
      )
      assert.deepStrictEqual(ready, {
        status: "ready",
        checks: {
          database: "ok",
          runners: "ok",
          networks: { base: "ok", polygon: "ok", ethereum: "ok", hyperliquid: "ok" },
          signingRecord: "ok"
        }
      })
      assert.match(String((yield* ask("/version")).body["version"]), /^\d+\.\d+\.\d+(-[\w.]+)?$/)
    }))

  it.effect("a second network trades like the first, and wallets of one key are one address on both", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, pool } = yield* trader({ network: "polygon" })
      const query = { apiKey, network: "polygon", pool }
      const before = succeeded(yield* ask("/poolComposition", { query }))
      const trade = succeeded(
        yield* ask("/vaultTrade", { query: { ...query, from: "USDC", to: "matic", amount: "100" } })
      )
      const after = succeeded(yield* ask("/poolComposition", { query }))
      assert.strictEqual((trade["bought"] as Fields)["symbol"], "WMATIC")
      assert.strictEqual(Number(line(before, "USDC")["amount"]) - 100, Number(line(after, "USDC")["amount"]))
      assert.strictEqual(line(after, "WMATIC")["amount"], (trade["bought"] as Fields)["amount"])
      assert.strictEqual(yield* OnChain.transactionCount("polygon", address), 1)
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 0)
    }))
})
