/** Webhooks that tell what happened: what they are told, and the actor that makes their secrets. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"

/** Types of events. `intent.reopened`: a reorg reverted an outcome that was reported. `wallet.alert`: a person has to look into a gas wallet. */
export const eventTypes = ["intent.succeeded", "intent.failed", "intent.reopened", "gas.low", "bot.paused", "wallet.alert"] as const
export const EventType = Schema.Literals(eventTypes)
export type EventType = typeof EventType.Type

/** Whose a webhook is: a wallet's, or a manager's, for every wallet in the manager's list. */
export const Owner = Schema.Union([Schema.TaggedStruct("wallet", { wallet: Address }), Schema.TaggedStruct("manager", { manager: Address })])
export type Owner = typeof Owner.Type

/** Webhooks that one owner has at most. */
export const mostWebhooks = 10

/** A webhook that was set, and its secret: in this answer and nowhere else in clear. */
export const WebhookSet = Schema.Struct({
  id: Schema.String,
  secret: Schema.RedactedFromValue(Schema.String)
}).annotate({ identifier: "WebhookSet" })
export type WebhookSet = typeof WebhookSet.Type

/** Makes and seals signing secrets. Volatile: a persisted message would keep its answer in clear. Entity id: any. */
export const Webhooks = Entity.make("Webhook", [
  /**
   * Sets the owner's webhook at a URL, with a new secret; 1010 for a URL that is not permitted, or when there are too many, 1002 when the key
   * that asked (`keyId`) has been revoked meanwhile.
   */
  Rpc.make("put", { payload: { owner: Owner, keyId: Schema.optional(Schema.String), url: Schema.String, events: Schema.Array(EventType) }, success: WebhookSet, error: Failure })
])
