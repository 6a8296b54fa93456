import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Address } from "@vault-trader/core/chain/Address"
import { AddressResult, read } from "../../src/contract/Deployer.ts"
import { network, refusal, TestDevnet, testVault, tokenAbi } from "./TestVault.ts"

/** A vault with an investor who may deposit a thousand dollars and ten LINK. */
const invested = Effect.gen(function*() {
  const vault = yield* testVault
  const { abi } = vault.own.PoolLogic
  const investor = vault.stranger
  for (const [symbol, amount] of [["USDC", 1_000_000_000n], ["LINK", 10n ** 19n]] as const) {
    yield* vault.devnet.mintToken({ network, symbol, address: investor, amount })
    yield* vault.send(investor, vault.token(symbol), tokenAbi, "approve", vault.pool, amount)
  }
  return {
    ...vault,
    abi,
    investor,
    deposit: (symbol: string, amount: bigint) =>
      vault.send(investor, vault.pool, abi, "deposit", vault.token(symbol), amount),
    withdraw: (tokens: bigint) => vault.send(investor, vault.pool, abi, "withdraw", tokens),
    tokens: (holder: Address) => vault.readNumber(vault.pool, abi, "balanceOf", holder),
    pass: (seconds: number) => Effect.andThen(vault.rpc.increaseTime(seconds), vault.rpc.mine)
  }
})

layer(TestDevnet)("a vault", (it) => {
  it.effect("is listed by the factory with its manager", () =>
    Effect.gen(function*() {
      const { entry, manager, own, pool, rpc, stranger } = yield* testVault
      const factory = { address: entry.factory, abi: own.PoolFactory.abi }
      const pools = Schema.Array(AddressResult)
      const both = entry.vaults.map((vault) => vault.pool)
      assert.strictEqual(both[0], pool)
      assert.deepStrictEqual(yield* read(rpc, factory, pools, "getManagedPools", manager), both)
      assert.deepStrictEqual(yield* read(rpc, factory, pools, "getManagedPools", stranger), [])
      assert.isTrue(yield* read(rpc, factory, Schema.Boolean, "isPool", pool))
      assert.isFalse(yield* read(rpc, factory, Schema.Boolean, "isPool", stranger))
    }))

  it.effect("summarises itself", () =>
    Effect.gen(function*() {
      const { abi, manager, pool, rpc } = yield* invested
      const schema = Schema.Struct({
        name: Schema.String,
        totalFundValue: Schema.BigInt,
        manager: AddressResult,
        managerFeeDenominator: Schema.BigInt
      })
      const summary = yield* read(rpc, { address: pool, abi }, schema, "getFundSummary")
      assert.deepStrictEqual(summary, {
        name: "Demo Vault",
        totalFundValue: 130_000n * 10n ** 18n,
        manager,
        managerFeeDenominator: 10_000n
      })
    }))

  it.effect("issues tokens for deposits and pays out after the cooldown", () =>
    Effect.gen(function*() {
      const vault = yield* invested
      yield* vault.deposit("USDC", 1_000_000_000n)
      const tokens = yield* vault.tokens(vault.investor)
      assert.approximately(Number(tokens), 1000e18, 0.01e18)
      assert.strictEqual(yield* refusal(vault.withdraw(tokens)), "dh3")
      yield* vault.pass(86_400)
      yield* vault.withdraw(tokens)
      assert.isAbove(Number(yield* vault.held("USDC", vault.investor)), 770e6)
      assert.isAbove(Number(yield* vault.held("WETH", vault.investor)), 0.07e18)
    }))

  it.effect("refuses deposits of other assets, of dust, and while its shares are paused", () =>
    Effect.gen(function*() {
      const vault = yield* invested
      assert.strictEqual(yield* refusal(vault.deposit("LINK", 10n ** 18n)), "dh8")
      assert.strictEqual(yield* refusal(vault.deposit("USDC", 0n)), "dh10")
      const info = [{ pool: vault.pool, pauseShares: true, pauseTrading: false }]
      yield* vault.asOwner(vault.own.PoolFactory.abi, "setPoolsPaused", info)
      assert.strictEqual(yield* refusal(vault.deposit("USDC", 1_000_000n)), "dh2")
    }))

  it.effect("mints the manager's fee for any caller", () =>
    Effect.gen(function*() {
      const vault = yield* invested
      const owed = Effect.flatMap(
        vault.readNumber(vault.poolManagerLogic, vault.own.PoolManagerLogic.abi, "totalFundValue"),
        (value) => vault.readNumber(vault.pool, vault.abi, "calculateAvailableManagerFee", value)
      )
      yield* vault.pass(365 * 86_400)
      // Two percent a year of 130,000 tokens, nine tenths of it for the manager.
      assert.approximately(Number(yield* owed), 2600e18, 1e18)
      yield* vault.send(vault.stranger, vault.pool, vault.abi, "mintManagerFee")
      assert.approximately(Number(yield* vault.tokens(vault.manager)), 2340e18, 1e18)
      assert.strictEqual(yield* owed, 0n)
    }))

  it.effect("mints no fee while the platform or its shares are paused", () =>
    Effect.gen(function*() {
      const vault = yield* invested
      const mint = vault.send(vault.stranger, vault.pool, vault.abi, "mintManagerFee")
      const info = [{ pool: vault.pool, pauseShares: true, pauseTrading: false }]
      yield* vault.asOwner(vault.own.PoolFactory.abi, "setPoolsPaused", info)
      assert.strictEqual(yield* refusal(mint), "dh2")
      yield* vault.asOwner(vault.own.PoolFactory.abi, "pause")
      assert.strictEqual(yield* refusal(mint), "dh1")
    }))

  it.effect("can be created by any account for any manager", () =>
    Effect.gen(function*() {
      const { entry, own, rpc, send, stranger, token } = yield* testVault
      const assets = [{ asset: token("USDC"), isDeposit: true }]
      const { abi } = own.PoolFactory
      const create = (fee: bigint) =>
        send(stranger, entry.factory, abi, "createFund", false, stranger, "M", "F", "S", fee, 0n, 0n, 0n, assets)
      yield* create(5000n)
      const factory = { address: entry.factory, abi }
      const managed = yield* read(rpc, factory, Schema.Array(AddressResult), "getManagedPools", stranger)
      assert.lengthOf(managed, 1)
      assert.strictEqual(yield* refusal(create(5001n)), "invalid manager fee")
    }))
})
