/**
 * The types of the platform's AssetHandler. Those of this table are positions: shares of pools, accounts at markets, and
 * collections of position tokens. Any other type, also one that is new, is a token if its contract is an ERC-20.
 */

import type { Network } from "@vault-trader/core/chain/Network"

/** Names of positions, by type. */
const positions: ReadonlyMap<number, string> = new Map([
  [2, "Sushi LP shares"],
  [3, "Aave V2 account"],
  [5, "QuickSwap LP shares"],
  [7, "Uniswap V3 positions"],
  [8, "Aave V3 account"],
  [9, "Arrakis position"],
  [10, "Balancer V2 LP shares"],
  [15, "Velodrome LP shares"],
  [16, "Stargate LP shares"],
  [20, "Ramses LP shares"],
  [25, "Velodrome V2 LP shares"],
  [26, "Velodrome CL positions"],
  [27, "Flat Money account"],
  [29, "Ramses CL positions"],
  [30, "Withdrawal in progress"],
  [31, "Pancake CL positions"],
  [32, "Flat Money options account"],
  [36, "Flat Money V2 account"],
  [39, "Hyperliquid perpetuals account"],
  [100, "Lyra account"],
  [101, "Synthetix futures account"],
  [102, "Synthetix perps V2 account"],
  [103, "Synthetix V3 account"],
  [104, "Synthetix V3 perps account"],
  [105, "GMX account"],
  [106, "DYTM account"]
])

/** Types whose balance is a number of position tokens (NFTs) at a position manager. */
export const collections = { uniswapV3: 7, velodromeCl: 26, ramsesCl: 29, pancakeCl: 31 } as const

/** Types of lenders' tokens, which are tokens. */
export const lenderTokens = { comet: 28, fToken: 34 } as const

/** Returns the name of a position's type; `undefined` for tokens and for unknown types. */
export const positionName = (type: number, network?: Network): string | undefined => {
  const name = positions.get(type)
  // The same exchange has another name on base.
  return network === "base" ? name?.replace("Velodrome", "Aerodrome") : name
}
