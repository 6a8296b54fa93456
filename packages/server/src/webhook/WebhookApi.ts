/** Handlers of webhooks. An actor creates and encrypts their secrets, because the gate holds no key. */
import * as Audit from "@vault-trader/core/audit/Audit"
import { Principal } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { eventTypes, type Owner, Webhooks } from "@vault-trader/core/webhook/Webhook"
import { WebhookApi } from "@vault-trader/core/webhook/WebhookApi"
import { WebhookStore } from "@vault-trader/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Handlers from "../wire/Handlers.ts"
import { write, query } from "../gate/ActorCall.ts"

const owner = Effect.map(
  Principal,
  (principal): Owner =>
    principal._tag === "key"
      ? { _tag: "wallet", wallet: principal.caller.wallet }
      : { _tag: "manager", manager: principal.manager }
)

export const WebhookApiLive = Handlers.layer(
  WebhookApi,
  Effect.gen(function*() {
    const store = yield* WebhookStore
    const webhooks = yield* Webhooks.client
    return {
      setWebhook: ({ events = eventTypes, url }) =>
        Effect.gen(function*() {
          const subscribed = [...new Set(events)]
          const principal = yield* Principal
          const keyId = principal._tag === "key" ? principal.caller.keyId : undefined
          const { id, secret } = yield* write(
            webhooks(crypto.randomUUID().slice(0, 2)).put({
              owner: yield* owner,
              keyId,
              url,
              events: subscribed,
              actor: yield* Audit.Actor
            })
          )
          const message = "Events are posted from now on. The secret is shown only in this response."
          return { webhook_id: id, secret, events: subscribed, message }
        }),
      deleteWebhook: ({ webhook_id }) =>
        Effect.gen(function*() {
          const isRemoved = yield* query(store.remove(yield* owner, webhook_id))
          if (!isRemoved) {
            return yield* new ValidationFailure({
              code: "1010",
              message: "webhook_id: there is no such webhook; /getWebhooks lists yours"
            })
          }
          return { message: "The webhook is deleted." }
        }),
      getWebhooks: () =>
        Effect.gen(function*() {
          const found = yield* query(store.of(yield* owner))
          return {
            webhooks: found.map(({ createdAt, events, id, url }) => ({
              webhook_id: id,
              url,
              events,
              created_at: createdAt.toISOString()
            }))
          }
        }),
      getWebhookDeliveries: ({ limit = 20, webhook_id }) =>
        Effect.gen(function*() {
          const found = yield* query(store.deliveries(yield* owner, webhook_id ?? null, limit))
          return {
            deliveries: found.map((
              { attempts, createdAt, event, lastError, lastStatus, nextAttemptAt, status, type, webhook }
            ) => ({
              ...{
                webhook_id: webhook,
                event_id: event,
                type,
                status,
                attempts,
                last_status: lastStatus,
                last_error: lastError
              },
              created_at: createdAt.toISOString(),
              next_attempt_at: status === "pending" ? nextAttemptAt.toISOString() : null
            }))
          }
        })
    }
  })
).pipe(
  Layer.provide([WebhookStore.layer])
)
