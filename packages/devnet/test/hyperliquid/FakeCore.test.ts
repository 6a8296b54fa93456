import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Hyperliquid, named, order, trading, usdc } from "./Perpetuals.ts"

layer(Hyperliquid, { excludeTestServices: true })("the fake derivatives exchange", (it) => {
  it.scoped("fills an order that crosses its book, and tells so by its number, its fills and the account", () =>
    Effect.gen(function*() {
      const by = yield* trading
      yield* by.deposit(10_000n * usdc)
      assert.strictEqual((yield* by.account).withdrawable, "10000.0")
      yield* by.act(order({ px: 3030, sz: 2, cloid: 77n }))
      const { order: placed, status } = yield* by.status(named(77n))
      assert.deepStrictEqual([status, placed?.status, placed?.order.sz, placed?.order.origSz], ["order", "filled", "0.0", "2.0"])
      // A hundredth of a percent above the middle.
      const [fill, ...more] = yield* by.fills
      assert.lengthOf(more, 0)
      assert.deepInclude(fill, { coin: "ETH", px: "3000.3", sz: "2.0", side: "B", dir: "Open Long", startPosition: "0.0", crossed: true, closedPnl: "0.0" })
      assert.strictEqual(fill?.fee, "2.70027")
      const { assetPositions, marginSummary, withdrawable } = yield* by.account
      assert.deepStrictEqual(marginSummary, { accountValue: "9996.69973", totalNtlPos: "6000.0", totalRawUsd: "3996.69973", totalMarginUsed: "300.0" })
      assert.strictEqual(withdrawable, "9396.69973")
      assert.deepInclude(assetPositions[0]?.position, { coin: "ETH", szi: "2.0", entryPx: "3000.3", positionValue: "6000.0", unrealizedPnl: "-0.6", marginUsed: "300.0", liquidationPx: null })
      assert.strictEqual(yield* by.onExchange, 9_996_699_730_000_000_000_000n)
    }))
})
