import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Address } from "@vault-trader/core/chain/Address"
import { AddressResult, read } from "../../src/contract/Deployer.ts"
import { network, refusal, TestDevnet, testVault } from "./TestVault.ts"

const managed = Effect.map(testVault, (vault) => {
  const { abi } = vault.own.PoolManagerLogic
  return {
    ...vault,
    logic: abi,
    call: (from: Address, name: string, ...args: ReadonlyArray<unknown>) =>
      vault.send(from, vault.poolManagerLogic, abi, name, ...args),
    total: vault.readNumber(vault.poolManagerLogic, abi, "totalFundValue"),
    supports: (symbol: string) =>
      read(
        vault.rpc,
        { address: vault.poolManagerLogic, abi },
        Schema.Boolean,
        "isSupportedAsset",
        vault.token(symbol)
      )
  }
})

layer(TestDevnet)("the manager logic of a vault", (it) => {
  it.effect("values the vault by its feeds", () =>
    Effect.gen(function*() {
      const { devnet, total } = yield* managed
      assert.strictEqual(yield* total, 130_000n * 10n ** 18n)
      yield* devnet.setPrice({ network, symbol: "WETH", usd: 4000.5 })
      assert.strictEqual(yield* total, 140_005n * 10n ** 18n)
    }))

  it.effect("returns balances and rates of every enabled asset", () =>
    Effect.gen(function*() {
      const { logic, poolManagerLogic, rpc } = yield* managed
      const schema = Schema.Tuple([
        Schema.Array(Schema.Struct({ asset: AddressResult, isDeposit: Schema.Boolean })),
        Schema.Array(Schema.BigInt),
        Schema.Array(Schema.BigInt)
      ])
      const contract = { address: poolManagerLogic, abi: logic }
      const [assets, balances, rates] = yield* read(rpc, contract, schema, "getFundComposition")
      assert.deepStrictEqual(assets.map(({ isDeposit }) => isDeposit), [true, true, false, false, false, false])
      assert.deepStrictEqual(balances, [100_000_000_000n, 10n ** 19n, 0n, 0n, 0n, 0n])
      assert.deepStrictEqual(rates.map((rate) => Number(rate) / 1e18), [1, 3000, 60_000, 1, 15, 10])
    }))

  it.effect("has no value while one price is expired", () =>
    Effect.gen(function*() {
      const vault = yield* managed
      const feed = vault.entry.feeds["LINK"] ?? "0x"
      yield* vault.send(vault.owner, feed, vault.own.DevAggregator.abi, "setFrozenTime", true)
      yield* vault.rpc.increaseTime(90_001)
      yield* vault.rpc.mine
      assert.strictEqual(yield* refusal(vault.total), "Chainlink price expired")
    }))

  it.effect("has no value while one price is zero", () =>
    Effect.gen(function*() {
      const vault = yield* managed
      yield* vault.devnet.setPrice({ network, symbol: "LINK", usd: 0 })
      assert.strictEqual(yield* refusal(vault.total), "Price not available")
    }))

  it.effect("lets only the manager appoint and dismiss a trader", () =>
    Effect.gen(function*() {
      const vault = yield* managed
      assert.strictEqual(yield* refusal(vault.call(vault.trader, "setTrader", vault.stranger)), "dh4")
      yield* vault.asManager(vault.logic, "removeTrader")
      const swap = vault.execute(vault.trader, vault.token("USDC"), vault.approve(vault.router))
      assert.strictEqual(yield* refusal(swap), "dh24")
    }))

  it.effect("lets the trader change assets until the manager forbids it", () =>
    Effect.gen(function*() {
      const vault = yield* managed
      const add = [{ asset: vault.token("AAVE"), isDeposit: false }]
      yield* vault.call(vault.trader, "changeAssets", add, [vault.token("LINK")])
      assert.deepStrictEqual([yield* vault.supports("AAVE"), yield* vault.supports("LINK")], [true, false])
      yield* vault.asManager(vault.logic, "setTraderAssetChangeDisabled", true)
      const again = vault.call(vault.trader, "changeAssets", [], [vault.token("AAVE")])
      assert.strictEqual(yield* refusal(again), "only manager, owner or trader enabled")
    }))

  it.effect("refuses assets that cannot be added or removed", () =>
    Effect.gen(function*() {
      const vault = yield* managed
      const change = (added: ReadonlyArray<Address>, removed: ReadonlyArray<Address>) =>
        refusal(
          vault.call(vault.trader, "changeAssets", added.map((asset) => ({ asset, isDeposit: false })), removed)
        )
      assert.strictEqual(yield* change([vault.stranger], []), "invalid asset")
      assert.strictEqual(yield* change([vault.pool], []), "cannot add pool asset")
      assert.strictEqual(yield* change([], [vault.token("USDC")]), "cannot remove non-empty asset")
      assert.strictEqual(yield* change([], [vault.token("AAVE")]), "asset not supported")
      const deposits = [vault.token("USDC"), vault.token("WETH")]
      assert.strictEqual(yield* change(deposits, []), "at least one deposit asset")
    }))

  it.effect("refuses a thirteenth asset", () =>
    Effect.gen(function*() {
      const vault = yield* managed
      const feed = vault.entry.feeds["USDC"]
      const invented = Array.from({ length: 8 }, (_, index): Address => `0x${String(index + 1).padStart(40, "0")}`)
      for (const asset of invented) yield* vault.asOwner(vault.own.PoolFactory.abi, "addAsset", asset, 0, feed)
      const add = invented.map((asset) => ({ asset, isDeposit: false }))
      assert.strictEqual(
        yield* refusal(vault.call(vault.trader, "changeAssets", add, [])),
        "maximum assets reached"
      )
    }))
})
