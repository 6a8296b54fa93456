import { assert, describe, it } from "@effect/vitest"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as Redacted from "effect/Redacted"
import * as FastCheck from "fast-check"
import { decode, firstUpTo } from "../../src/params/RequestParams.ts"
import { facts } from "../endpoint/TestEndpoints.ts"

const sources = (query: Readonly<Record<string, string>>, body: ReadonlyMap<string, unknown> = new Map()) => ({
  query: new URLSearchParams({ ...query }),
  body,
  headers: {}
})
const decoded = (endpoint: EndpointFacts, query: Readonly<Record<string, string>>) => decode(endpoint, sources(query))

const good: Readonly<Record<string, string>> = {
  apiKey: "6f9619ff-8b86-4011-b42d-00c04fc964ff",
  network: "base",
  protocol: "dhedge",
  pool: `0x${"ab".repeat(20)}`,
  trader: `0x${"cd".repeat(20)}`,
  asset: "USDC",
  share: "50",
  amount: "1",
  slippage: "1",
  dryRun: "true"
}
/** An unusable value of each parameter, and its code. */
const bad: Readonly<Record<string, readonly [value: string, code: string]>> = {
  apiKey: ["secret", "1002"],
  network: ["mars", "1000"],
  protocol: ["a b", "1001"],
  pool: ["0x12", "1004"],
  trader: ["0x12", "1005"],
  asset: ["a b", "1010"],
  share: ["101", "1007"],
  amount: ["-1", "1009"],
  slippage: ["6", "1010"],
  dryRun: ["maybe", "1010"]
}
const required = ["apiKey", "network", "pool"]
const order = ["1000", "1001", "1002", "1003", "1004", "1005", "1007", "1008", "1009", "1010"]

/** A request with each parameter good, bad or absent. */
const request = FastCheck.record(Object.fromEntries(
  Object.keys(good).map((name) => [name, FastCheck.constantFrom("good", "bad", "absent")])
)).map((states) => ({
  states,
  query: Object.fromEntries(
    Object.entries(states).flatMap(([name, state]) => {
      const value = state === "good" ? good[name] : bad[name]?.[0]
      return state === "absent" || value === undefined ? [] : [[name, value] as const]
    })
  )
}))
const inState = (states: Readonly<Record<string, string>>, state: string) =>
  Object.keys(states).filter((name) => states[name] === state)

describe("decode", () => {
  it("reads a valid request", () => {
    const { params, refusals } = decoded(facts.moves, good)
    assert.deepStrictEqual(refusals, [])
    assert.deepStrictEqual(Object.keys(params).sort(), Object.keys(good).sort())
    assert.isTrue(Redacted.isRedacted(params["apiKey"]))
    assert.deepStrictEqual([params["network"], params["share"], params["dryRun"]], ["base", 50, true])
  })

  it("reads what can be read and refuses exactly the rest", () =>
    FastCheck.assert(FastCheck.property(request, ({ query, states }) => {
      for (const endpoint of [facts.reads, facts.moves]) {
        const { params, refusals } = decoded(endpoint, query)
        assert.sameMembers(Object.keys(params), inState(states, "good"))
        const lacking = inState(states, "absent").filter((name) => required.includes(name))
        assert.sameMembers(refusals.filter(({ missing }) => missing).map(({ name }) => name), lacking)
        assert.sameDeepMembers(
          refusals.filter(({ missing }) => !missing).map(({ code, name }) => [name, code]),
          inState(states, "bad").map((name) => [name, bad[name]?.[1]])
        )
      }
    })))

  it("reports the error that comes first in the wire's order", () =>
    FastCheck.assert(FastCheck.property(request, ({ query, states }) => {
      const failure = firstUpTo(decoded(facts.moves, query).refusals, Number.POSITIVE_INFINITY)
      const lacking = required.filter((name) => states[name] === "absent")
      const codes = inState(states, "bad").map((name) => bad[name]?.[1])
      if (lacking.length > 0) {
        assert.strictEqual(failure?.code, "1010")
        for (const name of lacking) assert.include(failure?.message ?? "", name)
      } else assert.strictEqual(failure?.code, order.find((code) => codes.includes(code)))
    })))

  it("never repeats a value in an error, because it may be a secret", () => {
    const { refusals } = decoded(
      facts.moves,
      Object.fromEntries(Object.keys(good).map((name) => [name, `hunter2-${name} !`]))
    )
    assert.isAbove(refusals.length, 5)
    for (const { message } of refusals) assert.notInclude(message, "hunter2")
  })

  it("ignores undeclared parameters", () => {
    const { params, refusals } = decoded(facts.moves, {
      ...good,
      utm_source: "chart",
      constructor: "x",
      __proto__: "x"
    })
    assert.deepStrictEqual(refusals, [])
    assert.notProperty({ ...params }, "utm_source")
  })

  const body = FastCheck.dictionary(
    FastCheck.oneof(
      FastCheck.constantFrom(...Object.keys(good), "pools", "targets", "__proto__", "constructor", "idempotency_key"),
      FastCheck.string()
    ),
    FastCheck.jsonValue({ maxDepth: 3 })
  )
  it("accepts any body and reads only declared parameters from it", () =>
    FastCheck.assert(FastCheck.property(body, (members) => {
      const { params, refusals } = decode(
        facts.moves,
        sources({}, new Map(Object.entries(JSON.parse(JSON.stringify(members)) as object)))
      )
      const declared = facts.moves.params.map(({ name }) => name)
      assert.includeMembers(declared, [...Object.keys(params), ...refusals.map(({ name }) => name)])
      assert.strictEqual(Object.getPrototypeOf(params), Object.prototype)
    })))

  it("is not fooled by prototypes", () => {
    const hostile = JSON.parse(
      `{"__proto__": {"apiKey": "6f9619ff-8b86-4011-b42d-00c04fc964ff"}, "constructor": {"network": "base"}}`
    ) as object
    const { params, refusals } = decode(facts.moves, sources({}, new Map(Object.entries(hostile))))
    assert.deepStrictEqual({ ...params }, {})
    assert.deepStrictEqual(refusals.map(({ missing, name }) => [name, missing]), required.map((name) => [name, true]))
    assert.notProperty({}, "apiKey")
  })
})
