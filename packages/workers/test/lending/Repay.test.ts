import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { refusal, refuseChangedAllowances } from "../vault/TestVault.ts"
import { ether, lending, lendingSuite, usdc } from "./TestLending.ts"

const month = 30 * 86_400

/** A vault that owes lenderA 5,000 USDC against 5 WETH. */
const indebted = Effect.tap(
  lending(),
  ({ does }) => Effect.andThen(does("lend", "WETH", { amount: "5" }), does("borrow", "USDC", { amount: "5000" }))
)

lendingSuite("repaying", (it) => {
  it.effect("everything leaves neither debt nor allowance, although interest accrues until it is mined", () =>
    Effect.gen(function*() {
      const { allowanceOf, does, held, lenderA, owed, pass, rpc, token } = yield* indebted
      yield* refuseChangedAllowances(rpc, token("USDC").address)
      yield* pass(month)
      const debt = (yield* owed("USDC")) as bigint
      assert.isTrue(debt > 5000n * usdc)
      const before = yield* held("USDC")
      const { calls, message, planned, result } = yield* does("repay", "USDC", { share: 100 })
      assert.lengthOf(calls, 3)
      assert.strictEqual(yield* owed("USDC"), 0n)
      assert.strictEqual(yield* allowanceOf("USDC", lenderA), 0n)
      const paid = before - (yield* held("USDC"))
      assert.strictEqual(result.repaid?.raw, String(paid))
      assert.isTrue(paid >= debt && paid < debt + 1000n)
      assert.strictEqual(message, `Repaid ${result.repaid?.amount} USDC to lenderA.`)
      assert.strictEqual(planned.projected_health_factor, "infinity")
      assert.strictEqual(result.still_owed?.raw, "0")
    }))

  it.effect("everything is repaid when neither share nor amount is given, or the amount is above the debt", () =>
    Effect.gen(function*() {
      const { does, owed } = yield* indebted
      yield* does("repay", "USDC")
      assert.strictEqual(yield* owed("USDC"), 0n)
      yield* does("borrow", "USDC", { amount: "300" })
      const { result } = yield* does("repay", "USDC", { amount: "400" })
      assert.strictEqual(yield* owed("USDC"), 0n)
      assert.approximately(Number(result.repaid?.amount), 300, 0.001)
    }))

  it.effect("a share or an amount of it is exact, and the health factor rises", () =>
    Effect.gen(function*() {
      const { allowanceOf, does, healthFactor, lenderA, owed, pass } = yield* indebted
      const { calls, planned, result } = yield* does("repay", "USDC", { amount: "2500" })
      assert.lengthOf(calls, 2)
      assert.strictEqual(result.repaid?.raw, "2500000000")
      assert.approximately(Number(result.still_owed?.amount), 2500, 0.01)
      assert.strictEqual(result.still_owed?.raw, String(yield* owed("USDC")))
      assert.strictEqual(yield* allowanceOf("USDC", lenderA), 0n)
      assert.approximately(Number(planned.projected_health_factor), 4.98, 0.001)
      assert.approximately(yield* healthFactor, 4.98, 0.001)
      yield* does("repay", "USDC", { share: 50 })
      assert.approximately(Number(yield* owed("USDC")), 1250e6, 1e4)
      yield* pass(60)
    }))

  it.effect("a payment is bounded by the vault's balance", () =>
    Effect.gen(function*() {
      const { allowanceOf, does, held, lenderA, owed, plan } = yield* indebted
      const remaining = 1000n
      yield* does("lend", "USDC", { amount: String(((yield* held("USDC")) - remaining * usdc) / usdc) })
      assert.strictEqual(yield* held("USDC"), remaining * usdc)
      const more = yield* refusal(plan("repay", "USDC", { amount: "1000.5" }))
      assert.strictEqual(more.errorType, "insufficient_balance")
      assert.match(more.message, /^The vault holds 1000 USDC, less than the requested 1000\.5 USDC/)
      const { message, planned, result } = yield* does("repay", "USDC", { share: 100 })
      assert.strictEqual(result.repaid?.amount, "1000")
      assert.approximately(Number(planned.still_owed?.amount), 4000, 0.01)
      assert.strictEqual(result.still_owed?.raw, String(yield* owed("USDC")))
      assert.strictEqual(
        message,
        `Repaid 1000 USDC to lenderA. The vault still owes ${result.still_owed?.amount} USDC.`
      )
      assert.strictEqual(yield* held("USDC"), 0n)
      assert.strictEqual(yield* allowanceOf("USDC", lenderA), 0n)
      assert.approximately(Number(yield* owed("USDC")), 4000e6, 1e4)
      assert.match((yield* refusal(plan("repay", "USDC"))).message, /^The vault holds no USDC to repay with/)
    }))

  it.effect("an asset that is not owed is refused", () =>
    Effect.gen(function*() {
      const { plan } = yield* indebted
      const failure = yield* refusal(plan("repay", "DAI", { amount: "1" }))
      assert.strictEqual(failure.errorType, "position_not_found")
      assert.strictEqual(failure.message, "The vault owes lenderA no DAI. Nothing was sent.")
    }))

  it.effect("is refused in words while the market is paused, but not while it is frozen", () =>
    Effect.gen(function*() {
      const { configure, does, plan, token } = yield* indebted
      const usdcAddress = token("USDC").address
      yield* configure("function setReserveFreeze(address asset, bool freeze)", usdcAddress, true)
      yield* does("repay", "USDC", { amount: "100" })
      yield* configure("function setReservePause(address asset, bool paused)", usdcAddress, true)
      const failure = yield* refusal(plan("repay", "USDC"))
      assert.strictEqual(failure.errorType, "market_not_available")
      assert.match(failure.message, /^lenderA has paused USDC: it accepts no repayment of it at the moment/)
    }))

  it.effect("counts towards limits the maximum it may take", () =>
    Effect.gen(function*() {
      const { actions, book, chain, plan, token } = yield* indebted
      const { calls, worth } = yield* plan("repay", "USDC", { share: 100 })
      const movements = calls.map((call) => actions.repay.decodeMovement({ ...chain, book }, call))
      const given = movements.flatMap((movement) => movement?.gives ?? [])
      assert.deepStrictEqual(given.map((each) => each.token), [token("USDC").address])
      assert.strictEqual((given[0]?.amount ?? 0n) * ether / usdc, worth)
      assert.isTrue(movements.every((movement) => movement !== undefined))
    }))
})
