import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { read } from "../../src/contract/Deployer.ts"
import { Devnet } from "../../src/devnet/Devnet.ts"
import { testVault, testVaultOn, tokenAbi } from "./TestVault.ts"

const TwoNetworks = Devnet.layer({ networks: ["optimism", "hyperliquid"], heartbeat: false })

/** The platform's answers about an asset of a vault. */
const saying = (network: Network) =>
  Effect.gen(function*() {
    const vault = yield* network === "optimism" ? testVault : testVaultOn(network)
    const { entry, own, poolManagerLogic, readNumber, rpc } = vault
    const { abi } = own.PoolManagerLogic
    return {
      ...vault,
      of: (asset: Address) =>
        Effect.all({
          type: Effect.map(
            read(rpc, { address: entry.factory, abi: own.PoolFactory.abi }, Schema.Number, "getAssetType", asset),
            Number
          ),
          balance: readNumber(poolManagerLogic, abi, "assetBalance", asset),
          decimals: readNumber(poolManagerLogic, abi, "assetDecimal", asset),
          value: readNumber(poolManagerLogic, abi, "assetValue", asset)
        }),
      total: readNumber(poolManagerLogic, abi, "totalFundValue"),
      changeAssets: (asset: Address) =>
        vault.asManager(own.PoolManagerLogic.abi, "changeAssets", [{ asset, isDeposit: false }], [])
    }
  })

layer(TwoNetworks)("the platform's asset types", (it) => {
  it.effect("include rewards, which are ordinary tokens: valued by their feed and paid out to investors", () =>
    Effect.gen(function*() {
      const { changeAssets, devnet, held, of, own, owner, pass, pool, readNumber, send, token, total } = yield* saying(
        "optimism"
      )
      const before = yield* total
      yield* changeAssets(token("AERO"))
      yield* devnet.mintToken({ network: "optimism", symbol: "AERO", address: pool, amount: 4n * 10n ** 18n })
      assert.deepStrictEqual(yield* of(token("AERO")), {
        type: 200,
        balance: 4n * 10n ** 18n,
        decimals: 18n,
        value: 5n * 10n ** 18n
      })
      assert.strictEqual((yield* total) - before, 5n * 10n ** 18n)
      const shares = yield* readNumber(pool, own.PoolLogic.abi, "balanceOf", owner)
      const all = yield* readNumber(pool, tokenAbi, "balanceOf", owner)
      assert.strictEqual(shares, all)
      yield* pass(90_000)
      const mine = yield* held("AERO", owner)
      yield* send(owner, pool, own.PoolLogic.abi, "withdraw", shares / 2n)
      assert.isAbove(Number((yield* held("AERO", owner)) - mine), 1.9e18)
    }))

  it.effect("include spot tokens of the derivatives exchange, and its account in 6 decimals at the core writer", () =>
    Effect.gen(function*() {
      const { devnet, entry, of, pool, token } = yield* saying("hyperliquid")
      yield* devnet.mintToken({ network: "hyperliquid", symbol: "USOL", address: pool, amount: 2_000_000_000n })
      assert.deepStrictEqual(yield* of(token("USOL")), {
        type: 40,
        balance: 2_000_000_000n,
        decimals: 9n,
        value: 300n * 10n ** 18n
      })
      const account = "0x3333333333333333333333333333333333333333"
      assert.strictEqual(entry.perpetuals?.coreWriter, account)
      assert.deepStrictEqual(yield* of(account), { type: 39, balance: 0n, decimals: 6n, value: 0n })
    }))
})
