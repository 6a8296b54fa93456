/** The lending markets and what can be asked of them, as requests kept in the ledger. */
import * as Schema from "effect/Schema"

/** The markets' names on the wire: lenderA lends against collateral, the other two only take deposits from vaults. */
export const lenders = ["lenderA", "lenderB", "lenderC"] as const
export type LenderName = typeof lenders[number]
export const LenderName = Schema.Literals(lenders)

const fields = {
  lender: LenderName,
  /** As the caller named it. */
  asset: Schema.String,
  /** Percent; wins over `amount`; 100 when neither is given. */
  share: Schema.optional(Schema.Number),
  /** Human units of the asset. */
  amount: Schema.optional(Schema.BigDecimalFromString)
}

/** Supply an asset of the vault; a share is of the vault's balance. */
export const LendRequest = Schema.TaggedStruct("Lend", fields).annotate({ identifier: "Lend" })
export type LendRequest = typeof LendRequest.Type

/** Take back what was supplied; a share is of the supplied position. */
export const UnlendRequest = Schema.TaggedStruct("Unlend", fields).annotate({ identifier: "Unlend" })
export type UnlendRequest = typeof UnlendRequest.Type

/** Borrow against the vault's collateral; a share is of what may be borrowed above the health factor's floor. */
export const BorrowRequest = Schema.TaggedStruct("Borrow", fields).annotate({ identifier: "Borrow" })
export type BorrowRequest = typeof BorrowRequest.Type

/** Pay debt back; a share is of the debt, as far as the vault's balance goes. */
export const RepayRequest = Schema.TaggedStruct("Repay", fields).annotate({ identifier: "Repay" })
export type RepayRequest = typeof RepayRequest.Type

/** The health factor, 18 decimals, that borrowing and unlending may not go below, where nobody sets another. */
export const standardFloor = 1_300_000_000_000_000_000n

/** The lowest floor there can be. */
export const lowestFloor = 1_050_000_000_000_000_000n
