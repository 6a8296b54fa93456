/** Notification channels: their kinds, settings and rules, and the protocol of the actor that keeps their secrets. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Actor } from "../audit/AuditEntry.ts"
import { Failure } from "../failure/Failure.ts"
import { QuietHours } from "../signal/SignalRules.ts"
import { EventType, Owner } from "../webhook/Webhook.ts"
import { PushSubscription } from "./PushSubscription.ts"

export const channelKinds = ["telegram", "discord", "slack", "email", "ntfy", "http", "push"] as const
export const ChannelKind = Schema.Literals(channelKinds)
export type ChannelKind = typeof ChannelKind.Type

/** The commands that the bound chat may give; each level includes those before it. */
export const commandLevels = ["none", "status", "pause", "resume"] as const
export const CommandLevel = Schema.Literals(commandLevels)
export type CommandLevel = typeof CommandLevel.Type

/** Checks whether a level includes another one. */
export const allows = (level: CommandLevel, wanted: CommandLevel): boolean =>
  commandLevels.indexOf(level) >= commandLevels.indexOf(wanted)

/** When messages are sent, and what the chat may command. */
export const ChannelRules = Schema.Struct({
  quiet: Schema.NullOr(QuietHours),
  /** Minutes for which events that are not urgent are collected; 0: none. */
  digestMinutes: Schema.Int,
  /** Messages with events in an hour. */
  perHour: Schema.Int,
  commands: CommandLevel
})
export type ChannelRules = typeof ChannelRules.Type

export const defaultRules: ChannelRules = { quiet: null, digestMinutes: 0, perHour: 60, commands: "pause" }

/** Where messages go, without anything secret. */
export const ChannelSettings = Schema.Struct({
  /** The host of the URL, or of the mail server. */
  host: Schema.NullOr(Schema.String),
  port: Schema.NullOr(Schema.Int),
  user: Schema.NullOr(Schema.String),
  from: Schema.NullOr(Schema.String),
  to: Schema.NullOr(Schema.String),
  /** The user name of a Telegram bot. */
  bot: Schema.NullOr(Schema.String)
})
export type ChannelSettings = typeof ChannelSettings.Type

export const noSettings: ChannelSettings = { host: null, port: null, user: null, from: null, to: null, bot: null }

/** The secrets that a channel sends with; stored encrypted, never shown. */
export const ChannelSecrets = Schema.Struct({
  url: Schema.NullOr(Schema.RedactedFromValue(Schema.String)),
  token: Schema.NullOr(Schema.RedactedFromValue(Schema.String)),
  password: Schema.NullOr(Schema.RedactedFromValue(Schema.String)),
  /** Of push; absent in the secrets of other kinds. */
  subscription: Schema.optional(Schema.RedactedFromValue(PushSubscription))
}).annotate({ identifier: "ChannelSecrets" })
export type ChannelSecrets = typeof ChannelSecrets.Type

/** A text in place of the default one, by type of event. */
export const Templates = Schema.Record(Schema.String, Schema.String)
export type Templates = typeof Templates.Type

/** Maximum number of channels of one owner. */
export const maxChannels = 10

/** A change of a channel. Absent members keep what they are; a new channel has defaults for them. */
export const ChannelChange = Schema.Struct({
  name: Schema.optional(Schema.String),
  events: Schema.optional(Schema.Array(EventType)),
  quiet: Schema.optional(Schema.NullOr(QuietHours)),
  digestMinutes: Schema.optional(Schema.Int),
  perHour: Schema.optional(Schema.Int),
  commands: Schema.optional(CommandLevel),
  templates: Schema.optional(Templates),
  enabled: Schema.optional(Schema.Boolean),
  url: Schema.optional(Schema.RedactedFromValue(Schema.String)),
  token: Schema.optional(Schema.RedactedFromValue(Schema.String)),
  password: Schema.optional(Schema.RedactedFromValue(Schema.String)),
  subscription: Schema.optional(Schema.RedactedFromValue(PushSubscription)),
  host: Schema.optional(Schema.String),
  port: Schema.optional(Schema.Int),
  user: Schema.optional(Schema.String),
  from: Schema.optional(Schema.String),
  to: Schema.optional(Schema.String)
})
export type ChannelChange = typeof ChannelChange.Type

/** A one-time code that binds a chat to a channel; it exists in plaintext only in this response. */
const Binding = Schema.Struct({
  code: Schema.RedactedFromValue(Schema.String),
  /** ISO 8601. */
  expiresAt: Schema.String
})

const ChannelPut = Schema.Struct({
  id: Schema.String,
  bot: Schema.NullOr(Schema.String),
  binding: Schema.NullOr(Binding)
}).annotate({ identifier: "ChannelPut" })

/** The outcome of a test message, without anything secret. */
const Tested = Schema.Struct({ delivered: Schema.Boolean, detail: Schema.String }).annotate({
  identifier: "ChannelTested"
})

const by = {
  owner: Owner,
  /** The requesting key, if there is one. */
  keyId: Schema.optional(Schema.String),
  /** The actor of the change, for the audit log; without it the service itself. */
  actor: Schema.optional(Actor)
}

/**
 * Checks and encrypts what channels need to send, and sends test messages. Volatile: a persisted message would store
 * secrets in plaintext. Entity id: any.
 */
export const Channels = Entity.make("NotificationChannel", [
  /** Creates a channel; 1010 for settings that are not usable, 1002 when the requesting key has been revoked. */
  Rpc.make("create", {
    payload: { ...by, kind: ChannelKind, change: ChannelChange },
    success: ChannelPut,
    error: Failure
  }),
  /** Changes the owner's channel; 1010 when there is none. */
  Rpc.make("update", {
    payload: { ...by, id: Schema.String, change: ChannelChange, binds: Schema.Boolean },
    success: ChannelPut,
    error: Failure
  }),
  /** Sends a test message now and reports the outcome. */
  Rpc.make("test", { payload: { ...by, id: Schema.String }, success: Tested, error: Failure })
])
