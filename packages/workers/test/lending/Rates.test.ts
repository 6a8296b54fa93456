import { assert } from "@effect/vitest"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Yield } from "@vault-trader/core/lending/Yields"
import * as Effect from "effect/Effect"
import * as LendingAccount from "../../src/lending/LendingAccount.ts"
import * as Earnings from "../../src/lending/Earnings.ts"
import * as Rates from "../../src/lending/Rates.ts"
import { network, refusal } from "../vault/TestVault.ts"
import { lending, lendingSuite } from "./TestLending.ts"

const day = 86_400

const earning = Effect.gen(function*() {
  const vault = yield* lending()
  const { chain, pass, pool, rpc } = vault
  const rates = Rates.read(network, chain)
  return {
    ...vault,
    rates,
    rate: (lender: string, symbol: string) =>
      Effect.map(rates, (all) => all.find((each) => each.lender === lender && each.symbol === symbol)),
    account: LendingAccount.read(network, chain, pool),
    estimate: Effect.flatMap(rates, (yields) => Earnings.estimate(network, chain, pool, yields)),
    /** Mines enough blocks, far enough apart, for shares to grow. */
    history: Effect.andThen(
      Effect.forEach(Array.from({ length: 40 }), () => rpc.mine, { discard: true }),
      Effect.andThen(pass(day), rpc.mine)
    )
  }
})

const isAbove = (value: number | null | undefined, floor: number) => assert.isAbove(value ?? Number.NaN, floor)

lendingSuite("rates", (it) => {
  it.effect("of lenderA and lenderB are read for every asset, the borrow rate above the supply rate", () =>
    Effect.gen(function*() {
      const { lenderA, lenderB, rates, token } = yield* earning
      const found = yield* rates
      const names = (lender: string) =>
        found.filter((each) => each.lender === lender).map(({ symbol }) => symbol).sort()
      assert.deepStrictEqual(names("lenderA"), ["DAI", "USDC", "WBTC", "WETH"])
      assert.deepStrictEqual(names("lenderB"), ["USDC", "WETH"])
      assert.deepStrictEqual(names("lenderC"), ["DAI", "USDC", "WETH"])
      for (const each of found.filter(({ lender }) => lender !== "lenderC")) {
        isAbove(each.supply_apr, 0)
        isAbove(each.supply_apy, each.supply_apr ?? Number.NaN)
        isAbove(each.borrow_apr, each.supply_apr ?? Number.NaN)
        assert.isBelow(each.borrow_apy ?? Number.NaN, 100)
        assert.isNull(each.note)
        if (each.lender === "lenderA") assert.strictEqual(each.market, lenderA)
        else if (each.symbol === "USDC") assert.strictEqual(each.market, lenderB)
        else assert.notStrictEqual(each.market, lenderB)
        assert.strictEqual(each.asset, token(each.symbol).address)
      }
    }))

  it.effect("of lenderC are derived from a share's growth between two blocks, or reported as unknown", () =>
    Effect.gen(function*() {
      const { history, rate } = yield* earning
      const before: Yield | undefined = yield* rate("lenderC", "USDC")
      assert.isNull(before?.supply_apr ?? null)
      assert.match(before?.note ?? "", /reports no rate/)
      yield* history
      const usdc = yield* rate("lenderC", "USDC")
      assert.approximately(usdc?.supply_apr ?? Number.NaN, 6, 0.05)
      assert.match(usdc?.note ?? "", /^from the value of a share 30 blocks \(\d+ s\) earlier$/)
      assert.isNull(usdc?.borrow_apr ?? null)
      assert.approximately((yield* rate("lenderC", "WETH"))?.supply_apr ?? Number.NaN, 2.5, 0.05)
    }))
})

lendingSuite("a vault's account with lenderA", (it) => {
  it.effect("is empty, with an infinite health factor, before anything is lent", () =>
    Effect.gen(function*() {
      const { data, supplied, totalSupplied, borrowed } = yield* (yield* earning).account
      assert.deepStrictEqual({ ...data }, {
        totalCollateralBase: "0",
        totalDebtBase: "0",
        availableBorrowsBase: "0",
        currentLiquidationThreshold: "0",
        ltv: "0",
        healthFactor: "infinity"
      })
      assert.deepStrictEqual([supplied, totalSupplied, borrowed], [[], "0", []])
    }))

  it.effect("reports what was supplied and borrowed, asset by asset, in decimal text", () =>
    Effect.gen(function*() {
      const { account, does } = yield* earning
      yield* does("lend", "WETH", { amount: "5" })
      yield* does("borrow", "USDC", { amount: "5000" })
      const { borrowed, data, supplied, totalBorrowed, totalSupplied } = yield* account
      assert.deepStrictEqual([data.currentLiquidationThreshold, data.ltv, data.healthFactor], ["83", "80.5", "2.49"])
      assert.approximately(Number(data.totalCollateralBase), 15_000, 0.01)
      assert.approximately(Number(data.totalDebtBase), 5000, 0.01)
      assert.approximately(Number(data.availableBorrowsBase), 7075, 0.02)
      assert.deepStrictEqual(supplied.map(({ symbol, used_as_collateral }) => [symbol, used_as_collateral]), [[
        "WETH",
        true
      ]])
      assert.deepStrictEqual(borrowed.map(({ symbol, used_as_collateral }) => [symbol, used_as_collateral]), [[
        "USDC",
        false
      ]])
      assert.approximately(Number(totalSupplied), 15_000, 0.01)
      assert.approximately(Number(totalBorrowed), 5000, 0.01)
      assert.match(totalSupplied, /^\d+(\.\d+)?$/)
    }))

  it.effect("is refused where there is no lenderA", () =>
    Effect.gen(function*() {
      const { book, chain, pool } = yield* earning
      const { aaveV3: _, ...rest } = book
      const failure = yield* refusal(LendingAccount.read(network, { ...chain, book: NetworkBook.make(rest) }, pool))
      assert.strictEqual(failure.errorType, "market_not_available")
    }))
})

lendingSuite("the estimate of a vault's year", (it) => {
  it.effect("is zero without positions", () =>
    Effect.gen(function*() {
      const { apy, positions, total_value_usd } = yield* (yield* earning).estimate
      assert.deepStrictEqual([apy, positions], [0, []])
      assert.approximately(total_value_usd ?? Number.NaN, 130_000, 1)
    }))

  it.effect("weighs what each position earns or costs by the whole vault", () =>
    Effect.gen(function*() {
      const { does, estimate, history, rate } = yield* earning
      yield* history
      yield* does("lend", "WETH", { amount: "5" })
      yield* does("borrow", "DAI", { amount: "1000" })
      yield* does("lend", "USDC", { lender: "lenderB", amount: "10000" })
      yield* does("lend", "USDC", { lender: "lenderC", amount: "20000" })
      const { annual_usd, apy, positions, total_value_usd } = yield* estimate
      assert.sameMembers(positions.map(({ lender, side, symbol }) => `${lender} ${side} ${symbol}`), [
        ...["lenderA supplied WETH", "lenderA borrowed DAI"],
        ...["lenderB supplied USDC", "lenderC supplied USDC"]
      ])
      const [weth, dai, comet, fToken] = yield* Effect.all([
        rate("lenderA", "WETH"),
        rate("lenderA", "DAI"),
        rate("lenderB", "USDC"),
        rate("lenderC", "USDC")
      ])
      const expected = 150 * (weth?.supply_apy ?? Number.NaN) - 10 * (dai?.borrow_apy ?? Number.NaN) +
        100 * (comet?.supply_apy ?? Number.NaN) +
        200 * (fToken?.supply_apy ?? Number.NaN)
      assert.approximately(annual_usd ?? Number.NaN, expected, Math.abs(expected) * 0.01)
      assert.approximately(apy ?? Number.NaN, expected / (total_value_usd ?? Number.NaN) * 100, 0.01)
      assert.isBelow(positions.find(({ side }) => side === "borrowed")?.apy ?? Number.NaN, 0)
    }))

  it.effect("is null while a rate is unknown, and is refused without a price", () =>
    Effect.gen(function*() {
      const { does, estimate, expirePrice } = yield* earning
      yield* does("lend", "USDC", { lender: "lenderC", amount: "20000" })
      const { annual_usd, apy, positions } = yield* estimate
      assert.deepStrictEqual([annual_usd, apy, positions.length], [null, null, 1])
      yield* expirePrice("WETH")
      assert.strictEqual((yield* refusal(estimate)).errorType, "price_unavailable")
    }))
})
