import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import { read } from "../../src/index-bot/Targets.ts"

const fault = (given: unknown) => Result.match(read(given), { onFailure: (text) => text, onSuccess: () => undefined })

describe("targets", () => {
  it("are read from a list, with numbers as numbers or text, and with or without their own tolerance", () => {
    const given = [{ asset: "WETH", weight: 33.34 }, { asset: "WBTC", weight: "33.33", tolerance: "2.5" }, {
      asset: "USDC",
      weight: 33.33,
      tolerance: null
    }]
    assert.deepStrictEqual(
      read(given),
      Result.succeed([
        { asset: "WETH", weight: 33.34, tolerance: null },
        { asset: "WBTC", weight: 33.33, tolerance: 2.5 },
        { asset: "USDC", weight: 33.33, tolerance: null }
      ])
    )
  })

  it("may deviate from 100 by a hundredth, and by no more", () => {
    const of = (weight: number) => fault([{ asset: "WETH", weight }, { asset: "USDC", weight: 50 }])
    assert.deepStrictEqual([of(49.99), of(50.01)], [undefined, undefined])
    assert.strictEqual(of(49.989), "have weights that sum to 99.989; they must sum to 100")
    assert.strictEqual(of(50.011), "have weights that sum to 100.011; they must sum to 100")
  })

  for (
    const [what, given, saying] of [
      ["no list", { asset: "WETH" }, /JSON list/],
      ["one target", [{ asset: "WETH", weight: 100 }], /2 to 20 targets, not 1/],
      ["21 targets", Array.from({ length: 21 }, (_, index) => ({ asset: `T${index}`, weight: 1 })), /not 21/],
      ["a member that is no object", ["WETH", { asset: "USDC", weight: 50 }], /no object .*in place 1/],
      [
        "a member without an asset",
        [{ asset: "WETH", weight: 50 }, { weight: 50 }],
        /asset is no token symbol.*in place 2/
      ],
      ["an asset that is no name", [{ asset: "a b", weight: 50 }, { asset: "USDC", weight: 50 }], /in place 1/],
      ["a weight of 0", [{ asset: "WETH", weight: 0 }, { asset: "USDC", weight: 100 }], /weight is not above 0/],
      [
        "a weight that is no number",
        [{ asset: "WETH", weight: "half" }, { asset: "USDC", weight: 50 }],
        /weight is not/
      ],
      [
        "a tolerance above 100",
        [{ asset: "WETH", weight: 50, tolerance: 101 }, { asset: "USDC", weight: 50 }],
        /tolerance is not/
      ],
      [
        "an asset twice by its alias",
        [{ asset: "BTC", weight: 50 }, { asset: "WBTC", weight: 50 }],
        /^Duplicate asset: WBTC is named more than once/
      ],
      [
        "an asset twice in another case",
        [{ asset: "Dai", weight: 50 }, { asset: "dAI", weight: 50 }],
        /^Duplicate asset: DAI is named more than once/
      ]
    ] as const
  ) {
    it(`reject ${what}, with the reason`, () => assert.match(fault(given) ?? "", saying))
  }

  it("are read or explained for any input", () =>
    FastCheck.assert(FastCheck.property(FastCheck.jsonValue(), (given) => {
      const outcome = read(given)
      assert.isTrue(Result.isSuccess(outcome) || outcome.failure.length > 0)
    })))
})
