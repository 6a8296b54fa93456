/** One rebalance of an index: what it may trade, the legs it made, how it ended. */
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import * as Quantities from "../chain/Quantity.ts"
import { Token } from "../chain/Token.ts"
import { Failure } from "../failure/Failure.ts"
import { names as venueNames } from "../venue/VenueName.ts"

/** A trade as it is planned: amounts in human units, `amount` of `from`, `minOut` of `to`. */
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

/** A leg as it was planned when the run began. */
export const PlannedLeg = Schema.Struct(planned)
export type PlannedLeg = typeof PlannedLeg.Type

/** `paper`: would have been traded. */
export const LegOutcome = Schema.Struct({
  status: Schema.Literals(["succeeded", "failed", "paper"]),
  txHash: Schema.NullOr(Hash),
  message: Schema.String,
  failure: Schema.NullOr(Failure),
  /** What really moved, by the receipt. */
  sold: Schema.NullOr(Quantities.Quantity),
  bought: Schema.NullOr(Quantities.Quantity)
})
export type LegOutcome = typeof LegOutcome.Type

/** A leg that is made: stored before its intent is accepted, so that a restart asks for exactly the same. */
export const RunLeg = Schema.Struct({
  ...planned,
  /** Percent. */
  slippage: Schema.Number,
  platform: Schema.Literals(["auto", ...venueNames]),
  intentId: Schema.NullOr(Schema.String),
  outcome: Schema.NullOr(LegOutcome)
})
export type RunLeg = typeof RunLeg.Type

/** A row. Runs end `done` or `failed`; both are final. */
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
  /** USD, 18 decimals: what it may trade, and what its legs that did not fail are worth. */
  cap18: Schema.BigIntFromString,
  spent18: Schema.BigIntFromString,
  state: Schema.Literals(["running", "done", "failed"]),
  /** The plan it began with; null before its first look. */
  planned: Schema.NullOr(Schema.Array(PlannedLeg)),
  totalUsd18: Schema.NullOr(Schema.BigIntFromString),
  legs: Schema.Array(RunLeg),
  message: Schema.NullOr(Schema.String),
  /** Why it could not go on, where that was no leg's failure. */
  failure: Schema.NullOr(Failure),
  startedAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "IndexRun" })
export type IndexRun = typeof IndexRun.Type

/** The idempotency key of a run's leg: the same key is the same intent, however often it is accepted. */
export const legKey = (runId: string, leg: number): string => `index-run/${runId}/${leg}`

/** A leg in numbers for people. */
export const shown = ({ amount, asset, from, minOut, side, to, usd18 }: PlannedLeg, slippage: number): PlannedTrade => ({
  asset: asset.symbol,
  side,
  from: from.symbol,
  to: to.symbol,
  amountUsd: Quantities.usd(usd18),
  amount: Quantities.format(amount, from.decimals),
  minOut: Quantities.format(minOut, to.decimals),
  slippage
})
