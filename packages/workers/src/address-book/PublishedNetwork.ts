/** The form of the vault platform's published configuration in this folder. */
import type { Address } from "@vault-trader/core/chain/Address"

/** A supported asset: its published name, its contract, its type in the platform's AssetHandler, its USD feed. */
export type PublishedAsset = readonly [name: string, address: Address, type: number, feed?: Address]

/** Contracts that the platform guards, so that vaults may call them. */
export interface GuardedContracts {
  readonly oneInch?: Address
  readonly odosV3?: Address
  readonly kyberswap?: Address
  /** Aave V3's pool. */
  readonly aaveV3?: Address
  /** Compound V3's markets. */
  readonly comets?: ReadonlyArray<Address>
  /** Fluid's ERC-4626 lenders. */
  readonly fTokens?: ReadonlyArray<Address>
  /** Position managers of concentrated liquidity. */
  readonly uniswapV3Positions?: Address
  readonly velodromePositions?: Address
  readonly pancakePositions?: Address
  /** Staking of positions. */
  readonly velodromeGauges?: ReadonlyArray<Address>
  readonly pancakeMasterChef?: Address
  /** Buys and sells the platform's leveraged and inverse tokens. */
  readonly easySwapper?: Address
  readonly pendleRouter?: Address
  readonly coreWriter?: Address
  readonly depositWallet?: Address
}

export interface PublishedNetwork {
  readonly contracts: GuardedContracts
  readonly assets: ReadonlyArray<PublishedAsset>
}
