import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { decodeErrorResult, encodeFunctionData, maxUint256, parseAbi } from "viem"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import * as ChainState from "../../src/test-chain/ChainState.ts"
import * as C from "./Calls.ts"
import { ether, gwei, manager, managerKey, refusal, start, stranger, trader, usd } from "./Trader.ts"

const setup = Effect.map(start(), (life) => {
  const { chain, router, vault } = life
  const [usdc, weth] = [chain.token("USDC"), chain.token("WETH")]
  const swap = { router, from: usdc, to: weth, amountIn: 3000n * usd, recipient: vault.pool }
  const held = (symbol: string, owner: Address = vault.pool) =>
    Effect.map(chain.world, (world) => ChainState.slot(world, ChainState.balance(chain.token(symbol), owner)))
  /** The text of `Error(string)`. */
  const textOf = (from: Address, ...calls: ReadonlyArray<C.Call>) =>
    Effect.map(refusal(life.call(from, C.through(vault.pool, ...calls))), ({ code, data }) => {
      if (data === undefined) return "nothing"
      assert.strictEqual(code, 3)
      return String(decodeErrorResult({ abi: [], data: data as Hex /* hex, or viem throws */ }).args[0])
    })
  return { ...life, usdc, weth, swap, held, textOf, approved: C.approve(usdc, router, maxUint256) }
})

it.effect("approve and swap in one transaction move the requested amounts, emit Transfer events, and leave the allowance spent", () =>
  Effect.gen(function*() {
    const { chain, held, router, send, swap, usdc, vault, weth } = yield* setup
    const [answer] = yield* C.readAll(chain.request, chain.deployed.multicall3, [{
      to: chain.deployed.uniswapV3.quoter,
      data: encodeFunctionData({
        abi: C.quoterAbi,
        functionName: "quoteExactInput",
        args: [C.path(usdc, [500, weth]), swap.amountIn]
      })
    }])
    const quoted = BigInt((answer?.returnData ?? "0x").slice(0, 66))
    const hash = yield* send(
      C.through(vault.pool, C.approve(usdc, router, swap.amountIn), C.swap({ ...swap, least: quoted }))
    )
    const { transactions: [mined] } = yield* chain.mine()
    assert.strictEqual(mined?.transaction.hash, hash)
    assert.isTrue(mined?.succeeded)
    assert.strictEqual(yield* held("USDC"), 97_000n * usd)
    assert.strictEqual(yield* held("WETH"), 10n * ether + quoted)
    assert.strictEqual(ChainState.slot(yield* chain.world, ChainState.allowance(usdc, vault.pool, router)), 0n)
    const amounts = mined?.logs.filter(({ topics }) => topics[0]?.startsWith("0xddf252ad")).map((
      { address, data }
    ) => [address, BigInt(data)])
    assert.deepStrictEqual(amounts, [[weth, quoted], [usdc, swap.amountIn]])
  }))

it.effect("a transaction that reverts costs gas and a nonce, and moves nothing", () =>
  Effect.gen(function*() {
    const { approved, chain, held, nonce, router, send, swap, usdc, vault } = yield* setup
    yield* send(C.through(vault.pool, approved, C.swap({ ...swap, least: ether * 2n })))
    const { transactions: [mined] } = yield* chain.mine()
    assert.deepStrictEqual([mined?.succeeded, mined?.logs], [false, []])
    assert.deepStrictEqual([yield* held("USDC"), yield* nonce("latest")], [100_000n * usd, 1n])
    // The approval before it is undone as well.
    assert.strictEqual(ChainState.slot(yield* chain.world, ChainState.allowance(usdc, vault.pool, router)), 0n)
  }))

it.effect("too little gas uses all of it and reverts", () =>
  Effect.gen(function*() {
    const { approved, chain, send, swap, vault } = yield* setup
    const call = C.through(vault.pool, approved, C.swap(swap))
    const needed = C.number(yield* chain.request("eth_estimateGas", [{ from: trader, ...call }]))
    yield* send({ ...call, gas: needed - 1n })
    yield* send({ ...call, gas: needed, nonce: 1 })
    const { transactions: [short, enough] } = yield* chain.mine()
    assert.deepStrictEqual([short?.succeeded, short?.gasUsed], [false, needed - 1n])
    assert.deepStrictEqual([enough?.succeeded, enough?.gasUsed], [true, needed])
  }))

it.effect("the platform refuses with its own reasons", () =>
  Effect.gen(function*() {
    const { approved, chain, router, swap, textOf, usdc, vault } = yield* setup
    assert.strictEqual(yield* textOf(stranger, approved), "dh24")
    assert.strictEqual(yield* textOf(trader, { to: usdc, data: "0xdeadbeef" }), "dh23")
    assert.strictEqual(yield* textOf(trader, C.approve(chain.token("AAVE"), router, 1n)), "dh22")
    assert.strictEqual(yield* textOf(trader, C.approve(usdc, stranger, 1n)), "unsupported spender approval")
    assert.strictEqual(yield* textOf(trader, C.swap(swap)), "STF")
    assert.strictEqual(yield* textOf(trader, approved, C.swap({ ...swap, least: ether * 2n })), "Too little received")
    yield* TestClock.adjust("100 seconds")
    yield* chain.mine()
    assert.strictEqual(yield* textOf(trader, approved, C.swap({ ...swap, deadline: 99n })), "Transaction too old")
    yield* chain.setTradingPaused(vault.pool, true)
    assert.strictEqual(yield* textOf(trader, approved), "dh20")
    yield* chain.setPaused(true)
    assert.strictEqual(yield* textOf(trader, approved), "dh1")
  }))

it.effect("custom errors of tokens keep their data", () =>
  Effect.gen(function*() {
    const { call, usdc } = yield* setup
    const { data } = yield* refusal(call(stranger, { to: usdc, data: C.transfer(trader, 7n) }))
    const abi = parseAbi(["error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)"])
    const { args } = decodeErrorResult({ abi, data: data as Hex /* hex, or viem throws */ })
    assert.deepStrictEqual(args.map((arg) => typeof arg === "string" ? arg.toLowerCase() : arg), [stranger, 0n, 7n])
  }))

it.effect("swaps along a path, the router holding what is between", () =>
  Effect.gen(function*() {
    const { approved, chain, held, router, send, usdc, vault, weth } = yield* setup
    const along = encodeFunctionData({
      abi: C.routerAbi,
      functionName: "exactInput",
      args: [{
        path: C.path(usdc, [500, weth], [3000, chain.token("WBTC")]),
        recipient: vault.pool,
        amountIn: 600n * usd,
        amountOutMinimum: 0n
      }]
    })
    yield* send(C.through(vault.pool, approved, { to: router, data: C.withDeadline(C.never, along) }))
    const { transactions: [mined] } = yield* chain.mine()
    assert.isTrue(mined?.succeeded)
    assert.approximately(Number(yield* held("WBTC")), 0.01e8, 0.0002e8)
    assert.strictEqual(yield* held("WETH", router), 0n)
  }))

it.effect("spends the slippage budget, which comes back within a day", () =>
  Effect.gen(function*() {
    const { approved, chain, swap, textOf, send, vault } = yield* setup
    yield* chain.setPrice("WETH", 3200)
    yield* chain.setPrice("WETH", 2800)
    yield* TestClock.adjust("1 day")
    yield* chain.mine()
    const lossy = C.through(vault.pool, approved, C.swap({ ...swap, amountIn: 1000n * usd }))
    yield* send(lossy)
    const { transactions: [mined] } = yield* chain.mine()
    assert.isTrue(mined?.succeeded)
    assert.strictEqual(yield* textOf(trader, C.swap({ ...swap, amountIn: 1000n * usd })), "slippage impact exceeded")
    yield* TestClock.adjust("1 day")
    yield* chain.mine()
    yield* send({ ...lossy, nonce: 1 })
    assert.isTrue((yield* chain.mine()).transactions[0]?.succeeded)
  }))

it.effect("a stale price makes the whole composition fail", () =>
  Effect.gen(function*() {
    const { call, chain, vault } = yield* setup
    yield* chain.setPrice("WETH", 3000, 0n)
    const composition = {
      to: vault.managerLogic,
      data: encodeFunctionData({ abi: C.managerLogicAbi, functionName: "getFundComposition" })
    }
    yield* call(stranger, composition)
    yield* TestClock.adjust("25 hours")
    yield* TestClock.adjust("1 second")
    yield* chain.mine()
    assert.match((yield* refusal(call(stranger, composition))).reason, /execution reverted: Chainlink price expired/)
  }))

it.effect("a manager's transaction changes the trader, a stranger's does not", () =>
  Effect.gen(function*() {
    const { approved, chain, send, textOf, vault } = yield* setup
    const data = encodeFunctionData({ abi: C.managerLogicAbi, functionName: "setTrader", args: [stranger] })
    yield* send({ to: vault.managerLogic, data, gas: 100_000n })
    yield* send({ key: managerKey, to: vault.managerLogic, data, gas: 100_000n, nonce: 0 })
    const { transactions } = yield* chain.mine()
    assert.deepStrictEqual(transactions.map(({ succeeded, transaction }) => [transaction.from, succeeded]), [[
      trader,
      false
    ], [manager, true]])
    assert.strictEqual(yield* textOf(trader, approved), "dh24")
  }))

it.effect("several vaults, tokens and pools coexist, and the configuration has them", () =>
  Effect.gen(function*() {
    const { chain, vault } = yield* setup
    const other = yield* chain.createVault({ manager: stranger, assets: ["USDC", "FOO"] })
    assert.notStrictEqual(other.pool, vault.pool)
    const foo = yield* chain.addToken({ symbol: "FOO", decimals: 9, price: 2n * ether })
    yield* chain.setPool({ base: "FOO", quote: "USDC", fee: 3000, baseReserve: 1_000_000n, quoteReserve: 2_000_000n })
    const [answer] = yield* C.readAll(chain.request, chain.deployed.multicall3, [{
      to: chain.deployed.uniswapV3.quoter,
      data: encodeFunctionData({
        abi: C.quoterAbi,
        functionName: "quoteExactInput",
        args: [C.path(foo, [3000, chain.token("USDC")]), 10n ** 9n]
      })
    }])
    assert.approximately(Number(BigInt((answer?.returnData ?? "0x").slice(0, 66))), 1.994e6, 100)
    const book = chain.book({ confirmations: 3 })
    assert.deepStrictEqual(
      book.tokens.find(({ symbol }) => symbol === "FOO"),
      book.tokens.find(({ address }) => address === foo)
    )
    assert.deepStrictEqual([book.confirmations, book.chainId, book.wrappedNative], [3, 10, chain.token("WETH")])
  }))

it.effect("money sent to a contract comes back with the revert", () =>
  Effect.gen(function*() {
    const { chain, send, usdc } = yield* setup
    yield* send({ to: usdc, value: ether, gas: 100_000n })
    const { transactions: [mined] } = yield* chain.mine()
    assert.isFalse(mined?.succeeded)
    const paid = (mined?.gasUsed ?? 0n) * (mined?.effectiveGasPrice ?? 0n)
    assert.strictEqual(ChainState.slot(yield* chain.world, ChainState.native(trader)), 100n * ether - paid)
    assert.strictEqual(mined?.effectiveGasPrice, 2n * gwei)
  }))
