/** Writes the settings of threshold bots: those of many callers in one statement, each recorded as its own change. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as Arr from "effect/Array"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Audit from "../audit/Audit.ts"
import type { Actor } from "../audit/AuditEntry.ts"
import type { Address } from "../chain/Address.ts"
import { ActingManager } from "../gas-wallet/ActingManager.ts"
import * as Uuid from "../storage/Uuid.ts"
import { changeOf, columnsOf, decodeRows } from "./BotRows.ts"
import type { ThresholdBot } from "./ThresholdBot.ts"

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

/** A setting and its caller. */
export interface SettingOf {
  readonly setting: Setting
  readonly actor: Actor
  /** The manager on whose behalf the caller acts; null for the wallet's own key. */
  readonly manager: Address | null
}

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

/** Returns the row that a setting writes. */
const rowOf = ({ manager, setting }: SettingOf) =>
  Effect.map(Uuid.v7, (id) => ({ ...setting, id, maxUsd: BigDecimal.format(setting.maxUsd), setBy: manager }))

/** The legs of a bot in its vault, of which it is the only one. */
type Place = Pick<ThresholdBot, "network" | "pool" | "base" | "quote">
const isAt = (one: Place) => (other: Place) =>
  one.network === other.network && one.pool === other.pool && one.base === other.base && one.quote === other.quote

/** Builds the statement that writes settings. */
const upsert = (sql: SqlClient.SqlClient) => {
  const columns = columnsOf(sql)
  return (rows: ReadonlyArray<Effect.Success<ReturnType<typeof rowOf>>>) =>
    sql<
      Written & Place
    >`insert into threshold_bots (id, network, pool, pair, base, quote, inverse, wallet, key_id, side,
        threshold, share, max_usd, slippage, platform, lending, auto_enable, max_impact, paper, set_by)
      select id, network, pool, pair, base, quote, inverse, wallet, "keyId", side, threshold, share, "maxUsd", slippage,
        platform, lending, "autoEnable", "maxImpact", paper, "setBy"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, network text, pool text, pair text,
        base text, quote text, inverse text, wallet text, "keyId" uuid, side text, threshold float8, share float8,
        "maxUsd" numeric, slippage float8, platform text, lending boolean, "autoEnable" boolean, "maxImpact" float8,
        paper boolean, "setBy" text)
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
        (select b.wallet from threshold_bots b where b.id = threshold_bots.id) as "beforeWallet"`
}

/** Builds the functions that write settings. */
export const make = (sql: SqlClient.SqlClient) => {
  const write = upsert(sql)
  const putAll = (all: Arr.NonEmptyReadonlyArray<SettingOf>): Effect.Effect<ReadonlyArray<ThresholdBot>, SqlError> =>
    Effect.gen(function*() {
      const rows = yield* Effect.forEach(all, rowOf)
      const written = yield* Audit.joined(
        sql,
        Effect.tap(
          write(rows),
          (found) =>
            Effect.forEach(
              all,
              ({ actor, setting }) => Audit.by(actor)(Audit.appendAll(sql, setChanges(found.filter(isAt(setting))))),
              { discard: true }
            )
        )
      )
      const bots = yield* decodeRows(Effect.succeed(written))
      return yield* Effect.forEach(all, ({ setting }) => {
        const bot = bots.find(isAt(setting))
        return bot === undefined ? Effect.die(new Error("a bot that was set has no row")) : Effect.succeed(bot)
      })
    })
  return {
    putAll,
    put: (setting: Setting) =>
      Effect.gen(function*() {
        const [bot] = yield* putAll([{ setting, actor: yield* Audit.Actor, manager: yield* ActingManager }])
        return bot!
      })
  }
}
