/** Stores threshold bots: their settings, current turns and last decisions. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { unlessThresholdBotStopped } from "../gas-wallet/KillSwitch.ts"
import * as TogetherRead from "../storage/TogetherRead.ts"
import * as Uuid from "../storage/Uuid.ts"
import { changeOf, columnsOf, decodeRows } from "./BotRows.ts"
import * as SettingRows from "./SettingRows.ts"
import type { Setting, SettingOf } from "./SettingRows.ts"
import { BotTradeRequest, breaker, LastDecision, PaperHoldings, type ThresholdBot } from "./ThresholdBot.ts"

/** The end of a turn. */
export interface Ended {
  readonly intentId: string
  readonly decision: LastDecision
  /** A failed turn counts against the bot, unless the cause is not the bot's. */
  readonly counts: "succeeded" | "failed" | "neither"
  /** The new paper holdings; null: unchanged. */
  readonly paperHoldings: PaperHoldings | null
  /** Seconds from the start of the turn to the bot's next check. */
  readonly restSeconds: number
}

/** The watch's decision on a bot that needs no turn. */
export interface DecisionNote {
  readonly id: string
  readonly decision: LastDecision
}

/** A trade that a bot made: its turn's request, and the value sold in USD. */
const MadeTrade = Schema.Struct({ request: BotTradeRequest, sold: Schema.BigDecimalFromString })
export type MadeTrade = typeof MadeTrade.Type

const decodeTrades = Schema.decodeUnknownEffect(Schema.Array(MadeTrade))
const encodeDecision = Schema.encodeSync(Schema.fromJsonString(LastDecision))
const encodeHoldings = Schema.encodeSync(Schema.fromJsonString(PaperHoldings))

/** The row of a bot whose turn ended, and whether that paused it. */
interface Paused extends Pick<ThresholdBot, "id" | "wallet" | "network" | "pool" | "pair" | "pausedReason"> {
  readonly paused: boolean
}

interface VaultKey {
  readonly network: Network
  readonly pool: Address
}

/** Builds the read of a vault's bots, which a burst of alerts makes for many vaults at once. */
const botsOfVault = (sql: SqlClient.SqlClient) => {
  const columns = columnsOf(sql)
  return TogetherRead.make<VaultKey, VaultKey>(sql, {
    read: (vaults) =>
      sql<VaultKey>`select ${columns} from threshold_bots where (network, pool) in (select k.network, k.pool
        from jsonb_to_recordset(${JSON.stringify(vaults)}::jsonb) as k(network text, pool text)) order by id`,
    isOf: ({ network, pool }) => (bot) => bot.network === network && bot.pool === pool
  })
}

/** Builds the read of a bot, which turns of many bots make at once. */
const botOfId = (sql: SqlClient.SqlClient) =>
  TogetherRead.make<string, Pick<ThresholdBot, "id">>(sql, {
    read: (ids) =>
      sql<
        Pick<ThresholdBot, "id">
      >`select ${columnsOf(sql)} from threshold_bots where ${TogetherRead.isOneOf(sql, "id", ids)}`,
    isOf: (id) => (bot) => bot.id === id
  })

const botRows = (sql: SqlClient.SqlClient): Pick<ThresholdBotStore["Service"], "ofWallets" | "remove"> => {
  const columns = columnsOf(sql)
  return {
    ofWallets: (wallets) =>
      wallets.length === 0
        ? Effect.succeed([])
        : decodeRows(
          sql`select ${columns} from threshold_bots where wallet in ${sql.in(wallets)} order by id limit 1000`
        ),
    remove: (ids) =>
      ids.length === 0
        ? Effect.succeed([])
        : Audit.recorded(
          sql,
          decodeRows(sql`delete from threshold_bots where id in ${sql.in(ids)} returning ${columns}`),
          (bots) => bots.map((bot) => changeOf("bot.deleted", bot))
        )
  }
}

const botTurns = (
  sql: SqlClient.SqlClient
): Pick<
  ThresholdBotStore["Service"],
  "recordBegins" | "tradesJustBefore" | "recordEnd" | "recordDecisions" | "due"
> => ({
  recordBegins: (begun) =>
    begun.length === 0
      ? Effect.void
      : Effect.asVoid(sql`update threshold_bots b set open_intent = v.intent, updated_at = now()
          from jsonb_to_recordset(${JSON.stringify(begun)}::jsonb) as v(id uuid, intent uuid) where b.id = v.id`),
  tradesJustBefore: (intentId, seconds) =>
    Effect.flatMap(
      // Ids are time-ordered: reads at most one day of the wallet's intents on the vault.
      sql`select i.request, coalesce(i.outcome #>> '{result,sold_usd}',
          i.outcome #>> '{result,oracle,sold_usd}', '0') as sold
        from intents i join intents me on me.id = ${intentId}
        where i.wallet = me.wallet and i.pool = me.pool and i.network = me.network and i.id > ${
        Uuid.dayBefore(intentId)
      }::uuid and i.id <> me.id
          and i.endpoint = 'setBot' and i.request ->> 'botId' = me.request ->> 'botId'
          and i.status = 'succeeded' and i.outcome -> 'result' ->> 'action' = 'trade'
          -- A trade that waited longer than that counts from its execution.
          and (case when i.updated_at - i.created_at > make_interval(secs => ${seconds}) then i.updated_at
          else i.created_at end)
            > me.created_at - make_interval(secs => ${seconds})
        order by i.id desc`,
      (rows) => Effect.orDie(decodeTrades(rows))
    ),
  recordEnd: (id, { counts, decision, intentId, paperHoldings, restSeconds }) => {
    const ended = sql<Paused>`update threshold_bots set open_intent = null, last_intent = ${intentId}, turn = turn + 1,
        last_decision = ${encodeDecision(decision)}::jsonb,
        paper_holdings = coalesce(${
      paperHoldings === null ? null : encodeHoldings(paperHoldings)
    }::jsonb, paper_holdings),
        failures = case ${counts} when 'succeeded' then 0 when 'failed' then failures + 1 else failures end,
        active = active and not (${counts} = 'failed' and failures + 1 >= ${breaker}),
        paused_reason = case when ${counts} = 'failed' and failures + 1 >= ${breaker}
          then ${`It failed ${breaker} times in a row; set it again to resume it. Last failure: `}::text
          || ${decision.reason}::text else paused_reason end,
        -- Each failure in a row doubles the wait.
        next_check = case when ${counts} <> 'succeeded' then now() + interval '15 seconds' * power(2,
        least(failures, 6))
          else greatest(now(), (select created_at from intents
          where id = ${intentId}::uuid) + make_interval(secs => ${restSeconds})) end,
        updated_at = now()
      where id = ${id} and open_intent = ${intentId}::uuid returning id, wallet, network, pool, pair,
        paused_reason as "pausedReason",
        (select b.active from threshold_bots b where b.id = threshold_bots.id) and not active as paused`
    // Only a failure can pause a bot: other turns have nothing to record.
    return counts !== "failed" ?
      Effect.asVoid(ended) :
      Effect.asVoid(
        Audit.recorded(
          sql,
          ended,
          (rows) =>
            rows.filter(({ paused }) => paused).map((row) => changeOf("bot.paused", row, { reason: row.pausedReason }))
        )
      )
  },
  recordDecisions: (notes) =>
    notes.length === 0 ? Effect.void : Effect.asVoid(sql`update threshold_bots b set last_decision = v.decision
      from jsonb_to_recordset(${
      JSON.stringify(notes.map(({ decision, id }) => ({ id, decision })))
    }::jsonb) as v(id uuid, decision jsonb)
      where b.id = v.id and b.open_intent is null`),
  due: (network, shard, shards, { after, size }) =>
    decodeRows(
      sql`select ${columnsOf(sql)} from threshold_bots
        where network = ${network} and active and side <> 'hold' and next_check <= now()
      and ${unlessThresholdBotStopped(sql, "threshold_bots")}
      and abs(hashtext(pool) % ${shards}) = ${shard} and (open_intent is null
      or updated_at < now() - interval '10 seconds')
      and id > ${after ?? Uuid.nil}::uuid order by id limit ${size}`
    )
})

export class ThresholdBotStore extends Context.Service<ThresholdBotStore, {
  /**
   * Sets the bot of a vault and pair, replacing earlier settings; it becomes active, and its failure count is reset.
   */
  readonly put: (setting: Setting) => Effect.Effect<ThresholdBot, SqlError>
  /** Does the same for several bots, each for its own caller. No two of them are the same bot. */
  readonly putAll: (
    settings: Arr.NonEmptyReadonlyArray<SettingOf>
  ) => Effect.Effect<ReadonlyArray<ThresholdBot>, SqlError>
  readonly find: (id: string) => Effect.Effect<Option.Option<ThresholdBot>, SqlError>
  readonly ofVault: (network: Network, pool: Address) => Effect.Effect<ReadonlyArray<ThresholdBot>, SqlError>
  /** Lists the bots of these wallets, at most a thousand. */
  readonly ofWallets: (wallets: ReadonlyArray<Address>) => Effect.Effect<ReadonlyArray<ThresholdBot>, SqlError>
  /** Deletes bots and returns those that existed. */
  readonly remove: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ThresholdBot>, SqlError>
  /** Stores the intents of bots' turns. */
  readonly recordBegins: (
    begun: ReadonlyArray<{ readonly id: string; readonly intent: string }>
  ) => Effect.Effect<void, SqlError>
  /** Returns the bot's trades within `seconds` before this intent, the newest first. */
  readonly tradesJustBefore: (
    intentId: string,
    seconds: number
  ) => Effect.Effect<ReadonlyArray<MadeTrade>, SqlError>
  /** Ends the bot's turn, once; the last of too many failures pauses it. */
  readonly recordEnd: (id: string, how: Ended) => Effect.Effect<void, SqlError>
  /** Stores the watch's decisions on bots without an open turn. */
  readonly recordDecisions: (notes: ReadonlyArray<DecisionNote>) => Effect.Effect<void, SqlError>
  /**
   * Lists active bots of one of `shards` shards of a network that are due, and those whose turn seems to be abandoned:
   * one page, in the order of their ids, after `after`; null for the first page.
   */
  readonly due: (
    network: Network,
    shard: number,
    shards: number,
    page: { readonly after: string | null; readonly size: number }
  ) => Effect.Effect<ReadonlyArray<ThresholdBot>, SqlError>
}>()("vault-trader/core/threshold-bot/ThresholdBotStore") {
  static readonly layer = Layer.effect(
    ThresholdBotStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const ofVault = yield* botsOfVault(sql)
      const ofId = yield* botOfId(sql)
      return {
        ...SettingRows.make(sql),
        ...botRows(sql),
        ...botTurns(sql),
        find: (id: string) => Effect.map(decodeRows(ofId(id)), ([bot]) => Option.fromNullishOr(bot)),
        ofVault: (network: Network, pool: Address) => decodeRows(ofVault({ network, pool }))
      }
    })
  )
}
