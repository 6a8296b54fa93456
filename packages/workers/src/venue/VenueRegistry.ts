/** The venue adapters by name. The core package's list defines which are tried on a network, and in which order. */
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import { KyberSwap } from "./KyberSwap.ts"
import { Odos } from "./Odos.ts"
import { OneInch } from "./OneInch.ts"
import { Quickswap } from "./Quickswap.ts"
import { Toros } from "./Toros.ts"
import { UniswapV3 } from "./UniswapV3.ts"
import type { Venue } from "./Venue.ts"

export const venues: Readonly<Record<VenueName, Venue>> = {
  "1inch": OneInch,
  kyberswap: KyberSwap,
  odosV3: Odos,
  uniswapV3: UniswapV3,
  quickswap: Quickswap,
  toros: Toros
}
