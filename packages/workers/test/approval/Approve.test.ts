import { assert, layer } from "@effect/vitest"
import { NetworkBook, UniswapV3Book } from "@vault-trader/core/chain/NetworkConfig"
import { ApproveRequest } from "@vault-trader/core/trading/Trading"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import { maxUint256 } from "viem"
import { Approve } from "../../src/approval/Approve.ts"
import type { PlanContext } from "../../src/vault/Action.ts"
import { network, refusal, refuseChangedAllowances, TestDevnet, testVault } from "../vault/TestVault.ts"

/** A vault and a function that plans approvals in it. */
const approving = Effect.gen(function*() {
  const vault = yield* testVault
  const plan = (asset: string, amount?: string, on: PlanContext = vault.place) =>
    Effect.gen(function*() {
      const request = ApproveRequest.make({
        asset,
        platform: "auto",
        ...(amount === undefined ? {} : { amount: BigDecimal.fromStringUnsafe(amount) })
      })
      const decision = yield* Approve.plan(on, request)
      const details: unknown = JSON.parse(JSON.stringify(decision.details))
      return { ...decision, details }
    })
  return {
    ...vault,
    plan,
    /** Plans and executes; returns the result. */
    approve: (asset: string, amount?: string) =>
      Effect.gen(function*() {
        const { calls, details } = yield* plan(asset, amount)
        return yield* Approve.interpretReceipt({ network, pool: vault.pool }, details, yield* vault.execute(calls))
      })
  }
})

layer(TestDevnet, { timeout: "4 minutes", excludeTestServices: true })("an approval", (it) => {
  it.effect("is unlimited when no amount is given", () =>
    Effect.gen(function*() {
      const { allowance, approve, router, token } = yield* approving
      const { message, result } = yield* approve("usdc")
      assert.strictEqual(yield* allowance("USDC"), maxUint256)
      assert.strictEqual(message, "uniswapV3 may now take USDC from the vault.")
      assert.deepStrictEqual(result, {
        venue: "uniswapV3",
        spender: router,
        asset: token("USDC").address,
        symbol: "USDC",
        allowance: "unlimited"
      })
    }))

  it.effect("is exact when an amount is given, in the token's own decimals", () =>
    Effect.gen(function*() {
      const { allowance, approve } = yield* approving
      const { message, result } = yield* approve("USDC", "250.5")
      assert.strictEqual(yield* allowance("USDC"), 250_500_000n)
      assert.strictEqual(message, "uniswapV3 may now take up to 250.5 USDC from the vault.")
      assert.strictEqual(result["allowance"], "250.5")
      yield* approve("ETH", "0.000000000000000001")
      assert.strictEqual(yield* allowance("WETH"), 1n)
    }))

  it.effect("of zero revokes an earlier one", () =>
    Effect.gen(function*() {
      const { allowance, approve } = yield* approving
      yield* approve("USDC")
      const { message, result } = yield* approve("USDC", "0")
      assert.strictEqual(yield* allowance("USDC"), 0n)
      assert.strictEqual(message, "uniswapV3 may no longer take USDC from the vault.")
      assert.strictEqual(result["allowance"], "0")
    }))

  for (
    const [what, first, again] of [
      ["unlimited", undefined, undefined],
      ["unlimited, given as a number,", undefined, maxUint256.toString().replace(/\d{6}$/, ".$&")],
      ["exact", "250.5", "250.50"]
    ] as const
  ) {
    it.effect(`that is ${what} and already exists sends nothing`, () =>
      Effect.gen(function*() {
        const { approve, plan, pool } = yield* approving
        yield* approve("USDC", first)
        const { calls, details, nothingToDo } = yield* plan("USDC", again)
        assert.deepStrictEqual(calls, [])
        assert.strictEqual(nothingToDo, "uniswapV3 has this allowance for USDC already; nothing was sent.")
        const { result } = yield* Approve.interpretReceipt({ network, pool }, details, null)
        assert.strictEqual(result["allowance"], first ?? "unlimited")
      }))
  }

  it.effect("revoked where none exists sends nothing", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* (yield* approving).plan("USDC", "0")).calls, [])
    }))

  it.effect("that was unlimited still counts as unlimited after use", () =>
    Effect.gen(function*() {
      const { approve, plan } = yield* approving
      yield* approve("USDC", (maxUint256 - 10n ** 12n).toString().replace(/\d{6}$/, ".$&"))
      assert.deepStrictEqual((yield* plan("USDC")).calls, [])
    }))

  it.effect("is one call without an earlier allowance, and resets an earlier one to zero first", () =>
    Effect.gen(function*() {
      const { allowance, approve, plan, rpc, token } = yield* approving
      yield* refuseChangedAllowances(rpc, token("DAI").address)
      assert.lengthOf((yield* plan("DAI", "5")).calls, 1)
      for (
        const [amount, raw] of [["5", 5n * 10n ** 18n], ["7", 7n * 10n ** 18n], ["2", 2n * 10n ** 18n], [
          undefined,
          maxUint256
        ], ["0", 0n]] as const
      ) {
        yield* approve("DAI", amount)
        assert.strictEqual(yield* allowance("DAI"), raw)
      }
    }))

  it.effect("below the token's smallest unit is refused, and does not revoke", () =>
    Effect.gen(function*() {
      const { plan } = yield* approving
      const failure = yield* Effect.flip(plan("USDC", "0.0000001"))
      assert.strictEqual(failure._tag === "ValidationFailure" ? failure.code : failure._tag, "1009")
    }))

  it.effect("of an asset the vault has not enabled is refused", () =>
    Effect.gen(function*() {
      const failure = yield* refusal((yield* approving).plan("AAVE"))
      assert.strictEqual(failure.errorType, "asset_not_enabled")
      assert.include(failure.message, "AAVE (")
    }))

  it.effect("for a venue whose contract the platform does not guard is refused", () =>
    Effect.gen(function*() {
      const { book, chain, entry, place, plan } = yield* approving
      const unguarded = NetworkBook.make({
        ...book,
        uniswapV3: UniswapV3Book.make({ ...book.uniswapV3!, router: entry.uniswapV3.factory })
      })
      const { uniswapV3: _, ...without } = book
      for (
        const [other, names] of [[unguarded, "uniswapV3"], [
          NetworkBook.make(without),
          "1inch, kyberswap, odosV3, uniswapV3"
        ]] as const
      ) {
        const failure = yield* refusal(plan("USDC", undefined, { ...place, chain: { ...chain, book: other } }))
        assert.strictEqual(failure.errorType, "venue_not_allowed")
        assert.strictEqual(failure.message, `The vault platform allows none of ${names} on optimism. Nothing was sent.`)
      }
    }))

  it.effect("is refused while trading is paused", () =>
    Effect.gen(function*() {
      const { asOwner, plan } = yield* approving
      yield* asOwner("pause")
      assert.strictEqual((yield* refusal(plan("USDC"))).errorType, "vault_paused")
    }))
})
