/** Trades and approvals, as requests stored in the ledger. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Hash } from "../chain/Address.ts"
import { Quantity, usd } from "../chain/Quantity.ts"
import { lenders } from "../lending/Lending.ts"
import { names as venueNames, platforms } from "../venue/VenueName.ts"

const Platform = Schema.Literals(platforms)

/** A swap of one vault asset for another. Assets are as the caller named them; `amount` is in human units of `from`. */
export const TradeRequest = Schema.TaggedStruct("Trade", {
  from: Schema.String,
  to: Schema.String,
  /** Percent of the balance; overrides `amount`; 100 when neither is given. */
  share: Schema.optional(Schema.Number),
  amount: Schema.optional(Schema.BigDecimalFromString),
  /** Percent. */
  slippage: Schema.Number,
  platform: Platform,
  /** True if the part of it that the pool bears may be traded instead of the whole; set by bots only. */
  partial: Schema.optional(Schema.Boolean)
}).annotate({ identifier: "Trade" })
export type TradeRequest = typeof TradeRequest.Type

/**
 * An allowance for a venue or lender to take an asset from the vault; `amount` in human units, unlimited when absent, 0
 * revokes.
 */
export const ApproveRequest = Schema.TaggedStruct("Approve", {
  asset: Schema.String,
  platform: Schema.Literals(["auto", ...venueNames, ...lenders]),
  amount: Schema.optional(Schema.BigDecimalFromString)
}).annotate({ identifier: "Approve" })
export type ApproveRequest = typeof ApproveRequest.Type

/** Default slippage, percent. */
export const defaultSlippage = 0.5

/** A venue that was tried before the chosen one, and why it was skipped. */
export const SkippedVenue = Schema.Struct({ venue: Schema.String, reason: Schema.String })

/**
 * The two-step sale of a leveraged or inverse vault token. `paid_out`: in human units and smallest units. `paid_by`: the
 * transaction of someone else that has paid it out; null when this service has.
 */
export const Redeemed = Schema.Struct({
  init_tx_hash: Schema.NullOr(Hash),
  paid_by: Schema.NullOr(Hash).pipe(Schema.withDecodingDefaultType(Effect.succeed(null))),
  paid_out: Schema.Array(Quantity)
})

/** Actually sold and bought value, in USD by the vault's oracle at planning time; positive slippage is a loss. */
export const AgainstOracle = Schema.Struct({
  sold_usd: Schema.Number,
  bought_usd: Schema.Number,
  slippage_percent: Schema.NullOr(Schema.Number)
})
export type AgainstOracle = typeof AgainstOracle.Type

/** Compares the sold and bought values, given in USD with 18 decimals. */
export const againstOracle = (sold18: bigint, bought18: bigint): AgainstOracle => ({
  sold_usd: usd(sold18),
  bought_usd: usd(bought18),
  slippage_percent: sold18 === 0n ? null : Number((sold18 - bought18) * 1_000_000n / sold18) / 10_000
})
