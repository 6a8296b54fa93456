import { assert, describe, it } from "@effect/vitest"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as FastCheck from "fast-check"
import { paramValue, type ParamValue } from "../../src/params/RequestParams.ts"
import { facts, paramOf } from "../endpoint/TestEndpoints.ts"

interface Request {
  readonly query?: ReadonlyArray<readonly [string, string]>
  readonly body?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns a request's value for a parameter. */
const from = (endpoint: EndpointFacts, name: string, { body = {}, headers = {}, query = [] }: Request): ParamValue =>
  paramValue(endpoint, paramOf(endpoint, name), {
    query: new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])),
    body: new Map(Object.entries(body)),
    headers
  })

const value = (value: unknown): ParamValue => ({ _tag: "value", value })
const missing: ParamValue = { _tag: "missing" }
const contradiction = { _tag: "unusable", code: "1010" } as const
const { configures, moves, reads } = facts
const endpoints = [reads, moves]

const nothing = FastCheck.constantFrom("", " ", "null", "NULL", "na", "NA", "Na", "undefined", "Undefined", " null ")
const symbol = FastCheck.stringMatching(/^[A-Z]{3,8}$/).filter((text) => !["NULL", "UNDEFINED"].includes(text))

describe("given", () => {
  it("finds nothing in an empty request", () => {
    for (const endpoint of endpoints) {
      for (const { name } of endpoint.params) assert.deepStrictEqual(from(endpoint, name, {}), missing)
    }
  })

  it("finds a single value in query or body", () =>
    FastCheck.assert(FastCheck.property(symbol, (text) => {
      for (const endpoint of endpoints) {
        assert.deepStrictEqual(from(endpoint, "asset", { query: [["asset", text]] }), value(text))
        assert.deepStrictEqual(from(endpoint, "asset", { body: { asset: text } }), value(text))
      }
    })))

  it("takes the words for nothing as absent, also next to a value", () =>
    FastCheck.assert(FastCheck.property(nothing, symbol, (word, text) => {
      for (const endpoint of endpoints) {
        assert.deepStrictEqual(from(endpoint, "asset", { query: [["asset", word]], body: { asset: word } }), missing)
        assert.deepStrictEqual(
          from(endpoint, "asset", { query: [["asset", word]], body: { asset: text } }),
          value(text)
        )
        assert.deepStrictEqual(
          from(endpoint, "asset", { query: [["asset", text]], body: { asset: word } }),
          value(text)
        )
        assert.deepStrictEqual(from(endpoint, "asset", { query: [["asset", word], ["asset", text]] }), value(text))
      }
    })))

  it("takes null in JSON as absent, and false and 0 as values", () => {
    assert.deepStrictEqual(from(moves, "dryRun", { body: { dryRun: null } }), missing)
    assert.deepStrictEqual(from(moves, "dryRun", { body: { dryRun: false } }), value(false))
    assert.deepStrictEqual(from(moves, "share", { body: { share: 0 } }), value(0))
  })

  it("lets the query win for reads, and refuses a contradiction for changes", () =>
    FastCheck.assert(FastCheck.property(symbol, symbol, (one, other) => {
      FastCheck.pre(one.toLowerCase() !== other.toLowerCase())
      const request = { query: [["asset", one] as const], body: { asset: other } }
      assert.deepStrictEqual(from(reads, "asset", request), value(one))
      assert.deepInclude(from(moves, "asset", request), contradiction)
    })))

  for (
    const [name, one, other] of [
      ["network", "BASE", "base"],
      ["network", "mainnet", "ethereum"],
      ["asset", "weth", "WETH"],
      ["share", "100", 100],
      ["share", "1e2", 100],
      ["amount", "1.50", "1.5"],
      ["dryRun", "TRUE", 1],
      ["dryRun", "0", false],
      ["pool", `0x${"AB".repeat(20)}`, `0x${"ab".repeat(20)}`],
      ["idempotency_key", " k ", "k"]
    ] as const
  ) {
    it(`sees no contradiction between ${name}=${one} and ${name}=${String(other)}`, () => {
      assert.deepStrictEqual(from(moves, name, { query: [[name, one]], body: { [name]: other } }), value(one))
      assert.deepStrictEqual(from(moves, name, { query: [[name, one], [name, String(other)]] }), value(one))
    })
  }

  for (
    const [name, one, other] of [["idempotency_key", "a", "A"], ["share", "10", "100"], ["dryRun", "true", "false"], [
      "share",
      "x",
      "y"
    ]] as const
  ) {
    it(`sees a contradiction between ${name}=${one} and ${name}=${other}`, () => {
      assert.deepInclude(from(moves, name, { query: [[name, one]], body: { [name]: other } }), contradiction)
      assert.deepInclude(from(moves, name, { query: [[name, one], [name, other]] }), contradiction)
    })
  }

  it("refuses a repeated query key with different values, for reads too, because it is not a list", () => {
    for (const endpoint of endpoints) {
      assert.deepInclude(from(endpoint, "asset", { query: [["asset", "USDC"], ["asset", "WETH"]] }), contradiction)
      assert.deepStrictEqual(from(endpoint, "asset", { query: [["asset", "USDC"], ["asset", "USDC"]] }), value("USDC"))
    }
  })

  it("treats names as case-sensitive", () => {
    assert.deepStrictEqual(from(moves, "asset", { query: [["Asset", "USDC"]], body: { ASSET: "USDC" } }), missing)
  })

  it("refuses structures for a single value, with the parameter's own code", () => {
    for (const structure of [[], ["USDC"], {}, { a: 1 }, [[]]]) {
      assert.deepInclude(from(moves, "asset", { body: { asset: structure } }), { _tag: "unusable", code: "own" })
    }
    assert.deepInclude(from(moves, "asset", { query: [["asset", "USDC"]], body: { asset: ["USDC"] } }), {
      _tag: "unusable",
      code: "own"
    })
  })
})

describe("given, for lists", () => {
  const [a, b] = [`0x${"aa".repeat(20)}`, `0x${"bb".repeat(20)}`] as const

  it("reads repeated keys, comma lists, JSON text and JSON arrays alike", () => {
    for (
      const request of [
        { query: [["pools", a], ["pools", b]] },
        { query: [["pools", `${a},${b}`]] },
        { query: [["pools", ` ${a} , ${b} ,`]] },
        { query: [["pools", JSON.stringify([a, b])]] },
        { body: { pools: [a, b] } },
        { body: { pools: `${a},${b}` } },
        { body: { pools: JSON.stringify([a, b]) } },
        { query: [["pools", `${a},${b}`]], body: { pools: [a, b] } }
      ] satisfies ReadonlyArray<Request>
    ) assert.deepStrictEqual(from(moves, "pools", request), value([a, b]))
    assert.deepStrictEqual(from(moves, "pools", { query: [["pools", a]] }), value([a]))
  })

  it("treats lists in another order as a contradiction for changes", () => {
    assert.deepInclude(
      from(moves, "pools", { query: [["pools", `${b},${a}`]], body: { pools: [a, b] } }),
      contradiction
    )
  })

  it("reads a structure as JSON, from the body or as text", () => {
    const targets = [{ asset: "USDC", weight: 100 }]
    assert.deepStrictEqual(from(moves, "targets", { body: { targets } }), value(targets))
    assert.deepStrictEqual(from(moves, "targets", { body: { targets: JSON.stringify(targets) } }), value(targets))
    assert.deepStrictEqual(from(moves, "targets", { query: [["targets", JSON.stringify(targets)]] }), value(targets))
    assert.deepStrictEqual(from(moves, "targets", { query: [["targets", "[{"]] }), value("[{"))
  })
})

describe("given, from headers", () => {
  const [key, other] = ["6f9619ff-8b86-4011-b42d-00c04fc964ff", "7f9619ff-8b86-4011-b42d-00c04fc964ff"]

  it("takes the key from Authorization: Bearer or X-API-Key, and the idempotency key from its header", () => {
    assert.deepStrictEqual(from(moves, "apiKey", { headers: { authorization: `Bearer ${key}` } }), value(key))
    assert.deepStrictEqual(from(moves, "apiKey", { headers: { authorization: `bearer   ${key} ` } }), value(key))
    assert.deepStrictEqual(from(moves, "apiKey", { headers: { "x-api-key": key } }), value(key))
    assert.deepStrictEqual(from(moves, "idempotency_key", { headers: { "idempotency-key": "k" } }), value("k"))
  })

  it("reads the key from no other authorization, and other parameters from no header", () => {
    for (const authorization of ["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", key, `Bearer ${key} ${key}`]) {
      assert.deepStrictEqual(from(moves, "apiKey", { headers: { authorization } }), missing)
    }
    assert.deepStrictEqual(from(moves, "network", { headers: { network: "base", "x-api-key": key } }), missing)
  })

  it("lets query and body win over headers for reads, and refuses two different keys for changes", () => {
    for (
      const request of [
        { query: [["apiKey", key]], headers: { "x-api-key": other } },
        { body: { apiKey: key }, headers: { authorization: `Bearer ${other}` } },
        { headers: { authorization: `Bearer ${key}`, "x-api-key": other } }
      ] satisfies ReadonlyArray<Request>
    ) {
      assert.deepStrictEqual(from(reads, "apiKey", request), value(key))
      assert.deepInclude(from(moves, "apiKey", request), contradiction)
    }
    const everywhere = {
      query: [["apiKey", key] as const],
      body: { apiKey: key.toUpperCase() },
      headers: { authorization: `Bearer ${key}`, "x-api-key": key }
    }
    assert.deepStrictEqual(from(moves, "apiKey", everywhere), value(key))
  })
})

describe("given, for secrets of the body", () => {
  it("refuses them in the URL, even beside the body", () => {
    const secret = "ab".repeat(32)
    assert.deepStrictEqual(from(configures, "privateKey", { body: { privateKey: secret } }), value(secret))
    assert.deepInclude(from(configures, "privateKey", { query: [["privateKey", secret]] }), contradiction)
    assert.deepInclude(
      from(configures, "privateKey", { query: [["privateKey", secret]], body: { privateKey: secret } }),
      contradiction
    )
  })

  it("accepts the exchange endpoints' name for the key if the usual one is absent", () => {
    const [key, other] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"]
    for (const endpoint of endpoints) {
      assert.deepStrictEqual(from(endpoint, "apiKey", { query: [["gas_wallet_api_key", key]] }), value(key))
      assert.deepStrictEqual(from(endpoint, "apiKey", { body: { gas_wallet_api_key: key } }), value(key))
      assert.deepStrictEqual(
        from(endpoint, "apiKey", { query: [["apiKey", key]], body: { gas_wallet_api_key: other } }),
        value(key)
      )
      assert.deepStrictEqual(from(endpoint, "asset", { query: [["gas_wallet_api_key", key]] }), missing)
    }
  })
})
