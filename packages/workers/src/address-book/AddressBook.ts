/**
 * Contracts on the real networks. Sources: the vault platform's published configuration (the other files of this
 * folder), Uniswap's deployments, and the issuers' token addresses. They change, and were not verified against the real
 * chains. Before every use the chain is queried whether the platform guards a router or market; this file is not
 * trusted for that.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { explorers } from "@vault-trader/core/chain/Explorer"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import {
  AaveV3Book,
  AggregatorBook,
  EasySwapperBook,
  type Finality,
  LiquidityBook,
  NetworkBook,
  PerpetualsBook,
  QuickswapBook,
  SupportedAsset,
  TokenEntry,
  UniswapV3Book
} from "@vault-trader/core/chain/NetworkConfig"
import { arbitrum } from "./Arbitrum.ts"
import { base } from "./Base.ts"
import { ethereum } from "./Ethereum.ts"
import { hyperliquid } from "./Hyperliquid.ts"
import { optimism } from "./Optimism.ts"
import { plasma } from "./Plasma.ts"
import { polygon } from "./Polygon.ts"
import * as PoolTokenName from "./PoolTokenName.ts"
import type { GuardedContracts, PublishedNetwork } from "./PublishedNetwork.ts"

interface Contracts {
  readonly platformFactory: Address
  readonly uniswapV3?: { readonly factory: Address; readonly router: Address; readonly quoter: Address }
  readonly published: PublishedNetwork
  /** Full URL of the API that reports perpetual contracts' orders, where vaults trade them. */
  readonly infoUrl?: string
  readonly quickswap?: { readonly router: Address; readonly quoter: Address }
  /** Symbol → address and decimals. The wrapped native token is among them. */
  readonly tokens: Readonly<Record<string, readonly [Address, number]>>
  readonly confirmations: number
  readonly finality: Finality
  readonly finalityDepth: number
  readonly blockPollMillis: number
}

const uniswapV3 = {
  factory: "0x1f98431c8ad98523631ae4a59f267346ea31f984",
  router: "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
  quoter: "0x61ffe014ba17989e743c5f6cb21bf9697530b21e"
} as const

/** URL of HyperCore's info API, which reports the state of orders. */
export const defaultInfoUrl = "https://api.hyperliquid.xyz/info"

/**
 * `safe` is a rollup's newest block in a batch on Ethereum: only a reorg of Ethereum removes it. `finalized` adds about
 * a quarter of an hour for that.
 */
const rollup = { confirmations: 1, finality: "safe", finalityDepth: 64, blockPollMillis: 500 } as const

const contracts: Readonly<Record<Network, Contracts>> = {
  optimism: {
    ...rollup,
    published: optimism,
    platformFactory: "0x5e61a079a178f0e5784107a4963baae0c5a680c6",
    uniswapV3,
    tokens: {
      USDC: ["0x0b2c639c533813f4aa9d7837caf62653d097ff85", 6],
      WETH: ["0x4200000000000000000000000000000000000006", 18],
      WBTC: ["0x68f180fcce6836688e9084f035309e29bf0a2095", 8],
      DAI: ["0xda10009cbd5d07dd0cecc66161fc93d7c9000da1", 18]
    }
  },
  base: {
    ...rollup,
    published: base,
    platformFactory: "0x49afe3abcf66cf09fab86cb1139d8811c8afe56f",
    uniswapV3: {
      factory: "0x33128a8fc17869897dce68ed026d694621f6fdfd",
      router: "0x2626664c2603336e57b271c5c0b26f421741e481",
      quoter: "0x3d4e44eb1374240ce5f1b871ab261cd16335b76a"
    },
    tokens: {
      USDC: ["0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", 6],
      WETH: ["0x4200000000000000000000000000000000000006", 18],
      CBBTC: ["0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf", 8],
      DAI: ["0x50c5725949a6f0c72e6c4a641f24049a917db0cb", 18]
    }
  },
  arbitrum: {
    ...rollup,
    published: arbitrum,
    platformFactory: "0xfffb5fb14606eb3a548c113026355020ddf27535",
    uniswapV3,
    tokens: {
      USDC: ["0xaf88d065e77c8cc2239327c5edb3a432268e5831", 6],
      WETH: ["0x82af49447d8a07e3bd95bd0d56f35241523fbab1", 18],
      WBTC: ["0x2f2a2543b76a4166549f7aab2e75bef0aefc5b0f", 8],
      DAI: ["0xda10009cbd5d07dd0cecc66161fc93d7c9000da1", 18]
    }
  },
  polygon: {
    published: polygon,
    confirmations: 2,
    // The newest block of a milestone that the validators have signed.
    finality: "finalized",
    finalityDepth: 128,
    blockPollMillis: 1000,
    platformFactory: "0xfdc7b8bfe0dd3513cc669bb8d601cb83e2f69cb0",
    uniswapV3,
    quickswap: {
      router: "0xf5b509bb0909a69b1c207e495f687a596c168e12",
      quoter: "0xa15f0d7377b2a0c0c10db057f641bed21028fc89"
    },
    tokens: {
      USDC: ["0x3c499c542cef5e3811e1192ce70d8cc03d5c3359", 6],
      "USDC.E": ["0x2791bca1f2de4661ed88a30c99a7a9449aa84174", 6],
      WETH: ["0x7ceb23fd6bc0add59e62ac25578270cff1b9f619", 18],
      WBTC: ["0x1bfd67037b42cf73acf2047067bd4f2c47d9bfd6", 8],
      DAI: ["0x8f3cf7ad23cd3cadbd9735aff958023239c6a063", 18],
      WMATIC: ["0x0d500b1d8e8ef31e21c99d1db9a6444d3adf1270", 18]
    }
  },
  ethereum: {
    published: ethereum,
    confirmations: 2,
    finality: "finalized",
    finalityDepth: 64,
    blockPollMillis: 3000,
    platformFactory: "0x96d33bcf84dde326014248e2896f79bbb9c13d6d",
    uniswapV3,
    tokens: {
      USDC: ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", 6],
      WETH: ["0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", 18],
      WBTC: ["0x2260fac5e5542a773aa44fbcfedf7c193bc2c599", 8],
      DAI: ["0x6b175474e89094c44da98b954eedeac495271d0f", 18]
    }
  },
  hyperliquid: {
    ...rollup,
    published: hyperliquid,
    // Its blocks are agreed on before they are published, and its nodes serve no tag but `latest`.
    finality: "depth",
    // From the platform's SDK; its repository has 0x615037c2df6fa97634c5ad2d8144708b9dd3b176. HYPERLIQUID_FACTORY
    // overrides it.
    platformFactory: "0xe91505e2ab653dd128c71e9690eeefd28cc5b333",
    infoUrl: defaultInfoUrl,
    tokens: {
      USDC: ["0xb88339cb7199b77e23db6e890353e22632ba630f", 6],
      WHYPE: ["0x5555555555555555555555555555555555555555", 18]
    }
  },
  plasma: {
    published: plasma,
    confirmations: 2,
    finality: "finalized",
    finalityDepth: 64,
    blockPollMillis: 500,
    platformFactory: "0xaec4975fc8ad911464d2948d771488b30f6eee87",
    tokens: {
      USDT: ["0xb8ce59fc3717ada4c02eadf9682a9e934f625ebb", 6],
      WETH: ["0x9895d81bb462a195b4922ed7de0e3acd007c32cb", 18],
      // Not in the platform's configuration, and from no document at hand: compare it with the chain before plasma is
      // served. Only the price of charges depends on it, which are then converted at exchanges' prices.
      WXPL: ["0x6100e367285b01f48d07953803a2d8dca5d19873", 18]
    }
  }
}

/** The operator's corrections of the address book. */
interface Corrections {
  readonly platformFactory?: Address | undefined
  /** URL of HyperCore's info API. */
  readonly infoUrl?: string | undefined
  /** Endpoints that only take signed bytes, and how long a call's bytes go to them alone. */
  readonly privateRpcUrls?: ReadonlyArray<string> | undefined
  readonly privateFallbackMillis?: number | undefined
}

/** Networks that can be reached with an RPC URL alone. */
export const networks = Object.keys(contracts) as ReadonlyArray<keyof typeof contracts>

/** Builds the configuration of a real network. */
export const bookOf = (
  network: Network,
  rpcUrls: readonly [string, ...Array<string>],
  { infoUrl, platformFactory, privateFallbackMillis, privateRpcUrls }: Corrections = {}
): NetworkBook => {
  const { infoUrl: publishedUrl, published, quickswap, tokens, uniswapV3: deployment, ...rest } = contracts[network]
  const { aaveV3, comets = [], easySwapper, fTokens = [], uniswapV3Positions } = published.contracts
  const poolTokens = easySwapper === undefined ? [] : PoolTokenName.tokensOf(published.assets)
  const { chainId, wrappedNative } = facts[network]
  const wrapped = tokens[wrappedNative]
  if (wrapped === undefined) throw new Error(`the address book of ${network} lacks ${wrappedNative}`)
  return NetworkBook.make({
    ...rest,
    network,
    chainId,
    rpcUrls,
    explorer: explorers[network],
    multicall3: "0xca11bde05977b3631167028862be2a173976ca11",
    wrappedNative: wrapped[0],
    tokens: Object.entries(tokens).map(([symbol, [address, decimals]]) =>
      TokenEntry.make({ symbol, address, decimals })
    ),
    assets: published.assets.map(([name, address, type, feed]) =>
      SupportedAsset.make({ name, address, type, ...(feed === undefined ? {} : { feed }) })
    ),
    aggregators: aggregatorsOf(published.contracts),
    comets,
    fTokens,
    inverseTokens: Object.fromEntries(
      poolTokens.flatMap(({ address, asset, leverage }) => leverage === -1 ? [[asset, address]] : [])
    ),
    ...(easySwapper === undefined || poolTokens.length === 0
      ? {}
      : { easySwapper: EasySwapperBook.make({ address: easySwapper, poolTokens, odosKey: "ODOS_V3" }) }),
    ...(uniswapV3Positions === undefined ? {} : { positionManager: uniswapV3Positions }),
    ...liquidityOf(published.contracts),
    ...(platformFactory === undefined ? {} : { platformFactory }),
    ...(privateRpcUrls === undefined ? {} : { privateRpcUrls }),
    ...(privateFallbackMillis === undefined ? {} : { privateFallbackMillis }),
    ...(aaveV3 === undefined ? {} : { aaveV3: AaveV3Book.make({ pool: aaveV3 }) }),
    ...(publishedUrl === undefined
      ? {}
      : { perpetuals: perpetualsOf(published.contracts, tokens, infoUrl ?? publishedUrl) }),
    ...(quickswap === undefined ? {} : { quickswap: QuickswapBook.make(quickswap) }),
    ...(deployment === undefined ? {} : { uniswapV3: UniswapV3Book.make(deployment) })
  })
}

const liquidityOf = (
  { pancakeMasterChef, pancakePositions, velodromeGauges = [], velodromePositions }: GuardedContracts
) => ({
  ...(velodromePositions === undefined
    ? {}
    : { velodromeCl: LiquidityBook.make({ positionManager: velodromePositions, staking: velodromeGauges }) }),
  ...(pancakePositions === undefined ? {} : {
    pancakeCl: LiquidityBook.make({
      positionManager: pancakePositions,
      staking: pancakeMasterChef === undefined ? [] : [pancakeMasterChef]
    })
  })
})

const aggregatorsOf = ({ kyberswap, odosV3, oneInch }: GuardedContracts) => ({
  ...(oneInch === undefined ? {} : { "1inch": AggregatorBook.make({ router: oneInch }) }),
  ...(kyberswap === undefined ? {} : { kyberswap: AggregatorBook.make({ router: kyberswap }) }),
  ...(odosV3 === undefined ? {} : { odosV3: AggregatorBook.make({ router: odosV3 }) })
})

const perpetualsOf = (
  { coreWriter, depositWallet }: GuardedContracts,
  { USDC }: Contracts["tokens"],
  infoUrl: string
) => {
  if (USDC === undefined || coreWriter === undefined || depositWallet === undefined) {
    throw new Error("perpetual contracts need USDC, the core writer and its deposit wallet in the address book")
  }
  return PerpetualsBook.make({ coreWriter, depositWallet, usdc: USDC[0], infoUrl })
}
