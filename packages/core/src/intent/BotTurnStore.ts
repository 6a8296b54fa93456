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
import { ValidationFailure } from "../failure/Failure.ts"
import { KillSwitch, stopping } from "../gas-wallet/KillSwitch.ts"
import { Failed } from "./Intent.ts"
import { IntentStore } from "./IntentStore.ts"
import { EnableAssetRequest } from "../trading/AssetChange.ts"
import { SignalStore } from "../signal/SignalStore.ts"
import { BotSet, BotTradeRequest, isOf, requestOf, ThresholdBot, wantedAsset } from "../threshold-bot/ThresholdBot.ts"
import { type Setting, ThresholdBotStore } from "../threshold-bot/ThresholdBotStore.ts"
import { WaitingSettings } from "../threshold-bot/WaitingSettings.ts"

const otherRequest = new ValidationFailure({
  code: "1010",
  message: "idempotency_key: was used for another request; a repeat must be the same request, a new one needs a new key"
})

const deleted = Failed.make({ txHash: null, failure: explain({ _tag: "BotDeleted" }) })
const replaced = Failed.make({ txHash: null, failure: explain({ _tag: "BotReplaced" }) })

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

/** A bot that was set. `isNew`: false when the turn was begun before, with the same terms or the same key. */
export interface Put {
  readonly set: BotSet
  readonly isNew: boolean
}

/** Builds the steps that begin and end turns; each runs in a transaction that has locked the bot. */
const botTurns = (store: ThresholdBotStore["Service"], intents: IntentStore["Service"]) => {
  /** Ends an intent without a planned step. A planned one continues. */
  const withdraw = (intentId: string | null, outcome: Failed) =>
    intentId === null ? Effect.void : Effect.asVoid(intents.finish(intentId, outcome, Option.none(), { step: 0 }))

  /** Commits the intent of the bot's turn: a trade, or to enable an asset first. */
  const accept = (bot: ThresholdBot, key: string | null, enables: Address | null = null) =>
    Effect.gen(function*() {
      const { _tag, id } = yield* intents.acceptInTransaction({
        wallet: bot.wallet,
        keyId: bot.keyId,
        endpoint: "setBot",
        network: bot.network,
        pool: bot.pool,
        request: enables === null ? requestOf(bot) : EnableAssetRequest.make({ asset: enables }),
        // The same turn with the same terms is the same intent, however often it is begun.
        idempotencyKey: key ?? `bot/${bot.id}/${bot.revision}/${bot.turn}`
      })
      if (_tag === "conflict" && key !== null) return yield* otherRequest
      yield* store.recordBegin(bot.id, id)
      return id
    })

  /** Returns the result of an earlier request with the same key. */
  const repeated = (setting: Setting, key: string) =>
    Effect.gen(function*() {
      const request = BotTradeRequest.make({ botId: "", ...setting, paper: null })
      const known = yield* intents.findAccepted({ ...setting, endpoint: "setBot", request, idempotencyKey: key })
      if (Option.isNone(known)) return undefined
      const [found, bots] = yield* Effect.all([
        intents.find(known.value.id),
        store.ofVault(setting.network, setting.pool)
      ])
      const bot = bots.find(({ base, quote }) => base === setting.base && quote === setting.quote)
      const earlier = Option.getOrUndefined(found)?.request
      if (
        bot === undefined || earlier?._tag !== "BotTrade" ||
        !isOf(earlier, ThresholdBot.make({ ...bot, ...setting }))
      ) return yield* otherRequest
      return BotSet.make({ bot, intentId: known.value.id })
    })

  /** Stores the settings of a bot and begins its turn, unless a turn with the same terms is open. */
  const put = (setting: Setting, key: string | null): Effect.Effect<Put, SqlError | ValidationFailure> =>
    Effect.gen(function*() {
      const earlier = key === null ? undefined : yield* repeated(setting, key)
      if (earlier !== undefined) return { set: earlier, isNew: false }
      const bot = yield* store.put(setting)
      const open = bot.openIntent === null ? Option.none() : yield* intents.find(bot.openIntent)
      if (Option.isSome(open) && open.value.outcome === null) {
        const { request, wallet } = open.value
        const same = wallet === bot.wallet && request._tag === "BotTrade" && isOf(request, bot)
        // The same terms while their turn is in progress: returns that turn.
        if (same && key === null) return { set: BotSet.make({ bot, intentId: open.value.id }), isNew: false }
        if (!same) yield* withdraw(open.value.id, replaced)
      }
      return { set: BotSet.make({ bot, intentId: yield* accept(bot, key) }), isNew: true }
    })

  return { accept, put, withdraw }
}

/** The legs of a bot of a vault: at most one bot has them. */
type Legs = Pick<Setting, "network" | "pool" | "base" | "quote">

/** Returns the name of the lock under which a bot is set. */
export const lockOf = ({ base, network, pool, quote }: Legs): string =>
  `threshold_bots/${network}/${pool}/${base}/${quote}`

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

/** Locks a bot's row and returns its wallet; undefined when there is no row. */
const lockOwner = (
  sql: SqlClient.SqlClient,
  setting: Legs
) =>
  Effect.map(
    sql<
      { readonly wallet: Address }
    >`select wallet from threshold_bots where network = ${setting.network} and pool = ${setting.pool}
      and base = ${setting.base} and quote = ${setting.quote} for update`,
    ([row]) => row?.wallet
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
  /** Sets a bot within `locked`. None when `isOwn`, and the bot is not this wallet's. */
  readonly put: (
    setting: Setting,
    key: string | null,
    isOwn: boolean
  ) => Effect.Effect<Option.Option<Put>, SqlError | ValidationFailure>
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
      const { accept, put, withdraw } = botTurns(store, intents)
      const putOwn = (setting: Setting, key: string | null, isOwn: boolean) =>
        isOwn
          ? Effect.flatMap(lockOwner(sql, setting), (owner) =>
            owner === setting.wallet ? Effect.asSome(put(setting, key)) : Effect.succeedNone)
          : Effect.asSome(put(setting, key))

      return {
        locked: (locks, set, longest) => serialize(sql, locks, set, longest),
        put: putOwn,
        set: (setting, key) => serialize(sql, [lockOf(setting)], Effect.map(put(setting, key), ({ set }) => set)),
        setOwn: (setting, key) =>
          Effect.map(serialize(sql, [lockOf(setting)], putOwn(setting, key, true)), Option.map(({ set }) => set)),
        setWaiting: (waitingId, setting, key) =>
          // `take` sees a setting that is made at the same moment.
          serialize(
            sql,
            [lockOf(setting)],
            Effect.gen(function*() {
              const origin = yield* waiting.originOf(waitingId)
              if (!(yield* waiting.take(waitingId, setting))) return Option.none()
              const { set } = yield* put(setting, key)
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
            if (stopping(yield* switches.list, bot) !== null) return Option.none()
            return Option.some(yield* accept(bot, null, mayEnable(bot, enables) ? enables : null))
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
