import { assert, describe, it } from "@effect/vitest"
import type { Candle } from "../../src/backtest/Candle.ts"
import * as OrderBacktest from "../../src/backtest/OrderBacktest.ts"
import { tokenOf } from "../../src/backtest/PriceSeries.ts"
import { OrderTerms } from "../../src/vault-order/VaultOrder.ts"

const [quote, base] = [tokenOf("USDC", 0, 6), tokenOf("WETH", 1)]
const one = 10n ** 18n
const usdc = (amount: number) => BigInt(amount) * 10n ** 6n
const at18 = (price: number) => BigInt(Math.round(price * 1e6)) * 10n ** 12n
const hour = 3_600
const begin = 1_700_000_000

/** Bars of an hour: open, high, low and close of each. */
const bars = (...rows: ReadonlyArray<readonly [number, number, number, number]>): ReadonlyArray<Candle> =>
  rows.map(([open, high, low, close], index) => ({
    time: begin + index * hour,
    ...{ open: at18(open), high: at18(high), low: at18(low), close: at18(close), side: null }
  }))

const plain = {
  ...{ pair: "WETH-USDC", base, quote, share: null, limit18: null, stop18: null, profit18: null, trailPercent: null },
  ...{ trail18: null, activation18: null, slices: null, intervalSeconds: null, catchUp: false, maxImpact: null },
  ...{ slippage: 0.5, reduceOnly: false, confirmations: 2 },
  platform: "auto"
} as const
type Given = Pick<OrderTerms, "type" | "side" | "amount"> & Partial<OrderTerms>

const run = (candles: ReadonlyArray<Candle>, given: Given, costs = { fee: 0, slippage: 0 }) => {
  const terms = OrderTerms.make({ ...plain, ...given })
  const { amount, slices, type } = terms
  const outcome = OrderBacktest.run(candles, {
    ...{ terms, costs, expirySeconds: 30 * 86_400 },
    total: amount === null ? null : type === "dca" ? amount * BigInt(slices ?? 1) : amount,
    start: new Map([[base.address, 10n * one], [quote.address, usdc(100_000)]])
  })
  const prices = outcome.fills.map(({ bought, from, sold }) =>
    from.address === base.address ? Number(bought) * 1e12 / Number(sold) : Number(sold) * 1e12 / Number(bought)
  )
  return { ...outcome, prices, times: outcome.fills.map(({ time }) => time - begin) }
}

const near = (found: ReadonlyArray<number>, expected: ReadonlyArray<number>) => {
  assert.strictEqual(found.length, expected.length)
  for (const [place, price] of expected.entries()) assert.closeTo(found[place] ?? 0, price, price * 1e-5)
}

describe("the backtest of an order", () => {
  it("fills a limit at its price within a bar, net of the costs, and never for less", () => {
    const candles = bars([3_000, 3_050, 2_990, 3_010], [3_010, 3_300, 3_000, 3_200])
    const limit: Given = { type: "limit", side: "sell", amount: one, limit18: at18(3_100) }
    const free = run(candles, limit)
    near(free.prices, [3_100])
    assert.deepInclude(free, { state: "done", sold: one })
    const costly = run(candles, limit, { fee: 0.3, slippage: 0.2 })
    assert.isAtLeast(Number(costly.bought), Number(usdc(3_100)))
    near(costly.prices, [3_100])
    assert.strictEqual(run(candles, { ...limit, limit18: at18(3_299) }, { fee: 1, slippage: 0 }).state, "open")
  })

  it("executes a stop at its price within a bar, and at the next open when the price gaps through it", () => {
    const stop: Given = { type: "stop_loss", side: "sell", amount: one, stop18: at18(2_800) }
    near(run(bars([3_000, 3_010, 2_700, 2_900]), stop).prices, [2_800])
    const gap = run(bars([3_000, 3_010, 2_990, 3_000], [2_500, 2_600, 2_400, 2_550]), stop)
    near(gap.prices, [2_500])
    assert.deepStrictEqual([gap.times, gap.trigger?.condition], [[hour], "stop"])
    // With a limit price it waits, triggered, until the price is back.
    const limited = { ...stop, limit18: at18(2_790) }
    const waits = run(bars([3_000, 3_000, 3_000, 3_000], [2_500, 2_600, 2_400, 2_550]), limited)
    assert.deepInclude(waits, { state: "triggered", sold: 0n })
    near(
      run(bars([3_000, 3_000, 3_000, 3_000], [2_500, 2_600, 2_400, 2_550], [2_550, 2_900, 2_500, 2_850]), limited)
        .prices,
      [2_790]
    )
  })

  it("takes the worse of a bar's extremes first, so that a bracket whose two prices are in one bar is stopped", () => {
    const bracket: Given = {
      ...{ type: "bracket", side: "sell", amount: one, stop18: at18(2_800), profit18: at18(3_200) }
    }
    const both = run(bars([3_000, 3_300, 2_700, 3_250]), bracket)
    near(both.prices, [2_800])
    assert.strictEqual(both.trigger?.condition, "stop")
    const profit = run(bars([3_000, 3_300, 2_900, 3_250], [3_250, 3_260, 2_000, 2_100]), bracket)
    near(profit.prices, [3_200])
    assert.strictEqual(profit.fills.length, 1)
  })

  it("trails from the best price of the path, and sells where the price has fallen by the distance", () => {
    const trailing: Given = { type: "trailing_stop", side: "sell", amount: one, trailPercent: 10 }
    const candles = bars([3_000, 3_100, 2_990, 3_080], [3_080, 4_000, 3_050, 3_900], [3_900, 3_950, 3_000, 3_100])
    near(run(candles, trailing).prices, [3_600])
    const late = run(candles, { ...trailing, activation18: at18(4_500) })
    assert.deepInclude(late, { state: "open", sold: 0n })
  })

  it("uses each slot of a twap and a dca once, at the price of its time", () => {
    const candles = bars(...Array.from({ length: 12 }, () => [3_000, 3_000, 3_000, 3_000] as const))
    const schedule = { side: "buy", slices: 4, intervalSeconds: 2 * hour } as const
    const twap = run(candles, { type: "twap", amount: usdc(4_000), ...schedule })
    assert.deepStrictEqual(twap.times, [0, 2 * hour, 4 * hour, 6 * hour])
    assert.deepInclude(twap, { state: "done", sold: usdc(4_000) })
    const dca = run(candles, { type: "dca", amount: usdc(100), ...schedule })
    assert.deepStrictEqual(dca.fills.map(({ sold }) => sold), Array.from({ length: 4 }, () => usdc(100)))
    // Slots shorter than a bar are used within it.
    const fine = run(candles, { type: "twap", side: "buy", amount: usdc(4_000), slices: 8, intervalSeconds: hour / 4 })
    assert.deepStrictEqual(fine.times, Array.from({ length: 8 }, (_, slot) => slot * hour / 4))
  })

  it("waits for a balance, sells what there is with reduce_only, and expires", () => {
    const candles = bars([3_000, 3_000, 3_000, 3_000], [3_000, 3_000, 3_000, 3_000])
    const much: Given = { type: "iceberg", side: "sell", amount: 11n * one }
    assert.match(run(candles, much).reason, /The vault has 10 WETH, less than the slice of 11/)
    assert.deepInclude(run(candles, { ...much, reduceOnly: true }), { state: "done", sold: 10n * one })
    const terms = OrderTerms.make({ ...plain, type: "limit", side: "sell", amount: one, limit18: at18(9_000) })
    const expired = OrderBacktest.run(candles, {
      ...{ terms, total: one, costs: { fee: 0, slippage: 0 }, expirySeconds: hour, start: new Map() }
    })
    assert.deepInclude(expired, { state: "expired", fills: [] })
  })
})
