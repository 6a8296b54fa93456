/** The bot that keeps a vault on one side of a pair: its configuration, its row, what it asks of its vault, and its actor's protocol. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Failure } from "../failure/Failure.ts"
import { names as venueNames } from "../venue/VenueName.ts"
import { holdCodes } from "./ThresholdDecision.ts"

/** `long`: hold the base. `neutral`: hold the quote. `short`: hold the base's inverse token. `hold`: do nothing. */
export const sides = ["long", "neutral", "short", "hold"] as const
export const Side = Schema.Literals(sides)
export type Side = typeof Side.Type

export const standard = { threshold: 1, maxUsd: "10000000", slippage: 1, share: 100 } as const

/** What a bot trades on paper, smallest units: what its vault would hold had it traded. */
export const PaperHoldings = Schema.Struct({ base: Schema.BigIntFromString, quote: Schema.BigIntFromString, inverse: Schema.BigIntFromString })
export type PaperHoldings = typeof PaperHoldings.Type

const terms = {
  side: Side,
  /** Percent of the pair's value that may be on the wrong side. */
  threshold: Schema.Number,
  /** Percent of the wrong side's balance that one trade takes. */
  share: Schema.Number,
  /** USD that one trade may be worth. */
  maxUsd: Schema.BigDecimalFromString,
  /** Percent. */
  slippage: Schema.Number,
  platform: Schema.Literals(["auto", ...venueNames]),
  /** Whether what is idle is supplied to lenderA. */
  lending: Schema.Boolean
}

/** A bot as its caller sets it; the legs as the caller named them. */
export const BotTerms = Schema.Struct({ ...terms, base: Schema.String, quote: Schema.String, paper: Schema.Boolean })
export type BotTerms = typeof BotTerms.Type

const legs = {
  /** The legs' symbols, as `WETH-USDC`. */
  pair: Schema.String,
  base: Address,
  quote: Address,
  /** The token that gains when the base loses; where the network has none, the bot cannot go short. */
  inverse: Schema.NullOr(Address)
}

/** One turn of a bot, decided when its vault gets to it: trade to the wanted side, park what is idle, or leave everything as it is. */
export const BotTradeRequest = Schema.TaggedStruct("BotTrade", {
  botId: Schema.String,
  ...legs,
  ...terms,
  /** What is decided on instead of what the vault holds; nothing is sent then. */
  paper: Schema.NullOr(Schema.Struct({ holdings: Schema.NullOr(PaperHoldings) }))
}).annotate({ identifier: "BotTrade" })
export type BotTradeRequest = typeof BotTradeRequest.Type

/** What a bot made of its last look. */
export const LastDecision = Schema.Struct({
  action: Schema.Literals(["hold", "trade", "park", "failed"]),
  /** Why it holds, as a word; its reason's figures are of `at`. */
  code: Schema.optional(Schema.Literals(holdCodes)),
  reason: Schema.String,
  /** ISO 8601. */
  at: Schema.String
})
export type LastDecision = typeof LastDecision.Type

/** A row. */
export const ThresholdBot = Schema.Struct({
  id: Schema.String,
  network: Network,
  pool: Address,
  ...legs,
  ...terms,
  paper: Schema.Boolean,
  paperHoldings: Schema.NullOr(PaperHoldings),
  /** Whose key set it: signs, and is billed. */
  wallet: Address,
  keyId: Schema.String,
  /** False once it has paused itself. */
  active: Schema.Boolean,
  pausedReason: Schema.NullOr(Schema.String),
  /** Failed turns in a row. */
  failures: Schema.Int,
  /** Goes up with every change of its terms; and with every turn that ended. Together they name the next turn. */
  revision: Schema.Int,
  turn: Schema.Int,
  /** The intent of the turn that is under way. */
  openIntent: Schema.NullOr(Schema.String),
  lastIntent: Schema.NullOr(Schema.String),
  lastDecision: Schema.NullOr(LastDecision),
  nextCheck: Schema.Date
}).annotate({ identifier: "ThresholdBot" })
export type ThresholdBot = typeof ThresholdBot.Type

/** Failed turns in a row after which a bot pauses itself. */
export const breaker = 3

/** What a turn asks of the vault. */
export const requestOf = (bot: ThresholdBot): BotTradeRequest => {
  const { base, id, inverse, lending, maxUsd, pair, paper, paperHoldings, platform, quote, share, side, slippage, threshold } = bot
  return BotTradeRequest.make({
    botId: id,
    ...{ pair, base, quote, inverse, side, threshold, share, maxUsd, slippage, platform, lending },
    paper: paper ? { holdings: paperHoldings } : null
  })
}

/** Whether two turns were of the same terms. */
export const isSame = (one: BotTradeRequest, other: BotTradeRequest): boolean => {
  const names = ["base", "quote", "side", "threshold", "share", "slippage", "platform", "lending"] as const
  return names.every((name) => one[name] === other[name]) && BigDecimal.equals(one.maxUsd, other.maxUsd) && (one.paper === null) === (other.paper === null)
}

/** Whether a turn was of the terms that the bot has now. */
export const isOf = (request: BotTradeRequest, bot: ThresholdBot): boolean => isSame(request, requestOf(bot))

const isActive = ({ active, side }: ThresholdBot, killSwitch: string | null) => active && side !== "hold" && killSwitch === null

/** The bot as answers show it. `killSwitch`: what stops it from outside, null where nothing does. */
export const viewOf = (bot: ThresholdBot, killSwitch: string | null): BotView => ({
  pair: bot.pair,
  side: bot.side,
  threshold: bot.threshold,
  max_usd: BigDecimal.toNumberUnsafe(bot.maxUsd),
  share: bot.share,
  slippage: bot.slippage,
  platform: bot.platform,
  lending: bot.lending,
  active: isActive(bot, killSwitch),
  paper: bot.paper,
  paused_reason: bot.pausedReason,
  last_decision: bot.lastDecision,
  last_intent_id: bot.openIntent ?? bot.lastIntent,
  kill_switch: killSwitch,
  next_check: isActive(bot, killSwitch) ? bot.nextCheck.toISOString() : null
})

/** A bot as answers show it. */
export const BotView = Schema.Struct({
  pair: Schema.String,
  side: Side,
  threshold: Schema.Number,
  max_usd: Schema.Number,
  share: Schema.Number,
  slippage: Schema.Number,
  platform: Schema.String,
  lending: Schema.Boolean,
  active: Schema.Boolean,
  paper: Schema.Boolean,
  /** Why it has paused itself. */
  paused_reason: Schema.NullOr(Schema.String),
  /** Why somebody has stopped it: the bot, its wallet, or the service. */
  kill_switch: Schema.NullOr(Schema.String),
  last_decision: Schema.NullOr(LastDecision),
  last_intent_id: Schema.NullOr(Schema.String),
  next_check: Schema.NullOr(Schema.String)
})
export type BotView = typeof BotView.Type

/** Set, and the intent of its turn. */
export const BotSet = Schema.Struct({ bot: ThresholdBot, intentId: Schema.String }).annotate({ identifier: "BotSet" })
export type BotSet = typeof BotSet.Type

/** The legs of a pair, found in a vault. */
export const BotLegs = Schema.Struct(legs).annotate({ identifier: "BotLegs" })
export type BotLegs = typeof BotLegs.Type

/** The ThresholdBot actor: what setting a bot asks of the chain, and the turns of one vault's bots. Entity id: `network/pool`, as the vault's. */
export const ThresholdBots = Entity.make("ThresholdBot", [
  /** The pair's legs in this vault; 1006 unless the wallet may trade it, 1003 or 1008 for a pair or a side that cannot be. Changes nothing. */
  Rpc.make("legs", { payload: { wallet: Address, base: Schema.String, quote: Schema.String, side: Side }, success: BotLegs, error: Failure }),
  /** Sets the vault's bots to what waits for a node, as far as one answers now. */
  Rpc.make("settle"),
  /** Begins a turn of a bot, or follows the one that is under way. */
  Rpc.make("wake", { payload: { botId: Schema.String }, error: Failure })
])
