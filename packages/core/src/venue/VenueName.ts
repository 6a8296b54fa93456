/** Names of venues: the accepted and the retired ones, and each network's fallback chain. */
import type { Network } from "../chain/Network.ts"

/** Venues with an adapter. */
export const names = ["1inch", "kyberswap", "odosV3", "uniswapV3", "quickswap", "toros"] as const
export type VenueName = typeof names[number]

/** Values of `platform` for a swap: `auto` and `best` choose a venue, the others are one. */
export const platforms = ["auto", "best", ...names] as const
export type Platform = typeof platforms[number]

/** Names of venues that the platform retired: accepted, and treated as `auto` (spec part 2). */
export const retiredVenues = [
  "odos",
  "odosV2",
  "uniswap",
  "uniswapV2",
  "quickswapV2",
  "0x",
  "sushi",
  "sushiswap",
  "1inchV3",
  "1inchV4",
  "1inchV5",
  "velodrome",
  "ramses",
  "stargate"
] as const

/**
 * The ordered venues that `auto` tries on each network, and that `best` compares. This is the only definition of the
 * order.
 */
export const fallbackChains: Readonly<Record<Network, ReadonlyArray<VenueName>>> = {
  optimism: ["1inch", "kyberswap", "odosV3", "uniswapV3"],
  base: ["1inch", "kyberswap", "odosV3", "uniswapV3"],
  arbitrum: ["1inch", "kyberswap", "odosV3", "uniswapV3"],
  polygon: ["1inch", "kyberswap", "odosV3", "uniswapV3", "quickswap"],
  ethereum: ["1inch", "kyberswap", "odosV3", "uniswapV3"],
  hyperliquid: ["kyberswap"],
  plasma: ["kyberswap"]
}

/** Parses `platform`, ignoring case: a venue's name, `auto` (also for retired names), `best`, or `undefined`. */
export const parse = (text: string): Platform | undefined => {
  const name = text.toLowerCase()
  if (name === "auto" || retiredVenues.some((old) => old.toLowerCase() === name)) return "auto"
  return platforms.find((known) => known.toLowerCase() === name)
}

/**
 * Lists the venues to try, in order: the network's chain for `auto` and `best`, or only the named one. Only these two
 * may choose a venue.
 */
export const order = (network: Network, platform: Platform): ReadonlyArray<VenueName> =>
  platform === "auto" || platform === "best" ? fallbackChains[network] : [platform]
