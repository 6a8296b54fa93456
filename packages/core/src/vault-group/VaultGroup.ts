/** Groups of vaults that one call trades, and the calls that have traded them. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { groupKeyPrefix } from "../storage/IdempotencyKeys.ts"
import { platforms } from "../venue/VenueName.ts"

/** Maximum number of vaults of a group. */
export const maxMembers = 20
/** Maximum number of groups of a wallet. */
export const maxGroups = 50

/** A vault of a group. `weight`: its part of an amount, relative to the other weights; every member has one, or none. */
export const GroupMember = Schema.Struct({ network: Network, pool: Address, weight: Schema.NullOr(Schema.Number) })
export type GroupMember = typeof GroupMember.Type

export const VaultGroup = Schema.Struct({
  id: Schema.String,
  wallet: Address,
  name: Schema.String,
  members: Schema.Array(GroupMember),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
}).annotate({ identifier: "VaultGroup" })
export type VaultGroup = typeof VaultGroup.Type

/** `weight`: an amount is split by the members' weights; `holding`: by what each vault holds of the sold asset. */
export const splits = ["weight", "holding"] as const
export const Split = Schema.Literals(splits)
export type Split = typeof Split.Type

/** A call for a group's trade, as its caller made it. */
export const GroupRequest = Schema.Struct({
  group: Schema.String,
  from: Schema.String,
  to: Schema.String,
  /** Percent of each vault's holding; null where an amount is split. */
  share: Schema.NullOr(Schema.Number),
  /** In human units of `from`, for all vaults together. */
  amount: Schema.NullOr(Schema.BigDecimalFromString),
  split: Schema.NullOr(Split),
  slippage: Schema.NullOr(Schema.Number),
  platform: Schema.NullOr(Schema.Literals(platforms)),
  validFor: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "GroupRequest" })
export type GroupRequest = typeof GroupRequest.Type

/** Decided before anything is accepted, and kept: a repeat of the call finds the same decision. */
export const MemberPlan = Schema.Struct({
  network: Network,
  pool: Address,
  decision: Schema.Literals(["trade", "skip", "refuse"]),
  /** The trade's size: percent of the holding, or an amount in human units of `from`. */
  share: Schema.NullOr(Schema.Number),
  amount: Schema.NullOr(Schema.BigDecimalFromString),
  /** Why nothing is traded; null for a trade. */
  reason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "MemberPlan" })
export type MemberPlan = typeof MemberPlan.Type

/** An accepted call. It is committed before the first of its trades is accepted. */
export const GroupCall = Schema.Struct({
  id: Schema.String,
  wallet: Address,
  keyId: Schema.String,
  subKeyId: Schema.NullOr(Schema.String),
  idempotencyKey: Schema.NullOr(Schema.String),
  request: GroupRequest,
  members: Schema.Array(MemberPlan),
  createdAt: Schema.Date
}).annotate({ identifier: "GroupCall" })
export type GroupCall = typeof GroupCall.Type

/**
 * Hours in which a repeat of a call accepts trades that the call did not get to. Shorter than the life of the trades'
 * idempotency keys, so that no trade is accepted a second time because its key was released.
 */
export const finishingHours = 24

/** Returns the idempotency key of a member's trade. The caller's own key names the call, and so its trades. */
export const tradeKey = (callId: string, index: number): string => `${groupKeyPrefix}${callId}-${index + 1}`
