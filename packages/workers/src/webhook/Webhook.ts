/** Creates webhooks: checks the URL, and generates and encrypts the secret. */
import * as Audit from "@vault-trader/core/audit/Audit"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import { maxWebhooks, Webhooks } from "@vault-trader/core/webhook/Webhook"
import { WebhookStore } from "@vault-trader/core/webhook/WebhookStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { encrypt, type Kek } from "../gas-wallet/Envelope.ts"
import * as WebhookRequest from "./WebhookRequest.ts"
import * as WebhookUrl from "./WebhookUrl.ts"

/** The encryption purpose of webhook secrets. The record is the webhook's id. */
export const purpose = "webhook-secret"

const keyRevoked = new ValidationFailure({ code: "1002", message: "apiKey: unknown or revoked" })

export const WebhookLive = ({ kek, loopback }: { readonly kek: Kek; readonly loopback: boolean }) =>
  Webhooks.toLayer(
    Effect.gen(function*() {
      const store = yield* WebhookStore
      return {
        put: ({ payload: { actor, events, keyId, owner, url } }) =>
          Effect.gen(function*() {
            yield* Effect.mapError(
              WebhookUrl.resolve(url, loopback),
              ({ message }) => new ValidationFailure({ code: "1010", message: `url: ${message}` })
            )
            const known = yield* Effect.orDie(store.at(owner, url))
            const id = Option.isSome(known) ? known.value : yield* Uuid.v7
            const secret = yield* WebhookRequest.freshSecret
            const fits = yield* store.put({
              owner,
              keyId,
              url,
              events,
              id,
              ciphertext: yield* encrypt(kek, purpose, id, secret)
            }).pipe(
              Effect.catchTags({ KeyRevoked: () => keyRevoked, SqlError: Effect.die })
            )
            if (!fits) {
              return yield* new ValidationFailure({
                code: "1010",
                message: `url: there are already ${maxWebhooks} webhooks, the maximum; delete one first`
              })
            }
            return { id, secret }
          }).pipe(Audit.by(actor))
      }
    }),
    { concurrency: "unbounded", disableFatalDefects: true }
  )
