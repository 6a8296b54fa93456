/** A vault's supplied assets and debts at a lender, as shown in responses. */
import * as Schema from "effect/Schema"
import { Quantity } from "../chain/Quantity.ts"

export { noDebt } from "./NoDebt.ts"

/** A vault's account with lenderA: USD and percent as decimal text. */
export const AccountData = Schema.Struct({
  totalCollateralBase: Schema.String,
  totalDebtBase: Schema.String,
  availableBorrowsBase: Schema.String,
  /**
   * Percent of the collateral's value at which the position is liquidated; `ltv` is the percent up to which it can
   * borrow. Both are averages over the collateral.
   */
  currentLiquidationThreshold: Schema.String,
  ltv: Schema.String,
  healthFactor: Schema.String
})
export type AccountData = typeof AccountData.Type

/** A supplied or borrowed quantity, with its value in USD by the market's own oracle as decimal text. */
export const LentAsset = Schema.Struct({ ...Quantity.fields, usd: Schema.String, used_as_collateral: Schema.Boolean })
export type LentAsset = typeof LentAsset.Type

/** A vault's full account with lenderA. */
export const LendingAccount = Schema.Struct({
  data: AccountData,
  totalSupplied: Schema.String,
  totalBorrowed: Schema.String,
  supplied: Schema.Array(LentAsset),
  borrowed: Schema.Array(LentAsset)
}).annotate({ identifier: "LendingAccount" })
export type LendingAccount = typeof LendingAccount.Type
