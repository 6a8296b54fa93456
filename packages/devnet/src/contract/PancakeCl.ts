/** Deploys Pancake's concentrated liquidity, whose contracts are those of Uniswap V3, and its staking contract. */
import * as Effect from "effect/Effect"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Bundle } from "./Bundle.ts"
import { AddressResult, type Contract, type Deployer, read } from "./Deployer.ts"
import * as Market from "./Market.ts"
import type { Tokens } from "./Tokens.ts"
import { deployPools, fillOf, seedPools } from "./UniswapV3.ts"

export interface PancakeCl {
  readonly factory: Contract
  readonly positionManager: Contract
  readonly masterChef: Contract
  /** The token of the rewards. The platform does not support it as an asset. */
  readonly cake: Contract
}

/** Deploys the exchange with seeded pools, all of which are rewarded. */
export const deploy = (
  deployer: Deployer,
  { own, uniswap }: Bundle,
  tokens: Tokens
): Effect.Effect<PancakeCl, RpcFailure> =>
  Effect.gen(function*() {
    const native = tokens("WETH").contract.address
    const { factory, positionManager } = yield* deployPools(deployer, uniswap, native)
    yield* deployer.send(factory, "enableFeeAmount", 2500, 50)
    yield* seedPools(deployer, { positionManager }, tokens, Market.pancakePools)
    const { held, perSecond } = Market.stakingRewards
    const cake = yield* deployer.deploy(own.DevToken, "PancakeSwap Token", "CAKE", 18)
    const masterChef = yield* deployer.deploy(own.MasterChefV3, positionManager.address, cake.address, perSecond)
    yield* deployer.send(cake, "mint", masterChef.address, held)
    for (const { fee, ...facts } of Market.pancakePools) {
      const { token0, token1 } = fillOf(tokens, facts, 1)
      yield* deployer.send(
        masterChef,
        "add",
        yield* read(deployer.rpc, factory, AddressResult, "getPool", token0, token1, fee)
      )
    }
    return { factory, positionManager, masterChef, cake }
  })
