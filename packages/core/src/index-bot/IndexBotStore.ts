/** Stores index bots: their settings, next runs and last decisions. */
import { ActingManager } from "../gas-wallet/ActingManager.ts"
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
import { unlessStopped } from "../gas-wallet/KillSwitch.ts"
import { IndexBot, type IndexSetting, IndexTarget } from "./IndexBot.ts"
import { format } from "../chain/Quantity.ts"
import { Token } from "../chain/Token.ts"

/** A vault whose index bot has work to do. */
interface VaultAddress {
  readonly network: Network
  readonly pool: Address
}

const Rows = Schema.decodeUnknownEffect(Schema.Array(IndexBot))
const encodeTargets = Schema.encodeSync(Schema.fromJsonString(Schema.Array(IndexTarget)))
const encodeToken = Schema.encodeSync(Schema.fromJsonString(Token))

/** The row of a bot whose schedule was stopped, and whether it ran before. */
interface Disabled extends Pick<IndexBot, "network" | "pool" | "wallet"> {
  readonly wasEnabled: boolean
}

/** Returns the audit entry of a change of an index bot. */
export const changeOf = (
  action: "bot.set" | "bot.paused",
  { network, pool, wallet }: Pick<IndexBot, "network" | "pool" | "wallet">,
  details: Audit.Change["details"] = {}
): Audit.Change => ({
  action,
  subject: `${network}/${pool}`,
  wallet,
  details: { bot: "index", network, pool, ...details }
})

/** Returns the terms of a bot as an audit entry shows them. */
const termsOf = (bot: IndexBot) => ({
  targets: bot.targets.map(({ token, weight }) => ({ token: token.symbol, weight })),
  quote: bot.quote.symbol,
  interval_seconds: bot.intervalSeconds,
  max_usd: format(bot.maxUsd18, 18),
  min_trade_usd: format(bot.minTradeUsd18, 18),
  tolerance: bot.tolerance,
  slippage: bot.slippage,
  platform: bot.platform,
  enabled: bot.enabled,
  paper: bot.paper,
  wallet: bot.wallet
})

const columnsOf = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `network, pool, wallet, key_id as "keyId", targets, quote, interval_seconds as "intervalSeconds",
    max_usd18::text as "maxUsd18", min_trade_usd18::text as "minTradeUsd18", tolerance, slippage, platform,
    enabled, paper, failures,
    paused_reason as "pausedReason", last_decision as "lastDecision", last_decided_at as "lastDecidedAt",
    next_run_at as "nextRunAt"`
  )

// A row that does not decode is a defect of this service.
const decoded = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))

const one = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.map(decoded(rows), ([bot]) => Option.fromNullishOr(bot))

/** Sets a bot and records it, unless its terms are as they were and it was not paused. */
const set = (
  sql: SqlClient.SqlClient,
  setting: IndexSetting,
  written: Effect.Effect<Option.Option<IndexBot>, SqlError>
) =>
  Audit.transaction(
    sql,
    Effect.gen(function*() {
      const before = yield* one(sql`select ${columnsOf(sql)} from index_bots
        where network = ${setting.network} and pool = ${setting.pool} for update`)
      const bot = yield* written
      const terms = Option.map(bot, termsOf)
      if (
        JSON.stringify(Option.getOrNull(Option.map(before, termsOf))) !==
          JSON.stringify(Option.getOrNull(terms)) ||
        Option.exists(before, ({ pausedReason }) => pausedReason !== null)
      ) {
        const was = Option.getOrNull(Option.map(before, ({ enabled, wallet }) => ({ enabled, wallet })))
        yield* Audit.append(sql, changeOf("bot.set", setting, { ...Option.getOrNull(terms), was }))
      }
      return bot
    })
  )

export class IndexBotStore extends Context.Service<IndexBotStore, {
  /**
   * Sets the vault's bot, replacing earlier settings: its failure count is reset, and it runs at once if it is enabled.
   */
  readonly put: (setting: IndexSetting) => Effect.Effect<IndexBot, SqlError>
  readonly find: (network: Network, pool: Address) => Effect.Effect<Option.Option<IndexBot>, SqlError>
  /** Lists the bots of these wallets by network and vault, at most a thousand. */
  readonly ofWallets: (wallets: ReadonlyArray<Address>) => Effect.Effect<ReadonlyArray<IndexBot>, SqlError>
  /** Stops the schedule; everything else is kept. None when the vault has no bot. */
  readonly disable: (network: Network, pool: Address) => Effect.Effect<Option.Option<IndexBot>, SqlError>
  /** Returns the bot if its scheduled check is due. */
  readonly due: (network: Network, pool: Address) => Effect.Effect<Option.Option<IndexBot>, SqlError>
  /** Stores why a due bot does not run now, and schedules the next check after `seconds`. */
  readonly putOff: (network: Network, pool: Address, decision: string, seconds: number) => Effect.Effect<void, SqlError>
  /** Lists vaults whose bots are due, the longest overdue first, and those with a run in progress. */
  readonly waiting: (limit: number) => Effect.Effect<ReadonlyArray<VaultAddress>, SqlError>
}>()("vault-trader/core/index-bot/IndexBotStore") {
  static readonly layer = Layer.effect(
    IndexBotStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = columnsOf(sql)
      const isDue = sql`enabled and paused_reason is null and next_run_at <= now() and ${
        unlessStopped(sql, "index_bots")
      }`

      return {
        put: (setting) =>
          Effect.flatMap(
            Effect.flatMap(ActingManager, (manager) =>
              set(
                sql,
                setting,
                one(sql`insert into index_bots ${
                  sql.insert({
                    set_by: manager,
                    network: setting.network,
                    pool: setting.pool,
                    wallet: setting.wallet,
                    key_id: setting.keyId,
                    targets: encodeTargets(setting.targets),
                    quote: encodeToken(setting.quote),
                    interval_seconds: setting.intervalSeconds,
                    max_usd18: setting.maxUsd18.toString(),
                    min_trade_usd18: setting.minTradeUsd18.toString(),
                    tolerance: setting.tolerance,
                    slippage: setting.slippage,
                    platform: setting.platform,
                    enabled: setting.enabled,
                    paper: setting.paper
                  })
                } on conflict (network, pool) do update
            set wallet = excluded.wallet, key_id = excluded.key_id, set_by = excluded.set_by, targets = excluded.targets,
              quote = excluded.quote, interval_seconds = excluded.interval_seconds, max_usd18 = excluded.max_usd18,
              min_trade_usd18 = excluded.min_trade_usd18, tolerance = excluded.tolerance, slippage = excluded.slippage,
              platform = excluded.platform,
              enabled = excluded.enabled, paper = excluded.paper, failures = 0, paused_reason = null,
              next_run_at = now(), updated_at = now()
              returning ${columns}`)
              )),
            Option.match({
              onNone: () => Effect.die(new Error("an index bot that was set has no row")),
              onSome: Effect.succeed
            })
          ),
        find: (network, pool) =>
          one(sql`select ${columns} from index_bots where network = ${network} and pool = ${pool}`),
        ofWallets: (wallets) =>
          wallets.length === 0
            ? Effect.succeed([])
            : decoded(
              sql`select ${columns} from index_bots where wallet in ${
                sql.in(wallets)
              } order by network, pool limit 1000`
            ),
        disable: (network, pool) =>
          Effect.map(
            Audit.recorded(
              sql,
              sql<Disabled>`update index_bots set enabled = false, updated_at = now()
                where network = ${network} and pool = ${pool} returning ${columns}, (select b.enabled from index_bots b
                  where b.network = index_bots.network and b.pool = index_bots.pool) as "wasEnabled"`,
              (rows) => rows.filter(({ wasEnabled }) => wasEnabled).map((row) => changeOf("bot.paused", row))
            ).pipe(decoded),
            ([bot]) => Option.fromNullishOr(bot)
          ),
        due: (network, pool) =>
          one(sql`select ${columns} from index_bots where network = ${network} and pool = ${pool} and ${isDue}`),
        putOff: (network, pool, decision, seconds) =>
          Effect.asVoid(sql`update index_bots set last_decision = ${decision}, last_decided_at = now(),
            next_run_at = now() + make_interval(secs => ${seconds}), updated_at = now()
            where network = ${network} and pool = ${pool} and ${isDue}`),
        waiting: (limit) =>
          sql<VaultAddress>`(select network, pool from index_runs where state = 'running')
            union (select network, pool from index_bots where ${isDue} order by next_run_at limit ${limit})`
      }
    })
  )
}
