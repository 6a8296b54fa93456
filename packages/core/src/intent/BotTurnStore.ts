/**
 * The transactions that begin and stop turns of threshold bots. Each locks the bot's row first: once a bot is deleted, stopped or set to
 * other terms, no intent of the old terms is committed, and one that is not planned yet ends.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../chain/Address.ts"
import { ExecutionFailure, ValidationFailure } from "../failure/Failure.ts"
import { KillSwitch, stopping } from "../gas-wallet/KillSwitch.ts"
import { Failed } from "./Intent.ts"
import { IntentStore } from "./IntentStore.ts"
import { BotSet, BotTradeRequest, isOf, requestOf, ThresholdBot } from "../threshold-bot/ThresholdBot.ts"
import { type Setting, ThresholdBotStore } from "../threshold-bot/ThresholdBotStore.ts"
import { WaitingSettings } from "../threshold-bot/WaitingSettings.ts"

const otherRequest = new ValidationFailure({
  code: "1010",
  message: "idempotency_key: was used for another request; a repeat must be the same request, a new one needs a new key"
})

const ended = (why: string) =>
  Failed.make({ txHash: null, failure: new ExecutionFailure({ errorType: "nothing_to_do", message: `${why} before this was planned; nothing was sent.` }) })
const deleted = ended("The bot was deleted")
const replaced = ended("The bot was set to other terms")

/** A refusal as a value: what asks a failing database again does not ask again for a refusal. */
export const refusable = <A, R>(
  set: Effect.Effect<A, SqlError | ValidationFailure, R>
): Effect.Effect<Result.Result<A, ValidationFailure>, SqlError, R> =>
  Effect.matchEffect(set, {
    onFailure: (error): Effect.Effect<Result.Result<A, ValidationFailure>, SqlError> => error._tag === "ValidationFailure" ? Effect.succeed(Result.fail(error)) : Effect.fail(error),
    onSuccess: (value) => Effect.succeed(Result.succeed(value))
  })

export class BotTurnStore extends Context.Service<BotTurnStore, {
  /** Sets a bot and commits the intent of its turn, both or neither. A repeat under the same key changes nothing. */
  readonly set: (setting: Setting, key: string | null) => Effect.Effect<BotSet, SqlError | ValidationFailure>
  /** The same, if the bot is there and this wallet set it; none otherwise. */
  readonly setOwn: (setting: Setting, key: string | null) => Effect.Effect<Option.Option<BotSet>, SqlError | ValidationFailure>
  /** Sets a bot to what waited for a node, once. None when that is gone, or the bot was set since. */
  readonly setWaiting: (waitingId: string, setting: Setting, key: string | null) => Effect.Effect<Option.Option<BotSet>, SqlError | ValidationFailure>
  /** Commits the intent of the bot's next turn. None when the bot is gone, paused, stopped, on hold, or in a turn already. */
  readonly begin: (botId: string) => Effect.Effect<Option.Option<string>, SqlError>
  /** Deletes bots; returns those that were there. An intent of theirs that is not planned yet ends. */
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

      /** Ends an intent that no step is planned of. One that is planned goes on. */
      const withdraw = (intentId: string | null, outcome: Failed) =>
        intentId === null ? Effect.void : Effect.asVoid(intents.finish(intentId, outcome, Option.none(), { step: 0 }))

      const accept = (bot: ThresholdBot, key: string | null) =>
        Effect.gen(function*() {
          const { _tag, id } = yield* intents.acceptInTransaction({
            wallet: bot.wallet,
            keyId: bot.keyId,
            endpoint: "setBot",
            network: bot.network,
            pool: bot.pool,
            request: requestOf(bot),
            // The same turn of the same terms is the same intent, however often it is begun.
            idempotencyKey: key ?? `bot/${bot.id}/${bot.revision}/${bot.turn}`
          })
          if (_tag === "conflict" && key !== null) return yield* otherRequest
          yield* store.began(bot.id, id)
          return id
        })

      /** What an earlier request under the key set. */
      const repeated = (setting: Setting, key: string) =>
        Effect.gen(function*() {
          const request = BotTradeRequest.make({ botId: "", ...setting, paper: null })
          const known = yield* intents.known({ ...setting, endpoint: "setBot", request, idempotencyKey: key })
          if (Option.isNone(known)) return undefined
          const [found, bots] = yield* Effect.all([intents.find(known.value.id), store.ofVault(setting.network, setting.pool)])
          const bot = bots.find(({ base, quote }) => base === setting.base && quote === setting.quote)
          const asked = Option.getOrUndefined(found)?.request
          if (bot === undefined || asked?._tag !== "BotTrade" || !isOf(asked, ThresholdBot.make({ ...bot, ...setting }))) return yield* otherRequest
          return BotSet.make({ bot, intentId: known.value.id })
        })

      const put = (setting: Setting, key: string | null) =>
        Effect.gen(function*() {
          const earlier = key === null ? undefined : yield* repeated(setting, key)
          if (earlier !== undefined) return earlier
          const bot = yield* store.put(setting)
          const open = bot.openIntent === null ? Option.none() : yield* intents.find(bot.openIntent)
          if (Option.isSome(open) && open.value.outcome === null && open.value.request._tag === "BotTrade") {
            const same = open.value.wallet === bot.wallet && isOf(open.value.request, bot)
            // The same terms again while their turn is under way: that turn is the answer.
            if (same && key === null) return BotSet.make({ bot, intentId: open.value.id })
            if (!same) yield* withdraw(open.value.id, replaced)
          }
          return BotSet.make({ bot, intentId: yield* accept(bot, key) })
        })

      /** Has the settings of one bot made one after another, also while it has no row. */
      const inTurn = <A, E, R>({ base, network, pool, quote }: Setting, set: Effect.Effect<A, E, R>) =>
        sql.withTransaction(Effect.andThen(
          sql`select pg_advisory_xact_lock(hashtextextended(${`threshold_bots/${network}/${pool}/${base}/${quote}`}, 0))`,
          set
        ))

      /** Locks a bot's row; none where there is none. */
      const locked = (setting: Pick<Setting, "network" | "pool" | "base" | "quote">) =>
        Effect.map(
          sql<{ readonly wallet: Address }>`select wallet from threshold_bots where network = ${setting.network} and pool = ${setting.pool}
            and base = ${setting.base} and quote = ${setting.quote} for update`,
          ([row]) => row?.wallet
        )

      return {
        set: (setting, key) => inTurn(setting, put(setting, key)),
        setOwn: (setting, key) =>
          inTurn(setting, Effect.flatMap(locked(setting), (owner) =>
            owner === setting.wallet ? Effect.asSome(put(setting, key)) : Effect.succeedNone)),
        setWaiting: (waitingId, setting, key) =>
          // A setting that is made at the same moment is seen by `take`.
          inTurn(setting, Effect.flatMap(waiting.take(waitingId, setting), (first) =>
            first ? Effect.asSome(put(setting, key)) : Effect.succeedNone)),
        begin: (botId) =>
          sql.withTransaction(Effect.gen(function*() {
            yield* sql`select 1 from threshold_bots where id = ${botId} for update`
            const bot = Option.getOrUndefined(yield* store.find(botId))
            if (bot === undefined || !bot.active || bot.side === "hold" || bot.openIntent !== null) return Option.none()
            if (stopping(yield* switches.list, bot) !== null) return Option.none()
            return Option.some(yield* accept(bot, null))
          })).pipe(Effect.catchTag("ValidationFailure", Effect.die)),
        remove: (ids) =>
          ids.length === 0 ? Effect.succeed([]) : sql.withTransaction(Effect.gen(function*() {
            const gone = yield* store.remove(ids)
            yield* Effect.forEach(gone, ({ openIntent }) => withdraw(openIntent, deleted), { discard: true })
            return gone
          }))
      }
    })
  )
}
