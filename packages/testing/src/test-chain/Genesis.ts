/** The contracts every test chain starts with, and the market of its network. */
import * as HashMap from "effect/HashMap"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Market from "@vault-trader/devnet/contract/Market"
import { factoryAddress } from "./contract/PoolLogic.ts"
import * as ChainState from "./ChainState.ts"

/** Addresses of the contracts; vaults come with `createVault`. */
export interface Deployed {
  readonly factory: Address
  readonly multicall3: Address
  readonly uniswapV3: { readonly factory: Address; readonly router: Address; readonly quoter: Address }
  /** The platform's guard of the router. */
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

/** Returns the address of a symbol's token. */
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
  /** USD per whole token, 18 decimals. A token without a price is not an asset of the platform. */
  readonly price?: bigint
  readonly assetType?: number
}

/** Adds a token, as an asset of the platform if it has a price. */
export const withToken = (
  world: ChainState.World,
  { assetType = 0, decimals, price, symbol }: NewToken
): ChainState.World => {
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

/** Adds a pool that holds its reserves, which are newly minted. */
export const withPool = (
  world: ChainState.World,
  { base, baseReserve, fee, quote, quoteReserve }: NewPair
): ChainState.World => {
  const first = base < quote
  const address = ChainState.pairOf(world, base, quote, fee)?.address ??
    ChainState.addressOf(`pool ${base} ${quote} ${fee}`)
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

/**
 * Returns a position's concentration in thousandths: around its price, a position over a range of ticks is as deep as
 * this multiple of its amount over the full range.
 */
const concentration = (width: number | undefined): bigint =>
  width === undefined ? 1000n : BigInt(Math.round(1000 / (1 - 1.0001 ** (-width / 2))))

const withMarket = (world: ChainState.World, network: Network): ChainState.World => {
  const tokens = Market.tokens(network)
  const listed = tokens.reduce(
    (all, { decimals, price, symbol, type }) =>
      withToken(all, { symbol, decimals, price: price * 10n ** 10n, assetType: type }),
    world
  )
  return Market.pools(network).reduce((all, { base, depth, fee, quote, width }) => {
    const [one, other] = [base, quote].map((symbol) => tokens.find((token) => token.symbol === symbol))
    if (one === undefined || other === undefined) return all
    const baseReserve = depth * 10n ** BigInt(one.decimals) * concentration(width) / 1000n
    const quoteReserve = baseReserve * one.price * 10n ** BigInt(other.decimals) /
      (other.price * 10n ** BigInt(one.decimals))
    return withPool(all, { base: tokenAddress(base), quote: tokenAddress(quote), fee, baseReserve, quoteReserve })
  }, listed)
}

/**
 * Initial states by network and market. They are immutable, so every chain of a network can start with the same one.
 */
const worlds = new Map<string, ChainState.World>()

/**
 * Returns the initial state: the platform, Uniswap and Multicall3 without tokens, or with the network's tokens, prices
 * and pools as on the devnet.
 */
export const world = (network: Network, market: "network" | "none"): ChainState.World => {
  const known = worlds.get(`${network} ${market}`) ?? build(network, market)
  worlds.set(`${network} ${market}`, known)
  return known
}

const build = (network: Network, market: "network" | "none"): ChainState.World => {
  const placed = contracts.reduce(
    (all, [address, contract]) => ChainState.withContract(all, address, contract),
    ChainState.empty
  )
  const guards = HashMap.make([deployed.uniswapV3.router, { address: deployed.routerGuard, kind: "router" as const }])
  const guarded = { ...placed, platform: { ...placed.platform, guards } }
  return market === "none" ? guarded : withMarket(guarded, network)
}
