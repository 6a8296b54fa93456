/** What actions cost, in USD (spec part 8, completed in the design). An operator may set other prices. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Charge } from "../endpoint/Endpoint.ts"

/** USD of one executed action, by its price class. */
export type Prices = Readonly<Record<Charge, number>>

/** The prices where nobody has set others. */
export const standardPrices: Prices = {
  free: 0,
  trade: 0.1,
  approve: 0.02,
  lend: 0.05,
  liquidity: 0.1,
  managerFee: 0.05,
  exchangeTrade: 0.1
}

/** The prices of this service: equal in all its processes. */
export class PriceList extends Context.Service<PriceList, Prices>()("vault-trader/core/billing/PriceList") {
  static readonly layer = (prices: Prices = standardPrices): Layer.Layer<PriceList> => Layer.succeed(PriceList, prices)
}

/** USD of one executed action, by the standard prices unless others are given. */
export const usdOf = (charge: Charge, prices: Prices = standardPrices): number => prices[charge]

/** Native smallest units of a USD figure, at a price of USD (18 decimals) a whole native token; rounded down, prices are kept to a millionth. */
export const nativeOf = (usd: number, usd18: bigint): bigint => BigInt(Math.round(usd * 1e6)) * 10n ** 30n / usd18
