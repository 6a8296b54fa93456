import { assert, layer } from "@effect/vitest"
import { MintManagerFeeRequest } from "@vault-trader/core/fees/Fees"
import * as Effect from "effect/Effect"
import { parseUnits } from "viem"
import { mintCall } from "../../src/fees/FeeMintReceipt.ts"
import { MintManagerFee } from "../../src/fees/MintManagerFee.ts"
import { network, refusal } from "../vault/TestVault.ts"
import { FeeDevnet, feeVaults } from "./FeeVaults.ts"

const request = MintManagerFeeRequest.make({})
const raw = (amount: unknown) => parseUnits(String(amount), 18)

layer(FeeDevnet, { timeout: "4 minutes", excludeTestServices: true })("minting a manager's fee", (it) => {
  it.effect("by a wallet without a role at the vault gives the manager and the platform the reported amounts", () =>
    Effect.gen(function*() {
      const { at, aYearLater, manager, newVault, owner, send, stranger, tokensOf } = yield* feeVaults
      const pool = yield* newVault(300n)
      yield* aYearLater
      const balances = Effect.all([tokensOf(pool, manager), tokensOf(pool, owner), tokensOf(pool, stranger)])
      const before = yield* balances
      const decision = yield* MintManagerFee.plan(at(pool), request)
      assert.deepStrictEqual([decision.calls, decision.direct], [[], { to: pool, data: mintCall }])
      const preview = MintManagerFee.describe(decision.details)
      assert.deepInclude(preview, { network, pool, manager, hasFee: true })
      // 3 % of 10,000 vault tokens; the fee keeps growing until the block.
      assert.approximately(Number(preview["availableManagerFee"]), 300, 0.01)
      const { message, result } = yield* MintManagerFee.interpretReceipt(
        { network, pool },
        decision.details,
        yield* send(pool, decision)
      )
      const after = yield* balances
      assert.strictEqual(after[0] - before[0], raw(result["managerFee"]))
      // The platform's owner has invested in the vault too.
      assert.strictEqual(after[1] - before[1], raw(result["daoFee"]))
      assert.strictEqual(after[2], 0n)
      assert.approximately(Number(result["managerFee"]), 270, 0.01)
      assert.approximately(Number(result["daoFee"]), 30, 0.001)
      assert.match(
        message,
        /^Minted 270(\.\d+)? vault tokens to the manager of 0x[0-9a-f]{40} and 30(\.\d+)? to the platform\.$/
      )
      assert.strictEqual(result["dryRun"], false)
    }))

  it.effect("uses the estimated gas", () =>
    Effect.gen(function*() {
      const { at, aYearLater, newVault, send } = yield* feeVaults
      const pool = yield* newVault(300n)
      yield* aYearLater
      const decision = yield* MintManagerFee.plan(at(pool), request)
      const { succeeded } = yield* send(pool, decision, (decision.estimate?.gas ?? 0n) * 12n / 10n)
      assert.isTrue(succeeded)
    }))

  it.effect("without a fee sends nothing, even while paused", () =>
    Effect.gen(function*() {
      const { at, aYearLater, newVault, pauseShares } = yield* feeVaults
      const pool = yield* newVault(0n)
      yield* aYearLater
      yield* pauseShares(pool)
      const { calls, details, direct, nothingToDo } = yield* MintManagerFee.plan(at(pool), request)
      assert.deepStrictEqual([calls, direct], [[], undefined])
      assert.strictEqual(nothingToDo, "The vault has no fee to mint; nothing was sent.")
      const { result } = yield* MintManagerFee.interpretReceipt({ network, pool }, details, null)
      assert.deepInclude(result, { availableManagerFee: "0", hasFee: false, managerFee: null, daoFee: null })
    }))

  it.effect("is refused with a specific error while shares or the platform are paused, and while an asset has no price", () =>
    Effect.gen(function*() {
      const { asOwner, at, aYearLater, expirePrice, newVault, pauseShares } = yield* feeVaults
      const pool = yield* newVault(300n)
      yield* aYearLater
      const refused = refusal(MintManagerFee.plan(at(pool), request))
      yield* pauseShares(pool)
      const shares = yield* refused
      assert.deepStrictEqual([shares.errorType, shares.message], [
        "vault_paused",
        "The vault's shares are paused (dh2). Nothing was sent."
      ])
      yield* asOwner("pause")
      assert.deepStrictEqual((yield* refused).message, "The vault platform is paused (dh1). Nothing was sent.")
      yield* asOwner("unpause")
      yield* expirePrice("WETH")
      assert.strictEqual((yield* refused).errorType, "price_unavailable")
    }))

  it.effect("of an address that is not a vault fails with 1004", () =>
    Effect.gen(function*() {
      const { at, token } = yield* feeVaults
      const failure = yield* Effect.flip(MintManagerFee.plan(at(token("USDC").address), request))
      assert.strictEqual(failure._tag === "ValidationFailure" ? failure.code : failure._tag, "1004")
    }))

  it.effect("decodes as a call that takes nothing out of its vault", () =>
    Effect.gen(function*() {
      const { chain, pool } = yield* feeVaults
      const read = (data: `0x${string}`) => MintManagerFee.directMovement?.(chain, { to: pool, data })
      assert.deepStrictEqual(read(mintCall), { gives: [], receiver: null, vaults: [pool] })
      assert.isUndefined(read(`${mintCall}00`))
      assert.isUndefined(MintManagerFee.decodeMovement(chain, { to: pool, data: mintCall }))
    }))
})
