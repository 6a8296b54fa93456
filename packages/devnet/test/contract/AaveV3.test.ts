import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { encodeFunctionData, maxUint256, parseAbi } from "viem"
import type { Hex } from "@vault-trader/core/chain/Address"
import { read } from "../../src/contract/Deployer.ts"
import { network, refusal, TestDevnet, yieldVault } from "./TestVault.ts"

const poolAbi = parseAbi([
  "function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)",
  "function withdraw(address asset, uint256 amount, address to) returns (uint256)",
  "function borrow(address asset, uint256 amount, uint256 interestRateMode, uint16 referralCode, address onBehalfOf)",
  "function repay(address asset, uint256 amount, uint256 interestRateMode, address onBehalfOf) returns (uint256)",
  "function setUserUseReserveAsCollateral(address asset, bool useAsCollateral)",
  "function getUserAccountData(address user) view returns (uint256 collateral, uint256 debt, uint256 available, uint256 threshold, uint256 ltv, uint256 healthFactor)"
])
const dataProviderAbi = parseAbi([
  "function getUserReserveData(address asset, address user) view returns (uint256 supplied, uint256 stableDebt, uint256 variableDebt, uint256, uint256, uint256, uint256, uint40, bool)",
  "function getReserveData(address asset) view returns (uint256, uint256, uint256, uint256, uint256, uint256 liquidityRate, uint256 variableBorrowRate, uint256, uint256, uint256, uint256, uint40)"
])

const usdc = 1_000_000n
const ether = 10n ** 18n

const lending = Effect.gen(function*() {
  const vault = yield* yieldVault
  const { pool: lender, poolDataProvider } = vault.entry.aaveV3!
  const account = vault.pool
  const call = {
    supply: (symbol: string, amount: bigint, onBehalfOf = account) =>
      encodeFunctionData({ abi: poolAbi, functionName: "supply", args: [vault.token(symbol), amount, onBehalfOf, 0] }),
    withdraw: (symbol: string, amount: bigint, to = account) =>
      encodeFunctionData({ abi: poolAbi, functionName: "withdraw", args: [vault.token(symbol), amount, to] }),
    borrow: (symbol: string, amount: bigint, onBehalfOf = account) =>
      encodeFunctionData({
        abi: poolAbi,
        functionName: "borrow",
        args: [vault.token(symbol), amount, 2n, 0, onBehalfOf]
      }),
    repay: (symbol: string, amount: bigint) =>
      encodeFunctionData({ abi: poolAbi, functionName: "repay", args: [vault.token(symbol), amount, 2n, account] })
  }
  const numbers = Schema.Array(Schema.Union([Schema.BigInt, Schema.Number, Schema.Boolean]))
  const provider = { address: poolDataProvider, abi: dataProviderAbi }
  const approve = (symbol: string) => ({ to: vault.token(symbol), data: vault.approve(lender) })
  const to = (data: Hex) => ({ to: lender, data })
  return {
    ...vault,
    call,
    lender,
    approving: approve,
    to,
    did: (data: Hex) => vault.execute(vault.trader, lender, data),
    said: (data: Hex) => refusal(vault.execute(vault.trader, lender, data)),
    position: (symbol: string) =>
      read(vault.rpc, provider, numbers, "getUserReserveData", vault.token(symbol), account),
    rates: (symbol: string) => read(vault.rpc, provider, numbers, "getReserveData", vault.token(symbol)),
    supplyEther: vault.executeAll([approve("WETH"), to(call.supply("WETH", 5n * ether))])
  }
})

layer(TestDevnet)("Aave V3 behind a vault", (it) => {
  it.effect("approves and supplies in one transaction, and the vault is worth the same", () =>
    Effect.gen(function*() {
      const { held, lender, position, supplyEther, worth } = yield* lending
      yield* supplyEther
      assert.strictEqual(yield* held("WETH"), 5n * ether)
      assert.strictEqual((yield* position("WETH"))[0], 5n * ether)
      assert.strictEqual(yield* worth(lender), 15_000n * ether)
    }))

  it.effect("lends against what was supplied and takes everything back, to the unit", () =>
    Effect.gen(function*() {
      const { approving, call, executeAll, held, lender, pass, position, supplyEther, to, worth } = yield* lending
      yield* supplyEther
      yield* executeAll([to(call.borrow("USDC", 5000n * usdc))])
      assert.strictEqual(yield* held("USDC"), 105_000n * usdc)
      assert.strictEqual((yield* position("USDC"))[2], 5000n * usdc)
      assert.approximately(Number(yield* worth(lender)), 10_000e18, 0.01e18)
      yield* pass(30 * 86_400)
      assert.isAbove(Number((yield* position("USDC"))[2]), 5000e6)
      yield* executeAll([
        approving("USDC"),
        to(call.repay("USDC", maxUint256)),
        to(call.withdraw("WETH", maxUint256))
      ])
      assert.strictEqual(yield* worth(lender), 0n)
      assert.isAtLeast(Number(yield* held("WETH")), 10e18)
      assert.strictEqual((yield* position("USDC"))[2], 0n)
    }))

  it.effect("pays and charges interest from the start", () =>
    Effect.gen(function*() {
      const { rates } = yield* lending
      for (const symbol of ["USDC", "WETH", "WBTC", "DAI"]) {
        const [, , , , , supplied = 0n, borrowed = 0n] = yield* rates(symbol)
        assert.isAbove(Number(supplied), 0)
        assert.isAbove(Number(borrowed), Number(supplied))
      }
    }))

  it.effect("works for the vault alone: no other account supplies, borrows or is paid through it", () =>
    Effect.gen(function*() {
      const { call, said, stranger, supplyEther } = yield* lending
      yield* supplyEther
      for (
        const data of [
          call.supply("WETH", ether, stranger),
          call.withdraw("WETH", ether, stranger),
          call.borrow("USDC", usdc, stranger)
        ]
      ) {
        assert.strictEqual(yield* said(data), "recipient is not pool")
      }
    }))

  it.effect("requires the market and the asset to be enabled in the vault", () =>
    Effect.gen(function*() {
      const { asManager, call, lender, own, said } = yield* lending
      assert.strictEqual(yield* said(call.supply("AAVE", ether)), "unsupported assets")
      yield* asManager(own.PoolManagerLogic.abi, "changeAssets", [], [lender])
      assert.strictEqual(yield* said(call.supply("WETH", ether)), "unsupported assets")
    }))

  it.effect("passes on the errors for an unlisted asset and for missing collateral", () =>
    Effect.gen(function*() {
      const { approving, call, executeAll, said } = yield* lending
      yield* executeAll([approving("LINK"), approving("USDC")])
      assert.isUndefined(yield* said(call.supply("LINK", 1n)), "Aave 3.0 says nothing about a reserve it has not")
      assert.strictEqual(yield* said(call.borrow("USDC", usdc)), "34", "no collateral")
      assert.strictEqual(yield* said(call.withdraw("USDC", usdc)), "32", "nothing supplied")
      assert.strictEqual(yield* said(call.repay("USDC", usdc)), "39", "nothing owed")
    }))

  it.effect("keeps the vault from a second debt and from the edge of liquidation", () =>
    Effect.gen(function*() {
      const { call, devnet, did, said, supplyEther, token } = yield* lending
      yield* supplyEther
      yield* did(call.borrow("USDC", 12_000n * usdc))
      assert.strictEqual(yield* said(call.borrow("DAI", ether)), "borrowing asset exists")
      assert.strictEqual(yield* said(call.borrow("USDC", 1000n * usdc)), "36", "above what Aave lends")
      // The remaining collateral counts 1.0095 times the debt: below the platform's floor, above Aave's.
      yield* devnet.setPrice({ network, symbol: "WETH", usd: 2925 })
      assert.strictEqual(yield* said(call.withdraw("WETH", ether / 100n)), "health factor too low")
      const args = [token("WETH"), false] as const
      assert.strictEqual(
        yield* said(encodeFunctionData({ abi: poolAbi, functionName: "setUserUseReserveAsCollateral", args })),
        "35"
      )
    }))

  it.effect("is not valued while an asset of the vault's account has no fresh price", () =>
    Effect.gen(function*() {
      const { entry, expire, own, poolManagerLogic, readNumber, supplyEther, worth } = yield* lending
      const total = readNumber(poolManagerLogic, own.PoolManagerLogic.abi, "totalFundValue")
      yield* supplyEther
      yield* total
      yield* expire("DAI")
      assert.isAbove(Number(yield* worth(entry.aaveV3!.pool)), 0, "another asset's price does not matter")
      yield* expire("WETH")
      assert.strictEqual(yield* refusal(worth(entry.aaveV3!.pool)), "Chainlink price expired")
      assert.strictEqual(yield* refusal(total), "Chainlink price expired")
    }))

  it.effect("does nothing else for a vault", () =>
    Effect.gen(function*() {
      const { call, execute, lender, said, stranger } = yield* lending
      assert.strictEqual(yield* said("0xdeadbeef"), "dh23")
      assert.strictEqual(yield* refusal(execute(stranger, lender, call.supply("WETH", ether))), "dh24")
    }))
})
