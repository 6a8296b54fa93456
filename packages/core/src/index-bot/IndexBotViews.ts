/** Response forms of an index bot, its runs and its trades. USD and percentages are numbers for people. */
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Quantity } from "../chain/Quantity.ts"
import { Allocation, Unmanaged } from "./IndexBot.ts"
import { PlannedTrade } from "./IndexRun.ts"
import { UnresolvedTarget } from "./Targets.ts"

/** A trade of a run: its last plan, and the amounts actually moved. */
export const TradedView = Schema.Struct({
  ...PlannedTrade.fields,
  /** `paper`: decided but not sent. */
  status: Schema.Literals(["pending", "success", "fail", "paper"]),
  intent_id: Schema.NullOr(Schema.String),
  tx_hash: Schema.NullOr(Hash),
  sold: Schema.NullOr(Quantity),
  bought: Schema.NullOr(Quantity),
  message: Schema.NullOr(Schema.String)
})

export const RunView = Schema.Struct({
  id: Schema.String,
  reason: Schema.Literals(["scheduled", "asked"]),
  state: Schema.Literals(["running", "done", "failed"]),
  paper: Schema.Boolean,
  /** USD value of its trades that did not fail. */
  traded_usd: Schema.Number,
  plan: Schema.Array(PlannedTrade),
  trades: Schema.Array(TradedView),
  message: Schema.NullOr(Schema.String),
  started_at: Schema.String,
  ended_at: Schema.NullOr(Schema.String)
})

export const BotView = Schema.Struct({
  network: Schema.String,
  pool: Address,
  gasWallet: Address,
  /** True if its schedule is running: enabled, not paused by failures, not stopped by a kill switch. */
  active: Schema.Boolean,
  enabled: Schema.Boolean,
  paper: Schema.Boolean,
  paused_reason: Schema.NullOr(Schema.String),
  /** Reason of an active kill switch of the bot, its wallet, or the service. */
  kill_switch: Schema.NullOr(Schema.String),
  targets: Schema.Array(
    Schema.Struct({ asset: Schema.String, contract: Address, weight: Schema.Number, tolerance: Schema.Number })
  ),
  /** Seconds. */
  interval: Schema.Int,
  max_usd: Schema.Number,
  min_trade_usd: Schema.Number,
  tolerance: Schema.Number,
  slippage: Schema.Number,
  quote: Schema.String,
  platform: Schema.String,
  last_decision: Schema.NullOr(Schema.String),
  last_decided_at: Schema.NullOr(Schema.String),
  /** Null while its schedule is not running. */
  next_run_at: Schema.NullOr(Schema.String),
  last_run: Schema.NullOr(RunView)
})

export const AllocationsView = Schema.Struct({
  /**
   * This and all values that depend on it are null while an asset has no value; `reason` names the asset and the cause.
   */
  totalValueUsd: Schema.NullOr(Schema.Number),
  needsRebalance: Schema.NullOr(Schema.Boolean),
  reason: Schema.NullOr(Schema.String),
  max_usd: Schema.Number,
  platform: Schema.String,
  allocations: Schema.Array(Allocation),
  unmanagedAssets: Schema.Array(Unmanaged)
})

/** The call that replaces a retired one; the caller adds its key. */
export const CallView = Schema.Struct({
  method: Schema.Literal("POST"),
  path: Schema.String,
  body: Schema.Struct({
    network: Schema.String,
    pool: Address,
    targets: Schema.Array(UnresolvedTarget),
    interval: Schema.String,
    max_usd: Schema.String,
    quote: Schema.String,
    slippage: Schema.optionalKey(Schema.Number),
    platform: Schema.optionalKey(Schema.String),
    enabled: Schema.Boolean
  })
})
