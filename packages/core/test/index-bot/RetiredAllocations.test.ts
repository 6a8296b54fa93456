import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as FastCheck from "fast-check"
import { List, read } from "../../src/index-bot/RetiredAllocations.ts"

const list = Schema.decodeUnknownSync(List("Items.", "a-b"))
const lists = (given: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, list(value)]))
const fault = (given: Readonly<Record<string, unknown>>) =>
  Result.match(read(lists(given)), {
    onFailure: ({ message, name }) => `${name}: ${message}`,
    onSuccess: () => undefined
  })
const valid = { assets: "WBTC-WETH", allocations: "50-50" }

describe("the retired syntax of allocations", () => {
  it("has a list of assets beside a list of weights", () => {
    assert.deepStrictEqual(
      read(lists(valid)),
      Result.succeed({
        targets: [{ asset: "WBTC", weight: 50, tolerance: null }, { asset: "WETH", weight: 50, tolerance: null }],
        slippage: undefined,
        notes: []
      })
    )
    assert.deepStrictEqual(read(lists({ assets: ["WBTC", "WETH"], allocations: [50, 50] })), read(lists(valid)))
  })

  it("has assets and weights in turn where no assets are given", () => {
    const found = read(lists({ allocations: "BTC-50-ETH-30-USDC-20" }))
    assert.deepStrictEqual(
      Result.map(found, ({ targets }) => targets.map(({ asset, weight }) => [asset, weight])),
      Result.succeed([["BTC", 50], ["ETH", 30], ["USDC", 20]])
    )
  })

  it("keeps the tighter threshold and the smallest slippage, and says so", () => {
    const found = Result.getOrThrow(
      read(lists({ ...valid, lower_thresholds: "5-2", upper_thresholds: "4-3", slippages: "1-0.5" }))
    )
    assert.deepStrictEqual([found.targets.map(({ tolerance }) => tolerance), found.slippage], [[4, 2], 0.5])
    assert.deepStrictEqual(found.notes.map((note) => /smaller|smallest|percentage points/.exec(note)?.[0]), [
      "percentage points",
      "smaller",
      "smallest"
    ])
    const even = Result.getOrThrow(
      read(lists({ ...valid, lower_thresholds: "5-2", upper_thresholds: "5-2", slippages: "1-1" }))
    )
    assert.strictEqual(even.notes.length, 1)
  })

  for (
    const [what, given, saying] of [
      [
        "other numbers of assets and allocations",
        { ...valid, allocations: "50" },
        /^allocations: must match assets: 2 /
      ],
      ["a sum that is not 100", { ...valid, allocations: "50-49" }, /^allocations: .*99; they must sum to 100$/],
      ["an asset twice", { ...valid, assets: "WBTC-BTC" }, /^allocations: Duplicate asset: WBTC/],
      ["too few thresholds", { ...valid, lower_thresholds: "5" }, /^lower_thresholds: must match assets: 2 assets, 1 /],
      ["too many slippages", { ...valid, slippages: "1-1-1" }, /^slippages: must match assets: 2 assets, 3 slippages$/],
      [
        "a threshold that is no number",
        { ...valid, upper_thresholds: "5-x" },
        /^upper_thresholds: .*in place 2 is not$/
      ],
      ["a slippage above 5", { ...valid, slippages: "1-6" }, /^slippages: .*at most 5; the one in place 2 is not$/],
      ["assets alone", { assets: "WBTC-WETH" }, /^allocations: is missing/],
      ["thresholds alone", { lower_thresholds: "5-5" }, /^lower_thresholds: must match assets, which is missing$/],
      ["an odd number of words", { allocations: "BTC-50-ETH" }, /^allocations: .*as BTC-50-ETH-30-USDC-20$/]
    ] as const
  ) {
    it(`rejects ${what}, with the reason`, () => assert.match(fault(given) ?? "", saying))
  }

  it("is read or explained for any lists", () =>
    FastCheck.assert(FastCheck.property(
      FastCheck.dictionary(
        FastCheck.constantFrom("assets", "allocations", "lower_thresholds", "upper_thresholds", "slippages"),
        FastCheck.array(FastCheck.constantFrom("WETH", "USDC", "50", "100", "-1", "x"), { minLength: 1 })
      ),
      (given) => {
        const outcome = read(given)
        assert.isTrue(Result.isSuccess(outcome) ? outcome.success.targets.length > 1 : outcome.failure.message !== "")
      }
    )))
})
