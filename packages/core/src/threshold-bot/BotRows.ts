/** The rows of threshold bots, as statements return them, and the audit entries of their changes. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Audit from "../audit/Audit.ts"
import { ThresholdBot } from "./ThresholdBot.ts"

const Rows = Schema.decodeUnknownEffect(Schema.Array(ThresholdBot))

/** Builds the columns of a bot. */
export const columnsOf = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `id, network, pool, pair, base, quote, inverse, side, threshold, share, max_usd::text as "maxUsd", slippage,
    platform, lending, auto_enable as "autoEnable", max_impact as "maxImpact", paper,
    paper_holdings as "paperHoldings", wallet, key_id as "keyId", active,
    paused_reason as "pausedReason", failures,
    revision, turn, open_intent as "openIntent", last_intent as "lastIntent",
    last_decision as "lastDecision", next_check as "nextCheck"`
  )

/** Builds the audit entry of a change of a bot. */
export const changeOf = (
  action: "bot.set" | "bot.paused" | "bot.deleted",
  { id, network, pair, pool, wallet }: Pick<ThresholdBot, "id" | "wallet" | "network" | "pool" | "pair">,
  details: Audit.Change["details"] = {}
): Audit.Change => ({
  action,
  subject: id,
  wallet,
  details: { bot: "threshold", network, pool, pair, ...details }
})

/** Decodes rows of bots. A row that does not decode is a defect of this service. */
export const decodeRows = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))
