import { assert, describe, it } from "@effect/vitest"
import { Token } from "@vault-trader/core/chain/Token"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import { liquidityOf, minAmounts, toAdd, toRemove, toSwap } from "../../src/liquidity/Amounts.ts"
import * as Range from "../../src/liquidity/Range.ts"
import { maxTick, minTick, q96, sqrtPriceAt, squareRoot, tickAt } from "../../src/liquidity/TickMath.ts"

const tick = FastCheck.integer({ min: minTick, max: maxTick })

describe("ticks", () => {
  it("have the prices of the contract at their ends and in the middle", () => {
    assert.deepStrictEqual([minTick, 0, maxTick].map(sqrtPriceAt), [
      4295128739n,
      q96,
      1461446703485210103287273052203988822378723970342n
    ])
  })

  it("are recovered from their price, and from any price below the next tick's", () =>
    FastCheck.assert(FastCheck.property(tick, (at) => {
      assert.strictEqual(tickAt(sqrtPriceAt(at)), at)
      if (at < maxTick) assert.strictEqual(tickAt(sqrtPriceAt(at + 1) - 1n), at)
    })))

  it("are steps of a hundredth of a percent", () =>
    FastCheck.assert(FastCheck.property(FastCheck.integer({ min: -500_000, max: 500_000 }), (at) => {
      assert.approximately(Number(sqrtPriceAt(at + 1) * 10n ** 12n / sqrtPriceAt(at)) / 1e12, Math.sqrt(1.0001), 1e-9)
    })))

  it("have square roots rounded down", () =>
    FastCheck.assert(FastCheck.property(FastCheck.bigInt({ min: 0n, max: 2n ** 400n }), (value) => {
      const root = squareRoot(value)
      assert.isTrue(root * root <= value && value < (root + 1n) ** 2n)
    })))
})

const ranges = FastCheck.tuple(
  FastCheck.integer({ min: -300_000, max: 300_000 }),
  FastCheck.integer({ min: 1, max: 100_000 })
)
  .map(([low, width]) => Range.make(low, low + width))
/** From `min` to two to the power of `bits`. */
const amount = (min: bigint, bits: bigint) => FastCheck.bigInt({ min, max: 2n ** bits })
const steps = (most: number) => FastCheck.integer({ min: -most, max: most })
const price = FastCheck.integer({ min: -400_000, max: 400_000 }).map(sqrtPriceAt)

describe("amounts", () => {
  it("never give back more than they took", () =>
    FastCheck.assert(FastCheck.property(price, ranges, amount(1n, 100n), (at, range, liquidity) => {
      const [added, removed] = [toAdd(at, range, liquidity), toRemove(at, range, liquidity)]
      for (const place of [0, 1] as const) {
        assert.isTrue(removed[place] <= added[place] && added[place] - removed[place] <= 2n)
      }
    })))

  it("cover the liquidity computed from them", () =>
    FastCheck.assert(FastCheck.property(price, ranges, amount(0n, 90n), amount(0n, 90n), (at, range, one, other) => {
      const [used0, used1] = toAdd(at, range, liquidityOf(at, range, [one, other]))
      assert.isTrue(used0 <= one && used1 <= other, `${used0} of ${one}, ${used1} of ${other}`)
    })))

  it("are at least the minimum while the price stays within the slippage", () =>
    FastCheck.assert(FastCheck.property(price, ranges, amount(1n, 90n), steps(49), (at, range, liquidity, off) => {
      const minimum = minAmounts(toAdd, at, range, liquidity, 0.5)
      // Ticks are steps of 0.01 %.
      const moved = toAdd(sqrtPriceAt(tickAt(at) + off), range, liquidity)
      assert.isTrue(moved[0] >= minimum[0] && moved[1] >= minimum[1])
    })))

  it("are swapped to match: all when the range needs only the other token, none when it needs only this one, half in the middle", () => {
    const range = Range.make(-1000, 1000)
    const even = { sold: 10n ** 18n, bought: 10n ** 18n }
    const of = (at: number, given: 0 | 1) => toSwap(sqrtPriceAt(at), range, given, 10n ** 18n, even)
    assert.deepStrictEqual([of(2000, 0), of(2000, 1), of(-2000, 0), of(-2000, 1)], [10n ** 18n, 0n, 0n, 10n ** 18n])
    for (const given of [0, 1] as const) assert.approximately(Number(of(0, given)), 5e17, 1e6)
  })

  it("swapped this way leave almost nothing of either token", () =>
    FastCheck.assert(FastCheck.property(steps(900), FastCheck.constantFrom(0, 1), (at, given) => {
      const range = Range.make(-1000, 1000)
      const whole = 10n ** 20n
      // The swap's fee is 0.3 %.
      const [up, down] = [sqrtPriceAt(at) ** 2n, q96 * q96]
      const rate = given === 0 ? { sold: down * 1000n, bought: up * 997n } : { sold: up * 1000n, bought: down * 997n }
      const swap = toSwap(sqrtPriceAt(at), range, given, whole, rate)
      const bought = swap * rate.bought / rate.sold
      const desired = given === 0 ? [whole - swap, bought] as const : [bought, whole - swap] as const
      const used = toAdd(sqrtPriceAt(at), range, liquidityOf(sqrtPriceAt(at), range, desired))
      for (const place of [0, 1] as const) assert.isBelow(Number(desired[place] - used[place]) / Number(whole), 1e-9)
    })))
})

const usdc = Token.make({ address: `0x${"1".repeat(40)}`, decimals: 6, symbol: "USDC" })
const weth = Token.make({ address: `0x${"2".repeat(40)}`, decimals: 18, symbol: "WETH" })
const pairs = { straight: { first: usdc, second: weth }, turned: { first: weth, second: usdc } }
const decimal = BigDecimal.fromStringUnsafe

describe("price ranges", () => {
  it.effect("are the ticks nearest to the caller's prices, in either order of the assets", () =>
    Effect.gen(function*() {
      const turned = yield* Range.of(pairs.turned, 60, { lowerPrice: decimal("2500"), upperPrice: decimal("3600") })
      const straight = yield* Range.of(pairs.straight, 60, {
        lowerPrice: decimal("0.000277777777777777"),
        upperPrice: decimal("0.0004")
      })
      assert.deepStrictEqual([straight.tickLower, straight.tickUpper], [turned.tickLower, turned.tickUpper])
      assert.isTrue([turned.tickLower, turned.tickUpper].every((each) => each % 60 === 0))
      const { lower_price, upper_price } = Range.priceBounds(pairs.turned, turned, 60)
      // A step of this pool is 0.6 %.
      assert.approximately(Number(lower_price), 2500, 2500 * 0.0031)
      assert.approximately(Number(upper_price), 3600, 3600 * 0.0031)
      const again = yield* Range.of(pairs.turned, 60, {
        lowerPrice: decimal(lower_price!),
        upperPrice: decimal(upper_price!)
      })
      assert.deepStrictEqual(again, turned)
    }))

  it.effect("have no end where the caller gives no price", () =>
    Effect.gen(function*() {
      for (const pair of Object.values(pairs)) {
        const full = yield* Range.of(pair, 60, {})
        assert.deepStrictEqual([full.tickLower, full.tickUpper, Range.priceBounds(pair, full, 60)], [
          -887_220,
          887_220,
          {
            lower_price: null,
            upper_price: null
          }
        ])
        const half = yield* Range.of(pair, 60, { lowerPrice: decimal("1") })
        const { lower_price, upper_price } = Range.priceBounds(pair, half, 60)
        assert.isNull(upper_price)
        assert.approximately(Number(lower_price), 1, 0.0031)
      }
    }))

  it.effect("that are inverted, narrower than a step of the pool or beyond all prices are refused with 1010", () =>
    Effect.gen(function*() {
      const refused = (lower: string, upper: string) =>
        Effect.map(
          Effect.flip(Range.of(pairs.turned, 60, { lowerPrice: decimal(lower), upperPrice: decimal(upper) })),
          ({ code, message }) => `${code} ${message}`
        )
      assert.match(yield* refused("3000", "2000"), /^1010 upper_price: must be above lower_price/)
      assert.match(
        yield* refused("3000", "3001"),
        /^1010 upper_price: must be above lower_price by at least one step of the pool \(0\.60 %\)$/
      )
      assert.match(
        yield* refused("1e-60", "3000"),
        /^1010 lower_price: a pool of WETH and USDC cannot have this price$/
      )
      assert.match(yield* refused("3000", "1e60"), /^1010 upper_price: a pool/)
    }))
})
