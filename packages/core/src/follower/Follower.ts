/** A follower: a durable rule that makes a vault copy a leader's weights. Its terms, memory, row and protocol. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Token } from "../chain/Token.ts"
import { Failure } from "../failure/Failure.ts"

const bigint = Schema.BigIntFromString

export const defaults = {
  /** Percent of the leader's weights. */
  ratio: 100,
  /** Percentage points. */
  threshold: 2,
  /** Seconds. */
  delay: 0,
  intervalSeconds: 86_400,
  /** Percent. */
  slippage: 1,
  maxImpact: 1,
  /** Readings in a row, each of a later block, after which a follower trades or stops. */
  confirmations: 2
} as const

/** Most trades of a follower within a day: what it does can never burn gas in a loop. */
export const maxTradesPerDay = 144

/** Failed trades in a row after which the follower raises an alert and pauses for an hour. */
export const maxFailures = 3

/** Least value of a trade, USD with 18 decimals: below a dollar it costs more than it moves. */
export const leastUsd18 = 10n ** 18n

/**
 * Percent of its value that a leader keeps at least between two readings. One that has lost more in one step is drained:
 * what is left of it says nothing about where its owner wants to be.
 */
export const drainedBelow = 5n

/** `vault`: a vault of the platform. `wallet`: any other address, of which the platform's tokens are read. */
export const LeaderKind = Schema.Literals(["vault", "wallet"])
export type LeaderKind = typeof LeaderKind.Type

export const FollowerTerms = Schema.Struct({
  leader: Address,
  leaderKind: LeaderKind,
  /** The asset that trades go through, and that has the weight of everything that is not followed. */
  base: Token,
  /** Percent of the leader's weights. */
  ratio: Schema.Number,
  /** Percentage points that a weight may be off its target. */
  threshold: Schema.Number,
  /** Most that one asset may weigh, percent; null: no bound. */
  maxWeight: Schema.NullOr(Schema.Number),
  /** Most that one trade moves, USD with 18 decimals. */
  maxUsd18: bigint,
  /** Most that all trades of an interval move; null: no bound. */
  maxUsdInInterval18: Schema.NullOr(bigint),
  intervalSeconds: Schema.Int,
  /** The only assets that are traded; null: all. */
  assets: Schema.NullOr(Schema.Array(Token)),
  /** Assets that are never traded. */
  without: Schema.Array(Token),
  /** Seconds for which a difference must have lasted before the first trade. */
  delaySeconds: Schema.Int,
  /** Percent. */
  slippage: Schema.Number,
  maxImpact: Schema.Number
}).annotate({ identifier: "FollowerTerms" })
export type FollowerTerms = typeof FollowerTerms.Type

/** An asset of the leader and what its weight became. Percentages. */
export const LeaderWeight = Schema.Struct({
  asset: Address,
  symbol: Schema.String,
  /** The weight in the leader. */
  weight: Schema.Number,
  /** The weight that the follower aims at. */
  target: Schema.Number,
  /** Why it is not followed, or not all of it; null when it is. */
  reason: Schema.NullOr(Schema.String)
})
export type LeaderWeight = typeof LeaderWeight.Type

/** The readings in a row that ask for the same thing, the last one's block time and the first one's, unix seconds. */
const Row = Schema.Struct({
  asks: Schema.Literals(["trade", "stop"]),
  times: Schema.Int,
  block: Schema.Int,
  since: Schema.Int
})

/** The memory of a follower between two readings. */
export const FollowerMemory = Schema.Struct({
  row: Schema.NullOr(Row),
  /** The last reading in words; null before the first. */
  reading: Schema.NullOr(Schema.String),
  /** The leader's value at the last reading that was not suspect, USD with 18 decimals. */
  leaderUsd18: Schema.NullOr(bigint),
  weights: Schema.Array(LeaderWeight)
}).annotate({ identifier: "FollowerMemory" })
export type FollowerMemory = typeof FollowerMemory.Type

export const noMemory: FollowerMemory = { row: null, reading: null, leaderUsd18: null, weights: [] }

/** `following`: it trades. `stopped`: the leader was drained; `setFollower` starts it again. */
export const followerStates = ["following", "stopped"] as const
export const FollowerState = Schema.Literals(followerStates)
export type FollowerState = typeof FollowerState.Type

/** A trade of a follower. Amounts in smallest units of `from`. */
export const FollowerTrade = Schema.Struct({
  side: Schema.Literals(["sell", "buy"]),
  from: Token,
  to: Token,
  amount: bigint,
  usd18: bigint
}).annotate({ identifier: "FollowerTrade" })
export type FollowerTrade = typeof FollowerTrade.Type

/** A row of a follower. */
export const Follower = Schema.Struct({
  id: Schema.String,
  network: Network,
  /** The vault that follows. */
  pool: Address,
  /** The wallet whose key set the follower. It signs and is billed. */
  wallet: Address,
  keyId: Schema.String,
  terms: FollowerTerms,
  state: FollowerState,
  memory: FollowerMemory,
  /** Increases with every change of the terms. */
  revision: Schema.Int,
  /** The number of its next trade. */
  step: Schema.Int,
  openIntent: Schema.NullOr(Schema.String),
  /** Failed trades in a row. */
  failures: Schema.Int,
  reason: Schema.String,
  stoppedAt: Schema.NullOr(Schema.Date),
  checkedAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "Follower" })
export type Follower = typeof Follower.Type

/** Returns the idempotency key of a trade: beginning it again returns the same intent. */
export const tradeKey = (followerId: string, step: number): string => `follower/${followerId}/${step}`

/** A trade as it is stored: begun with its intent in one transaction, ended once. */
export const TradeRow = Schema.Struct({
  step: Schema.Int,
  intentId: Schema.String,
  trade: FollowerTrade,
  state: Schema.Literals(["in_progress", "succeeded", "failed"]),
  txHash: Schema.NullOr(Hash),
  message: Schema.NullOr(Schema.String),
  begunAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "FollowerTradeRow" })
export type TradeRow = typeof TradeRow.Type

/** `stopped`: the leader was drained. `failed`: several trades in a row failed, and a person has to look. */
export const followerEventKinds = [
  "set",
  "trade_begun",
  "trade_succeeded",
  "trade_failed",
  "stopped",
  "failed",
  "removed"
] as const
export const FollowerEvent = Schema.Struct({
  at: Schema.Date,
  kind: Schema.Literals(followerEventKinds),
  reason: Schema.String
}).annotate({ identifier: "FollowerEvent" })
export type FollowerEvent = typeof FollowerEvent.Type

/** The present reading of a follower, and the trades that would bring its vault to its targets. Nothing is sent. */
export const FollowerPreview = Schema.Struct({
  /** `wait`, `trade` or `stop`. */
  step: Schema.String,
  reading: Schema.String,
  reason: Schema.String,
  weights: Schema.Array(LeaderWeight),
  /** In words, in their order, without the caps on a trade and an interval. */
  trades: Schema.Array(Schema.String)
}).annotate({ identifier: "FollowerPreview" })
export type FollowerPreview = typeof FollowerPreview.Type

/** The actor of one vault's follower. Entity id: `network/pool`, as the vault's. */
export const Followers = Entity.make("Follower", [
  /** Resolves assets that the vault may hold, in their order, and the kind of a leader; 1006 unless the wallet may trade it. */
  Rpc.make("resolve", {
    payload: { wallet: Address, names: Schema.Array(Schema.String), leader: Address },
    success: Schema.Struct({ tokens: Schema.Array(Token), leaderKind: LeaderKind }),
    error: Failure
  }),
  /** Says what a follower with these terms would do now. Changes nothing. */
  Rpc.make("preview", { payload: { wallet: Address, terms: FollowerTerms }, success: FollowerPreview, error: Failure }),
  /** Reads and decides now, and begins the follower's next trade, or follows the one in progress. */
  Rpc.make("wake", { payload: { followerId: Schema.String }, error: Failure })
])
