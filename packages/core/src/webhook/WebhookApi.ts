/** Endpoints of webhooks for the events of a wallet, or of a manager's wallets. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { Events } from "./EventParams.ts"
import { EventType } from "./Webhook.ts"

const id = "01936f5a-0000-7000-8000-000000000000"

const Url = Param.make(Schema.String, {
  accepts: "an https URL of at most 2000 characters, without user and password",
  description: "Where events are posted: an https URL whose host is on the public internet.",
  example: "https://hooks.example.com/vault-trader",
  jsonSchema: { type: "string", format: "uri", maxLength: 2000 },
  read: (text) => {
    const url = text.length <= 2000 && URL.canParse(text) ? new URL(text) : undefined
    return url !== undefined && /^https?:$/.test(url.protocol) && `${url.username}${url.password}` === ""
      ? url.href
      : undefined
  },
  show: (value) => value
})

const WebhookId = Param.make(Schema.String, {
  accepts: "the webhook_id that setWebhook returned",
  description: "The webhook's `webhook_id`.",
  example: id,
  jsonSchema: { type: "string", format: "uuid" },
  read: (text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : undefined,
  show: (value) => value
})

export class WebhookApi extends RpcGroup.make(
  Endpoint.make("setWebhook", {
    class: "changesConfig",
    access: "apiKeyOrManager",
    subject: "url",
    method: "POST",
    summary: "Post events to a URL, signed per Standard Webhooks; the secret is shown only in this response. Setting " +
      "the same URL again creates a new secret.",
    params: { ...Params.keyOrManager, url: Url, events: Schema.optional(Events) },
    success: {
      webhook_id: Schema.String,
      secret: Schema.RedactedFromValue(Schema.String),
      events: Schema.Array(EventType),
      message: Schema.String
    },
    exampleRequest: { events: ["bot.paused"] },
    failsWith: ["limit_exceeded"],
    example: {
      webhook_id: id,
      secret: "whsec_<base64>",
      events: ["intent.failed"],
      message: "Events are posted from now on. The secret is shown only in this response."
    }
  }),
  Endpoint.make("deleteWebhook", {
    class: "changesConfig",
    access: "apiKeyOrManager",
    subject: "webhook_id",
    method: "DELETE",
    summary: "Delete a webhook and its pending deliveries.",
    params: { ...Params.keyOrManager, webhook_id: WebhookId },
    success: { message: Schema.String },
    failsWith: ["limit_exceeded"],
    example: { message: "The webhook is deleted." }
  }),
  Endpoint.make("getWebhooks", {
    class: "readOnly",
    access: "apiKeyOrManager",
    summary: "The webhooks of the key's wallet, or of the manager, without their secrets.",
    params: Params.keyOrManager,
    success: {
      webhooks: Schema.Array(
        Schema.Struct({
          webhook_id: Schema.String,
          url: Schema.String,
          events: Schema.Array(EventType),
          created_at: Schema.String
        })
      )
    },
    example: {
      webhooks: [{
        webhook_id: id,
        url: "https://hooks.example.com/vault-trader",
        events: ["intent.failed"],
        created_at: "2026-11-20T10:00:00.000Z"
      }]
    }
  }),
  Endpoint.make("getWebhookDeliveries", {
    class: "readOnly",
    access: "apiKeyOrManager",
    summary:
      "The newest deliveries of the owner's webhooks, with the outcome of each and the time of its next attempt.",
    params: {
      ...Params.keyOrManager,
      webhook_id: Schema.optional(WebhookId),
      limit: Schema.optional(Params.Limit(100, 20))
    },
    success: {
      deliveries: Schema.Array(Schema.Struct({
        webhook_id: Schema.String,
        event_id: Schema.String,
        type: Schema.String,
        status: Schema.Literals(["pending", "delivered", "failed"]),
        attempts: Schema.Int,
        last_status: Schema.NullOr(Schema.Int),
        last_error: Schema.NullOr(Schema.String),
        created_at: Schema.String,
        next_attempt_at: Schema.NullOr(Schema.String)
      }))
    },
    exampleRequest: { limit: 5 },
    example: {
      deliveries: [{
        ...{
          webhook_id: id,
          event_id: id,
          type: "intent.failed",
          status: "delivered",
          attempts: 1,
          last_status: 204,
          last_error: null
        },
        ...{ created_at: "2026-11-20T10:00:00.000Z", next_attempt_at: null }
      }]
    }
  })
) {}
