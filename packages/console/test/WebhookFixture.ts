/** Answers about the manager's webhooks: one that works, one whose receiver fails, and one that is new. */
import type { Answers } from "@vault-trader/testing/harness/ConsoleFixture"

const minute = 60_000
const at = (minutes: number): string => new Date(Date.now() + minutes * minute).toISOString()
const id = (number: number): string => `01936f5a-0000-7000-8000-${number.toString(16).padStart(12, "0")}`

const webhookOf = (number: number, url: string, events: ReadonlyArray<string>) => ({
  ...{ webhook_id: id(0xe00 + number), url, events, created_at: at(-9_000) }
})

export const webhooks = [
  webhookOf(0, "https://hooks.example.com/vault-trader", ["intent.succeeded", "intent.failed", "bot.paused"]),
  webhookOf(1, "https://risk.example.org/a/rather/long/path/of/a/receiver", ["guardian.tripped", "gas.low"]),
  webhookOf(2, "https://new.example.net/", ["order.filled"])
] as const

const delivery = (webhook: number, event: number, type: string, some: Readonly<Record<string, unknown>>) => ({
  ...{ webhook_id: id(0xe00 + webhook), event_id: id(0xe80 + event), type, status: "pending", attempts: 0 },
  ...{ last_status: null, last_error: null, created_at: at(-2 - event), next_attempt_at: null },
  ...some
})

export const deliveries = [
  delivery(1, 0, "guardian.tripped", {
    ...{ attempts: 3, last_status: 500, last_error: "the receiver did not accept it", next_attempt_at: at(8) }
  }),
  delivery(0, 1, "intent.failed", { next_attempt_at: at(0) }),
  delivery(0, 2, "intent.succeeded", { status: "delivered", attempts: 1, last_status: 204 }),
  delivery(1, 3, "gas.low", {
    ...{ status: "failed", attempts: 11, last_error: "the connection failed (ECONNREFUSED)" }
  }),
  delivery(1, 4, "gas.low", {
    ...{ attempts: 1, last_status: 302, last_error: "redirects are not followed", next_attempt_at: at(1) }
  }),
  delivery(1, 5, "gas.low", {
    ...{ attempts: 1, last_status: 401, last_error: "the receiver did not accept it", next_attempt_at: at(1) }
  })
]

/** The secret that the faked service returns. */
export const newSecret = "whsec_dGhlIHNlY3JldCBvZiB0aGUgZmFrZWQgc2VydmljZSE="

export const webhookAnswers = (isBare: boolean): Answers => ({
  "manager.getWebhooks": () => ({ status: "success", webhooks: isBare ? [] : webhooks }),
  "manager.getWebhookDeliveries": ({ limit, webhook_id }: { limit: number; webhook_id?: string }) => ({
    status: "success",
    deliveries: isBare
      ? []
      : deliveries.filter((each) => webhook_id === undefined || each.webhook_id === webhook_id).slice(0, limit)
  }),
  "manager.setWebhook": ({ events }: { events?: ReadonlyArray<string> }) => ({
    ...{ status: "success", webhook_id: id(0xe00), secret: newSecret, events: events ?? ["intent.failed"] },
    message: "Events are posted from now on. The secret is shown only in this response."
  }),
  "manager.deleteWebhook": () => ({ status: "success", message: "The webhook is deleted." })
})
