/** The contracts of an address book that vaults call, by what they are for. */
import type { LenderName } from "@vault-trader/core/lending/Lending"
import type { Address } from "@vault-trader/core/chain/Address"
import { fallbackChains, names, type VenueName } from "@vault-trader/core/venue/VenueName"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Dexes from "../address-book/Dex.ts"
import type { DexContracts } from "../address-book/Dex.ts"
import { venues } from "../venue/VenueRegistry.ts"

export interface VaultContracts {
  /** In the order in which `platform=auto` tries them, then those that have to be named. */
  readonly venues: ReadonlyArray<{ readonly platform: VenueName; readonly router: Address }>
  readonly lenders: ReadonlyArray<{ readonly lender: LenderName; readonly market: Address }>
  /** Exchanges of concentrated liquidity, in the order in which `dex=auto` prefers them. */
  readonly liquidity: ReadonlyArray<DexContracts>
  readonly coreWriter: Address | undefined
  readonly depositWallet: Address | undefined
}

/** Returns the contracts of a network. Whether the platform allows them is read from the chain. */
export const of = (chain: ChainClient): VaultContracts => {
  const { aaveV3, comets, fTokens, network, perpetuals } = chain.book
  return {
    venues: [...new Set([...fallbackChains[network], ...names])].flatMap((platform) => {
      const router = venues[platform].router(chain)
      return router === undefined ? [] : [{ platform, router }]
    }),
    lenders: [
      ...(aaveV3 === undefined ? [] : [{ lender: "lenderA", market: aaveV3.pool } as const]),
      ...comets.map((market) => ({ lender: "lenderB", market }) as const),
      ...fTokens.map((market) => ({ lender: "lenderC", market }) as const)
    ],
    liquidity: Dexes.of(chain.book),
    coreWriter: perpetuals?.coreWriter,
    depositWallet: perpetuals?.depositWallet
  }
}
