/** Where a network's contracts ended up. Part of devnet.json. */
import * as Schema from "effect/Schema"
import { Address } from "@vault-trader/core/chain/Address"

export const DeployedToken = Schema.Struct({ address: Address, decimals: Schema.Int })

export const DeployedVault = Schema.Struct({ pool: Address, poolManagerLogic: Address, manager: Address })

export const Deployed = Schema.Struct({
  /** PoolFactory of the vault platform. */
  factory: Address,
  /** By symbol. */
  tokens: Schema.Record({ key: Schema.String, value: DeployedToken }),
  vaults: Schema.Array(DeployedVault),
  multicall3: Address,
  wrappedNative: Address,
  uniswapV3: Schema.Struct({ factory: Address, router: Address, quoter: Address, positionManager: Address }),
  slippageAccumulator: Address,
  /** Price feeds by token symbol. */
  feeds: Schema.Record({ key: Schema.String, value: Address })
})
export type Deployed = typeof Deployed.Type
