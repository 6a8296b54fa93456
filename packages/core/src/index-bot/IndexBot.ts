/** The bot that keeps a vault's weights: its row, its responses, and its actor's protocol. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Token } from "../chain/Token.ts"
import { Failure, ValidationFailure } from "../failure/Failure.ts"
import { platforms } from "../venue/VenueName.ts"
import { IndexRun, PlannedTrade } from "./IndexRun.ts"

export const defaults = { tolerance: 5, slippage: 1, quote: "USDC", minTradeUsd: "1" } as const

/** Failed runs in a row after which a bot pauses itself. */
export const breaker = 3

const Platform = Schema.Literals(platforms)

/** A token's target in the vault. */
export const IndexTarget = Schema.Struct({
  token: Token,
  /** Percent of the whole vault. */
  weight: Schema.Number,
  /** Percentage points; null for the bot's default. */
  tolerance: Schema.NullOr(Schema.Number)
})

/** The fields that a caller sets. USD with 18 decimals. */
const setting = {
  network: Network,
  pool: Address,
  /** The wallet whose key set the bot. It signs the scheduled runs and is billed for them. */
  wallet: Address,
  keyId: Schema.String,
  targets: Schema.Array(IndexTarget),
  /** The asset that all trades go through. */
  quote: Token,
  intervalSeconds: Schema.Int,
  /** Maximum value that one run trades. */
  maxUsd18: Schema.BigIntFromString,
  minTradeUsd18: Schema.BigIntFromString,
  /** Percentage points. */
  tolerance: Schema.Number,
  /** Percent. */
  slippage: Schema.Number,
  platform: Platform,
  enabled: Schema.Boolean,
  paper: Schema.Boolean
}
export const IndexSetting = Schema.Struct(setting)
export type IndexSetting = typeof IndexSetting.Type

/** A row of an index bot; one per vault. */
export const IndexBot = Schema.Struct({
  ...setting,
  /** Failed runs in a row. */
  failures: Schema.Int,
  /** Why the bot has paused itself; it resumes when it is set again. */
  pausedReason: Schema.NullOr(Schema.String),
  /** The decision of its last check or run. */
  lastDecision: Schema.NullOr(Schema.String),
  lastDecidedAt: Schema.NullOr(Schema.Date),
  nextRunAt: Schema.Date
}).annotate({ identifier: "IndexBot" })
export type IndexBot = typeof IndexBot.Type

/** Checks whether the bot's schedule is running. */
export const isActive = ({ enabled, pausedReason }: Pick<IndexBot, "enabled" | "pausedReason">): boolean =>
  enabled && pausedReason === null

/** Builds the failure for a vault without an index bot. */
export const notSet = (pool: Address): ValidationFailure =>
  new ValidationFailure({ code: "1010", message: `Vault ${pool} has no index bot; setIndexBot makes one.` })

/**
 * A target and its current holding; USD and percentages as numbers for people. Null: unknown, because an asset has no
 * value now.
 */
export const Allocation = Schema.Struct({
  asset: Schema.String,
  contract: Address,
  targetPct: Schema.Number,
  currentPct: Schema.NullOr(Schema.Number),
  driftPct: Schema.NullOr(Schema.Number),
  valueUsd: Schema.NullOr(Schema.Number),
  targetUsd: Schema.NullOr(Schema.Number),
  tolerance: Schema.Number,
  outOfBand: Schema.NullOr(Schema.Boolean),
  inVault: Schema.Boolean
})

/** A holding that is not a target. */
export const Unmanaged = Schema.Struct({
  asset: Schema.String,
  /** Names it for people: a token's symbol, or a position's kind and address. */
  label: Schema.String,
  contract: Address,
  currentPct: Schema.NullOr(Schema.Number),
  valueUsd: Schema.NullOr(Schema.Number)
})

/**
 * The vault's holdings against its targets, and the trades a run would make now. Null: unknown, because an asset has no
 * value now; then there are no trades.
 */
export const IndexPreview = Schema.Struct({
  totalValueUsd: Schema.NullOr(Schema.Number),
  needsRebalance: Schema.NullOr(Schema.Boolean),
  allocations: Schema.Array(Allocation),
  unmanagedAssets: Schema.Array(Unmanaged),
  plan: Schema.Array(PlannedTrade),
  /** The assets that have no value now, with reasons; null when all have one. */
  reason: Schema.NullOr(Schema.String)
}).annotate({ identifier: "IndexPreview" })
export type IndexPreview = typeof IndexPreview.Type

/**
 * The IndexBot actor: schedule, plan and runs of one vault, one run at a time. Entity id: `network/pool`, as the
 * vault's.
 */
export const IndexBots = Entity.make("IndexBot", [
  /** Plans a run with this quote or the bot's own; signs and sends nothing. 1010 when the vault has no index bot. */
  Rpc.make("preview", {
    payload: { quote: Schema.NullOr(Token), force: Schema.Boolean },
    success: IndexPreview,
    error: Failure
  }),
  /** Executes a run that has begun, or waits for it. Safe to repeat. */
  Rpc.make("run", { payload: { runId: Schema.String }, success: IndexRun }),
  /** Resumes the run in progress, or begins the one that is due. */
  Rpc.make("wake")
])
