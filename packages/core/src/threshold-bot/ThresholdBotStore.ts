/** Stores threshold bots: their settings, current turns and last decisions. */
import { ActingManager } from "../gas-wallet/ActingManager.ts"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as BigDecimal from "effect/BigDecimal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { unlessStopped } from "../gas-wallet/KillSwitch.ts"
import * as TogetherRead from "../storage/TogetherRead.ts"
import * as Uuid from "../storage/Uuid.ts"
import { BotTradeRequest, breaker, LastDecision, PaperHoldings, ThresholdBot } from "./ThresholdBot.ts"

/** The fields that a caller sets. */
export type Setting = Pick<
  ThresholdBot,
  | ("network" | "pool" | "pair" | "base" | "quote" | "inverse" | "wallet" | "keyId")
  | (
    | "side"
    | "threshold"
    | "share"
    | "maxUsd"
    | "slippage"
    | "platform"
    | "lending"
    | "autoEnable"
    | "maxImpact"
    | "paper"
  )
>

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
const Rows = Schema.decodeUnknownEffect(Schema.Array(ThresholdBot))
const encodeDecision = Schema.encodeSync(Schema.fromJsonString(LastDecision))
const encodeHoldings = Schema.encodeSync(Schema.fromJsonString(PaperHoldings))

const columnsOf = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `id, network, pool, pair, base, quote, inverse, side, threshold, share, max_usd::text as "maxUsd", slippage,
    platform, lending, auto_enable as "autoEnable", max_impact as "maxImpact", paper,
    paper_holdings as "paperHoldings", wallet, key_id as "keyId", active,
    paused_reason as "pausedReason", failures,
    revision, turn, open_intent as "openIntent", last_intent as "lastIntent",
    last_decision as "lastDecision", next_check as "nextCheck"`
  )

/** The row of a bot that was set, and what it was before; null for a new bot. */
interface Written extends Pick<ThresholdBot, "id" | "wallet" | "network" | "pool" | "pair"> {
  readonly side: string
  readonly share: number
  readonly maxUsd: string
  readonly paper: boolean
  readonly revision: number
  readonly beforeRevision: number | null
  readonly beforeActive: boolean | null
  readonly beforeWallet: Address | null
}

const changeOf = (
  action: "bot.set" | "bot.paused" | "bot.deleted",
  { id, network, pair, pool, wallet }: Pick<ThresholdBot, "id" | "wallet" | "network" | "pool" | "pair">,
  details: Audit.Change["details"] = {}
): Audit.Change => ({
  action,
  subject: id,
  wallet,
  details: { bot: "threshold", network, pool, pair, ...details }
})

/** Returns the audit entry of a bot that was set; none when its terms are the same and it was active. */
const setChanges = (rows: ReadonlyArray<Written>): ReadonlyArray<Audit.Change> =>
  rows.filter((row) => row.beforeRevision !== row.revision || row.beforeActive !== true).map((row) =>
    changeOf("bot.set", row, {
      side: row.side,
      share: row.share,
      max_usd: row.maxUsd,
      paper: row.paper,
      revision: row.revision,
      was: row.beforeRevision === null ? null : { active: row.beforeActive, wallet: row.beforeWallet }
    })
  )

const decodeRows = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))

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
  return TogetherRead.make<VaultKey, ThresholdBot>(sql, {
    read: (vaults) =>
      decodeRows(
        sql`select ${columns} from threshold_bots where ${
          sql.or(vaults.map(({ network, pool }) => sql`network = ${network} and pool = ${pool}`))
        } order by id`
      ),
    isOf: ({ network, pool }) => (bot) => bot.network === network && bot.pool === pool
  })
}

const botRows = (
  sql: SqlClient.SqlClient
): Pick<ThresholdBotStore["Service"], "put" | "find" | "ofWallets" | "remove"> => {
  const columns = columnsOf(sql)
  return {
    put: ({ autoEnable, keyId, maxImpact, maxUsd, ...setting }) =>
      Effect.gen(function*() {
        const row = {
          ...setting,
          id: yield* Uuid.v7,
          max_usd: BigDecimal.format(maxUsd),
          auto_enable: autoEnable,
          max_impact: maxImpact,
          key_id: keyId,
          set_by: yield* ActingManager
        }
        const rows = yield* Audit.recorded(
          sql,
          sql<Written>`insert into threshold_bots ${sql.insert(row)}
          on conflict (network, pool, base, quote) do update
          set inverse = excluded.inverse, pair = excluded.pair, side = excluded.side,
            threshold = excluded.threshold, share = excluded.share, max_usd = excluded.max_usd,
            slippage = excluded.slippage,
            platform = excluded.platform, lending = excluded.lending,
            auto_enable = excluded.auto_enable, max_impact = excluded.max_impact, paper = excluded.paper,
            wallet = excluded.wallet, key_id = excluded.key_id, set_by = excluded.set_by,
            paper_holdings = case when threshold_bots.paper and excluded.paper
            then threshold_bots.paper_holdings end,
            revision = threshold_bots.revision + (case when
              (threshold_bots.side, threshold_bots.threshold, threshold_bots.share, threshold_bots.max_usd,
              threshold_bots.slippage,
                threshold_bots.platform, threshold_bots.lending, threshold_bots.auto_enable, threshold_bots.max_impact,
                threshold_bots.paper, threshold_bots.wallet)
              is distinct from (excluded.side, excluded.threshold, excluded.share, excluded.max_usd,
              excluded.slippage, excluded.platform,
                excluded.lending, excluded.auto_enable, excluded.max_impact, excluded.paper, excluded.wallet) then 1 else 0 end),
            active = true, paused_reason = null, failures = 0, next_check = now(), updated_at = now(),
            set_at = now()
          -- A query of a statement reads the rows from before it.
          returning ${columns}, (select b.revision from threshold_bots b where b.id = threshold_bots.id) as "beforeRevision",
            (select b.active from threshold_bots b where b.id = threshold_bots.id) as "beforeActive",
            (select b.wallet from threshold_bots b where b.id = threshold_bots.id) as "beforeWallet"`,
          setChanges
        )
        const [bot] = yield* decodeRows(Effect.succeed(rows))
        return bot ?? (yield* Effect.die(new Error("a bot that was set has no row")))
      }),
    find: (id) =>
      Effect.map(
        decodeRows(sql`select ${columns} from threshold_bots where id = ${id}`),
        ([bot]) => Option.fromNullishOr(bot)
      ),
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
  "recordBegin" | "tradesJustBefore" | "recordEnd" | "recordDecisions" | "due"
> => ({
  recordBegin: (id, intentId) =>
    Effect.asVoid(sql`update threshold_bots set open_intent = ${intentId}, updated_at = now() where id = ${id}`),
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
      and ${unlessStopped(sql, "threshold_bots")}
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
  readonly find: (id: string) => Effect.Effect<Option.Option<ThresholdBot>, SqlError>
  readonly ofVault: (network: Network, pool: Address) => Effect.Effect<ReadonlyArray<ThresholdBot>, SqlError>
  /** Lists the bots of these wallets, at most a thousand. */
  readonly ofWallets: (wallets: ReadonlyArray<Address>) => Effect.Effect<ReadonlyArray<ThresholdBot>, SqlError>
  /** Deletes bots and returns those that existed. */
  readonly remove: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<ThresholdBot>, SqlError>
  /** Stores the intent of the bot's turn. */
  readonly recordBegin: (id: string, intentId: string) => Effect.Effect<void, SqlError>
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
      return {
        ...botRows(sql),
        ...botTurns(sql),
        ofVault: (network: Network, pool: Address) => ofVault({ network, pool })
      }
    })
  )
}
