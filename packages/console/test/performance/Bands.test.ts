import { assert, describe, it } from "@effect/vitest"
import { bandsOf, maxBands, nearest, placesOf, size, type Weights } from "../../src/performance/Bands.ts"
import { changesOf, returnsOf } from "../../src/performance/Curve.ts"

const at = (hour: number, weights: Readonly<Record<string, number>>, gap: string | null = null): Weights => ({
  time: new Date(Date.UTC(2026, 10, 20, hour)).toISOString(),
  weights: Object.entries(weights).map(([symbol, percent]) => ({ asset: `0x${symbol}`, symbol, percent })),
  gap
})

const cornersOf = (polygon: string | undefined) => (polygon ?? "").split(" ").map((each) => each.split(",").map(Number))

describe("the bands of an allocation", () => {
  it("lie on top of each other, the largest at the bottom, at the places of their times", () => {
    const bands = bandsOf([at(0, { USDC: 100 }), at(1, { USDC: 75, WETH: 25 }), at(4, { WETH: 50, USDC: 50 })])
    assert.deepStrictEqual(bands.map(({ percents, symbol }) => [symbol, percents]), [
      ["USDC", [100, 75, 50]],
      ["WETH", [0, 25, 50]]
    ])
    const { height, width } = size
    assert.deepStrictEqual(cornersOf(bands[0]?.polygons[0]), [
      ...[[0, 0], [width / 4, height / 4], [width, height / 2]],
      ...[[width, height], [width / 4, height], [0, height]]
    ])
    assert.deepStrictEqual(cornersOf(bands[1]?.polygons[0]), [
      ...[[0, 0], [width / 4, 0], [width, 0]],
      ...[[width, height / 2], [width / 4, height / 4], [0, 0]]
    ])
  })

  it("are drawn in parts around a gap, and not where a single time is between two gaps", () => {
    const [band] = bandsOf([
      ...[at(0, { USDC: 100 }), at(1, { USDC: 100 }), at(5, { USDC: 100 }, "The service did not run.")],
      ...[at(9, { USDC: 100 }, "The service did not run."), at(10, { USDC: 100 })]
    ])
    assert.deepStrictEqual(band?.polygons.map((polygon) => cornersOf(polygon).length), [4, 4])
  })

  it("of many assets are as many as a reader can distinguish, the smallest together", () => {
    const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`T${index}`, 12 - index]))
    const bands = bandsOf([at(0, many), at(1, many)])
    assert.strictEqual(bands.length, maxBands)
    assert.deepStrictEqual(bands.map(({ symbol }) => symbol), ["T0", "T1", "T2", "T3", "T4", "T5", undefined])
    // The other six: 6 + 5 + 4 + 3 + 2 + 1.
    assert.deepStrictEqual(bands.at(-1)?.percents, [21, 21])
  })

  it("of nothing are none", () => {
    assert.deepStrictEqual(bandsOf([]), [])
    assert.deepStrictEqual(bandsOf([at(0, {}), at(1, {})]), [])
  })

  it("are pointed at by the nearest time", () => {
    const places = placesOf([at(0, {}), at(1, {}), at(4, {})])
    assert.deepStrictEqual(places, [0, 0.25, 1])
    assert.deepStrictEqual([-1, 0.1, 0.2, 0.7, 3].map((place) => nearest(places, place)), [0, 0, 1, 2, 2])
  })
})

describe("a return over time", () => {
  it("is the change since the first known value, with the gaps of the curve", () => {
    const value = (time: number, known: number | null) => ({ time, value: known })
    assert.deepStrictEqual(changesOf([value(1, null), value(2, 2), value(3, null), value(4, 2.5)]), [
      ...[value(1, null), value(2, 0), value(3, null), value(4, 25)]
    ])
    assert.deepStrictEqual(changesOf([value(1, 0), value(2, 1)]), [])
  })

  it("of a benchmark is left out where its price was not sampled", () => {
    assert.deepStrictEqual(
      returnsOf([
        { time: "2026-11-20T00:00:00.000Z", return_percent: 0 },
        { time: "2026-11-20T01:00:00.000Z", return_percent: null },
        { time: "2026-11-20T02:00:00.000Z", return_percent: -1.5 }
      ]).map(({ value }) => value),
      [0, -1.5]
    )
  })
})
