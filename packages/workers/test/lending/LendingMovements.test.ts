import { assert, describe, it } from "@effect/vitest"
import { AaveV3Book, NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { encodeFunctionData, maxUint256 } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { erc20 } from "../../src/chain/Tokens.ts"
import { poolAbi } from "../../src/lending/AaveV3Abi.ts"
import { cometAbi } from "../../src/lending/CompoundV3.ts"
import { fTokenAbi } from "../../src/lending/Fluid.ts"
import type { LenderCall } from "../../src/lending/LenderMarket.ts"
import * as LendingMovements from "../../src/lending/LendingMovements.ts"

const address = (digit: string): Address => `0x${digit.repeat(40)}`
const [lenderA, comet, fToken, token, vault, stranger] = [
  address("a"),
  address("b"),
  address("c"),
  address("1"),
  address("2"),
  address("3")
] as const

const book = NetworkBook.make({
  network: "base",
  chainId: 8453,
  rpcUrls: ["http://127.0.0.1"],
  confirmations: 1,
  finalityDepth: 1,
  blockPollMillis: 100,
  platformFactory: address("d"),
  multicall3: address("e"),
  wrappedNative: address("f"),
  tokens: [],
  aaveV3: AaveV3Book.make({ pool: lenderA, poolDataProvider: address("9") }),
  comets: [comet],
  fTokens: [fToken]
})
// Decoders use nothing of the client but the book.
const chain = { book } as ChainClient

const supplyA = (onBehalfOf: Address, amount = 5n) =>
  encodeFunctionData({ abi: poolAbi, functionName: "supply", args: [token, amount, onBehalfOf, 0] })
const repayA = (amount: bigint, rate = 2n) =>
  encodeFunctionData({ abi: poolAbi, functionName: "repay", args: [token, amount, rate, vault] })
const borrowA = (rate: bigint) =>
  encodeFunctionData({ abi: poolAbi, functionName: "borrow", args: [token, 5n, rate, 0, vault] })
const supplyB = (amount: bigint) => encodeFunctionData({ abi: cometAbi, functionName: "supply", args: [token, amount] })
const approve = (spender: Address) =>
  encodeFunctionData({ abi: erc20, functionName: "approve", args: [spender, maxUint256] })
const read = (kind: LenderCall["kind"], to: Address, data: Hex) => LendingMovements.of(kind)(chain, { to, data })

describe("the decoded movement of a lending call", () => {
  it("is what leaves the vault, and for whom", () => {
    assert.deepStrictEqual(read("supply", lenderA, supplyA(vault)), { gives: [{ token, amount: 5n }], receiver: vault })
    assert.deepStrictEqual(read("supply", lenderA, supplyA(stranger))?.receiver, stranger)
    assert.deepStrictEqual(read("repay", lenderA, repayA(7n)), { gives: [{ token, amount: 7n }], receiver: vault })
    assert.deepStrictEqual(read("borrow", lenderA, borrowA(2n)), { gives: [], receiver: vault })
    assert.deepStrictEqual(read("supply", comet, supplyB(7n)), { gives: [{ token, amount: 7n }], receiver: null })
    const withdraw = encodeFunctionData({ abi: poolAbi, functionName: "withdraw", args: [token, maxUint256, vault] })
    assert.deepStrictEqual(read("withdraw", lenderA, withdraw), { gives: [], receiver: vault })
    const deposit = encodeFunctionData({ abi: fTokenAbi, functionName: "deposit", args: [9n, vault] })
    assert.deepStrictEqual(read("supply", fToken, deposit), { gives: [{ token: fToken, amount: 9n }], receiver: vault })
    const redeem = encodeFunctionData({ abi: fTokenAbi, functionName: "redeem", args: [9n, vault, vault] })
    assert.deepStrictEqual(read("withdraw", fToken, redeem), { gives: [], receiver: vault })
  })

  it("is nothing for a call of another kind, another contract, another rate or without a bound", () => {
    assert.isUndefined(read("withdraw", lenderA, supplyA(vault)))
    assert.isUndefined(read("supply", stranger, supplyA(vault)))
    assert.isUndefined(read("supply", comet, supplyA(vault)))
    assert.isUndefined(read("borrow", lenderA, borrowA(1n)))
    assert.isUndefined(read("repay", lenderA, repayA(7n, 1n)))
    assert.isUndefined(read("repay", lenderA, repayA(maxUint256)))
    assert.isUndefined(read("supply", comet, supplyB(maxUint256)))
    const foreign = encodeFunctionData({ abi: fTokenAbi, functionName: "redeem", args: [9n, vault, stranger] })
    assert.isUndefined(read("withdraw", fToken, foreign))
    assert.isUndefined(read("supply", lenderA, `${supplyA(vault)}00`))
  })

  it("takes nothing for an approval of a market, and decodes no other approval", () => {
    for (const spender of [lenderA, comet, fToken]) {
      assert.deepStrictEqual(read("supply", token, approve(spender)), { gives: [], receiver: null })
    }
    assert.isUndefined(read("supply", token, approve(stranger)))
  })
})
