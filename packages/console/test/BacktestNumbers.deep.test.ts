import { assert, describe, it } from "@effect/vitest"
import { base, costs, equal, file } from "./BacktestCommand.ts"

describe("the numbers of the backtest page", () => {
  it("are the command's for every kind of order", async () => {
    const orders = [
      "type=limit side=buy share=60 limit_price=2800",
      "type=stop_loss side=sell share=100 stop_price=2700 limit_price=2000",
      "type=take_profit side=sell amount=7.5 take_profit_price=3300",
      "type=bracket side=sell share=100 stop_price=2700 take_profit_price=3300",
      "type=trailing_stop side=sell share=100 trail_percent=8 activation_price=3050",
      "type=twap side=buy amount=50000 duration=2d slices=8",
      "type=dca side=buy amount=1000 interval=1d slices=30 limit_price=3200",
      "type=iceberg side=sell amount=10 max_impact=0.3 expires_in=3d"
    ]
    const run = async (order: string) => {
      const values = Object.fromEntries(order.split(" ").map((word) => word.split("=") as [string, string]))
      const report = await equal(
        { ...base, kind: "order", values: { ...costs, pair: "WETH-USDC", ...values } },
        ...["--bot", "order", "--candles", file("weth.csv"), "--pair", "WETH-USDC", "--order", order]
      )
      assert.isNotNull(report.order, order)
      return report.trades.length
    }
    // Two at a time, as the machine has processors.
    const trades: Array<number> = []
    for (let place = 0; place < orders.length; place += 2) {
      trades.push(...await Promise.all(orders.slice(place, place + 2).map(run)))
    }
    assert.isAbove(trades.filter((count) => count > 0).length, 5)
  }, 300_000)
})
