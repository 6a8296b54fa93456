/** The contracts every chain of ours starts with, and the market of its network. */
import * as HashMap from "effect/HashMap"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Market from "../contract/Market.ts"
import { factoryAddress } from "./contract/PoolLogic.ts"
import * as ChainState from "./ChainState.ts"

/** Where the contracts stand; vaults come with `createVault`. */
export interface Deployed {
  readonly factory: Address
  readonly multicall3: Address
  readonly uniswapV3: { readonly factory: Address; readonly router: Address; readonly quoter: Address }
  /** The guard the platform puts before the router. */
  readonly routerGuard: Address
}

export const deployed: Deployed = {
  factory: factoryAddress,
  multicall3: "0xca11bde05977b3631167028862be2a173976ca11",
  uniswapV3: {
    factory: ChainState.addressOf("uniswap v3 factory"),
    router: ChainState.addressOf("uniswap v3 router"),
    quoter: ChainState.addressOf("uniswap v3 quoter")
  },
  routerGuard: ChainState.addressOf("uniswap v3 router guard")
}

export const wrappedNativeOf = (network: Network): string => facts[network].wrappedNative

/** Where the token of a symbol stands. */
export const tokenAddress = (symbol: string): Address => ChainState.addressOf(`token ${symbol}`)

const contracts: ReadonlyArray<readonly [Address, ChainState.Contract]> = [
  [deployed.factory, { _tag: "Factory" }],
  [deployed.multicall3, { _tag: "Multicall" }],
  [deployed.uniswapV3.router, { _tag: "Router" }],
  [deployed.uniswapV3.quoter, { _tag: "Quoter" }],
  [deployed.routerGuard, { _tag: "Guard" }]
]

export interface NewToken {
  readonly symbol: string
  readonly decimals: number
  /** USD per whole token, 18 decimals. A token without is no asset of the platform. */
  readonly price?: bigint
  readonly assetType?: number
}

/** A token, an asset of the platform if it has a price. */
export const withToken = (world: ChainState.World, { assetType = 0, decimals, price, symbol }: NewToken): ChainState.World => {
  const address = tokenAddress(symbol)
  const placed = ChainState.withContract(world, address, { _tag: "Token", symbol, decimals })
  return price === undefined ? placed : withAsset(placed, address, { price, assetType, updatedAt: undefined })
}

export const withAsset = (world: ChainState.World, asset: Address, info: ChainState.AssetInfo): ChainState.World => ({
  ...world,
  platform: { ...world.platform, assets: HashMap.set(world.platform.assets, asset, info) }
})

export interface NewPair {
  readonly base: Address
  readonly quote: Address
  /** Hundredths of a basis point. */
  readonly fee: number
  /** Smallest units on each side. */
  readonly baseReserve: bigint
  readonly quoteReserve: bigint
}

/** A pool with what it owes in its hands; the tokens for it come out of nothing. */
export const withPool = (world: ChainState.World, { base, baseReserve, fee, quote, quoteReserve }: NewPair): ChainState.World => {
  const first = base < quote
  const address = ChainState.pairOf(world, base, quote, fee)?.address ?? ChainState.addressOf(`pool ${base} ${quote} ${fee}`)
  const pair: ChainState.Pair = {
    address,
    fee,
    token0: first ? base : quote,
    token1: first ? quote : base,
    reserve0: first ? baseReserve : quoteReserve,
    reserve1: first ? quoteReserve : baseReserve
  }
  const placed = ChainState.withPair(ChainState.withContract(world, address, { _tag: "Pair" }), pair)
  const held = ChainState.withSlot(placed, ChainState.balance(base, address), baseReserve)
  return ChainState.withSlot(held, ChainState.balance(quote, address), quoteReserve)
}

/** A position over a range of ticks is, around its price, as deep as this many times its money over the whole range. */
const concentration = (width: number | undefined): bigint =>
  width === undefined ? 1000n : BigInt(Math.round(1000 / (1 - 1.0001 ** (-width / 2))))

const withMarket = (world: ChainState.World, network: Network): ChainState.World => {
  const tokens = Market.tokens(network)
  const listed = tokens.reduce((all, { decimals, price, symbol }) =>
    withToken(all, { symbol, decimals, price: price * 10n ** 10n }), world)
  return Market.pools(network).reduce((all, { base, depth, fee, quote, width }) => {
    const [one, other] = [base, quote].map((symbol) => tokens.find((token) => token.symbol === symbol))
    if (one === undefined || other === undefined) return all
    const baseReserve = depth * 10n ** BigInt(one.decimals) * concentration(width) / 1000n
    const quoteReserve = baseReserve * one.price * 10n ** BigInt(other.decimals) / (other.price * 10n ** BigInt(one.decimals))
    return withPool(all, { base: tokenAddress(base), quote: tokenAddress(quote), fee, baseReserve, quoteReserve })
  }, listed)
}

/** Worlds are immutable, so every chain of a network can begin with the same one. */
const made = new Map<string, ChainState.World>()

/** The platform, Uniswap and Multicall3 with no token; or with the network's tokens, prices and pools, as the devnet has them. */
export const world = (network: Network, market: "network" | "none"): ChainState.World => {
  const known = made.get(`${network} ${market}`) ?? build(network, market)
  made.set(`${network} ${market}`, known)
  return known
}

const build = (network: Network, market: "network" | "none"): ChainState.World => {
  const placed = contracts.reduce((all, [address, contract]) => ChainState.withContract(all, address, contract), ChainState.empty)
  const guards = HashMap.make([deployed.uniswapV3.router, { address: deployed.routerGuard, kind: "router" as const }])
  const guarded = { ...placed, platform: { ...placed.platform, guards } }
  return market === "none" ? guarded : withMarket(guarded, network)
}
