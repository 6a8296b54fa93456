import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parseAbi, zeroAddress } from "viem"
import { AddressResult, read } from "../../src/contract/Deployer.ts"
import { pools } from "../../src/contract/Market.ts"
import { sqrtPriceX96 } from "../../src/contract/UniswapV3.ts"
import { Devnet } from "../../src/devnet/Devnet.ts"
import { movePrices } from "../../src/devnet/MarketMaker.ts"

const network = "base"
const abi = parseAbi([
  "function getPool(address, address, uint24) view returns (address)",
  "function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)",
  "function latestAnswer() view returns (int256)"
])
const Uint = Schema.BigInt
const Slot = Schema.Tuple([Uint, ...Array.from({ length: 6 }, () => Schema.Unknown)])

/** Returns the feeds in USD, and for each pool whether it agrees with them. */
const seen = Effect.gen(function*() {
  const devnet = yield* Devnet
  const rpc = yield* devnet.rpc(network)
  const entry = devnet.file.networks[network]!
  const token = (symbol: string) =>
    Effect.map(
      read(rpc, { address: entry.feeds[symbol] ?? zeroAddress, abi }, Uint, "latestAnswer"),
      (price) => ({ price, ...entry.tokens[symbol]! })
    )
  const agreeing = yield* Effect.forEach(pools(network), ({ base, fee, quote }) =>
    Effect.gen(function*() {
      const [first, second] = [yield* token(base), yield* token(quote)].sort((a, b) => a.address < b.address ? -1 : 1)
      const pool = yield* read(
        rpc,
        { address: entry.uniswapV3.factory, abi },
        AddressResult,
        "getPool",
        first!.address,
        second!.address,
        fee
      )
      const [price] = yield* read(rpc, { address: pool, abi }, Slot, "slot0")
      return price === sqrtPriceX96(first!, second!)
    }))
  const usd = yield* Effect.forEach(
    ["WETH", "WBTC", "ETHBEAR1X"],
    (symbol) => Effect.map(token(symbol), ({ price }) => Number(price) / 1e8)
  )
  return { usd, agreeing }
})

layer(Devnet.layer({ networks: [network], heartbeat: false }), { timeout: 240_000 })("the market maker", (it) => {
  it.effect("moves a token's feed, all its pools and its inverse token; up, down, and back", () =>
    Effect.gen(function*() {
      const devnet = yield* Devnet
      const all = Array.from(pools(network), () => true)
      assert.deepStrictEqual(yield* seen, { usd: [3000, 60_000, 10], agreeing: all })
      yield* movePrices(devnet, [{ network, symbol: "WETH", usd: 3600 }, { network, symbol: "WBTC", usd: 54_000 }])
      const { agreeing, usd } = yield* seen
      assert.deepStrictEqual([usd[0], usd[1], Math.round((usd[2] ?? 0) * 1000)], [3600, 54_000, 8333])
      assert.deepStrictEqual(agreeing, all)
      yield* movePrices(devnet, [{ network, symbol: "WETH", usd: 2000 }])
      assert.deepStrictEqual(yield* seen, { usd: [2000, 54_000, 15], agreeing: all })
      yield* movePrices(devnet, [{ network, symbol: "WETH", usd: 3000 }, { network, symbol: "WBTC", usd: 60_000 }])
      assert.deepStrictEqual(yield* seen, { usd: [3000, 60_000, 10], agreeing: all })
    }))

  it.effect("reports what the devnet does not have", () =>
    Effect.gen(function*() {
      const devnet = yield* Devnet
      const failure = yield* Effect.flip(movePrices(devnet, [{ network, symbol: "PEPE", usd: 1 }]))
      assert.include(failure.message, "PEPE")
    }))
})
