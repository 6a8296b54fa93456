import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import {
  decide,
  type Decision,
  minOrderUsd,
  type MarketRules,
  show,
  type PairView,
  type Terms
} from "../../src/exchange/ExchangeDecision.ts"
import { clientIdOf } from "../../src/exchange/ExchangeOrder.ts"

const big = BigDecimal.fromStringUnsafe
const rules: MarketRules = {
  amountStep: big("0.00001"),
  priceStep: big("0.01"),
  minAmount: big("0.00001"),
  minCost: big("5")
}
const sight = (base: string, quote: string, more: Partial<PairView> = {}): PairView => ({
  base: big(base),
  quote: big(quote),
  bid: big("49990"),
  ask: big("50010"),
  usd: big("1"),
  ...more
})
const terms = (more: Partial<Terms> = {}): Terms => ({
  side: "long",
  share: 100,
  maxUsd: big("1000000"),
  rest: big("0"),
  owed: big("0"),
  slippage: 0.5,
  ...more
})
const run = (one: Terms, seen: PairView, by: MarketRules = rules) => decide(one, seen, by, ["BTC", "USDT"])

const order = (decision: Decision) => {
  if (decision._tag === "hold") return assert.fail(decision.reason)
  const { amount, limit, rest, side, usd } = decision
  return { side, amount: show(amount), limit: show(limit), rest: show(rest), usd: show(usd) }
}
const reason = (decision: Decision) => decision._tag === "hold" ? decision.reason : assert.fail("an order was decided")

describe("an exchange bot", () => {
  it("spends all of the quote within its limit price, in whole steps, never more than the balance", () => {
    const bought = order(run(terms(), sight("0", "10000")))
    assert.deepStrictEqual(bought, { side: "buy", amount: "0.19896", limit: "50260.05", rest: "0", usd: "10000" })
    assert.isTrue(
      BigDecimal.isLessThanOrEqualTo(BigDecimal.multiply(big(bought.amount), big(bought.limit)), big("10000"))
    )
  })

  it("sells all of the base when its side is neutral, in whole steps", () => {
    assert.deepStrictEqual(order(run(terms({ side: "neutral" }), sight("0.123456789", "0"))), {
      ...{ side: "sell", amount: "0.12345", limit: "49740.05", rest: "0" },
      usd: show(BigDecimal.multiply(big("0.123456789"), big("49990")))
    })
  })

  it("moves its share, up to its maximum value, and leaves the rest unchanged from then on", () => {
    assert.deepInclude(order(run(terms({ share: 25 }), sight("0", "10000"))), { rest: "7500", usd: "2500" })
    assert.deepInclude(order(run(terms({ maxUsd: big("300") }), sight("0", "10000"))), { rest: "9700", usd: "300" })
    assert.match(reason(run(terms({ share: 25, rest: big("7500") }), sight("0.05", "7500"))), /^At most 1 %/)
    assert.deepInclude(order(run(terms({ share: 25, rest: big("7500") }), sight("0.05", "9500"))), {
      rest: "9000",
      usd: "500"
    })
  })

  it("moves all that an earlier order failed to move, whatever its share", () => {
    assert.deepInclude(order(run(terms({ share: 50, rest: big("5000"), owed: big("2000") }), sight("0.05", "7000"))), {
      rest: "5000",
      usd: "2000"
    })
  })

  it("converts to dollars when the quote is not a dollar", () => {
    assert.deepInclude(
      order(
        run(
          terms({ maxUsd: big("3000") }),
          sight("0", "2", { bid: big("0.0499"), ask: big("0.0501"), usd: big("60000") }),
          { ...rules, minCost: big("0.0001") }
        )
      ),
      { rest: "1.95", usd: "3000" }
    )
  })

  it("orders nothing below the exchange's minimum order, and reports that minimum", () => {
    assert.match(
      reason(run(terms(), sight("0", "4"))),
      /below the exchange's minimum order \(0\.00001 BTC, 5 USDT\)\.$/
    )
    assert.match(reason(run(terms({ maxUsd: big("4") }), sight("0", "10000"))), /minimum order/)
    assert.strictEqual(show(minOrderUsd(rules, sight("0", "0"))), "5")
  })

  it("does nothing when its side is hold, it already holds the target, or there is no price", () => {
    assert.strictEqual(reason(run(terms({ side: "hold" }), sight("1", "10000"))), "The side is hold.")
    assert.match(reason(run(terms(), sight("1", "100"))), /^At most 1 %/)
    assert.match(reason(run(terms(), sight("0", "100", { ask: big("0") }))), /shows no price/)
    assert.match(reason(run(terms(), sight("0", "0"))), /^At most 1 %/)
  })
})

describe("an exchange order's client id", () => {
  it("is deterministic, unique per id, and in a form that every exchange accepts", () => {
    const [one, other] = ["01936f5a-0000-7000-8000-000000000000", "01936f5a-0000-7000-8000-000000000001"]
    assert.strictEqual(clientIdOf(one), clientIdOf(one))
    assert.notStrictEqual(clientIdOf(one), clientIdOf(other))
    assert.match(clientIdOf(one), /^v[0-9a-z]{25}$/)
  })
})

describe("a formatted decimal", () => {
  it("has plain digits whatever its scale", () => {
    for (
      const [given, shown] of [["0.00000001", "0.00000001"], ["1e3", "1000"], ["-0.5", "-0.5"], ["10", "10"], [
        "0",
        "0"
      ]] as const
    ) assert.strictEqual(show(big(given)), shown)
  })
})
