/** A bot that trades a vault by a strategy: its terms, row, decisions and protocol. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Token } from "../chain/Token.ts"
import { Failure } from "../failure/Failure.ts"
import { PlannedLeg } from "../index-bot/IndexRun.ts"
import { platforms } from "../venue/VenueName.ts"
import { CandleLength, CandleRow } from "./StrategyCandle.ts"
import { strategyFailureCodes } from "./StrategyFailure.ts"
import { InputValues, StrategyDescription } from "./StrategyInputs.ts"

export const defaults = { tolerance: 1, slippage: 1, quote: "USDC", minTradeUsd: "1" } as const

/** Failed decisions in a row after which a bot pauses itself. */
export const breaker = 3

export const strategyModes = ["paper", "live"] as const
export const StrategyMode = Schema.Literals(strategyModes)
export type StrategyMode = typeof StrategyMode.Type

const bigint = Schema.BigIntFromString

/** The terms of a bot. USD with 18 decimals, percentages as numbers. */
export const StrategyTerms = Schema.Struct({
  inputs: InputValues,
  assets: Schema.Array(Token),
  quote: Token,
  length: CandleLength,
  /** Candles that the strategy gets at most. */
  history: Schema.Int,
  /** The most that one decision trades. */
  maxUsd18: bigint,
  minTradeUsd18: bigint,
  /** Points that a weight may be off its target. */
  tolerance: Schema.Number,
  slippage: Schema.Number,
  /** Percent that a trade may lose to its market by the vault's oracle; null: the default. */
  maxImpact: Schema.NullOr(Schema.Number),
  platform: Schema.Literals(platforms)
}).annotate({ identifier: "StrategyTerms" })
export type StrategyTerms = typeof StrategyTerms.Type

/** Smallest units by address. */
export const Balances = Schema.Record(Schema.String, bigint)

/** A row of a strategy bot. */
export const StrategyBot = Schema.Struct({
  id: Schema.String,
  network: Network,
  pool: Address,
  /** The name of its file. */
  strategy: Schema.String,
  /** SHA-256 of the file that it was set with: it runs no other. */
  digest: Schema.String,
  /** The wallet whose key set the bot. It signs and is billed. */
  wallet: Address,
  keyId: Schema.String,
  terms: StrategyTerms,
  mode: StrategyMode,
  /** The memory of its last decision. */
  memory: Schema.Json,
  candle: Schema.NullOr(CandleRow),
  balances: Schema.NullOr(Balances),
  decision: Schema.Int,
  openIntent: Schema.NullOr(Schema.String),
  /** Failed decisions in a row. */
  failures: Schema.Int,
  /** Why it has paused itself; it begins again when it is set again. */
  pausedCode: Schema.NullOr(Schema.Literals(strategyFailureCodes)),
  reason: Schema.String,
  checkedAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date,
  endedAt: Schema.NullOr(Schema.Date)
}).annotate({ identifier: "StrategyBot" })
export type StrategyBot = typeof StrategyBot.Type

/** A trade of a decision. `paper`: filled on paper. `skipped`: a trade before it failed, or it became worthless. */
export const StrategyTrade = Schema.Struct({
  ...PlannedLeg.fields,
  state: Schema.Literals(["planned", "in_progress", "succeeded", "failed", "skipped", "paper"]),
  intentId: Schema.NullOr(Schema.String),
  txHash: Schema.NullOr(Hash),
  /** Smallest units, of a fill on paper. */
  bought: Schema.NullOr(bigint),
  message: Schema.NullOr(Schema.String)
}).annotate({ identifier: "StrategyTrade" })
export type StrategyTrade = typeof StrategyTrade.Type

/** A decision as it is stored: committed with its candle before it trades. */
export const StrategyDecisionRow = Schema.Struct({
  number: Schema.Int,
  bucket: Schema.Int,
  /** The strategy's answer; null when it failed. */
  decision: Schema.Json,
  reason: Schema.String,
  trades: Schema.Array(StrategyTrade),
  state: Schema.Literals(["trading", "done", "failed"]),
  decidedAt: Schema.Date
}).annotate({ identifier: "StrategyDecisionRow" })
export type StrategyDecisionRow = typeof StrategyDecisionRow.Type

/** Returns the idempotency key of a trade: of the bot, the candle that it was decided at, and its place. */
export const tradeKey = (botId: string, bucket: number, place: number): string => `strategy/${botId}/${bucket}/${place}`

export const strategyEventKinds = ["set", "paused", "deleted"] as const
export const StrategyEvent = Schema.Struct({
  at: Schema.Date,
  kind: Schema.Literals(strategyEventKinds),
  reason: Schema.String
}).annotate({ identifier: "StrategyEvent" })
export type StrategyEvent = typeof StrategyEvent.Type

/** A strategy that was loaded for a bot, with the bot's inputs and assets resolved. */
export const PreparedStrategy = Schema.Struct({
  digest: Schema.String,
  inputs: InputValues,
  history: Schema.Int,
  assets: Schema.Array(Token),
  quote: Token
}).annotate({ identifier: "PreparedStrategy" })
export type PreparedStrategy = typeof PreparedStrategy.Type

/** A strategy of the folder: what it says of itself, or why it cannot be loaded. */
export const ListedStrategy = Schema.Struct({
  name: Schema.String,
  description: Schema.NullOr(StrategyDescription),
  problem: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ListedStrategy" })
export type ListedStrategy = typeof ListedStrategy.Type

/** The actor of one vault's strategy bots. Entity id: `network/pool`, as the vault's. */
export const StrategyBots = Entity.make("StrategyBot", [
  /** Loads a strategy and resolves a bot's inputs and assets; 1006 unless the wallet may trade the vault. */
  Rpc.make("prepare", {
    payload: {
      wallet: Address,
      strategy: Schema.String,
      inputs: Schema.Record(Schema.String, Schema.String),
      assets: Schema.Array(Schema.String),
      quote: Schema.String
    },
    success: PreparedStrategy,
    error: Failure
  }),
  /** Lists the strategies of the folder. */
  Rpc.make("strategies", { success: Schema.Array(ListedStrategy), error: Failure }),
  /** Samples prices now, decides if a candle has closed, and begins the next trade, or follows the one in progress. */
  Rpc.make("wake", { payload: { botId: Schema.String }, error: Failure })
])
