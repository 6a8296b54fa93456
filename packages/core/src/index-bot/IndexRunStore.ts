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
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Token } from "../chain/Token.ts"
import { Failure } from "../failure/Failure.ts"
import * as IdempotencyKeys from "../storage/IdempotencyKeys.ts"
import * as Uuid from "../storage/Uuid.ts"
import { breaker } from "./IndexBot.ts"
import { IndexRun, LegOutcome, PlannedLeg, RunLeg } from "./IndexRun.ts"

/** A run that a caller requests. */
export interface NewRun {
  /** The id of the run, chosen by the caller: beginning it again does not begin a second run. */
  readonly id: string
  readonly network: Network
  readonly pool: Address
  readonly wallet: Address
  readonly keyId: string
  readonly quote: Token
  readonly force: boolean
  readonly idempotencyKey: string | null
}

/**
 * `begun`: the run is new. `joined`: another run is in progress. `known`: the idempotency key named it. `conflict`: the
 * key names another request.
 */
export interface Beginning {
  readonly _tag: "begun" | "joined" | "known" | "conflict"
  readonly id: string
}

/** A caller's request for a run, stored with its idempotency key. */
export const RunAsked = Schema.Struct({ network: Network, pool: Address, quote: Address, force: Schema.Boolean })
export type RunAsked = typeof RunAsked.Type

/** The end of a run. */
export interface Ending {
  readonly state: "done" | "failed"
  readonly message: string
  readonly failure: Failure | null
  /** True if it counts for the bot's breaker; a failure that the bot did not cause does not. */
  readonly counts: boolean
}

/** The values of a new run's row, with the quote as JSON and the cap as digits. */
interface Row extends Omit<NewRun, "idempotencyKey" | "quote"> {
  readonly quote: string
  readonly reason: "asked" | "scheduled"
  readonly paper: boolean
  readonly cap18: string
}

/** Maximum number of paper runs kept per vault; runs that traded are kept forever. */
const paperRuns = 100

/**
 * The plan of a past run: value it wanted to trade to reach the targets, and the vault's total value, USD with 18
 * decimals.
 */
export interface PastRun {
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
const AskedRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ request: RunAsked })))
const encodePlanned = Schema.encodeSync(Schema.fromJsonString(Schema.Array(PlannedLeg)))
const encodeLegs = Schema.encodeSync(Schema.fromJsonString(Schema.Array(RunLeg)))
const encodeOutcome = Schema.encodeSync(Schema.fromJsonString(LegOutcome))
const encodeFailure = Schema.encodeSync(Schema.fromJsonString(Failure))
const encodeToken = Schema.encodeSync(Schema.fromJsonString(Token))

export class IndexRunStore extends Context.Service<IndexRunStore, {
  /**
   * Commits the start of a run, limited by the bot's cap, before any work is done; a vault has one run at a time. None
   * without a bot.
   */
  readonly begin: (run: NewRun) => Effect.Effect<Option.Option<Beginning>, SqlError>
  /** Returns the request with a wallet's idempotency key; none when the key names no run. */
  readonly asked: (wallet: Address, idempotencyKey: string) => Effect.Effect<Option.Option<RunAsked>, SqlError>
  /**
   * Begins a due bot's run and schedules the next one, both or neither; none when it is not due or a run is in
   * progress.
   */
  readonly beginScheduled: (network: Network, pool: Address) => Effect.Effect<Option.Option<string>, SqlError>
  readonly find: (id: string) => Effect.Effect<Option.Option<IndexRun>, SqlError>
  readonly running: (network: Network, pool: Address) => Effect.Effect<Option.Option<IndexRun>, SqlError>
  readonly last: (network: Network, pool: Address) => Effect.Effect<Option.Option<IndexRun>, SqlError>
  /** Lists the last runs of a wallet on a vault that have a plan, oldest first. */
  readonly history: (
    vault: { readonly wallet: Address; readonly network: Network; readonly pool: Address },
    limit: number
  ) => Effect.Effect<ReadonlyArray<PastRun>, SqlError>
  /** Stores the plan of a run; the first one is kept. */
  readonly planned: (id: string, legs: ReadonlyArray<PlannedLeg>, totalUsd18: bigint) => Effect.Effect<void, SqlError>
  /**
   * Appends legs after the first `known` ones; `false` when another owner has appended in the meantime, or the run has
   * ended.
   */
  readonly append: (id: string, known: number, legs: ReadonlyArray<RunLeg>) => Effect.Effect<boolean, SqlError>
  readonly accepted: (id: string, leg: number, intentId: string) => Effect.Effect<void, SqlError>
  /** Stores the outcome of a leg, once; the value of a failed leg may be traded again. */
  readonly settled: (id: string, leg: number, outcome: LegOutcome) => Effect.Effect<void, SqlError>
  /** Ends a run, once, and updates its bot; the last of too many failures in a row pauses the bot. */
  readonly end: (id: string, ending: Ending) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/index-bot/IndexRunStore") {
  static readonly layer = Layer.effect(
    IndexRunStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql.literal(
        `id::text as id, network, pool, wallet, key_id as "keyId", reason, quote, force, paper, cap18::text as cap18,
        spent18::text as spent18, state, planned, total_usd18::text as "totalUsd18", legs, message, failure, started_at as "startedAt",
        ended_at as "endedAt"`
      )
      const of = (network: Network, pool: Address) => sql`network = ${network} and pool = ${pool}`
      const one = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.map(Effect.flatMap(rows, (found) => Effect.orDie(Rows(found))), ([run]) => Option.fromNullishOr(run))

      /**
       * Finds what the request's idempotency key names: a run, or another kind of request. The key is read before what
       * it names.
       */
      const named = ({ force, idempotencyKey, network, pool, quote, wallet }: NewRun) =>
        Effect.gen(function*() {
          const other = Option.getOrUndefined(yield* IdempotencyKeys.named(sql, wallet, idempotencyKey))
          if (other === undefined) return Option.none<Beginning>()
          const [run] = yield* sql<{ readonly id: string; readonly same: boolean }>`select run_id::text as id,
              request = ${requestOf({ force, network, pool, quote })}::jsonb as same
            from index_run_keys where wallet = ${wallet} and idempotency_key = ${idempotencyKey}`
          return Option.some<Beginning>(
            run === undefined ? { _tag: "conflict", id: other } : { _tag: run.same ? "known" : "conflict", id: run.id }
          )
        })

      const keep = (run: NewRun, id: string) =>
        Effect.gen(function*() {
          // Keys are kept as long as all other idempotency keys.
          yield* sql`delete from index_run_keys
            where created_at < now() - make_interval(days => ${IdempotencyKeys.idempotencyDays})`
          const inserted = yield* sql`insert into index_run_keys ${
            sql.insert({ wallet: run.wallet, idempotency_key: run.idempotencyKey, run_id: id, request: requestOf(run) })
          } on conflict do nothing returning run_id`
          if (inserted.length > 0) return
          // Another request has taken the key since the lookup, so this one is rolled back.
          const other = yield* IdempotencyKeys.named(sql, run.wallet, run.idempotencyKey)
          return yield* new IdempotencyKeys.KeyTaken({ id: Option.getOrElse(other, () => id) })
        })

      const runningOf = (network: Network, pool: Address) =>
        Effect.map(
          sql<{ readonly id: string }>`select id::text as id from index_runs where ${
            of(network, pool)
          } and state = 'running'`,
          ([row]) => Option.map(Option.fromNullishOr(row), ({ id }) => id)
        )

      /** Locks the bot's row, so that no other transaction begins a run of the vault until this one ends. */
      const botOf = (network: Network, pool: Address) =>
        sql<{ readonly paper: boolean; readonly cap18: string }>`select paper, max_usd18::text as cap18 from index_bots
          where network = ${network} and pool = ${pool} for update`

      const insert = (run: Row) =>
        Effect.gen(function*() {
          const { cap18, force, id, keyId, network, paper, pool, quote, reason, wallet } = run
          yield* sql`insert into index_runs ${
            sql.insert({ id, network, pool, wallet, key_id: keyId, reason, quote, force, paper, cap18 })
          }`
          if (paper) {
            yield* sql`delete from index_runs where id in (
              select id from index_runs r where paper and state <> 'running' and ${of(network, pool)}
                and not exists (select 1 from index_run_keys k where k.run_id = r.id)
                order by id desc offset ${paperRuns})`
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
            if ((yield* sql`select 1 from index_runs where id = ${id}`).length > 0) {
              return Option.some<Beginning>({ _tag: "begun", id })
            }
            const running = Option.getOrUndefined(yield* runningOf(run.network, run.pool))
            if (running === undefined) {
              yield* insert({ ...run, ...bot, quote: encodeToken(run.quote), reason: "asked" })
            }
            if (run.idempotencyKey !== null) yield* keep(run, running ?? id)
            return Option.some<Beginning>(
              running === undefined ? { _tag: "begun", id } : { _tag: "joined", id: running }
            )
          })).pipe(Effect.catchTag("KeyTaken", ({ id }) => Effect.succeedSome<Beginning>({ _tag: "conflict", id }))),
        asked: (wallet, idempotencyKey) =>
          Effect.flatMap(
            sql`select request from index_run_keys where wallet = ${wallet} and idempotency_key = ${idempotencyKey}`,
            (rows) =>
              Effect.map(Effect.orDie(AskedRows(rows)), ([row]) =>
                Option.map(Option.fromNullishOr(row), ({ request }) => request))
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
              where network = ${network} and pool = ${pool} and enabled and paused_reason is null
              and next_run_at <= now()
                and not exists (select 1 from index_runs r
                where r.network = ${network} and r.pool = ${pool} and r.state = 'running')
              returning wallet, key_id as "keyId", quote::text as quote, paper, max_usd18::text as cap18`
            return bot === undefined
              ? Option.none()
              : Option.some(
                yield* insert({ ...bot, id: yield* Uuid.v7, network, pool, force: false, reason: "scheduled" })
              )
          })),
        find: (id) => one(sql`select ${columns} from index_runs where id = ${id}`),
        running: (network, pool) =>
          one(sql`select ${columns} from index_runs where ${of(network, pool)} and state = 'running'`),
        last: (network, pool) =>
          one(sql`select ${columns} from index_runs where ${of(network, pool)} order by id desc limit 1`),
        history: ({ network, pool, wallet }, limit) =>
          Effect.flatMap(
            sql`select * from (select started_at as "startedAt", paper, total_usd18::text as "totalUsd18", (
                select greatest(coalesce(sum((leg ->> 'usd18')::numeric) filter (where leg ->> 'side' = 'sell'), 0),
                  coalesce(sum((leg ->> 'usd18')::numeric) filter (where leg ->> 'side' = 'buy'), 0))::text
                  from jsonb_array_elements(planned) leg
              ) as "tradeUsd18" from index_runs where ${
              of(network, pool)
            } and wallet = ${wallet} and planned is not null and total_usd18 > 0
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
            set legs = jsonb_set(legs, ${`{${leg},outcome}`}::text[], ${
            encodeOutcome(outcome)
          }::jsonb), updated_at = now(),
              spent18 = spent18 - case when ${outcome.status} = 'failed'
              then (legs -> ${leg}::int ->> 'usd18')::numeric else 0 end
            where id = ${id} and state = 'running' and legs -> ${leg}::int -> 'outcome' = 'null'::jsonb`),
        end: (id, { counts, failure, message, state }) =>
          sql.withTransaction(Effect.gen(function*() {
            const [run] = yield* sql<{ readonly network: Network; readonly pool: Address }>`update index_runs
              set state = ${state}, message = ${message},
                failure = ${
              failure === null ? null : encodeFailure(failure)
            }::jsonb, ended_at = now(), updated_at = now()
              where id = ${id} and state = 'running' returning network, pool`
            if (run === undefined) return
            const failed = state === "failed" && counts
            // An asset has no value yet: the next check is soon, not after a whole interval.
            const waits = failure?._tag === "ExecutionFailure" && failure.errorType === "price_unavailable"
            yield* sql`update index_bots set last_decision = ${message}, last_decided_at = now(), updated_at = now(),
                next_run_at = case when ${waits}::boolean then least(next_run_at, now() + interval '1 minute')
                else next_run_at end,
                failures = case when ${failed}::boolean then failures + 1 when ${state} = 'done' then 0
                else failures end,
                paused_reason = case when ${failed}::boolean and failures + 1 >= ${breaker}
                  then ${`${breaker} runs in a row failed; set it again to resume it. Last failure: ${message}`}::text
                  else paused_reason end
              where network = ${run.network} and pool = ${run.pool}`
          }))
      }
    })
  )
}

/** Encodes a request for comparison with another one under the same key. */
const requestOf = ({ force, network, pool, quote }: Pick<NewRun, "force" | "network" | "pool" | "quote">): string =>
  JSON.stringify({ network, pool, quote: quote.address, force })
