/** One rebalance of an index: its cap, its legs and its outcome. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import * as Quantities from "../chain/Quantity.ts"
import { Token } from "../chain/Token.ts"
import { Failure } from "../failure/Failure.ts"
import { platforms } from "../venue/VenueName.ts"

/** A planned trade: amounts in human units, `amount` of `from`, `minOut` of `to`. */
export const PlannedTrade = Schema.Struct({
  asset: Schema.String,
  side: Schema.Literals(["sell", "buy"]),
  from: Schema.String,
  to: Schema.String,
  amountUsd: Schema.Number,
  amount: Schema.String,
  minOut: Schema.String,
  slippage: Schema.Number
})
export type PlannedTrade = typeof PlannedTrade.Type

const planned = {
  side: Schema.Literals(["sell", "buy"]),
  asset: Token,
  from: Token,
  to: Token,
  /** Of `from`, smallest units. */
  amount: Schema.BigIntFromString,
  /** Of `to`, smallest units, by the oracle. */
  minOut: Schema.BigIntFromString,
  /** USD, 18 decimals, by the vault's oracle. */
  usd18: Schema.BigIntFromString
}

/** A leg as planned at the start of the run. */
export const PlannedLeg = Schema.Struct(planned)
export type PlannedLeg = typeof PlannedLeg.Type

/** Outcome of a leg. `paper`: decided but not sent. */
export const LegOutcome = Schema.Struct({
  status: Schema.Literals(["succeeded", "failed", "paper"]),
  txHash: Schema.NullOr(Hash),
  message: Schema.String,
  failure: Schema.NullOr(Failure),
  /** Amounts actually moved, from the receipt. */
  sold: Schema.NullOr(Quantities.Quantity),
  bought: Schema.NullOr(Quantities.Quantity)
})
export type LegOutcome = typeof LegOutcome.Type

/** An executed leg. It is stored before its intent is accepted, so that a restart requests exactly the same. */
export const RunLeg = Schema.Struct({
  ...planned,
  /** Percent. */
  slippage: Schema.Number,
  platform: Schema.Literals(platforms),
  /** True if a part may be traded where the pool does not bear the whole; false in rows before that was done. */
  partial: Schema.Boolean.pipe(
    Schema.withDecodingDefaultType(Effect.succeed(false)),
    Schema.withConstructorDefault(Effect.succeed(false))
  ),
  intentId: Schema.NullOr(Schema.String),
  outcome: Schema.NullOr(LegOutcome)
})
export type RunLeg = typeof RunLeg.Type

/** A row of a run. Runs end `done` or `failed`; both are final. */
export const IndexRun = Schema.Struct({
  id: Schema.String,
  network: Network,
  pool: Address,
  wallet: Address,
  keyId: Schema.String,
  reason: Schema.Literals(["scheduled", "asked"]),
  quote: Token,
  force: Schema.Boolean,
  paper: Schema.Boolean,
  /** USD, 18 decimals: the maximum value it trades, and the value that its legs have traded or may still trade. */
  cap18: Schema.BigIntFromString,
  spent18: Schema.BigIntFromString,
  state: Schema.Literals(["running", "done", "failed"]),
  /** The plan at its start; null before the vault is first read. */
  planned: Schema.NullOr(Schema.Array(PlannedLeg)),
  totalUsd18: Schema.NullOr(Schema.BigIntFromString),
  legs: Schema.Array(RunLeg),
  message: Schema.NullOr(Schema.String),
  /** Why the run could not continue, unless a leg failed. */
  failure: Schema.NullOr(Failure),
  startedAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "IndexRun" })
export type IndexRun = typeof IndexRun.Type

/** Returns the idempotency key of a run's leg, so that accepting the leg again returns the same intent. */
export const legKey = (runId: string, leg: number): string => `index-run/${runId}/${leg}`

/** Converts a leg to numbers for people. */
export const plannedTradeOf = (
  { amount, asset, from, minOut, side, to, usd18 }: PlannedLeg,
  slippage: number
): PlannedTrade => ({
  asset: asset.symbol,
  side,
  from: from.symbol,
  to: to.symbol,
  amountUsd: Quantities.usd(usd18),
  amount: Quantities.format(amount, from.decimals),
  minOut: Quantities.format(minOut, to.decimals),
  slippage
})
