/** What lenders pay and ask, and what a vault makes of it. Rates are percent a year. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { LenderName } from "./Lending.ts"

const Percent = Schema.NullOr(Schema.Number)

/** The rates of one asset at one lender now: simple (apr) and compounded (apy); null where nobody can tell. */
export const Yield = Schema.Struct({
  lender: LenderName,
  market: Address,
  asset: Address,
  symbol: Schema.String,
  supply_apr: Percent,
  supply_apy: Percent,
  borrow_apr: Percent,
  borrow_apy: Percent,
  /** Why a rate is missing, or how it was found. */
  note: Schema.NullOr(Schema.String)
})
export type Yield = typeof Yield.Type

/** A vault's position with a lender, at its rate; debt earns less than nothing. */
export const EarningPosition = Schema.Struct({
  lender: LenderName,
  market: Address,
  asset: Address,
  symbol: Schema.String,
  side: Schema.Literals(["supplied", "borrowed"]),
  amount: Schema.String,
  value_usd: Schema.NullOr(Schema.Number),
  apy: Percent
})
export type EarningPosition = typeof EarningPosition.Type

/** What a vault's positions earn in a year at today's rates. */
export const EstimatedYield = Schema.Struct({
  /** Percent of the vault's whole value; null when a rate or a price is missing. */
  apy: Percent,
  total_value_usd: Schema.NullOr(Schema.Number),
  annual_usd: Schema.NullOr(Schema.Number),
  positions: Schema.Array(EarningPosition)
}).annotate({ identifier: "EstimatedYield" })
export type EstimatedYield = typeof EstimatedYield.Type

/** What the vault's token has gained since its first snapshot; prices are USD as decimal text. */
export const TotalYield = Schema.Struct({
  /** Percent since the first snapshot. */
  total: Schema.Number,
  token_price: Schema.String,
  first_token_price: Schema.String,
  /** When the first snapshot was taken, unix seconds. */
  since: Schema.Int,
  days: Schema.Number,
  /** Percent a year at this pace; null in the first days, which say nothing about a year. */
  annualised: Percent
}).annotate({ identifier: "TotalYield" })
export type TotalYield = typeof TotalYield.Type
