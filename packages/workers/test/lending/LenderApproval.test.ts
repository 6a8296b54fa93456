import { assert } from "@effect/vitest"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { LenderName } from "@vault-trader/core/lending/Lending"
import { ApproveRequest } from "@vault-trader/core/trading/Trading"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import { maxUint256, zeroAddress } from "viem"
import { Approve } from "../../src/approval/Approve.ts"
import type { PlanContext } from "../../src/vault/Action.ts"
import { network, refusal } from "../vault/TestVault.ts"
import { lending, lendingSuite, usdc } from "./TestLending.ts"

/** A vault that may use lenders, and a function that plans approvals for them. */
const approving = Effect.gen(function*() {
  const vault = yield* lending()
  const plan = (platform: LenderName, asset: string, amount?: string, place: PlanContext = vault.place) =>
    Approve.plan(
      place,
      ApproveRequest.make({
        asset,
        platform,
        ...(amount === undefined ? {} : { amount: BigDecimal.fromStringUnsafe(amount) })
      })
    )
  return {
    ...vault,
    plan,
    approve: (platform: LenderName, asset: string, amount?: string) =>
      Effect.gen(function*() {
        const { calls, details } = yield* plan(platform, asset, amount)
        for (const call of calls) {
          assert.deepStrictEqual(Approve.decodeMovement(vault.chain, call), { gives: [], receiver: null })
        }
        return yield* Approve.interpretReceipt(
          { network, pool: vault.pool },
          JSON.parse(JSON.stringify(details)),
          yield* vault.execute(calls)
        )
      })
  }
})

lendingSuite("an approval for a lender", (it) => {
  it.effect("is for the contract that takes the asset there: unlimited, exact, or revoked", () =>
    Effect.gen(function*() {
      const { allowanceOf, approve, lenderA, lenderB, lenderC, plan, token } = yield* approving
      const markets = [
        ["lenderA", "USDC", lenderA],
        ["lenderB", "USDC", lenderB],
        ["lenderC", "USDC", lenderC("USDC")],
        ["lenderC", "WETH", lenderC("WETH")]
      ] as const
      for (const [lender, symbol, spender] of markets) {
        const given = yield* approve(lender, symbol)
        assert.strictEqual(given.message, `${lender} may now take ${symbol} from the vault.`)
        assert.deepStrictEqual(given.result, {
          venue: lender,
          spender,
          asset: token(symbol).address,
          symbol,
          allowance: "unlimited"
        })
        assert.strictEqual(yield* allowanceOf(symbol, spender), maxUint256)
        assert.deepStrictEqual((yield* plan(lender, symbol)).calls, [])
        assert.strictEqual(
          (yield* approve(lender, symbol, "2.5")).message,
          `${lender} may now take up to 2.5 ${symbol} from the vault.`
        )
        assert.strictEqual(yield* allowanceOf(symbol, spender), 25n * 10n ** BigInt(token(symbol).decimals - 1))
        assert.strictEqual(
          (yield* approve(lender, symbol, "0")).message,
          `${lender} may no longer take ${symbol} from the vault.`
        )
        assert.strictEqual(yield* allowanceOf(symbol, spender), 0n)
      }
    }))

  it.effect("is used by a later lend", () =>
    Effect.gen(function*() {
      const { allowanceOf, approve, does, lenderB } = yield* approving
      yield* approve("lenderB", "USDC", "30")
      assert.lengthOf((yield* does("lend", "USDC", { lender: "lenderB", amount: "10" })).calls, 1)
      assert.strictEqual(yield* allowanceOf("USDC", lenderB), 20n * usdc)
    }))

  it.effect("of an asset the lender does not list, or where the lender is not, is refused with the lender's name", () =>
    Effect.gen(function*() {
      const { book, chain, place, plan } = yield* approving
      for (
        const [lender, asset, listed] of [["lenderA", "LINK", "USDC"], ["lenderB", "DAI", "USDC"], [
          "lenderC",
          "WBTC",
          "USDC"
        ]] as const
      ) {
        const failure = yield* refusal(plan(lender, asset))
        assert.strictEqual(failure.errorType, "market_not_available")
        assert.match(
          failure.message,
          new RegExp(`^${lender} does not list ${asset} on ${network}\\. Nothing was sent\\. It lists .*${listed}`)
        )
      }
      const { aaveV3: _, ...rest } = book
      const nowhere = { ...place, chain: { ...chain, book: NetworkBook.make({ ...rest, comets: [], fTokens: [] }) } }
      for (const lender of ["lenderA", "lenderB", "lenderC"] as const) {
        assert.strictEqual(
          (yield* refusal(plan(lender, "USDC", undefined, nowhere))).message,
          `${lender} is not available on ${network}. Nothing was sent.`
        )
      }
    }))

  it.effect("is refused, as lending is, where the vault platform has no guard for the market", () =>
    Effect.gen(function*() {
      const { asOwner, lenderA, lenderB, lenderC, plan } = yield* approving
      for (
        const [lender, market] of [["lenderA", lenderA], ["lenderB", lenderB], ["lenderC", lenderC("USDC")]] as const
      ) {
        yield* asOwner("setContractGuard", market, zeroAddress)
        const failure = yield* refusal(plan(lender, "USDC"))
        assert.strictEqual(failure.errorType, "venue_not_allowed")
        assert.strictEqual(
          failure.message,
          `The vault platform does not allow ${lender}'s market ${market}. Nothing was sent.`
        )
      }
    }))

  it.effect("can be revoked when the manager has disabled the market in the vault, and nothing can be lent there then", () =>
    Effect.gen(function*() {
      const { allowanceOf, approve, asManager, does, lenderB } = yield* approving
      yield* approve("lenderB", "USDC")
      yield* asManager("changeAssets", [], [lenderB])
      assert.strictEqual(
        (yield* refusal(does("lend", "USDC", { lender: "lenderB", amount: "1" }))).errorType,
        "asset_not_enabled"
      )
      yield* approve("lenderB", "USDC", "0")
      assert.strictEqual(yield* allowanceOf("USDC", lenderB), 0n)
    }))
})
