import { assert, describe, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { names, type VenueName } from "@vault-trader/core/venue/VenueName"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schema from "effect/Schema"
import { parseAbi, zeroAddress } from "viem"
import { AddressResult, read } from "../../src/contract/Deployer.ts"
import * as GasPriceOracle from "../../src/contract/GasPriceOracle.ts"
import * as LiveGuards from "../../src/contract/LiveGuards.ts"
import { pools } from "../../src/contract/Market.ts"
import * as Arbitrageur from "../../src/devnet/Arbitrageur.ts"
import { Devnet } from "../../src/devnet/Devnet.ts"
import * as PriceWalk from "../../src/devnet/PriceWalk.ts"

const networks = ["optimism", "base", "polygon"] as const
const abi = parseAbi([
  "function getContractGuard(address) view returns (address)",
  "function getPool(address, address, uint24) view returns (address)",
  "function latestAnswer() view returns (int256)",
  "function slot0() view returns (uint160, int24, uint16, uint16, uint16, uint8, bool)",
  "function getL1Fee(bytes) view returns (uint256)"
])
const Slot = Schema.Tuple([Schema.BigInt, ...Array.from({ length: 6 }, () => Schema.Unknown)])

/** Returns the venues whose router the platform guards on a network. */
const guardedOn = (network: Network) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const rpc = yield* devnet.rpc(network)
    const entry = devnet.file.networks[network]!
    const routers: Readonly<Partial<Record<VenueName, Address | undefined>>> = {
      ...entry.aggregators,
      uniswapV3: entry.uniswapV3.router,
      quickswap: entry.quickswap?.router
    }
    return yield* Effect.filter(names, (name) =>
      routers[name] === undefined
        ? Effect.succeed(false)
        : Effect.map(
          read(rpc, { address: entry.factory, abi }, AddressResult, "getContractGuard", routers[name]),
          (guard) => guard !== zeroAddress
        ))
  })

const live = Devnet.layer({ networks, heartbeat: false, guards: "live" })

describe("the devnet as live", () => {
  it.live(
    "guards aggregators only, except on polygon, also when it is applied to a chain that was resumed",
    () =>
      Effect.gen(function*() {
        const aggregators = ["1inch", "kyberswap", "odosV3"]
        assert.deepStrictEqual(yield* guardedOn("base"), aggregators as never)
        assert.deepStrictEqual(yield* guardedOn("optimism"), aggregators as never)
        assert.deepStrictEqual(yield* guardedOn("polygon"), [...aggregators, "uniswapV3", "quickswap"] as never)
        const devnet = yield* Devnet
        const rpc = yield* devnet.rpc("base")
        const block = yield* rpc.blockNumber
        yield* LiveGuards.apply(rpc, "base", devnet.file.networks.base!)
        assert.strictEqual(yield* rpc.blockNumber, block, "nothing is sent where the guards are gone")
      }).pipe(Effect.provide(live)),
    120_000
  )

  it.live(
    "has the oracle of the L1 data fee on optimism and base, which asks more for more bytes, and on no other network",
    () =>
      Effect.gen(function*() {
        const devnet = yield* Devnet
        for (const network of ["optimism", "base"] as const) {
          const rpc = yield* devnet.rpc(network)
          const fee = (bytes: number) =>
            read(rpc, { address: GasPriceOracle.address, abi }, Schema.BigInt, "getL1Fee", `0x${"ff".repeat(bytes)}`)
          assert.strictEqual(yield* fee(0), yield* fee(32))
          assert.isTrue((yield* fee(1024)) > 5n * (yield* fee(32)))
        }
        const polygon = yield* devnet.rpc("polygon")
        assert.strictEqual(yield* polygon.code(GasPriceOracle.address), "0x")
      }).pipe(Effect.provide(live)),
    120_000
  )

  it.live(
    "trades pools back to the feeds by arbitrage, and leaves alone those that are off by less than their fee",
    () =>
      Effect.gen(function*() {
        const network = "polygon"
        const devnet = yield* Devnet
        const rpc = yield* devnet.rpc(network)
        const entry = devnet.file.networks[network]!
        const prices = Effect.forEach(pools(network), ({ base, fee, quote }) =>
          Effect.gen(function*() {
            const sides = [entry.tokens[base]!.address, entry.tokens[quote]!.address].toSorted()
            const factory = { address: entry.uniswapV3.factory, abi }
            const pool = yield* read(rpc, factory, AddressResult, "getPool", ...sides, fee)
            const [price] = yield* read(rpc, { address: pool, abi }, Slot, "slot0")
            return price
          }))
        const before = yield* prices
        const price = (usd: number) => devnet.setPrice({ network, symbol: "WETH", usd })
        yield* price(3_000.1)
        yield* Arbitrageur.pass(devnet)
        assert.deepStrictEqual(yield* prices, before)
        yield* price(3_300)
        yield* Arbitrageur.pass(devnet)
        const moved = yield* prices
        for (const [index, { base, quote }] of pools(network).entries()) {
          assert.strictEqual(moved[index] !== before[index], [base, quote].includes("WETH"), `${base}/${quote}`)
        }
        yield* price(3_000)
        yield* Arbitrageur.pass(devnet)
        assert.deepStrictEqual(yield* prices, before)
      }).pipe(Effect.provide(Devnet.layer({ networks: ["polygon"], heartbeat: false }))),
    120_000
  )

  it.live(
    "moves every price but the dollar's a little, around its last set value, alike on all networks, inverses against it",
    () =>
      Effect.gen(function*() {
        const devnet = yield* Devnet
        const { step } = PriceWalk.make(devnet)
        const usd = (network: "polygon" | "base", symbol: string) =>
          Effect.gen(function*() {
            const rpc = yield* devnet.rpc(network)
            const feed = devnet.file.networks[network]!.feeds[symbol]!
            return Number(yield* read(rpc, { address: feed, abi }, Schema.BigInt, "latestAnswer")) / 1e8
          })
        yield* Effect.replicateEffect(step, 20).pipe(Random.withSeed("walk"))
        const weth = yield* usd("base", "WETH")
        assert.notStrictEqual(weth, 3_000)
        assert.closeTo(weth, 3_000, 3_000 * 20 * PriceWalk.stride)
        assert.strictEqual(yield* usd("polygon", "WETH"), weth)
        assert.strictEqual(yield* usd("base", "USDC"), 1)
        assert.closeTo((yield* usd("base", "ETHBEAR1X")) * weth, 30_000, 1)
        assert.notStrictEqual(yield* usd("polygon", "WMATIC"), 0.5)
        // A person sets a price: it moves around that.
        yield* devnet.setPrice({ network: "base", symbol: "WETH", usd: 2_000 })
        yield* Effect.replicateEffect(step, 20).pipe(Random.withSeed("walk"))
        assert.closeTo(yield* usd("base", "WETH"), 2_000, 2_000 * 20 * PriceWalk.stride)
        assert.closeTo(yield* usd("polygon", "WETH"), 3_000, 3_000 * 40 * PriceWalk.stride)
      }).pipe(Effect.provide(Devnet.layer({ networks: ["base", "polygon"], heartbeat: false }))),
    120_000
  )
})
