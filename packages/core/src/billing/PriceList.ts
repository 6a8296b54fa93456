/** What actions cost, in USD (spec part 8, completed in the design). */
import type { Charge } from "../endpoint/Endpoint.ts"

const prices: Readonly<Record<Charge, number>> = {
  free: 0,
  trade: 0.1,
  approve: 0.02,
  lend: 0.05,
  liquidity: 0.1,
  managerFee: 0.05,
  exchangeTrade: 0.1
}

/** USD of one executed action. */
export const usdOf = (charge: Charge): number => prices[charge]
