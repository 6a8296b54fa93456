/** An accepted request to change something on chain, and its outcome. */
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Failure } from "../failure/Failure.ts"
import { MintAllFeesByManagerRequest, MintManagerFeeBatchRequest, MintManagerFeeRequest } from "../fees/Fees.ts"
import { BorrowRequest, LendRequest, RepayRequest, UnlendRequest } from "../lending/Lending.ts"
import {
  AddLiquidityRequest,
  ClaimRewardsRequest,
  CollectFeesRequest,
  RemoveLiquidityRequest,
  StakeLiquidityRequest,
  UnstakeLiquidityRequest
} from "../liquidity/Liquidity.ts"
import {
  CancelPerpetualOrderRequest,
  DepositToPerpetualsRequest,
  PlacePerpetualOrderRequest,
  WithdrawFromPerpetualsRequest
} from "../perpetual/Perpetual.ts"
import { BotTradeRequest } from "../threshold-bot/ThresholdBot.ts"
import { OrderSliceRequest } from "../vault-order/VaultOrder.ts"
import { ApproveRequest, TradeRequest } from "../trading/Trading.ts"
import { DisableAssetRequest, EnableAssetRequest } from "../trading/AssetChange.ts"
import { Charge } from "../billing/Charge.ts"

/** The requests a vault can execute. A new capability adds its request here and its action in workers. */
export const IntentRequest = Schema.Union([
  ...[
    TradeRequest,
    ApproveRequest,
    LendRequest,
    UnlendRequest,
    BorrowRequest,
    RepayRequest,
    AddLiquidityRequest,
    RemoveLiquidityRequest
  ] as const,
  BotTradeRequest,
  OrderSliceRequest,
  ...[EnableAssetRequest, DisableAssetRequest] as const,
  ...[CollectFeesRequest, StakeLiquidityRequest, UnstakeLiquidityRequest, ClaimRewardsRequest] as const,
  ...[
    DepositToPerpetualsRequest,
    PlacePerpetualOrderRequest,
    CancelPerpetualOrderRequest,
    WithdrawFromPerpetualsRequest
  ] as const,
  ...[MintManagerFeeRequest, MintManagerFeeBatchRequest, MintAllFeesByManagerRequest] as const
])
export type IntentRequest = typeof IntentRequest.Type

/** `accepted` → (`submitted` →) `succeeded` | `failed`. The last two are final. */
export const IntentStatus = Schema.Literals(["accepted", "submitted", "succeeded", "failed"])
export type IntentStatus = typeof IntentStatus.Type

/** The decision for a request: returned by dry runs and stored with the intent. */
export const Plan = Schema.Struct({
  /** Response fields of the decision: venue, route, minOut and so on. */
  details: Schema.Record(Schema.String, Schema.Unknown),
  /** Gas limit, in gas units; null when nothing needs to be sent. */
  gas: Schema.NullOr(Schema.String),
  /** Maximum gas cost, in native human units. */
  gas_cost: Schema.NullOr(Schema.String),
  charge: Charge
}).annotate({ identifier: "Plan" })
export type Plan = typeof Plan.Type

/** The outcome of an intent that succeeded: the fields of its endpoint's response. */
export const Succeeded = Schema.TaggedStruct("Succeeded", {
  txHash: Schema.NullOr(Hash),
  message: Schema.String,
  result: Schema.Record(Schema.String, Schema.Unknown)
}).annotate({ identifier: "Succeeded" })
export type Succeeded = typeof Succeeded.Type

/**
 * The outcome of an intent that failed permanently: its transaction reverted, or nothing of it can still be mined.
 */
export const Failed = Schema.TaggedStruct("Failed", {
  txHash: Schema.NullOr(Hash),
  failure: Failure,
  /** Gas cost of a reverted transaction, in native human units. */
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
  /** The caller's lifetime of its transaction, in seconds; null for the action's default. */
  validFor: Schema.NullOr(Schema.Int),
  status: IntentStatus,
  txHash: Schema.NullOr(Hash),
  outcome: Schema.NullOr(Outcome),
  /** Why nothing is signed now, while it waits, for example for the end of a cooldown; null otherwise. */
  waiting: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtcFromDate,
  updatedAt: Schema.DateTimeUtcFromDate
}).annotate({ identifier: "Intent" })
export type Intent = typeof Intent.Type
