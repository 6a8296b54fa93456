import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { encodeFunctionData, parseAbi } from "viem"
import { refusal } from "../vault/TestVault.ts"
import { ether, lending, lendingSuite, usdc } from "./TestLending.ts"

const abi = parseAbi(["function setUserUseReserveAsCollateral(address asset, bool useAsCollateral)"])

const pauseAbi = parseAbi(["function pause(bool supply, bool transfer, bool withdraw, bool absorb, bool buy)"])

const month = 30 * 86_400

lendingSuite("taking back", (it) => {
  it.effect("a share of the supplied position, reported as what came to the vault", () =>
    Effect.gen(function*() {
      const { does, held, supplied } = yield* lending()
      yield* does("lend", "USDC", { amount: "10000" })
      const { message, result } = yield* does("unlend", "USDC", { share: 25 })
      const came = (yield* held("USDC")) - 90_000n * usdc
      assert.strictEqual(result.withdrawn?.raw, String(came))
      assert.approximately(Number(came), 2500e6, 1e4)
      assert.approximately(Number(yield* supplied("USDC")), 7500e6, 1e4)
      assert.strictEqual(message, `Withdrew ${result.withdrawn?.amount} USDC from lenderA.`)
      assert.strictEqual(result.projected_health_factor, "infinity")
    }))

  it.effect("everything from each market leaves no dust, whatever interest was added meanwhile", () =>
    Effect.gen(function*() {
      const { balanceAt, does, held, lenderB, lenderC, pass, pool, rpc, supplied } = yield* lending()
      for (const lender of ["lenderA", "lenderB", "lenderC"] as const) {
        yield* does("lend", "USDC", { lender, amount: "10000" })
      }
      yield* pass(month)
      const before = yield* held("USDC")
      let taken = 0n
      for (
        const [lender, ask] of [["lenderA", { share: 100 }], ["lenderB", { share: 100 }], ["lenderC", {}]] as const
      ) {
        const { result } = yield* does("unlend", "USDC", { lender, ...ask })
        const raw = BigInt(result.withdrawn?.raw ?? 0)
        assert.isTrue(raw > 10_000n * usdc, lender)
        taken += raw
        yield* rpc.increaseTime(60)
      }
      assert.strictEqual((yield* held("USDC", pool)) - before, taken)
      assert.strictEqual(yield* supplied("USDC"), 0n)
      assert.strictEqual(yield* balanceAt(lenderB), 0n)
      assert.strictEqual(yield* balanceAt(lenderC("USDC")), 0n)
    }))

  it.effect("an amount is exact in each market", () =>
    Effect.gen(function*() {
      const { does } = yield* lending()
      for (const lender of ["lenderA", "lenderB", "lenderC"] as const) {
        yield* does("lend", "USDC", { lender, amount: "100" })
        const { result } = yield* does("unlend", "USDC", { lender, amount: "33.333333" })
        assert.strictEqual(result.withdrawn?.raw, "33333333")
      }
    }))

  it.effect("an asset that was never supplied, or more than was supplied, is refused", () =>
    Effect.gen(function*() {
      const { does, plan } = yield* lending()
      for (const lender of ["lenderA", "lenderB", "lenderC"] as const) {
        const nothing = yield* refusal(plan("unlend", "USDC", { lender }))
        assert.strictEqual(nothing.errorType, "position_not_found")
        assert.strictEqual(nothing.message, `The vault has no USDC supplied to ${lender}. Nothing was sent.`)
        yield* does("lend", "USDC", { lender, amount: "100" })
        const more = yield* refusal(plan("unlend", "USDC", { lender, amount: "101" }))
        assert.strictEqual(more.errorType, "insufficient_balance")
        assert.match(
          more.message,
          /^The vault has supplied (100|99\.9999\d\d) USDC, less than the requested 101 USDC\. Nothing was sent\.$/
        )
      }
    }))

  it.effect("that would bring the health factor below the floor is refused with the number, and allowed down to it", () =>
    Effect.gen(function*() {
      const { does, healthFactor, plan } = yield* lending()
      yield* does("lend", "WETH", { amount: "5" })
      yield* does("borrow", "USDC", { amount: "5000" })
      // 15,000 USD at 83 % over 5,000 USD: 2.49. At 2.4 WETH it is 1.195.
      const failure = yield* refusal(plan("unlend", "WETH", { amount: "2.6" }))
      assert.strictEqual(failure.errorType, "health_factor_too_low")
      assert.strictEqual(
        failure.message,
        "Withdrawing 2.6 WETH would bring the vault's health factor from 2.49 to 1.1952, below the floor of 1.3; " +
          "withdraw less, or repay first. Nothing was sent."
      )
      assert.match((yield* refusal(plan("unlend", "WETH", { share: 100 }))).message, /from 2\.49 to 0, below/)
      const { planned } = yield* does("unlend", "WETH", { amount: "2.38" })
      assert.strictEqual(planned.projected_health_factor, "1.3047")
      assert.approximately(yield* healthFactor, 1.3047, 0.0002)
    }))

  it.effect("obeys another floor when one is set", () =>
    Effect.gen(function*() {
      const { does, plan } = yield* lending(2n * ether)
      yield* does("lend", "WETH", { amount: "5" })
      yield* does("borrow", "USDC", { amount: "5000" })
      assert.match(
        (yield* refusal(plan("unlend", "WETH", { amount: "2" }))).message,
        /to 1\.494, below the floor of 2;/
      )
    }))

  it.effect("collateral that secures no debt may be withdrawn despite debt in another asset", () =>
    Effect.gen(function*() {
      const { does, isCollateral, lenderA, execute, plan, token } = yield* lending()
      yield* does("lend", "WETH", { amount: "5" })
      yield* does("lend", "USDC", { amount: "1000" })
      yield* execute([{
        to: lenderA,
        data: encodeFunctionData({
          abi,
          functionName: "setUserUseReserveAsCollateral",
          args: [token("USDC").address, false]
        })
      }])
      assert.strictEqual(yield* isCollateral("USDC"), false)
      yield* does("borrow", "DAI", { share: 100 })
      assert.strictEqual((yield* plan("unlend", "USDC", { share: 100 })).calls.length, 1)
      assert.strictEqual((yield* refusal(plan("unlend", "WETH", { share: 50 }))).errorType, "health_factor_too_low")
    }))

  it.effect("everything is not stopped by dust of a debt: it is repaid in the same transaction", () =>
    Effect.gen(function*() {
      const { actions, allowanceOf, does, lenderA, owed, pass, plan, supplied } = yield* lending()
      yield* does("lend", "WETH", { amount: "1" })
      yield* does("borrow", "USDC", { amount: "0.5" })
      yield* pass(month)
      const { calls, worth } = yield* plan("unlend", "WETH")
      assert.isTrue((worth ?? 0n) > 5n * 10n ** 17n, "the repayment counts towards limits")
      assert.isTrue(calls.every((call) => actions.unlend.decodeMovement !== undefined && call.data.length > 10))
      const { message, result } = yield* does("unlend", "WETH")
      assert.match(message, /^Withdrew 1[.0-9]* WETH from lenderA\. It also repaid 0\.50[0-9]* USDC, all that /)
      assert.isTrue(BigInt(result.withdrawn?.raw ?? 0) >= ether)
      assert.deepStrictEqual([yield* owed("USDC"), yield* supplied("WETH")], [0n, 0n])
      assert.strictEqual(yield* allowanceOf("USDC", lenderA), 0n)
    }))

  it.effect("everything leaves what secures dust that the vault cannot repay, and says so; a real debt is no dust", () =>
    Effect.gen(function*() {
      const { does, healthFactor, held, owed, plan, supplied } = yield* lending()
      yield* does("lend", "WETH", { amount: "1" })
      yield* does("borrow", "USDC", { amount: "0.5" })
      yield* does("lend", "USDC", { lender: "lenderB" })
      assert.strictEqual(yield* held("USDC"), 0n)
      const { message } = yield* does("unlend", "WETH")
      assert.match(message, /stay supplied for a debt of \$0\.5[0-9]*, which the vault does not hold enough/)
      assert.isTrue(((yield* owed("USDC")) as bigint) > 0n)
      assert.isTrue(((yield* supplied("WETH")) as bigint) < ether / 1000n)
      assert.isAtLeast(yield* healthFactor, 1.3)
      yield* does("lend", "WETH", { amount: "1" })
      yield* does("borrow", "USDC", { amount: "2" })
      const failure = yield* refusal(plan("unlend", "WETH"))
      assert.strictEqual(failure.errorType, "health_factor_too_low")
    }))

  it.effect("with platform auto is from the lender to which it is supplied; a paused one is named", () =>
    Effect.gen(function*() {
      const { does, lenderB, owner, plan, send } = yield* lending()
      assert.match(
        (yield* refusal(plan("unlend", "USDC", { lender: "auto" }))).message,
        /^The vault has no USDC supplied to lenderA, lenderB, lenderC/
      )
      yield* does("lend", "USDC", { lender: "lenderB", amount: "100" })
      assert.strictEqual((yield* does("unlend", "USDC", { lender: "auto", amount: "10" })).result.lender, "lenderB")
      yield* send(owner, lenderB, pauseAbi, "pause", false, false, true, false, false)
      for (const lender of ["lenderB", "auto"] as const) {
        const failure = yield* refusal(plan("unlend", "USDC", { lender }))
        assert.strictEqual(failure.errorType, "market_not_available")
        assert.match(failure.message, /^lenderB has paused USDC: it pays none of it out at the moment/)
      }
    }))
})
