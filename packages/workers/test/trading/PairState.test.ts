import { assert, describe, it } from "@effect/vitest"
import { Token } from "@vault-trader/core/chain/Token"
import * as FastCheck from "fast-check"
import { fairOut } from "../../src/trading/PairState.ts"
import { minOutOf } from "../../src/trading/VenueOffer.ts"

const token = (symbol: string, decimals: number) =>
  Token.make({ address: `0x${decimals.toString().padStart(40, "0")}`, symbol, decimals })

const pairOf = (decimalsIn: number, decimalsOut: number, priceIn: bigint, priceOut: bigint) => ({
  tokenIn: token("IN", decimalsIn),
  tokenOut: token("OUT", decimalsOut),
  priceIn,
  priceOut
})

const decimals = FastCheck.constantFrom(0, 6, 8, 18)
/** From a millionth of a cent to a hundred million dollars, 18 decimals. */
const price = FastCheck.bigInt(10n ** 10n, 10n ** 26n)
const amount = FastCheck.bigInt(0n, 10n ** 30n)
/** A percentage as callers write it: the number, and the same in millionths of a percent. */
const slippage = FastCheck.integer({ min: 0, max: 5_000_000 }).map((millionths) => ({
  percent: millionths / 1e6,
  millionths: BigInt(millionths)
}))
const whole = 100_000_000n

describe("the value of an amount by the vault's oracle", () => {
  it("takes the decimals of both tokens into account", () => {
    const [dollar, ether, bitcoin] = [10n ** 18n, 3000n * 10n ** 18n, 60_000n * 10n ** 18n]
    assert.strictEqual(fairOut(pairOf(6, 18, dollar, ether), 3_000_000_000n), 10n ** 18n)
    assert.strictEqual(fairOut(pairOf(18, 6, ether, dollar), 10n ** 18n), 3_000_000_000n)
    assert.strictEqual(fairOut(pairOf(18, 8, ether, bitcoin), 2n * 10n ** 19n), 10n ** 8n)
    assert.strictEqual(fairOut(pairOf(8, 18, bitcoin, ether), 10n ** 8n), 2n * 10n ** 19n)
    assert.strictEqual(fairOut(pairOf(6, 8, dollar, bitcoin), 60_000_000_000n), 10n ** 8n)
    assert.strictEqual(fairOut(pairOf(8, 6, bitcoin, dollar), 1n), 600n)
    assert.strictEqual(fairOut(pairOf(6, 8, dollar, bitcoin), 1n), 0n)
  })

  it("is the exact worth, rounded towards zero", () =>
    FastCheck.assert(
      FastCheck.property(decimals, decimals, price, price, amount, (from, to, priceIn, priceOut, amountIn) => {
        const out = fairOut(pairOf(from, to, priceIn, priceOut), amountIn)
        // out / 10^to × priceOut ≤ amountIn / 10^from × priceIn < (out + 1) / 10^to × priceOut
        const worth = amountIn * priceIn * 10n ** BigInt(to)
        const unit = priceOut * 10n ** BigInt(from)
        assert.isTrue(out * unit <= worth && worth < (out + 1n) * unit)
      })
    ))

  it("never falls when more is sold", () =>
    FastCheck.assert(
      FastCheck.property(decimals, decimals, price, price, amount, amount, (from, to, priceIn, priceOut, one, more) => {
        const pair = pairOf(from, to, priceIn, priceOut)
        assert.isTrue(fairOut(pair, one + more) >= fairOut(pair, one))
      })
    ))

  it("gains nothing on a round trip", () =>
    FastCheck.assert(
      FastCheck.property(decimals, decimals, price, price, amount, (from, to, priceIn, priceOut, amountIn) => {
        const there = fairOut(pairOf(from, to, priceIn, priceOut), amountIn)
        assert.isTrue(fairOut(pairOf(to, from, priceOut, priceIn), there) <= amountIn)
      })
    ))
})

describe("the least acceptable proceeds", () => {
  it("are the better of quote and oracle, less the slippage", () => {
    assert.strictEqual(minOutOf(1000n, 900n, 0), 1000n)
    assert.strictEqual(minOutOf(900n, 1000n, 0), 1000n)
    assert.strictEqual(minOutOf(1000n, 900n, 0.5), 995n)
    assert.strictEqual(minOutOf(900n, 1000n, 5), 950n)
    assert.strictEqual(minOutOf(10n ** 30n, 0n, 0.000001), 10n ** 30n - 10n ** 22n)
    assert.strictEqual(minOutOf(0n, 0n, 5), 0n)
  })

  it("are rounded up: one unit is never given away", () => {
    assert.strictEqual(minOutOf(1n, 0n, 5), 1n)
    assert.strictEqual(minOutOf(999n, 0n, 0.5), 995n)
  })

  it("apply the slippage exactly as written, beyond the sixth decimal too", () => {
    assert.strictEqual(minOutOf(10n ** 12n, 0n, 0.0000006), 10n ** 12n - 6000n)
    assert.strictEqual(minOutOf(10n ** 12n, 0n, 1e-9), 10n ** 12n - 10n)
  })

  it("are the exact share of either bound, rounded up to the next unit", () =>
    FastCheck.assert(FastCheck.property(amount, amount, slippage, (quoted, fair, { millionths, percent }) => {
      const least = minOutOf(quoted, fair, percent)
      const better = quoted > fair ? quoted : fair
      const keep = whole - millionths
      for (const bound of [quoted, fair]) assert.isTrue(least * whole >= bound * keep)
      assert.isTrue(better === 0n ? least === 0n : (least - 1n) * whole < better * keep)
    })))

  it("are never more than the better bound itself", () =>
    FastCheck.assert(FastCheck.property(amount, amount, slippage, (quoted, fair, { percent }) => {
      assert.isTrue(minOutOf(quoted, fair, percent) <= (quoted > fair ? quoted : fair))
    })))

  it("never rise with the slippage", () =>
    FastCheck.assert(FastCheck.property(amount, amount, slippage, slippage, (quoted, fair, one, other) => {
      const [less, more] = one.percent < other.percent ? [one, other] : [other, one]
      assert.isTrue(minOutOf(quoted, fair, less.percent) >= minOutOf(quoted, fair, more.percent))
    })))

  it("are symmetric in the two bounds", () =>
    FastCheck.assert(FastCheck.property(amount, amount, slippage, (one, other, { percent }) => {
      assert.strictEqual(minOutOf(one, other, percent), minOutOf(other, one, percent))
    })))
})
