/** Parameters of the endpoints for notification channels. */
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { type QuietHours, readQuiet, showQuiet } from "../signal/SignalRules.ts"
import { Events } from "../webhook/EventParams.ts"
import { events, type EventType } from "../webhook/EventTable.ts"
import { ChannelKind, channelKinds, CommandLevel, commandLevels, defaultRules, Templates } from "./Channel.ts"
import * as PushSubscription from "./PushSubscription.ts"
import * as Template from "./Template.ts"

export const channelIdExample = "01936f5a-0000-7000-8000-000000000000"

export const ChannelId = Param.make(Schema.String, {
  accepts: "the channel_id that createChannel returned",
  description: "The channel's `channel_id`.",
  example: channelIdExample,
  jsonSchema: { type: "string", format: "uuid" },
  read: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined,
  show: (value) => value
})

/** The owner's name for a channel, which messages contain. */
export const Name = Param.make(Schema.String, {
  accepts: "1 to 64 characters: letters, digits, spaces and . _ -, beginning with a letter or a digit",
  description: "Your name for the channel; 1 to 64 characters: letters, digits, spaces and . _ -.",
  example: "phone",
  jsonSchema: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$" },
  read: (text) => /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/.test(text) ? text : undefined,
  show: (value) => value
})

export const Kind = Param.make(ChannelKind, {
  accepts: `one of ${channelKinds.join(", ")}`,
  description: `Where messages go: ${channelKinds.join(", ")}.`,
  example: "telegram",
  jsonSchema: { type: "string", enum: [...channelKinds] },
  read: (text) => channelKinds.find((kind) => kind === text.toLowerCase()),
  show: (value) => value
})

const secret = (what: string, accepts: string, example: string, isAccepted: (text: string) => boolean) =>
  Param.make(Schema.RedactedFromValue(Schema.String), {
    accepts,
    description: `${what}, in the request body only. Stored encrypted, never shown again.`,
    example,
    jsonSchema: { type: "string" },
    bodyOnly: true,
    secret: true,
    read: (text) => isAccepted(text) ? Redacted.make(text) : undefined,
    show: Redacted.value
  })

const isUrl = (text: string) => {
  const url = text.length <= 2000 && URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === ""
}

const Url = secret(
  "Of discord and slack the webhook's URL, of ntfy the topic's, of http the receiver's",
  "an https URL of at most 2000 characters, without user and password",
  "<https url>",
  isUrl
)
const Token = secret(
  "Of telegram the bot's token; of ntfy and http an access token, which is sent as a bearer token",
  "8 to 512 letters, digits and _ : . ~ + / = -, beginning with a letter or a digit",
  "<token>",
  (text) => /^[A-Za-z0-9][A-Za-z0-9_:.~+/=-]{7,511}$/.test(text)
)
const Password = secret(
  "Of email the password of the mail server",
  "1 to 512 characters",
  "<password>",
  (text) => /^[^\p{Cc}\p{Cs}]{1,512}$/u.test(text)
)

const Subscription = Param.json(Schema.RedactedFromValue(PushSubscription.PushSubscription), {
  accepts:
    "a JSON object with endpoint, keys {p256dh, auth}, vapid {publicKey, privateKey} and contact; the keys are " +
    "base64url without padding",
  description:
    "Of push a browser's subscription, in the request body only: what `PushSubscription.toJSON()` returns, " +
    "with `vapid`, the P-256 key pair that it was made with, and `contact`, a mailto: or https: address of the " +
    "operator. Stored encrypted, never shown again.",
  example: "<subscription>",
  jsonSchema: {
    type: "object",
    required: ["endpoint", "keys", "vapid", "contact"],
    properties: {
      endpoint: { type: "string", format: "uri" },
      keys: {
        type: "object",
        required: ["p256dh", "auth"],
        properties: { p256dh: { type: "string" }, auth: { type: "string" } }
      },
      vapid: {
        type: "object",
        required: ["publicKey", "privateKey"],
        properties: { publicKey: { type: "string" }, privateKey: { type: "string" } }
      },
      contact: { type: "string" }
    }
  },
  bodyOnly: true,
  secret: true,
  explain: PushSubscription.faultOf
})

const Host = Param.make(Schema.String, {
  accepts: "the name of a mail server on the public internet",
  description: "Of email the mail server's name.",
  example: "smtp.example.com",
  jsonSchema: { type: "string", format: "hostname", maxLength: 253 },
  read: (text) => /^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/.test(text) ? text.toLowerCase() : undefined,
  show: (value) => value
})

const Port = Param.make(Schema.Int, {
  accepts: "a port: 25, 465, 587 or 2525 on the public internet",
  description:
    "Of email the mail server's port: 465 for TLS from the start, 587 (the default), 25 or 2525 for STARTTLS.",
  example: 587,
  jsonSchema: { type: "integer", minimum: 1, maximum: 65535 },
  read: (text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined,
  show: String
})

const User = Param.make(Schema.String, {
  accepts: "1 to 200 printable characters",
  description: "Of email the user name at the mail server.",
  example: "alerts@example.com",
  jsonSchema: { type: "string", maxLength: 200 },
  read: (text) => /^[\x21-\x7e]{1,200}$/.test(text) ? text : undefined,
  show: (value) => value
})

const Mailbox = (role: string) =>
  Param.make(Schema.String, {
    accepts: "one e-mail address without a name, such as alerts@example.com",
    description: `Of email the address ${role}.`,
    example: "alerts@example.com",
    jsonSchema: { type: "string", format: "email", maxLength: 254 },
    read: (text) =>
      text.length <= 254 && /^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(text) ? text : undefined,
    show: (value) => value
  })

/** Quiet hours; `none` removes them. */
const Quiet = Param.make(Schema.Unknown, {
  accepts: "hours such as 22:00-07:00 Europe/Berlin, or none",
  description: "Hours of each day in which only urgent events are sent, with an IANA time zone (default UTC): " +
    "`22:00-07:00 Europe/Berlin`; `none` ends them. What they hold is one message afterwards.",
  example: "22:00-07:00 Europe/Berlin",
  jsonSchema: { type: "string" },
  read: (text): { readonly hours: QuietHours | null } | undefined => {
    if (text.toLowerCase() === "none") return { hours: null }
    const hours = readQuiet(text)
    return hours === undefined ? undefined : { hours }
  },
  show: (value) => {
    const { hours } = value as { readonly hours: QuietHours | null }
    return hours === null ? "none" : showQuiet(hours)
  }
})

const whole = (maximum: number, minimum: number, accepts: string, description: string, example: number) =>
  Param.make(Schema.Int, {
    accepts,
    description,
    example,
    jsonSchema: { type: "integer", minimum, maximum },
    read: (text) =>
      /^\d{1,5}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum ? Number(text) : undefined,
    show: String
  })

const DigestMinutes = whole(
  1440,
  0,
  "a whole number of minutes from 0 to 1440",
  "Minutes for which events that are not urgent are collected into one message; 0 (the default): none.",
  60
)
const PerHour = whole(
  600,
  1,
  "a whole number from 1 to 600",
  `Messages with events in an hour; what comes beyond it is one message afterwards. Default ${defaultRules.perHour}.`,
  60
)

const Commands = Param.make(CommandLevel, {
  accepts: `one of ${commandLevels.join(", ")}`,
  description: "Of telegram, what the bound chat may command: none; status; pause (and status; the default); resume " +
    "(and both). For a wallet in a manager's list resume needs the manager's channel.",
  example: "pause",
  jsonSchema: { type: "string", enum: [...commandLevels], default: defaultRules.commands },
  read: (text) => commandLevels.find((level) => level === text.toLowerCase()),
  show: (value) => value
})

/** Returns why templates are not valid; `undefined` when they are. */
export const templatesFault = (value: unknown): string | undefined => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined
  for (const [type, text] of Object.entries(value)) {
    if (!Object.hasOwn(events, type)) return `has '${type.slice(0, 40)}', which is no type of event`
    const fault = typeof text === "string" ? Template.faultOf(type as EventType, text) : "must be a text"
    if (fault !== undefined) return `has a template of ${type} that is not valid: it ${fault}`
  }
  return undefined
}

const TemplatesParam = Param.json(
  Templates.pipe(Schema.check(Schema.makeFilter((templates) => templatesFault(templates) === undefined))),
  {
    accepts: "a JSON object of texts by type of event",
    description: "Texts in place of the default ones, by type of event, with placeholders such as {wallet} and " +
      "{message}. Replaces all earlier ones.",
    example: { "gas.low": "{wallet} needs gas on {network}: {balance} {token}" },
    jsonSchema: { type: "object", additionalProperties: { type: "string", maxLength: Template.maxTemplate } },
    explain: templatesFault
  }
)

/** The parameters that a change of a channel may have. */
export const change = {
  events: Schema.optional(Events),
  url: Schema.optional(Url),
  access_token: Schema.optional(Token),
  subscription: Schema.optional(Subscription),
  smtp_host: Schema.optional(Host),
  smtp_port: Schema.optional(Port),
  smtp_user: Schema.optional(User),
  smtp_password: Schema.optional(Password),
  from: Schema.optional(Mailbox("that messages come from")),
  to: Schema.optional(Mailbox("that messages go to")),
  quiet_hours: Schema.optional(Quiet),
  digest_minutes: Schema.optional(DigestMinutes),
  max_per_hour: Schema.optional(PerHour),
  commands: Schema.optional(Commands),
  templates: Schema.optional(TemplatesParam),
  enabled: Schema.optional(Params.Flag("Whether messages are sent.", true))
}
