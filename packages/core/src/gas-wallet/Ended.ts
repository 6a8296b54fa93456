/** The other ways to act for a wallet that end when its key is rotated. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"

/** Everything that ended with a key: every other way to act for its wallet, or to learn of it. */
export const Ended = Schema.Struct({
  /** Managers who had the wallet in their lists. */
  managers: Schema.Array(Address),
  /** Console sessions of these managers. */
  sessions: Schema.Int,
  /** Ids of chart alert tokens. */
  webhook_tokens: Schema.Array(Schema.String),
  webhooks: Schema.Array(Schema.Struct({ webhook_id: Schema.String, url: Schema.String }))
})
export type Ended = typeof Ended.Type

/** Nothing ended. */
export const noneEnded: Ended = { managers: [], sessions: 0, webhook_tokens: [], webhooks: [] }
