import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import {
  around,
  distanceOf,
  heightOf,
  invert,
  isEmpty,
  moved,
  placeOf,
  pressed,
  priceAt,
  priceOf,
  shownOf,
  textOf
} from "../../src/liquidity/Ranges.ts"

const range = { lower: "2400", upper: "3600" }
const anyPrice = FastCheck.double({ min: 1e-9, max: 1e9, noNaN: true })

describe("a range", () => {
  it("reads what is typed as prices, and an empty end as open", () => {
    assert.deepStrictEqual(["", " ", "0", "-1", "abc", "1e3", " 2.5 "].map(priceOf), [
      ...[undefined, undefined, undefined, undefined, undefined, 1_000, 2.5]
    ])
    assert.deepStrictEqual(around(3_000, 20), range)
    assert.deepStrictEqual(around(0.000_333_333_333, 5), { lower: "0.000316667", upper: "0.00035" })
  })

  it("is empty when its end is not above its beginning, and never when one is open", () => {
    assert.deepStrictEqual(
      [range, { lower: "3600", upper: "2400" }, { lower: "1", upper: "1" }, { lower: "5", upper: "" }].map(isEmpty),
      [false, true, true, false]
    )
  })

  it("holds its beginning and not its end", () => {
    assert.deepStrictEqual([2_399, 2_400, 3_599, 3_600].map((price) => placeOf(range, price)), [
      ...["below", "in", "in", "above"] as const
    ])
    assert.strictEqual(placeOf({ lower: "", upper: "" }, 1e-9), "in")
    assert.deepStrictEqual([distanceOf(2_700, 3_000), distanceOf(3_300, 3_000)].map(Math.round), [-10, 10])
  })

  it("is what was typed after its direction is changed twice", () => {
    assert.deepStrictEqual(invert({ lower: "2500", upper: "" }), { lower: "", upper: "0.0004" })
    FastCheck.assert(
      FastCheck.property(anyPrice, anyPrice, (one, other) => {
        const typed = { lower: textOf(Math.min(one, other)), upper: textOf(Math.max(one, other)) }
        const twice = invert(invert(typed))
        for (const end of ["lower", "upper"] as const) {
          assert.approximately(Number(twice[end]) / Number(typed[end]), 1, 1e-9)
        }
        assert.strictEqual(isEmpty(invert(typed)), isEmpty(typed))
      })
    )
  })

  it("is moved by keys in steps of half a percent, in larger ones by page keys, and opened by Home and End", () => {
    assert.deepStrictEqual(pressed(range, "lower", "ArrowUp", 1), { lower: "2412", upper: "3600" })
    assert.deepStrictEqual(pressed(range, "upper", "PageDown", 1), { lower: "2400", upper: "3420" })
    assert.deepStrictEqual(pressed(range, "lower", "Home", 1), { lower: "", upper: "3600" })
    assert.deepStrictEqual(pressed(range, "upper", "End", 1), { lower: "2400", upper: "" })
    assert.deepStrictEqual(pressed({ lower: "", upper: "" }, "upper", "ArrowDown", 4_000), { lower: "", upper: "3980" })
    assert.isUndefined(pressed(range, "upper", "Home", 1))
    assert.isUndefined(pressed(range, "lower", "a", 1))
  })

  it("never ends before it begins, however an end is dragged", () => {
    FastCheck.assert(
      FastCheck.property(anyPrice, FastCheck.constantFrom("lower", "upper"), (price, end) => {
        assert.isFalse(isEmpty(moved(range, end, price)))
      })
    )
  })
})

describe("a picture of a range", () => {
  it("shows the price's history, the present price and both ends, with room beside them", () => {
    const shown = shownOf([2_000, 3_100], range, 3_000, 1)
    assert.isDefined(shown)
    for (const price of [2_000, 3_100, 2_400, 3_600, 3_000]) {
      assert.isAbove(heightOf(shown, price), 8, String(price))
      assert.isBelow(heightOf(shown, price), 92, String(price))
    }
  })

  it("shows less of the prices when it is magnified, around the range", () => {
    const [whole, half] = [1, 2].map((zoom) => shownOf([500, 9_000], range, 3_000, zoom)!)
    assert.isAbove(half!.bottom, whole!.bottom)
    assert.isBelow(half!.top, whole!.top)
    assert.approximately(Math.sqrt(half!.bottom * half!.top), Math.sqrt(2_400 * 3_600), 1e-6)
  })

  it("is there for a present price or typed numbers alone, and not without any price", () => {
    assert.isDefined(shownOf([], { lower: "", upper: "" }, 3_000, 1))
    assert.isDefined(shownOf([], { lower: "2000", upper: "" }, undefined, 1))
    assert.isUndefined(shownOf([], { lower: "", upper: "x" }, undefined, 1))
  })

  it("has each price at one height, and back", () => {
    const shown = { bottom: 1_500, top: 4_500 }
    FastCheck.assert(
      FastCheck.property(FastCheck.double({ min: 1_500, max: 4_500, noNaN: true }), (price) => {
        assert.approximately(priceAt(shown, heightOf(shown, price)) / price, 1, 1e-9)
      })
    )
    assert.deepStrictEqual([heightOf(shown, 1), heightOf(shown, 1e9)], [100, 0])
  })
})
