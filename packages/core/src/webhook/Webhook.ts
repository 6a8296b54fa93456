/** Webhooks that tell what happened: what they are told, and the actor that makes their secrets. */
import * as Entity from "@effect/cluster/Entity"
import * as Rpc from "@effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Failure } from "../endpoint/Failure.ts"

/** What can be told. `intent.reopened`: a reorg took back an outcome that was told. */
export const eventTypes = ["intent.succeeded", "intent.failed", "intent.reopened", "gas.low", "bot.paused"] as const
export const EventType = Schema.Literal(...eventTypes)
export type EventType = typeof EventType.Type

/** Whose a webhook is: a wallet's, or a manager's, for every wallet in the manager's list. */
export const Owner = Schema.Union(Schema.TaggedStruct("wallet", { wallet: Address }), Schema.TaggedStruct("manager", { manager: Address }))
export type Owner = typeof Owner.Type

/** Webhooks that one owner has at most. */
export const mostWebhooks = 10

/** A webhook that was set, and its secret: in this answer and nowhere else in clear. */
export class WebhookSet extends Schema.Class<WebhookSet>("WebhookSet")({
  id: Schema.String,
  secret: Schema.Redacted(Schema.String)
}) {}

/** Makes and seals signing secrets. Volatile: a persisted message would keep its answer in clear. Entity id: any. */
export const Webhooks = Entity.make("Webhook", [
  /** Sets the owner's webhook at a URL, with a new secret; 1010 for a URL that is not permitted, or when there are too many. */
  Rpc.make("put", { payload: { owner: Owner, url: Schema.String, events: Schema.Array(EventType) }, success: WebhookSet, error: Failure })
])
