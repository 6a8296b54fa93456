import { assert, describe, it } from "@effect/vitest"
import { toRaw } from "../../src/chain/Quantity.ts"
import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import * as OrderTerms from "../../src/perpetual/OrderTerms.ts"

const decimal = BigDecimal.fromStringUnsafe
const raw = (text: string) => toRaw(decimal(text), 8)

const eth: OrderTerms.PerpetualMarket = {
  asset: 1,
  coin: "ETH",
  sizeDecimals: 4,
  mark: raw("3000"),
  mid: raw("3000.05")
}

const requested = (more: Partial<OrderTerms.OrderRequest>): OrderTerms.OrderRequest => ({
  side: "buy",
  slippage: 0.5,
  ...more
})

const termsOf = (given: OrderTerms.OrderRequest, market = eth, closing = 0n) =>
  Result.getOrThrow(OrderTerms.of(market, given, closing))
const faultOf = (given: OrderTerms.OrderRequest, market = eth) =>
  Result.getOrThrow(Result.flip(OrderTerms.of(market, given)))

/** Counts the significant digits of a price with 8 decimals. */
const figures = (price: bigint) => price.toString().replace(/0+$/, "").length

const positive = (most: bigint) => fc.bigInt({ min: 1n, max: most })
const markets = fc.record({
  sizeDecimals: fc.integer({ min: 0, max: 5 }),
  mark: positive(10n ** 13n).map((mark) => mark + 10n ** 6n)
})
const side = fc.constantFrom("buy" as const, "sell" as const)

describe("an order's price", () => {
  it("has five figures and the contract's decimals, or is in whole dollars", () => {
    assert.strictEqual(OrderTerms.roundedPrice(raw("3000.0567"), "buy", 4), raw("3000"))
    assert.strictEqual(OrderTerms.roundedPrice(raw("3000.0567"), "sell", 4), raw("3000.1"))
    assert.strictEqual(OrderTerms.roundedPrice(raw("123456.7"), "buy", 5), raw("123456"))
    assert.strictEqual(OrderTerms.roundedPrice(raw("123456.7"), "sell", 5), raw("123457"))
    assert.strictEqual(OrderTerms.roundedPrice(raw("0.00123456"), "buy", 0), raw("0.001234"))
    assert.strictEqual(OrderTerms.roundedPrice(raw("99999.5"), "sell", 1), raw("100000"))
  })

  it("is valid for HyperCore, and never worse than the caller's limit", () => {
    fc.assert(fc.property(positive(10n ** 15n), side, fc.integer({ min: 0, max: 6 }), (limit, which, sizeDecimals) => {
      const price = OrderTerms.roundedPrice(limit, which, sizeDecimals)
      assert.isTrue(which === "buy" ? price <= limit : price >= limit)
      assert.strictEqual(price % 10n ** BigInt(8 - (6 - sizeDecimals)), 0n)
      assert.isTrue(figures(price) <= 5 || price % 10n ** 8n === 0n)
    }))
  })

  it("is the nearest valid price", () => {
    fc.assert(fc.property(positive(10n ** 15n), side, fc.integer({ min: 0, max: 6 }), (limit, which, sizeDecimals) => {
      const price = OrderTerms.roundedPrice(limit, which, sizeDecimals)
      const distance = price > limit ? price - limit : limit - price
      assert.isTrue(distance < OrderTerms.priceStep(limit, sizeDecimals))
      assert.strictEqual(OrderTerms.roundedPrice(price, which, sizeDecimals), price)
    }))
  })

  it("is the mid price and the slippage when none is given, and never further from the mid price", () => {
    assert.strictEqual(termsOf(requested({ size: decimal("1"), slippage: 1 })).price, raw("3030"))
    assert.strictEqual(termsOf(requested({ side: "sell", size: decimal("1"), slippage: 1 })).price, raw("2970.1"))
    fc.assert(
      fc.property(markets, side, fc.integer({ min: 1, max: 300 }), ({ mark, sizeDecimals }, which, hundredths) => {
        const price = OrderTerms.roundedPrice(
          OrderTerms.marketPrice(mark, which, hundredths / 100),
          which,
          sizeDecimals
        )
        const allowed = mark * BigInt(hundredths) / 10_000n
        assert.isTrue(which === "buy" ? price <= mark + allowed : price >= mark - allowed)
      })
    )
  })

  it("uses the mark price when there is no bid or ask", () => {
    assert.strictEqual(
      termsOf(requested({ size: decimal("1"), slippage: 1 }), { ...eth, mid: null }).price,
      raw("3030")
    )
  })

  it("is compared with the market", () => {
    assert.strictEqual(OrderTerms.worseBy(raw("3030"), raw("3000"), "buy"), 10n ** 16n)
    assert.strictEqual(OrderTerms.worseBy(raw("3030"), raw("3000"), "sell"), 0n)
    assert.strictEqual(OrderTerms.worseBy(raw("2970"), raw("3000"), "sell"), 10n ** 16n)
  })
})

describe("an order's size", () => {
  it("never exceeds the request, in coins or in dollars, and has the contract's decimals", () => {
    const amounts = positive(10n ** 14n).map((value) => BigDecimal.make(value, 8))
    fc.assert(fc.property(markets, side, amounts, fc.boolean(), ({ mark, sizeDecimals }, which, amount, inDollars) => {
      const market = { ...eth, sizeDecimals, mark, mid: mark }
      const terms = OrderTerms.of(
        market,
        requested({ side: which, ...(inDollars ? { usd: amount } : { size: amount }) })
      )
      if (Result.isFailure(terms)) return
      const { notional, price, size } = terms.success
      assert.strictEqual(size % 10n ** BigInt(8 - sizeDecimals), 0n)
      assert.isTrue(notional * 10n ** 8n >= price * size)
      if (!inDollars) return assert.isTrue(size <= toRaw(amount, 8))
      // The value does not exceed the request, neither at the order's own price nor at the market's.
      assert.isTrue(price * size <= toRaw(amount, 16) && mark * size <= toRaw(amount, 16))
    }))
  })

  it("is the whole position when neither size nor dollars are given", () => {
    assert.strictEqual(termsOf(requested({ side: "sell" }), eth, raw("0.123456")).size, raw("0.1234"))
  })

  it("is refused when it rounds to zero, naming the parameter", () => {
    assert.deepInclude(faultOf(requested({ size: decimal("0.00009") })), { parameter: "size" })
    assert.deepInclude(faultOf(requested({ usd: decimal("0.2") })), { parameter: "usd" })
    assert.include(faultOf(requested({ size: decimal("0.00009") })).reason, "0.0001 ETH")
  })

  it("is refused when it exceeds 64 bits, as is a price", () => {
    assert.deepInclude(faultOf(requested({ size: decimal("1000000000000") })), { parameter: "size" })
    assert.deepInclude(faultOf(requested({ size: decimal("1"), price: decimal("1000000000000") })), {
      parameter: "price"
    })
    assert.deepInclude(faultOf(requested({ size: decimal("1"), price: decimal("0.000000001") })), {
      parameter: "price"
    })
  })

  it("has to be worth ten dollars", () => {
    assert.isUndefined(
      OrderTerms.tooSmall(termsOf(requested({ size: decimal("0.0034"), price: decimal("3000") })), "ETH")
    )
    assert.include(
      OrderTerms.tooSmall(termsOf(requested({ size: decimal("0.0033"), price: decimal("3000") })), "ETH") ?? "",
      "9.9 USD"
    )
  })
})
