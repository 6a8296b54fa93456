import { assert, describe, it } from "@effect/vitest"
import { Token } from "../../src/chain/Token.ts"
import { type FollowerMemory, type FollowerTerms, noMemory } from "../../src/follower/Follower.ts"
import { clipped, decide, lineOf, type Reading } from "../../src/follower/FollowerDecision.ts"

const one18 = 10n ** 18n
const token = (digit: string, symbol: string, decimals: number) =>
  Token.make({ address: `0x${digit.repeat(40)}`, symbol, decimals })
const [usdc, weth, wbtc] = [token("1", "USDC", 6), token("2", "WETH", 18), token("3", "WBTC", 8)]
const prices = { USDC: one18, WETH: 3_000n * one18, WBTC: 60_000n * one18 } as const
const tokens = { USDC: usdc, WETH: weth, WBTC: wbtc } as const

const terms: FollowerTerms = {
  ...{ leader: `0x${"b".repeat(40)}`, leaderKind: "vault", base: usdc, ratio: 100, threshold: 2, maxWeight: null },
  ...{ maxUsd18: 1_000n * one18, maxUsdInInterval18: null, intervalSeconds: 86_400, assets: null, without: [] },
  ...{ delaySeconds: 0, slippage: 1, maxImpact: 1 }
}

/** A reading whose amounts are US dollars by symbol. */
const reading = (
  block: number,
  leader: Partial<Record<keyof typeof tokens, bigint>>,
  held: Partial<Record<keyof typeof tokens, bigint>>
): Reading => ({
  block,
  leader: Object.entries(leader).map(([symbol, usd]) => ({
    ...{ asset: tokens[symbol as keyof typeof tokens].address, symbol, usd18: usd * one18, isToken: true }
  })),
  held: Object.entries(held).map(([symbol, usd]) => {
    const of = tokens[symbol as keyof typeof tokens]
    const price = prices[symbol as keyof typeof prices]
    return { token: of, price, inVault: true, balance: usd * one18 * 10n ** BigInt(of.decimals) / price }
  })
})

const follow = (readings: ReadonlyArray<Reading>, own: FollowerTerms = terms, from: FollowerMemory = noMemory) => {
  let memory = from
  return readings.map((each) => {
    const decision = decide({ terms: own, memory }, each)
    memory = decision.memory
    return decision
  })
}
const tags = (decisions: ReturnType<typeof follow>) => decisions.map(({ step }) => step._tag)

describe("the decision of a follower", () => {
  it("trades at the second reading of a later block that asks for it, sales before purchases", () => {
    const off = [{ WETH: 50n, USDC: 50n }, { WETH: 0n, WBTC: 60n, USDC: 40n }] as const
    const [, , last] = follow([reading(100, ...off), reading(100, ...off), reading(102, ...off)])
    assert.deepStrictEqual(tags(follow([reading(100, ...off), reading(100, ...off)])), ["wait", "wait"])
    const legs = last?.step._tag === "trade" ? last.step.legs : []
    assert.deepStrictEqual(legs.map(({ side, usd18 }) => [side, usd18 / one18]), [["sell", 60n], ["buy", 50n]])
  })

  it("waits until a difference has lasted for the delay, and forgets one that has gone", () => {
    const off = [{ WETH: 50n, USDC: 50n }, { WETH: 0n, USDC: 100n }] as const
    const even = [{ WETH: 50n, USDC: 50n }, { WETH: 50n, USDC: 50n }] as const
    const own = { ...terms, delaySeconds: 60 }
    assert.deepStrictEqual(
      tags(follow([reading(0, ...off), reading(59, ...off), reading(60, ...off)], own)),
      ["wait", "wait", "trade"]
    )
    assert.deepStrictEqual(
      tags(follow([reading(0, ...off), reading(30, ...even), reading(60, ...off), reading(119, ...off)], own)),
      ["wait", "wait", "wait", "wait"]
    )
  })

  it("stops after two readings of a leader that has lost 95 % in one step, and trades on neither", () => {
    const before = reading(0, { WETH: 5_000n, USDC: 5_000n }, { WETH: 500n, USDC: 500n })
    const after = (block: number) => reading(block, { USDC: 499n }, { WETH: 500n, USDC: 500n })
    assert.deepStrictEqual(tags(follow([before, after(2), after(4)])), ["wait", "wait", "stop"])
    // At 5 % it is not drained, and its weights count.
    const kept = (block: number) => reading(block, { USDC: 500n }, { WETH: 500n, USDC: 500n })
    assert.deepStrictEqual(tags(follow([before, kept(2), kept(4)])), ["wait", "wait", "trade"])
    // One reading alone is forgotten.
    assert.deepStrictEqual(tags(follow([before, after(2), { ...before, block: 4 }, after(6)])), [
      ...["wait", "wait", "wait", "wait"]
    ])
  })

  it("trades nothing while an asset of the leader has no price", () => {
    const unpriced = (block: number): Reading => ({
      ...reading(block, { USDC: 50n }, { WETH: 50n, USDC: 50n }),
      leader: [lineOf(weth, 1n, null), lineOf(usdc, 1_000_000n, one18)]
    })
    const [, last] = follow([unpriced(0), unpriced(2)])
    assert.match(last?.step.reason ?? "", /No price for WETH of the leader/)
    assert.strictEqual(last?.step._tag, "wait")
  })

  it("scales by the ratio, bounds by max_weight, and leaves what the lists exclude alone", () => {
    const off = [{ WETH: 80n, WBTC: 20n }, { WETH: 0n, WBTC: 10n, USDC: 90n }] as const
    const own = { ...terms, ratio: 50, maxWeight: 30, without: [wbtc] }
    const [, last] = follow([reading(0, ...off), reading(2, ...off)], own)
    assert.deepStrictEqual(last?.memory.weights.map(({ symbol, target, weight }) => [symbol, weight, target]), [
      ["WETH", 80, 30],
      ["WBTC", 20, 0]
    ])
    const legs = last?.step._tag === "trade" ? last.step.legs : []
    assert.deepStrictEqual(legs.map(({ asset, side, usd18 }) => [asset.symbol, side, (usd18 + one18 / 2n) / one18]), [
      ["WETH", "buy", 30n]
    ])
  })

  it("cuts a trade to the caps, and makes none below a dollar", () => {
    const leg = {
      ...{ side: "buy" as const, asset: weth, from: usdc, to: weth, amount: 4_000_000_000n, minOut: 1n },
      usd18: 4_000n * one18
    }
    assert.deepInclude(clipped(terms, leg, 0n), { amount: 1_000_000_000n, usd18: 1_000n * one18 })
    const own = { ...terms, maxUsdInInterval18: 1_500n * one18 }
    assert.deepInclude(clipped(own, leg, 1_000n * one18), { amount: 500_000_000n, usd18: 500n * one18 })
    const none = clipped(own, leg, 1_499n * one18 + 1n)
    assert.match(typeof none === "string" ? none : "", /max_usd_interval allows no more/)
  })
})
