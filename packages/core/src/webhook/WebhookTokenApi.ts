/** Endpoints of chart alerts: tokens that replace the API key in an alert's URL, and the URL that receives alerts. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { BotView } from "../threshold-bot/ThresholdBot.ts"
import { Pair } from "../endpoint/Pair.ts"
import { viewExample } from "../threshold-bot/ThresholdBotApi.ts"
import { SignalResult, Understood } from "../signal/Signal.ts"
import { SignalTargets } from "../signal/SignalTarget.ts"
import * as SideWords from "../signal/SideWords.ts"
import * as Understanding from "../signal/Understanding.ts"
import { MaxAge, PerMinute, Quiet, Sources } from "./TokenRules.ts"
import { AlertAction, AlertSide, AlertText, MarketPosition } from "./AlertSide.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const tokenId = "01936f5a-0000-7000-8000-000000000000"

/** 256 random bits. */
const Token = Param.make(Schema.RedactedFromValue(Schema.String), {
  accepts: "a token of createWebhookToken",
  description: "The token, as createWebhookToken returned it.",
  example: "whk_<64 hex characters>",
  jsonSchema: { type: "string" },
  secret: true,
  read: (text) => Redacted.make(text),
  show: (value) => Redacted.value(value)
})

const Timestamp = Param.make(Schema.Number, {
  accepts: "a time: unix seconds, unix milliseconds or ISO 8601",
  description: "Time of the alert (TradingView's {{timenow}}): unix seconds or milliseconds, or ISO 8601.",
  example: "2026-11-20T10:00:00Z",
  jsonSchema: { type: "string" },
  read: Understanding.readTime,
  show: String,
  explain: SideWords.explainPlaceholder
})

const MaxLag = Param.make(Schema.Number, {
  accepts: "a whole number of seconds from 1 to 86400",
  description: "Maximum age of an alert in seconds after `timestamp`; an older one is refused and has no effect.",
  example: 60,
  jsonSchema: { type: "integer", minimum: 1, maximum: 86_400 },
  read: Understanding.readSeconds,
  show: String
})

const Percent = Param.make(Schema.Number, {
  accepts: "a percentage above 0, at most 100",
  description:
    "Percent of the bot's weight (setWebhookToken): the result is the bot's share from now on. Refused at a " +
    "bot without a weight, except 100.",
  example: 50,
  jsonSchema: { type: "number", exclusiveMinimum: 0, maximum: 100 },
  read: Understanding.readPercent,
  show: String,
  explain: SideWords.explainPlaceholder
})

const TokenId = Param.make(Schema.String, {
  accepts: "the token_id that createWebhookToken returned, or all",
  description: "The token's `token_id`, or `all` for all tokens of the wallet.",
  example: tokenId,
  jsonSchema: { type: "string" },
  read: (text) =>
    text.toLowerCase() === "all"
      ? "all"
      : /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
      ? text.toLowerCase()
      : undefined,
  show: (value) => value
})

/** One token's `token_id`, as a parameter that does not take `all`. */
export const OneToken = Param.make(Schema.String, {
  accepts: "the token_id that createWebhookToken returned",
  description: "The token's `token_id`.",
  example: tokenId,
  jsonSchema: { type: "string", format: "uuid" },
  read: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined,
  show: (value) => value
})

/** A token as its owner sees it. */
const TokenView = Schema.Struct({
  token_id: Schema.String,
  network: Schema.String,
  pool: Schema.String,
  pair: Schema.String,
  label: Schema.NullOr(Schema.String),
  muted: Schema.Boolean,
  quiet_hours: Schema.NullOr(Schema.String),
  sources: Schema.NullOr(Schema.Array(Schema.String)),
  rate: Schema.NullOr(Schema.Int),
  max_age: Schema.NullOr(Schema.Int),
  /** The bots that it drives: those that setWebhookToken was given, or its own. */
  bots: Schema.Array(Schema.String),
  created_at: Schema.String,
  used_at: Schema.NullOr(Schema.String)
})

const tokenExample = {
  token_id: tokenId,
  network: "base",
  pool,
  pair: "WETH-USDC",
  label: null,
  muted: false,
  quiet_hours: null,
  sources: null,
  rate: null,
  max_age: null,
  bots: [`base/${pool} WETH-USDC`],
  created_at: "2026-11-20T10:00:00.000Z",
  used_at: null
}

export const resultExample = {
  kind: "threshold",
  network: "base",
  pool,
  subaccount: null,
  pair: "WETH-USDC",
  side: "long",
  state: "accepted",
  reason: null,
  intent_id: tokenId
}

export const understoodExample = {
  side: "long",
  percent: null,
  price: null,
  timestamp: null,
  placeholders: [],
  unknown_words: []
}

/** The parameters of an alert. */
const alert = {
  token: Token,
  side: Schema.optional(AlertSide),
  action: Schema.optional(AlertAction),
  market_position: Schema.optional(MarketPosition),
  alert: Schema.optional(AlertText),
  percent: Schema.optional(Percent),
  timestamp: Schema.optional(Timestamp),
  max_lag: Schema.optional(MaxLag)
}

export class WebhookTokenApi extends RpcGroup.make(
  Endpoint.make("createWebhookToken", {
    class: "changesConfig",
    trader: true,
    fromRows: true,
    method: "POST",
    summary: "Create a token for a chart alert's URL: it sets the side of this vault's bot on this pair and can do " +
      "nothing else. It is shown only once.",
    params: {
      apiKey: Params.ApiKey,
      network: Params.Network,
      pool: Params.Pool,
      pair: Pair,
      label: Schema.optional(Params.Label),
      protocol: Schema.optional(Params.Protocol)
    },
    success: {
      token_id: Schema.String,
      token: Schema.RedactedFromValue(Schema.String),
      path: Schema.RedactedFromValue(Schema.String),
      message: Schema.String
    },
    exampleRequest: { label: "momentum, base" },
    example: {
      token_id: tokenId,
      token: "whk_<64 hex characters>",
      path: "/webhook/whk_<64 hex characters>",
      message: "Alerts are posted to the path. The token is shown only in this response."
    }
  }),
  Endpoint.make("revokeWebhookToken", {
    class: "changesConfig",
    method: "POST",
    summary: "Revoke a webhook token of the key's wallet, or all of them, at once.",
    params: { apiKey: Params.ApiKey, token_id: TokenId },
    success: { revoked: Schema.Int, message: Schema.String },
    example: { revoked: 1, message: "Revoked 1 token." }
  }),
  Endpoint.make("getWebhookTokens", {
    class: "readOnly",
    summary: "The webhook tokens of the key's wallet, without the tokens themselves.",
    params: { apiKey: Params.ApiKey },
    success: { tokens: Schema.Array(TokenView) },
    example: { tokens: [tokenExample] }
  }),
  Endpoint.make("setWebhookToken", {
    class: "changesConfig",
    method: "POST",
    summary: "Set when a webhook token's alerts count, and which bots they drive; what is not given stays as it is.",
    params: {
      apiKey: Params.ApiKey,
      token_id: OneToken,
      muted: Schema.optional(Params.Flag("Refuse all alerts of the token.")),
      quiet_hours: Schema.optional(Quiet),
      sources: Schema.optional(Sources),
      rate: Schema.optional(PerMinute),
      max_age: Schema.optional(MaxAge),
      bots: Schema.optional(SignalTargets)
    },
    success: { token: TokenView, message: Schema.String },
    exampleRequest: { max_age: "60" },
    failsWith: ["rpc_unavailable", "busy", "limit_exceeded"],
    example: { token: { ...tokenExample, max_age: 60 }, message: "The token is set." }
  }),
  Endpoint.make("webhook", {
    class: "movesFunds",
    access: "open",
    method: "POST",
    methods: ["POST"],
    path: "/webhook/:token",
    summary:
      "Receives chart alerts: sets the side of the token's bots, which keep their other settings, and begins a rebalance.",
    params: alert,
    judges: true,
    success: {
      /** The first intent; null where no bot has one, as with an index bot. */
      intent_id: Schema.NullOr(Schema.String),
      /** Null where no threshold bot was set. */
      data: Schema.NullOr(BotView),
      signal_id: Schema.String,
      /** The result at each bot of the token. */
      results: Schema.Array(SignalResult)
    },
    exampleRequest: { side: "hold" },
    failsWith: ["limit_exceeded"],
    example: {
      intent_id: tokenId,
      tx_hash: null,
      message: "The bot of WETH-USDC is set to long; a rebalance is in progress. Call getIntent for the outcome.",
      data: viewExample,
      signal_id: tokenId,
      results: [resultExample]
    }
  }),
  Endpoint.make("testWebhook", {
    class: "readOnly",
    access: "open",
    method: "POST",
    methods: ["POST"],
    path: "/webhook/:token/test",
    summary: "Returns what an alert with this body would do; nothing is stored and nothing is traded.",
    params: alert,
    judges: true,
    success: {
      accepted: Schema.Boolean,
      /** Why it would be refused; null if it would not. */
      reason: Schema.NullOr(Schema.String),
      understood: Understood,
      /** The effect at each bot, in words. */
      would: Schema.Array(Schema.String),
      message: Schema.String
    },
    exampleRequest: { side: "hold" },
    example: {
      accepted: true,
      reason: null,
      understood: { ...understoodExample, side: "hold" },
      would: [`base/${pool} WETH-USDC: set to hold.`],
      message: "It would be accepted."
    }
  })
) {}
