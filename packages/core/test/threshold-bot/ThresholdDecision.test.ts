import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as FastCheck from "fast-check"
import { Token } from "../../src/chain/Token.ts"
import { amountOf, decide, type Leg, type Legs, type Terms } from "../../src/threshold-bot/ThresholdDecision.ts"
import { sides } from "../../src/threshold-bot/ThresholdBot.ts"

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6)) * 10n ** 12n
const token = (symbol: string, digit: string, decimals: number) =>
  Token.make({ address: `0x${digit.repeat(40)}`, symbol, decimals })
const weth = token("WETH", "1", 18)
const usdc = token("USDC", "2", 6)
const inverse = token("WETH1S", "3", 18)
const leg = (of: Token, held: bigint, price: bigint | null, supplied = 0n): Leg => ({
  token: of,
  held,
  supplied,
  price
})
const pair = (wethHeld: bigint, usdcHeld: bigint, more: Partial<Legs> = {}): Legs => ({
  base: leg(weth, wethHeld, usd(2000)),
  quote: leg(usdc, usdcHeld, usd(1)),
  inverse: null,
  ...more
})
const terms = (more: Partial<Terms> = {}): Terms => ({
  side: "long",
  threshold: 1,
  share: 100,
  maxUsd: BigDecimal.fromStringUnsafe("10000000"),
  lending: false,
  ...more
})
const ether = 10n ** 18n

describe("a threshold bot", () => {
  it("sells all of the quote when long, and all of the base when neutral", () => {
    const long = decide(terms(), pair(ether, 1_000_000_000n))
    assert.deepInclude(long, { _tag: "trade", amount: 1_000_000_000n, usd18: usd(1000) })
    assert.strictEqual(long._tag === "trade" ? `${long.from.token.symbol} ${long.to.token.symbol}` : "", "USDC WETH")
    const neutral = decide(terms({ side: "neutral" }), pair(ether, 1_000_000_000n))
    assert.deepInclude(neutral, { _tag: "trade", amount: ether, usd18: usd(2000) })
    assert.match(
      neutral.reason,
      /^66\.66 % of the pair's \$3000\.00 is not USDC, more than the threshold of 1 %: 1 WETH is sold for USDC\.$/
    )
  })

  it("holds the inverse token when short, and sells the larger of the others first", () => {
    const legs = pair(ether, 1_000_000_000n, { inverse: leg(inverse, 0n, usd(10)) })
    const first = decide(terms({ side: "short" }), legs)
    assert.strictEqual(
      first._tag === "trade" ? `${first.from.token.symbol} ${first.to.token.symbol}` : "",
      "WETH WETH1S"
    )
    assert.deepInclude(decide(terms({ side: "short" }), pair(1n, 1n)), { _tag: "hold", code: "no_inverse" })
  })

  it("holds within its threshold, also exactly at it", () => {
    const legs = pair(99n * ether / 200n, 10_000_000n)
    assert.deepInclude(decide(terms({ threshold: 1 }), legs), { _tag: "hold", code: "within_threshold" })
    assert.deepInclude(decide(terms({ threshold: 0.99 }), legs), { _tag: "trade" })
    assert.deepInclude(decide(terms({ threshold: 0 }), legs), { _tag: "trade" })
    assert.deepInclude(decide(terms({ threshold: 100 }), pair(0n, 10_000_000n)), { _tag: "hold" })
  })

  it("holds while the balance of any leg is unknown", () => {
    const silent = { ...leg(weth, 0n, usd(2000)), unknown: "lenderA does not say what is supplied" }
    const decision = decide(terms({ lending: true }), pair(0n, 1_000_000_000n, { base: silent }))
    assert.deepInclude(decision, { _tag: "hold", code: "balance_unknown" })
    assert.strictEqual(
      decision.reason,
      "The vault's balance of WETH is unknown: lenderA does not say what is supplied; nothing is traded."
    )
    assert.deepInclude(decide(terms({ side: "short" }), pair(ether, 1n, { inverse: { ...silent, token: inverse } })), {
      code: "balance_unknown"
    })
  })

  it("takes its share, and never more than its cap", () => {
    assert.deepInclude(decide(terms({ share: 25 }), pair(0n, 1_000_000_000n)), { amount: 250_000_000n })
    assert.deepInclude(decide(terms({ maxUsd: BigDecimal.fromStringUnsafe("12.5") }), pair(0n, 1_000_000_000n)), {
      amount: 12_500_000n
    })
    assert.deepInclude(decide(terms({ side: "neutral", maxUsd: BigDecimal.fromStringUnsafe("1") }), pair(ether, 0n)), {
      amount: ether / 2000n
    })
  })

  it("does nothing without a price, without holdings, for less than a dollar, or on side hold", () => {
    const codeOf = (by: Partial<Terms>, legs: Legs) => {
      const decision = decide(terms(by), legs)
      return decision._tag === "hold" ? decision.code : decision._tag
    }
    assert.strictEqual(
      codeOf({}, pair(ether, 1_000_000_000n, { quote: leg(usdc, 1_000_000_000n, null) })),
      "price_unavailable"
    )
    assert.strictEqual(codeOf({}, pair(ether, 1_000_000_000n, { base: leg(weth, ether, null) })), "price_unavailable")
    assert.strictEqual(codeOf({}, pair(0n, 0n)), "nothing_there")
    assert.strictEqual(codeOf({}, pair(0n, 999_999n)), "too_small")
    assert.strictEqual(codeOf({ side: "hold" }, pair(0n, 1_000_000_000n)), "told_to_hold")
  })

  it("counts supplied funds when it lends, and supplies idle funds when there is nothing to trade", () => {
    const supplied = pair(0n, 0n, { quote: leg(usdc, 0n, usd(1), 500_000_000n) })
    assert.deepInclude(decide(terms({ lending: true }), supplied), { _tag: "trade", amount: 500_000_000n })
    assert.deepInclude(decide(terms({ lending: true }), pair(ether, 0n)), { _tag: "park", amount: ether })
    assert.deepInclude(decide(terms({ lending: false }), pair(ether, 0n)), { _tag: "hold" })
    assert.deepInclude(decide(terms({ lending: true }), pair(0n, 0n, { base: leg(weth, 1n, usd(2000), ether) })), {
      _tag: "hold"
    })
  })

  const amounts = FastCheck.bigInt({ min: 0n, max: 10n ** 24n })
  const prices = FastCheck.option(FastCheck.bigInt({ min: 1n, max: 10n ** 24n }), { nil: null })
  const arbitraryLeg = (of: Token) =>
    FastCheck.record({ token: FastCheck.constant(of), held: amounts, supplied: amounts, price: prices })
  const arbitraryTerms = FastCheck.record({
    side: FastCheck.constantFrom(...sides),
    threshold: FastCheck.integer({ min: 0, max: 10_000 }).map((value) => value / 100),
    share: FastCheck.integer({ min: 1, max: 10_000 }).map((value) => value / 100),
    maxUsd: FastCheck.integer({ min: 1, max: 10 ** 9 }).map((value) => BigDecimal.make(BigInt(value), 2)),
    lending: FastCheck.boolean()
  })
  const arbitraryLegs = FastCheck.record({
    base: arbitraryLeg(weth),
    quote: arbitraryLeg(usdc),
    inverse: FastCheck.option(arbitraryLeg(inverse), { nil: null })
  })

  it("never trades more than the balance, its share or its cap, never to a wrong side, and always gives a reason", () => {
    FastCheck.assert(
      FastCheck.property(arbitraryTerms, arbitraryLegs, (by, legs) => {
        const decision = decide(by, legs)
        assert.isNotEmpty(decision.reason)
        if (decision._tag === "hold") return
        if (decision._tag === "park") {
          return assert.isTrue(by.lending && decision.amount > 0n && decision.amount <= decision.leg.held)
        }
        const { amount, from, to, usd18 } = decision
        assert.isTrue(amount > 0n && amount <= amountOf(from))
        assert.isTrue(amount * 10_000n <= amountOf(from) * BigInt(Math.round(by.share * 100)))
        assert.isTrue(usd18 <= BigDecimal.scale(by.maxUsd, 18).value)
        const wanted = by.side === "long" ? legs.base : by.side === "neutral" ? legs.quote : legs.inverse
        assert.strictEqual(to, wanted)
        assert.notStrictEqual(from, wanted)
      }),
      { numRuns: 2_000 }
    )
  })

  it("has nothing left to trade after a full trade at the oracle's price", () => {
    FastCheck.assert(
      FastCheck.property(arbitraryTerms, arbitraryLegs, (by, legs) => {
        const generous = { ...by, share: 100, lending: false, maxUsd: BigDecimal.make(10n ** 30n, 0) }
        let now: Legs = legs
        for (let turn = 0; turn < 3; turn++) {
          const decision = decide(generous, now)
          if (decision._tag !== "trade") return
          const { amount, from, to } = decision
          const bought = amount * from.price! * 10n ** BigInt(to.token.decimals) /
            (to.price! * 10n ** BigInt(from.token.decimals))
          const after = (each: Leg | null) =>
            each === null
              ? null
              : each === from
              ? { ...each, held: 0n, supplied: 0n }
              : each === to
              ? { ...each, held: each.held + bought }
              : each
          now = { base: after(now.base)!, quote: after(now.quote)!, inverse: after(now.inverse) }
        }
        assert.notStrictEqual(decide(generous, now)._tag, "trade")
      }),
      { numRuns: 1_000 }
    )
  })
})
