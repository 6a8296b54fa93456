import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { encodeFunctionData } from "viem"
import { Quantity as HexNumber } from "../../src/anvil/RpcSchema.ts"
import type { Hex } from "@vault-trader/core/chain/Address"
import {
  abi,
  cancelByCloid,
  cancelByOid,
  classTransfer,
  e8,
  Hyperliquid,
  order,
  sendAsset,
  spotDex,
  spotSend,
  system,
  trading,
  usdc
} from "../hyperliquid/TradingVault.ts"
import { refusal, testVaultOn } from "./TestVault.ts"

layer(Hyperliquid)("the guards before the derivatives exchange", (it) => {
  it.effect("let whitelisted vaults alone act and deposit", () =>
    Effect.gen(function*() {
      const { acting, coreWriter, depositing, depositWallet } = yield* trading
      const other = yield* testVaultOn("hyperliquid")
      assert.strictEqual(
        yield* refusal(other.execute(other.trader, coreWriter, acting(order({ px: 3000, sz: 1 })))),
        "pool not whitelisted"
      )
      assert.strictEqual(
        yield* refusal(other.execute(other.trader, depositWallet, depositing(usdc))),
        "pool not whitelisted"
      )
    }))

  it.effect("refuse orders of coins that are not approved, and orders more than 3 % worse than the price", () =>
    Effect.gen(function*() {
      const { act, core, said } = yield* trading
      assert.strictEqual(
        yield* said(order({ asset: 7, px: 0.05, sz: 1000 })),
        "unsupported perp asset",
        "isolated only"
      )
      assert.strictEqual(yield* said(order({ asset: 2, px: 1, sz: 1000 })), "unsupported perp asset", "delisted")
      assert.strictEqual(yield* said(order({ px: 3090.1, sz: 1 })), "order slippage exceeded")
      assert.strictEqual(yield* said(order({ isBuy: false, px: 2909.9, sz: 1 })), "order slippage exceeded")
      for (
        const near of [order({ px: 3090, sz: 1 }), order({ isBuy: false, px: 2910, sz: 1 }), order({ px: 1000, sz: 1 })]
      ) yield* act(near)
      yield* core.setPrice({ coin: "ETH", usd: 2000 })
      assert.strictEqual(yield* said(order({ px: 3000, sz: 1 })), "order slippage exceeded")
    }))

  it.effect("let money go back to the vault alone", () =>
    Effect.gen(function*() {
      const { pool, said, stranger } = yield* trading
      assert.strictEqual(yield* said(spotSend(stranger, e8(1))), "recipient is not pool")
      assert.strictEqual(yield* said(spotSend(system, e8(1), 1n)), "unsupported token")
      assert.strictEqual(yield* said(sendAsset(stranger, 0, spotDex, e8(1))), "recipient is not pool")
      assert.strictEqual(yield* said(sendAsset(pool, 1, 0, e8(1))), "unsupported dex")
    }))

  it.effect("know no other actions, versions, functions or parts of the exchange", () =>
    Effect.gen(function*() {
      const { coreWriter, depositWallet, depositing, execute, said, trader } = yield* trading
      const action = order({ px: 3000, sz: 1 })
      assert.strictEqual(yield* said(`0x02${action.slice(4)}`), "unsupported action version")
      assert.strictEqual(yield* said("0x01"), "unsupported action version")
      assert.strictEqual(yield* said(`0x01000002${action.slice(10)}`), "unsupported action")
      assert.strictEqual(yield* refusal(execute(trader, coreWriter, "0x12345678")), "dh23")
      assert.strictEqual(yield* refusal(execute(trader, depositWallet, depositing(usdc, 1))), "unsupported dex")
      const transfer = encodeFunctionData({ abi, functionName: "transfer", args: [trader, usdc] })
      assert.strictEqual(yield* refusal(execute(trader, depositWallet, transfer)), "dh23")
    }))

  it.effect("require the account to count in the vault's value before any deposit or order", () =>
    Effect.gen(function*() {
      const { asManager, coreWriter, depositing, depositWallet, execute, own, said, trader } = yield* trading
      yield* asManager(own.PoolManagerLogic.abi, "changeAssets", [], [coreWriter])
      assert.strictEqual(
        yield* refusal(execute(trader, depositWallet, depositing(usdc))),
        "CoreWriter not supported asset"
      )
      assert.strictEqual(yield* said(order({ px: 3000, sz: 1 })), "CoreWriter not supported asset")
    }))

  it.effect("give each kind of call its own type", () =>
    Effect.gen(function*() {
      const by = yield* trading
      const typeOf = (to: `0x${string}`, data: Hex) =>
        Effect.map(by.execute(by.trader, to, data), ({ logs }) => {
          const executed = logs.find(({ address, data }) => address === by.pool && data.length === 2 + 4 * 64)
          return Number(`0x${executed?.data.slice(2 + 2 * 64, 2 + 3 * 64) ?? "0"}`)
        })
      yield* by.execute(by.trader, by.token("USDC"), by.approve(by.depositWallet))
      assert.strictEqual(yield* typeOf(by.depositWallet, by.depositing(100n * usdc)), 124)
      const actions = [
        order({ px: 3000, sz: 1 }),
        cancelByOid(1, 1000),
        cancelByCloid(1, 1n),
        spotSend(system, e8(1)),
        classTransfer(usdc, false),
        sendAsset(by.pool, 0, spotDex, e8(1))
      ]
      const types = yield* Effect.forEach(actions, (data) => typeOf(by.coreWriter, by.acting(data)))
      assert.deepStrictEqual(types, [125, 126, 127, 128, 129, 130])
    }))

  it.effect("keep a deposit in the vault's value in the very block it leaves the chain", () =>
    Effect.gen(function*() {
      const by = yield* trading
      yield* by.core.hold
      const before = yield* by.readNumber(by.poolManagerLogic, by.own.PoolManagerLogic.abi, "totalFundValue")
      const { blockNumber } = yield* by.executeAll([
        { to: by.token("USDC"), data: by.approve(by.depositWallet) },
        { to: by.depositWallet, data: by.depositing(50_000n * usdc) }
      ])
      const data = encodeFunctionData({ abi: by.own.PoolManagerLogic.abi, functionName: "totalFundValue" })
      const after = yield* by.rpc.request("eth_call", [
        { to: by.poolManagerLogic, data },
        `0x${blockNumber.toString(16)}`
      ], HexNumber)
      assert.strictEqual(after, before)
      yield* by.core.settled
      assert.strictEqual(
        yield* by.readNumber(by.poolManagerLogic, by.own.PoolManagerLogic.abi, "totalFundValue"),
        before
      )
    }))

  it.effect("leave reports and payments to the exchange", () =>
    Effect.gen(function*() {
      const { depositWallet, mirror, send, stranger } = yield* trading
      assert.strictEqual(yield* refusal(send(stranger, mirror, abi, "report", [], [], 0n, [])), "only system")
      assert.strictEqual(yield* refusal(send(stranger, depositWallet, abi, "transfer", stranger, usdc)), "only mirror")
    }))
})
