/** The kinds of channels by name: a new one is a file and a line here. */
import type { ChannelKind } from "@vault-trader/core/notification/Channel"
import * as Discord from "./Discord.ts"
import * as Email from "./Email.ts"
import * as Ntfy from "./Ntfy.ts"
import * as PlainHttp from "./PlainHttp.ts"
import * as Push from "./Push.ts"
import type { Send } from "./Receiver.ts"
import * as Slack from "./Slack.ts"
import * as Telegram from "./Telegram.ts"

interface Kind {
  readonly send: Send
  /** True if the receiver recognises a repeat by the message's id. */
  readonly recognisesRepeats: boolean
  /** The parameters that a channel of this kind has; those in `optional` may be absent. */
  readonly required: ReadonlyArray<"url" | "subscription" | "token" | "password" | "host" | "user" | "from" | "to">
  readonly optional: ReadonlyArray<"token" | "password" | "user" | "port">
}

export const receivers: Readonly<Record<ChannelKind, Kind>> = {
  telegram: { send: Telegram.send, recognisesRepeats: false, required: ["token"], optional: [] },
  discord: { send: Discord.send, recognisesRepeats: false, required: ["url"], optional: [] },
  slack: { send: Slack.send, recognisesRepeats: false, required: ["url"], optional: [] },
  email: {
    send: Email.send,
    recognisesRepeats: true,
    required: ["host", "from", "to"],
    optional: ["port", "user", "password"]
  },
  ntfy: { send: Ntfy.send, recognisesRepeats: true, required: ["url"], optional: ["token"] },
  http: { send: PlainHttp.send, recognisesRepeats: true, required: ["url"], optional: ["token"] },
  push: { send: Push.send, recognisesRepeats: true, required: ["subscription"], optional: [] }
}
