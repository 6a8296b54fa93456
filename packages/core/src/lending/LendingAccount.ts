/** What a vault has and owes where it lends: the shapes answers show it in. */
import * as Schema from "effect/Schema"
import { Quantity } from "../chain/Quantity.ts"

/** Said for the health factor of a vault that owes nothing: nothing can make it fall. */
export const noDebt = "infinity"

/** A vault's account with lenderA: USD and percent as decimal text. */
export const AccountData = Schema.Struct({
  totalCollateralBase: Schema.String,
  totalDebtBase: Schema.String,
  availableBorrowsBase: Schema.String,
  /** Percent of the collateral at which it is liquidated, and up to which it may be borrowed against: means over the collateral. */
  currentLiquidationThreshold: Schema.String,
  ltv: Schema.String,
  healthFactor: Schema.String
})
export type AccountData = typeof AccountData.Type

/** A supplied or borrowed quantity, with its worth in USD by the market's own oracle as decimal text. */
export const LentAsset = Schema.Struct({ ...Quantity.fields, usd: Schema.String, used_as_collateral: Schema.Boolean })
export type LentAsset = typeof LentAsset.Type

/** All of a vault's account. */
export const LendingAccount = Schema.Struct({
  data: AccountData,
  totalSupplied: Schema.String,
  totalBorrowed: Schema.String,
  supplied: Schema.Array(LentAsset),
  borrowed: Schema.Array(LentAsset)
}).annotate({ identifier: "LendingAccount" })
export type LendingAccount = typeof LendingAccount.Type
