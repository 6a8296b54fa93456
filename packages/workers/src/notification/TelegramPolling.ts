/**
 * Reads the updates of every bot: one runner at a time, by a lease in the database, with the number of the next update
 * in the transaction of what an update causes. A restart neither repeats nor loses one.
 */
import type { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { type Bot, ChatStore } from "@vault-trader/core/notification/ChatStore"
import * as Cause from "effect/Cause"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import * as Singleton from "effect/cluster/Singleton"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import * as SqlError from "effect/sql/SqlError"
import { IdleWait } from "../actor/IdleWait.ts"
import type { Kek } from "../gas-wallet/Envelope.ts"
import * as ChatCommand from "./ChatCommand.ts"
import * as SealedChannel from "./SealedChannel.ts"
import * as Telegram from "./Telegram.ts"

type Stores = ChatStore | KillSwitch | IdleWait | SqlClient.SqlClient

/** Seconds of the lease: longer than a request for updates and the handling of what it returns. */
const leaseSeconds = 90

/** Pause after a failure, and between looks for new bots. */
const failurePause = Duration.seconds(15)
const lookPause = Duration.seconds(3)

const isSqlError = (cause: Cause.Cause<unknown>) =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && SqlError.isSqlError(reason.error))

/** Handles an update once. One that cannot be handled is skipped, because it would stop all later ones. */
export const handleOnce = (digest: string, name: string | null, update: Telegram.Update) =>
  Effect.gen(function*() {
    const store = yield* ChatStore
    const { message } = update
    const handled = message === undefined ? Effect.void : ChatCommand.handle(digest, name, message)
    yield* Effect.catchCause(
      store.once(digest, update.id, handled),
      (cause) =>
        Cause.hasInterrupts(cause) || isSqlError(cause)
          ? Effect.failCause(cause)
          : Effect.andThen(
            Effect.logWarning("an update of a bot cannot be handled and is skipped", cause),
            store.once(digest, update.id, Effect.void)
          )
    )
  })

/** Reads updates once and handles them; returns false where another runner reads this bot's. */
export const poll = (kek: Kek, holder: string, { channel, ciphertext, digest, name }: Bot, seconds?: number) =>
  Effect.gen(function*() {
    const store = yield* ChatStore
    const next = yield* store.hold(digest, holder, leaseSeconds)
    if (Option.isNone(next)) return false
    const { token } = yield* SealedChannel.open(kek, channel, ciphertext)
    const updates = yield* Telegram.updates(token ?? Redacted.make(""), next.value, seconds)
    for (const update of updates) yield* handleOnce(digest, name, update)
    yield* store.fail(digest, null)
    return true
  })

/** Reads a bot's updates while it has a channel. */
const read = (kek: Kek, holder: string, bot: Bot): Effect.Effect<void, never, Stores> =>
  Effect.gen(function*() {
    const store = yield* ChatStore
    for (;;) {
      const outcome = yield* poll(kek, holder, bot).pipe(
        Effect.catchTags({
          TelegramRefused: ({ message }) => Effect.as(store.fail(bot.digest, message), "failed" as const),
          NotAnswered: ({ message }) => Effect.as(store.fail(bot.digest, message), "failed" as const)
        }),
        Effect.catchCause((cause) =>
          Effect.as(Effect.logWarning("the updates of a bot cannot be read", cause), "failed" as const)
        )
      )
      if (outcome !== true) yield* Effect.sleep(failurePause)
    }
  }).pipe(
    Effect.ensuring(Effect.ignore(Effect.flatMap(ChatStore, (store) => store.letGo(bot.digest, holder))))
  )

/** Keeps one reader for each bot in use. */
const readAll = (kek: Kek): Effect.Effect<never, never, Stores | Scope.Scope> =>
  Effect.gen(function*() {
    const store = yield* ChatStore
    const { until } = yield* IdleWait
    const holder = yield* Uuid.v7
    const readers = yield* FiberMap.make<string>()
    const names = new Map<string, string>()
    const look = Effect.gen(function*() {
      const bots = yield* store.bots
      for (const digest of [...names.keys()].filter((each) => bots.every((bot) => bot.digest !== each))) {
        names.delete(digest)
        yield* FiberMap.remove(readers, digest)
      }
      for (const bot of bots) {
        // A new ciphertext: the channel was changed, or secrets were encrypted under another key.
        const version = `${bot.channel}/${bot.ciphertext}`
        if (names.get(bot.digest) === version) continue
        names.set(bot.digest, version)
        yield* FiberMap.run(readers, bot.digest, read(kek, holder, bot))
      }
    }).pipe(Effect.catchCause((cause) => Effect.logWarning("the bots cannot be listed", cause)))
    // The reader of a channel that is gone must end, so the look that finds none is made as well.
    const awaited = Effect.suspend(() => names.size > 0 ? Effect.void : until("channels"))
    return yield* awaited.pipe(Effect.andThen(look), Effect.andThen(Effect.sleep(lookPause)), Effect.forever)
  })

export const TelegramPollingLive = (kek: Kek) =>
  Singleton.make(
    "TelegramPolling",
    Effect.flatMap(Effect.context<Stores>(), (stores) => Effect.provide(Effect.scoped(readAll(kek)), stores))
  )
