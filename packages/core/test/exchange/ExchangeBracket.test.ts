import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import {
  conditionOf,
  confirmMillis,
  confirms,
  isConfirmedBid,
  positionOf,
  remainderOf
} from "../../src/exchange/ExchangeBracket.ts"
import { decide, show } from "../../src/exchange/ExchangeDecision.ts"

const big = BigDecimal.fromStringUnsafe
const order = (side: "buy" | "sell", filled: string, cost: string, fee?: readonly [string, string]) => ({
  side,
  filled: big(filled),
  cost: big(cost),
  fees: fee === undefined ? null : [{ amount: fee[0], currency: fee[1] }]
})
const position = (...orders: ReadonlyArray<ReturnType<typeof order>>) => {
  const found = positionOf(orders, "ETH")
  return found === undefined ? undefined : [show(found.amount), show(BigDecimal.scale(found.entry, 6))]
}

describe("a position at an exchange", () => {
  it("is what was bought at its average price, without the fees that were taken in the base", () => {
    assert.deepStrictEqual(position(order("buy", "1", "3000", ["0.001", "ETH"]), order("buy", "1", "2000")), [
      "1.999",
      "2499.749874"
    ])
    assert.deepStrictEqual(position(order("buy", "1", "3000", ["3", "USDT"])), ["1", "3000"])
  })

  it("keeps its price when a part is sold, and is closed by a sale that leaves a hundredth of it", () => {
    assert.deepStrictEqual(position(order("buy", "2", "6000"), order("sell", "0.5", "2000")), ["1.5", "3000"])
    assert.isUndefined(position(order("buy", "1", "3000"), order("sell", "0.991", "3300")))
    assert.deepStrictEqual(
      position(order("buy", "1", "3000"), order("sell", "0.999", "3300"), order("buy", "1", "4000")),
      ["1", "4000"]
    )
    assert.isUndefined(position(order("sell", "1", "3000")))
    assert.isUndefined(position())
  })
})

describe("a bracket", () => {
  const at = (bid: string, takeProfit: number | null = 10, stopLoss: number | null = 5) =>
    conditionOf({ takeProfit, stopLoss }, big("3000"), big(bid))

  it("is triggered at its prices and beyond them, also after a gap, and between them by nothing", () => {
    assert.strictEqual(at("3300"), "take_profit")
    assert.strictEqual(at("9000"), "take_profit")
    assert.strictEqual(at("2850"), "stop_loss")
    assert.strictEqual(at("1"), "stop_loss")
    assert.isUndefined(at("3299.99"))
    assert.isUndefined(at("2850.01"))
  })

  it("of one side ignores the other, and no price at all triggers nothing", () => {
    assert.isUndefined(at("1", 10, null))
    assert.isUndefined(at("9000", null, 5))
    assert.isUndefined(at("0"))
  })

  it("is confirmed by a second check of the same terms, five seconds later, and by no other", () => {
    const first = { condition: "stop_loss", revision: 3, at: 1_000 } as const
    const later = { ...first, at: 1_000 + confirmMillis }
    assert.isTrue(confirms(first, later))
    assert.isFalse(confirms(undefined, later))
    assert.isFalse(confirms(first, { ...later, at: later.at - 1 }))
    assert.isFalse(confirms(first, { ...later, condition: "take_profit" }))
    assert.isFalse(confirms(first, { ...later, revision: 4 }))
  })

  it("believes a bid that the last trade or the ask confirms: a tiny order in an empty book is neither", () => {
    const believes = (bid: string, ask: string, last: string) =>
      isConfirmedBid({ bid: big(bid), ask: big(ask), last: big(last) })
    assert.isTrue(believes("2800", "2801", "3000"))
    assert.isTrue(believes("2800", "3500", "2790"))
    assert.isFalse(believes("2800", "3001", "3000"))
    assert.isFalse(believes("3300", "3000", "3000"))
    assert.isFalse(believes("0", "0", "0"))
    assert.isFalse(believes("1", "0", "0"))
  })

  it("has nothing left to sell once its sales have reached its amount", () => {
    const exit = {
      ...{ condition: "stop_loss", entry: "3000", price: "2800", amount: "1.5", revision: 2 } as const,
      ...{ at: "2026-01-01T00:00:00.000Z", ended: false }
    }
    assert.strictEqual(show(remainderOf(exit, big("0.5"))), "1")
    assert.strictEqual(show(remainderOf(exit, big("1.6"))), "0")
  })
})

describe("a decision that closes a position", () => {
  it("sells it although it is less than a hundredth of what the pair is worth", () => {
    const terms = {
      ...{ side: "neutral", share: 100, maxUsd: big("1000"), slippage: 0.5 } as const,
      ...{ rest: big("9.99"), owed: big("0") }
    }
    const sight = { base: big("10"), quote: big("0"), bid: big("3000"), ask: big("3001"), usd: big("1") }
    const rules = { amountStep: big("0.0001"), priceStep: big("0.01"), minAmount: big("0.0001"), minCost: big("5") }
    assert.strictEqual(decide(terms, sight, rules, ["ETH", "USDT"])._tag, "hold")
    const decision = decide({ ...terms, closes: true }, sight, rules, ["ETH", "USDT"])
    if (decision._tag === "hold") return assert.fail(decision.reason)
    assert.deepStrictEqual([decision.side, show(decision.amount)], ["sell", "0.01"])
  })
})
