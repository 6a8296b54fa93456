import { assert, describe, it } from "@effect/vitest"
import { type LedgerRow, tradesOf } from "../../src/performance/LedgerTrade.ts"
import { disposalOf, lotsOf } from "../../src/performance/TaxLots.ts"
import { at, e18, holdings, hour, start, usdc, weth } from "./Samples.ts"

const hash = (n: number) => `0x${n.toString(16).padStart(64, "0")}` as const
const nothing = {
  ...{ soldAsset: null, soldSymbol: null, soldAmount: null, soldRaw: null, sold18: null, quotedRaw: null },
  ...{ boughtAsset: null, boughtSymbol: null, boughtAmount: null, boughtRaw: null, bought18: null },
  ...{ loan: null, loanAsset: null, loanSymbol: null, loanAmount: null, loanRaw: null }
}

const row = (hours: number, given: Partial<LedgerRow>): LedgerRow => ({
  ...{ id: `01936f5a-0000-7000-8000-${hours.toString().padStart(12, "0")}`, at: new Date(start + hours * hour) },
  ...{ succeeded: true, txHash: hash(hours), source: "caller", sourceId: null, gas: 0n, charge18: 0n },
  ...{ nativePrice18: null, ...nothing, ...given }
})
const ether = (amount: number) => ({ asset: weth, symbol: "WETH", amount: String(amount), raw: e18(amount) })
const dollars = (amount: number) => ({
  ...{ asset: usdc, symbol: "USDC", amount: String(amount), raw: BigInt(amount * 1e6) }
})
const trade = (hours: number, out: ReturnType<typeof ether>, into: ReturnType<typeof ether>, usd: number) =>
  row(hours, {
    ...{ soldAsset: out.asset, soldSymbol: out.symbol, soldAmount: out.amount, soldRaw: out.raw, sold18: e18(usd) },
    ...{ boughtAsset: into.asset, boughtSymbol: into.symbol, boughtAmount: into.amount, boughtRaw: into.raw },
    bought18: e18(usd)
  })
const loan = (hours: number, kind: "lent" | "returned", amount: number) => {
  const of = ether(amount)
  return row(hours, { loan: kind, loanAsset: weth, loanSymbol: "WETH", loanAmount: of.amount, loanRaw: of.raw })
}

/*
 * hour                            USDC   WETH   lent   price    lots of WETH
 * 0  deposit of 10,000          10,000      0      0   2,000    –
 * 1  buys 2 for 4,000            6,000      2      0   2,000    2 for 4,000
 * 2  buys 1 for 2,400            3,600      3      0   2,400    2 for 4,000, 1 for 2,400
 * 3  lends 2.5                   3,600    0.5    2.5   2,500    the same
 * 5  gets 2.6 back (0.1 interest)3,600    3.1      0   2,600    the same, and from the sample at 6: 0.1 for 260
 * 7  sells 2.5 for 7,000        10,600    0.6      0   2,800    0.5 for 1,200, 0.1 for 260
 *
 * The sale, first in first out: 2 for 4,000 and 0.5 for 1,200, proceeds 5,600 and 1,400; the gain is 1,800.
 */
const points = [
  ...[[0, 10_000, 0, 2_000], [1.5, 6_000, 2, 2_000], [2.5, 3_600, 3, 2_400], [4, 3_600, 0.5, 2_500]] as const,
  ...[[6, 3_600, 3.1, 2_600], [8, 10_600, 0.6, 2_800]] as const
].map(([hours, cash, held, price]) => ({
  ...at(hours, { value: cash + held * price, supply: 10_000 }),
  ...{ price18: null, gap: null, details: holdings(cash, held, price) }
}))
const trades = tradesOf([
  trade(1, dollars(4_000), ether(2), 4_000),
  trade(2, dollars(2_400), ether(1), 2_400),
  loan(3, "lent", 2.5),
  loan(5, "returned", 2.6),
  trade(7, ether(2.5), dollars(7_000), 7_000)
])

describe("lots of what was lent", () => {
  it("keep cost and time until they come back; interest is a lot of its own at the sampled price", () => {
    const { left, open, sold } = lotsOf(trades, points, "fifo")
    const disposals = sold.filter(({ asset }) => asset === weth).map(disposalOf)
    assert.deepStrictEqual(
      disposals.map(({ acquired_at, cost_usd, gain_usd, proceeds_usd, quantity }) => ({
        ...{ acquired_at, quantity, proceeds_usd, cost_usd, gain_usd }
      })),
      [
        {
          ...{ acquired_at: "2026-11-20T01:00:00.000Z", quantity: "2", proceeds_usd: "5600", cost_usd: "4000" },
          gain_usd: "1600"
        },
        {
          ...{ acquired_at: "2026-11-20T02:00:00.000Z", quantity: "0.5", proceeds_usd: "1400", cost_usd: "1200" },
          gain_usd: "200"
        }
      ]
    )
    assert.deepStrictEqual(
      open.filter(({ asset }) => asset === weth).map(({ cost18, quantity }) => [quantity, cost18]),
      [[e18(0.5), e18(1_200)], [e18(0.1), e18(260)]]
    )
    assert.deepStrictEqual(left, [])
  })

  it("are open lots while they are lent", () => {
    const { left, open } = lotsOf(trades.slice(0, 3), points.slice(0, 4), "hifo")
    assert.deepStrictEqual(
      open.filter(({ asset }) => asset === weth).reduce((sum, { quantity }) => sum + quantity, 0n),
      e18(3)
    )
    assert.deepStrictEqual(left, [])
  })
})
