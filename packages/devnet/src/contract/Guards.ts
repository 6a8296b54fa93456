/**
 * Installs the vault platform's guards on the venues, and lists the lenders and positions as assets a vault can hold.
 */
import * as Effect from "effect/Effect"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { AaveV3 } from "./AaveV3.ts"
import type { Artifact } from "./Artifact.ts"
import type { Bundle } from "./Bundle.ts"
import type { Contract, Deployer } from "./Deployer.ts"
import type { Lenders } from "./Lenders.ts"
import { feedAnswer } from "./Market.ts"
import type { PancakeCl } from "./PancakeCl.ts"
import type { Routers } from "./Routers.ts"
import type { UniswapV3 } from "./UniswapV3.ts"
import type { VelodromeCl } from "./VelodromeCl.ts"
import type { VaultPlatform } from "./VaultPlatform.ts"

/** The platform's asset types. */
const assetType = { uniswapV3: 7, aaveV3: 8, velodromeCl: 26, comet: 28, pancakeCl: 31, fToken: 34 } as const

interface Markets {
  readonly uniswap: UniswapV3
  readonly aave: AaveV3
  readonly lenders: Lenders
  readonly velodromeCl: VelodromeCl
  readonly pancakeCl: PancakeCl
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

/** Lists the position managers, and guards what their positions are staked in. */
const guardPositions = (
  deployer: Deployer,
  { own }: Bundle,
  platform: Platform,
  { pancakeCl, uniswap, velodromeCl }: Markets,
  dollar: Contract
) =>
  Effect.gen(function*() {
    const { factory } = platform
    const list = (
      type: number,
      { positionManager }: { readonly positionManager: Contract },
      guardOf: Artifact,
      assetGuardOf: Artifact
    ) =>
      Effect.gen(function*() {
        const guard = yield* deployer.deploy(guardOf)
        const assetGuard = yield* deployer.deploy(assetGuardOf, guard.address)
        yield* deployer.send(factory, "setAssetGuard", type, assetGuard.address)
        yield* listMarket(deployer, platform, { contract: positionManager, type, feed: dollar, guard })
      })
    yield* list(assetType.uniswapV3, uniswap, own.UniswapV3PositionGuard, own.UniswapV3PositionAssetGuard)
    yield* list(assetType.velodromeCl, velodromeCl, own.VelodromeCLPositionGuard, own.VelodromeCLAssetGuard)
    // The platform has no price of the rewards, which therefore count once they are sold.
    yield* list(assetType.pancakeCl, pancakeCl, own.PancakeCLPositionGuard, own.UniswapV3PositionAssetGuard)
    const gaugeGuard = yield* deployer.deploy(own.VelodromeCLGaugeGuard)
    for (const gauge of velodromeCl.gauges) {
      yield* deployer.send(factory, "setContractGuard", gauge.address, gaugeGuard.address)
    }
    const chefGuard = yield* deployer.deploy(own.PancakeMasterChefGuard)
    yield* deployer.send(factory, "setContractGuard", pancakeCl.masterChef.address, chefGuard.address)
  })

const guardMarkets = (deployer: Deployer, bundle: Bundle, platform: Platform, markets: Markets) =>
  Effect.gen(function*() {
    const { own } = bundle
    const { aave, lenders } = markets
    const { factory, tokenGuard } = platform
    const list = (market: Parameters<typeof listMarket>[2]) => listMarket(deployer, platform, market)
    const typeGuard = (type: number, guard: Contract) => deployer.send(factory, "setAssetGuard", type, guard.address)
    // A position's balance is already its value in dollars.
    const dollar = yield* deployer.deploy(own.DevAggregator, 8, "USD / USD", feedAnswer(1))

    yield* guardPositions(deployer, bundle, platform, markets, dollar)

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
