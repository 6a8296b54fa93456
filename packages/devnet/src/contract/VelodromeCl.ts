/** Deploys Velodrome's concentrated liquidity: pools by tick spacing, their position manager, and gauges. */
import * as Effect from "effect/Effect"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import { link } from "./Artifact.ts"
import type { Bundle } from "./Bundle.ts"
import { AddressResult, type Contract, type Deployer, read } from "./Deployer.ts"
import * as Market from "./Market.ts"
import type { Tokens } from "./Tokens.ts"
import { approveStock, fillOf, seedTerms } from "./UniswapV3.ts"

export interface VelodromeCl {
  readonly factory: Contract
  /** The factory of the Uniswap V3 pools that hold the tokens. */
  readonly core: Contract
  readonly positionManager: Contract
  /** One for each pool whose liquidity is rewarded. */
  readonly gauges: ReadonlyArray<Contract>
}

/** Deploys the exchange with seeded pools, and a gauge for each pool of WETH. */
export const deploy = (
  deployer: Deployer,
  { own, uniswap }: Bundle,
  tokens: Tokens
): Effect.Effect<VelodromeCl, RpcFailure> =>
  Effect.gen(function*() {
    const core = yield* deployer.deploy(link(uniswap.factory, {}))
    const factory = yield* deployer.deploy(own.CLFactory, core.address)
    const positionManager = yield* deployer.deploy(own.CLPositionManager, factory.address)
    yield* deployer.send(factory, "setPositionManager", positionManager.address)
    yield* approveStock(deployer, positionManager, tokens, Market.velodromePools)
    const gauges: Array<Contract> = []
    for (const { fee, tickSpacing, ...facts } of Market.velodromePools) {
      yield* deployer.send(core, "enableFeeAmount", fee, tickSpacing)
      yield* deployer.send(factory, "enableTickSpacing", tickSpacing, fee)
      const fill = fillOf(tokens, facts, tickSpacing)
      yield* deployer.send(positionManager, "mint", {
        ...{ ...fill, ...seedTerms, tickSpacing },
        recipient: deployer.address
      })
      if (facts.base !== "WETH") continue
      const pool = yield* read(deployer.rpc, factory, AddressResult, "getPool", fill.token0, fill.token1, tickSpacing)
      gauges.push(yield* deployGauge(deployer, own, tokens, { factory, positionManager, pool }))
    }
    return { factory, core, positionManager, gauges }
  })

const deployGauge = (
  deployer: Deployer,
  own: Bundle["own"],
  tokens: Tokens,
  { factory, pool, positionManager }: Pick<VelodromeCl, "factory" | "positionManager"> & { readonly pool: string }
) =>
  Effect.gen(function*() {
    const reward = tokens("AERO").contract
    const { held, perSecond } = Market.stakingRewards
    const gauge = yield* deployer.deploy(own.CLGauge, positionManager.address, pool, reward.address, perSecond)
    yield* deployer.send(factory, "setGauge", pool, gauge.address)
    yield* deployer.send(reward, "transfer", gauge.address, held)
    return gauge
  })
