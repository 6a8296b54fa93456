import { assert, layer } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { explain } from "@vault-trader/core/failure/Explanation"
import { DisableAssetRequest, EnableAssetRequest } from "@vault-trader/core/trading/AssetChange"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi } from "viem"
import { DisableAsset, EnableAsset } from "../../src/trading/AssetChange.ts"
import { managerLogicAbi } from "../../src/platform/PlatformAbi.ts"
import { meaningOf } from "../../src/platform/PlatformRevert.ts"
import { refusal, TestDevnet, testVault, toReceipt } from "../vault/TestVault.ts"

const changeAssets = (add: ReadonlyArray<{ asset: Address; isDeposit: boolean }>, remove: ReadonlyArray<Address>) =>
  encodeFunctionData({ abi: managerLogicAbi, functionName: "changeAssets", args: [add, remove] })

/** The demo vault with both actions, planned for its trader. */
const scene = Effect.gen(function*() {
  const vault = yield* testVault
  const enable = (asset: Address) => EnableAsset.plan(vault.place, EnableAssetRequest.make({ asset }))
  const disable = (asset: Address) => DisableAsset.plan(vault.place, DisableAssetRequest.make({ asset }))
  const isEnabled = (asset: Address) =>
    vault.read(vault.poolManagerLogic, managerLogicAbi, Schema.Boolean, "isSupportedAsset", asset)
  /** Sends the planned call as the trader. */
  const send = (direct: { readonly to: Address; readonly data: Hex } | undefined) =>
    direct === undefined
      ? Effect.die(new Error("no call was planned"))
      : Effect.map(vault.rpc.send({ from: vault.trader, ...direct }), toReceipt)
  return { ...vault, enable, disable, isEnabled, send, asset: (symbol: string) => vault.token(symbol).address }
})

layer(TestDevnet, { timeout: "4 minutes", excludeTestServices: true })("an asset of a vault", (it) => {
  it.effect("is enabled and disabled by its trader, who calls the vault's manager contract", () =>
    Effect.gen(function*() {
      const { asset, disable, enable, isEnabled, pool, poolManagerLogic, send } = yield* scene
      const aave = asset("AAVE")
      assert.isFalse(yield* isEnabled(aave))
      const first = yield* enable(aave)
      assert.strictEqual(first.direct?.to, poolManagerLogic)
      assert.deepStrictEqual(first.calls, [])
      const receipt = yield* send(first.direct)
      assert.isTrue(receipt.succeeded)
      assert.isTrue(yield* isEnabled(aave))
      const { message, result } = yield* EnableAsset.interpretReceipt(
        { network: "optimism", pool },
        first.details,
        receipt
      )
      assert.strictEqual(message, `AAVE (${aave}) is enabled in the vault.`)
      assert.deepInclude(result, { asset: aave, symbol: "AAVE", enabled: true })
      const again = yield* enable(aave)
      assert.isUndefined(again.direct)
      assert.match(again.nothingToDo, /^AAVE .* is enabled in the vault already; nothing was sent\.$/)
      yield* send((yield* disable(aave)).direct)
      assert.isFalse(yield* isEnabled(aave))
      assert.match((yield* disable(aave)).nothingToDo, /^AAVE .* is not enabled in the vault; nothing was sent\.$/)
    }))

  it.effect("is not changed where the manager has taken that right from the trader, and the answer names the manager", () =>
    Effect.gen(function*() {
      const { asManager, asset, disable, enable, manager, place } = yield* scene
      yield* asManager("setTraderAssetChangeDisabled", true)
      for (const plan of [enable(asset("AAVE")), disable(asset("LINK"))]) {
        const failure = yield* refusal(plan)
        assert.strictEqual(failure.errorType, "venue_not_allowed")
        assert.include(failure.message, manager)
      }
      // An asset that is enabled already needs no right.
      assert.isUndefined((yield* enable(asset("WETH"))).direct)
      const byManager = yield* EnableAsset.plan(
        { ...place, wallet: manager },
        EnableAssetRequest.make({ asset: asset("AAVE") })
      )
      assert.isDefined(byManager.direct)
    }))

  it.effect("is refused when the platform does not support it, and when the vault has as many as it may have", () =>
    Effect.gen(function*() {
      const { asManager, asset, enable, entry, pool } = yield* scene
      for (const stranger of [pool, entry.factory]) {
        const failure = yield* refusal(enable(stranger))
        assert.strictEqual(failure.errorType, "market_not_available")
        assert.include(failure.message, stranger)
      }
      const markets = [
        ...[entry.aaveV3?.pool, entry.uniswapV3.positionManager].flatMap((market) => market ?? []),
        ...Object.values(entry.comets),
        ...Object.values(entry.fTokens)
      ]
      const added = markets.slice(0, 6).map((market) => ({ asset: market, isDeposit: false }))
      yield* asManager("changeAssets", added, [])
      const full = yield* refusal(enable(asset("AAVE")))
      assert.strictEqual(full.errorType, "asset_not_enabled")
      assert.match(full.message, /the vault has 12 assets, the maximum .* disableAsset/)
    }))

  it.effect("is disabled only when the vault has none of it, and when another can still be deposited", () =>
    Effect.gen(function*() {
      const { asManager, asset, disable, expirePrice, isEnabled, send } = yield* scene
      const held = yield* refusal(disable(asset("USDC")))
      assert.strictEqual(held.errorType, "transaction_reverted")
      assert.match(held.message, /^The vault has 100000 of USDC .*only an asset of which it has none can be disabled/)
      yield* asManager("changeAssets", [{ asset: asset("USDC"), isDeposit: false }], [])
      assert.match((yield* refusal(disable(asset("WETH")))).message, /only asset that investors can deposit/)
      yield* expirePrice("LINK")
      yield* send((yield* disable(asset("LINK"))).direct)
      assert.isFalse(yield* isEnabled(asset("LINK")))
    }))

  it.effect("may be a lending market, which has no symbol the caller must know", () =>
    Effect.gen(function*() {
      const { enable, entry, isEnabled, send } = yield* scene
      for (const market of [entry.aaveV3?.pool ?? "0x", entry.comets["WETH"] ?? "0x", entry.fTokens["DAI"] ?? "0x"]) {
        yield* send((yield* enable(market)).direct)
        assert.isTrue(yield* isEnabled(market))
      }
    }))

  it.effect("is one, whatever bytes come: the signer's decoder knows no other change", () =>
    Effect.gen(function*() {
      const { asset, chain, poolManagerLogic: to } = yield* scene
      const [aave, link] = [asset("AAVE"), asset("LINK")]
      const added = { asset: aave, isDeposit: false }
      const enables = (data: Hex) => EnableAsset.directMovement?.(chain, { to, data })
      const disables = (data: Hex) => DisableAsset.directMovement?.(chain, { to, data })
      const one = { gives: [], receiver: null }
      assert.deepStrictEqual(enables(changeAssets([added], [])), { ...one, changedAsset: aave })
      assert.deepStrictEqual(disables(changeAssets([], [link])), { ...one, changedAsset: link })
      for (
        const data of [
          changeAssets([], [link]),
          changeAssets([added, { asset: link, isDeposit: false }], []),
          changeAssets([added], [link]),
          changeAssets([{ asset: aave, isDeposit: true }], []),
          changeAssets([], []),
          `${changeAssets([added], [])}00`,
          encodeFunctionData({
            abi: parseAbi(["function setTrader(address trader)"]),
            functionName: "setTrader",
            args: [aave]
          })
        ] as ReadonlyArray<Hex>
      ) assert.isUndefined(enables(data), data)
      assert.isUndefined(disables(changeAssets([added], [])))
      assert.isUndefined(EnableAsset.decodeMovement(chain, { to, data: changeAssets([added], []) }))
    }))

  it.effect("has words for every refusal of the platform", () =>
    Effect.sync(() => {
      const words: ReadonlyArray<readonly [string, RegExp]> = [
        ["only manager, owner or trader enabled", /does not let its trader change assets/],
        ["maximum assets reached", /as many assets as the vault platform allows/],
        ["invalid asset", /does not support this asset/],
        ["cannot remove non-empty asset", /only one of which it has none can be disabled/],
        ["at least one deposit asset", /only asset that investors can deposit/]
      ]
      for (const [revert, text] of words) assert.match(explain(meaningOf(revert)).message, text)
    }))
})
