import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { network, refusal } from "../vault/TestVault.ts"
import { ether, lending, lendingSuite, usdc } from "./TestLending.ts"

/** A vault with 15,000 USD of WETH with lenderA, which counts at 83 %. */
const secured = (floor?: bigint) => Effect.tap(lending(floor), ({ does }) => does("lend", "WETH", { amount: "5" }))

lendingSuite("borrowing", (it) => {
  it.effect("an amount, reported as what came to the vault, at the variable rate", () =>
    Effect.gen(function*() {
      const { does, healthFactor, held, owed } = yield* secured()
      const { message, planned, result, worth } = yield* does("borrow", "USDC", { amount: "5000" })
      assert.strictEqual(yield* held("USDC"), 105_000n * usdc)
      assert.strictEqual(yield* owed("USDC"), 5000n * usdc)
      assert.strictEqual(message, "Borrowed 5000 USDC from lenderA.")
      assert.strictEqual(result.borrowed?.raw, "5000000000")
      assert.strictEqual(planned.projected_health_factor, "2.49")
      assert.approximately(yield* healthFactor, 2.49, 0.0001)
      assert.isUndefined(worth)
    }))

  it.effect("a share of what the floor allows, down to the floor and no further", () =>
    Effect.gen(function*() {
      const { does, healthFactor, owed, plan } = yield* secured()
      const half = yield* does("borrow", "USDC", { share: 50 })
      assert.strictEqual(half.planned.projected_health_factor, "2.6")
      yield* does("borrow", "USDC", { share: 100 })
      // 15,000 × 0.83 / 1.3
      assert.approximately(Number(yield* owed("USDC")), 9576.92e6, 1e6)
      assert.approximately(yield* healthFactor, 1.3, 0.0001)
      const nothing = yield* refusal(plan("borrow", "USDC", { amount: "1" }))
      assert.strictEqual(nothing.errorType, "health_factor_too_low")
      assert.match(
        nothing.message,
        /^Borrowing 1 USDC would bring the vault's health factor from 1\.(2999|3) to 1\.299\d, below the floor of 1\.3; at most /
      )
    }))

  it.effect("below the floor is refused with the projected number and what would still be allowed", () =>
    Effect.gen(function*() {
      const { plan } = yield* secured()
      const failure = yield* refusal(plan("borrow", "USDC", { amount: "10000" }))
      assert.strictEqual(failure.errorType, "health_factor_too_low")
      assert.strictEqual(
        failure.message,
        "Borrowing 10000 USDC would bring the vault's health factor from infinity to 1.245, below the floor of 1.3; " +
          "at most 9576.923076 USDC can be borrowed now. Nothing was sent."
      )
    }))

  it.effect("follows the market's oracle", () =>
    Effect.gen(function*() {
      const { plan, setPrice } = yield* secured()
      assert.lengthOf((yield* plan("borrow", "USDC", { amount: "6000" })).calls, 1)
      yield* setPrice("WETH", 1800)
      assert.match(
        (yield* refusal(plan("borrow", "USDC", { amount: "6000" }))).message,
        /to 1\.245, below the floor of 1\.3/
      )
      yield* setPrice("WETH", 3000)
      yield* setPrice("USDC", 2)
      assert.match(
        (yield* refusal(plan("borrow", "USDC", { amount: "6000" }))).message,
        /to 1\.0375, below the floor of 1\.3/
      )
    }))

  it.effect("within a low floor but above what the market lends is refused by the simulation, with an explanation", () =>
    Effect.gen(function*() {
      const { devnet, does, healthFactor, plan, pool } = yield* lending(105n * 10n ** 16n)
      yield* devnet.mintToken({ network, symbol: "WBTC", address: pool, amount: 10n ** 8n })
      yield* does("lend", "WBTC", { share: 100 })
      // WBTC counts at 78 %, and 73 % of it may be borrowed: the floor would allow 74.3 %.
      const worth = 60_000
      const failure = yield* refusal(plan("borrow", "USDC", { amount: String(worth * 0.735) }))
      assert.strictEqual(failure.errorType, "health_factor_too_low")
      assert.strictEqual(failure.message, "The vault's collateral does not cover this loan (36). Nothing was sent.")
      yield* does("borrow", "USDC", { share: 100 })
      assert.approximately(yield* healthFactor, 78 / 73, 0.001)
    }))

  it.effect("without collateral is refused", () =>
    Effect.gen(function*() {
      const { plan } = yield* lending()
      const failure = yield* refusal(plan("borrow", "USDC", { amount: "1" }))
      assert.strictEqual(failure.errorType, "health_factor_too_low")
      assert.match(failure.message, /no collateral with lenderA, so its health factor would be 0/)
    }))

  it.effect("a second asset is refused with an explanation, more of the first is not", () =>
    Effect.gen(function*() {
      const { does, plan } = yield* secured()
      yield* does("borrow", "USDC", { amount: "1000" })
      const failure = yield* refusal(plan("borrow", "DAI", { amount: "1" }))
      assert.strictEqual(failure.errorType, "venue_not_allowed")
      assert.match(
        failure.message,
        /^The vault owes USDC to lenderA, and the vault platform lets a vault owe one asset at a time;.* Nothing was sent\.$/
      )
      assert.strictEqual((yield* does("borrow", "USDC", { amount: "1000" })).result.borrowed?.amount, "1000")
    }))

  it.effect("more than the market has is refused", () =>
    Effect.gen(function*() {
      const { devnet, does, held, plan, pool } = yield* lending()
      yield* devnet.mintToken({ network, symbol: "WETH", address: pool, amount: 100_000n * ether })
      assert.isTrue((yield* held("WETH")) > 100_000n * ether)
      yield* does("lend", "WETH", { share: 100 })
      const failure = yield* refusal(plan("borrow", "USDC", { amount: "90000000" }))
      assert.strictEqual(failure.errorType, "market_not_available")
      assert.match(failure.message, /^lenderA has only [\d.]+ USDC left to lend at the moment\. Nothing was sent\.$/)
    }))

  it.effect("from lenderB or lenderC is refused: they lend nothing to vaults", () =>
    Effect.gen(function*() {
      const { plan } = yield* secured()
      for (const lender of ["lenderB", "lenderC"] as const) {
        for (const verb of ["borrow", "repay"] as const) {
          const failure = yield* refusal(plan(verb, "USDC", { lender, amount: "1" }))
          assert.strictEqual(failure.errorType, "market_not_available")
          assert.match(failure.message, new RegExp(`^${lender} lends nothing to vaults`))
        }
      }
    }))

  it.effect("an asset the market does not list is refused with those it lists", () =>
    Effect.gen(function*() {
      const failure = yield* refusal((yield* secured()).plan("borrow", "LINK", { amount: "1" }))
      assert.strictEqual(failure.errorType, "market_not_available")
      assert.include(failure.message, "It lists ")
    }))

  it.effect("an amount of zero is refused", () =>
    Effect.gen(function*() {
      const { plan } = yield* secured()
      assert.strictEqual(
        (yield* refusal(plan("borrow", "USDC", { amount: "0.0000001" }))).errorType,
        "insufficient_balance"
      )
    }))
})
