/** Lenders' rates and vaults' yields. Rates are percent per year. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { LenderName } from "./Lending.ts"

const Percent = Schema.NullOr(Schema.Number)

/** The current rates of one asset at one lender: simple (apr) and compounded (apy); null when unknown. */
export const Yield = Schema.Struct({
  lender: LenderName,
  market: Address,
  asset: Address,
  symbol: Schema.String,
  supply_apr: Percent,
  supply_apy: Percent,
  borrow_apr: Percent,
  borrow_apy: Percent,
  /** The reason why a rate is missing, or its source. */
  note: Schema.NullOr(Schema.String)
})
export type Yield = typeof Yield.Type

/** A vault's position with a lender, and its rate. Debt has a negative yield. */
const EarningPosition = Schema.Struct({
  lender: LenderName,
  market: Address,
  asset: Address,
  symbol: Schema.String,
  side: Schema.Literals(["supplied", "borrowed"]),
  amount: Schema.String,
  value_usd: Schema.NullOr(Schema.Number),
  apy: Percent
})
type EarningPosition = typeof EarningPosition.Type

/** The yield of a vault's positions per year at current rates. */
export const EstimatedYield = Schema.Struct({
  /** Percent of the vault's total value; null when a rate or a price is missing. */
  apy: Percent,
  total_value_usd: Schema.NullOr(Schema.Number),
  annual_usd: Schema.NullOr(Schema.Number),
  positions: Schema.Array(EarningPosition)
}).annotate({ identifier: "EstimatedYield" })
export type EstimatedYield = typeof EstimatedYield.Type

/** The gain of the vault's token since its first snapshot. Prices are USD as decimal text. */
export const TotalYield = Schema.Struct({
  /** Percent since the first snapshot. */
  total: Schema.Number,
  token_price: Schema.String,
  first_token_price: Schema.String,
  /** Time of the first snapshot, unix seconds. */
  since: Schema.Int,
  days: Schema.Number,
  /** Percent per year at this rate; null in the first days, which are too short to annualise. */
  annualised: Percent
}).annotate({ identifier: "TotalYield" })
export type TotalYield = typeof TotalYield.Type
