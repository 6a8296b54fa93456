/** Endpoints of chart alerts: tokens that replace the API key in an alert's URL, and the URL that receives alerts. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { BotView } from "../threshold-bot/ThresholdBot.ts"
import { Pair, viewExample } from "../threshold-bot/ThresholdBotApi.ts"
import { AlertAction, AlertSide, AlertText, explainPlaceholder, MarketPosition } from "./AlertSide.ts"

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

/** Parses unix seconds or milliseconds, or ISO 8601, into unix milliseconds. */
const readTime = (text: string): number | undefined => {
  if (/^\d{9,11}(\.\d+)?$/.test(text)) return Number(text) * 1000
  if (/^\d{12,14}$/.test(text)) return Number(text)
  const time = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

const Timestamp = Param.make(Schema.Number, {
  accepts: "a time: unix seconds, unix milliseconds or ISO 8601",
  description: "Time of the alert (TradingView's {{timenow}}): unix seconds or milliseconds, or ISO 8601.",
  example: "2026-11-20T10:00:00Z",
  jsonSchema: { type: "string" },
  read: readTime,
  show: String,
  explain: explainPlaceholder
})

const MaxLag = Param.make(Schema.Number, {
  accepts: "a whole number of seconds from 1 to 86400",
  description: "Maximum age of an alert in seconds after `timestamp`; an older one is refused and has no effect.",
  example: 60,
  jsonSchema: { type: "integer", minimum: 1, maximum: 86_400 },
  read: (text) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 86_400 ? Number(text) : undefined,
  show: String
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
    success: {
      tokens: Schema.Array(Schema.Struct({
        token_id: Schema.String,
        network: Schema.String,
        pool: Schema.String,
        pair: Schema.String,
        label: Schema.NullOr(Schema.String),
        created_at: Schema.String,
        used_at: Schema.NullOr(Schema.String)
      }))
    },
    example: {
      tokens: [{
        token_id: tokenId,
        network: "base",
        pool,
        pair: "WETH-USDC",
        label: null,
        created_at: "2026-11-20T10:00:00.000Z",
        used_at: null
      }]
    }
  }),
  Endpoint.make("webhook", {
    class: "movesFunds",
    access: "open",
    method: "POST",
    methods: ["POST"],
    path: "/webhook/:token",
    summary:
      "Receives chart alerts: sets the side of the token's bot, which keeps its other settings, and begins a rebalance.",
    params: {
      token: Token,
      side: Schema.optional(AlertSide),
      action: Schema.optional(AlertAction),
      market_position: Schema.optional(MarketPosition),
      alert: Schema.optional(AlertText),
      timestamp: Schema.optional(Timestamp),
      max_lag: Schema.optional(MaxLag)
    },
    success: { data: BotView },
    exampleRequest: { side: "hold" },
    failsWith: ["limit_exceeded"],
    example: {
      intent_id: tokenId,
      tx_hash: null,
      message: "The bot of WETH-USDC is set to long; a rebalance is in progress. Call getIntent for the outcome.",
      data: viewExample
    }
  })
) {}
