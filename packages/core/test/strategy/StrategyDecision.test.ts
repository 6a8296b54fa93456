import { assert, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { tokenOf } from "../../src/backtest/PriceSeries.ts"
import * as WalkForward from "../../src/backtest/WalkForward.ts"
import { fold } from "../../src/strategy/StrategyCandle.ts"
import { legsOf, read, stateOf } from "../../src/strategy/StrategyDecision.ts"
import { readInputs, resolve } from "../../src/strategy/StrategyInputs.ts"

const [usdc, weth] = [tokenOf("USDC", 0, 6), tokenOf("WETH", 1)]
const terms = {
  ...{ assets: [weth], quote: usdc, tolerance: 1, slippage: 1, maxUsd18: 10n ** 21n, minTradeUsd18: 10n ** 18n }
}
const held = [
  { token: weth, balance: 10n ** 18n, price: 3000n * 10n ** 18n, inVault: true },
  { token: usdc, balance: 1000n * 10n ** 6n, price: 10n ** 18n, inVault: true }
]

const fault = (returned: unknown) =>
  Result.match(read(returned, terms), { onFailure: (text) => text, onSuccess: () => "" })

it("refuses what is no decision, and says what is accepted", () => {
  assert.strictEqual(fault(null), "")
  assert.include(fault({ targets: { WBTC: 10 } }), "targets names WBTC; the bot trades WETH, USDC")
  assert.include(fault({ targets: { WETH: 60, USDC: 50 } }), "sum up to 110")
  assert.include(fault({ targets: { WETH: -1 } }), "accepted is 0 to 100")
  assert.include(fault({ orders: [{ side: "buy", base: "WETH" }] }), "one of share and usd")
  assert.include(fault({ orders: [{ side: "sell", base: "WETH", share: 101 }] }), "at most 100")
  assert.include(fault({ orders: [{ side: "sell", base: "USDC", share: 1 }] }), "for itself")
  assert.include(fault({ targets: {}, orders: [{ side: "sell", base: "WETH", share: 1 }] }), "both targets and orders")
  assert.include(fault({ memory: "x".repeat(20_000) }), "at most 16384")
  assert.notStrictEqual(fault({ target: {} }), "")
  assert.notStrictEqual(fault({ targets: { WETH: "5" } }), "")
  assert.notStrictEqual(fault(3), "")
})

it("trades to targets within the cap, and orders one after the other", () => {
  const [sale] = Result.getOrThrow(legsOf({ targets: { WETH: 0 } }, terms, held))
  assert.strictEqual(sale?.side, "sell")
  assert.isTrue(sale !== undefined && sale.usd18 <= terms.maxUsd18 && sale.usd18 > 999n * 10n ** 18n)
  const legs = Result.getOrThrow(legsOf(
    {
      orders: [
        { side: "sell", base: "WETH", usd: 600 },
        { side: "buy", base: "WETH", share: 100 },
        { side: "sell", base: "WETH", usd: 600 }
      ]
    },
    terms,
    held
  ))
  // The second one sees what the first one has brought, and gets the rest of the cap; nothing is left for the third.
  assert.deepStrictEqual(legs.map(({ side, usd18 }) => [side, usd18 / 10n ** 18n]), [["sell", 600n], ["buy", 400n]])
  assert.isTrue(Result.isFailure(legsOf({ targets: { WETH: 50 } }, terms, [{ ...held[0]!, price: null }, held[1]!])))
})

it("gives a strategy plain numbers", () => {
  const state = stateOf(terms, { time: 1, candles: { WETH: [] }, held, inputs: {}, memory: null })
  assert.deepStrictEqual(state.holdings["WETH"], { amount: 1, price: 3000, usd: 3000, weight: 75 })
  assert.strictEqual(state.usd, 4000)
})

it("makes candles of samples, in seconds and in blocks; an older block changes nothing", () => {
  const at = (time: number, block: number, price: bigint) => ({ time, block, prices: new Map([[weth.address, price]]) })
  const minute = { unit: "seconds", size: 60 } as const
  const first = fold(null, at(60, 1, 5n), minute).open
  const second = fold(fold(first, at(80, 2, 9n), minute).open, at(110, 3, 7n), minute).open
  const { closed, open } = fold(second, at(120, 4, 6n), minute)
  assert.deepStrictEqual(closed, {
    ...{ bucket: 1, time: 60, prices: { [weth.address]: { open: 5n, high: 9n, low: 5n, close: 7n } } }
  })
  assert.strictEqual(open.time, 120)
  assert.deepStrictEqual(fold(open, at(90, 3, 1n), minute), { open, closed: null })
  assert.strictEqual(fold(null, at(99, 41, 1n), { unit: "blocks", size: 20 }).open.bucket, 2)
})

it("reads inputs, and refuses those that the strategy does not accept", () => {
  const description = {
    description: "",
    history: 1,
    inputs: {
      length: { type: "integer", default: 3, minimum: 2 },
      open: { type: "boolean", default: false },
      kind: { type: "choice", default: "a", choices: ["a", "b"] }
    }
  } as const
  assert.deepStrictEqual(readInputs("fast=12, slow=26"), { fast: "12", slow: "26" })
  assert.isUndefined(readInputs("fast=1,fast=2"))
  assert.deepStrictEqual(resolve(description, { open: "true" }), Result.succeed({ length: 3, open: true, kind: "a" }))
  for (const given of [{ length: "1" }, { length: "2.5" }, { kind: "c" }, { open: "yes" }, { other: "1" }]) {
    assert.isTrue(Result.isFailure(resolve(description, given as Readonly<Record<string, string>>)))
  }
})

it("splits bars into train windows and the test windows after them", () => {
  assert.deepStrictEqual(WalkForward.foldsOf(10, 4, 3), [
    { train: { from: 0, to: 4 }, test: { from: 4, to: 7 } },
    { train: { from: 3, to: 7 }, test: { from: 7, to: 10 } }
  ])
  const input = { type: "integer", default: 1 } as const
  assert.deepStrictEqual(WalkForward.readValues(input, "5..20:5"), [5, 10, 15, 20])
  assert.deepStrictEqual(WalkForward.readValues(input, "5|7"), [5, 7])
  assert.isUndefined(WalkForward.readValues(input, "5..x"))
  assert.strictEqual(WalkForward.combinationsOf({ a: [1, 2], b: [1, 2, 3] }).length, 6)
})
