import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { usdOf } from "../src/billing/PriceList.ts"
import { endpoints, endpointsByTitle } from "../src/Catalogue.ts"
import type { EndpointFacts } from "../src/endpoint/Endpoint.ts"
import { billed, free, prices, specRows } from "./endpoint/SpecTables.ts"

/** Endpoints of the specification that are not declared yet. Remove one when it is declared. */
const later: ReadonlyArray<string> = []

const lendingRoutes: ReadonlyArray<string> = [
  ...["/lenderAV3/lend", "/lenderAV3/unlend", "/lenderAV3/borrow", "/lenderAV3/repay"],
  ...["/lenderBV3/lend", "/lenderBV3/unlend", "/lenderC/lend", "/lenderC/unlend"]
]

/** Rows of the specification that are aliases of an endpoint with another name. */
const aliases: Readonly<Record<string, string>> = {
  "/depositLenderBV3": "/lenderBV3/lend",
  "/withdrawLenderBV3": "/lenderBV3/unlend",
  "/depositLenderC": "/lenderC/lend",
  "/withdrawLenderC": "/lenderC/unlend",
  "/getHealthFactor": "/lenderAV3/getHealthFactor",
  "/getPoolLenderAData": "/lenderAV3/getPoolData",
  // The endpoint's name leaves out the parameters in its path.
  "/token-price/:network": "/token-price",
  "/calculate-fee/:action/:network": "/calculate-fee",
  "/test/:network": "/test"
}

/** Optional parameters that the specification does not have. */
const extraParams: Readonly<Record<string, ReadonlyArray<string>>> = {
  // Rotation by private key removes every other authority unless `keep` is set.
  "/getNewApiKey": ["keep"],
  "/vaultTrade": ["dryRun", "duplicate", "idempotency_key", "valid_for"],
  "/approve": ["amount", "dryRun", "idempotency_key", "valid_for"],
  "/poolComposition": ["protocol"],
  "/setBot": ["auto_enable", "max_impact", "protocol", "paper", "idempotency_key"],
  "/deleteBot": ["pair", "protocol"],
  "/setCEXSide": ["idempotency_key", "take_profit", "stop_loss"],
  "/getCandles": ["before"],
  "/getCurrentAllocations": ["protocol"],
  "/rebalancePool": ["protocol", "idempotency_key"],
  ...Object.fromEntries(lendingRoutes.map((path) => [path, ["protocol", "dryRun", "idempotency_key", "valid_for"]])),
  "/addLiquidity": ["dex", "tick_spacing", "protocol", "dryRun", "idempotency_key", "valid_for"],
  "/removeLiquidity": ["dex", "protocol", "dryRun", "idempotency_key", "valid_for"],
  "/mintManagerFee": ["protocol", "dryRun", "idempotency_key", "valid_for"],
  "/mintManagerFeeBatch": ["idempotency_key", "valid_for"],
  "/mintAllFeesByManager": ["idempotency_key", "valid_for"]
}

/** Billed endpoints that part 8 lists as "not shown", neither billed nor free. */
const pricedByUs: ReadonlyArray<string> = [
  ...["/mintManagerFeeBatch", "/mintAllFeesByManager", "/placePerpetualOrder"],
  ...["/collectFees", "/stakeLiquidity", "/unstakeLiquidity", "/claimRewards"],
  // Other names of the billed depositLenderBV3, withdrawLenderBV3, depositLenderC and withdrawLenderC.
  ...["/lenderBV3/lend", "/lenderBV3/unlend", "/lenderC/lend", "/lenderC/unlend"]
]

const serves = (path: string) => endpoints.find(({ paths }) => paths.some((each) => each === path))
const declared = specRows.flatMap((row) => {
  const facts = serves(row.path)
  return facts === undefined ? [] : [{ row, facts }]
})
const paramNames = (facts: EndpointFacts, required: boolean) =>
  facts.params.filter((param) => param.required === required).map(({ name }) => name).sort()

describe("the specification's tables", () => {
  it("name every endpoint once, and list as billed or free only endpoints they name", () => {
    const paths = specRows.map(({ path }) => path)
    assert.strictEqual(new Set(paths).size, paths.length)
    // The headings of 4.2–4.10 count 44; 4.11 names 31 more.
    assert.strictEqual(paths.length, 44 + 31)
    assert.deepStrictEqual([...billed, ...free].filter((path) => !paths.includes(path)), [])
    assert.deepStrictEqual(billed.filter((path) => free.includes(path)), [])
  })

  it("contain only endpoints that are in the catalogue or listed as coming later", () => {
    const lacking = specRows.map(({ path }) => path).filter((path) => serves(path) === undefined)
    assert.deepStrictEqual(lacking.sort(), [...later].sort())
  })

  it("contain the endpoints that are declared with origin spec, and no others", () => {
    const inSpec = endpoints.filter(({ paths }) => specRows.some(({ path }) => path === paths[0]))
    const declaredSpec = endpoints.filter(({ origin }) => origin === "spec")
    assert.deepStrictEqual(inSpec.map(({ name }) => name), declaredSpec.map(({ name }) => name))
  })

  for (const { row, facts } of declared) {
    it(`agree with ${row.path} on method, class, parameters and price`, () => {
      assert.strictEqual(`/${facts.name}`, aliases[row.path] ?? row.path)
      if (row.method !== undefined) assert.strictEqual(facts.method, row.method)
      assert.include(facts.methods, facts.method)
      if (row.class !== undefined) assert.strictEqual(facts.class, row.class)
      if (row.parameters !== undefined) {
        assert.deepStrictEqual(paramNames(facts, true), [...row.parameters.required].sort())
        assert.deepStrictEqual(
          paramNames(facts, false),
          [...row.parameters.optional, ...(extraParams[row.path] ?? [])].sort()
        )
      }
      assert.strictEqual(
        facts.charge !== "free",
        [...billed, ...pricedByUs].includes(row.path),
        `${row.path} is billed if and only if part 8 says so`
      )
    })
  }

  it("agree with the catalogue on which endpoints are billed", () => {
    const charged = (path: string) => (serves(path)?.charge ?? "free") !== "free"
    const known = (paths: ReadonlyArray<string>) => paths.filter((path) => !later.includes(path))
    assert.deepStrictEqual(known(billed).filter((path) => !charged(path)), [])
    assert.deepStrictEqual(known(free).filter((path) => serves(path) === undefined || charged(path)), [])
    // No other endpoint is billed.
    const all = endpoints.filter(({ charge }) => charge !== "free").flatMap(({ paths }) => paths.slice(0, 1))
    assert.deepStrictEqual(all.filter((path) => ![...billed, ...pricedByUs].includes(path)), [])
  })

  it("contain the documented prices", () => {
    assert.deepStrictEqual(
      { trade: usdOf("trade"), approve: usdOf("approve"), lend: usdOf("lend"), free: usdOf("free") },
      { ...prices }
    )
    assert.strictEqual(serves("/vaultTrade")?.charge, "trade")
    assert.strictEqual(serves("/approve")?.charge, "approve")
  })
})

describe("the catalogue", () => {
  it("has every endpoint under one title", () => {
    assert.deepStrictEqual(Object.values(endpointsByTitle).flat(), [...endpoints])
  })

  const duplicates = (all: ReadonlyArray<string>) => all.filter((each, index) => all.indexOf(each) !== index)

  it("gives every endpoint a unique name and unique paths", () => {
    assert.deepStrictEqual(duplicates(endpoints.map(({ name }) => name)), [])
    assert.deepStrictEqual(duplicates(endpoints.flatMap(({ paths }) => paths)), [])
  })

  it("hides createGasWallet, and nothing else, from the reference", () => {
    assert.deepStrictEqual(endpoints.filter(({ listed }) => !listed).map(({ name }) => name), ["createGasWallet"])
  })

  it("lets only the vault's trader trade, approve, lend, provide liquidity and set bots", () => {
    const lending = [...lendingRoutes.map((path) => path.slice(1)), "lend", "unlend", "borrow", "repay"]
    const names = endpoints.filter(({ trader }) => trader).map(({ name }) => name)
    assert.includeMembers(names, [
      "vaultTrade",
      "approve",
      ...lending,
      "addLiquidity",
      "removeLiquidity",
      ...["collectFees", "stakeLiquidity", "unstakeLiquidity", "claimRewards"],
      "depositToPerpetuals",
      "placePerpetualOrder",
      "cancelPerpetualOrder",
      "withdrawFromPerpetuals",
      "setBot",
      "setIndexBot",
      "rebalancePool",
      "linkGasWallet",
      "createWebhookToken"
    ])
    // Every write about one vault, except that the manager's fee may be minted by anyone.
    const moving = endpoints.filter((facts) =>
      facts.class === "movesFunds" && facts.name !== "mintManagerFee" && paramNames(facts, true).includes("pool")
    )
    assert.sameMembers(names, [
      ...moving.map(({ name }) => name),
      ...["setIndexBot", "linkGasWallet", "createWebhookToken", "setGuardian", "setFollower", "setStrategyBot"]
    ])
  })

  it("opens only what the specification opens", () => {
    assert.deepStrictEqual(
      endpoints.filter(({ access }) => access === "open").map(({ name }) => name),
      [
        ...[
          "createGasWallet",
          "getNewApiKey",
          "eth-price",
          "token-price",
          "calculate-fee",
          "api/cex/calculateFee",
          "all-actions",
          "test"
        ],
        ...["signingPayload", "webhook", "testWebhook", "llmIntrospect"]
      ]
    )
  })

  for (const facts of endpoints) {
    describe(facts.name, () => {
      it("has a summary and an example that its schema decodes", () => {
        assert.match(facts.summary, /^[A-Z].{10,}\.$/s)
        const answer = { status: "success", ...facts.example }
        assert.isTrue(Option.isSome(Schema.decodeUnknownOption(facts.success)(answer)), JSON.stringify(answer))
      })

      it("describes every parameter and gives an example that the parameter accepts", () => {
        for (const { name, description, decode, info } of facts.params) {
          assert.notStrictEqual(description, "", name)
          assert.notStrictEqual(info.accepts, "", name)
          assert.property(info.jsonSchema, "type", name)
          if (!info.secret) assert.isTrue(Option.isSome(decode(info.example)), `${name}=${String(info.example)}`)
        }
      })

      it("has an example request with every required parameter, whose values the parameters accept", () => {
        const names = Object.keys(facts.exampleRequest)
        assert.includeMembers(names, facts.params.filter(({ required }) => required).map(({ name }) => name))
        for (const [name, value] of Object.entries(facts.exampleRequest)) {
          const param = facts.params.find((each) => each.name === name)
          assert.isDefined(param, name)
          if (!param.info.secret) assert.isTrue(Option.isSome(param.decode(value)), `${name}=${String(value)}`)
        }
      })

      it("lists each of its failures once", () => {
        assert.strictEqual(new Set(facts.failsWith).size, facts.failsWith.length)
      })

      it("requires the proofs that its access needs, and no others", () => {
        const requires = (name: string) => facts.params.find((param) => param.name === name)?.required
        // Endpoints about exchange accounts use another name for the key.
        const keys = [requires("apiKey"), requires("gas_wallet_api_key")].filter((required) => required === true)
        assert.strictEqual(keys.length, facts.access === "apiKey" || facts.access === "apiKeyAndManager" ? 1 : 0)
        assert.strictEqual(
          requires("signature"),
          {
            manager: true,
            apiKeyAndManager: true,
            apiKeyOrManager: false,
            anyProof: false,
            apiKey: undefined,
            open: undefined
          }[facts.access]
        )
        assert.isTrue(facts.subject === undefined || facts.params.some(({ name }) => name === facts.subject))
      })

      it("takes an idempotency key if and only if it moves funds, and is free if it does not", () => {
        const moves = facts.class === "movesFunds"
        assert.strictEqual(facts.params.some(({ name, required }) => name === "idempotency_key" && !required), moves)
        if (!moves) assert.strictEqual(facts.charge, "free")
      })

      it("requires the vault's trader only if it changes something about a vault in its parameters", () => {
        const aboutVault = facts.params.some(({ name, required }) => name === "pool" && required)
        assert.isTrue(!facts.trader || (facts.class !== "readOnly" && aboutVault))
      })

      it("accepts GET and POST, except when it needs a secret from the body, and except for alerts", () => {
        const usual = facts.method === "DELETE" ? "GET POST DELETE" : "GET POST"
        assert.strictEqual(
          facts.methods.join(" "),
          facts.params.some(({ info, required }) => required && info.bodyOnly) ||
            ["webhook", "testWebhook"].includes(facts.name)
            ? "POST"
            : usual
        )
      })
    })
  }
})
