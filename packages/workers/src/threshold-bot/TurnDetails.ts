/** The committed plan of a bot's turn, its description and its result. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import { PaperHoldings } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { againstOracle } from "@vault-trader/core/trading/Trading"
import * as Schema from "effect/Schema"
import * as RedemptionStep from "../trading/RedemptionStep.ts"
import { movedBy } from "../platform/Transfers.ts"
import { usdValue } from "@vault-trader/core/chain/Quantity"

/** The plan of a turn; quantities in smallest units. */
export const TurnDetails = Schema.Struct({
  action: Schema.Literals(["hold", "trade", "park"]),
  reason: Schema.String,
  paper: Schema.Boolean,
  venue: Schema.NullOr(Schema.String),
  from: Schema.NullOr(Token),
  to: Schema.NullOr(Token),
  amount: Schema.BigIntFromString,
  minOut: Schema.BigIntFromString,
  /** The venue's quote; absent when nothing is swapped, and in older rows. */
  quoted: Schema.optional(Schema.BigIntFromString),
  /** Value of the amount sold at the decision, USD with 18 decimals; absent when nothing is sold, and in older rows. */
  usd18: Schema.optional(Schema.BigIntFromString),
  /** The amounts withdrawn before and supplied after the swap. */
  withdrawn: Schema.BigIntFromString,
  supplied: Schema.BigIntFromString,
  /**
   * USD per whole token by the vault's oracle at planning, 18 decimals; absent when nothing is swapped, and in older
   * rows.
   */
  prices: Schema.optional(Schema.Struct({ in: Schema.BigIntFromString, out: Schema.BigIntFromString })),
  /** The step of a redemption; absent for every other trade. */
  redemption: Schema.optional(RedemptionStep.RedemptionStep),
  /** The bot's paper holdings after the turn. */
  holdings: Schema.NullOr(PaperHoldings)
})
export type TurnDetails = typeof TurnDetails.Type

/** The details of a turn that moves nothing. */
export const nothing = {
  venue: null,
  from: null,
  to: null,
  amount: 0n,
  minOut: 0n,
  withdrawn: 0n,
  supplied: 0n,
  holdings: null
}

/** Describes the planned quantities for a dry run. */
export const describe = (
  { action, amount, from, minOut, paper, reason, supplied, to, venue, withdrawn }: TurnDetails
) => ({
  ...{ action, reason, paper, venue },
  ...(from === null
    ? {}
    : { sold: { ...Quantity.of(from, amount) }, withdrawn: { ...Quantity.of(from, withdrawn) } }),
  ...(to === null ? {} : { min_out: { ...Quantity.of(to, minOut) }, supplied: { ...Quantity.of(to, supplied) } })
})

/** Reads what a turn moved from its receipt, which is null when nothing was sent. */
export const resultOf = (
  pool: Address,
  { action, from, holdings, paper, prices, quoted, reason, redemption, supplied, to, usd18, venue }: TurnDetails,
  receipt: Receipt | null
) => {
  const logs = receipt?.logs ?? []
  const common = {
    action,
    reason,
    paper,
    venue,
    holdings: holdings === null ? null : Schema.encodeSync(PaperHoldings)(holdings),
    ...(usd18 === undefined ? {} : { sold_usd: Quantity.format(usd18, 18) })
  }
  if (receipt === null || to === null) return { message: reason, result: common }
  if (redemption !== undefined) {
    const { message, spentBefore, ...redeemed } = RedemptionStep.resultOf(pool, redemption, receipt)
    return { message, spentBefore, result: { ...common, ...redeemed } }
  }
  const parked = Quantity.of(to, supplied)
  if (from === null) {
    return {
      message: `Supplied ${parked.amount} ${parked.symbol} to lenderA.`,
      result: { ...common, supplied: { ...parked } }
    }
  }
  const { sent } = movedBy(logs, from.address, pool)
  const { received } = movedBy(logs, to.address, pool)
  const [sold, bought] = [Quantity.of(from, sent), Quantity.of(to, received)]
  const oracle = prices === undefined
    ? null
    : againstOracle(usdValue(sent, prices.in, from.decimals), usdValue(received, prices.out, to.decimals))
  return {
    message: `Sold ${sold.amount} ${sold.symbol} for ${bought.amount} ${bought.symbol} on ${venue ?? ""}.`,
    result: {
      ...{ ...common, sold: { ...sold }, bought: { ...bought }, supplied: { ...parked }, oracle },
      ...(quoted === undefined ? {} : { quoted: { ...Quantity.of(to, quoted) } })
    }
  }
}
