/** Followers, their trades and their history as responses show them. */
import * as Schema from "effect/Schema"
import * as Quantity from "../chain/Quantity.ts"
import {
  type Follower,
  type FollowerEvent,
  followerEventKinds,
  FollowerState,
  LeaderKind,
  LeaderWeight,
  type TradeRow
} from "./Follower.ts"

const text = Schema.NullOr(Schema.String)

export const FollowerView = Schema.Struct({
  id: Schema.String,
  network: Schema.String,
  /** The vault that follows. */
  pool: Schema.String,
  leader: Schema.String,
  leader_kind: LeaderKind,
  /** The wallet that set the follower; it signs and is billed. */
  gasWallet: Schema.String,
  state: FollowerState,
  base: Schema.String,
  /** Percent. */
  ratio: Schema.Number,
  /** Percentage points. */
  threshold: Schema.Number,
  max_weight: Schema.NullOr(Schema.Number),
  /** US dollars. */
  max_usd: Schema.String,
  max_usd_interval: text,
  /** Seconds. */
  interval: Schema.Int,
  /** Symbols; null: all that the vault may hold. */
  assets: Schema.NullOr(Schema.Array(Schema.String)),
  without: Schema.Array(Schema.String),
  /** Seconds. */
  delay: Schema.Int,
  slippage: Schema.Number,
  max_impact: Schema.Number,
  /** The leader's value, US dollars, at the last reading; null before the first. */
  leader_usd: Schema.NullOr(Schema.Number),
  /** The leader's assets at the last reading, and what their weights became. */
  weights: Schema.Array(LeaderWeight),
  /** Its last reading in words. */
  reading: text,
  /** The condition that it waits for, or its last trade. */
  reason: Schema.String,
  open_intent_id: text,
  /** Failed trades in a row. */
  failures: Schema.Int,
  kill_switch: text,
  stopped_at: text,
  checked_at: text,
  created_at: Schema.String
})

const iso = (at: Date | null) => at === null ? null : at.toISOString()
const usd = (usd18: bigint) => Quantity.format(usd18, 18)

/** Converts a follower for a response; `stopped`: why a switch stops it, or null. */
export const viewOf = (follower: Follower, stopped: string | null): typeof FollowerView.Type => {
  const { memory, terms } = follower
  return {
    ...{ id: follower.id, network: follower.network, pool: follower.pool, gasWallet: follower.wallet },
    ...{ leader: terms.leader, leader_kind: terms.leaderKind, state: follower.state, base: terms.base.symbol },
    ...{ ratio: terms.ratio, threshold: terms.threshold, max_weight: terms.maxWeight, max_usd: usd(terms.maxUsd18) },
    max_usd_interval: terms.maxUsdInInterval18 === null ? null : usd(terms.maxUsdInInterval18),
    interval: terms.intervalSeconds,
    assets: terms.assets?.map(({ symbol }) => symbol) ?? null,
    without: terms.without.map(({ symbol }) => symbol),
    ...{ delay: terms.delaySeconds, slippage: terms.slippage, max_impact: terms.maxImpact },
    leader_usd: memory.leaderUsd18 === null ? null : Quantity.usd(memory.leaderUsd18),
    ...{ weights: memory.weights, reading: memory.reading, reason: follower.reason },
    ...{ open_intent_id: follower.openIntent, failures: follower.failures, kill_switch: stopped },
    ...{ stopped_at: iso(follower.stoppedAt), checked_at: iso(follower.checkedAt) },
    created_at: follower.createdAt.toISOString()
  }
}

/** A trade of a follower. */
export const TradeView = Schema.Struct({
  step: Schema.Int,
  intent_id: Schema.String,
  side: Schema.String,
  from: Schema.String,
  to: Schema.String,
  /** Whole tokens of `from`. */
  amount: Schema.String,
  usd: Schema.Number,
  state: Schema.String,
  tx_hash: text,
  message: text,
  begun_at: Schema.String,
  ended_at: text
})

export const tradeViewOf = (row: TradeRow): typeof TradeView.Type => {
  const { amount, from, side, to, usd18 } = row.trade
  return {
    ...{ step: row.step, intent_id: row.intentId, side, from: from.symbol, to: to.symbol },
    ...{ amount: Quantity.format(amount, from.decimals), usd: Quantity.usd(usd18), state: row.state },
    ...{ tx_hash: row.txHash, message: row.message, begun_at: row.begunAt.toISOString(), ended_at: iso(row.endedAt) }
  }
}

/** An entry of a follower's history. */
export const FollowerEventView = Schema.Struct({
  at: Schema.String,
  kind: Schema.Literals(followerEventKinds),
  reason: Schema.String
})

export const eventViewOf = ({ at, kind, reason }: FollowerEvent): typeof FollowerEventView.Type => ({
  ...{ at: at.toISOString(), kind, reason }
})
