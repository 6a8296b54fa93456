import { assert, layer } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { encodeFunctionData, parseAbi, toFunctionSelector, toHex } from "viem"
import type { ChainClient } from "../../src/chain/ChainClient.ts"
import * as Contract from "../../src/chain/Contract.ts"
import { swap as movement } from "../../src/trading/TradeMovements.ts"
import { defaultAccess } from "../../src/venue/AggregatorClient.ts"
import { legsOf, poolOf } from "../../src/venue/OneInchCalldata.ts"
import { OneInch } from "../../src/venue/OneInch.ts"
import { UniswapV3 } from "../../src/venue/UniswapV3.ts"
import { poolsOf } from "../../src/venue/UniswapV3Path.ts"
import type { QuoteRequest } from "../../src/venue/Venue.ts"
import { approval } from "../vault/TestVault.ts"
import { countingReads, late, marketOn, patient, reason, VenueDevnet } from "./TestVenues.ts"

const network = "optimism"
const dollars = 1_000_000n
const unoswap = "0x83800a8e"
const unoswap2 = "0x8770ba91"
const factoryAbi = parseAbi([
  "function getPool(address, address, uint24) view returns (address)",
  "function createPool(address, address, uint24) returns (address)"
])
const poolAbi = parseAbi(["function initialize(uint160 sqrtPriceX96)"])
const tokenAbi = parseAbi(["function approve(address, uint256)"])
const routerAbi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "function exactInputSingle(Single params) payable returns (uint256)"
])
const getPool = toFunctionSelector("getPool(address,address,uint24)")
const quotePath = toFunctionSelector("quoteExactInput(bytes,uint256)")
const stranger: Address = "0x00000000000000000000000000000000000bad00"

/** Builds a call's calldata; without an API this needs no request. */
const built = <A, E>(effect: Effect.Effect<A, E>) => Effect.runSync(effect)

const quoteOf = (request: QuoteRequest) => OneInch.withoutApi!(request)

const market = Effect.map(marketOn(network), (vault) => ({
  ...vault,
  quote: (from: string, to: string, amountIn: bigint, chain: ChainClient = vault.chain) =>
    quoteOf({ ...vault.request(from, to, amountIn), chain }),
  /** Sells `amount` smallest units of a token in one pool, which moves its price. */
  sellInto: (from: string, to: string, fee: number, amount: bigint) =>
    Effect.gen(function*() {
      const { deployer, entry, token } = vault
      const sold = { address: token(from).address, abi: tokenAbi }
      yield* deployer.send(sold, "approve", entry.uniswapV3.router, 2n ** 255n)
      yield* deployer.send({ address: entry.uniswapV3.router, abi: routerAbi }, "exactInputSingle", {
        tokenIn: token(from).address,
        tokenOut: token(to).address,
        fee,
        recipient: vault.owner,
        amountIn: amount,
        amountOutMinimum: 0n,
        sqrtPriceLimitX96: 0n
      })
    })
}))

/** A node that gives other answers to the reads of some function; `answer` gets the calldata, and may be undefined. */
const lying = (chain: ChainClient, selector: Hex, answer: (data: Hex) => unknown): ChainClient => ({
  ...chain,
  readAll: (reads, block) =>
    Effect.map(chain.readAll(reads, block), (truths) =>
      truths.map((truth, index) => {
        const data = reads[index]?.data ?? "0x"
        const said = data.startsWith(selector) ? answer(data) : undefined
        return said === undefined ? truth : Result.succeed(said)
      }) as unknown as typeof truths)
})

layer(VenueDevnet(network, { ...defaultAccess, timeoutMillis: patient.timeoutMillis }), {
  timeout: "4 minutes",
  excludeTestServices: true
})("1inch's router without its API", (it) => {
  for (
    const [from, to, amountIn, selector] of [
      ["USDC", "WETH", 5_000n * dollars, unoswap],
      ["WETH", "USDC", 10n ** 18n, unoswap],
      ["DAI", "WBTC", 10n ** 21n, unoswap2],
      ["WBTC", "DAI", 10n ** 7n, unoswap2]
    ] as const
  ) {
    it.effect(`pays the vault exactly what Uniswap's quoter says for ${from} sold for ${to}, and takes only the sold amount`, () =>
      Effect.gen(function*() {
        const { aggregators, chain, devnet, entry, pool, quote, request, swapAsQuoted, token } = yield* market
        yield* devnet.mintToken({ network, symbol: from, address: pool, amount: amountIn })
        const found = yield* quote(from, to, amountIn)
        const direct = yield* UniswapV3.quote(request(from, to, amountIn))
        assert.deepStrictEqual([found.amountOut, found.route], [direct.amountOut, direct.route])
        assert.strictEqual(found.router, entry.aggregators["1inch"])
        const data = yield* found.build(found.amountOut, late)
        assert.isTrue(data.startsWith(selector), data)
        assert.deepStrictEqual(movement(chain, { to: found.router, data }), {
          gives: [{ token: token(from).address, amount: amountIn }],
          receiver: null
        })
        yield* swapAsQuoted(found, from, to, amountIn)
        assert.deepStrictEqual(yield* aggregators.seen, [])
      }))
  }

  it.effect("encodes the factory's pools, the direction of each, and no other flag; the decoder reads every such call back", () =>
    Effect.gen(function*() {
      const { chain, entry, pool, quote, read, token } = yield* market
      for (const [from, to, amountIn] of [["USDC", "WETH", 10n ** 9n], ["DAI", "WBTC", 10n ** 21n]] as const) {
        const found = yield* quote(from, to, amountIn)
        const names = found.route.filter((_, index) => index % 2 === 0)
        FastCheck.assert(FastCheck.property(FastCheck.bigInt({ min: 1n, max: 2n ** 255n }), (minOut) => {
          const data = built(found.build(minOut, late))
          assert.deepStrictEqual(OneInch.decode(data), {
            tokenIn: token(from).address,
            amountIn,
            tokenOut: null,
            minOut,
            receiver: null
          })
          assert.isUndefined(movement(chain, { to: pool, data }), "only the venue's router is a venue")
        }))
        for (const [index, leg] of legsOf(yield* found.build(1n, late)).entries()) {
          const [sold, bought, fee] = [token(names[index]!), token(names[index + 1]!), found.route[index * 2 + 1]]
          const canonical = yield* read(
            entry.uniswapV3.factory,
            factoryAbi,
            Schema.String,
            "getPool",
            sold.address,
            bought.address,
            Number(fee)
          )
          assert.strictEqual(poolOf(leg), Contract.lower(canonical))
          const direction = sold.address < bought.address ? 1n << 247n : 0n
          assert.strictEqual(leg, 1n << 253n | direction | BigInt(canonical))
        }
      }
    }))

  it.effect("does not execute below the minimum, nor for anyone but the vault's trader", () =>
    Effect.gen(function*() {
      const { quote, simulate, stranger, token } = yield* market
      const amountIn = 1_000n * dollars
      const { amountOut, build, router } = yield* quote("USDC", "WETH", amountIn)
      const approve = { to: token("USDC").address, data: approval(router, amountIn) }
      const at = (minOut: bigint, from?: Address) =>
        Effect.flatMap(build(minOut, late), (data) => simulate([approve, { to: router, data }], from))
      assert.isUndefined(yield* at(amountOut))
      assert.strictEqual((yield* at(amountOut + 1n))?.errorType, "slippage_exceeded")
      assert.include((yield* at(amountOut, stranger))?.message, "(dh24)")
    }))

  it.effect("uses no pool whose address a node gives wrongly, and another path where there is one", () =>
    Effect.gen(function*() {
      const { chain, entry, quote } = yield* market
      const amountIn = 1_000n * dollars
      const honest = yield* quote("USDC", "WETH", amountIn)
      assert.deepStrictEqual(honest.route, ["USDC", "500", "WETH"])
      const none = "no pool with liquidity connects the two assets"
      for (const answer of [stranger, entry.uniswapV3.router, "0x0000000000000000000000000000000000000000"]) {
        assert.strictEqual(
          yield* reason(quote("USDC", "WETH", amountIn, lying(chain, getPool, () => answer))),
          none
        )
      }
      // One false answer costs the path through that pool, and nothing else.
      const oneLie = lying(
        chain,
        getPool,
        (data) => data.endsWith(toHex(500, { size: 32 }).slice(2)) ? stranger : undefined
      )
      const other = yield* quote("USDC", "WETH", amountIn, oneLie)
      assert.deepStrictEqual(other.route, ["USDC", "3000", "WETH"])
      for (const leg of legsOf(yield* other.build(1n, late))) assert.notStrictEqual(poolOf(leg), stranger)
    }))

  it.effect("makes a call that reverts, and sells nothing, when a node invents a pool and its quote", () =>
    Effect.gen(function*() {
      const { chain, quote, simulate, token } = yield* market
      const amountIn = 1_000n * dollars
      const [usdc, weth] = [token("USDC").address, token("WETH").address]
      const { route: _, ...truth } = yield* quote("USDC", "WETH", amountIn)
      // The pool of fee 10000 does not exist; the node says that it does, and that it pays ten times as much.
      const path = `${usdc.slice(2)}002710${weth.slice(2)}`
      const quoting = lying(chain, quotePath, (data) => data.includes(path) ? truth.amountOut * 10n : undefined)
      const invented = new Map<string, string>()
      const naming = lying(quoting, getPool, (data) => invented.get(data))
      assert.deepStrictEqual((yield* quote("USDC", "WETH", amountIn, naming)).route, ["USDC", "500", "WETH"])
      const call = (fee: number) =>
        encodeFunctionData({ abi: factoryAbi, functionName: "getPool", args: [usdc, weth, fee] })
      const [hop] = poolsOf(chain.book.uniswapV3!.factory, usdc, [{ fee: 10000, to: token("WETH") }])
      invented.set(call(10000), hop!.pool)
      const { build, route, router } = yield* quote("USDC", "WETH", amountIn, naming)
      assert.deepStrictEqual(route, ["USDC", "10000", "WETH"])
      const failure = yield* simulate([
        { to: usdc, data: approval(router, amountIn) },
        { to: router, data: yield* build(1n, late) }
      ])
      assert.strictEqual(failure?.errorType, "no_route")
      assert.include(failure?.message, "(uniV3 pool invalid)")
    }))

  it.effect("avoids a pool whose price was manipulated, and pays too little where all were", () =>
    Effect.gen(function*() {
      const { quote, sellInto } = yield* market
      const amountIn = 10n ** 18n
      const fair = yield* quote("WETH", "USDC", amountIn)
      assert.deepStrictEqual(fair.route, ["WETH", "500", "USDC"])
      yield* sellInto("WETH", "USDC", 500, 10n ** 21n)
      const other = yield* quote("WETH", "USDC", amountIn)
      assert.deepStrictEqual(other.route, ["WETH", "3000", "USDC"])
      assert.isTrue(other.amountOut < fair.amountOut)
    }))

  it.effect("has no quote without a pool, in a pool without liquidity, and for an amount that buys nothing", () =>
    Effect.gen(function*() {
      const { chain, deployer, entry, quote, read, token } = yield* market
      const none = "no pool with liquidity connects the two assets"
      assert.strictEqual(yield* reason(quote("LINK", "USDC", 10n ** 18n)), none)
      const factory = { address: entry.uniswapV3.factory, abi: factoryAbi }
      const pair = [token("LINK").address, token("USDC").address, 3000] as const
      yield* deployer.send(factory, "createPool", ...pair)
      assert.strictEqual(yield* reason(quote("LINK", "USDC", 10n ** 18n)), none)
      const pool = Contract.lower(yield* read(factory.address, factoryAbi, Schema.String, "getPool", ...pair))
      yield* deployer.send({ address: pool, abi: poolAbi }, "initialize", 2n ** 96n)
      assert.match(
        yield* reason(quote("LINK", "USDC", 10n ** 18n)),
        /^(no pool with liquidity|the amount is too small)/
      )
      assert.strictEqual(yield* reason(quote("USDC", "WBTC", 1n)), "the amount is too small to buy anything")
      const { uniswapV3: _, ...rest } = chain.book
      assert.strictEqual(
        yield* reason(quote("USDC", "WETH", dollars, { ...chain, book: NetworkBook.make(rest) })),
        "Uniswap V3 is not deployed on this network"
      )
    }))

  it.effect("makes one call to the node for a quote, and none to build it", () =>
    Effect.gen(function*() {
      const { chain, quote } = yield* market
      const { counting, reads } = countingReads(chain)
      yield* (yield* quote("DAI", "WBTC", 10n ** 21n, counting)).build(1n, late)
      assert.strictEqual(reads(), 1)
    }))
})
