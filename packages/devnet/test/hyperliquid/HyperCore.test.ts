import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import type { Address } from "@vault-trader/core/chain/Address"
import * as HyperCore from "../../src/hyperliquid/HyperCore.ts"
import type { Event } from "../../src/hyperliquid/Event.ts"
import { one, times } from "../../src/hyperliquid/Numbers.ts"
import * as State from "../../src/hyperliquid/State.ts"

const user: Address = "0x00000000000000000000000000000000000000aa"
const ethereum = 1

const price = FastCheck.integer({ min: 2500, max: 3500 }).map((usd): Event => ({
  _tag: "price",
  asset: ethereum,
  px: BigInt(usd) * one,
  isKnown: true
}))
const order = FastCheck.record({
  isBuy: FastCheck.boolean(),
  px: FastCheck.integer({ min: 2500, max: 3500 }).map((usd) => BigInt(usd) * one),
  sz: FastCheck.integer({ min: 1, max: 300_000 }).map((lots) => BigInt(lots) * 10_000n),
  reduceOnly: FastCheck.boolean(),
  timeInForce: FastCheck.constantFrom(1 as const, 2 as const, 3 as const)
}).map((wanted): Event => ({
  _tag: "action",
  user,
  action: { _tag: "limitOrder", order: { ...wanted, asset: ethereum, cloid: 0n } }
}))
const transfer = FastCheck.record({ amount: FastCheck.bigInt(0n, 200_000_000_000n), toPerp: FastCheck.boolean() })
  .map((wanted): Event => ({ _tag: "action", user, action: { _tag: "classTransfer", ...wanted } }))

const deposited = 100_000n * one

const played = (events: ReadonlyArray<Event>) => {
  const state = State.initial()
  const deposit: Event = { _tag: "deposit", user, amount: deposited / 100n, isPerp: true }
  for (const [index, event] of [deposit, ...events].entries()) {
    HyperCore.apply(state, { event, hash: "0x", time: index })
  }
  return state
}

describe("the fake exchange's accounts", () => {
  it("are worth what was deposited, less fees and what was paid for coins, and the coins, whatever was traded and moved", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.oneof(price, order, order, transfer), { maxLength: 60 }),
        (events) => {
          const state = played(events)
          const owner = State.account(state, user)
          const flow = state.fills.reduce(
            (sum, { fee, order: { isBuy }, px, sz }) => sum - fee + (isBuy ? -times(px, sz) : times(px, sz)),
            deposited
          )
          const size = owner.positions.get(ethereum)?.size ?? 0n
          const expected = flow + times(size, State.priceOf(state, ethereum))
          const told = State.summary(state, owner).value + owner.spot
          // Each fill may be rounded by a few hundred-millionths of a dollar.
          assert.isAtMost(Math.abs(Number(told - expected)), 10 + 10 * state.fills.length)
        }
      ),
      { numRuns: 300 }
    )
  })

  it("hold what their orders filled, and no order fills beyond its size or at a price worse than its limit", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.oneof(price, order), { maxLength: 60 }), (events) => {
        const state = played(events)
        const net = state.fills.reduce((sum, { order: { isBuy }, sz }) => sum + (isBuy ? sz : -sz), 0n)
        assert.strictEqual(State.account(state, user).positions.get(ethereum)?.size ?? 0n, net)
        for (const { order: { isBuy, px: limit }, px } of state.fills) assert.isTrue(isBuy ? px <= limit : px >= limit)
        for (const order of state.orders) {
          const got = state.fills.reduce((sum, fill) => fill.order === order ? sum + fill.sz : sum, 0n)
          assert.strictEqual(order.left, order.sz - got)
          assert.strictEqual(order.status === "filled", order.left === 0n)
        }
      }),
      { numRuns: 300 }
    )
  })

  it("are the same when the same events are replayed", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.array(FastCheck.oneof(price, order, transfer), { maxLength: 60 }), (events) => {
        assert.deepStrictEqual(played(events), played(events))
      }),
      { numRuns: 50 }
    )
  })
})
