import { assert, describe, it } from "@effect/vitest"
import { reportCsv, reportOf } from "../../src/billing/Report.ts"

const day = {
  actions: 2,
  failed: 1,
  feesUsd: 0.12,
  feesWei: 4n * 10n ** 13n,
  gasWei: 10n ** 15n,
  gasUsd: 3,
  volumeUsd: 1000,
  slippageUsd: 1.5
}
const usd = (dollars: number) => BigInt(dollars * 1000) * 10n ** 15n

describe("a report", () => {
  it("has every day with requests or a snapshot in order, and adds them up", () => {
    const { days, total } = reportOf(
      [{ date: "2026-11-20", ...day }, { date: "2026-11-22", ...day, gasUsd: null }],
      [{ date: "2026-11-21", tokenPrice: usd(1.02) }, { date: "2026-11-20", tokenPrice: usd(1) }],
      undefined
    )
    assert.deepStrictEqual(
      days.map(({ actions, date, pnl_percent, token_price }) => [date, actions, token_price, pnl_percent]),
      [
        ["2026-11-20", 2, 1, null],
        ["2026-11-21", 0, 1.02, 2],
        ["2026-11-22", 2, null, null]
      ]
    )
    assert.deepInclude(total, {
      actions: 4,
      failed: 2,
      fees_usd: 0.24,
      fees_native: "0.00008",
      gas_native: "0.002",
      gas_usd: null,
      volume_usd: 2000,
      slippage_usd: 3,
      slippage_percent: 0.15,
      pnl_percent: 2
    })
    assert.deepInclude(days[0], { gas_usd: 3, slippage_percent: 0.15 })
    assert.deepInclude(days[1], { gas_usd: 0, slippage_percent: null, fees_native: "0" })
  })

  it("compares its first day with the snapshot before it", () => {
    const { days, total } = reportOf([], [{ date: "2026-11-20", tokenPrice: usd(0.95) }], usd(1))
    assert.strictEqual(days[0]?.pnl_percent, -5)
    assert.strictEqual(total.pnl_percent, -5)
    assert.isNull(reportOf([], [{ date: "2026-11-20", tokenPrice: usd(1) }], undefined).total.pnl_percent)
    assert.deepStrictEqual(reportOf([], [], usd(1)), {
      days: [],
      total: { ...reportOf([], [], undefined).total, pnl_percent: null }
    })
  })

  it("is a table with one line per day", () => {
    const { days } = reportOf([{ date: "2026-11-20", ...day }], [], undefined)
    assert.strictEqual(
      reportCsv(days),
      "date,actions,failed,fees_usd,fees_native,gas_native,gas_usd,volume_usd,slippage_usd,slippage_percent,token_price,pnl_percent\r\n" +
        "2026-11-20,2,1,0.12,0.00004,0.001,3,1000,1.5,0.15,,\r\n"
    )
  })
})
