/** The lending markets, and the requests to them as stored in the ledger. */
import * as Schema from "effect/Schema"

/** The markets' names on the wire. lenderA lends against collateral; the other two only take deposits from vaults. */
export const lenders = ["lenderA", "lenderB", "lenderC"] as const
export type LenderName = typeof lenders[number]
export const LenderName = Schema.Literals(lenders)

/** A lender, or `auto`: the first one that accepts a supply, or that holds one. Only lenderA lends. */
export const LenderChoice = Schema.Literals([...lenders, "auto"])
export type LenderChoice = typeof LenderChoice.Type

const fields = {
  lender: LenderChoice,
  /** The asset as the caller named it. */
  asset: Schema.String,
  /** Percent; wins over `amount`; 100 when neither is given. */
  share: Schema.optional(Schema.Number),
  /** Quantity in human units of the asset. */
  amount: Schema.optional(Schema.BigDecimalFromString)
}

/** A request to supply an asset of the vault; `share` applies to the vault's balance. */
export const LendRequest = Schema.TaggedStruct("Lend", fields).annotate({ identifier: "Lend" })
export type LendRequest = typeof LendRequest.Type

/** A request to withdraw a supplied asset; `share` applies to the supplied position. */
export const UnlendRequest = Schema.TaggedStruct("Unlend", {
  ...fields,
  /** The health factor floor of a guardian's withdrawal, 18 decimals; absent for the configured one. */
  floor: Schema.optional(Schema.BigIntFromString)
}).annotate({ identifier: "Unlend" })
export type UnlendRequest = typeof UnlendRequest.Type

/**
 * A request to borrow against the vault's collateral; `share` applies to the amount that keeps the health factor at or
 * above its floor.
 */
export const BorrowRequest = Schema.TaggedStruct("Borrow", fields).annotate({ identifier: "Borrow" })
export type BorrowRequest = typeof BorrowRequest.Type

/** A request to repay debt; `share` applies to the debt, limited by the vault's balance. */
export const RepayRequest = Schema.TaggedStruct("Repay", fields).annotate({ identifier: "Repay" })
export type RepayRequest = typeof RepayRequest.Type

/** The default minimum health factor (18 decimals) for borrowing and unlending. */
export const defaultFloor = 1_300_000_000_000_000_000n

/** The lowest floor that can be configured. */
export const minFloor = 1_050_000_000_000_000_000n
