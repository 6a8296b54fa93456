/** Endpoints that return the state and outcome of accepted requests. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"

/** `pending` until the outcome is final. */
const Status = Schema.Literals(["pending", "success", "fail"])

const Summary = Schema.Struct({
  intent_id: Schema.String,
  endpoint: Schema.String,
  status: Status,
  /** Null for an exchange order, as is the vault. */
  network: Schema.NullOr(Schema.String),
  pool: Schema.NullOr(Address),
  tx_hash: Schema.NullOr(Hash),
  message: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String
})

const summary = {
  intent_id: "01936f5a-0000-7000-8000-000000000000",
  endpoint: "vaultTrade",
  status: "success",
  network: "base",
  pool: "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2",
  tx_hash: "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465",
  message: "Sold 1000 USDC for 0.332 WETH on uniswapV3.",
  created_at: "2026-11-20T10:00:00.000Z",
  updated_at: "2026-11-20T10:00:01.000Z"
}

export class IntentApi extends RpcGroup.make(
  Endpoint.make("getIntent", {
    class: "readOnly",
    summary: "Returns the state of one accepted request, its transaction and, once final, its result or failure.",
    params: { apiKey: Params.ApiKey, intent_id: Params.IntentId },
    success: {
      intent_id: Schema.String,
      tx_hash: Schema.NullOr(Hash),
      message: Schema.String,
      intent: Schema.Struct({
        ...Summary.fields,
        /** The fields of the endpoint's response, when the request succeeded. */
        result: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
        /** The failure as the endpoint returned it, when the request failed. */
        failure: Schema.NullOr(
          Schema.Struct({
            status_code: Schema.String,
            error_type: Schema.NullOr(Schema.String),
            message: Schema.String
          })
        )
      })
    },
    example: {
      intent_id: summary.intent_id,
      tx_hash: summary.tx_hash,
      message: summary.message,
      intent: { ...summary, result: { venue: "uniswapV3" }, failure: null }
    }
  }),
  Endpoint.make("getIntents", {
    class: "readOnly",
    summary:
      "The wallet's accepted requests and the turns of its exchange bots, newest first, in pages. With `network` " +
      "or `pool`, only those of that network or vault.",
    params: {
      apiKey: Params.ApiKey,
      network: Schema.optional(Params.Network),
      pool: Schema.optional(Params.Pool),
      limit: Schema.optional(Params.Limit(100, 20)),
      cursor: Schema.optional(Params.Cursor)
    },
    success: { intents: Schema.Array(Summary), cursor: Schema.NullOr(Schema.String) },
    exampleRequest: { limit: 2 },
    example: { intents: [summary], cursor: null }
  })
) {}
