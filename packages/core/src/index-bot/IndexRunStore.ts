/**
 * Stores runs of index bots. A leg is stored before its execution and its outcome after, so that the next owner can
 * resume the run.
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
import { Failure } from "../failure/Failure.ts"
import { breaker } from "./IndexBot.ts"
import { changeOf } from "./IndexBotStore.ts"
import * as IndexRunStart from "./IndexRunStart.ts"
import { ofVault } from "./IndexRunStart.ts"
import { IndexRun, LegOutcome, PlannedLeg, RunLeg } from "./IndexRun.ts"

/** The end of a run. */
export interface RunEnd {
  readonly state: "done" | "failed"
  readonly message: string
  readonly failure: Failure | null
  /** True if it counts for the bot's breaker; a failure that the bot did not cause does not. */
  readonly counts: boolean
}

/**
 * The plan of a past run: value it wanted to trade to reach the targets, and the vault's total value, USD with 18
 * decimals.
 */
interface PastRun {
  readonly startedAt: Date
  readonly paper: boolean
  readonly totalUsd18: bigint
  readonly tradeUsd18: bigint
}

const Rows = Schema.decodeUnknownEffect(Schema.Array(IndexRun))
const PastRuns = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      startedAt: Schema.Date,
      paper: Schema.Boolean,
      totalUsd18: Schema.BigIntFromString,
      tradeUsd18: Schema.BigIntFromString
    })
  )
)
const encodePlanned = Schema.encodeSync(Schema.fromJsonString(Schema.Array(PlannedLeg)))
const encodeLegs = Schema.encodeSync(Schema.fromJsonString(Schema.Array(RunLeg)))
const encodeOutcome = Schema.encodeSync(Schema.fromJsonString(LegOutcome))
const encodeFailure = Schema.encodeSync(Schema.fromJsonString(Failure))

/** Reads of runs. */
interface RunReads {
  readonly find: (id: string) => Effect.Effect<Option.Option<IndexRun>, SqlError>
  readonly running: (network: Network, pool: Address) => Effect.Effect<Option.Option<IndexRun>, SqlError>
  readonly last: (network: Network, pool: Address) => Effect.Effect<Option.Option<IndexRun>, SqlError>
  /** Lists the last runs of a wallet on a vault that have a plan, oldest first. */
  readonly history: (
    vault: { readonly wallet: Address; readonly network: Network; readonly pool: Address },
    limit: number
  ) => Effect.Effect<ReadonlyArray<PastRun>, SqlError>
}

/** The progress of runs. */
interface RunProgress {
  /** Stores the plan of a run; the first one is kept. */
  readonly recordPlan: (
    id: string,
    legs: ReadonlyArray<PlannedLeg>,
    totalUsd18: bigint
  ) => Effect.Effect<void, SqlError>
  /**
   * Appends legs after the first `known` ones; `false` when another owner has appended in the meantime, or the run has
   * ended.
   */
  readonly append: (id: string, known: number, legs: ReadonlyArray<RunLeg>) => Effect.Effect<boolean, SqlError>
  readonly recordIntent: (id: string, leg: number, intentId: string) => Effect.Effect<void, SqlError>
  /** Stores the outcome of a leg, once; the value of a leg that failed, or its unsold part, may be traded again. */
  readonly recordOutcome: (id: string, leg: number, outcome: LegOutcome) => Effect.Effect<void, SqlError>
  /** Ends a run, once, and updates its bot; the last of too many failures in a row pauses the bot. */
  readonly end: (id: string, ending: RunEnd) => Effect.Effect<void, SqlError>
}

const runReads = (sql: SqlClient.SqlClient): RunReads => {
  const columns = sql.literal(
    `id::text as id, network, pool, wallet, key_id as "keyId", reason, quote, force, paper, cap18::text as cap18,
    spent18::text as spent18, state, planned, total_usd18::text as "totalUsd18", legs, message, failure,
    started_at as "startedAt",
    ended_at as "endedAt"`
  )
  const one = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.map(Effect.flatMap(rows, (found) => Effect.orDie(Rows(found))), ([run]) => Option.fromNullishOr(run))

  return {
    find: (id) => one(sql`select ${columns} from index_runs where id = ${id}`),
    running: (network, pool) =>
      one(sql`select ${columns} from index_runs where ${ofVault(sql, network, pool)} and state = 'running'`),
    last: (network, pool) =>
      one(sql`select ${columns} from index_runs where ${ofVault(sql, network, pool)} order by id desc limit 1`),
    history: ({ network, pool, wallet }, limit) =>
      Effect.flatMap(
        sql`select * from (select started_at as "startedAt", paper, total_usd18::text as "totalUsd18", (
            select greatest(coalesce(sum((leg ->> 'usd18')::numeric) filter (where leg ->> 'side' = 'sell'), 0),
              coalesce(sum((leg ->> 'usd18')::numeric) filter (where leg ->> 'side' = 'buy'), 0))::text
              from jsonb_array_elements(planned) leg
          ) as "tradeUsd18" from index_runs where ${
          ofVault(sql, network, pool)
        } and wallet = ${wallet} and planned is not null and total_usd18 > 0
          order by id desc limit ${limit}) newest order by "startedAt"`,
        (rows) => Effect.orDie(PastRuns(rows))
      )
  }
}

const runProgress = (sql: SqlClient.SqlClient): RunProgress => ({
  recordPlan: (id, legs, totalUsd18) =>
    Effect.asVoid(sql`update index_runs set planned = ${encodePlanned(legs)}::jsonb,
        total_usd18 = ${totalUsd18.toString()}::numeric, updated_at = now()
      where id = ${id} and state = 'running' and planned is null`),
  append: (id, known, legs) =>
    Effect.map(
      sql`update index_runs set legs = legs || ${encodeLegs(legs)}::jsonb, updated_at = now(),
        spent18 = spent18 + ${legs.reduce((sum, { usd18 }) => sum + usd18, 0n).toString()}::numeric
        where id = ${id} and state = 'running' and jsonb_array_length(legs) = ${known} returning id`,
      (rows) => rows.length === 1
    ),
  recordIntent: (id, leg, intentId) =>
    Effect.asVoid(sql`update index_runs
      set legs = jsonb_set(legs, ${`{${leg},intentId}`}::text[], to_jsonb(${intentId}::text)), updated_at = now()
      where id = ${id} and state = 'running'`),
  recordOutcome: (id, leg, outcome) =>
    Effect.asVoid(sql`update index_runs
      set legs = jsonb_set(legs, ${`{${leg},outcome}`}::text[], ${encodeOutcome(outcome)}::jsonb), updated_at = now(),
        spent18 = spent18 - case when ${outcome.status} = 'failed' then (legs -> ${leg}::int ->> 'usd18')::numeric
          when ${outcome.sold?.raw ?? null}::numeric < (legs -> ${leg}::int ->> 'amount')::numeric
          then trunc((legs -> ${leg}::int ->> 'usd18')::numeric
            * (1 - ${outcome.sold?.raw ?? null}::numeric / (legs -> ${leg}::int ->> 'amount')::numeric))
          else 0 end
      where id = ${id} and state = 'running' and legs -> ${leg}::int -> 'outcome' = 'null'::jsonb`),
  end: (id, ending) => Audit.transaction(sql, endRun(sql, id, ending))
})

/** The row of a bot whose run ended, and whether that paused it. */
interface Paused {
  readonly network: Network
  readonly pool: Address
  readonly wallet: Address
  readonly reason: string | null
  readonly paused: boolean
}

/** Ends a run, if it has not ended, and updates its bot. */
const endRun = (sql: SqlClient.SqlClient, id: string, { counts, failure, message, state }: RunEnd) =>
  Effect.gen(function*() {
    const [run] = yield* sql<{ readonly network: Network; readonly pool: Address }>`update index_runs
      set state = ${state}, message = ${message},
        failure = ${failure === null ? null : encodeFailure(failure)}::jsonb, ended_at = now(), updated_at = now()
      where id = ${id} and state = 'running' returning network, pool`
    if (run === undefined) return
    const failed = state === "failed" && counts
    // An asset has no value yet: the next check is soon, not after a whole interval.
    const waits = failure?._tag === "ExecutionFailure" && failure.errorType === "price_unavailable"
    const bots = yield* sql<
      Paused
    >`update index_bots set last_decision = ${message}, last_decided_at = now(), updated_at = now(),
        next_run_at = case when ${waits}::boolean then least(next_run_at, now() + interval '1 minute')
        else next_run_at end,
        failures = case when ${failed}::boolean then failures + 1 when ${state} = 'done' then 0
        else failures end,
        paused_reason = case when ${failed}::boolean and failures + 1 >= ${breaker}
          then ${`${breaker} runs in a row failed; set it again to resume it. Last failure: ${message}`}::text
          else paused_reason end
      where network = ${run.network} and pool = ${run.pool} returning network, pool, wallet, paused_reason as reason,
        paused_reason is not null and (select b.paused_reason from index_bots b
          where b.network = index_bots.network and b.pool = index_bots.pool) is null as paused`
    yield* Audit.appendAll(
      sql,
      bots.filter(({ paused }) => paused).map((bot) => changeOf("bot.paused", bot, { reason: bot.reason }))
    )
  })

export class IndexRunStore extends Context.Service<
  IndexRunStore,
  IndexRunStart.IndexRunStart & RunReads & RunProgress
>()("vault-trader/core/index-bot/IndexRunStore") {
  static readonly layer = Layer.effect(
    IndexRunStore,
    Effect.map(
      SqlClient.SqlClient,
      (sql) => ({ ...IndexRunStart.make(sql), ...runReads(sql), ...runProgress(sql) })
    )
  )
}
