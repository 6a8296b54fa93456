/** The charge of an action, in plans and in the ledger. */
import * as Schema from "effect/Schema"

/**
 * The charge of an action in USD, and in smallest units of the native token at the current price (null when no price is
 * known).
 */
export const Charge = Schema.Struct({ usd: Schema.Number, native_wei: Schema.NullOr(Schema.String) })

/** The payment of a charge: not started, in progress, or done. */
export const ChargeStatus = Schema.Literals(["outstanding", "settling", "settled"])

/** The charge of an executed action, and the price it was computed with. */
export interface ChargeRow {
  readonly action: string
  readonly usd: number
  readonly nativeWei: bigint | null
  readonly nativePriceUsd18: bigint | null
  readonly priceSource: string | null
  /** When the price was read, unix milliseconds. */
  readonly priceAt: number | null
}
