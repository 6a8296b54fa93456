/**
 * The transactions that set and delete strategy bots, commit their candles and decisions, and begin and end their trades.
 * Each locks the bot's row first. A decision is committed with its candle, and a trade with its intent.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { explain } from "../failure/Explanation.ts"
import { KillSwitch, stopping } from "../gas-wallet/KillSwitch.ts"
import type { Json } from "../strategy/Strategy.ts"
import {
  Balances,
  breaker,
  type StrategyBot,
  type StrategyDecisionRow,
  StrategyTerms,
  StrategyTrade,
  tradeKey
} from "../strategy/StrategyBot.ts"
import { columnsOf, decisionsOf, decodeBots } from "../strategy/StrategyBotStore.ts"
import { CandleRow } from "../strategy/StrategyCandle.ts"
import type { StrategyFailureCode } from "../strategy/StrategyFailure.ts"
import * as Uuid from "../storage/Uuid.ts"
import { Failed, type IntentRequest, type Outcome } from "./Intent.ts"
import { IntentStore } from "./IntentStore.ts"
import { endTextOf } from "./SliceOutcome.ts"

/** A bot to set: a vault has one of each strategy. */
export type NewStrategyBot = Pick<
  StrategyBot,
  "network" | "pool" | "strategy" | "digest" | "wallet" | "keyId" | "terms" | "mode"
>

/** The result of a closed candle. */
export interface NewDecision {
  readonly closed: CandleRow
  readonly open: CandleRow
  readonly decision: Json
  readonly reason: string
  readonly trades: ReadonlyArray<StrategyTrade>
  /** Undefined: the memory is kept. */
  readonly memory: Json | undefined
  /** Holdings of a bot on paper afterwards; null for a live bot. */
  readonly balances: Readonly<Record<string, bigint>> | null
  /** Why the bot pauses itself, after a failure of its strategy. */
  readonly paused: StrategyFailureCode | null
  readonly seconds: number
}

const encodeTerms = Schema.encodeSync(Schema.fromJsonString(StrategyTerms))
const encodeTrades = Schema.encodeSync(Schema.fromJsonString(Schema.Array(StrategyTrade)))
const encodeCandle = Schema.encodeSync(Schema.fromJsonString(CandleRow))
const encodeBalances = Schema.encodeSync(Schema.fromJsonString(Balances))

/** Candles that are kept of a bot. */
const keptCandles = 1_100
/** Decisions that are kept of a bot; those with trades that were sent stay. */
const keptDecisions = 500

const changeOf = (
  action: "bot.set" | "bot.paused",
  { id, mode, network, pool, strategy, wallet }: StrategyBot,
  details: Audit.Change["details"] = {}
): Audit.Change => ({
  action,
  subject: id,
  wallet,
  details: { bot: "strategy", network, pool, strategy, paper: mode === "paper", ...details }
})

const makeRows = (sql: SqlClient.SqlClient) => {
  const columns = columnsOf(sql)
  return {
    columns,
    lock: (id: string) =>
      Effect.map(
        decodeBots(sql`select ${columns} from strategy_bots where id = ${id} for update`),
        ([bot]) => bot
      ),
    tell: (botId: string, kind: "set" | "paused" | "deleted", reason: string) =>
      sql`insert into strategy_events ${sql.insert({ bot_id: botId, kind, reason })}`
  }
}
type Rows = ReturnType<typeof makeRows>

/** Builds the end of a bot, in a transaction: a trade that is not planned yet never is. */
const makeEnd =
  (sql: SqlClient.SqlClient, intents: IntentStore["Service"], { columns, tell }: Rows) =>
  (bot: StrategyBot, reason: string) =>
    Effect.gen(function*() {
      if (bot.openIntent !== null) {
        const failure = explain({ _tag: "StrategyBotDeleted" })
        yield* intents.withdraw(bot.openIntent, Failed.make({ txHash: null, failure }))
      }
      yield* sql`update strategy_decisions set state = 'failed' where bot_id = ${bot.id} and state = 'trading'`
      const [ended] = yield* decodeBots(sql`update strategy_bots set ended_at = now(), open_intent = null,
        reason = ${reason}, updated_at = now() where id = ${bot.id} returning ${columns}`)
      yield* tell(bot.id, "deleted", reason)
      return ended ?? bot
    })

const makeSet = (sql: SqlClient.SqlClient, intents: IntentStore["Service"], rows: Rows) => (bot: NewStrategyBot) =>
  Audit.transaction(
    sql,
    Effect.gen(function*() {
      const { digest, keyId, mode, network, pool, strategy, terms, wallet } = bot
      const [before] = yield* decodeBots(sql`select ${rows.columns} from strategy_bots where network = ${network}
        and pool = ${pool} and strategy = ${strategy} and ended_at is null for update`)
      if (before !== undefined) yield* makeEnd(sql, intents, rows)(before, "It was set again.")
      const [set] = yield* decodeBots(
        sql`insert into strategy_bots (id, network, pool, strategy, digest, wallet, key_id,
          terms, mode, reason)
        values (${yield* Uuid.v7}, ${network}, ${pool}, ${strategy}, ${digest}, ${wallet}, ${keyId},
          ${encodeTerms(terms)}::jsonb, ${mode}, 'It was set.') returning ${rows.columns}`
      )
      if (set === undefined) return yield* Effect.die(new Error("a strategy bot that was set has no row"))
      const same = ({ assets, length, quote }: StrategyTerms) =>
        JSON.stringify([[...assets, quote].map(({ address }) => address), length.unit, length.size])
      if (before !== undefined && same(before.terms) === same(terms)) {
        yield* sql`insert into strategy_candles (bot_id, bucket, candle)
          select ${set.id}, bucket, candle from strategy_candles where bot_id = ${before.id}`
      }
      yield* rows.tell(set.id, "set", "It was set.")
      yield* Audit.append(
        sql,
        changeOf("bot.set", set, { digest, assets: terms.assets.map(({ symbol }) => symbol), inputs: terms.inputs })
      )
      return set
    })
  )

const makeRemove = (sql: SqlClient.SqlClient, intents: IntentStore["Service"], rows: Rows) => (id: string) =>
  Audit.transaction(
    sql,
    Effect.gen(function*(): Effect.fn.Return<Option.Option<StrategyBot>, SqlError> {
      const bot = yield* rows.lock(id)
      if (bot === undefined || bot.endedAt !== null) return Option.none()
      const ended = yield* makeEnd(sql, intents, rows)(bot, "It was deleted.")
      yield* Audit.append(sql, changeOf("bot.paused", bot, { deleted: true }))
      return Option.some(ended)
    })
  )

/** Builds the storage of a reading after which no candle has closed. */
const makeRecord =
  (sql: SqlClient.SqlClient) => (bot: StrategyBot, open: CandleRow | null, reason: string | null, seconds: number) =>
    Effect.asVoid(
      sql`update strategy_bots set candle = coalesce(${open === null ? null : encodeCandle(open)}::jsonb, candle),
        reason = coalesce(${reason}, reason), checked_at = now(), next_check = now() + make_interval(secs => ${seconds})
      where id = ${bot.id} and ended_at is null and decision = ${bot.decision}
        and candle is not distinct from ${bot.candle === null ? null : encodeCandle(bot.candle)}::jsonb`
    )

/** Builds the storage of a closed candle and of what was decided at it; false when the bot has changed meanwhile. */
const makeDecide = (sql: SqlClient.SqlClient, { lock, tell }: Rows) => (read: StrategyBot, made: NewDecision) =>
  Audit.transaction(
    sql,
    Effect.gen(function*() {
      const bot = yield* lock(read.id)
      const isCurrent = bot !== undefined && bot.endedAt === null && bot.openIntent === read.openIntent &&
        bot.decision === read.decision && bot.candle?.bucket === made.closed.bucket
      if (!isCurrent) return false
      const { balances, closed, decision, memory, open, paused, reason, seconds, trades } = made
      yield* sql`insert into strategy_candles (bot_id, bucket, candle)
        values (${bot.id}, ${closed.bucket}, ${encodeCandle(closed)}::jsonb) on conflict do nothing`
      yield* sql`delete from strategy_candles where bot_id = ${bot.id} and bucket < (select bucket from strategy_candles
        where bot_id = ${bot.id} order by bucket desc offset ${keptCandles} limit 1)`
      // A decision that still waits for its market is over: the next one knows more.
      yield* sql`update strategy_decisions set state = 'failed' where bot_id = ${bot.id} and state = 'trading'
        and ${bot.openIntent === null}`
      yield* sql`insert into strategy_decisions (bot_id, number, bucket, decision, reason, trades, state)
        values (${bot.id}, ${bot.decision}, ${closed.bucket}, ${JSON.stringify(decision)}::jsonb, ${reason},
          ${encodeTrades(trades)}::jsonb,
          ${paused !== null ? "failed" : trades.some(({ state }) => state === "planned") ? "trading" : "done"})`
      yield* sql`delete from strategy_decisions where bot_id = ${bot.id} and number < ${bot.decision - keptDecisions}
        and not exists (select 1 from jsonb_array_elements(trades) t where t ->> 'intentId' is not null)`
      yield* sql`update strategy_bots set decision = decision + 1, candle = ${encodeCandle(open)}::jsonb,
          memory = coalesce(${memory === undefined ? null : JSON.stringify(memory)}::jsonb, memory),
          balances = coalesce(${balances === null ? null : encodeBalances(balances)}::jsonb, balances),
          paused_code = ${paused}, reason = ${reason}, checked_at = now(), updated_at = now(),
          next_check = now() + make_interval(secs => ${seconds})
        where id = ${bot.id}`
      if (paused !== null) {
        yield* tell(bot.id, "paused", reason)
        yield* Audit.append(sql, changeOf("bot.paused", bot, { code: paused }))
      }
      return true
    })
  )

/** Builds the beginning of a trade: its intent and its place in the decision, both or neither. */
const makeBegin =
  (sql: SqlClient.SqlClient, intents: IntentStore["Service"], switches: KillSwitch["Service"], { lock }: Rows) =>
  (read: StrategyBot, row: StrategyDecisionRow, place: number, request: IntentRequest) =>
    sql.withTransaction(Effect.gen(function*(): Effect.fn.Return<Option.Option<string>, SqlError> {
      const bot = yield* lock(read.id)
      if (bot === undefined || bot.endedAt !== null || bot.openIntent !== null) return Option.none()
      if (bot.pausedCode !== null || bot.mode !== "live" || bot.decision !== read.decision) return Option.none()
      if (stopping(yield* switches.list, bot) !== null) return Option.none()
      const [current] = yield* decisionsOf(sql, bot.id, 1)
      const isPlanned = current?.number === row.number && current.state === "trading" &&
        current.trades[place]?.state === "planned"
      if (!isPlanned) return Option.none()
      const { keyId, network, pool, wallet } = bot
      const { _tag, id } = yield* intents.acceptInTransaction({
        ...{ wallet, keyId, endpoint: "setStrategyBot", network, pool, request },
        idempotencyKey: tradeKey(bot.id, row.bucket, place)
      })
      if (_tag !== "accepted") return yield* Effect.die(new Error(`trade ${place} of bot ${bot.id} has an intent`))
      const trades = current.trades.map((trade, index) =>
        index === place ? { ...trade, state: "in_progress" as const, intentId: id } : trade
      )
      yield* sql`update strategy_decisions set trades = ${encodeTrades(trades)}::jsonb
        where bot_id = ${bot.id} and number = ${row.number}`
      yield* sql`update strategy_bots set open_intent = ${id}, updated_at = now() where id = ${bot.id}`
      return Option.some(id)
    }))

/** How a trade ended. `counts`: a failure of the trade itself, and not of what it waited for. */
interface TradeEnd extends Pick<StrategyTrade, "state" | "txHash" | "message"> {
  readonly counts: boolean
}

/** Builds the end of a trade, in a transaction: the next one follows a success, none follows a failure. */
const makeSettle =
  (sql: SqlClient.SqlClient, { tell }: Rows) =>
  (bot: StrategyBot, row: StrategyDecisionRow, place: number, end: TradeEnd) =>
    Effect.gen(function*() {
      const { counts, message, state, txHash } = end
      const isOver = state === "failed"
      const trades = row.trades.map((trade, index) =>
        index === place
          ? { ...trade, state, txHash, message }
          : isOver && trade.state === "planned"
          ? { ...trade, state: "skipped" as const, message: "A trade before it failed." }
          : trade
      )
      const isDone = trades.every((trade) => trade.state !== "planned")
      const failures = isOver ? bot.failures + (counts ? 1 : 0) : isDone ? 0 : bot.failures
      const paused = failures >= breaker ? "trades_failed" : null
      const reason = paused === null
        ? message ?? ""
        : `${failures} decisions in a row failed, the last one with: ${message ?? ""}`
      yield* sql`update strategy_decisions set trades = ${encodeTrades(trades)}::jsonb,
          state = ${isOver ? "failed" : isDone ? "done" : "trading"}
        where bot_id = ${bot.id} and number = ${row.number} and state <> 'failed'`
      yield* sql`update strategy_bots set open_intent = null, failures = ${failures}, reason = ${reason},
          paused_code = coalesce(paused_code, ${paused}), updated_at = now(), next_check = now()
        where id = ${bot.id}`
      if (paused !== null && bot.pausedCode === null) {
        yield* tell(bot.id, "paused", reason)
        yield* Audit.append(sql, changeOf("bot.paused", bot, { code: paused }))
      }
    })

const makeEndTrade = (sql: SqlClient.SqlClient, rows: Rows) => (botId: string, intentId: string, outcome: Outcome) =>
  Audit.transaction(
    sql,
    Effect.gen(function*() {
      const bot = yield* rows.lock(botId)
      if (bot?.openIntent !== intentId) return
      // A candle may have closed since: its decision then waited for this trade.
      const row = (yield* decisionsOf(sql, botId, 20)).find(({ trades }) =>
        trades.some((trade) => trade.intentId === intentId)
      )
      if (row === undefined) return yield* Effect.die(new Error(`intent ${intentId} is of no decision of its bot`))
      const { counts, message, succeeded, txHash } = endTextOf(outcome)
      const place = row.trades.findIndex((trade) => trade.intentId === intentId)
      yield* makeSettle(sql, rows)(bot, row, place, {
        ...{ state: succeeded ? "succeeded" : "failed", txHash, message, counts }
      })
    })
  )

const makeGiveUp =
  (sql: SqlClient.SqlClient, rows: Rows) =>
  (read: StrategyBot, row: StrategyDecisionRow, place: number, reason: string) =>
    Audit.transaction(
      sql,
      Effect.gen(function*() {
        const bot = yield* rows.lock(read.id)
        const [current] = yield* decisionsOf(sql, read.id, 1)
        if (bot === undefined || bot.endedAt !== null || bot.openIntent !== null) return
        if (current?.number !== row.number || current.trades[place]?.state !== "planned") return
        yield* makeSettle(sql, rows)(bot, current, place, {
          ...{ state: "failed", txHash: null, message: reason, counts: false }
        })
      })
    )

export class StrategyTradeStore extends Context.Service<StrategyTradeStore, {
  /**
   * Sets the vault's bot of a strategy. One that exists ends; the new one begins without its memory, and has its candles
   * when assets and length are the same.
   */
  readonly set: (bot: NewStrategyBot) => Effect.Effect<StrategyBot, SqlError>
  /** Ends a bot; a trade in progress ends as its intent does. */
  readonly remove: (id: string) => Effect.Effect<Option.Option<StrategyBot>, SqlError>
  /** Stores a reading; a bot that has changed since it was read is left alone. */
  readonly record: (
    bot: StrategyBot,
    open: CandleRow | null,
    reason: string | null,
    seconds: number
  ) => Effect.Effect<void, SqlError>
  /** Commits a closed candle with the decision that was made at it, or with the failure that pauses the bot. */
  readonly decide: (bot: StrategyBot, made: NewDecision) => Effect.Effect<boolean, SqlError>
  /** Begins a trade of the newest decision: commits it and its intent; none when it must not begin now. */
  readonly begin: (
    bot: StrategyBot,
    row: StrategyDecisionRow,
    place: number,
    request: IntentRequest
  ) => Effect.Effect<Option.Option<string>, SqlError>
  /** Ends the trade of an intent, once. */
  readonly endTrade: (botId: string, intentId: string, outcome: Outcome) => Effect.Effect<void, SqlError>
  /** Ends a decision whose next trade cannot begin. */
  readonly giveUp: (
    bot: StrategyBot,
    row: StrategyDecisionRow,
    place: number,
    reason: string
  ) => Effect.Effect<void, SqlError>
  /** Returns what stops a bot: the reason, or null. */
  readonly stoppedBy: (bot: {
    readonly network: Network
    readonly pool: Address
    readonly wallet: Address
  }) => Effect.Effect<string | null, SqlError>
}>()("vault-trader/core/intent/StrategyTradeStore") {
  static readonly layer = Layer.effect(
    StrategyTradeStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const intents = yield* IntentStore
      const switches = yield* KillSwitch
      const rows = makeRows(sql)
      return {
        set: makeSet(sql, intents, rows),
        remove: makeRemove(sql, intents, rows),
        record: makeRecord(sql),
        decide: makeDecide(sql, rows),
        begin: makeBegin(sql, intents, switches, rows),
        endTrade: makeEndTrade(sql, rows),
        giveUp: makeGiveUp(sql, rows),
        stoppedBy: (bot) => Effect.map(switches.list, (on) => stopping(on, bot))
      }
    })
  )
}
