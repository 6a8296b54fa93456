import { assert, layer } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { NetworkBook, UniswapV3Book } from "@vault-trader/core/chain/NetworkConfig"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { concatHex, decodeFunctionData, numberToHex, parseAbi } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import { movedBy } from "../../src/platform/Transfers.ts"
import type { NoQuote } from "../../src/venue/NoQuote.ts"
import type { Quote } from "../../src/venue/Venue.ts"
import { UniswapV3 } from "../../src/venue/UniswapV3.ts"
import { approval, TestDevnet, testVault } from "../vault/TestVault.ts"
import { countingReads } from "./TestVenues.ts"

const quoterAbi = parseAbi([
  "function quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut, uint160[] prices, uint32[] ticks, uint256 gas)"
])
const routerAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct Multi { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }",
  "function exactInputSingle(Single params) payable returns (uint256)",
  "function exactInput(Multi params) payable returns (uint256)",
  "function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])"
])

/** Decodes calldata as the router does: a deadline and the inner calls. */
const decoded = (data: Hex) => {
  const outer = decodeFunctionData({ abi: routerAbi, data })
  if (outer.functionName !== "multicall") throw new Error(`not a multicall but ${outer.functionName}`)
  const [deadline, inner] = outer.args
  return { deadline, calls: inner.map((call) => decodeFunctionData({ abi: routerAbi, data: call })) }
}

/** A deadline later than any clock in the tests. */
const late = 2n ** 40n

/** A vault and a function that quotes for it. */
const market = Effect.gen(function*() {
  const vault = yield* testVault
  const { chain, entry, pool, token } = vault
  const quote = (from: string, to: string, amountIn: bigint, on: ChainClient = chain) =>
    UniswapV3.quote({
      chain: on,
      tokenIn: token(from),
      tokenOut: token(to),
      amountIn,
      vault: pool,
      wallet: pool,
      slippage: 1
    })
  /** Queries QuoterV2 directly for one path, which alternates tokens and fees. */
  const direct = (amountIn: bigint, ...path: ReadonlyArray<string | number>) =>
    Effect.map(
      vault.read(
        entry.uniswapV3.quoter,
        quoterAbi,
        Schema.TupleWithRest(Schema.Tuple([Schema.BigInt]), [Schema.Unknown]),
        "quoteExactInput",
        concatHex(path.map((step) => typeof step === "number" ? numberToHex(step, { size: 3 }) : token(step).address)),
        amountIn
      ),
      ([amountOut]) => amountOut
    )
  /** Approves and swaps in one transaction of the vault's trader. */
  const swap = (from: string, amountIn: bigint, found: Quote, minOut = found.amountOut) =>
    Effect.flatMap(
      found.build(minOut, late),
      (data) =>
        vault.execute([{ to: token(from).address, data: approval(found.router, amountIn) }, { to: found.router, data }])
    )
  return { ...vault, quote, direct, swap }
})

/** Returns the reason of a `NoQuote`. */
const reason = <A, R>(effect: Effect.Effect<A, NoQuote | ExecutionFailure, R>) =>
  Effect.map(Effect.flip(effect), (failure) => failure._tag === "NoQuote" ? failure.reason : failure.message)

layer(TestDevnet, { timeout: "4 minutes", excludeTestServices: true })("Uniswap V3", (it) => {
  it.effect("returns the quoter's amount for the best of a pair's pools", () =>
    Effect.gen(function*() {
      const { direct, quote, router } = yield* market
      const amountIn = 10_000_000_000n
      const [cheap, dear] = yield* Effect.all([
        direct(amountIn, "USDC", 500, "WETH"),
        direct(amountIn, "USDC", 3000, "WETH")
      ])
      assert.isTrue(cheap > dear)
      const found = yield* quote("USDC", "WETH", amountIn)
      assert.strictEqual(found.amountOut, cheap)
      assert.deepStrictEqual(found.route, ["USDC", "500", "WETH"])
      assert.strictEqual(found.router, router)
    }))

  it.effect("quotes both directions, and every size starting with dust", () =>
    Effect.gen(function*() {
      const { direct, quote } = yield* market
      for (const amountIn of [10n ** 12n, 10n ** 15n, 10n ** 18n, 10n ** 19n]) {
        const found = yield* quote("WETH", "USDC", amountIn)
        assert.strictEqual(found.amountOut, yield* direct(amountIn, "WETH", 500, "USDC"))
      }
    }))

  it.effect("takes the pool that pays best, not the one that charges least", () =>
    Effect.gen(function*() {
      const { deployer, direct, entry, quote, router, token } = yield* market
      // Buys the cheap pool empty, so that its price is far off.
      const weth = { address: token("WETH").address, abi: parseAbi(["function approve(address,uint256)"]) }
      yield* deployer.send(weth, "approve", router, 2n ** 255n)
      yield* deployer.send({ address: entry.uniswapV3.router, abi: routerAbi }, "exactInputSingle", {
        tokenIn: token("WETH").address,
        tokenOut: token("USDC").address,
        fee: 500,
        recipient: deployer.address,
        amountIn: 100n * 10n ** 18n,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n
      })
      const found = yield* quote("WETH", "USDC", 10n ** 18n)
      assert.deepStrictEqual(found.route, ["WETH", "3000", "USDC"])
      assert.strictEqual(found.amountOut, yield* direct(10n ** 18n, "WETH", 3000, "USDC"))
    }))

  it.effect("goes through another token where no pool connects the pair", () =>
    Effect.gen(function*() {
      const { direct, quote } = yield* market
      const amountIn = 50_000n * 10n ** 18n
      const found = yield* quote("DAI", "WBTC", amountIn)
      assert.deepStrictEqual(found.route, ["DAI", "100", "USDC", "3000", "WBTC"])
      assert.strictEqual(found.amountOut, yield* direct(amountIn, "DAI", 100, "USDC", 3000, "WBTC"))
      const other = yield* direct(amountIn, "DAI", 3000, "WETH", 3000, "WBTC")
      assert.isTrue(found.amountOut > other)
    }))

  it.effect("goes through another token where that pays better than the pair's own pool", () =>
    Effect.gen(function*() {
      const { direct, quote } = yield* market
      const amountIn = 10_000n * 10n ** 18n
      const found = yield* quote("DAI", "WETH", amountIn)
      assert.deepStrictEqual(found.route, ["DAI", "100", "USDC", "500", "WETH"])
      assert.strictEqual(found.amountOut, yield* direct(amountIn, "DAI", 100, "USDC", 500, "WETH"))
      assert.isTrue(found.amountOut > (yield* direct(amountIn, "DAI", 3000, "WETH")))
    }))

  it.effect("has no quote without a pool, in either direction, nor for an amount that buys nothing", () =>
    Effect.gen(function*() {
      const { quote } = yield* market
      const none = "no pool with liquidity connects the two assets"
      assert.strictEqual(yield* reason(quote("LINK", "USDC", 10n ** 18n)), none)
      assert.strictEqual(yield* reason(quote("USDC", "LINK", 10n ** 6n)), none)
      assert.strictEqual(yield* reason(quote("USDC", "WBTC", 1n)), "the amount is too small to buy anything")
    }))

  it.effect("has no quote on a network it is not deployed on, and no router there", () =>
    Effect.gen(function*() {
      const { book, chain, quote } = yield* market
      const { uniswapV3: _, ...rest } = book
      const elsewhere: ChainClient = { ...chain, book: NetworkBook.make(rest) }
      assert.strictEqual(yield* reason(quote("USDC", "WETH", 10n ** 6n, elsewhere)), "not deployed on this network")
      assert.isUndefined(UniswapV3.router(elsewhere))
    }))

  it.effect("has no quote where the quoter is another contract", () =>
    Effect.gen(function*() {
      const { book, chain, entry, quote } = yield* market
      const quoter: Address = entry.factory
      const elsewhere: ChainClient = {
        ...chain,
        book: NetworkBook.make({ ...book, uniswapV3: UniswapV3Book.make({ ...book.uniswapV3!, quoter }) })
      }
      assert.strictEqual(
        yield* reason(quote("USDC", "WETH", 10n ** 6n, elsewhere)),
        "no pool with liquidity connects the two assets"
      )
    }))

  it.effect("makes one call with a deadline: to the vault, of the whole sold amount, for at least the minimum", () =>
    Effect.gen(function*() {
      const { pool, quote, token } = yield* market
      const { build } = yield* quote("USDC", "WETH", 10_000_000n)
      const { calls, deadline } = decoded(yield* build(1234n, 5678n))
      assert.strictEqual(deadline, 5678n)
      assert.lengthOf(calls, 1)
      const [call] = calls
      if (call?.functionName !== "exactInputSingle") return assert.fail(call?.functionName)
      const [{ recipient, tokenIn, tokenOut, ...rest }] = call.args
      assert.deepStrictEqual([tokenIn, tokenOut, recipient].map((address) => address.toLowerCase()), [
        token("USDC").address,
        token("WETH").address,
        pool
      ])
      assert.deepStrictEqual(rest, { fee: 500, amountIn: 10_000_000n, amountOutMinimum: 1234n, sqrtPriceLimitX96: 0n })
    }))

  it.effect("makes one call with a deadline on a route through another token, too", () =>
    Effect.gen(function*() {
      const { pool, quote, token } = yield* market
      const amountIn = 10n ** 21n
      const { build } = yield* quote("DAI", "WBTC", amountIn)
      const { calls, deadline } = decoded(yield* build(1234n, 5678n))
      assert.strictEqual(deadline, 5678n)
      assert.lengthOf(calls, 1)
      const [call] = calls
      if (call?.functionName !== "exactInput") return assert.fail(call?.functionName)
      const [{ path, recipient, ...rest }] = call.args
      assert.strictEqual(recipient.toLowerCase(), pool)
      assert.deepStrictEqual(rest, { amountIn, amountOutMinimum: 1234n })
      assert.strictEqual(
        path,
        concatHex([token("DAI").address, "0x000064", token("USDC").address, "0x000bb8", token("WBTC").address])
      )
    }))

  for (
    const [from, to, amountIn] of [["USDC", "WETH", 5_000_000_000n], ["WETH", "USDC", 10n ** 18n], [
      "USDC",
      "WBTC",
      1_000_000_000n
    ]] as const
  ) {
    it.effect(`pays the vault exactly the quoted amount for ${from} sold for ${to}, and takes only the sold amount`, () =>
      Effect.gen(function*() {
        const { allowance, held, pool, quote, swap, token } = yield* market
        const [hadIn, hadOut] = yield* Effect.all([held(from), held(to)])
        const found = yield* quote(from, to, amountIn)
        const receipt = yield* swap(from, amountIn, found)
        assert.strictEqual(hadIn - (yield* held(from)), amountIn)
        assert.strictEqual((yield* held(to)) - hadOut, found.amountOut)
        assert.deepStrictEqual(movedBy(receipt.logs, token(from).address, pool), { sent: amountIn, received: 0n })
        assert.deepStrictEqual(movedBy(receipt.logs, token(to).address, pool), { sent: 0n, received: found.amountOut })
        assert.strictEqual(yield* allowance(from), 0n)
      }))
  }

  it.effect("pays the quoted amount through another token", () =>
    Effect.gen(function*() {
      const { devnet, held, pool, quote, swap } = yield* market
      const amountIn = 10n ** 21n
      yield* devnet.mintToken({ network: "optimism", symbol: "DAI", address: pool, amount: amountIn })
      const found = yield* quote("DAI", "WBTC", amountIn)
      yield* swap("DAI", amountIn, found)
      assert.strictEqual(yield* held("WBTC"), found.amountOut)
      assert.strictEqual(yield* held("DAI"), 0n)
    }))

  it.effect("does not execute below the minimum, nor after the deadline", () =>
    Effect.gen(function*() {
      const { quote, simulate, token } = yield* market
      const amountIn = 1_000_000_000n
      const found = yield* quote("USDC", "WETH", amountIn)
      const approve = { to: token("USDC").address, data: approval(found.router, amountIn) }
      const swapAt = (minOut: bigint, deadline: bigint) =>
        Effect.flatMap(found.build(minOut, deadline), (data) => simulate([approve, { to: found.router, data }]))
      assert.isUndefined(yield* swapAt(found.amountOut, late))
      const greedy = yield* swapAt(found.amountOut + 1n, late)
      assert.strictEqual(greedy?.errorType, "slippage_exceeded")
      assert.include((yield* swapAt(found.amountOut, 1n))?.message, "Transaction too old")
    }))

  it.effect("cannot be executed by anyone but the vault's trader and manager", () =>
    Effect.gen(function*() {
      const { manager, quote, simulate, stranger, token } = yield* market
      const found = yield* quote("USDC", "WETH", 10n ** 6n)
      const calls = [
        { to: token("USDC").address, data: approval(found.router, 10n ** 6n) },
        { to: found.router, data: yield* found.build(0n, late) }
      ]
      assert.include((yield* simulate(calls, stranger))?.message, "(dh24)")
      assert.isUndefined(yield* simulate(calls, manager))
    }))

  it.effect("quotes all its paths in one call to the node", () =>
    Effect.gen(function*() {
      const { chain, quote } = yield* market
      const { counting, reads } = countingReads(chain)
      yield* quote("DAI", "WBTC", 10n ** 18n, counting)
      assert.strictEqual(reads(), 1)
    }))
})
