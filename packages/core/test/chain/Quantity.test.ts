import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as FastCheck from "fast-check"
import * as Quantity from "../../src/chain/Quantity.ts"
import { Token } from "../../src/chain/Token.ts"

const raw = FastCheck.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const decimals = FastCheck.integer({ min: 0, max: 255 })
const percent = FastCheck.double({ min: 0, max: 100, noNaN: true })

describe("Quantity.format", () => {
  for (
    const [units, places, text] of [
      [0n, 18, "0"],
      [1n, 18, "0.000000000000000001"],
      [10n ** 18n, 18, "1"],
      [1_500_000n, 6, "1.5"],
      [100n, 0, "100"],
      [100n, 2, "1"],
      [-1_500_000n, 6, "-1.5"],
      [-1n, 3, "-0.001"]
    ] as const
  ) {
    it(`writes ${units} of ${places} decimals as ${text}`, () =>
      assert.strictEqual(Quantity.format(units, places), text))
  }

  it("is undone by toRaw", () =>
    FastCheck.assert(FastCheck.property(raw, decimals, (units, places) => {
      assert.strictEqual(Quantity.toRaw(BigDecimal.fromStringUnsafe(Quantity.format(units, places)), places), units)
    })))

  it("never ends in a zero after the point, nor in the point", () =>
    FastCheck.assert(FastCheck.property(raw, decimals, (units, places) => {
      assert.match(Quantity.format(units, places), /^(0|[1-9]\d*)(\.\d*[1-9])?$/)
    })))
})

describe("Quantity.toRaw", () => {
  it("rounds towards zero when the token has fewer decimals", () => {
    assert.strictEqual(Quantity.toRaw(BigDecimal.fromStringUnsafe("1.9999999"), 6), 1_999_999n)
    assert.strictEqual(Quantity.toRaw(BigDecimal.fromStringUnsafe("0.0000001"), 6), 0n)
    assert.strictEqual(Quantity.toRaw(BigDecimal.fromStringUnsafe("1.9"), 0), 1n)
  })

  it("reads scientific notation exactly", () => {
    assert.strictEqual(Quantity.toRaw(BigDecimal.fromStringUnsafe("1e3"), 18), 10n ** 21n)
  })
})

describe("Quantity.percentOf", () => {
  it("returns the whole quantity at 100 percent", () => {
    assert.strictEqual(Quantity.percentOf(2n ** 256n - 1n, 100), 2n ** 256n - 1n)
  })

  it("rounds towards zero", () => {
    assert.strictEqual(Quantity.percentOf(3n, 50), 1n)
    assert.strictEqual(Quantity.percentOf(1n, 99.999999), 0n)
    assert.strictEqual(Quantity.percentOf(1_000_000n, 33.333333), 333_333n)
  })

  it("returns between zero and the whole quantity", () =>
    FastCheck.assert(FastCheck.property(raw, percent, (units, share) => {
      const part = Quantity.percentOf(units, share)
      assert.isTrue(part >= 0n && part <= units, `${share} % of ${units} is ${part}`)
    })))

  it("grows with the percentage", () =>
    FastCheck.assert(FastCheck.property(raw, percent, percent, (units, one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one]
      assert.isTrue(Quantity.percentOf(units, less) <= Quantity.percentOf(units, more))
    })))

  it("never takes more than the exact percentage", () =>
    FastCheck.assert(FastCheck.property(FastCheck.bigInt({ min: 0n, max: 10n ** 30n }), percent, (units, share) => {
      const exact = BigDecimal.multiply(BigDecimal.fromBigInt(units), BigDecimal.fromNumberUnsafe(share))
      const part = BigDecimal.fromBigInt(Quantity.percentOf(units, share) * 100n)
      assert.isTrue(BigDecimal.isLessThanOrEqualTo(part, exact), `${share} % of ${units}`)
    })))
})

describe("Quantity.of and Quantity.usd", () => {
  it("show a token's quantity and a dollar figure", () => {
    const token = Token.make({ address: "0x0b2c639c533813f4aa9d7837caf62653d097ff85", symbol: "USDC", decimals: 6 })
    assert.deepStrictEqual({ ...Quantity.of(token, 1_500_000n) }, {
      asset: token.address,
      symbol: "USDC",
      amount: "1.5",
      raw: "1500000"
    })
    assert.strictEqual(Quantity.usd(1_234_567_891_234_567_891n), 1.234567)
  })
})
