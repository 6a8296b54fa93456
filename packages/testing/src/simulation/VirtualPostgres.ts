/**
 * PostgreSQL inside the process, on virtual time: the SQL of the product runs as it is, on PGlite. One instance serves many lives.
 * It has one session, so transactions come one after the other; who waits for it, and for how long, is part of the life.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import { migrate } from "@vault-trader/core/storage/Migrations"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as IoGate from "./IoGate.ts"
import * as Postgres from "./Postgres.ts"
import * as Process from "./Process.ts"
import { textOf } from "./Trace.ts"
import * as VirtualClock from "./VirtualClock.ts"
import { isWrite } from "./StatementName.ts"

/** What becomes of one statement. */
export type Fate =
  | "runs"
  /** The connection breaks before it ran, or after it and before its answer. */
  | "fails"
  | "runsButFails"
  /** The process ends, or stands still, before it ran or after it. */
  | "diesBefore"
  | "diesAfter"
  | "freezes"
  /** Its answer comes only when its actor has been ended. */
  | "endsActor"

export interface Statement {
  readonly process: Process.Process
  readonly text: string
  readonly isInTransaction: boolean
  /** What its transaction has written last. */
  readonly wrote: string | undefined
}

/** What a life does with the statements of its processes. */
export interface Hooks {
  readonly border: IoGate.Border
  readonly clock: VirtualClock.VirtualClock
  readonly fate: (statement: Statement) => Fate
  /** Carries out what a fate says of the process; `answer` gives the statement's. */
  readonly befall: (fate: Fate, process: Process.Process, answer: () => void) => void
  readonly happened: (...words: ReadonlyArray<unknown>) => void
}

export interface Database {
  /** Now and then: what was written ahead is kept in memory until then. */
  readonly checkpoint: () => void
  /** An empty database whose processes live by these hooks. */
  readonly open: (hooks: Hooks) => Sessions
}

export interface Sessions {
  readonly client: (process: Process.Process) => Layer.Layer<SqlClient.SqlClient>
  /** Looks behind everybody's back. Between transactions only committed rows are there. */
  readonly peek: (query: string, params?: ReadonlyArray<unknown>) => ReadonlyArray<Postgres.Row>
  /** Whether nobody is inside a transaction. */
  readonly isFree: () => boolean
  /** Whether signed bytes were in a committed row when last anything was committed. */
  readonly isCommitted: (raw: string) => boolean
}

interface Transaction {
  readonly process: Process.Process
  /** Its connection broke: the server has undone it, and nothing of it can be said any more. */
  lost: boolean
  wrote: string | undefined
  /** Whether it has touched the attempts. */
  signed: boolean
}

const lost = new SqlError({ reason: new ConnectionError({ cause: new Error("connection lost"), message: "the connection to the database is lost" }) })
/** A server ends the transaction of somebody who has said nothing for so long. */
const silenceMillis = 5_000
const nothing = () => undefined

const sessionsOf = (postgres: Postgres.Postgres, hooks: Hooks): Sessions => {
  const { befall, border, clock, fate, happened } = hooks
  const committed = new Set<string>()
  let toldMillis = Number.NaN
  let holder: Transaction | undefined

  const isFree = () => {
    if (holder?.process.state() === "dead") end(holder)
    return holder === undefined
  }
  const end = (transaction: Transaction) => {
    if (holder !== transaction) return
    holder = undefined
    postgres.query("rollback")
    toldMillis = Number.NaN
  }

  const run = (text: string, params: ReadonlyArray<unknown>) => {
    // A transaction that has failed takes nothing but its end.
    if (toldMillis === clock.now() || /^rollback/i.test(text)) return postgres.query(text, params)
    toldMillis = clock.now()
    return postgres.queryAfter(["select set_config('virtual.millis', $1, false)", toldMillis], text, params)
  }

  /** Undoing undoes the time that was told, too. */
  const remember = (text: string, transaction: Transaction | undefined) => {
    if (/^rollback/i.test(text)) toldMillis = Number.NaN
    if (isWrite(text)) {
      if (transaction === undefined) return learn(text)
      transaction.wrote = text
      transaction.signed ||= /\battempts\b/.test(text)
    }
    if (/^commit/i.test(text) && transaction?.signed === true) learn("attempts")
  }
  const learn = (text: string) => {
    if (/\battempts\b/.test(text)) for (const { raw } of postgres.query("select raw from attempts")) committed.add(String(raw))
  }

  type Result = Effect.Effect<ReadonlyArray<Postgres.Row>, SqlError>
  const attempt = (process: Process.Process, text: string, params: ReadonlyArray<unknown>, transaction: Transaction | undefined): Result => {
    try {
      const rows = run(text, params)
      remember(text, transaction)
      happened("sql", process.name, text, textOf(params), rows.length)
      return Effect.succeed(rows)
    } catch (cause) {
      toldMillis = Number.NaN
      happened("sql", process.name, text, textOf(params), cause)
      return Effect.fail(new SqlError({ reason: new UnknownError({ cause, message: "the database refused a statement" }) }))
    }
  }

  const statement = (process: Process.Process, transaction: Transaction | undefined, text: string, params: ReadonlyArray<unknown>): Result =>
    Effect.callback<ReadonlyArray<Postgres.Row>, SqlError>((resume) => {
      const answer = (result: Result) => process.deliver(() => resume(result))
      border.cross({
        process,
        ready: () => transaction !== undefined || isFree(),
        happen: () => {
          if (transaction?.lost === true) return answer(Effect.fail(lost))
          const decided = fate({ process, text, isInTransaction: transaction !== undefined, wrote: transaction?.wrote })
          if (decided !== "runs") happened(decided, process.name, text)
          if (decided === "diesBefore") return befall(decided, process, nothing)
          if (decided === "fails") {
            if (transaction !== undefined) breakOff(transaction)
            return answer(Effect.fail(lost))
          }
          const result = attempt(process, text, params, transaction)
          if (decided === "runs") return answer(result)
          if (decided === "runsButFails") {
            if (transaction !== undefined) breakOff(transaction)
            return answer(Effect.fail(lost))
          }
          befall(decided, process, () => answer(result))
          if (decided === "freezes" && transaction !== undefined) clock.after(silenceMillis, () => cutOff(transaction))
        }
      })
    }).pipe(Effect.uninterruptible)

  const cutOff = (transaction: Transaction) => {
    if (holder === transaction && transaction.process.state() === "frozen") breakOff(transaction)
  }
  const breakOff = (transaction: Transaction) => {
    transaction.lost = true
    end(transaction)
  }

  const connection = (process: Process.Process, transaction: Transaction | undefined): Connection => {
    const execute: Connection["execute"] = (text, params, transform) =>
      Effect.map(statement(process, transaction, text, params), (rows) => transform ? transform(rows) : rows)
    return {
      execute,
      executeRaw: (text, params) => execute(text, params, undefined),
      executeValues: () => Effect.die(new Error("not used")),
      executeValuesUnprepared: () => Effect.die(new Error("not used")),
      executeUnprepared: execute,
      executeStream: () => Stream.die(new Error("not used"))
    }
  }

  /** Waits for the session, and gives it back: whatever was not committed is undone. */
  const begin = (process: Process.Process) =>
    Effect.acquireRelease(
      Effect.callback<Transaction>((resume) => {
        const withdraw = border.cross({
          process,
          ready: () => process.state() === "runs" && isFree(),
          happen: () => {
            const transaction: Transaction = { process, lost: false, wrote: undefined, signed: false }
            holder = transaction
            process.deliver(() => resume(Effect.succeed(transaction)))
          }
        })
        return Effect.sync(withdraw)
      }),
      (transaction) => Effect.sync(() => end(transaction))
    )

  return {
    isFree,
    isCommitted: (raw) => committed.has(raw),
    peek: (query, params) => postgres.query(query, params),
    client: (process) =>
      Layer.effect(
        SqlClient.SqlClient,
        SqlClient.make({
          acquirer: Effect.succeed(connection(process, undefined)),
          transactionAcquirer: Effect.map(begin(process), (transaction) => connection(process, transaction)),
          compiler: PgClient.makeCompiler(),
          driver: "pglite",
          spanAttributes: []
        })
      ).pipe(Layer.provide(Reactivity.layer))
  }
}

const alone: Hooks = { border: IoGate.open, clock: VirtualClock.make(0), fate: () => "runs", befall: nothing, happened: nothing }

/** An instance with the schema in it. Its `now()` is a function of ours, so that times in rows are virtual too. */
export const make = async (): Promise<Database> => {
  const postgres = await Postgres.make()
  postgres.query("create schema virtual")
  postgres.query(`create function virtual.now() returns timestamptz language sql stable as
    $$ select to_timestamp(current_setting('virtual.millis')::float8 / 1000) $$`)
  postgres.query("set search_path = virtual, pg_catalog")
  // One plan per text: which of several is chosen would depend on how often it ran.
  postgres.query("set plan_cache_mode = force_generic_plan")
  // Nobody pulls this plug, and nobody reads its statistics.
  for (const setting of ["synchronous_commit", "track_activities", "track_counts"]) postgres.query(`set ${setting} = off`)
  postgres.query("select set_config('virtual.millis', '0', false)")
  await Effect.runPromise(migrate.pipe(Effect.provide(sessionsOf(postgres, alone).client(Process.make("migration")))))
  const tables = postgres.query("select tablename from pg_tables where schemaname = 'virtual' and tablename not like '%migrations' order by 1")
    .map(({ tablename }) => String(tablename))
  return {
    checkpoint: () => {
      postgres.query("checkpoint")
    },
    open: (hooks) => {
      postgres.query("rollback")
      postgres.query(`truncate ${tables.join(", ")}`)
      postgres.forget()
      return sessionsOf(postgres, hooks)
    }
  }
}
