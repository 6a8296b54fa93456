/** Reads strategy bots, their candles, decisions and history. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { unlessStopped } from "../gas-wallet/KillSwitch.ts"
import { StrategyBot, StrategyDecisionRow, StrategyEvent } from "./StrategyBot.ts"
import { CandleRow } from "./StrategyCandle.ts"

const Rows = Schema.decodeUnknownEffect(Schema.Array(StrategyBot))
const Decisions = Schema.decodeUnknownEffect(Schema.Array(StrategyDecisionRow))
const Events = Schema.decodeUnknownEffect(Schema.Array(StrategyEvent))
const Candles = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ candle: CandleRow })))

export const columnsOf = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `id::text as id, network, pool, strategy, digest, wallet, key_id::text as "keyId", terms, mode, memory, candle,
    balances, decision, open_intent::text as "openIntent", failures, paused_code as "pausedCode", reason,
    checked_at as "checkedAt", created_at as "createdAt", ended_at as "endedAt"`
  )

const decisionColumns = `number, bucket::float8 as bucket, decision, reason, trades, state, decided_at as "decidedAt"`

/** Decodes rows of bots. A row that does not decode is a defect of this service. */
export const decodeBots = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))

/** Reads a bot's decisions, the newest first. */
export const decisionsOf = (sql: SqlClient.SqlClient, botId: string, limit: number) =>
  Effect.flatMap(
    sql`select ${sql.literal(decisionColumns)} from strategy_decisions where bot_id = ${botId}
      order by number desc limit ${limit}`,
    (rows) => Effect.orDie(Decisions(rows))
  )

export class StrategyBotStore extends Context.Service<StrategyBotStore, {
  readonly find: (id: string) => Effect.Effect<Option.Option<StrategyBot>, SqlError>
  /** Lists the vault's bots, those in force only. */
  readonly ofVault: (network: Network, pool: Address) => Effect.Effect<ReadonlyArray<StrategyBot>, SqlError>
  /** Lists a bot's last closed candles, the oldest first. */
  readonly candles: (id: string, limit: number) => Effect.Effect<ReadonlyArray<CandleRow>, SqlError>
  /** Lists a bot's decisions, the newest first. */
  readonly decisions: (id: string, limit: number) => Effect.Effect<ReadonlyArray<StrategyDecisionRow>, SqlError>
  /** Lists a bot's history, the newest entry first, at most fifty. */
  readonly events: (id: string) => Effect.Effect<ReadonlyArray<StrategyEvent>, SqlError>
  /** Lists bots of a network whose next reading is due; a page. */
  readonly due: (
    network: Network,
    page: { readonly after: string | null; readonly size: number }
  ) => Effect.Effect<ReadonlyArray<StrategyBot>, SqlError>
}>()("vault-trader/core/strategy/StrategyBotStore") {
  static readonly layer = Layer.effect(
    StrategyBotStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = columnsOf(sql)
      return {
        find: (id) =>
          Effect.map(
            decodeBots(sql`select ${columns} from strategy_bots where id = ${id}`),
            ([bot]) => Option.fromNullishOr(bot)
          ),
        ofVault: (network, pool) =>
          decodeBots(sql`select ${columns} from strategy_bots
            where network = ${network} and pool = ${pool} and ended_at is null order by strategy`),
        candles: (id, limit) =>
          Effect.map(
            Effect.flatMap(
              sql`select candle from strategy_candles where bot_id = ${id} order by bucket desc limit ${limit}`,
              (rows) => Effect.orDie(Candles(rows))
            ),
            (rows) => rows.map(({ candle }) => candle).reverse()
          ),
        decisions: (id, limit) => decisionsOf(sql, id, limit),
        events: (id) =>
          Effect.flatMap(
            sql`select at, kind, reason from strategy_events where bot_id = ${id}
              order by strategy_events.id desc limit 50`,
            (rows) => Effect.orDie(Events(rows))
          ),
        due: (network, { after, size }) =>
          decodeBots(
            sql`select ${columns} from strategy_bots
              where network = ${network} and ended_at is null and next_check <= now()
                -- A trade in progress is followed to its end whatever is stopped.
                and (open_intent is not null or (paused_code is null and ${unlessStopped(sql, "strategy_bots")}))
                and (${after}::uuid is null or id > ${after}::uuid)
              order by id limit ${size}`
          )
      }
    })
  )
}
