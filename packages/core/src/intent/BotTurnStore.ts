/**
 * The transactions that begin and stop turns of threshold bots. Each locks the bot's row first: once a bot is deleted,
 * stopped or set to other terms, no intent with the old terms is committed, and an intent that is not planned yet is
 * ended.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import { explain } from "../failure/Explanation.ts"
import type { ValidationFailure } from "../failure/Failure.ts"
import { ActingManager } from "../gas-wallet/ActingManager.ts"
import { KillSwitch, stoppingThresholdBot } from "../gas-wallet/KillSwitch.ts"
import * as BotTurnSteps from "./BotTurnSteps.ts"
import { lockOf, type Put, type ToSet } from "./BotTurnSteps.ts"
import { Failed } from "./Intent.ts"
import { IntentStore } from "./IntentStore.ts"
import { SignalStore } from "../signal/SignalStore.ts"
import { type BotSet, type ThresholdBot, wantedAsset } from "../threshold-bot/ThresholdBot.ts"
import type { Setting } from "../threshold-bot/SettingRows.ts"
import { ThresholdBotStore } from "../threshold-bot/ThresholdBotStore.ts"
import { WaitingSettings } from "../threshold-bot/WaitingSettings.ts"

const deleted = Failed.make({ txHash: null, failure: explain({ _tag: "BotDeleted" }) })

/** Checks whether a bot, as it is set now, is to enable this asset. */
const mayEnable = (bot: ThresholdBot, asset: Address | null) =>
  bot.autoEnable && !bot.paper && wantedAsset(bot) === asset

/** Returns a refusal as a value, so that retries of database failures do not repeat refusals. */
export const refusable = <A, R>(
  set: Effect.Effect<A, SqlError | ValidationFailure, R>
): Effect.Effect<Result.Result<A, ValidationFailure>, SqlError, R> =>
  Effect.matchEffect(set, {
    onFailure: (error): Effect.Effect<Result.Result<A, ValidationFailure>, SqlError> =>
      error._tag === "ValidationFailure" ? Effect.succeed(Result.fail(error)) : Effect.fail(error),
    onSuccess: (value) => Effect.succeed(Result.succeed(value))
  })

/** Serializes the settings of bots, also while they have no rows. All transactions take their locks in one order. */
const serialize = <A, E, R>(
  sql: SqlClient.SqlClient,
  locks: ReadonlyArray<string>,
  set: Effect.Effect<A, E, R>,
  longest?: string
) =>
  Audit.transaction(
    sql,
    Effect.gen(function*() {
      if (longest !== undefined) yield* sql`select set_config('lock_timeout', ${longest}, true)`
      yield* sql`select pg_advisory_xact_lock(hashtextextended(lock.name, 0))
        from jsonb_array_elements_text(${JSON.stringify([...new Set(locks)].sort())}::jsonb) as lock(name)`
      return yield* set
    })
  )

export class BotTurnStore extends Context.Service<BotTurnStore, {
  /**
   * Runs a transaction that holds locks (`lockOf`), so that one sets a bot at a time. It fails if it waits for a lock
   * for `longest`, such as "1s".
   */
  readonly locked: <A, E, R>(
    locks: ReadonlyArray<string>,
    set: Effect.Effect<A, E, R>,
    longest?: string
  ) => Effect.Effect<A, E | SqlError, R>
  /**
   * Sets bots within `locked`, in this order where they are the same one; the results are in their order. None where it
   * `isOwn` and the bot is not this wallet's: then nothing of that bot is changed.
   */
  readonly putAll: (
    all: ReadonlyArray<ToSet>
  ) => Effect.Effect<ReadonlyArray<Option.Option<Put>>, SqlError | ValidationFailure>
  /** Sets a bot and commits the intent of its turn, both or neither. A repeat under the same key changes nothing. */
  readonly set: (setting: Setting, key: string | null) => Effect.Effect<BotSet, SqlError | ValidationFailure>
  /** Does the same if the bot exists and this wallet set it; none otherwise. */
  readonly setOwn: (
    setting: Setting,
    key: string | null
  ) => Effect.Effect<Option.Option<BotSet>, SqlError | ValidationFailure>
  /** Applies a waiting setting to a bot, once. None when the setting is gone, or the bot was set since. */
  readonly setWaiting: (
    waitingId: string,
    setting: Setting,
    key: string | null
  ) => Effect.Effect<Option.Option<BotSet>, SqlError | ValidationFailure>
  /**
   * Commits the intent of the bot's next turn. None when the bot is gone, paused, stopped, on hold, or in a turn
   * already. `enables`: the asset that the turn enables in the vault instead of a trade; the next turn trades.
   */
  readonly begin: (botId: string, enables?: Address | null) => Effect.Effect<Option.Option<string>, SqlError>
  /** Deletes bots and returns those that existed. Their intents that are not planned yet are ended. */
  readonly remove: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ThresholdBot>, SqlError>
}>()("vault-trader/core/intent/BotTurnStore") {
  static readonly layer = Layer.effect(
    BotTurnStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const store = yield* ThresholdBotStore
      const intents = yield* IntentStore
      const switches = yield* KillSwitch
      const waiting = yield* WaitingSettings
      const signals = yield* SignalStore
      const { accept, putAll, withdraw } = BotTurnSteps.make(sql, store, intents)
      const put = (setting: Setting, key: string | null, isOwn: boolean) =>
        Effect.gen(function*() {
          const caller = { actor: yield* Audit.Actor, manager: yield* ActingManager }
          const [put = Option.none()] = yield* putAll([{ ...caller, setting, key, isOwn }])
          return Option.map(put, ({ set }) => set)
        })
      /** Sets a bot that any wallet may have set before. */
      const putAny = (setting: Setting, key: string | null) => Effect.map(put(setting, key, false), Option.getOrThrow)

      return {
        locked: (locks, set, longest) => serialize(sql, locks, set, longest),
        putAll,
        set: (setting, key) => serialize(sql, [lockOf(setting)], putAny(setting, key)),
        setOwn: (setting, key) => serialize(sql, [lockOf(setting)], put(setting, key, true)),
        setWaiting: (waitingId, setting, key) =>
          // `take` sees a setting that is made at the same moment.
          serialize(
            sql,
            [lockOf(setting)],
            Effect.gen(function*() {
              const origin = yield* waiting.originOf(waitingId)
              if (!(yield* waiting.take(waitingId, setting))) return Option.none()
              const set = yield* putAny(setting, key)
              if (origin !== undefined) {
                yield* signals.settle(origin, { state: "accepted", reason: null, intentId: set.intentId })
              }
              return Option.some(set)
            })
          ),
        begin: (botId, enables = null) =>
          sql.withTransaction(Effect.gen(function*() {
            yield* sql`select 1 from threshold_bots where id = ${botId} for update`
            const bot = Option.getOrUndefined(yield* store.find(botId))
            if (bot === undefined || !bot.active || bot.side === "hold" || bot.openIntent !== null) return Option.none()
            if (stoppingThresholdBot(yield* switches.list, bot) !== null) return Option.none()
            return Option.some(yield* accept(bot, mayEnable(bot, enables) ? enables : null))
          })).pipe(Effect.catchTag("ValidationFailure", Effect.die)),
        remove: (ids) =>
          ids.length === 0 ? Effect.succeed([]) : Audit.transaction(
            sql,
            Effect.gen(function*() {
              const gone = yield* store.remove(ids)
              yield* Effect.forEach(gone, ({ openIntent }) => withdraw(openIntent, deleted), { discard: true })
              return gone
            })
          )
      }
    })
  ).pipe(Layer.provide(SignalStore.layer))
}
