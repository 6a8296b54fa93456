/**
 * Installs the vault platform's guards on the venues, and lists the lenders and positions as assets a vault can hold.
 */
import * as Effect from "effect/Effect"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { AaveV3 } from "./AaveV3.ts"
import type { Bundle } from "./Bundle.ts"
import type { Contract, Deployer } from "./Deployer.ts"
import type { Lenders } from "./Lenders.ts"
import { feedAnswer } from "./Market.ts"
import type { Routers } from "./Routers.ts"
import type { UniswapV3 } from "./UniswapV3.ts"
import type { VaultPlatform } from "./VaultPlatform.ts"

/** The platform's asset types. */
const assetType = { uniswapV3: 7, aaveV3: 8, comet: 28, fToken: 34 } as const

interface Markets {
  readonly uniswap: UniswapV3
  readonly aave: AaveV3
  readonly lenders: Lenders
}

type Platform = Pick<VaultPlatform, "factory" | "slippageAccumulator" | "tokenGuard">

const guardRouters = (
  deployer: Deployer,
  { own }: Bundle,
  { factory, slippageAccumulator }: Platform,
  { odosV3, oneInch, quickswap }: Routers,
  uniswap: UniswapV3
) =>
  Effect.gen(function*() {
    const budget = slippageAccumulator.address
    const guard = (router: Contract, guard: Contract) =>
      deployer.send(factory, "setContractGuard", router.address, guard.address)
    yield* guard(uniswap.router, yield* deployer.deploy(own.UniswapV3RouterGuard, budget))
    yield* guard(oneInch, yield* deployer.deploy(own.OneInchGuard, budget, uniswap.factory.address))
    yield* guard(odosV3, yield* deployer.deploy(own.OdosGuard, budget))
    if (quickswap !== undefined) yield* guard(quickswap.router, yield* deployer.deploy(own.QuickswapGuard, budget))
  })

/** Lists `contract` as an asset of a type, valued by `feed`, that vaults may call. */
const listMarket = (
  deployer: Deployer,
  { factory }: Platform,
  market: { readonly contract: Contract; readonly type: number; readonly feed: Contract; readonly guard: Contract }
) =>
  Effect.gen(function*() {
    const { contract, feed, guard, type } = market
    yield* deployer.send(factory, "setContractGuard", contract.address, guard.address)
    yield* deployer.send(factory, "addAsset", contract.address, type, feed.address)
  })

const guardMarkets = (deployer: Deployer, { own }: Bundle, platform: Platform, { aave, lenders, uniswap }: Markets) =>
  Effect.gen(function*() {
    const { factory, tokenGuard } = platform
    const list = (market: Parameters<typeof listMarket>[2]) => listMarket(deployer, platform, market)
    const typeGuard = (type: number, guard: Contract) => deployer.send(factory, "setAssetGuard", type, guard.address)
    // A position's balance is already its value in dollars.
    const dollar = yield* deployer.deploy(own.DevAggregator, 8, "USD / USD", feedAnswer(1))

    const positions = yield* deployer.deploy(own.UniswapV3PositionGuard)
    yield* typeGuard(assetType.uniswapV3, yield* deployer.deploy(own.UniswapV3PositionAssetGuard, positions.address))
    yield* list({ contract: uniswap.positionManager, type: assetType.uniswapV3, feed: dollar, guard: positions })

    yield* typeGuard(assetType.aaveV3, yield* deployer.deploy(own.AaveV3AssetGuard))
    const aaveGuard = yield* deployer.deploy(own.AaveV3Guard)
    yield* list({ contract: aave.pool, type: assetType.aaveV3, feed: dollar, guard: aaveGuard })

    // A Comet balance is what it owes the supplier in the base token: a balance like any token's.
    yield* typeGuard(assetType.comet, tokenGuard)
    const cometGuard = yield* deployer.deploy(own.CometGuard)
    for (const { base, contract } of lenders.comets) {
      yield* list({ contract, type: assetType.comet, feed: base.feed, guard: cometGuard })
    }

    yield* typeGuard(assetType.fToken, yield* deployer.deploy(own.FTokenAssetGuard))
    const fTokenGuard = yield* deployer.deploy(own.FTokenGuard)
    for (const { contract, underlying } of lenders.fTokens) {
      yield* list({ contract, type: assetType.fToken, feed: underlying.feed, guard: fTokenGuard })
    }
  })

/** Lets vaults swap through KyberSwap. */
export const guardKyberSwap = (
  deployer: Deployer,
  { own }: Bundle,
  { factory, slippageAccumulator }: Platform,
  { kyberswap }: Routers
): Effect.Effect<void, RpcFailure> =>
  Effect.gen(function*() {
    const guard = yield* deployer.deploy(own.KyberSwapGuard, slippageAccumulator.address)
    yield* deployer.send(factory, "setContractGuard", kyberswap.address, guard.address)
  })

/** Lets vaults call every other venue, and hold what they receive there. */
export const install = (
  deployer: Deployer,
  bundle: Bundle,
  platform: Platform,
  routers: Routers,
  markets: Markets
): Effect.Effect<void, RpcFailure> =>
  Effect.andThen(
    guardRouters(deployer, bundle, platform, routers, markets.uniswap),
    guardMarkets(deployer, bundle, platform, markets)
  )
