/** Every venue adapter, by name. Which are tried on a network, and in which order, is core's one list. */
import type { VenueName } from "@vault-trader/core/venue/Venues"
import { UniswapV3 } from "./UniswapV3.ts"
import type { Venue } from "./Venue.ts"

export const venues: Readonly<Record<VenueName, Venue>> = { uniswapV3: UniswapV3 }
