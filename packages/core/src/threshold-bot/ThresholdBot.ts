/**
 * The bot that keeps a vault on one side of a pair: its configuration, its row, its requests to the vault, and its
 * actor's protocol.
 */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Failure } from "../failure/Failure.ts"
import { platforms } from "../venue/VenueName.ts"

/** `long`: hold the base. `neutral`: hold the quote. `short`: hold the base's inverse token. `hold`: do nothing. */
export const sides = ["long", "neutral", "short", "hold"] as const
export const Side = Schema.Literals(sides)
export type Side = typeof Side.Type

/** Why a decision is to hold. */
const holdCodes = [
  "told_to_hold",
  "no_inverse",
  "balance_unknown",
  "price_unavailable",
  "nothing_there",
  "within_threshold",
  "too_small"
] as const
export type HoldCode = typeof holdCodes[number]

export const defaults = { threshold: 1, maxUsd: "10000000", slippage: 1, share: 100 } as const

/** Paper holdings of a bot, in smallest units: the vault's holdings as if its trades had been sent. */
export const PaperHoldings = Schema.Struct({
  base: Schema.BigIntFromString,
  quote: Schema.BigIntFromString,
  inverse: Schema.BigIntFromString
})
export type PaperHoldings = typeof PaperHoldings.Type

const terms = {
  side: Side,
  /** Percent of the pair's value that may be on the wrong side. */
  threshold: Schema.Number,
  /** Percent of the wrong side's balance that one trade sells. */
  share: Schema.Number,
  /** Maximum value of one trade, and of all trades within a check interval, USD. */
  maxUsd: Schema.BigDecimalFromString,
  /** Percent. */
  slippage: Schema.Number,
  platform: Schema.Literals(platforms),
  /** True if idle funds are supplied to lenderA. */
  lending: Schema.Boolean,
  /** True if the bot enables the asset that it is to hold in the vault; false in rows before this setting existed. */
  autoEnable: Schema.Boolean.pipe(
    Schema.withDecodingDefaultType(Effect.succeed(false)),
    Schema.withConstructorDefault(Effect.succeed(false))
  ),
  /**
   * Percent that a trade may lose to the pool, compared with the vault's oracle; a larger one is made in slices. Null, as
   * in rows before this setting existed: the default impact more than a small trade loses, within the slippage.
   */
  maxImpact: Schema.NullOr(Schema.Number).pipe(
    Schema.withDecodingDefaultType(Effect.succeed(null)),
    Schema.withConstructorDefault(Effect.succeed(null))
  )
}

/** A bot as its caller sets it; the legs as the caller named them. */
export const BotTerms = Schema.Struct({ ...terms, base: Schema.String, quote: Schema.String, paper: Schema.Boolean })
export type BotTerms = typeof BotTerms.Type

const legs = {
  /** The legs' symbols, as `WETH-USDC`. */
  pair: Schema.String,
  base: Address,
  quote: Address,
  /** The token that gains when the base loses. When the network has none, the bot cannot go short. */
  inverse: Schema.NullOr(Address)
}

/**
 * One turn of a bot, decided when the vault executes it: trade to the wanted side, supply idle funds, or do nothing.
 */
export const BotTradeRequest = Schema.TaggedStruct("BotTrade", {
  botId: Schema.String,
  ...legs,
  ...terms,
  /** Holdings to decide on instead of the vault's, for a paper bot; nothing is sent then. */
  paper: Schema.NullOr(Schema.Struct({ holdings: Schema.NullOr(PaperHoldings) }))
}).annotate({ identifier: "BotTrade" })
export type BotTradeRequest = typeof BotTradeRequest.Type

/** A bot's last decision. */
export const LastDecision = Schema.Struct({
  action: Schema.Literals(["hold", "trade", "park", "failed"]),
  /** Code of the reason to hold; the figures in `reason` are as of `at`. */
  code: Schema.optional(Schema.Literals(holdCodes)),
  reason: Schema.String,
  /** ISO 8601. */
  at: Schema.String
})
export type LastDecision = typeof LastDecision.Type

/** Returns the asset that a bot is to hold; null when it holds none, or the network has no inverse token. */
export const wantedAsset = (
  { base, inverse, quote, side }: Pick<ThresholdBot, "base" | "inverse" | "quote" | "side">
): Address | null => side === "long" ? base : side === "neutral" ? quote : side === "short" ? inverse : null

/** A row of a threshold bot. */
export const ThresholdBot = Schema.Struct({
  id: Schema.String,
  network: Network,
  pool: Address,
  ...legs,
  ...terms,
  paper: Schema.Boolean,
  paperHoldings: Schema.NullOr(PaperHoldings),
  /** The wallet whose key set the bot. It signs and is billed. */
  wallet: Address,
  keyId: Schema.String,
  /** False once the bot has paused itself. */
  active: Schema.Boolean,
  pausedReason: Schema.NullOr(Schema.String),
  /** Failed turns in a row. */
  failures: Schema.Int,
  /**
   * `revision` increases with every change of terms, `turn` with every ended turn. Together they identify the next
   * turn.
   */
  revision: Schema.Int,
  turn: Schema.Int,
  /** The intent of the turn in progress. */
  openIntent: Schema.NullOr(Schema.String),
  lastIntent: Schema.NullOr(Schema.String),
  lastDecision: Schema.NullOr(LastDecision),
  nextCheck: Schema.Date
}).annotate({ identifier: "ThresholdBot" })
export type ThresholdBot = typeof ThresholdBot.Type

/** Failed turns in a row after which a bot pauses itself. */
export const breaker = 3

/** Builds the request of a bot's turn. */
export const requestOf = (bot: ThresholdBot): BotTradeRequest => {
  const {
    autoEnable,
    base,
    id,
    inverse,
    lending,
    maxImpact,
    maxUsd,
    pair,
    paper,
    paperHoldings,
    platform,
    quote,
    share,
    side,
    slippage,
    threshold
  } = bot
  return BotTradeRequest.make({
    botId: id,
    ...{ pair, base, quote, inverse, side, threshold, share, maxUsd, slippage, platform, lending, autoEnable },
    maxImpact,
    paper: paper ? { holdings: paperHoldings } : null
  })
}

/** Checks whether two turns have the same terms. */
export const isSame = (one: BotTradeRequest, other: BotTradeRequest): boolean => {
  const names = [
    "base",
    "quote",
    "side",
    "threshold",
    "share",
    "slippage",
    "platform",
    "lending",
    "autoEnable",
    "maxImpact"
  ] as const
  return names.every((name) => one[name] === other[name]) && BigDecimal.equals(one.maxUsd, other.maxUsd) &&
    (one.paper === null) === (other.paper === null)
}

/** Checks whether a turn has the bot's current terms. */
export const isOf = (request: BotTradeRequest, bot: ThresholdBot): boolean => isSame(request, requestOf(bot))

const isActive = ({ active, side }: ThresholdBot, killSwitch: string | null) =>
  active && side !== "hold" && killSwitch === null

/** Returns the bot as responses show it. `killSwitch`: the reason of an active kill switch, or null. */
export const viewOf = (bot: ThresholdBot, killSwitch: string | null): BotView => ({
  ...{ pair: bot.pair, base: bot.base, quote: bot.quote },
  side: bot.side,
  threshold: bot.threshold,
  max_usd: BigDecimal.toNumberUnsafe(bot.maxUsd),
  share: bot.share,
  slippage: bot.slippage,
  max_impact: bot.maxImpact,
  platform: bot.platform,
  lending: bot.lending,
  auto_enable: bot.autoEnable,
  active: isActive(bot, killSwitch),
  paper: bot.paper,
  paused_reason: bot.pausedReason,
  last_decision: bot.lastDecision,
  last_intent_id: bot.openIntent ?? bot.lastIntent,
  kill_switch: killSwitch,
  next_check: isActive(bot, killSwitch) ? bot.nextCheck.toISOString() : null
})

/** A bot as responses show it. */
export const BotView = Schema.Struct({
  pair: Schema.String,
  base: Address,
  quote: Address,
  side: Side,
  threshold: Schema.Number,
  max_usd: Schema.Number,
  share: Schema.Number,
  slippage: Schema.Number,
  max_impact: Schema.NullOr(Schema.Number),
  platform: Schema.String,
  lending: Schema.Boolean,
  auto_enable: Schema.Boolean,
  active: Schema.Boolean,
  paper: Schema.Boolean,
  /** Why the bot has paused itself. */
  paused_reason: Schema.NullOr(Schema.String),
  /** Reason of an active kill switch of the bot, its wallet, or the service. */
  kill_switch: Schema.NullOr(Schema.String),
  last_decision: Schema.NullOr(LastDecision),
  last_intent_id: Schema.NullOr(Schema.String),
  next_check: Schema.NullOr(Schema.String)
})
export type BotView = typeof BotView.Type

/** A bot after it was set, and the intent of its turn. */
export const BotSet = Schema.Struct({ bot: ThresholdBot, intentId: Schema.String }).annotate({ identifier: "BotSet" })
export type BotSet = typeof BotSet.Type

/** The legs of a pair, resolved for a vault. */
export const BotLegs = Schema.Struct(legs).annotate({ identifier: "BotLegs" })
export type BotLegs = typeof BotLegs.Type

/**
 * The ThresholdBot actor: reads the chain for setting a bot, and runs the turns of one vault's bots. Entity id:
 * `network/pool`, as the vault's.
 */
export const ThresholdBots = Entity.make("ThresholdBot", [
  /**
   * Resolves the pair's legs in this vault; 1006 unless the wallet may trade it, 1003 or 1008 for an impossible pair or
   * side. Changes nothing.
   */
  Rpc.make("legs", {
    payload: {
      wallet: Address,
      base: Schema.String,
      quote: Schema.String,
      side: Side,
      /** True if the vault need not have the assets enabled yet. */
      autoEnable: Schema.Boolean
    },
    success: BotLegs,
    error: Failure
  }),
  /** Applies the vault's waiting settings if a node answers now. */
  Rpc.make("settle"),
  /** Begins a turn of a bot, or follows the turn in progress. */
  Rpc.make("wake", { payload: { botId: Schema.String }, error: Failure })
])
