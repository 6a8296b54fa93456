/**
 * The steps that begin and end turns of threshold bots. Each runs in a transaction that has locked its bots. Several bots
 * are set in the statements of one.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Address } from "../chain/Address.ts"
import { explain } from "../failure/Explanation.ts"
import { ValidationFailure } from "../failure/Failure.ts"
import { EnableAssetRequest } from "../trading/AssetChange.ts"
import { BotSet, BotTradeRequest, isOf, requestOf, ThresholdBot } from "../threshold-bot/ThresholdBot.ts"
import type { Setting, SettingOf } from "../threshold-bot/SettingRows.ts"
import type { ThresholdBotStore } from "../threshold-bot/ThresholdBotStore.ts"
import { Failed, type Intent } from "./Intent.ts"
import type { IntentStore } from "./IntentStore.ts"

/** A bot to set. `isOwn`: only if its row is still this wallet's. */
export interface ToSet extends SettingOf {
  readonly key: string | null
  readonly isOwn: boolean
}

/** A bot that was set. `isNew`: false when the turn was begun before, with the same terms or the same key. */
export interface Put {
  readonly set: BotSet
  readonly isNew: boolean
}

/** The intent of a bot's turn to commit. `enables`: the asset that the turn enables instead of a trade. */
interface Turn {
  readonly bot: ThresholdBot
  readonly key: string | null
  readonly enables?: Address | null
}

const otherRequest = new ValidationFailure({
  code: "1010",
  message: "idempotency_key: was used for another request; a repeat must be the same request, a new one needs a new key"
})

const replaced = Failed.make({ txHash: null, failure: explain({ _tag: "BotReplaced" }) })

/** The legs of a bot of a vault: at most one bot has them. */
export type Legs = Pick<Setting, "network" | "pool" | "base" | "quote">

/** Returns the name of the lock under which a bot is set. */
export const lockOf = ({ base, network, pool, quote }: Legs): string =>
  `threshold_bots/${network}/${pool}/${base}/${quote}`

/** Splits bots to set into rounds, in which no two are the same bot. The settings of one bot keep their order. */
const roundsOf = (all: ReadonlyArray<ToSet>): ReadonlyArray<Arr.NonEmptyArray<number>> => {
  const rounds: Array<Arr.NonEmptyArray<number>> = []
  const nextOf = new Map<string, number>()
  for (const [index, { setting }] of all.entries()) {
    const lock = lockOf(setting)
    const next = nextOf.get(lock) ?? 0
    nextOf.set(lock, next + 1)
    const round = rounds[next]
    if (round === undefined) rounds.push([index])
    else round.push(index)
  }
  return rounds
}

/** Locks the rows of bots, in one order, and returns the wallet of each; undefined where there is no row. */
const lockOwners = (sql: SqlClient.SqlClient, settings: ReadonlyArray<Setting>) =>
  settings.length === 0
    ? Effect.succeed(new Map<string, Address>())
    : Effect.map(
      sql<Legs & { readonly wallet: Address }>`select b.network, b.pool, b.base, b.quote, b.wallet from threshold_bots b
        join jsonb_to_recordset(${
        JSON.stringify(settings.map(({ base, network, pool, quote }) => ({ network, pool, base, quote })))
      }::jsonb) as k(network text, pool text, base text, quote text)
          on b.network = k.network and b.pool = k.pool and b.base = k.base and b.quote = k.quote
        order by b.id for update of b`,
      (rows) => new Map(rows.map((row) => [lockOf(row), row.wallet]))
    )

/** The stores that the steps write to. */
interface Stores {
  readonly store: ThresholdBotStore["Service"]
  readonly intents: IntentStore["Service"]
}

/** Ends an intent without a planned step. A planned one continues. */
const withdraw = ({ intents }: Pick<Stores, "intents">) => (intentId: string | null, outcome: Failed) =>
  intentId === null ? Effect.void : intents.withdraw(intentId, outcome)

/** Commits the intents of bots' turns, and returns their ids. */
const acceptAll =
  ({ intents, store }: Stores) =>
  (turns: ReadonlyArray<Turn>): Effect.Effect<ReadonlyArray<string>, SqlError | ValidationFailure> =>
    Effect.gen(function*() {
      const accepted = yield* intents.acceptAllInTransaction(turns.map(({ bot, enables = null, key }) => ({
        wallet: bot.wallet,
        keyId: bot.keyId,
        endpoint: "setBot",
        network: bot.network,
        pool: bot.pool,
        request: enables === null ? requestOf(bot) : EnableAssetRequest.make({ asset: enables }),
        // The same turn with the same terms is the same intent, however often it is begun.
        idempotencyKey: key ?? `bot/${bot.id}/${bot.revision}/${bot.turn}`
      })))
      if (accepted.some(({ _tag }, index) => _tag === "conflict" && turns[index]?.key !== null)) {
        return yield* otherRequest
      }
      yield* store.recordBegins(Arr.zipWith(turns, accepted, ({ bot }, { id }) => ({ id: bot.id, intent: id })))
      return accepted.map(({ id }) => id)
    })

/** Returns the result of an earlier request with the same key; none without one. */
const repeated = ({ intents, store }: Stores) => (setting: Setting, key: string | null) =>
  Effect.gen(function*() {
    if (key === null) return Option.none<BotSet>()
    const request = BotTradeRequest.make({ botId: "", ...setting, paper: null })
    const known = yield* intents.findAccepted({ ...setting, endpoint: "setBot", request, idempotencyKey: key })
    if (Option.isNone(known)) return Option.none<BotSet>()
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
    return Option.some(BotSet.make({ bot, intentId: known.value.id }))
  })

/** Returns the result for a bot whose turn with the same terms is in progress; ends its turn with other terms. */
const inProgress = (stores: Stores) => (bot: ThresholdBot, key: string | null, open: Intent | undefined) =>
  Effect.gen(function*() {
    if (open === undefined || open.outcome !== null) return Option.none<Put>()
    const { id, request, wallet } = open
    const isSame = wallet === bot.wallet && request._tag === "BotTrade" && isOf(request, bot)
    if (isSame && key === null) return Option.some<Put>({ set: BotSet.make({ bot, intentId: id }), isNew: false })
    if (!isSame) yield* withdraw(stores)(id, replaced)
    return Option.none<Put>()
  })

/** Stores the settings of different bots and begins their turns, unless a turn with the same terms is open. */
const putNow =
  (stores: Stores) => (all: ReadonlyArray<ToSet>): Effect.Effect<ReadonlyArray<Put>, SqlError | ValidationFailure> =>
    Effect.gen(function*() {
      if (!Arr.isReadonlyArrayNonEmpty(all)) return []
      const bots = yield* stores.store.putAll(all)
      const open = yield* stores.intents.findAll(bots.flatMap(({ openIntent }) => openIntent ?? []))
      const going = yield* Effect.forEach(
        bots,
        (bot, index) => inProgress(stores)(bot, all[index]?.key ?? null, open.find(({ id }) => id === bot.openIntent))
      )
      const begun = bots.flatMap((bot, index) =>
        Option.isSome(going[index]!) ? [] : [{ bot, key: all[index]?.key ?? null }]
      )
      const ids = begun.length === 0 ? [] : yield* acceptAll(stores)(begun)
      const idOf = new Map(Arr.zipWith(begun, ids, ({ bot }, intentId) => [bot.id, intentId] as const))
      return bots.map((bot, index) =>
        Option.getOrElse(going[index]!, () => ({
          set: BotSet.make({ bot, intentId: idOf.get(bot.id)! }),
          isNew: true
        }))
      )
    })

/** Sets different bots; see `putAll`. */
const putRound = (sql: SqlClient.SqlClient, stores: Stores) => (all: ReadonlyArray<ToSet>) =>
  Effect.gen(function*() {
    const owners = yield* lockOwners(sql, all.flatMap(({ isOwn, setting }) => isOwn ? [setting] : []))
    const isMoved = ({ isOwn, setting }: ToSet) => isOwn && owners.get(lockOf(setting)) !== setting.wallet
    const earlier = yield* Effect.forEach(all, (each) =>
      isMoved(each) ? Effect.succeed(Option.none<BotSet>()) : repeated(stores)(each.setting, each.key))
    const isPut = all.map((each, index) =>
      !isMoved(each) && Option.isNone(earlier[index]!)
    )
    const puts = yield* putNow(stores)(all.filter((_, index) => isPut[index]))
    let next = 0
    return all.map((_, index): Option.Option<Put> =>
      isPut[index] === true
        ? Option.some(puts[next++]!)
        : Option.map(earlier[index]!, (set) => ({ set, isNew: false }))
    )
  })

/** Builds the steps. */
export const make = (
  sql: SqlClient.SqlClient,
  store: ThresholdBotStore["Service"],
  intents: IntentStore["Service"]
) => {
  const stores = { store, intents }
  /** Commits the intent of one bot's turn. */
  const accept = (bot: ThresholdBot, enables: Address | null) =>
    Effect.map(acceptAll(stores)([{ bot, key: null, enables }]), ([id]) => id!)

  /**
   * Sets bots, in this order where they are the same one, and begins their turns. None where it `isOwn` and the bot is not
   * this wallet's: then nothing of that bot is changed.
   */
  const putAll = (all: ReadonlyArray<ToSet>) =>
    Effect.gen(function*() {
      const results: Array<Option.Option<Put>> = all.map(() => Option.none())
      for (const round of roundsOf(all)) {
        const puts = yield* putRound(sql, stores)(Arr.map(round, (index) => all[index]!))
        round.forEach((index, at) => {
          results[index] = puts[at]!
        })
      }
      return results
    })

  return { accept, putAll, withdraw: withdraw(stores) }
}
