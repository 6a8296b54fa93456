/** The prices of actions in USD (spec part 8, completed in the design). The operator can set other prices. */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import type { Charge } from "../endpoint/Endpoint.ts"

/** USD per executed action, by price class. */
export type Prices = Readonly<Record<Charge, number>>

/** The prices that apply unless the operator sets others. */
export const defaultPrices: Prices = {
  free: 0,
  trade: 0.1,
  approve: 0.02,
  lend: 0.05,
  liquidity: 0.1,
  managerFee: 0.05,
  exchangeTrade: 0.1
}

/** The prices of this service, the same in all its processes. */
export class PriceList extends Context.Service<PriceList, Prices>()("vault-trader/core/billing/PriceList") {
  static readonly layer = (prices: Prices = defaultPrices): Layer.Layer<PriceList> => Layer.succeed(PriceList, prices)
}

/** Returns the price in USD of one executed action. */
export const usdOf = (charge: Charge, prices: Prices = defaultPrices): number => prices[charge]

/**
 * Converts USD to native smallest units, at a price of USD (18 decimals) per whole native token. The USD amount is
 * rounded to six decimals, the result is rounded down.
 */
export const nativeOf = (usd: number, usd18: bigint): bigint => BigInt(Math.round(usd * 1e6)) * 10n ** 30n / usd18
