/** The venues' names: which are accepted, which are retired, and in which order a network walks them. */
import type { Network } from "../chain/Network.ts"

/** Venues with an adapter. */
export const names = ["1inch", "kyberswap", "odosV3", "uniswapV3", "quickswap"] as const
export type VenueName = typeof names[number]

/** Names of venues the platform retired: accepted, and routed to `auto` (spec part 2). */
export const retired = [
  "odos", "odosV2", "uniswap", "uniswapV2", "quickswapV2", "0x", "sushi", "sushiswap", "1inchV3", "1inchV4", "1inchV5", "velodrome", "ramses", "stargate"
] as const

/** The ordered venues `auto` walks on each network. The one place where the order stands. */
export const fallbackChains: Readonly<Record<Network, ReadonlyArray<VenueName>>> = {
  optimism: ["1inch", "kyberswap", "uniswapV3"],
  base: ["1inch", "kyberswap", "uniswapV3"],
  arbitrum: ["1inch", "kyberswap", "uniswapV3"],
  polygon: ["1inch", "kyberswap", "uniswapV3", "quickswap"],
  ethereum: ["1inch", "kyberswap", "uniswapV3"],
  hyperliquid: ["kyberswap"]
}

/** The venue a caller means, case-insensitively: a name, `auto` (also for retired names), or `undefined`. */
export const parse = (text: string): VenueName | "auto" | undefined => {
  const name = text.toLowerCase()
  if (name === "auto" || retired.some((old) => old.toLowerCase() === name)) return "auto"
  return names.find((known) => known.toLowerCase() === name)
}

/** Lists the venues to try, in order: the network's chain for `auto`, a named one alone. Only `auto` may choose a venue. */
export const order = (network: Network, platform: VenueName | "auto"): ReadonlyArray<VenueName> =>
  platform === "auto" ? fallbackChains[network] : [platform]
