import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { decodeErrorResult, encodeFunctionData, isHex, maxUint256, parseAbi } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { refusal, TestDevnet, yieldVault } from "./TestVault.ts"

const abi = parseAbi([
  "function deposit(uint256 assets, address receiver) returns (uint256)",
  "function mint(uint256 shares, address receiver) returns (uint256)",
  "function withdraw(uint256 assets, address receiver, address owner) returns (uint256)",
  "function redeem(uint256 shares, address receiver, address owner) returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
  "function convertToAssets(uint256 shares) view returns (uint256)",
  "function setRatePerYear(uint256 rate)"
])
const cometAbi = parseAbi([
  "function supply(address asset, uint256 amount)",
  "function withdraw(address asset, uint256 amount)",
  "function balanceOf(address account) view returns (uint256)",
  "function borrowBalanceOf(address account) view returns (uint256)",
  "function getUtilization() view returns (uint256)",
  "function getSupplyRate(uint256 utilization) view returns (uint64)",
  "function getBorrowRate(uint256 utilization) view returns (uint64)",
  "error NotCollateralized()"
])

const usdc = 1_000_000n
const ether = 10n ** 18n
const year = 365 * 86_400

const lending = Effect.gen(function*() {
  const vault = yield* yieldVault
  const fToken = (symbol: string): Address => vault.entry.fTokens[symbol] ?? "0x"
  const comet = vault.entry.comets["USDC"]!
  return {
    ...vault,
    fToken,
    comet,
    said: (to: Address, data: Hex) => refusal(vault.execute(vault.trader, to, data)),
    deposit: (amount: bigint, receiver = vault.pool) =>
      encodeFunctionData({ abi, functionName: "deposit", args: [amount, receiver] }),
    redeem: (shares: bigint, receiver = vault.pool, owner = vault.pool) =>
      encodeFunctionData({ abi, functionName: "redeem", args: [shares, receiver, owner] }),
    shares: (symbol: string) => vault.readNumber(fToken(symbol), abi, "balanceOf", vault.pool),
    supply: (symbol: string, amount: bigint) =>
      encodeFunctionData({ abi: cometAbi, functionName: "supply", args: [vault.token(symbol), amount] }),
    withdraw: (symbol: string, amount: bigint) =>
      encodeFunctionData({ abi: cometAbi, functionName: "withdraw", args: [vault.token(symbol), amount] }),
    cometNumber: (name: string, ...args: ReadonlyArray<unknown>) => vault.readNumber(comet, cometAbi, name, ...args)
  }
})

layer(TestDevnet)("an fToken behind a vault", (it) => {
  it.effect("is lent to, grows at its rate, and pays everything back", () =>
    Effect.gen(function*() {
      const { approve, deposit, executeAll, fToken, held, pass, redeem, shares, token, worth } = yield* lending
      const lender = fToken("USDC")
      yield* executeAll([{ to: token("USDC"), data: approve(lender) }, { to: lender, data: deposit(10_000n * usdc) }])
      assert.strictEqual(yield* held("USDC"), 90_000n * usdc)
      assert.approximately(Number(yield* worth(lender)), 10_000e18, 0.001e18)
      yield* pass(year)
      assert.approximately(Number(yield* worth(lender)), 10_600e18, 1e18)
      yield* executeAll([{ to: lender, data: redeem(yield* shares("USDC")) }])
      assert.strictEqual(yield* shares("USDC"), 0n)
      assert.approximately(Number(yield* held("USDC")), 100_600e6, 1e6)
    }))

  it.effect("lends WETH too, at a rate its owner sets", () =>
    Effect.gen(function*() {
      const { approve, deposit, executeAll, fToken, owner, pass, send, token, worth } = yield* lending
      const lender = fToken("WETH")
      yield* executeAll([{ to: token("WETH"), data: approve(lender) }, { to: lender, data: deposit(ether) }])
      yield* send(owner, lender, abi, "setRatePerYear", ether / 10n)
      yield* pass(year)
      assert.approximately(Number(yield* worth(lender)), 3300e18, 1e18)
    }))

  it.effect("works for the vault alone, by deposit, withdraw and redeem alone, while it is enabled", () =>
    Effect.gen(function*() {
      const { asManager, deposit, fToken, own, pool, redeem, said, stranger } = yield* lending
      const lender = fToken("USDC")
      assert.strictEqual(yield* said(lender, deposit(usdc, stranger)), "recipient is not pool")
      assert.strictEqual(yield* said(lender, redeem(1n, stranger)), "recipient is not pool")
      assert.strictEqual(yield* said(lender, redeem(1n, pool, stranger)), "owner is not pool")
      assert.strictEqual(
        yield* said(lender, encodeFunctionData({ abi, functionName: "mint", args: [1n, pool] })),
        "dh23"
      )
      yield* asManager(own.PoolManagerLogic.abi, "changeAssets", [], [lender])
      assert.strictEqual(yield* said(lender, deposit(usdc)), "unsupported destination asset")
    }))
})

layer(TestDevnet)("a Comet behind a vault", (it) => {
  it.effect("is lent to, grows at its rate, and pays everything back", () =>
    Effect.gen(function*() {
      const { approve, comet, cometNumber, executeAll, held, pass, pool, supply, token, withdraw, worth } =
        yield* lending
      yield* executeAll([{ to: token("USDC"), data: approve(comet) }, {
        to: comet,
        data: supply("USDC", 10_000n * usdc)
      }])
      assert.strictEqual(yield* held("USDC"), 90_000n * usdc)
      assert.approximately(Number(yield* worth(comet)), 10_000e18, 0.001e18)
      const perSecond = yield* cometNumber("getSupplyRate", yield* cometNumber("getUtilization"))
      assert.isBelow(
        Number(perSecond),
        Number(yield* cometNumber("getBorrowRate", yield* cometNumber("getUtilization")))
      )
      yield* pass(year)
      const grown = 10_000e6 * (1 + Number(perSecond) / 1e18 * year)
      assert.approximately(Number(yield* cometNumber("balanceOf", pool)), grown, 1e6)
      yield* executeAll([{ to: comet, data: withdraw("USDC", maxUint256) }])
      assert.strictEqual(yield* cometNumber("balanceOf", pool), 0n)
      assert.approximately(Number(yield* held("USDC")), 90_000e6 + grown, 1e6)
    }))

  it.effect("lends nothing to a vault, which has no collateral there", () =>
    Effect.gen(function*() {
      const { cometNumber, comet, pool, said, withdraw } = yield* lending
      const reason = yield* said(comet, withdraw("USDC", 1000n * usdc))
      assert.strictEqual(
        isHex(reason) && decodeErrorResult({ abi: cometAbi, data: reason }).errorName,
        "NotCollateralized"
      )
      assert.strictEqual(yield* cometNumber("borrowBalanceOf", pool), 0n)
    }))

  it.effect("takes its base token only, and only while it is enabled", () =>
    Effect.gen(function*() {
      const { asManager, comet, own, said, supply, withdraw } = yield* lending
      assert.strictEqual(yield* said(comet, supply("WETH", ether)), "invalid Compound asset")
      assert.strictEqual(yield* said(comet, withdraw("AAVE", ether)), "unsupported withdrawal asset")
      assert.strictEqual(yield* said(comet, "0x4232cd63"), "dh23", "supplyTo")
      yield* asManager(own.PoolManagerLogic.abi, "changeAssets", [], [comet])
      assert.strictEqual(yield* said(comet, supply("USDC", usdc)), "Compound not enabled")
    }))
})
