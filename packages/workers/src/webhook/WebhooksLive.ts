/** Webhooks and their delivery, with the store that only they use. */
import { WebhookStore } from "@vault-trader/core/webhook/WebhookStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Kek } from "../gas-wallet/Envelope.ts"
import { DeliveryLive } from "./Delivery.ts"
import { WebhookLive } from "./Webhook.ts"

/** Allows webhooks to this machine itself, also by plain http: for tests. */
export const LoopbackAllowed = Context.Reference<boolean>("vault-trader/workers/webhook/LoopbackAllowed", {
  defaultValue: () => false
})

/** `kek`: encrypts the webhooks' secrets. */
export const WebhooksLive = (kek: Kek) =>
  Layer.unwrap(
    Effect.map(LoopbackAllowed, (loopback) =>
      Layer.merge(WebhookLive({ kek, loopback }), DeliveryLive({ kek, loopback })))
  ).pipe(Layer.provide(WebhookStore.layer))
