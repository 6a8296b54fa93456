/** Builds the service's configuration of a devnet network. */
import {
  AaveV3Book,
  AggregatorBook,
  EasySwapperBook,
  LiquidityBook,
  NetworkBook,
  PerpetualsBook,
  QuickswapBook,
  SupportedAsset,
  TokenEntry,
  UniswapV3Book
} from "@vault-trader/core/chain/NetworkConfig"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { inverses } from "../contract/Market.ts"
import { odosKey } from "../contract/PoolTokens.ts"
import type { AggregatorName } from "../aggregator/AggregatorFault.ts"
import type { DevnetAggregators, DevnetNetwork, DevnetPerpetuals } from "./DevnetFile.ts"

/**
 * Returns a network's configuration. Its single node never reorganises by itself, so one confirmation is final;
 * frequent polling is cheap.
 */
export const networkBook = (
  network: Network,
  entry: DevnetNetwork,
  aggregators: DevnetAggregators,
  perpetuals?: DevnetPerpetuals
): NetworkBook =>
  NetworkBook.make({
    network,
    chainId: entry.chainId,
    rpcUrls: [entry.rpcUrl],
    confirmations: 1,
    finalityDepth: 1,
    blockPollMillis: 100,
    platformFactory: entry.factory,
    multicall3: entry.multicall3,
    wrappedNative: entry.wrappedNative,
    tokens: [
      ...Object.entries(entry.tokens).map(([symbol, token]) => TokenEntry.make({ symbol, ...token })),
      ...poolTokensOf(entry).map(({ address, symbol }) => TokenEntry.make({ symbol, address, decimals: 18 }))
    ],
    // Vault tokens are tokens; the devnet's other assets are found by their types on the chain.
    assets: entry.easySwapper === undefined
      ? []
      : [
        SupportedAsset.make({ name: "EasySwapperV2 Unrolled Assets", address: entry.easySwapper.address, type: 30 })
      ],
    ...(network === "hyperliquid"
      ? derivatives(entry, aggregators, perpetuals)
      : { ...markets(entry, aggregators), ...liquidity(network, entry) })
  })

/** Returns the exchanges of concentrated liquidity that are on the live network, too. */
const liquidity = (network: Network, { pancakeCl, velodromeCl }: DevnetNetwork) => ({
  velodromeCl: velodromeCl === undefined || (network !== "optimism" && network !== "base")
    ? undefined
    : LiquidityBook.make({ positionManager: velodromeCl.positionManager, staking: velodromeCl.gauges }),
  pancakeCl: pancakeCl === undefined || (network !== "base" && network !== "arbitrum")
    ? undefined
    : LiquidityBook.make({ positionManager: pancakeCl.positionManager, staking: [pancakeCl.masterChef] })
})

const aggregator = (name: AggregatorName, entry: DevnetNetwork, { urls }: DevnetAggregators) =>
  AggregatorBook.make({ router: entry.aggregators[name], url: urls[name] })

/** Returns the leveraged and inverse vault tokens of a network. */
const poolTokensOf = ({ easySwapper }: DevnetNetwork) =>
  Object.entries(easySwapper?.poolTokens ?? {}).map(([symbol, { address, base, leverage }]) => ({
    symbol,
    address,
    asset: base,
    leverage
  }))

/** Returns the venues and lenders of every network except the derivatives network. */
const markets = (entry: DevnetNetwork, aggregators: DevnetAggregators) => ({
  inverseTokens: Object.fromEntries<Address>([
    ...Object.entries(inverses).flatMap(([symbol, inverse]) => {
      const token = entry.tokens[inverse]
      return token === undefined ? [] : [[symbol, token.address] as const]
    }),
    ...poolTokensOf(entry).flatMap(({ address, asset, leverage }) => leverage === -1 ? [[asset, address] as const] : [])
  ]),
  easySwapper: entry.easySwapper === undefined
    ? undefined
    : EasySwapperBook.make({ address: entry.easySwapper.address, poolTokens: poolTokensOf(entry), odosKey }),
  uniswapV3: UniswapV3Book.make({
    factory: entry.uniswapV3.factory,
    router: entry.uniswapV3.router,
    quoter: entry.uniswapV3.quoter
  }),
  positionManager: entry.uniswapV3.positionManager,
  quickswap: entry.quickswap === undefined ? undefined : QuickswapBook.make(entry.quickswap),
  aggregators: {
    "1inch": aggregator("1inch", entry, aggregators),
    kyberswap: aggregator("kyberswap", entry, aggregators),
    odosV3: aggregator("odosV3", entry, aggregators)
  },
  aaveV3: entry.aaveV3 === undefined
    ? undefined
    : AaveV3Book.make({ pool: entry.aaveV3.pool, poolDataProvider: entry.aaveV3.poolDataProvider }),
  comets: Object.values(entry.comets),
  fTokens: Object.values(entry.fTokens)
})

/**
 * Returns the venues of the derivatives network. KyberSwap is the only way to swap there; the pools it uses are not a
 * separate venue.
 */
const derivatives = (
  entry: DevnetNetwork,
  aggregators: DevnetAggregators,
  perpetuals: DevnetPerpetuals | undefined
) => ({
  aggregators: { kyberswap: aggregator("kyberswap", entry, aggregators) },
  perpetuals: entry.perpetuals === undefined || perpetuals === undefined ? undefined : PerpetualsBook.make({
    coreWriter: entry.perpetuals.coreWriter,
    depositWallet: entry.perpetuals.depositWallet,
    usdc: entry.perpetuals.usdc,
    infoUrl: perpetuals.infoUrl
  })
})
