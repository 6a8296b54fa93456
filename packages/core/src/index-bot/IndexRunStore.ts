/** Runs of index bots as rows. A leg is stored before it is made and its outcome after, so that whoever comes next goes on there. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Token } from "../chain/Token.ts"
import { Failure } from "../failure/Failure.ts"
import * as IdempotencyKeys from "../storage/IdempotencyKeys.ts"
import * as Uuid from "../storage/Uuid.ts"
import { breaker } from "./IndexBot.ts"
import { IndexRun, LegOutcome, PlannedLeg, RunLeg } from "./IndexRun.ts"

/** A run that somebody asks for. */
export interface NewRun {
  /** Its id from the first: beginning it again begins nothing new. */
  readonly id: string
  readonly network: Network
  readonly pool: Address
  readonly wallet: Address
  readonly keyId: string
  readonly quote: Token
  readonly force: boolean
  readonly idempotencyKey: string | null
}

/** `begun`: it is new. `joined`: another one is under way. `known`: the idempotency key named it. `conflict`: the key names another request. */
export interface Beginning {
  readonly _tag: "begun" | "joined" | "known" | "conflict"
  readonly id: string
}

/** What a caller asked of a run, as it is kept with its idempotency key. */
export const RunAsked = Schema.Struct({ network: Network, pool: Address, quote: Address, force: Schema.Boolean })
export type RunAsked = typeof RunAsked.Type

/** How a run ends. */
export interface Ending {
  readonly state: "done" | "failed"
  readonly message: string
  readonly failure: Failure | null
  /** Whether it counts for the bot's breaker: a failure that says nothing about the bot does not. */
  readonly counts: boolean
}

/** What a new run's row says, the quote as JSON and the cap as digits. */
interface Row extends Omit<NewRun, "idempotencyKey" | "quote"> {
  readonly quote: string
  readonly reason: "asked" | "scheduled"
  readonly paper: boolean
  readonly cap18: string
}

/** Runs on paper that a vault keeps; those that traded are kept for ever. */
const paperRuns = 100

/** What a run set out to do: USD with 18 decimals that it meant to move to be on target again, of what the vault was worth. */
export interface PastRun {
  readonly startedAt: Date
  readonly paper: boolean
  readonly totalUsd18: bigint
  readonly tradeUsd18: bigint
}

const Rows = Schema.decodeUnknownEffect(Schema.Array(IndexRun))
const PastRuns = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ startedAt: Schema.Date, paper: Schema.Boolean, totalUsd18: Schema.BigIntFromString, tradeUsd18: Schema.BigIntFromString }))
)
const AskedRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ request: RunAsked })))
const encodePlanned = Schema.encodeSync(Schema.fromJsonString(Schema.Array(PlannedLeg)))
const encodeLegs = Schema.encodeSync(Schema.fromJsonString(Schema.Array(RunLeg)))
const encodeOutcome = Schema.encodeSync(Schema.fromJsonString(LegOutcome))
const encodeFailure = Schema.encodeSync(Schema.fromJsonString(Failure))
const encodeToken = Schema.encodeSync(Schema.fromJsonString(Token))

export class IndexRunStore extends Context.Service<IndexRunStore, {
  /** Commits that a run begins, bounded by the bot's cap, before anything is done for it; a vault has one at a time. None without a bot. */
  readonly begin: (run: NewRun) => Effect.Effect<Option.Option<Beginning>, SqlError>
  /** What was asked under a wallet's idempotency key; none where it names no run. */
  readonly asked: (wallet: Address, idempotencyKey: string) => Effect.Effect<Option.Option<RunAsked>, SqlError>
  /** Begins a due bot's run and sets when the next one is, both or neither; none where it is not due or a run is under way. */
  readonly beginScheduled: (network: Network, pool: Address) => Effect.Effect<Option.Option<string>, SqlError>
  readonly find: (id: string) => Effect.Effect<Option.Option<IndexRun>, SqlError>
  readonly running: (network: Network, pool: Address) => Effect.Effect<Option.Option<IndexRun>, SqlError>
  readonly last: (network: Network, pool: Address) => Effect.Effect<Option.Option<IndexRun>, SqlError>
  /** The last runs of a wallet on a vault that got as far as a plan, oldest first. */
  readonly history: (vault: { readonly wallet: Address; readonly network: Network; readonly pool: Address }, limit: number) => Effect.Effect<ReadonlyArray<PastRun>, SqlError>
  /** Keeps the plan a run begins with; the first one stays. */
  readonly planned: (id: string, legs: ReadonlyArray<PlannedLeg>, totalUsd18: bigint) => Effect.Effect<void, SqlError>
  /** Keeps the legs that come after the first `known`; `false` where somebody else has gone on meanwhile, or the run is over. */
  readonly append: (id: string, known: number, legs: ReadonlyArray<RunLeg>) => Effect.Effect<boolean, SqlError>
  readonly accepted: (id: string, leg: number, intentId: string) => Effect.Effect<void, SqlError>
  /** Keeps how a leg ended, once; what a failed one was worth may be traded again. */
  readonly settled: (id: string, leg: number, outcome: LegOutcome) => Effect.Effect<void, SqlError>
  /** Ends a run, once, and tells its bot; the last of too many failures pauses the bot. */
  readonly end: (id: string, ending: Ending) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/index-bot/IndexRunStore") {
  static readonly layer = Layer.effect(
    IndexRunStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql.literal(`id::text as id, network, pool, wallet, key_id as "keyId", reason, quote, force, paper, cap18::text as cap18,
        spent18::text as spent18, state, planned, total_usd18::text as "totalUsd18", legs, message, failure, started_at as "startedAt",
        ended_at as "endedAt"`)
      const of = (network: Network, pool: Address) => sql`network = ${network} and pool = ${pool}`
      const one = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.map(Effect.flatMap(rows, (found) => Effect.orDie(Rows(found))), ([run]) => Option.fromNullishOr(run))

      /** Finds what the request's idempotency key names: a run, or another kind of request. The key is read before what it names. */
      const named = ({ force, idempotencyKey, network, pool, quote, wallet }: NewRun) =>
        Effect.gen(function*() {
          const other = Option.getOrUndefined(yield* IdempotencyKeys.named(sql, wallet, idempotencyKey))
          if (other === undefined) return Option.none<Beginning>()
          const [run] = yield* sql<{ readonly id: string; readonly same: boolean }>`select run_id::text as id,
              request = ${requestOf({ force, network, pool, quote })}::jsonb as same
            from index_run_keys where wallet = ${wallet} and idempotency_key = ${idempotencyKey}`
          return Option.some<Beginning>(run === undefined ? { _tag: "conflict", id: other } : { _tag: run.same ? "known" : "conflict", id: run.id })
        })

      const keep = (run: NewRun, id: string) =>
        Effect.gen(function*() {
          // As long as any idempotency key is kept.
          yield* sql`delete from index_run_keys where created_at < now() - make_interval(days => ${IdempotencyKeys.idempotencyDays})`
          const kept = yield* sql`insert into index_run_keys ${
            sql.insert({ wallet: run.wallet, idempotency_key: run.idempotencyKey, run_id: id, request: requestOf(run) })
          } on conflict do nothing returning run_id`
          if (kept.length > 0) return
          // Another request took it since it was looked for: nothing of this one stays.
          const other = yield* IdempotencyKeys.named(sql, run.wallet, run.idempotencyKey)
          return yield* new IdempotencyKeys.KeyTaken({ id: Option.getOrElse(other, () => id) })
        })

      const runningOf = (network: Network, pool: Address) =>
        Effect.map(
          sql<{ readonly id: string }>`select id::text as id from index_runs where ${of(network, pool)} and state = 'running'`,
          ([row]) => Option.map(Option.fromNullishOr(row), ({ id }) => id)
        )

      /** Holds everybody else who would begin a run of the vault until this transaction is over. */
      const botOf = (network: Network, pool: Address) =>
        sql<{ readonly paper: boolean; readonly cap18: string }>`select paper, max_usd18::text as cap18 from index_bots
          where network = ${network} and pool = ${pool} for update`

      const insert = (run: Row) =>
        Effect.gen(function*() {
          const { cap18, force, id, keyId, network, paper, pool, quote, reason, wallet } = run
          yield* sql`insert into index_runs ${sql.insert({ id, network, pool, wallet, key_id: keyId, reason, quote, force, paper, cap18 })}`
          if (paper) {
            yield* sql`delete from index_runs where id in (
              select id from index_runs r where paper and state <> 'running' and ${of(network, pool)}
                and not exists (select 1 from index_run_keys k where k.run_id = r.id) order by id desc offset ${paperRuns})`
          }
          return id
        })

      return {
        begin: (run) =>
          sql.withTransaction(Effect.gen(function*() {
            const [bot] = yield* botOf(run.network, run.pool)
            if (bot === undefined) return Option.none<Beginning>()
            const known = run.idempotencyKey === null ? Option.none<Beginning>() : yield* named(run)
            if (Option.isSome(known)) return known
            const { id } = run
            if ((yield* sql`select 1 from index_runs where id = ${id}`).length > 0) return Option.some<Beginning>({ _tag: "begun", id })
            const under = Option.getOrUndefined(yield* runningOf(run.network, run.pool))
            if (under === undefined) yield* insert({ ...run, ...bot, quote: encodeToken(run.quote), reason: "asked" })
            if (run.idempotencyKey !== null) yield* keep(run, under ?? id)
            return Option.some<Beginning>(under === undefined ? { _tag: "begun", id } : { _tag: "joined", id: under })
          })).pipe(Effect.catchTag("KeyTaken", ({ id }) => Effect.succeedSome<Beginning>({ _tag: "conflict", id }))),
        asked: (wallet, idempotencyKey) =>
          Effect.flatMap(
            sql`select request from index_run_keys where wallet = ${wallet} and idempotency_key = ${idempotencyKey}`,
            (rows) => Effect.map(Effect.orDie(AskedRows(rows)), ([row]) => Option.map(Option.fromNullishOr(row), ({ request }) => request))
          ),
        beginScheduled: (network, pool) =>
          sql.withTransaction(Effect.gen(function*() {
            const [bot] = yield* sql<{
              readonly wallet: Address
              readonly keyId: string
              readonly quote: string
              readonly paper: boolean
              readonly cap18: string
            }>`update index_bots set next_run_at = now() + make_interval(secs => interval_seconds), updated_at = now()
              where network = ${network} and pool = ${pool} and enabled and paused_reason is null and next_run_at <= now()
                and not exists (select 1 from index_runs r where r.network = ${network} and r.pool = ${pool} and r.state = 'running')
              returning wallet, key_id as "keyId", quote::text as quote, paper, max_usd18::text as cap18`
            return bot === undefined ? Option.none() : Option.some(yield* insert({ ...bot, id: yield* Uuid.v7, network, pool, force: false, reason: "scheduled" }))
          })),
        find: (id) => one(sql`select ${columns} from index_runs where id = ${id}`),
        running: (network, pool) => one(sql`select ${columns} from index_runs where ${of(network, pool)} and state = 'running'`),
        last: (network, pool) => one(sql`select ${columns} from index_runs where ${of(network, pool)} order by id desc limit 1`),
        history: ({ network, pool, wallet }, limit) =>
          Effect.flatMap(
            sql`select * from (select started_at as "startedAt", paper, total_usd18::text as "totalUsd18", (
                select greatest(coalesce(sum((leg ->> 'usd18')::numeric) filter (where leg ->> 'side' = 'sell'), 0),
                  coalesce(sum((leg ->> 'usd18')::numeric) filter (where leg ->> 'side' = 'buy'), 0))::text from jsonb_array_elements(planned) leg
              ) as "tradeUsd18" from index_runs where ${of(network, pool)} and wallet = ${wallet} and planned is not null and total_usd18 > 0
              order by id desc limit ${limit}) newest order by "startedAt"`,
            (rows) => Effect.orDie(PastRuns(rows))
          ),
        planned: (id, legs, totalUsd18) =>
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
        accepted: (id, leg, intentId) =>
          Effect.asVoid(sql`update index_runs
            set legs = jsonb_set(legs, ${`{${leg},intentId}`}::text[], to_jsonb(${intentId}::text)), updated_at = now()
            where id = ${id} and state = 'running'`),
        settled: (id, leg, outcome) =>
          Effect.asVoid(sql`update index_runs
            set legs = jsonb_set(legs, ${`{${leg},outcome}`}::text[], ${encodeOutcome(outcome)}::jsonb), updated_at = now(),
              spent18 = spent18 - case when ${outcome.status} = 'failed' then (legs -> ${leg}::int ->> 'usd18')::numeric else 0 end
            where id = ${id} and state = 'running' and legs -> ${leg}::int -> 'outcome' = 'null'::jsonb`),
        end: (id, { counts, failure, message, state }) =>
          sql.withTransaction(Effect.gen(function*() {
            const [run] = yield* sql<{ readonly network: Network; readonly pool: Address }>`update index_runs
              set state = ${state}, message = ${message},
                failure = ${failure === null ? null : encodeFailure(failure)}::jsonb, ended_at = now(), updated_at = now()
              where id = ${id} and state = 'running' returning network, pool`
            if (run === undefined) return
            const failed = state === "failed" && counts
            // Waiting for the value of an asset: the schedule looks again soon, not after a whole interval.
            const waits = failure?._tag === "ExecutionFailure" && failure.errorType === "price_unavailable"
            yield* sql`update index_bots set last_decision = ${message}, last_decided_at = now(), updated_at = now(),
                next_run_at = case when ${waits}::boolean then least(next_run_at, now() + interval '1 minute') else next_run_at end,
                failures = case when ${failed}::boolean then failures + 1 when ${state} = 'done' then 0 else failures end,
                paused_reason = case when ${failed}::boolean and failures + 1 >= ${breaker}
                  then ${`${breaker} runs in a row failed; set it again to go on. The last time: ${message}`}::text else paused_reason end
              where network = ${run.network} and pool = ${run.pool}`
          }))
      }
    })
  )
}

/** What two requests under one key are compared by. */
const requestOf = ({ force, network, pool, quote }: Pick<NewRun, "force" | "network" | "pool" | "quote">): string =>
  JSON.stringify({ network, pool, quote: quote.address, force })
