import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "fast-check"
import { Token } from "../../src/chain/Token.ts"
import {
  decide,
  type Decided,
  type Decision,
  floorOf,
  type Observation,
  ratio18,
  trailOf
} from "../../src/vault-order/OrderDecision.ts"
import { noProgress, OrderTerms } from "../../src/vault-order/VaultOrder.ts"

const token = (symbol: string, digit: string, decimals: number) =>
  Token.make({ address: `0x${digit.repeat(40)}`, symbol, decimals })
const base = token("WETH", "1", 18)
const quote = token("USDC", "2", 6)
const ether = 10n ** 18n
const price = (value: number) => BigInt(Math.round(value * 1e6)) * 10n ** 12n
const minute = 60_000
const start = Date.UTC(2026, 10, 20)

const terms = (more: Partial<OrderTerms> = {}): OrderTerms =>
  OrderTerms.make({
    ...{ type: "limit", side: "sell", pair: "WETH-USDC", base, quote, amount: ether, share: null },
    ...{ limit18: null, stop18: null, profit18: null, trailPercent: null, trail18: null, activation18: null },
    ...{ slices: null, intervalSeconds: null, catchUp: false, maxImpact: null, slippage: 0.5, platform: "auto" },
    ...{ reduceOnly: false, confirmations: 2 },
    ...more
  })

const orderOf = (more: Partial<OrderTerms> = {}, rest: Partial<Decided> = {}): Decided => ({
  terms: terms(more),
  progress: noProgress,
  total: ether,
  sold: 0n,
  state: "open",
  openAmount: null,
  startsAt: start,
  expiresAt: start + 86_400_000,
  ...rest
})

const seen = (at: number | null, block = 1, held: bigint | null = ether): Observation => ({
  price18: at === null ? null : price(at),
  held,
  block
})

/** The order as it is stored after a decision; a trigger is committed. */
const after = (order: Decided, { progress, step }: Decision, now = start): Decided =>
  step._tag === "trigger"
    ? {
      ...order,
      state: "triggered",
      progress: { ...progress, held: null, trigger: { condition: step.condition, price18: step.price18, at: now } }
    }
    : { ...order, progress }

/** Decides at each price in turn, each of a later block, and returns the order and the steps. */
const follow = (order: Decided, prices: ReadonlyArray<number | null>) => {
  let current = order
  const steps = prices.map((at, index) => {
    const decision = decide(current, seen(at, index + 1), start + index * 5_000)
    current = after(current, decision)
    return decision.step._tag
  })
  return { order: current, steps }
}

describe("an order", () => {
  it("with a limit price executes at it or better, and not before", () => {
    const sell = orderOf({ limit18: price(3000) })
    assert.strictEqual(decide(sell, seen(2999.99), start).step._tag, "wait")
    assert.deepInclude(decide(sell, seen(3000), start).step, { _tag: "slice", amount: ether, total: ether })
    const buy = orderOf({ side: "buy", limit18: price(2500), amount: 1_000_000_000n }, { total: 1_000_000_000n })
    assert.strictEqual(decide(buy, seen(2500.01, 1, 10n ** 10n), start).step._tag, "wait")
    assert.deepInclude(decide(buy, seen(2400, 1, 10n ** 10n), start).step, { _tag: "slice", amount: 1_000_000_000n })
  })

  it("never buys less than its limit price allows, rounded up", () => {
    assert.strictEqual(floorOf(terms({ limit18: price(3000) }), ether), 3_000_000_000n)
    assert.strictEqual(floorOf(terms({ limit18: price(3000) }), 1n), 1n)
    assert.strictEqual(floorOf(terms({ side: "buy", limit18: price(2500) }), 2_500_000_000n), ether)
    assert.strictEqual(floorOf(terms(), ether), 0n)
  })

  it("triggers only after its confirmations, each of a later block", () => {
    const stop = orderOf({ type: "stop_loss", stop18: price(2500) })
    const first = decide(stop, seen(2400, 7), start)
    assert.strictEqual(first.step._tag, "wait")
    const sameBlock = decide(after(stop, first), seen(2400, 7), start)
    assert.strictEqual(sameBlock.step._tag, "wait", "one block is one observation")
    assert.strictEqual(decide(after(stop, sameBlock), seen(2400, 8), start).step._tag, "trigger")
  })

  it("does not trigger when the oracle jumps and comes back, or loses its price", () => {
    const stop = orderOf({ type: "stop_loss", stop18: price(2500) })
    assert.deepStrictEqual(follow(stop, [3000, 1500, 3000, 1500, 3000]).steps, Array(5).fill("wait"))
    assert.deepStrictEqual(follow(stop, [1500, null, 1500]).steps, Array(3).fill("wait"))
    assert.deepStrictEqual(follow(stop, [1500, 1500]).steps, ["wait", "trigger"])
  })

  it("executes at the next price when the price gaps through its stop, also when it comes back", () => {
    const { order } = follow(orderOf({ type: "stop_loss", stop18: price(2500) }), [3000, 1200, 1200])
    assert.strictEqual(order.state, "triggered")
    for (const at of [1200, 3100]) {
      assert.deepInclude(decide(order, seen(at, 9), start + minute).step, { _tag: "slice", amount: ether })
    }
  })

  it("with a stop and a limit price waits below the limit after a gap, and stays triggered", () => {
    const { order } = follow(orderOf({ type: "stop_loss", stop18: price(2500), limit18: price(2400) }), [1200, 1200])
    assert.strictEqual(order.state, "triggered")
    assert.strictEqual(decide(order, seen(1200, 9), start).step._tag, "wait")
    assert.strictEqual(decide(order, seen(2450, 9), start).step._tag, "slice")
  })

  it("of a bracket is triggered by one of its conditions, and the other never matters again", () => {
    const bracket = orderOf({ type: "bracket", stop18: price(2500), profit18: price(3500) })
    const { order, steps } = follow(bracket, [3600, 3600])
    assert.deepStrictEqual(steps, ["wait", "trigger"])
    assert.strictEqual(order.progress.trigger?.condition, "profit")
    const later = decide(order, seen(2000, 9), start)
    assert.deepInclude(later.step, { _tag: "slice", amount: ether })
    assert.strictEqual(later.progress.trigger?.condition, "profit")
  })

  it("waits without a price, without a balance, and for a balance that is too small", () => {
    const order = orderOf({ limit18: price(3000) })
    assert.match(decide(order, seen(null), start).step.reason, /no fresh price for WETH-USDC; nothing is traded/)
    assert.match(decide(order, seen(3000, 1, null), start).step.reason, /balance of WETH is unknown/)
    assert.match(decide(order, seen(3000, 1, ether / 2n), start).step.reason, /has 0\.5 WETH, less than the slice of 1/)
  })

  it("that only reduces sells what the vault has, and ends when it has none left", () => {
    const order = orderOf({ limit18: price(3000), reduceOnly: true })
    assert.deepInclude(decide(order, seen(3000, 1, ether / 2n), start).step, { _tag: "slice", amount: ether / 2n })
    assert.strictEqual(decide(order, seen(3000, 1, 0n), start).step._tag, "done")
  })

  it("expires, also triggered, but not while a slice is in progress", () => {
    const late = start + 2 * 86_400_000
    const { order } = follow(orderOf({ type: "stop_loss", stop18: price(2500) }), [1200, 1200])
    assert.strictEqual(decide(order, seen(1200), late).step._tag, "expire")
    assert.strictEqual(decide({ ...order, openAmount: 1n }, seen(1200), late).step._tag, "wait")
  })

  it("takes a share of the balance when its first slice is made", () => {
    const order = orderOf({ limit18: price(3000), amount: null, share: 50 }, { total: null })
    assert.deepInclude(decide(order, seen(3000, 1, 4n * ether), start).step, { amount: 2n * ether, total: 2n * ether })
  })
})

const prices = FastCheck.array(FastCheck.double({ min: 100, max: 10_000, noNaN: true }), {
  minLength: 1,
  maxLength: 60
})

describe("a trailing stop", () => {
  const trailing = orderOf({ type: "trailing_stop", trailPercent: 5 })

  it("triggers below its peak, which only rises, to confirmed prices", () => {
    FastCheck.assert(FastCheck.property(prices, (path) => {
      let order = trailing
      for (const [index, at] of path.entries()) {
        const before = order.progress.peak18
        const decision = decide(order, seen(at, index + 1), start)
        const { peak18 } = decision.progress
        assert.isTrue(before === null || (peak18 !== null && peak18 >= before), "the peak is monotone")
        const confirmed = path.slice(0, index + 1).some((each, place) =>
          place > 0 && peak18 !== null && price(each) >= peak18 && price(path[place - 1]!) >= peak18
        )
        assert.isTrue(peak18 === before || confirmed, "two observations in a row were as high")
        if (decision.step._tag === "trigger") {
          assert.isTrue(peak18 !== null && price(at) <= trailOf(order.terms, peak18))
          return
        }
        order = after(order, decision)
      }
    }))
  })

  it("is not moved by an oracle that jumps up and comes back", () => {
    const { order, steps } = follow(trailing, [3000, 3000, 9000, 3000, 3000])
    assert.deepStrictEqual(steps, Array(5).fill("wait"))
    assert.strictEqual(order.progress.peak18, price(3000))
    assert.deepStrictEqual(follow(trailing, [3000, 3000, 2840, 2840]).steps, ["wait", "wait", "wait", "trigger"])
  })

  it("that buys follows the price down, from its activation price on", () => {
    const buy = orderOf({ type: "trailing_stop", side: "buy", trail18: price(100), activation18: price(2800) })
    const { order, steps } = follow(buy, [3000, 3000, 2700, 2700, 2500, 2500, 2590, 2600, 2600])
    assert.strictEqual(order.progress.peak18, price(2500))
    assert.deepStrictEqual(steps.slice(0, 8), Array(8).fill("wait"))
    assert.strictEqual(steps[8], "trigger")
  })
})

it("a triggered order stays triggered at any prices and times", () => {
  const { order } = follow(orderOf({ type: "bracket", stop18: price(2500), profit18: price(3500) }), [2400, 2400])
  FastCheck.assert(FastCheck.property(
    prices,
    FastCheck.array(FastCheck.integer({ min: -10, max: 1_000 }), { minLength: 60, maxLength: 60 }),
    (path, minutes) => {
      let current = order
      for (const [index, at] of path.entries()) {
        const decision = decide(current, seen(at, index), start + minutes[index]! * minute)
        assert.deepStrictEqual(decision.progress.trigger, order.progress.trigger)
        assert.notInclude(["trigger", "done"], decision.step._tag)
        current = after(current, decision)
      }
    }
  ))
})

/** Runs a schedule at these times; each slice ends at once, and fails where `fails` says so. Returns its slices. */
const schedule = (order: Decided, times: ReadonlyArray<number>, fails: (index: number) => boolean = () => false) => {
  let current = order
  const slices: Array<{ readonly slot: number; readonly amount: bigint; readonly sold: boolean }> = []
  for (const [index, now] of times.entries()) {
    const { progress, step } = decide(current, seen(3000, index, 1_000n * ether), now)
    if (step._tag !== "slice") continue
    const sold = !fails(index)
    slices.push({ slot: step.slot, amount: step.amount, sold })
    current = {
      ...current,
      total: step.total,
      sold: current.sold + (sold ? step.amount : 0n),
      progress: { ...progress, slot: step.slot }
    }
  }
  return { slices, order: current }
}

/** Any times: forward, back, with gaps. */
const times = FastCheck.array(FastCheck.integer({ min: -100, max: 3_000 }), { maxLength: 80 })
  .map((minutes) => minutes.map((each) => start + each * minute))

describe("a twap", () => {
  const twap = orderOf({ type: "twap", amount: 10n * ether, slices: 10, intervalSeconds: 60 }, {
    total: 10n * ether,
    expiresAt: start + 100_000 * minute
  })

  it("sells an even share in each slot, and all of it in the last one", () => {
    const every = Array.from({ length: 30 }, (_, index) => start + index * 30_000)
    const { order, slices } = schedule(twap, every)
    assert.deepStrictEqual(slices.map(({ amount }) => amount), Array(10).fill(ether))
    assert.strictEqual(order.sold, order.total)
    assert.strictEqual(decide(order, seen(3000), start + 20 * minute).step._tag, "done")
  })

  it("spreads what missed and failed slots left over the slots that are left", () => {
    const { order, slices } = schedule(
      twap,
      [0, 1, 5, 6, 7, 8, 9, 10, 11, 12].map((each) => start + each * minute),
      (index) => index === 1
    )
    assert.strictEqual(slices[0]?.amount, ether)
    assert.strictEqual(slices[2]?.amount, 9n * ether / 5n)
    assert.strictEqual(order.sold, order.total)
  })

  it("never sells more than its total, nor twice in a slot, nor more than twice its share, whatever its clock does", () => {
    FastCheck.assert(FastCheck.property(times, FastCheck.func(FastCheck.boolean()), (at, fails) => {
      const { order, slices } = schedule(twap, at, fails)
      assert.isTrue(order.sold <= 10n * ether)
      assert.strictEqual(new Set(slices.map(({ slot }) => slot)).size, slices.length)
      assert.isTrue(slices.every(({ amount }) => amount > 0n && amount <= 2n * ether))
    }))
  })
})

describe("a dca", () => {
  const dca = (catchUp: boolean) =>
    orderOf({ type: "dca", amount: ether, slices: 5, intervalSeconds: 3600, catchUp }, {
      total: 5n * ether,
      expiresAt: start + 100_000 * minute
    })
  const hours = (list: ReadonlyArray<number>) => list.map((hour) => start + hour * 3_600_000)

  it("does not make missed purchases up, unless asked", () => {
    const path = hours([0, 0.5, 3, 3.1, 3.2, 4, 5, 6])
    assert.deepStrictEqual(schedule(dca(false), path).slices.map(({ slot }) => slot), [0, 3, 4])
    assert.deepStrictEqual(schedule(dca(true), path).slices.map(({ slot }) => slot), [0, 1, 2, 3, 4])
    assert.strictEqual(decide(dca(false), seen(3000), start + 5 * 3_600_000).step._tag, "done")
  })

  it("never buys more than its total, nor twice in a slot, whatever its clock does", () => {
    FastCheck.assert(FastCheck.property(times, FastCheck.boolean(), (at, catchUp) => {
      const { order, slices } = schedule(dca(catchUp), at)
      assert.isTrue(order.sold <= 5n * ether)
      assert.strictEqual(new Set(slices.map(({ slot }) => slot)).size, slices.length)
      assert.isTrue(slices.every(({ slot }) => slot >= 0 && slot < 5))
    }))
  })
})

it("a price is the quote per whole base, and unknown while one of them is", () => {
  assert.strictEqual(ratio18(price(3000), price(1)), price(3000))
  assert.strictEqual(ratio18(price(3000), price(2)), price(1500))
  assert.isNull(ratio18(null, price(1)))
  assert.isNull(ratio18(price(3000), 0n))
})
