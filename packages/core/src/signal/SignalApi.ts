/** Endpoints of the inbox: the signals with their results, and the replay of one. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { Signal, SignalResult, SignalState, signalStates, Understood } from "./Signal.ts"
import { readTime } from "./Understanding.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const id = "01936f5a-0000-7000-8000-000000000000"

const uuidOf = (description: string) =>
  Param.make(Schema.String, {
    accepts: "a UUID",
    description,
    example: id,
    jsonSchema: { type: "string", format: "uuid" },
    read: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined,
    show: (value) => value
  })

const StateParam = Param.make(SignalState, {
  accepts: `one of ${signalStates.join(", ")}`,
  description: "Only signals in this state: accepted, waiting (for a node), ignored (a duplicate) or refused.",
  example: "refused",
  jsonSchema: { type: "string", enum: [...signalStates] },
  read: (text) => signalStates.find((state) => state === text.toLowerCase()),
  show: (value) => value
})

const timeOf = (description: string) =>
  Param.make(Schema.Number, {
    accepts: "a time: unix seconds, unix milliseconds or ISO 8601",
    description,
    example: "2026-11-20T10:00:00Z",
    jsonSchema: { type: "string" },
    read: readTime,
    show: String
  })

/** A signal as its owner sees it. */
const SignalView = Schema.Struct({
  signal_id: Schema.String,
  /** The order of acceptance: of two signals for the same bot, the one with the higher number counts. */
  seq: Schema.String,
  source: Schema.String,
  token_id: Schema.NullOr(Schema.String),
  from: Schema.NullOr(Schema.String),
  content_type: Schema.NullOr(Schema.String),
  body: Schema.String,
  /** True when only the first 8192 characters of the body are kept. */
  truncated: Schema.Boolean,
  understood: Understood,
  state: SignalState,
  reason: Schema.NullOr(Schema.String),
  results: Signal.fields.results,
  replay_of: Schema.NullOr(Schema.String),
  replayed_by: Schema.NullOr(Schema.String),
  received_at: Schema.String
})
export type SignalView = typeof SignalView.Type

const understood = { side: "long", percent: null, price: null, timestamp: null, placeholders: [], unknown_words: [] }
const result = {
  ...{ kind: "threshold", network: "base", pool, subaccount: null, pair: "WETH-USDC", side: "long" },
  ...{ state: "accepted", reason: null, intent_id: id }
}

export class SignalApi extends RpcGroup.make(
  Endpoint.make("getSignals", {
    class: "readOnly",
    summary:
      "The signals that came for the wallet's bots (chart alerts, setBot and replays), newest first, in pages: " +
      "body, what was understood, and the result at each bot.",
    params: {
      apiKey: Params.ApiKey,
      token_id: Schema.optional(uuidOf("Only alerts of this webhook token: its `token_id`.")),
      network: Schema.optional(Params.Network),
      pool: Schema.optional(Params.Pool),
      state: Schema.optional(StateParam),
      since: Schema.optional(timeOf("Only signals from this time on.")),
      until: Schema.optional(timeOf("Only signals before this time.")),
      limit: Schema.optional(Params.Limit(100, 20)),
      cursor: Schema.optional(Params.Cursor)
    },
    success: { signals: Schema.Array(SignalView), cursor: Schema.NullOr(Schema.String) },
    exampleRequest: { limit: 2 },
    example: {
      signals: [{
        ...{ signal_id: id, seq: "1", source: "alert", token_id: id, from: "52.89.214.238" },
        ...{ content_type: "text/plain", body: "long", truncated: false, understood, state: "accepted", reason: null },
        ...{ results: [{ ...result, intent_status: "success" }], replay_of: null, replayed_by: null },
        received_at: "2026-11-20T10:00:00.000Z"
      }],
      cursor: null
    }
  }),
  Endpoint.make("replaySignal", {
    class: "movesFunds",
    method: "POST",
    summary:
      "Carry out a refused or ignored chart alert as a new signal, at most once, whatever the rules of its token " +
      "say; a repeat returns the first replay.",
    params: { apiKey: Params.ApiKey, signal_id: uuidOf("The signal's `signal_id`, as getSignals returned it.") },
    success: { intent_id: Schema.NullOr(Schema.String), signal_id: Schema.String, results: Schema.Array(SignalResult) },
    failsWith: ["rpc_unavailable", "busy", "limit_exceeded"],
    example: {
      intent_id: id,
      tx_hash: null,
      message: "The signal was carried out.",
      signal_id: id,
      results: [result]
    }
  })
) {}
