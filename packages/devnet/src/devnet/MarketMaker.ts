/**
 * Moves a devnet's prices: sets the feed, then trades from a well-funded account in every pool of the token until the
 * pool has the same price. Inverse tokens move against their base.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { encodeFunctionData, maxUint256, parseAbi, zeroAddress } from "viem"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import { AddressResult, read } from "../contract/Deployer.ts"
import { inverses, pools, type PoolFacts, poolTokens, tokens } from "../contract/Market.ts"
import { type Priced, sqrtPriceX96 } from "../contract/UniswapV3.ts"
import type { DevnetClient, DevnetFailure } from "./DevnetClient.ts"
import type { DevnetNetwork } from "./DevnetFile.ts"
import { NotInDevnet } from "./NotInDevnet.ts"

const abi = parseAbi([
  "function getPool(address, address, uint24) view returns (address)",
  "function slot0() view returns (uint160 sqrtPriceX96, int24, uint16, uint16, uint16, uint8, bool)",
  "function latestAnswer() view returns (int256)",
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function approve(address, uint256) returns (bool)",
  "function mint(address, uint256)",
  "function deposit() payable",
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96)) payable returns (uint256)"
])

const Uint = Schema.BigInt
const Slot = Schema.Tuple([Uint, ...Array.from({ length: 6 }, () => Schema.Unknown)])

/** Maximum amount of one swap in USD: more than any pool holds. */
const maxSwapUsd = 100_000_000n
const gas = 10n ** 20n

interface PricedToken extends Priced {
  readonly symbol: string
  readonly address: Address
}

const priceToken = (network: Network, entry: DevnetNetwork, rpc: AnvilRpc, symbol: string) =>
  Effect.gen(function*() {
    const [token, feed] = [entry.tokens[symbol], entry.feeds[symbol]]
    if (token === undefined || feed === undefined) {
      return yield* new NotInDevnet({ what: `token ${symbol} on ${network}` })
    }
    return { symbol, ...token, price: yield* read(rpc, { address: feed, abi }, Uint, "latestAnswer") }
  })

/** Ensures that `developer` can put `maxSwapUsd` into a swap; returns that amount in the token's smallest unit. */
const ensureFunds = (
  rpc: AnvilRpc,
  developer: Address,
  router: Address,
  { address, decimals, price }: PricedToken,
  isWrapper: boolean
) =>
  Effect.gen(function*() {
    const wanted = maxSwapUsd * 10n ** BigInt(decimals + 8) / price
    const held = yield* read(rpc, { address, abi }, Uint, "balanceOf", developer)
    const send = (data: `0x${string}`, value = 0n) => rpc.send({ from: developer, to: address, data, value })
    if (held < wanted && isWrapper) {
      yield* rpc.addBalance(developer, wanted - held + gas)
      yield* send(encodeFunctionData({ abi, functionName: "deposit" }), wanted - held)
    } else if (held < wanted) {
      yield* send(encodeFunctionData({ abi, functionName: "mint", args: [developer, wanted - held] }))
    }
    const allowed = yield* read(rpc, { address, abi }, Uint, "allowance", developer, router)
    if (allowed < wanted) yield* send(encodeFunctionData({ abi, functionName: "approve", args: [router, maxUint256] }))
    return wanted
  })

/** Returns true when two square roots of prices differ by more than this many parts of a million of the price. */
const isOff = (now: bigint, wanted: bigint, millionths: number) => {
  const [small, large] = now < wanted ? [now, wanted] : [wanted, now]
  return large * large * 1_000_000n > small * small * (1_000_000n + BigInt(millionths))
}

/**
 * Trades in one pool until its price matches the feeds, if it is off by more than `slack` millionths.
 */
export const align = (
  network: Network,
  entry: DevnetNetwork,
  rpc: AnvilRpc,
  { base, fee, quote }: PoolFacts,
  slack = 0
): Effect.Effect<void, DevnetFailure> =>
  Effect.gen(function*() {
    const { factory, router } = entry.uniswapV3
    const sides = yield* Effect.forEach([base, quote], (symbol) => priceToken(network, entry, rpc, symbol))
    const [first, second] = sides.sort((a, b) => a.address < b.address ? -1 : 1) as [PricedToken, PricedToken]
    const pool = yield* read(
      rpc,
      { address: factory, abi },
      AddressResult,
      "getPool",
      first.address,
      second.address,
      fee
    )
    if (pool === zeroAddress) return
    const [now] = yield* read(rpc, { address: pool, abi }, Slot, "slot0")
    const wanted = sqrtPriceX96(first, second)
    if (!isOff(now, wanted, slack)) return
    const [sold, bought] = now > wanted ? [first, second] : [second, first]
    const developer = yield* rpc.developer
    const amountIn = yield* ensureFunds(
      rpc,
      developer,
      router,
      sold,
      sold.address === entry.wrappedNative || sold.symbol === "WETH"
    )
    const swap = {
      tokenIn: sold.address,
      tokenOut: bought.address,
      fee,
      recipient: developer,
      amountIn,
      amountOutMinimum: 0n,
      sqrtPriceLimitX96: wanted
    }
    yield* rpc.send({
      from: developer,
      to: router,
      data: encodeFunctionData({ abi, functionName: "exactInputSingle", args: [swap] })
    })
  })

export interface PriceMove {
  readonly network: Network
  readonly symbol: string
  readonly usd: number
}

/** Returns the USD price of an inverse token for a price of its base: their product stays what it was at the start. */
const inverseUsd = (network: Network, base: string, inverse: string, usd: number): number => {
  const all = [...tokens(network), ...poolTokens(network)]
  const start = (symbol: string) => Number(all.find((token) => token.symbol === symbol)?.price ?? 0n) / 1e8
  return start(base) * start(inverse) / usd
}

/** Returns the symbols of a network's tokens that move against a token. */
const inversesOf = (network: Network, base: string): ReadonlyArray<string> => [
  ...tokens(network).flatMap(({ symbol }) => symbol === inverses[base] ? [symbol] : []),
  ...poolTokens(network).flatMap((token) => token.base === base && token.leverage === -1 ? [token.symbol] : [])
]

/** Returns a move with those of the tokens that move against it. */
export const withInverses = (move: PriceMove): ReadonlyArray<PriceMove> => [
  move,
  ...inversesOf(move.network, move.symbol).map((inverse) => ({
    ...move,
    symbol: inverse,
    usd: inverseUsd(move.network, move.symbol, inverse, move.usd)
  }))
]

/**
 * Sets prices and trades every affected pool to them. The moves of one network run one after another, because one
 * developer account trades.
 */
export const movePrices = (devnet: DevnetClient, moves: ReadonlyArray<PriceMove>): Effect.Effect<void, DevnetFailure> =>
  Effect.gen(function*() {
    const all = moves.flatMap(withInverses)
    for (const move of all) yield* devnet.setPrice(move)
    for (const network of new Set(all.map((move) => move.network))) {
      const entry = devnet.file.networks[network]
      if (entry === undefined) return yield* new NotInDevnet({ what: `network ${network}` })
      const rpc = yield* devnet.rpc(network)
      const moved = new Set(all.flatMap((move) => move.network === network ? [move.symbol] : []))
      for (const pool of pools(network)) {
        if (moved.has(pool.base) || moved.has(pool.quote)) yield* align(network, entry, rpc, pool)
      }
    }
  }).pipe(Effect.withSpan("MarketMaker.movePrices"))
