/**
 * Delivers the outbox: retries every delivery until its receiver accepts it, at growing intervals, for a day. Delivery
 * is at least once; the id stays the same. Owners take turns, and an attempt starts as soon as there is room: a slow
 * receiver delays only its own deliveries.
 */
import { type AttemptResult, type Due, type InProgress, WebhookStore } from "@vault-trader/core/webhook/WebhookStore"
import * as Clock from "effect/Clock"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { decrypt, type Kek } from "../gas-wallet/Envelope.ts"
import * as HostBreaker from "./HostBreaker.ts"
import * as WebhookRequest from "./WebhookRequest.ts"
import * as WebhookUrl from "./WebhookUrl.ts"
import { purpose } from "./Webhook.ts"

/** Seconds after each failed attempt until the next one. After the last one the delivery is given up. */
const intervals = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 28_800]

/** Maximum number of concurrent attempts: in total, per owner, and per host. */
const maxConcurrent = 128
const perOwner = 4
const perHost = 16

/** Timeout of a whole attempt, including DNS. Shorter than the minute for which a delivery is claimed. */
const attemptTimeout = "20 seconds"

const bodyOf = ({ at, data, type }: Due) => JSON.stringify({ type, timestamp: at.toISOString(), data })

const refused = ({ attempts }: Due, status: number | null, error: string): AttemptResult => ({
  _tag: "refused",
  status,
  error,
  retrySeconds: intervals[attempts - 1] ?? null
})

/** Makes one attempt. */
const attempt = (due: Due, kek: Kek, loopback: boolean) =>
  Effect.gen(function*() {
    const secret = yield* decrypt(kek, purpose, due.webhook, due.ciphertext)
    // Resolved again for each attempt: the name's address may have changed.
    const target = yield* WebhookUrl.resolve(due.url, loopback)
    const body = bodyOf(due)
    const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    return yield* WebhookRequest.post(target, WebhookRequest.signedHeaders(secret, due.event, timestamp, body), body)
  }).pipe(
    Effect.timeoutOrElse({
      duration: attemptTimeout,
      orElse: () => Effect.fail(new WebhookUrl.NotPermitted({ message: "no response in time" }))
    }),
    Effect.result,
    Effect.map((answer): AttemptResult => {
      if (Result.isFailure(answer)) return refused(due, null, answer.failure.message)
      const status = answer.success
      if (status >= 200 && status < 300) return { _tag: "delivered", status }
      return refused(
        due,
        status,
        status >= 300 && status < 400 ? "redirects are not followed" : "the receiver did not accept it"
      )
    })
  )

/** Counts occurrences by name. */
const tally = () => {
  const counts = new Map<string, number>()
  return {
    counts,
    shift: (name: string, by: 1 | -1) => {
      const count = (counts.get(name) ?? 0) + by
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    }
  }
}

/** Starts attempts while there is room and something is due. The loop and its attempts end with the scope. */
const deliver = (kek: Kek, loopback: boolean): Effect.Effect<never, never, WebhookStore | Scope.Scope> =>
  Effect.gen(function*() {
    const store = yield* WebhookStore
    const breaker = HostBreaker.make()
    const attempts = yield* FiberSet.make()
    const finished = yield* Queue.sliding<void>(1)
    const [owners, hosts] = [tally(), tally()]
    const shift = ({ host, owner }: Due, by: 1 | -1) => {
      owners.shift(owner, by)
      hosts.shift(host, by)
    }

    /**
     * Makes one attempt and records its outcome. Without a recorded outcome it is attempted again when the minute of
     * its claim is over.
     */
    const one = (due: Due) =>
      attempt(due, kek, loopback).pipe(
        // For example a secret that no key decrypts: without an outcome it would be attempted every minute.
        Effect.catchDefect((defect) =>
          Effect.as(
            Effect.logWarning("a webhook delivery could not be attempted", defect),
            refused(due, null, "it could not be attempted")
          )
        ),
        Effect.tap((how) => breaker.note(due.host, how.status !== null)),
        Effect.flatMap((how) => store.recordAttempt(due.id, how)),
        Effect.catchCause((cause) => Effect.logWarning("the outcome of a webhook delivery was not recorded", cause)),
        Effect.ensuring(Effect.suspend(() => {
          shift(due, -1)
          return Queue.offer(finished, undefined)
        }))
      )

    const inProgress = Effect.map(Effect.all([breaker.open, breaker.probed]), ([closed, probed]): InProgress => {
      // Leaves room for one attempt.
      const bounded = new Map(hosts.counts)
      for (const host of probed) bounded.set(host, (bounded.get(host) ?? 0) + perHost - 1)
      return { perOwner, perHost, owners: owners.counts, hosts: bounded, closed }
    })

    /** Starts as many attempts as there is room for; returns their number. */
    const begin = Effect.gen(function*() {
      const room = maxConcurrent - (yield* FiberSet.size(attempts))
      const due = room <= 0 ? [] : yield* store.take(room, yield* inProgress)
      for (const each of due) {
        shift(each, 1)
        yield* FiberSet.run(attempts, one(each))
      }
      return due.length
    }).pipe(
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("webhook deliveries cannot be claimed", cause), 0))
    )

    return yield* Effect.flatMap(
      begin,
      (count) => count > 0 ? Effect.void : Effect.timeoutOption(Queue.take(finished), "1 second")
    ).pipe(Effect.forever)
  })

export const DeliveryLive = ({ kek, loopback }: { readonly kek: Kek; readonly loopback: boolean }) =>
  Singleton.make(
    "WebhookDelivery",
    Effect.flatMap(WebhookStore, (store) =>
      Effect.scoped(Effect.provideService(deliver(kek, loopback), WebhookStore, store)))
  )
