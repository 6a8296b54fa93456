/** Begins runs of index bots. A vault has one run at a time, and an idempotency key names one request. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Token } from "../chain/Token.ts"
import * as IdempotencyKeys from "../storage/IdempotencyKeys.ts"
import * as Uuid from "../storage/Uuid.ts"

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
export interface RunStart {
  readonly _tag: "begun" | "joined" | "known" | "conflict"
  readonly id: string
}

/** A caller's request for a run, stored with its idempotency key. */
const RunRequest = Schema.Struct({ network: Network, pool: Address, quote: Address, force: Schema.Boolean })
type RunRequest = typeof RunRequest.Type

/** The values of a new run's row, with the quote as JSON and the cap as digits. */
interface Row extends Omit<NewRun, "idempotencyKey" | "quote"> {
  readonly quote: string
  readonly reason: "asked" | "scheduled"
  readonly paper: boolean
  readonly cap18: string
}

/** Maximum number of paper runs kept per vault; runs that traded are kept forever. */
const maxPaperRuns = 100

const RequestRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ request: RunRequest })))
const encodeToken = Schema.encodeSync(Schema.fromJsonString(Token))

export interface IndexRunStart {
  /**
   * Commits the start of a run, limited by the bot's cap, before any work is done; a vault has one run at a time. None
   * without a bot.
   */
  readonly begin: (run: NewRun) => Effect.Effect<Option.Option<RunStart>, SqlError>
  /** Returns the request with a wallet's idempotency key; none when the key names no run. */
  readonly findRequest: (wallet: Address, idempotencyKey: string) => Effect.Effect<Option.Option<RunRequest>, SqlError>
  /**
   * Begins a due bot's run and schedules the next one, both or neither; none when it is not due or a run is in
   * progress.
   */
  readonly beginScheduled: (network: Network, pool: Address) => Effect.Effect<Option.Option<string>, SqlError>
}

/** Encodes a request for comparison with another one under the same key. */
const requestOf = ({ force, network, pool, quote }: Pick<NewRun, "force" | "network" | "pool" | "quote">): string =>
  JSON.stringify({ network, pool, quote: quote.address, force })

/** Builds the statements on the idempotency keys of runs. */
const runKeys = (sql: SqlClient.SqlClient) => {
  /**
   * Finds what the request's idempotency key names: a run, or another kind of request. The key is read before what
   * it names.
   */
  const named = ({ force, idempotencyKey, network, pool, quote, wallet }: NewRun) =>
    Effect.gen(function*() {
      const other = Option.getOrUndefined(yield* IdempotencyKeys.findRequestId(sql, wallet, idempotencyKey))
      if (other === undefined) return Option.none<RunStart>()
      const [run] = yield* sql<{ readonly id: string; readonly same: boolean }>`select run_id::text as id,
          request = ${requestOf({ force, network, pool, quote })}::jsonb as same
        from index_run_keys where wallet = ${wallet} and idempotency_key = ${idempotencyKey}`
      return Option.some<RunStart>(
        run === undefined ? { _tag: "conflict", id: other } : { _tag: run.same ? "known" : "conflict", id: run.id }
      )
    })

  /** Stores the key of a request; fails when another request has taken it. */
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
      const other = yield* IdempotencyKeys.findRequestId(sql, run.wallet, run.idempotencyKey)
      return yield* new IdempotencyKeys.KeyTaken({ id: Option.getOrElse(other, () => id) })
    })

  return { named, keep }
}

/** Builds the condition on the vault of a run. */
export const ofVault = (sql: SqlClient.SqlClient, network: Network, pool: Address) =>
  sql`network = ${network} and pool = ${pool}`

/** Builds the statements that find the vault's run and bot and insert a run. */
const runRows = (sql: SqlClient.SqlClient) => {
  const runningOf = (network: Network, pool: Address) =>
    Effect.map(
      sql<{ readonly id: string }>`select id::text as id from index_runs where ${
        ofVault(sql, network, pool)
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
          select id from index_runs r where paper and state <> 'running' and ${ofVault(sql, network, pool)}
            and not exists (select 1 from index_run_keys k where k.run_id = r.id)
            order by id desc offset ${maxPaperRuns})`
      }
      return id
    })

  return { runningOf, botOf, insert }
}

const makeBegin = (sql: SqlClient.SqlClient): IndexRunStart["begin"] => {
  const { keep, named } = runKeys(sql)
  const { botOf, insert, runningOf } = runRows(sql)
  return (run) =>
    sql.withTransaction(Effect.gen(function*() {
      const [bot] = yield* botOf(run.network, run.pool)
      if (bot === undefined) return Option.none<RunStart>()
      const known = run.idempotencyKey === null ? Option.none<RunStart>() : yield* named(run)
      if (Option.isSome(known)) return known
      const { id } = run
      if ((yield* sql`select 1 from index_runs where id = ${id}`).length > 0) {
        return Option.some<RunStart>({ _tag: "begun", id })
      }
      const running = Option.getOrUndefined(yield* runningOf(run.network, run.pool))
      if (running === undefined) {
        yield* insert({ ...run, ...bot, quote: encodeToken(run.quote), reason: "asked" })
      }
      if (run.idempotencyKey !== null) yield* keep(run, running ?? id)
      return Option.some<RunStart>(
        running === undefined ? { _tag: "begun", id } : { _tag: "joined", id: running }
      )
    })).pipe(Effect.catchTag("KeyTaken", ({ id }) => Effect.succeedSome<RunStart>({ _tag: "conflict", id })))
}

const makeBeginScheduled = (sql: SqlClient.SqlClient): IndexRunStart["beginScheduled"] => {
  const { insert } = runRows(sql)
  return (network, pool) =>
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
    }))
}

export const make = (sql: SqlClient.SqlClient): IndexRunStart => ({
  begin: makeBegin(sql),
  findRequest: (wallet, idempotencyKey) =>
    Effect.flatMap(
      sql`select request from index_run_keys where wallet = ${wallet} and idempotency_key = ${idempotencyKey}`,
      (rows) =>
        Effect.map(Effect.orDie(RequestRows(rows)), ([row]) =>
          Option.map(Option.fromNullishOr(row), ({ request }) => request))
    ),
  beginScheduled: makeBeginScheduled(sql)
})
