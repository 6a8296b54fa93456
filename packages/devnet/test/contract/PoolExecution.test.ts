import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decodeFunctionResult, encodeFunctionData, encodePacked, parseAbi, zeroAddress } from "viem"
import { Hex } from "@vault-trader/core/chain/Address"
import { refusal, routerAbi, TestDevnet, testVault } from "./TestVault.ts"

const usdc = 1_000_000n

const quoterAbi = parseAbi([
  "struct Quote { address tokenIn; address tokenOut; uint256 amountIn; uint24 fee; uint160 sqrtPriceLimitX96; }",
  "function quoteExactInputSingle(Quote params) returns (uint256 amountOut, uint160, uint32, uint256)"
])

layer(TestDevnet)("execTransaction of a vault", (it) => {
  it.effect("swaps for the trader exactly what the quoter promised", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const amountIn = 3000n * usdc
      const quote = {
        tokenIn: vault.token("USDC"),
        tokenOut: vault.token("WETH"),
        amountIn,
        fee: 500,
        sqrtPriceLimitX96: 0n
      }
      const data = yield* vault.rpc.call({
        to: vault.entry.uniswapV3.quoter,
        data: encodeFunctionData({ abi: quoterAbi, functionName: "quoteExactInputSingle", args: [quote] })
      })
      const [promised] = decodeFunctionResult({ abi: quoterAbi, functionName: "quoteExactInputSingle", data })
      const before = { usdc: yield* vault.held("USDC"), weth: yield* vault.held("WETH") }
      yield* vault.approveRouter("USDC")
      yield* vault.execute(vault.trader, vault.router, vault.swap("USDC", "WETH", amountIn))
      assert.strictEqual(before.usdc, 100_000n * usdc)
      assert.strictEqual(yield* vault.held("USDC"), before.usdc - amountIn)
      assert.strictEqual((yield* vault.held("WETH")) - before.weth, promised)
      assert.isAbove(Number(promised), 0.99e18)
    }))

  it.effect("approves and swaps in one atomic transaction", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const steps = [
        { to: vault.token("WETH"), data: vault.approve(vault.router) },
        { to: vault.router, data: vault.swap("WETH", "USDC", 10n ** 18n) }
      ]
      yield* vault.send(vault.trader, vault.pool, vault.own.PoolLogic.abi, "execTransactions", steps)
      assert.strictEqual(yield* vault.held("WETH"), 9n * 10n ** 18n)
      assert.isAbove(Number(yield* vault.held("USDC")), 102_990e6)
    }))

  it.effect("undoes the first call when the second is refused", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      yield* vault.approveRouter("WETH")
      const steps = [
        { to: vault.router, data: vault.swap("WETH", "USDC", 10n ** 18n) },
        { to: vault.router, data: vault.swap("WETH", "USDC", 10n ** 18n, vault.trader) }
      ]
      const reason = yield* refusal(
        vault.send(vault.trader, vault.pool, vault.own.PoolLogic.abi, "execTransactions", steps)
      )
      assert.strictEqual(reason, "recipient is not pool")
      assert.strictEqual(yield* vault.held("WETH"), 10n * 10n ** 18n)
    }))

  it.effect("lets the manager execute too", () =>
    Effect.gen(function*() {
      const { manager, ...vault } = yield* testVault
      yield* vault.rpc.impersonating(manager, vault.execute(manager, vault.token("USDC"), vault.approve(vault.router)))
    }))

  it.effect("swaps along a path, and through a multicall of one", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      yield* vault.approveRouter("WBTC").pipe(Effect.andThen(vault.approveRouter("USDC")))
      const path = encodePacked(
        ["address", "uint24", "address", "uint24", "address"],
        [Hex.make(vault.token("USDC")), 500, Hex.make(vault.token("WETH")), 3000, Hex.make(vault.token("WBTC"))]
      )
      const swap = encodeFunctionData({
        abi: routerAbi,
        functionName: "exactInput",
        args: [{ path, recipient: vault.pool, amountIn: 600n * usdc, amountOutMinimum: 0n }]
      })
      const data = encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [2n ** 40n, [swap]] })
      yield* vault.execute(vault.trader, vault.router, data)
      assert.approximately(Number(yield* vault.held("WBTC")), 0.01e8, 0.0002e8)
    }))

  it.effect("refuses a multicall of two", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const swap = vault.swap("USDC", "WETH", usdc)
      const data = encodeFunctionData({ abi: routerAbi, functionName: "multicall", args: [2n ** 40n, [swap, swap]] })
      assert.strictEqual(yield* refusal(vault.execute(vault.trader, vault.router, data)), "invalid multicall")
    }))

  it.effect("refuses everything with dh1 while the platform is paused", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      yield* vault.asOwner(vault.own.PoolFactory.abi, "pause")
      assert.strictEqual(yield* refusal(vault.execute(vault.stranger, zeroAddress, "0x")), "dh1")
    }))

  it.effect("refuses with dh20 while trading of the vault is paused", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const info = [{ pool: vault.pool, pauseShares: false, pauseTrading: true }]
      yield* vault.asOwner(vault.own.PoolFactory.abi, "setPoolsPaused", info)
      assert.strictEqual(yield* refusal(vault.execute(vault.stranger, zeroAddress, "0x")), "dh20")
    }))

  it.effect("refuses the zero target with dh18", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      assert.strictEqual(yield* refusal(vault.execute(vault.trader, zeroAddress, "0x")), "dh18")
    }))

  it.effect("refuses an asset that is valid but not enabled with dh22", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const call = vault.execute(vault.trader, vault.token("AAVE"), vault.approve(vault.router))
      assert.strictEqual(yield* refusal(call), "dh22")
    }))

  it.effect("refuses an unknown function with dh23, of a token and of the router", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      for (const target of [vault.token("USDC"), vault.router]) {
        assert.strictEqual(yield* refusal(vault.execute(vault.trader, target, "0xdeadbeef")), "dh23")
      }
    }))

  it.effect("refuses a stranger's valid call with dh24", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const call = vault.execute(vault.stranger, vault.router, vault.swap("USDC", "WETH", usdc))
      assert.strictEqual(yield* refusal(call), "dh24")
    }))

  it.effect("refuses to approve a spender without a guard", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const call = vault.execute(vault.trader, vault.token("USDC"), vault.approve(vault.stranger))
      assert.strictEqual(yield* refusal(call), "unsupported spender approval")
    }))

  it.effect("lets a closed contract be approved but never called", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const { contractAddress: guard } = yield* vault.rpc.send({
        from: vault.owner,
        data: vault.own.ClosedContractGuard.bytecode
      })
      yield* vault.asOwner(vault.own.PoolFactory.abi, "setContractGuard", vault.stranger, guard)
      yield* vault.execute(vault.trader, vault.token("USDC"), vault.approve(vault.stranger))
      assert.strictEqual(yield* refusal(vault.execute(vault.trader, vault.stranger, "0xdeadbeef")), "dh23")
    }))

  it.effect("refuses to swap to another recipient", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const data = vault.swap("USDC", "WETH", usdc, vault.trader)
      assert.strictEqual(yield* refusal(vault.execute(vault.trader, vault.router, data)), "recipient is not pool")
    }))

  it.effect("refuses to swap into an asset the vault does not hold", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const data = vault.swap("USDC", "AAVE", usdc)
      const reason = yield* refusal(vault.execute(vault.trader, vault.router, data))
      assert.strictEqual(reason, "unsupported destination asset")
    }))

  it.effect("passes on the router's own error", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const data = vault.swap("USDC", "WETH", usdc)
      assert.strictEqual(yield* refusal(vault.execute(vault.trader, vault.router, data)), "STF")
    }))

  it.effect("reports the manager, whichever account called", () =>
    Effect.gen(function*() {
      const vault = yield* testVault
      const { logs } = yield* vault.approveRouter("USDC")
      const executed = logs.find((log) => log.address === vault.pool)
      const words = Schema.decodeSync(Schema.NonEmptyArray(Schema.String))([executed?.data ?? ""])[0]
      assert.include(words, vault.manager.slice(2))
      assert.notInclude(words, vault.trader.slice(2))
    }))
})
