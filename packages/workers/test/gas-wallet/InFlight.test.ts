import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import * as FastCheck from "fast-check"
import type { Fees } from "../../src/chain/ChainClient.ts"
import { capped, nextFees } from "../../src/gas-wallet/InFlight.ts"

const wei = FastCheck.bigInt(1n, 10n ** 13n)
/** Any fees a market or an attempt can have: the tip is never above the maximum. */
const fees = FastCheck.tuple(wei, wei).map(([one, other]): Fees => ({
  maxFeePerGas: one > other ? one : other,
  maxPriorityFeePerGas: one > other ? other : one
}))
/** An attempt was under the cap when it was signed. */
const attempts = FastCheck.tuple(fees, wei).map(([last, room]) => ({ last, cap: last.maxFeePerGas + room }))

/** Nodes accept a replacement for a tenth more; we guarantee an eighth more. */
const isAnEighthMore = (next: bigint, last: bigint) => next * 1000n >= last * 1125n

describe("the fees of a next attempt", () => {
  it("are an eighth more than the last on both, the tip within the maximum, the maximum within the cap", () =>
    FastCheck.assert(
      FastCheck.property(attempts, fees, ({ cap, last }, market) => {
        const next = Option.getOrUndefined(nextFees(last, market, cap))
        if (next === undefined) return
        assert.isTrue(isAnEighthMore(next.maxFeePerGas, last.maxFeePerGas))
        assert.isTrue(isAnEighthMore(next.maxPriorityFeePerGas, last.maxPriorityFeePerGas))
        assert.isTrue(next.maxFeePerGas <= cap)
        assert.isTrue(next.maxPriorityFeePerGas <= next.maxFeePerGas)
      }),
      { numRuns: 1000 }
    ))

  it("follow the market where it is higher and the cap allows it", () =>
    FastCheck.assert(
      FastCheck.property(attempts, fees, ({ cap, last }, market) => {
        const next = Option.getOrUndefined(nextFees(last, market, cap))
        if (next === undefined) return
        assert.isTrue(next.maxFeePerGas >= (market.maxFeePerGas < cap ? market.maxFeePerGas : cap))
        assert.isTrue(
          next.maxPriorityFeePerGas >=
            (market.maxPriorityFeePerGas < next.maxFeePerGas ? market.maxPriorityFeePerGas : next.maxFeePerGas)
        )
      }),
      { numRuns: 1000 }
    ))

  it("are none only when the cap leaves no room for an eighth", () =>
    FastCheck.assert(
      FastCheck.property(attempts, fees, ({ cap, last }, market) => {
        const room = isAnEighthMore(cap, last.maxFeePerGas)
        assert.strictEqual(Option.isSome(nextFees(last, market, cap)), room)
      }),
      { numRuns: 1000 }
    ))

  it("are none at the cap, and exactly an eighth more, rounded up, just below it", () => {
    const last = { maxFeePerGas: 1001n, maxPriorityFeePerGas: 9n }
    const low = { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
    assert.deepStrictEqual(nextFees(last, low, 1126n), Option.none())
    assert.deepStrictEqual(nextFees(last, low, 1127n), Option.some({ maxFeePerGas: 1127n, maxPriorityFeePerGas: 11n }))
  })

  it("end at none after a number of attempts: re-pricing does not continue forever", () =>
    FastCheck.assert(FastCheck.property(fees, wei, (first, room) => {
      const cap = first.maxFeePerGas + room
      let last: Fees | undefined = first
      let count = 0
      while (last !== undefined && count < 1000) {
        last = Option.getOrUndefined(nextFees(last, first, cap))
        count += 1
      }
      assert.isBelow(count, 1000)
    })))
})

describe("capped fees", () => {
  it("are the market's, each within the cap, the tip within the maximum", () =>
    FastCheck.assert(FastCheck.property(fees, wei, (market, cap) => {
      const within = capped(market, cap)
      assert.strictEqual(within.maxFeePerGas, market.maxFeePerGas < cap ? market.maxFeePerGas : cap)
      assert.strictEqual(
        within.maxPriorityFeePerGas,
        market.maxPriorityFeePerGas < cap ? market.maxPriorityFeePerGas : cap
      )
      assert.isTrue(within.maxPriorityFeePerGas <= within.maxFeePerGas)
      assert.deepStrictEqual(capped(within, cap), within)
    })))
})
