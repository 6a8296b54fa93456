/** The price of every action, derived from the catalogue. */
import * as Schema from "effect/Schema"
import type { Charge, EndpointFacts } from "../endpoint/Endpoint.ts"
import type { Prices } from "./PriceList.ts"

/** An action, by the name callers use, and its price. */
export const ActionPrice = Schema.Struct({
  action: Schema.String,
  /** The price class; `free` actions are never charged. */
  class: Schema.String,
  billed: Schema.Boolean,
  /** The endpoint's path; null for a price class. */
  path: Schema.NullOr(Schema.String),
  price_usd: Schema.Number
})
export type ActionPrice = typeof ActionPrice.Type

type Priced = Pick<EndpointFacts, "name" | "charge" | "paths">

const priceOf = (action: string, charge: Charge, path: string | null, prices: Prices): ActionPrice => ({
  action,
  class: charge,
  billed: prices[charge] > 0,
  path,
  price_usd: prices[charge]
})

/** The names of the specification's price table that are neither an endpoint nor one of this service's classes. */
const tableNames: ReadonlyArray<readonly [string, Charge]> = [
  ["deposit", "free"],
  ["withdraw", "free"],
  ["composition", "free"],
  ["cex_trade", "exchangeTrade"]
]

/**
 * Returns every endpoint in the catalogue's order, then the price classes whose names no endpoint has, then the other
 * names of the specification's price table.
 */
export const actionPrices = (endpoints: ReadonlyArray<Priced>, prices: Prices): ReadonlyArray<ActionPrice> => {
  const byEndpoint = endpoints.map(({ charge, name, paths }) => priceOf(name, charge, paths[0] ?? null, prices))
  const used = new Set(byEndpoint.map(({ action }) => action))
  const classes = Object.keys(prices) as ReadonlyArray<Charge>
  return [
    ...byEndpoint,
    ...classes.filter((charge) => charge !== "free" && !used.has(charge)).map((charge) =>
      priceOf(charge, charge, null, prices)
    ),
    ...tableNames.map(([name, charge]) => priceOf(name, charge, null, prices))
  ]
}

/** Finds an action by name, ignoring case and a leading slash. */
export const find = (actions: ReadonlyArray<ActionPrice>, name: string): ActionPrice | undefined =>
  actions.find(({ action }) => action.toLowerCase() === name.replace(/^\//, "").toLowerCase())
