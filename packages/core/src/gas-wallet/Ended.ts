/** The other ways to act for a wallet, which end when its key is rotated. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"

/** The kinds of access to a wallet, besides its keys. Of `webhooks` are also notification channels. */
export const accessKinds = ["managers", "sessions", "tokens", "webhooks"] as const
export const AccessKind = Schema.Literals(accessKinds)
export type AccessKind = typeof AccessKind.Type

/** The ways to act for a wallet, or to receive its events, that ended with a key or were kept. */
export const Ended = Schema.Struct({
  /** Managers whose lists had the wallet. */
  managers: Schema.Array(Address),
  /** Console sessions of these managers. */
  sessions: Schema.Int,
  /** Ids of chart alert tokens. */
  webhook_tokens: Schema.Array(Schema.String),
  webhooks: Schema.Array(Schema.Struct({ webhook_id: Schema.String, url: Schema.String })),
  channels: Schema.Array(Schema.Struct({ channel_id: Schema.String, name: Schema.String }))
})
export type Ended = typeof Ended.Type

/** Nothing ended. */
export const noneEnded: Ended = { managers: [], sessions: 0, webhook_tokens: [], webhooks: [], channels: [] }
