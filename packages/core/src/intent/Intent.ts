/** An accepted request to change something on chain: what was asked, what came of it. */
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Failure } from "../failure/Failure.ts"
import { MintAllFeesByManagerRequest, MintManagerFeeBatchRequest, MintManagerFeeRequest } from "../fees/Fees.ts"
import { BorrowRequest, LendRequest, RepayRequest, UnlendRequest } from "../lending/Lending.ts"
import { AddLiquidityRequest, RemoveLiquidityRequest } from "../liquidity/Liquidity.ts"
import {
  CancelPerpetualOrderRequest, DepositToPerpetualsRequest, PlacePerpetualOrderRequest, WithdrawFromPerpetualsRequest
} from "../perpetual/Perpetual.ts"
import { BotTradeRequest } from "../threshold-bot/ThresholdBot.ts"
import { ApproveRequest, TradeRequest } from "../trading/Trading.ts"

/** What can be asked of a vault. A later capability adds its request here and its action in workers. */
export const IntentRequest = Schema.Union([
  ...[TradeRequest, ApproveRequest, LendRequest, UnlendRequest, BorrowRequest, RepayRequest, AddLiquidityRequest, RemoveLiquidityRequest] as const,
  BotTradeRequest,
  ...[DepositToPerpetualsRequest, PlacePerpetualOrderRequest, CancelPerpetualOrderRequest, WithdrawFromPerpetualsRequest] as const,
  ...[MintManagerFeeRequest, MintManagerFeeBatchRequest, MintAllFeesByManagerRequest] as const
])
export type IntentRequest = typeof IntentRequest.Type

/** `accepted` → (`submitted` →) `succeeded` | `failed`. The last two are final. */
export const IntentStatus = Schema.Literals(["accepted", "submitted", "succeeded", "failed"])
export type IntentStatus = typeof IntentStatus.Type

/** The price of an action in USD, and in native token's smallest units at the price of that moment (null while no price is known). */
export const Charge = Schema.Struct({ usd: Schema.Number, native_wei: Schema.NullOr(Schema.String) })

/** What would be, or was, decided for a request: shown by dry runs and kept with the intent. */
export const Plan = Schema.Struct({
  /** The answer fields of the decision: venue, route, minOut and the like. */
  details: Schema.Record(Schema.String, Schema.Unknown),
  /** Gas limit, in gas units; null when nothing needs sending. */
  gas: Schema.NullOr(Schema.String),
  /** The most the gas can cost, in native human units. */
  gas_cost: Schema.NullOr(Schema.String),
  charge: Charge
}).annotate({ identifier: "Plan" })
export type Plan = typeof Plan.Type

/** How a carried-out intent ended well: the fields its endpoint answers with. */
export const Succeeded = Schema.TaggedStruct("Succeeded", {
  txHash: Schema.NullOr(Hash),
  message: Schema.String,
  result: Schema.Record(Schema.String, Schema.Unknown)
}).annotate({ identifier: "Succeeded" })
export type Succeeded = typeof Succeeded.Type

/** How it failed for good: nothing of it can be mined any more, or what was mined reverted. */
export const Failed = Schema.TaggedStruct("Failed", {
  txHash: Schema.NullOr(Hash),
  failure: Failure,
  /** What the gas of a reverted transaction cost, native human units. */
  gasCost: Schema.optional(Schema.String)
}).annotate({ identifier: "Failed" })
export type Failed = typeof Failed.Type

export const Outcome = Schema.Union([Succeeded, Failed])
export type Outcome = typeof Outcome.Type

/** A row of the intent ledger. */
export const Intent = Schema.Struct({
  id: Schema.String,
  wallet: Address,
  keyId: Schema.String,
  endpoint: Schema.String,
  network: Network,
  pool: Address,
  request: IntentRequest,
  idempotencyKey: Schema.NullOr(Schema.String),
  status: IntentStatus,
  txHash: Schema.NullOr(Hash),
  outcome: Schema.NullOr(Outcome),
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "Intent" })
export type Intent = typeof Intent.Type
