/**
 * Sends the messages of channels. Each attempt is committed before it is made, and a channel has one message at a time,
 * so a slow receiver delays only its own messages.
 */
import {
  type Attempt,
  type AttemptResult,
  type Claimed,
  MessageStore,
  type NamesOf
} from "@vault-trader/core/notification/MessageStore"
import { maxWaitMillis } from "@vault-trader/core/notification/MessagePlan"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { IdleWait } from "../actor/IdleWait.ts"
import type { Kek } from "../gas-wallet/Envelope.ts"
import * as HostBreaker from "../webhook/HostBreaker.ts"
import type { Outcome } from "./Receiver.ts"
import * as Receiver from "./Receiver.ts"
import { receivers } from "./Receivers.ts"
import * as SealedChannel from "./SealedChannel.ts"
import * as ShownNames from "./ShownNames.ts"

/** Seconds after each failed attempt until the next one. A message is dropped a day after it was composed. */
const intervals = [5, 30, 120, 600, 1_800, 3_600]
const lastInterval = 7_200

/** Maximum number of concurrent attempts: in total, and per owner. */
const maxConcurrent = 64
const perOwner = 4

/** Timeout of a whole attempt, including DNS. Shorter than the minute for which a channel is claimed. */
const attemptTimeout = "25 seconds"

/** Returns the result to record for an outcome. */
export const resultOf = (outcome: Outcome, { age, attempts }: Pick<Attempt, "age" | "attempts">): AttemptResult => {
  const refused = (error: string, retrySeconds: number | null, more: Partial<AttemptResult> = {}): AttemptResult => ({
    ...{ _tag: "refused", error, uncertain: false, limited: false, ...more },
    retrySeconds: retrySeconds !== null && age + retrySeconds > maxWaitMillis / 1000 ? null : retrySeconds
  })
  const again = intervals[attempts] ?? lastInterval
  switch (outcome._tag) {
    case "accepted":
      return { _tag: "sent", chatId: outcome.chatId }
    case "limited":
      return refused(`the receiver asked to wait ${outcome.seconds} s`, outcome.seconds, { limited: true })
    case "rejected":
      return refused(outcome.error, null)
    case "refused":
      return refused(outcome.error, outcome.chatId === undefined ? again : 1, { chatId: outcome.chatId })
    case "unanswered":
      return refused(outcome.error, again, { uncertain: outcome.sent })
  }
}

/** Makes one attempt. */
const attempt = (kek: Kek, loopback: boolean, channel: Claimed, message: Attempt) =>
  Effect.gen(function*() {
    const { chatId, ciphertext, id, kind, settings } = channel
    const secrets = yield* SealedChannel.open(kek, id, ciphertext)
    const { recognisesRepeats, send } = receivers[kind]
    return yield* send({ settings, secrets, chatId, loopback }, {
      ...message,
      repeats: message.uncertain && !recognisesRepeats
    })
  }).pipe(
    Effect.catchTag("CannotDecrypt", () =>
      Effect.succeed<Outcome>({ _tag: "refused", error: "its secrets cannot be decrypted" })),
    Effect.timeoutOrElse({
      duration: attemptTimeout,
      orElse: () =>
        Effect.succeed<Outcome>({ _tag: "unanswered", error: "no response in time", sent: true })
    }),
    // For example a malformed row: without an outcome it would be attempted every minute.
    Effect.catchDefect((defect) =>
      Effect.as(
        Effect.logWarning("a message of a channel could not be attempted", defect),
        { _tag: "refused", error: "it could not be attempted" } satisfies Outcome
      )
    )
  )

const outcomeName = (result: AttemptResult) =>
  result._tag === "sent" ? "sent" : result.retrySeconds === null ? "dropped" : result.limited ? "limited" : "failed"

/** Sends what is due of a claimed channel, and releases it. Returns whether the receiver answered; null without an attempt. */
export const sendOne = (kek: Kek, loopback: boolean, namesOf: NamesOf, channel: Claimed) =>
  Effect.gen(function*() {
    const store = yield* MessageStore
    const message = yield* store.begin(channel, namesOf)
    let answered: boolean | null = null
    if (Option.isSome(message)) {
      const outcome = yield* attempt(kek, loopback, channel, message.value)
      const result = resultOf(outcome, message.value)
      answered = outcome._tag !== "unanswered"
      yield* store.record(channel, message.value.id, result)
      yield* Metrics.count(Metrics.notifications, { kind: channel.kind, outcome: outcomeName(result) })
    }
    yield* store.release(channel)
    return answered
  })

/** Starts attempts while there is room and something is due. The loop and its attempts end with the scope. */
const deliver = (
  kek: Kek,
  loopback: boolean,
  namesOf: NamesOf
): Effect.Effect<never, never, MessageStore | IdleWait | Scope.Scope> =>
  Effect.gen(function*() {
    const store = yield* MessageStore
    const telegramUrl = yield* Receiver.TelegramUrl
    const { until } = yield* IdleWait
    const runner = yield* Uuid.v7
    const attempts = yield* FiberSet.make()
    const finished = yield* Queue.sliding<void>(1)
    const breaker = HostBreaker.make()
    const [owners, hosts] = [new Map<string, number>(), new Map<string, number>()]
    const count = (counts: Map<string, number>, name: string, by: 1 | -1) => {
      const after = (counts.get(name) ?? 0) + by
      if (after === 0) counts.delete(name)
      else counts.set(name, after)
    }
    const hostOf = ({ settings }: Claimed) => settings.host ?? ""
    const shift = (channel: Claimed, by: 1 | -1) => {
      count(owners, channel.owner, by)
      count(hosts, hostOf(channel), by)
    }
    const one = (channel: Claimed) =>
      sendOne(kek, loopback, namesOf, channel).pipe(
        Effect.provideService(MessageStore, store),
        Effect.provideService(Receiver.TelegramUrl, telegramUrl),
        Effect.flatMap((answered) => answered === null ? Effect.void : breaker.note(hostOf(channel), answered)),
        Effect.catchCause((cause) => Effect.logWarning("the outcome of a message was not recorded", cause)),
        Effect.ensuring(Effect.suspend(() => {
          shift(channel, -1)
          return Queue.offer(finished, undefined)
        }))
      )
    const begin = Effect.gen(function*() {
      const room = maxConcurrent - (yield* FiberSet.size(attempts))
      const [open, probed] = yield* Effect.all([breaker.open, breaker.probed])
      // A host that did not answer is asked by one channel at a time, until it answers.
      const closed = [...open, ...probed.filter((host) => hosts.has(host))]
      const due = room <= 0 ? [] : yield* store.claim(runner, room, owners, perOwner, closed)
      for (const each of due) {
        if (probed.includes(hostOf(each)) && hosts.has(hostOf(each))) {
          yield* store.release(each)
          continue
        }
        shift(each, 1)
        yield* FiberSet.run(attempts, one(each))
      }
      return due.length
    }).pipe(
      Effect.catchCause((cause) => Effect.as(Effect.logWarning("channels cannot be claimed", cause), 0))
    )
    return yield* Effect.flatMap(
      Effect.andThen(until("channels"), begin),
      (count) => count > 0 ? Effect.void : Effect.timeoutOption(Queue.take(finished), "1 second")
    ).pipe(Effect.forever)
  })

export const MessageDeliveryLive = ({ kek, loopback }: { readonly kek: Kek; readonly loopback: boolean }) =>
  Singleton.make(
    "MessageDelivery",
    Effect.gen(function*() {
      const store = yield* MessageStore
      const namesOf = yield* ShownNames.make
      return yield* Effect.scoped(Effect.provideService(deliver(kek, loopback, namesOf), MessageStore, store))
    })
  )
