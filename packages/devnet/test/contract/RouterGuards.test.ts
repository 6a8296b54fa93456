import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { concatHex, decodeFunctionResult, encodeFunctionData, parseAbi, zeroAddress } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as KyberSwap from "../../src/aggregator/KyberSwap.ts"
import * as Odos from "../../src/aggregator/Odos.ts"
import * as OneInch from "../../src/aggregator/OneInch.ts"
import * as Order from "../../src/aggregator/Order.ts"
import * as Route from "../../src/aggregator/Route.ts"
import { Devnet } from "../../src/devnet/Devnet.ts"
import { network, refusal, TestDevnet, testVault, testVaultOn } from "./TestVault.ts"

const amount = 3_000_000_000n

/** A vault that lets the routers take its USDC, and the parts of their calldata. */
const trading = Effect.gen(function*() {
  const vault = yield* testVault
  const { aggregators } = vault.entry
  for (const router of [aggregators["1inch"], aggregators.kyberswap, aggregators.odosV3]) {
    yield* vault.execute(vault.trader, vault.token("USDC"), vault.approve(router))
  }
  const route: Route.Route = {
    hops: [{ from: vault.token("USDC"), to: vault.token("WETH"), fee: 500 }],
    amountIn: amount,
    amountOut: 0n
  }
  const ground: Route.AggregatorNetwork = {
    network,
    chainId: vault.entry.chainId,
    rpc: vault.rpc,
    deployed: vault.entry
  }
  return {
    ...vault,
    aggregators,
    route,
    pool500: yield* Route.poolOf(ground, route.hops[0]),
    said: (router: Address, data: Hex) => refusal(vault.execute(vault.trader, router, data)),
    did: (router: Address, data: Hex) => vault.execute(vault.trader, router, data)
  }
})

const unoswapToAbi = parseAbi([
  "function unoswapTo(uint256 to, uint256 token, uint256 amount, uint256 minReturn, uint256 dex) returns (uint256)"
])

layer(TestDevnet)("the guard of an aggregator", (it) => {
  it.effect("lets 1inch unoswap through Uniswap's pools only, in their direction, without flags, and to no other recipient", () =>
    Effect.gen(function*() {
      const { aggregators, did, pool500, said, stranger, token, trader } = yield* trading
      const router = aggregators["1inch"]
      const [uniV3, forward] = [1n << 253n, token("USDC") < token("WETH") ? 1n << 247n : 0n]
      const good = uniV3 | forward | BigInt(pool500)
      const unoswap = (dex: bigint) =>
        encodeFunctionData({
          abi: OneInch.routerAbi,
          functionName: "unoswap",
          args: [BigInt(token("USDC")), amount, 1n, dex]
        })
      yield* did(router, unoswap(good))
      assert.strictEqual(yield* said(router, unoswap(good ^ (1n << 247n))), "direction mismatch")
      assert.strictEqual(yield* said(router, unoswap(good | 1n << 252n)), "uniV3 pool invalid")
      assert.strictEqual(yield* said(router, unoswap(good | 1n << 250n)), "uniV3 pool invalid")
      assert.strictEqual(yield* said(router, unoswap(uniV3 | forward | BigInt(stranger))), "uniV3 pool invalid")
      assert.strictEqual(yield* said(router, unoswap(good ^ uniV3)), "uniV2 pool invalid")
      const args = [BigInt(trader), BigInt(token("USDC")), amount, 1n, good] as const
      assert.strictEqual(
        yield* said(router, encodeFunctionData({ abi: unoswapToAbi, functionName: "unoswapTo", args })),
        "dh23"
      )
    }))

  it.effect("refuses 1inch a swap into an asset the vault does not support", () =>
    Effect.gen(function*() {
      const { aggregators: { executor, "1inch": router }, pool, route, said, token } = yield* trading
      const description = {
        srcToken: token("USDC"),
        dstToken: token("AAVE"),
        srcReceiver: executor,
        dstReceiver: pool,
        amount,
        minReturnAmount: 1n,
        flags: 0n
      }
      const args = [executor, description, Order.executorData(route, router)] as const
      const data = encodeFunctionData({ abi: OneInch.routerAbi, functionName: "swap", args })
      assert.strictEqual(yield* said(router, data), "unsupported destination asset")
    }))

  it.effect("lets KyberSwap swap, simply too, without fees and permits", () =>
    Effect.gen(function*() {
      const { aggregators: { executor, kyberswap: router }, did, held, pool, route, said, stranger, token } =
        yield* trading
      const desc = {
        srcToken: token("USDC"),
        dstToken: token("WETH"),
        srcReceivers: [executor],
        srcAmounts: [amount],
        feeReceivers: [] as ReadonlyArray<Address>,
        feeAmounts: [] as ReadonlyArray<bigint>,
        dstReceiver: pool,
        amount,
        minReturnAmount: 1n,
        flags: 0n,
        permit: "0x" as Hex
      }
      const simple = (changes: Partial<typeof desc>) =>
        encodeFunctionData({
          abi: KyberSwap.routerAbi,
          functionName: "swapSimpleMode",
          args: [executor, { ...desc, ...changes }, Order.executorData(route, pool), "0x"]
        })
      const before = yield* held("WETH")
      yield* did(router, simple({}))
      assert.isAbove(Number((yield* held("WETH")) - before), 0.99e18)
      assert.strictEqual(
        yield* said(router, simple({ feeReceivers: [stranger], feeAmounts: [1n] })),
        "fee receivers not allowed"
      )
      assert.strictEqual(yield* said(router, simple({ permit: "0x00" })), "permit not allowed")
      assert.strictEqual(yield* said(router, simple({ dstReceiver: stranger })), "recipient is not pool")
      assert.strictEqual(yield* said(router, "0x59e50fed"), "dh23", "swapGeneric")
    }))

  it.effect("requires an amount, no fee and no native token from Odos", () =>
    Effect.gen(function*() {
      const { aggregators: { executor, odosV3: router }, pool, route, said, token } = yield* trading
      const info = {
        inputToken: token("USDC"),
        inputAmount: amount,
        inputReceiver: executor,
        outputToken: token("WETH"),
        outputQuote: 10n ** 18n,
        outputMin: 1n,
        outputReceiver: pool
      }
      const swap = (changes: Partial<typeof info>, fee = 0n) =>
        encodeFunctionData({
          abi: Odos.routerAbi,
          functionName: "swap",
          args: [{ ...info, ...changes }, Order.executorData(route, router), executor, {
            code: 1n,
            fee,
            feeRecipient: zeroAddress
          }]
        })
      assert.strictEqual(yield* said(router, swap({ inputAmount: 0n })), "0 input amount")
      assert.strictEqual(yield* said(router, swap({ inputToken: zeroAddress })), "native input not allowed")
      assert.strictEqual(yield* said(router, swap({}, 1n)), "referral fee not allowed")
      assert.strictEqual(yield* said(router, swap({ outputToken: token("AAVE") })), "unsupported destination asset")
      assert.strictEqual(yield* said(router, swap({ outputMin: 2n * 10n ** 18n })), "Minimum greater than quote")
      assert.strictEqual(yield* said(router, swap({ outputMin: 0n })), "Slippage limit too low")
      assert.strictEqual(yield* said(router, "0x83bd37f9"), "dh23", "swapCompact is not built here")
    }))
})

const algebraAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 limitSqrtPrice; }",
  "function exactInputSingle(Single params) payable returns (uint256)",
  "struct Multi { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInput(Multi params) payable returns (uint256)",
  "function quoteExactInputSingle(address tokenIn, address tokenOut, uint256 amountIn, uint160 limitSqrtPrice) returns (uint256 amountOut, uint16 fee)",
  "function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint16[] fees)"
])

layer(Devnet.layer({ networks: ["polygon"], heartbeat: false }))("QuickSwap's router on polygon", (it) => {
  it.effect("sells what its quoter promised, in one pool and along a path, and only to the vault", () =>
    Effect.gen(function*() {
      const { entry, execute, held, pool, rpc, stranger, token, trader, approve } = yield* testVaultOn("polygon")
      const { quickswap } = entry
      if (quickswap === undefined) return yield* Effect.die(new Error("polygon has no QuickSwap"))
      yield* execute(trader, token("USDC"), approve(quickswap.router))
      const single = (
        changes: { readonly recipient?: Address; readonly deadline?: bigint; readonly tokenOut?: Address }
      ) =>
        encodeFunctionData({
          abi: algebraAbi,
          functionName: "exactInputSingle",
          args: [{
            tokenIn: token("USDC"),
            tokenOut: token("WETH"),
            recipient: pool,
            deadline: 2n ** 40n,
            amountIn: amount,
            amountOutMinimum: 1n,
            limitSqrtPrice: 0n,
            ...changes
          }]
        })
      const quote = encodeFunctionData({
        abi: algebraAbi,
        functionName: "quoteExactInputSingle",
        args: [token("USDC"), token("WETH"), amount, 0n]
      })
      const answer = yield* rpc.call({ to: quickswap.quoter, data: quote })
      const [promised, fee] = decodeFunctionResult({
        abi: algebraAbi,
        functionName: "quoteExactInputSingle",
        data: answer
      })
      assert.include([500, 3000], fee)
      const before = yield* held("WETH")
      yield* execute(trader, quickswap.router, single({}))
      assert.strictEqual((yield* held("WETH")) - before, promised)

      const path = concatHex([token("USDC"), token("WETH"), token("WBTC")])
      const multi = { path, recipient: pool, deadline: 2n ** 40n, amountIn: 600_000_000n, amountOutMinimum: 1n }
      yield* execute(
        trader,
        quickswap.router,
        encodeFunctionData({ abi: algebraAbi, functionName: "exactInput", args: [multi] })
      )
      assert.approximately(Number(yield* held("WBTC")), 0.01e8, 0.0002e8)

      const said = (data: Hex) => refusal(execute(trader, quickswap.router, data))
      assert.strictEqual(yield* said(single({ recipient: stranger })), "recipient is not pool")
      assert.strictEqual(yield* said(single({ tokenOut: token("AAVE") })), "unsupported destination asset")
      assert.strictEqual(yield* said(single({ deadline: 1n })), "Transaction too old")
    }))
})
