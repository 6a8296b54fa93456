/** The endpoints that set, delete and show threshold bots. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import { Pair } from "../endpoint/Pair.ts"
import * as Params from "../endpoint/Params.ts"
import { BotView as IndexBotView } from "../index-bot/IndexBotViews.ts"
import { BotView, Side, sides, defaults } from "./ThresholdBot.ts"

export const SideParam = Param.make(Schema.Literals(sides), {
  code: "1008",
  accepts: `one of ${sides.join(", ")}`,
  description:
    "long: hold the base; neutral: hold the quote; short: hold the base's inverse token, where the network has one; hold: do nothing.",
  example: "long",
  jsonSchema: { type: "string", enum: [...sides] },
  read: (text) => sides.find((side) => side === text.toLowerCase()),
  show: (value) => value
})

const within = (text: string, accept: (value: number) => boolean): number | undefined => {
  const decimal = Params.readDecimal(text)
  const value = decimal === undefined ? Number.NaN : BigDecimal.toNumberUnsafe(decimal)
  return Number.isFinite(value) && accept(value) ? value : undefined
}

const Threshold = Param.make(Schema.Number, {
  accepts: "a percentage from 0 to 100",
  description:
    `Percent of the pair's value that may be on the wrong side before it is traded, default ${defaults.threshold}.`,
  example: 1,
  jsonSchema: { type: "number", minimum: 0, maximum: 100, default: defaults.threshold },
  read: (text) => within(text, (value) => value >= 0 && value <= 100),
  show: String
})

const MaxImpact = Param.make(Schema.Number, {
  accepts: "a percentage above 0 and at most 50",
  description:
    "Percent that a trade may lose to the pool, compared with the vault's oracle; the pool's fee is part of it. A larger " +
    "trade is made in slices, one a check. Default: 0.3 more than a small trade loses, within the slippage.",
  example: 0.3,
  jsonSchema: { type: "number", exclusiveMinimum: 0, maximum: 50 },
  read: (text) => within(text, (value) => value > 0 && value <= 50),
  show: String
})

/** Builds a parameter of US dollars above 0. */
const MaxUsd = (description: string) =>
  Param.make(Schema.BigDecimal, {
    accepts: "a number of US dollars above 0",
    description,
    example: "10000",
    jsonSchema: { type: "string", pattern: "^[0-9.eE+-]+$" },
    read: (text) => {
      const value = Params.readDecimal(text)
      return value !== undefined && BigDecimal.isPositive(value) ? value : undefined
    },
    show: (value) => BigDecimal.format(value)
  })

/** A bot for examples. */
export const viewExample = {
  pair: "WETH-USDC",
  base: "0x4200000000000000000000000000000000000006",
  quote: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  side: "long",
  threshold: 1,
  max_usd: 10_000_000,
  share: 100,
  slippage: 1,
  max_impact: null,
  platform: "auto",
  lending: false,
  auto_enable: false,
  active: true,
  paper: false,
  paused_reason: null,
  kill_switch: null,
  last_decision: null,
  last_intent_id: null,
  next_check: "2026-11-20T10:00:00.000Z"
}
const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const about = { apiKey: Params.ApiKey, network: Params.Network, pool: Params.Pool }

/**
 * A vault's bots and index, as `getBotStatus` shows them. A key that has no role at the vault gets no details: null, or
 * empty.
 */
const BotStatus = Schema.Struct({
  network: Schema.String,
  pool: Schema.String,
  /** The wallet that trades for the bots; null without bots, or when the caller may not read the strategy. */
  gasWallet: Schema.NullOr(Schema.String),
  active: Schema.Boolean,
  hasBot: Schema.Boolean,
  bots: Schema.Array(BotView),
  /**
   * Settings that the caller's wallet made while no node answered; they are applied when one does. `refused`: why that
   * failed.
   */
  waiting: Schema.Array(
    Schema.Struct({ pair: Schema.String, side: Side, since: Schema.String, refused: Schema.NullOr(Schema.String) })
  ),
  hasAllocations: Schema.Boolean,
  /** The index bot's targets. */
  allocations: IndexBotView.fields.targets,
  /** The index bot, without its runs. */
  index: Schema.NullOr(IndexBotView)
})

export class ThresholdBotApi extends RpcGroup.make(
  Endpoint.make("setBot", {
    origin: "spec",
    class: "movesFunds",
    trader: true,
    fromRows: true,
    method: "POST",
    summary:
      "Keep the vault on one side of a pair: sets the bot and begins a rebalance at once; trades of a bot are billed as trades.",
    params: {
      ...about,
      pair: Pair,
      side: SideParam,
      threshold: Schema.optional(Threshold),
      max_usd: Schema.optional(
        MaxUsd(
          "Maximum value in US dollars of one trade, and of all trades within a check interval; default 10,000,000."
        )
      ),
      slippage: Schema.optional(Params.Slippage),
      max_impact: Schema.optional(MaxImpact),
      share: Schema.optional(Params.Share),
      platform: Schema.optional(Params.Platform),
      lending: Schema.optional(Params.Flag("Supply idle funds to lenderA, and withdraw them before trading.")),
      auto_enable: Schema.optional(
        Params.Flag(
          "Enable the asset that the bot is to hold where the vault does not have it enabled and lets its trader enable " +
            "it: by an intent of its own, before the trade."
        )
      ),
      protocol: Schema.optional(Params.Protocol),
      paper: Schema.optional(Params.Flag("Decide on live prices and record the trades without sending them."))
    },
    success: { data: BotView },
    exampleRequest: { side: "hold" },
    failsWith: ["rpc_unavailable", "busy"],
    example: {
      intent_id: "01936f5a-0000-7000-8000-000000000000",
      tx_hash: null,
      message: "The bot of WETH-USDC is set to long; a rebalance is in progress. Call getIntent for the outcome.",
      data: viewExample
    }
  }),
  Endpoint.make("deleteBot", {
    origin: "spec",
    class: "changesConfig",
    fromRows: true,
    method: "DELETE",
    summary:
      "Delete the vault's bots, or the one of a pair, even when no node answers; a transaction that is already planned continues.",
    params: { ...about, pair: Schema.optional(Pair), protocol: Schema.optional(Params.Protocol) },
    success: { removed: Schema.Array(Schema.String), message: Schema.String },
    failsWith: ["rpc_unavailable", "busy"],
    example: { removed: ["WETH-USDC"], message: "Removed the bot of WETH-USDC." }
  }),
  Endpoint.make("getBotStatus", {
    origin: "spec",
    class: "readOnly",
    fromRows: true,
    summary: "Bots and index of one vault: their settings, whether they are active, and their last decisions with " +
      "reasons. Details are shown to the vault's own keys only.",
    params: { ...about, protocol: Schema.optional(Params.Protocol) },
    success: { message: Schema.NullOr(Schema.String), data: BotStatus },
    example: {
      message: null,
      data: {
        network: "base",
        pool,
        gasWallet: pool,
        active: true,
        hasBot: true,
        bots: [viewExample],
        waiting: [],
        hasAllocations: false,
        allocations: [],
        index: null
      }
    }
  }),
  Endpoint.make("getAllBots", {
    origin: "spec",
    class: "readOnly",
    access: "apiKeyOrManager",
    summary: "All bots on all networks: of the key's wallet, or of every wallet in the manager's list.",
    params: Params.keyOrManagerOn,
    success: {
      bots: Schema.Array(
        Schema.Struct({ network: Schema.String, pool: Schema.String, gasWallet: Schema.String, ...BotView.fields })
      ),
      index_bots: Schema.Array(IndexBotView)
    },
    example: { bots: [{ network: "base", pool, gasWallet: pool, ...viewExample }], index_bots: [] }
  })
) {}
