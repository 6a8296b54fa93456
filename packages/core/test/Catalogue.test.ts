import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { usdOf } from "../src/billing/PriceList.ts"
import { endpoints } from "../src/Catalogue.ts"
import type { EndpointFacts } from "../src/endpoint/Endpoint.ts"
import { billed, free, prices, specRows } from "./endpoint/SpecTables.ts"

/** Endpoints of the specification that are not declared yet. Declaring one takes it off this list. */
const later: ReadonlyArray<string> = [
]

/** Endpoints we add to the specification's. */
const ours: ReadonlyArray<string> = [
  ...["/getIntent", "/getIntents", "/getCharges", "/getReport"],
  ...["/pauseBot", "/resumeBot", "/pauseWallet", "/resumeWallet"],
  ...["/signingPayload", "/setKeyLimits", "/getCEXOrders"],
  ...["/createWebhookToken", "/revokeWebhookToken", "/getWebhookTokens", "/webhook/:token"],
  ...["/depositToPerpetuals", "/placePerpetualOrder", "/cancelPerpetualOrder", "/withdrawFromPerpetuals"],
  ...["/getPerpetualPositions", "/getPerpetualOrders", "/getPerpetualMarkets"],
  ...["/setWebhook", "/deleteWebhook", "/getWebhooks", "/getWebhookDeliveries"]
]

const lendingRoutes: ReadonlyArray<string> = [
  ...["/lenderAV3/lend", "/lenderAV3/unlend", "/lenderAV3/borrow", "/lenderAV3/repay"],
  ...["/lenderBV3/lend", "/lenderBV3/unlend", "/lenderC/lend", "/lenderC/unlend"]
]

/** Rows of the specification that are further paths of an endpoint with another name. */
const further: Readonly<Record<string, string>> = {
  "/depositLenderBV3": "/lenderBV3/lend",
  "/withdrawLenderBV3": "/lenderBV3/unlend",
  "/depositLenderC": "/lenderC/lend",
  "/withdrawLenderC": "/lenderC/unlend",
  "/getHealthFactor": "/lenderAV3/getHealthFactor",
  "/getPoolLenderAData": "/lenderAV3/getPoolData",
  // Named without the parameters that their paths carry.
  "/token-price/:network": "/token-price",
  "/calculate-fee/:action/:network": "/calculate-fee",
  "/test/:network": "/test"
}

/** Optional parameters we add to a row of the specification. */
const added: Readonly<Record<string, ReadonlyArray<string>>> = {
  // Rotation by private key ends every other authority unless it is asked not to.
  "/getNewApiKey": ["keep"],
  "/vaultTrade": ["dryRun", "idempotency_key"],
  "/approve": ["amount", "dryRun", "idempotency_key"],
  "/poolComposition": ["protocol"],
  "/setBot": ["protocol", "paper", "idempotency_key"],
  "/deleteBot": ["pair", "protocol"],
  "/setCEXSide": ["idempotency_key"],
  "/getCandles": ["before"],
  "/getCurrentAllocations": ["protocol"],
  "/rebalancePool": ["protocol", "idempotency_key"],
  ...Object.fromEntries(lendingRoutes.map((path) => [path, ["protocol", "dryRun", "idempotency_key"]])),
  "/addLiquidity": ["protocol", "dryRun", "idempotency_key"],
  "/removeLiquidity": ["protocol", "dryRun", "idempotency_key"],
  "/mintManagerFee": ["protocol", "dryRun", "idempotency_key"],
  "/mintManagerFeeBatch": ["idempotency_key"],
  "/mintAllFeesByManager": ["idempotency_key"]
}

/** Endpoints whose prices part 8 calls "not shown": neither among the billed nor among the free. */
const pricedByUs: ReadonlyArray<string> = [
  ...["/mintManagerFeeBatch", "/mintAllFeesByManager", "/placePerpetualOrder"],
  // The same endpoints as the billed depositLenderBV3, withdrawLenderBV3, depositLenderC and withdrawLenderC.
  ...["/lenderBV3/lend", "/lenderBV3/unlend", "/lenderC/lend", "/lenderC/unlend"]
]

const serves = (path: string) => endpoints.find(({ paths }) => paths.some((each) => each === path))
const declared = specRows.flatMap((row) => {
  const facts = serves(row.path)
  return facts === undefined ? [] : [{ row, facts }]
})
const named = (facts: EndpointFacts, required: boolean) => facts.params.filter((param) => param.required === required).map(({ name }) => name).sort()

describe("the specification's tables", () => {
  it("name every endpoint once, and bill or free only endpoints they name", () => {
    const paths = specRows.map(({ path }) => path)
    assert.strictEqual(new Set(paths).size, paths.length)
    // The headings of 4.2–4.10 count 44; 4.11 names 31 more.
    assert.strictEqual(paths.length, 44 + 31)
    assert.deepStrictEqual([...billed, ...free].filter((path) => !paths.includes(path)), [])
    assert.deepStrictEqual(billed.filter((path) => free.includes(path)), [])
  })

  it("lack in the catalogue exactly what is listed as coming later", () => {
    const lacking = specRows.map(({ path }) => path).filter((path) => serves(path) === undefined)
    assert.deepStrictEqual(lacking.sort(), [...later].sort())
  })

  it("hold every endpoint of the catalogue that is not listed as ours", () => {
    const paths = endpoints.flatMap((facts) => facts.paths.slice(0, 1))
    assert.deepStrictEqual(paths.filter((path) => specRows.every((row) => row.path !== path)).sort(), [...ours].sort())
  })

  for (const { row, facts } of declared) {
    it(`agree with ${row.path} on method, class, parameters and price`, () => {
      assert.strictEqual(`/${facts.name}`, further[row.path] ?? row.path)
      if (row.method !== undefined) assert.strictEqual(facts.method, row.method)
      assert.include(facts.methods, facts.method)
      if (row.class !== undefined) assert.strictEqual(facts.class, row.class)
      if (row.parameters !== undefined) {
        assert.deepStrictEqual(named(facts, true), [...row.parameters.required].sort())
        assert.deepStrictEqual(named(facts, false), [...row.parameters.optional, ...(added[row.path] ?? [])].sort())
      }
      assert.strictEqual(facts.charge !== "free", [...billed, ...pricedByUs].includes(row.path), `${row.path} is billed if and only if part 8 says so`)
    })
  }

  it("bill and free every endpoint they name, but those that are not declared yet", () => {
    const charged = (path: string) => (serves(path)?.charge ?? "free") !== "free"
    const known = (paths: ReadonlyArray<string>) => paths.filter((path) => !later.includes(path))
    assert.deepStrictEqual(known(billed).filter((path) => !charged(path)), [])
    assert.deepStrictEqual(known(free).filter((path) => serves(path) === undefined || charged(path)), [])
    // And nothing else is billed but what is named above.
    const all = endpoints.filter(({ charge }) => charge !== "free").flatMap(({ paths }) => paths.slice(0, 1))
    assert.deepStrictEqual(all.filter((path) => ![...billed, ...pricedByUs].includes(path)), [])
  })

  it("hold the documented prices", () => {
    assert.deepStrictEqual(
      { trade: usdOf("trade"), approve: usdOf("approve"), lend: usdOf("lend"), free: usdOf("free") },
      { ...prices }
    )
    assert.strictEqual(serves("/vaultTrade")?.charge, "trade")
    assert.strictEqual(serves("/approve")?.charge, "approve")
  })
})

describe("the catalogue", () => {
  const duplicates = (all: ReadonlyArray<string>) => all.filter((each, index) => all.indexOf(each) !== index)

  it("gives every endpoint a name and paths of its own", () => {
    assert.deepStrictEqual(duplicates(endpoints.map(({ name }) => name)), [])
    assert.deepStrictEqual(duplicates(endpoints.flatMap(({ paths }) => paths)), [])
  })

  it("hides createGasWallet, and nothing else, from the reference", () => {
    assert.deepStrictEqual(endpoints.filter(({ listed }) => !listed).map(({ name }) => name), ["createGasWallet"])
  })

  it("lets nobody but the vault's trader trade, approve, lend, provide liquidity and set bots", () => {
    const lending = [...lendingRoutes.map((path) => path.slice(1)), "lend", "unlend", "borrow", "repay"]
    assert.sameMembers(endpoints.filter(({ trader }) => trader).map(({ name }) => name), ["vaultTrade", "approve", ...lending, "addLiquidity", "removeLiquidity", "depositToPerpetuals", "placePerpetualOrder", "cancelPerpetualOrder", "withdrawFromPerpetuals", "setBot", "setIndexBot", "rebalancePool", "linkGasWallet", "createWebhookToken"])
  })

  it("opens only what the specification opens", () => {
    assert.deepStrictEqual(
      endpoints.filter(({ access }) => access === "open").map(({ name }) => name),
      [
        ...["createGasWallet", "getNewApiKey", "eth-price", "token-price", "calculate-fee", "api/cex/calculateFee", "all-actions", "test"],
        ...["signingPayload", "webhook", "llmIntrospect"]
      ]
    )
  })

  for (const facts of endpoints) {
    describe(facts.name, () => {
      it("has a summary and an example that its own schema reads", () => {
        assert.match(facts.summary, /^[A-Z].{10,}\.$/s)
        const answer = { status: "success", ...facts.example }
        assert.isTrue(Option.isSome(Schema.decodeUnknownOption(facts.success)(answer)), JSON.stringify(answer))
      })

      it("describes every parameter and gives an example it accepts itself", () => {
        for (const { name, description, decode, info } of facts.params) {
          assert.notStrictEqual(description, "", name)
          assert.notStrictEqual(info.accepts, "", name)
          assert.property(info.jsonSchema, "type", name)
          if (!info.secret) assert.isTrue(Option.isSome(decode(info.example)), `${name}=${String(info.example)}`)
        }
      })

      it("asks for the key that its access demands, and for no other", () => {
        const asks = (name: string) => facts.params.find((param) => param.name === name)?.required
        // Endpoints about exchange accounts call the key by another name.
        const keys = [asks("apiKey"), asks("gas_wallet_api_key")].filter((required) => required === true)
        assert.strictEqual(keys.length, facts.access === "apiKey" || facts.access === "apiKeyAndManager" ? 1 : 0)
        assert.strictEqual(asks("signature"), { manager: true, apiKeyAndManager: true, apiKeyOrManager: false, apiKey: undefined, open: undefined }[facts.access])
        assert.isTrue(facts.subject === undefined || facts.params.some(({ name }) => name === facts.subject))
      })

      it("takes an idempotency key if and only if it moves funds, and costs nothing if it does not", () => {
        const moves = facts.class === "movesFunds"
        assert.strictEqual(facts.params.some(({ name, required }) => name === "idempotency_key" && !required), moves)
        if (!moves) assert.strictEqual(facts.charge, "free")
      })

      it("demands the vault's trader only where it changes something of a vault it is told", () => {
        const aboutVault = facts.params.some(({ name, required }) => name === "pool" && required)
        assert.isTrue(!facts.trader || (facts.class !== "readOnly" && aboutVault))
      })

      it("answers GET and POST, but for what needs a secret from the body only, and what needs no more than its URL", () => {
        const usual = facts.method === "DELETE" ? "GET POST DELETE" : "GET POST"
        assert.strictEqual(facts.methods.join(" "), facts.params.some(({ info, required }) => required && info.bodyOnly) || facts.name === "webhook" ? "POST" : usual)
      })
    })
  }
})
