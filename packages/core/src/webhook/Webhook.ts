/** Outgoing webhooks: their events, and the protocol of the actor that creates their secrets. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Schema from "effect/Schema"
import { Actor } from "../audit/AuditEntry.ts"
import { Address } from "../chain/Address.ts"
import { Failure } from "../failure/Failure.ts"
import { eventTypes } from "./EventTable.ts"

export { eventTypes }
export const EventType = Schema.Literals(eventTypes)
export type EventType = typeof EventType.Type

/** The owner of a webhook: a wallet, or a manager, for every wallet in the manager's list. */
export const Owner = Schema.Union([
  Schema.TaggedStruct("wallet", { wallet: Address }),
  Schema.TaggedStruct("manager", { manager: Address })
])
export type Owner = typeof Owner.Type

/** Maximum number of webhooks of one owner. */
export const maxWebhooks = 10

/** A webhook that was set, and its secret, which exists in plaintext only in this response. */
const WebhookSet = Schema.Struct({
  id: Schema.String,
  secret: Schema.RedactedFromValue(Schema.String)
}).annotate({ identifier: "WebhookSet" })
type WebhookSet = typeof WebhookSet.Type

/**
 * Creates and encrypts signing secrets. Volatile: a persisted message would store its response in plaintext. Entity id:
 * any.
 */
export const Webhooks = Entity.make("Webhook", [
  /**
   * Sets the owner's webhook at a URL, with a new secret; 1010 for a URL that is not permitted or when there are too
   * many webhooks, 1002 when the requesting key (`keyId`) has been revoked in the meantime.
   */
  Rpc.make("put", {
    payload: {
      owner: Owner,
      keyId: Schema.optional(Schema.String),
      url: Schema.String,
      events: Schema.Array(EventType),
      /** The actor of the change, for the audit log; without it the service itself. */
      actor: Schema.optional(Actor)
    },
    success: WebhookSet,
    error: Failure
  })
])
