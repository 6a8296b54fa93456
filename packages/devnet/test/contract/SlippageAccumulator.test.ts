import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { network, refusal, TestDevnet, testVault } from "./TestVault.ts"

const budget = Effect.gen(function*() {
  const vault = yield* testVault
  const { abi } = vault.own.SlippageAccumulator
  const read = (name: string, ...args: ReadonlyArray<unknown>) =>
    vault.readNumber(vault.entry.slippageAccumulator, abi, name, ...args)
  yield* vault.approveRouter("USDC")
  return { ...vault, read, spent: read("getCumulativeSlippageImpact", vault.poolManagerLogic) }
})

layer(TestDevnet)("the slippage budget of a vault", (it) => {
  it.effect("is a tenth, forgiven within a day", () =>
    Effect.gen(function*() {
      const { read } = yield* budget
      assert.strictEqual(yield* read("maxCumulativeSlippage"), 100_000n)
      assert.strictEqual(Number(yield* read("decayTime")), 86_400)
    }))

  it.effect("is spent by the loss of each swap at oracle prices", () =>
    Effect.gen(function*() {
      const vault = yield* budget
      yield* vault.execute(vault.trader, vault.router, vault.swap("USDC", "WETH", 3000_000_000n))
      const first = Number(yield* vault.spent)
      // Half a thousandth goes to the pool, some more to price impact.
      assert.isAtLeast(first, 500)
      assert.isBelow(first, 1500)
      yield* vault.execute(vault.trader, vault.router, vault.swap("USDC", "WETH", 3000_000_000n))
      assert.isAbove(Number(yield* vault.spent), 2 * first - 10)
    }))

  it.effect("is not spent by a swap that gains", () =>
    Effect.gen(function*() {
      const vault = yield* budget
      yield* vault.devnet.setPrice({ network, symbol: "WETH", usd: 3100 })
      yield* vault.execute(vault.trader, vault.router, vault.swap("USDC", "WETH", 3000_000_000n))
      assert.strictEqual(yield* vault.spent, 0n)
    }))

  it.effect("comes back linearly and wholly after a day", () =>
    Effect.gen(function*() {
      const vault = yield* budget
      yield* vault.execute(vault.trader, vault.router, vault.swap("USDC", "WETH", 3000_000_000n))
      const spent = Number(yield* vault.spent)
      const pass = (seconds: number) => Effect.andThen(vault.rpc.increaseTime(seconds), vault.rpc.mine)
      yield* pass(43_200)
      assert.approximately(Number(yield* vault.spent), spent / 2, 2)
      yield* pass(43_200)
      assert.strictEqual(yield* vault.spent, 0n)
    }))

  it.effect("refuses the swap that would exceed it", () =>
    Effect.gen(function*() {
      const vault = yield* budget
      yield* vault.devnet.setPrice({ network, symbol: "WETH", usd: 2600 })
      const swap = vault.execute(vault.trader, vault.router, vault.swap("USDC", "WETH", 3000_000_000n))
      assert.strictEqual(yield* refusal(swap), "slippage impact exceeded")
    }))

  it.effect("can be spent by the router's guard only", () =>
    Effect.gen(function*() {
      const vault = yield* budget
      const swap = { srcAsset: vault.token("USDC"), dstAsset: vault.token("WETH"), srcAmount: 1n, dstAmount: 0n }
      const call = vault.send(
        vault.trader,
        vault.entry.slippageAccumulator,
        vault.own.SlippageAccumulator.abi,
        "updateSlippageImpact",
        vault.poolManagerLogic,
        vault.router,
        swap
      )
      assert.strictEqual(yield* refusal(call), "only authorized guard")
    }))
})
