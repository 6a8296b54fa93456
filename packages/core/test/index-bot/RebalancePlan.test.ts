import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as FastCheck from "fast-check"
import type { Address } from "../../src/chain/Address.ts"
import { Token } from "../../src/chain/Token.ts"
import { type Holding, type Leg, type Order, plan, type Plan } from "../../src/index-bot/RebalancePlan.ts"

const usd = (dollars: number) => BigInt(Math.round(dollars * 1e6)) * 10n ** 12n
const address = (index: number): Address => `0x${index.toString(16).padStart(40, "0")}`
const tokenOf = (symbol: string, decimals: number, index: number) =>
  Token.make({ address: address(index), symbol, decimals })

const usdc = tokenOf("USDC", 6, 1)
const weth = tokenOf("WETH", 18, 2)
const wbtc = tokenOf("WBTC", 8, 3)
const link = tokenOf("LINK", 18, 4)
const prices = new Map([[usdc, usd(1)], [weth, usd(2_500)], [wbtc, usd(50_000)], [link, usd(10)]])

/** Builds a holding worth this many dollars. */
const holding = (token: Token, dollars: number, more: Partial<Holding> = {}): Holding => {
  const price = prices.get(token) ?? 0n
  return { token, balance: usd(dollars) * 10n ** BigInt(token.decimals) / price, price, inVault: true, ...more }
}
const target = (token: Token, weight: number, tolerance: number | null = null) => ({ token, weight, tolerance })

const order = (held: ReadonlyArray<Holding>, targets: Order["targets"], more: Partial<Order> = {}): Order => ({
  held,
  targets,
  quote: usdc,
  tolerance: 5,
  maxUsd18: usd(1_000_000),
  minTradeUsd18: usd(1),
  slippage: 1,
  force: false,
  ...more
})

const planned = (input: Order): Plan => Result.getOrThrow(plan(input))
const describeLegs = ({ legs }: Plan) =>
  legs.map(({ asset, side, usd18 }) => `${side} ${asset.symbol} ${Number(usd18 / 10n ** 14n) / 1e4}`)

const half = [target(weth, 50), target(wbtc, 30), target(usdc, 20)]

describe("the plan of an index", () => {
  it("buys missing assets with the quote, down to the quote's own weight", () => {
    const { allocations, legs, needsRebalance, totalUsd18 } = planned(
      order([holding(usdc, 1_000), holding(weth, 0), holding(wbtc, 0)], half)
    )
    assert.deepStrictEqual([totalUsd18, needsRebalance], [usd(1_000), true])
    assert.deepStrictEqual(
      legs.map(({ amount, from, minOut, side, to }) => [side, from.symbol, to.symbol, amount, minOut]),
      [
        ["buy", "USDC", "WETH", 500_000_000n, 198_000_000_000_000_000n],
        ["buy", "USDC", "WBTC", 300_000_000n, 594_000n]
      ]
    )
    assert.deepStrictEqual(allocations.map(({ drift18, outOfBand }) => [drift18, outOfBand]), [[-usd(50), true], [
      -usd(30),
      true
    ], [usd(80), true]])
  })

  it("sells before it buys, with one net trade per asset", () => {
    const held = [holding(weth, 700), holding(wbtc, 100), holding(usdc, 200)]
    assert.deepStrictEqual(describeLegs(planned(order(held, half))), ["sell WETH 200", "buy WBTC 200"])
  })

  it("is empty while every weight is in its tolerance, unless it is forced", () => {
    const held = [holding(weth, 545), holding(wbtc, 285), holding(usdc, 170)]
    const quiet = planned(order(held, half))
    assert.deepStrictEqual([describeLegs(quiet), quiet.needsRebalance], [[], false])
    assert.deepStrictEqual(describeLegs(planned(order(held, half, { force: true }))), ["sell WETH 45", "buy WBTC 15"])
  })

  it("applies a target's own tolerance, and treats a drift of exactly the tolerance as within it", () => {
    const held = [holding(weth, 530), holding(wbtc, 300), holding(usdc, 170)]
    assert.isFalse(planned(order(held, half, { tolerance: 3 })).needsRebalance)
    assert.isTrue(planned(order(held, [target(weth, 50, 2), target(wbtc, 30), target(usdc, 20)])).needsRebalance)
  })

  it("is scaled to the cap as a whole", () => {
    const held = [holding(weth, 700), holding(wbtc, 100), holding(usdc, 200)]
    assert.deepStrictEqual(describeLegs(planned(order(held, half, { maxUsd18: usd(100) }))), [
      "sell WETH 50",
      "buy WBTC 50"
    ])
  })

  it("drops only the smallest trades when the cap would make trades too small", () => {
    const held = [holding(weth, 700), holding(wbtc, 100), holding(usdc, 200)]
    assert.deepStrictEqual(describeLegs(planned(order(held, half, { maxUsd18: usd(1.5) }))), ["sell WETH 1.5"])
    assert.deepStrictEqual(describeLegs(planned(order(held, half, { maxUsd18: usd(0.5) }))), [])
  })

  it("counts assets without a target in the total value, and never trades them", () => {
    const { allocations, legs, unmanaged } = planned(
      order([holding(usdc, 500), holding(weth, 0), holding(link, 500)], [target(weth, 80), target(usdc, 20)])
    )
    assert.deepStrictEqual(unmanaged, [{ token: link, usd18: usd(500), pct18: usd(50) }])
    assert.strictEqual(allocations[0]?.targetUsd18, usd(800))
    assert.deepStrictEqual(describeLegs({ legs } as Plan), ["buy WETH 300"])
  })

  it("refills a quote below its weight before it buys anything", () => {
    const held = [holding(weth, 600), holding(wbtc, 290), holding(usdc, 110)]
    assert.deepStrictEqual(describeLegs(planned(order(held, half))), ["sell WETH 100", "buy WBTC 10"])
  })

  it("never trades an asset that the vault cannot hold or that is excluded, and trades nothing without the quote", () => {
    const held = [holding(weth, 700), holding(wbtc, 100), holding(usdc, 200)]
    const without = new Set([weth.address])
    assert.deepStrictEqual(describeLegs(planned(order(held, half, { without }))), [])
    const closed = [holding(weth, 700), holding(wbtc, 0, { inVault: false }), holding(usdc, 300)]
    const { allocations, legs } = planned(order(closed, half))
    assert.deepStrictEqual([allocations.map(({ inVault }) => inVault), describeLegs({ legs } as Plan)], [[
      true,
      false,
      true
    ], ["sell WETH 200"]])
    assert.deepStrictEqual(describeLegs(planned(order(held.slice(0, 2), half))), [])
  })

  it("fails when a required price is missing", () => {
    const stale = { price: null }
    const symbols = (held: ReadonlyArray<Holding>) =>
      Result.match(plan(order(held, half)), {
        onFailure: ({ tokens }) => tokens.map(({ symbol }) => symbol),
        onSuccess: () => []
      })
    assert.deepStrictEqual(symbols([holding(weth, 700, stale), holding(wbtc, 100), holding(usdc, 200)]), ["WETH"])
    assert.deepStrictEqual(symbols([holding(weth, 700), holding(wbtc, 0, stale), holding(usdc, 200)]), ["WBTC"])
    assert.deepStrictEqual(
      symbols([holding(weth, 700), holding(wbtc, 100), holding(usdc, 200), holding(link, 5, { price: 0n })]),
      ["LINK"]
    )
    assert.deepStrictEqual(
      symbols([holding(weth, 700), holding(wbtc, 100), holding(usdc, 200), holding(link, 0, stale)]),
      []
    )
  })

  it("fails when the vault platform does not value a holding, target or not", () => {
    const unvalued = { balance: null, price: null }
    const symbols = (held: ReadonlyArray<Holding>) =>
      Result.match(plan(order(held, half, { force: true })), {
        onFailure: ({ tokens }) => tokens.map(({ symbol }) => symbol),
        onSuccess: () => []
      })
    assert.deepStrictEqual(
      symbols([
        holding(weth, 500),
        holding(wbtc, 300),
        holding(usdc, 200),
        holding(link, 0, { ...unvalued, inVault: false })
      ]),
      ["LINK"]
    )
    assert.deepStrictEqual(symbols([holding(weth, 0, { balance: null }), holding(wbtc, 300), holding(usdc, 200)]), [
      "WETH"
    ])
  })

  it("is empty for an empty vault", () => {
    const { allocations, needsRebalance } = planned(order([holding(weth, 0), holding(usdc, 0)], half))
    assert.deepStrictEqual([needsRebalance, allocations.map(({ currentPct18 }) => currentPct18)], [false, [0n, 0n, 0n]])
  })
})

/**
 * Vaults of 2 to 20 assets with any decimals and prices, some of them without a target; the quote may be a target or
 * not.
 */
const asset = FastCheck.record({
  // One smallest unit of any of them is worth less than the minimum trade.
  decimals: FastCheck.constantFrom(8, 18),
  cents: FastCheck.integer({ min: 1, max: 10_000_000 }),
  dollars: FastCheck.oneof(FastCheck.constant(0), FastCheck.integer({ min: 1, max: 5_000_000 })),
  parts: FastCheck.integer({ min: 1, max: 1_000 }),
  tolerance: FastCheck.option(FastCheck.integer({ min: 0, max: 20 })),
  isTarget: FastCheck.boolean(),
  inVault: FastCheck.oneof({ weight: 9, arbitrary: FastCheck.constant(true) }, {
    weight: 1,
    arbitrary: FastCheck.constant(false)
  })
})

const orders = FastCheck.record({
  assets: FastCheck.array(asset, { minLength: 2, maxLength: 20 }),
  maxDollars: FastCheck.integer({ min: 1, max: 10_000_000 }),
  minCents: FastCheck.integer({ min: 1, max: 10_000 }),
  tolerance: FastCheck.integer({ min: 0, max: 20 }),
  force: FastCheck.boolean()
}).map(({ assets, force, maxDollars, minCents, tolerance }): Order => {
  const all = assets.map((each, index) => ({
    ...each,
    token: tokenOf(`T${index}`, index === 0 ? 6 : each.decimals, index + 1),
    price: usd(index === 0 ? 1 : each.cents / 100)
  }))
  const chosen = all.filter(({ isTarget }, index) => isTarget || index === 1)
  const whole = chosen.reduce((parts, each) => parts + each.parts, 0)
  const inHundredths = chosen.map(({ parts }) => Math.floor(parts * 10_000 / whole) / 100)
  return {
    held: all.map(({ dollars, inVault, price, token }, index) => ({
      token,
      price,
      inVault: inVault || index === 0,
      balance: usd(dollars) * 10n ** BigInt(token.decimals) / price
    })),
    targets: chosen.map(({ token, tolerance }, index) => ({ token, tolerance, weight: inHundredths[index] || 0.01 })),
    quote: all[0]!.token,
    tolerance,
    maxUsd18: usd(maxDollars),
    minTradeUsd18: usd(minCents / 100),
    slippage: 1,
    force
  }
})

const units = ({ decimals }: Token) => 10n ** BigInt(decimals)

/** Returns the vault's holdings after every leg has executed at the oracle's prices. */
const applied = (held: ReadonlyArray<Holding>, legs: ReadonlyArray<Leg>): ReadonlyArray<Holding> =>
  legs.reduce<ReadonlyArray<Holding>>((now, { amount, from, to }) => {
    const priceOf = (token: Token) => now.find((each) => each.token.address === token.address)?.price ?? 1n
    const got = amount * priceOf(from) * units(to) / (priceOf(to) * units(from))
    return now.map((each) =>
      each.token.address === from.address
        ? { ...each, balance: (each.balance ?? 0n) - amount }
        : each.token.address === to.address
        ? { ...each, balance: (each.balance ?? 0n) + got }
        : each
    )
  }, held)

const whole = (held: ReadonlyArray<Holding>) =>
  held.reduce((total, { balance, price, token }) => total + (balance ?? 0n) * (price ?? 0n) / units(token), 0n)
const runs = { numRuns: 500 }

describe("any plan", () => {
  it("is worth no more than the cap in total, and no trade is below the minimum", () =>
    FastCheck.assert(
      FastCheck.property(orders, (input) => {
        const { legs } = planned(input)
        assert.isTrue(legs.reduce((sum, { usd18 }) => sum + usd18, 0n) <= input.maxUsd18)
        assert.isTrue(
          legs.every(({ amount, minOut, usd18 }) => amount > 0n && minOut > 0n && usd18 >= input.minTradeUsd18)
        )
      }),
      runs
    ))

  it("sells before it buys, and has one trade per asset", () =>
    FastCheck.assert(
      FastCheck.property(orders, (input) => {
        const { legs } = planned(input)
        const sides = legs.map(({ side }) => side)
        assert.isFalse(sides.slice(sides.indexOf("buy")).includes("sell") && sides.includes("buy"))
        assert.strictEqual(new Set(legs.map(({ asset }) => asset.address)).size, legs.length)
      }),
      runs
    ))

  it("never makes a balance negative, leg after leg", () =>
    FastCheck.assert(
      FastCheck.property(orders, (input) => {
        const { legs } = planned(input)
        for (let count = 1; count <= legs.length; count++) {
          assert.isTrue(applied(input.held, legs.slice(0, count)).every(({ balance }) => (balance ?? 0n) >= 0n))
        }
      }),
      runs
    ))

  it("conserves the vault's value, except for rounding to whole units", () =>
    FastCheck.assert(
      FastCheck.property(orders, (input) => {
        const { legs } = planned(input)
        const lost = whole(input.held) - whole(applied(input.held, legs))
        const dust = legs.reduce((sum, { asset }) => {
          const { price } = input.held.find(({ token }) => token.address === asset.address)!
          return sum + (price ?? 0n) / units(asset) + 1n + usd(0.000_001)
        }, 10n)
        assert.isTrue(lost >= -dust && lost <= dust, `${lost}`)
      }),
      runs
    ))

  it("is empty after an execution without a cap, forced or not", () =>
    FastCheck.assert(
      FastCheck.property(orders, FastCheck.boolean(), (input, force) => {
        const free = { ...input, maxUsd18: usd(1e12) }
        const after = { ...free, held: applied(free.held, planned(free).legs) }
        if (free.force || planned(free).needsRebalance) assert.deepStrictEqual(planned({ ...after, force }).legs, [])
      }),
      runs
    ))

  it("is empty when nothing is out of tolerance and it is not forced", () =>
    FastCheck.assert(
      FastCheck.property(orders, (input) => {
        const { allocations, legs, needsRebalance } = planned({ ...input, force: false })
        if (!allocations.some(({ inVault, outOfBand }) => inVault && outOfBand)) {
          assert.deepStrictEqual([legs, needsRebalance], [[], false])
        }
      }),
      runs
    ))

  it("moves every asset it trades towards its target, and not beyond", () =>
    FastCheck.assert(
      FastCheck.property(orders, (input) => {
        const { allocations, legs } = planned(input)
        for (const { asset, side, usd18 } of legs) {
          const { targetUsd18, valueUsd18 } = allocations.find(({ token }) => token.address === asset.address)!
          assert.isTrue(usd18 <= (side === "sell" ? valueUsd18 - targetUsd18 : targetUsd18 - valueUsd18))
        }
      }),
      runs
    ))
})
