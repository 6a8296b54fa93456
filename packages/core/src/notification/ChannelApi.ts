/** Endpoints of notification channels for the events of a wallet, or of a manager's wallets. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { EventType } from "../webhook/Webhook.ts"
import { ChannelKind, CommandLevel, Templates } from "./Channel.ts"
import * as ChannelParams from "./ChannelParams.ts"

const id = ChannelParams.channelIdExample
const at = "2026-11-20T10:00:00.000Z"

/** A channel in responses, without anything secret. */
export const ChannelView = Schema.Struct({
  channel_id: Schema.String,
  kind: ChannelKind,
  name: Schema.String,
  enabled: Schema.Boolean,
  /** The host that messages are sent to. */
  host: Schema.NullOr(Schema.String),
  smtp_port: Schema.NullOr(Schema.Int),
  from: Schema.NullOr(Schema.String),
  to: Schema.NullOr(Schema.String),
  /** The user name of a Telegram bot, and whether a chat is bound. */
  bot: Schema.NullOr(Schema.String),
  bound: Schema.Boolean,
  events: Schema.Array(EventType),
  quiet_hours: Schema.NullOr(Schema.String),
  digest_minutes: Schema.Int,
  max_per_hour: Schema.Int,
  commands: CommandLevel,
  templates: Templates,
  created_at: Schema.String
})
export type ChannelView = typeof ChannelView.Type

const channel = {
  channel_id: id,
  kind: "telegram",
  name: "phone",
  enabled: true,
  host: "api.telegram.org",
  smtp_port: null,
  from: null,
  to: null,
  bot: "my_vault_bot",
  bound: true,
  events: ["intent.failed", "gas.low"],
  quiet_hours: "22:00-07:00 Europe/Berlin",
  digest_minutes: 0,
  max_per_hour: 60,
  commands: "pause",
  templates: {},
  created_at: at
}

/** The one-time code that the owner sends to the bot. */
const binding = {
  bind_code: Schema.NullOr(Schema.RedactedFromValue(Schema.String)),
  bind_url: Schema.NullOr(Schema.RedactedFromValue(Schema.String)),
  bind_expires_at: Schema.NullOr(Schema.String)
}
const noBinding = { bind_code: null, bind_url: null, bind_expires_at: null }

export class ChannelApi extends RpcGroup.make(
  Endpoint.make("createChannel", {
    class: "changesConfig",
    access: "apiKeyOrManager",
    subject: "name",
    method: "POST",
    summary:
      "Send events to Telegram, Discord, Slack, an e-mail address, an ntfy topic, a browser or a URL. Of telegram the " +
      "response has a one-time code that the owner sends to the bot; the chat gets nothing before.",
    params: {
      ...Params.keyOrManager,
      kind: ChannelParams.Kind,
      name: ChannelParams.Name,
      ...ChannelParams.change
    },
    success: { channel: ChannelView, ...binding, message: Schema.String },
    exampleRequest: { kind: "ntfy", name: "phone", url: "<https url>", events: ["gas.low"] },
    failsWith: ["limit_exceeded"],
    example: {
      channel: { ...channel, bound: false },
      bind_code: "<code>",
      bind_url: "https://t.me/my_vault_bot?start=<code>",
      bind_expires_at: at,
      message: "Send /start and the code to the bot within 30 minutes; the code is shown only in this response."
    }
  }),
  Endpoint.make("updateChannel", {
    class: "changesConfig",
    access: "apiKeyOrManager",
    subject: "channel_id",
    method: "POST",
    summary: "Change a channel; what is not given stays. With another bot the chat has to be bound again.",
    params: {
      ...Params.keyOrManager,
      channel_id: ChannelParams.ChannelId,
      name: Schema.optional(ChannelParams.Name),
      ...ChannelParams.change,
      bind: Schema.optional(
        Params.Flag("Of telegram: return a new one-time code, which binds the chat that sends it.")
      )
    },
    success: { channel: ChannelView, ...binding, message: Schema.String },
    exampleRequest: { digest_minutes: 60 },
    failsWith: ["limit_exceeded"],
    example: { channel, ...noBinding, message: "The channel is changed." }
  }),
  Endpoint.make("deleteChannel", {
    class: "changesConfig",
    access: "apiKeyOrManager",
    subject: "channel_id",
    method: "DELETE",
    summary: "Delete a channel and what it was still to receive; its chat no longer commands anything.",
    params: { ...Params.keyOrManager, channel_id: ChannelParams.ChannelId },
    success: { message: Schema.String },
    failsWith: ["limit_exceeded"],
    example: { message: "The channel is deleted." }
  }),
  Endpoint.make("testChannel", {
    class: "changesConfig",
    access: "apiKeyOrManager",
    subject: "channel_id",
    method: "POST",
    summary: "Send a test message now and report what the receiver answered; at most one in ten seconds.",
    params: { ...Params.keyOrManager, channel_id: ChannelParams.ChannelId },
    success: { delivered: Schema.Boolean, message: Schema.String },
    failsWith: ["limit_exceeded"],
    example: { delivered: true, message: "The test message was accepted." }
  }),
  Endpoint.make("getChannels", {
    class: "readOnly",
    access: "apiKeyOrManager",
    summary: "The notification channels of the key's wallet, or of the manager, without their secrets.",
    params: Params.keyOrManager,
    success: { channels: Schema.Array(ChannelView) },
    example: { channels: [channel] }
  }),
  Endpoint.make("getChannelMessages", {
    class: "readOnly",
    access: "apiKeyOrManager",
    summary: "The newest messages of the owner's channels: sent, waiting, or dropped, with the reason.",
    params: {
      ...Params.keyOrManager,
      channel_id: Schema.optional(ChannelParams.ChannelId),
      limit: Schema.optional(Params.Limit(100, 20))
    },
    success: {
      messages: Schema.Array(Schema.Struct({
        message_id: Schema.String,
        channel_id: Schema.String,
        kind: Schema.Literals(["events", "answer"]),
        title: Schema.String,
        /** The number of events in it. */
        events: Schema.Int,
        state: Schema.Literals(["pending", "sending", "sent", "dropped"]),
        attempts: Schema.Int,
        /** True if an attempt may have arrived whose outcome is unknown. */
        may_repeat: Schema.Boolean,
        last_error: Schema.NullOr(Schema.String),
        created_at: Schema.String,
        next_attempt_at: Schema.NullOr(Schema.String)
      }))
    },
    exampleRequest: { limit: 5 },
    example: {
      messages: [{
        ...{ message_id: id, channel_id: id, kind: "events", title: "Gas is low", events: 1, state: "sent" },
        ...{ attempts: 1, may_repeat: false, last_error: null, created_at: at, next_attempt_at: null }
      }]
    }
  })
) {}
