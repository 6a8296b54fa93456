/** Addresses of a network's contracts. Part of devnet.json. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Address } from "@vault-trader/core/chain/Address"

const DeployedToken = Schema.Struct({ address: Address, decimals: Schema.Int })

export const DeployedVault = Schema.Struct({ pool: Address, poolManagerLogic: Address, manager: Address })
export type DeployedVault = typeof DeployedVault.Type

/** Lending markets of vaults. */
const lenders = {
  aaveV3: Schema.optional(
    Schema.Struct({ pool: Address, poolDataProvider: Address, addressesProvider: Address, oracle: Address })
  ),
  /** By the symbol of the base token. */
  comets: Schema.Record(Schema.String, Address).pipe(Schema.withDecodingDefaultType(Effect.succeed({}))),
  /** By the symbol of the token they lend. */
  fTokens: Schema.Record(Schema.String, Address)
}

/** Venues of vaults besides Uniswap. */
const venues = {
  aggregators: Schema.Struct({
    "1inch": Address,
    kyberswap: Address,
    odosV3: Address,
    /** Executes the aggregators' swaps; their calldata names it. */
    executor: Address
  }),
  quickswap: Schema.optional(Schema.Struct({ router: Address, quoter: Address }))
}

/** Exchanges of concentrated liquidity beside Uniswap V3, where vaults may provide it. */
const liquidity = {
  /** Pools differ by their tick spacing; Uniswap V3 pools of `core` are behind them, where swaps go. */
  velodromeCl: Schema.optional(
    Schema.Struct({ factory: Address, core: Address, positionManager: Address, gauges: Schema.Array(Address) })
  ),
  pancakeCl: Schema.optional(
    Schema.Struct({ factory: Address, positionManager: Address, masterChef: Address, cake: Address })
  )
}

/** EasySwapperV2 and the leveraged and inverse vault tokens, by symbol, that it buys and redeems. */
const easySwapper = Schema.Struct({
  address: Address,
  poolTokens: Schema.Record(
    Schema.String,
    /** `base`: symbol of the asset that the token follows. `leverage`: -1 gains what the base loses. */
    Schema.Struct({ address: Address, base: Schema.String, leverage: Schema.Number })
  )
})

/** Contracts of the derivatives network, where vaults trade perpetual contracts. */
const perpetuals = Schema.Struct({
  /** Also the asset that represents what a vault has on the exchange. */
  coreWriter: Address,
  depositWallet: Address,
  usdc: Address,
  /** Holds what the chain knows of the fake exchange, and emits the commands to the fake. */
  mirror: Address,
  /** The core writer's guard, with the list of vaults that may trade. */
  guard: Address
})

/** Everything on a network except its vaults, which belong to their manager. */
export const Foundation = Schema.Struct({
  ...lenders,
  ...venues,
  ...liquidity,
  perpetuals: Schema.optional(perpetuals),
  easySwapper: Schema.optional(easySwapper),
  /** PoolFactory of the vault platform. */
  factory: Address,
  /** By symbol. */
  tokens: Schema.Record(Schema.String, DeployedToken),
  multicall3: Address,
  wrappedNative: Address,
  uniswapV3: Schema.Struct({ factory: Address, router: Address, quoter: Address, positionManager: Address }),
  slippageAccumulator: Address,
  /** Price feeds by token symbol. */
  feeds: Schema.Record(Schema.String, Address)
})
export type Foundation = typeof Foundation.Type

export const Deployed = Schema.Struct({
  ...Foundation.fields,
  /**
   * First a vault that holds tokens only, then one that may also lend and provide liquidity, or trade perpetual
   * contracts.
   */
  vaults: Schema.Array(DeployedVault)
})
export type Deployed = typeof Deployed.Type
