import { assert, describe, it } from "@effect/vitest"
import { validationCodes, type ValidationCode } from "@vault-trader/core/failure/Failure"
import * as FastCheck from "fast-check"
import { firstUpTo, rank, rankOfKey, rankOfVault, type Refusal } from "../../src/params/RequestParams.ts"

/** The order of section 4 of the design, typed out. */
const order: ReadonlyArray<ValidationCode> = [
  "1000",
  "1001",
  "1002",
  "1003",
  "1004",
  "1005",
  "1007",
  "1008",
  "1009",
  "1010",
  "1006"
]
const codes = Object.keys(validationCodes) as ReadonlyArray<ValidationCode>

const unusable = FastCheck.constantFrom(...codes).map((code): Refusal => ({
  code,
  name: `p${code}`,
  missing: false,
  message: "cannot be used"
}))
const lacking = FastCheck.stringMatching(/^[a-z]{1,5}$/).map((name): Refusal => ({
  code: "1010",
  name,
  missing: true,
  message: "is missing"
}))
const refusals = FastCheck.array(
  FastCheck.oneof({ weight: 4, arbitrary: unusable }, { weight: 1, arbitrary: lacking }),
  { maxLength: 12 }
)
const all = Number.POSITIVE_INFINITY

describe("firstUpTo", () => {
  it("ranks every code", () => {
    assert.sameMembers([...order], [...codes])
    for (const code of codes) assert.strictEqual(rank({ code, missing: false }), order.indexOf(code) + 1)
    assert.strictEqual(rank({ code: "1010", missing: true }), 0)
    assert.deepStrictEqual([order[rankOfKey - 1], order[rankOfVault - 1]], ["1002", "1004"])
  })

  it("always returns the first refusal in the order", () =>
    FastCheck.assert(FastCheck.property(refusals, (given) => {
      const failure = firstUpTo(given, all)
      if (given.length === 0) assert.isUndefined(failure)
      else if (given.some(({ missing }) => missing)) assert.strictEqual(failure?.code, "1010")
      else {
        const places = given.map(({ code }) => order.indexOf(code))
        assert.strictEqual(failure?.code, order[Math.min(...places)])
      }
    })))

  it("names every missing parameter, in the given order, and none that is only unusable", () =>
    FastCheck.assert(FastCheck.property(refusals, (given) => {
      const names = given.filter(({ missing }) => missing).map(({ name }) => name)
      FastCheck.pre(names.length > 0)
      assert.strictEqual(
        firstUpTo(given, all)?.message,
        `Missing required parameter${names.length > 1 ? "s" : ""}: ${names.join(", ")}`
      )
    })))

  it("ignores refusals that rank after the limit", () =>
    FastCheck.assert(FastCheck.property(refusals, FastCheck.integer({ min: 0, max: 12 }), (given, limit) => {
      const failure = firstUpTo(given, limit)
      const ranks = given.map(rank).filter((each) => each <= limit)
      assert.strictEqual(failure === undefined, ranks.length === 0)
      assert.deepStrictEqual(failure, firstUpTo(given.filter((refusal) => rank(refusal) <= limit), all))
    })))

  it("does not modify its input", () => {
    const given: ReadonlyArray<Refusal> = Object.freeze([
      { code: "1010" as const, name: "b", missing: false, message: "m" },
      { code: "1000" as const, name: "a", missing: false, message: "m" }
    ])
    assert.strictEqual(firstUpTo(given, all)?.message, "a: m")
  })
})
