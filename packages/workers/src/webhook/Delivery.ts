/** Empties the outbox: every delivery is tried until its receiver takes it, at growing intervals, for a day. At least once; the id is the same each time. */
import * as Singleton from "@effect/cluster/Singleton"
import { type Attempted, type Due, WebhookStore } from "@vault-trader/core/webhook/WebhookStore"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { decrypt, type Kek } from "../gas-wallet/Envelope.ts"
import * as Post from "./Post.ts"
import * as Target from "./Target.ts"
import { purpose } from "./Webhook.ts"

/** Seconds after each failed attempt until the next one; after the last one nobody tries any more. */
const intervals = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]

/** Deliveries that are taken, and tried, at once. */
const atOnce = 32

const bodyOf = ({ at, data, type }: Due) => JSON.stringify({ type, timestamp: at.toISOString(), data })

const refused = ({ attempts }: Due, status: number | null, error: string): Attempted => ({ _tag: "refused", status, error, again: intervals[attempts - 1] ?? null })

/** Makes one attempt. */
const attempt = (due: Due, kek: Kek, loopback: boolean) =>
  Effect.gen(function*() {
    const secret = yield* decrypt(kek, purpose, due.webhook, due.ciphertext)
    // Anew each time: what the name means may have changed.
    const target = yield* Target.resolve(due.url, loopback)
    const body = bodyOf(due)
    const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    return yield* Post.post(target, Post.signedHeaders(secret, due.event, timestamp, body), body)
  }).pipe(
    Effect.either,
    Effect.map((answer): Attempted => {
      if (Either.isLeft(answer)) return refused(due, null, answer.left.message)
      const status = answer.right
      if (status >= 200 && status < 300) return { _tag: "delivered", status }
      return refused(due, status, status >= 300 && status < 400 ? "redirects are not followed" : "the receiver did not take it")
    })
  )

/** One round; answers how many attempts were made. */
export const round = (kek: Kek, loopback: boolean) =>
  Effect.gen(function*() {
    const store = yield* WebhookStore
    const due = yield* store.take(atOnce)
    yield* Effect.forEach(due, (each) => Effect.flatMap(attempt(each, kek, loopback), (how) => store.attempted(each.id, how)), { concurrency: "unbounded", discard: true })
    return due.length
  })

export const DeliveryLive = ({ kek, loopback }: { readonly kek: Kek; readonly loopback: boolean }) =>
  Singleton.make(
    "WebhookDelivery",
    Effect.gen(function*() {
      const store = yield* WebhookStore
      const once = round(kek, loopback).pipe(
        Effect.provideService(WebhookStore, store),
        Effect.catchAllCause((cause) => Effect.as(Effect.logWarning("a round of webhook deliveries failed", cause), 0))
      )
      yield* Effect.flatMap(once, (count) => count === atOnce ? Effect.void : Effect.sleep("1 second")).pipe(Effect.forever)
    })
  )
