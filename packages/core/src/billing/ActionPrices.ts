/** What every action costs: a fold over the catalogue. */
import * as Schema from "effect/Schema"
import type { Charge, EndpointFacts } from "../endpoint/Endpoint.ts"
import type { Prices } from "./PriceList.ts"

/** An action as callers name it, and its price. */
export const ActionPrice = Schema.Struct({
  action: Schema.String,
  /** Its price class; `free` is never charged. */
  class: Schema.String,
  billed: Schema.Boolean,
  /** Where it is called. */
  path: Schema.NullOr(Schema.String),
  price_usd: Schema.Number
})
export type ActionPrice = typeof ActionPrice.Type

type Priced = Pick<EndpointFacts, "name" | "charge" | "paths">

const one = (action: string, charge: Charge, path: string | null, prices: Prices): ActionPrice =>
  ({ action, class: charge, billed: prices[charge] > 0, path, price_usd: prices[charge] })

/** Every endpoint, in order of the catalogue, and after them the price classes by their own names where no endpoint has that name. */
export const actionPrices = (endpoints: ReadonlyArray<Priced>, prices: Prices): ReadonlyArray<ActionPrice> => {
  const named = endpoints.map(({ charge, name, paths }) => one(name, charge, paths[0] ?? null, prices))
  const taken = new Set(named.map(({ action }) => action))
  const classes = Object.keys(prices) as ReadonlyArray<Charge>
  return [...named, ...classes.filter((charge) => charge !== "free" && !taken.has(charge)).map((charge) => one(charge, charge, null, prices))]
}

/** The action of this name, whatever its case. */
export const find = (actions: ReadonlyArray<ActionPrice>, name: string): ActionPrice | undefined =>
  actions.find(({ action }) => action.toLowerCase() === name.replace(/^\//, "").toLowerCase())
