/** A signal: a call that asks bots for a side, as the inbox keeps it, and its result at each bot. */
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Side } from "../threshold-bot/ThresholdBot.ts"

/** `alert`: a call of a webhook token. `replay`: an earlier signal, carried out by its owner later. */
const sources = ["alert", "setBot", "replay"] as const

/**
 * `accepted`: a bot was set. `waiting`: it will be set once a node, or an exchange account's actor, has answered.
 * `ignored`: the same turn is in progress already. `refused`: nothing was done.
 */
export const signalStates = ["accepted", "waiting", "ignored", "refused"] as const
export const SignalState = Schema.Literals(signalStates)
export type SignalState = typeof SignalState.Type

/** The content of a body, once understood. */
export const Understood = Schema.Struct({
  side: Schema.NullOr(Side),
  /** Percent of a bot's weight; null: as the bot is set. */
  percent: Schema.NullOr(Schema.Number),
  /** The chart's price as it was sent; recorded, and used for nothing. */
  price: Schema.NullOr(Schema.String),
  /** When the chart made the alert, ISO 8601. */
  timestamp: Schema.NullOr(Schema.String),
  /** Placeholders that the chart did not replace. */
  placeholders: Schema.Array(Schema.String),
  /** Words that mean nothing to the service. */
  unknown_words: Schema.Array(Schema.String)
})
export type Understood = typeof Understood.Type

export const resultKinds = ["threshold", "index", "exchange"] as const

/** The result of a signal at one bot. */
export const SignalResult = Schema.Struct({
  kind: Schema.Literals(resultKinds),
  network: Schema.NullOr(Network),
  pool: Schema.NullOr(Address),
  subaccount: Schema.NullOr(Schema.String),
  pair: Schema.NullOr(Schema.String),
  side: Schema.NullOr(Schema.String),
  state: SignalState,
  /** Why it was refused or ignored, or what it waits for. */
  reason: Schema.NullOr(Schema.String),
  intent_id: Schema.NullOr(Schema.String)
})
export type SignalResult = typeof SignalResult.Type

/** A signal to record. */
export interface NewSignal {
  readonly id: string
  readonly source: typeof sources[number]
  readonly wallet: Address
  readonly token: string | null
  readonly origin: string | null
  readonly mediaType: string | null
  readonly body: string
  readonly understood: Understood
  readonly replayOf: string | null
}

/** A recorded signal. */
export const Signal = Schema.Struct({
  id: Schema.String,
  seq: Schema.BigIntFromString,
  source: Schema.Literals(sources),
  wallet: Address,
  token: Schema.NullOr(Schema.String),
  origin: Schema.NullOr(Schema.String),
  mediaType: Schema.NullOr(Schema.String),
  body: Schema.String,
  bodyLength: Schema.Int,
  understood: Understood,
  state: SignalState,
  reason: Schema.NullOr(Schema.String),
  replayOf: Schema.NullOr(Schema.String),
  replayedBy: Schema.NullOr(Schema.String),
  receivedAt: Schema.Date,
  results: Schema.Array(Schema.Struct({
    ...SignalResult.fields,
    /** The state of the intent that the bot's turn became: pending, success or fail; null without one. */
    intent_status: Schema.NullOr(Schema.Literals(["pending", "success", "fail"]))
  }))
}).annotate({ identifier: "Signal" })
export type Signal = typeof Signal.Type

/** Returns the state of a signal as a whole: the best of the states at its bots. */
export const stateOf = (results: ReadonlyArray<Pick<SignalResult, "state">>): SignalState =>
  signalStates.find((state) => results.some((result) => result.state === state)) ?? "refused"

/** Maximum length of a body as it is kept. */
export const maxBody = 8192

const hidden = "[redacted]"
const names = "[\\w-]*(?:api[_-]?key|secret|passphrase|password|private[_-]?key|token|signature|authorization|bearer)"
const named = new RegExp(
  `((?:\\\\?["'])?\\b${names}(?:\\\\?["'])?\\s*[:=]\\s*)(\\\\?"(?:[^"\\\\]|\\\\[^"])*\\\\?"|[^\\s,;&}\\]]+)`,
  "gi"
)
/** The formats of webhook tokens, API keys and private keys, wherever they are. */
const formats = /whk_[0-9a-z]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:0x)?[0-9a-f]{64,}|bearer\s+\S+/gi

/** Replaces what PostgreSQL cannot store as text or in JSON: NUL, and half of a character, as a cut may leave it. */
export const storable = (text: string): string => text.replaceAll(/\p{Surrogate}|\0/gu, "\uFFFD")

/**
 * Removes credentials from a body, by the names of their members and by their formats. What PostgreSQL cannot store as
 * text is replaced.
 */
export const redacted = (body: string): string =>
  storable(body.replace(formats, hidden).replace(named, `$1"${hidden}"`))

/** Removes the same from what was understood of a body. */
export const redactedUnderstood = (understood: Understood): Understood => ({
  ...understood,
  placeholders: understood.placeholders.map(redacted),
  unknown_words: understood.unknown_words.map(redacted)
})
