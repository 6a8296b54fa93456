/**
 * PostgreSQL inside the process, on virtual time: the product's SQL runs unchanged, on PGlite. One instance serves many
 * runs. It has one session, so transactions run one after the other; which process waits for the session, and how long,
 * is part of the run.
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

/** The fault decided for one statement or call. */
export type FaultDecision =
  | "runs"
  /** The connection breaks before the statement ran, or after it and before its answer. */
  | "fails"
  | "runsButFails"
  /** The process crashes or freezes, before the statement ran or after it. */
  | "diesBefore"
  | "diesAfter"
  | "freezes"
  /** The answer arrives only after its actor was shut down. */
  | "endsActor"

export interface Statement {
  readonly process: Process.Process
  readonly text: string
  readonly isInTransaction: boolean
  /** The last write of its transaction. */
  readonly wrote: string | undefined
}

/** Hooks by which a run decides over and records its statements. */
export interface Hooks {
  readonly gate: IoGate.IoGate
  readonly clock: VirtualClock.VirtualClock
  readonly decide: (statement: Statement) => FaultDecision
  /** Applies a decision to the process; `answer` delivers the statement's result. */
  readonly apply: (decision: FaultDecision, process: Process.Process, answer: () => void) => void
  readonly record: (...words: ReadonlyArray<unknown>) => void
}

export interface Database {
  /** Call it now and then: the write-ahead log is kept in memory until the next checkpoint. */
  readonly checkpoint: () => void
  /** Empties the database and opens it with these hooks. */
  readonly open: (hooks: Hooks) => Sessions
}

export interface Sessions {
  readonly client: (process: Process.Process) => Layer.Layer<SqlClient.SqlClient>
  /** Reads directly, bypassing the gate. Between transactions only committed rows are visible. */
  readonly peek: (query: string, params?: ReadonlyArray<unknown>) => ReadonlyArray<Postgres.Row>
  /** Returns whether no process is inside a transaction. */
  readonly isFree: () => boolean
  /** Returns whether signed bytes were in a committed row at the last commit. */
  readonly isCommitted: (raw: string) => boolean
}

interface Transaction {
  readonly process: Process.Process
  /** Its connection broke: the server has rolled it back, and every further statement fails. */
  lost: boolean
  wrote: string | undefined
  /** It has written to the attempts table. */
  signed: boolean
}

const connectionLost = new SqlError({
  reason: new ConnectionError({
    cause: new Error("connection lost"),
    message: "the connection to the database is lost"
  })
})
/** A transaction without a statement for this long is ended by the server. */
const idleTransactionMillis = 5_000
const noop = () => undefined

const sessionsOf = (postgres: Postgres.Postgres, hooks: Hooks): Sessions => {
  const { apply, gate, clock, decide, record } = hooks
  const committed = new Set<string>()
  let setMillis = Number.NaN
  let active: Transaction | undefined

  const isFree = () => {
    if (active?.process.state() === "dead") end(active)
    return active === undefined
  }
  const end = (transaction: Transaction) => {
    if (active !== transaction) return
    active = undefined
    postgres.query("rollback")
    setMillis = Number.NaN
  }

  const run = (text: string, params: ReadonlyArray<unknown>) => {
    // A failed transaction accepts nothing but its end.
    if (setMillis === clock.now() || /^rollback/i.test(text)) return postgres.query(text, params)
    setMillis = clock.now()
    return postgres.queryAfter(["select set_config('virtual.millis', $1, false)", setMillis], text, params)
  }

  /** Records writes and commits. A rollback also undoes the setting of the virtual time. */
  const trackWrites = (text: string, transaction: Transaction | undefined) => {
    if (/^rollback/i.test(text)) setMillis = Number.NaN
    if (isWrite(text)) {
      if (transaction === undefined) return readAttempts(text)
      transaction.wrote = text
      transaction.signed ||= /\battempts\b/.test(text)
    }
    if (/^commit/i.test(text) && transaction?.signed === true) readAttempts("attempts")
  }
  const readAttempts = (text: string) => {
    if (/\battempts\b/.test(text)) {
      for (const { raw } of postgres.query("select raw from attempts")) committed.add(String(raw))
    }
  }

  type Result = Effect.Effect<ReadonlyArray<Postgres.Row>, SqlError>
  const attempt = (
    process: Process.Process,
    text: string,
    params: ReadonlyArray<unknown>,
    transaction: Transaction | undefined
  ): Result => {
    try {
      const rows = run(text, params)
      trackWrites(text, transaction)
      record("sql", process.name, text, textOf(params), rows.length)
      return Effect.succeed(rows)
    } catch (cause) {
      setMillis = Number.NaN
      record("sql", process.name, text, textOf(params), cause)
      return Effect.fail(
        new SqlError({ reason: new UnknownError({ cause, message: "the database refused a statement" }) })
      )
    }
  }

  const statement = (
    process: Process.Process,
    transaction: Transaction | undefined,
    text: string,
    params: ReadonlyArray<unknown>
  ): Result =>
    Effect.callback<ReadonlyArray<Postgres.Row>, SqlError>((resume) => {
      const answer = (result: Result) => process.deliver(() => resume(result))
      gate.enqueue({
        process,
        ready: () => transaction !== undefined || isFree(),
        run: () => {
          if (transaction?.lost === true) return answer(Effect.fail(connectionLost))
          const decision = decide({
            process,
            text,
            isInTransaction: transaction !== undefined,
            wrote: transaction?.wrote
          })
          if (decision !== "runs") record(decision, process.name, text)
          if (decision === "diesBefore") return apply(decision, process, noop)
          if (decision === "fails") {
            if (transaction !== undefined) breakConnection(transaction)
            return answer(Effect.fail(connectionLost))
          }
          const result = attempt(process, text, params, transaction)
          if (decision === "runs") return answer(result)
          if (decision === "runsButFails") {
            if (transaction !== undefined) breakConnection(transaction)
            return answer(Effect.fail(connectionLost))
          }
          apply(decision, process, () => answer(result))
          if (decision === "freezes" && transaction !== undefined) {
            clock.after(idleTransactionMillis, () => endIdle(transaction))
          }
        }
      })
    }).pipe(Effect.uninterruptible)

  const endIdle = (transaction: Transaction) => {
    if (active === transaction && transaction.process.state() === "frozen") breakConnection(transaction)
  }
  const breakConnection = (transaction: Transaction) => {
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

  /** Waits for the session and releases it at the end: what was not committed is rolled back. */
  const begin = (process: Process.Process) =>
    Effect.acquireRelease(
      Effect.callback<Transaction>((resume) => {
        const withdraw = gate.enqueue({
          process,
          ready: () => process.state() === "runs" && isFree(),
          run: () => {
            const transaction: Transaction = { process, lost: false, wrote: undefined, signed: false }
            active = transaction
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

const migrationHooks: Hooks = {
  gate: IoGate.ungated,
  clock: VirtualClock.make(0),
  decide: () => "runs",
  apply: noop,
  record: noop
}

/** Creates an instance with the schema. Its `now()` is replaced, so that times in rows are virtual too. */
export const make = async (): Promise<Database> => {
  const postgres = await Postgres.make()
  postgres.query("create schema virtual")
  postgres.query(`create function virtual.now() returns timestamptz language sql stable as
    $$ select to_timestamp(current_setting('virtual.millis')::float8 / 1000) $$`)
  postgres.query("set search_path = virtual, pg_catalog")
  // One plan per text: otherwise the choice of a plan depends on how often a statement ran.
  postgres.query("set plan_cache_mode = force_generic_plan")
  // The database is never restarted, and its statistics are not read.
  for (const setting of ["synchronous_commit", "track_activities", "track_counts"]) {
    postgres.query(`set ${setting} = off`)
  }
  postgres.query("select set_config('virtual.millis', '0', false)")
  await Effect.runPromise(
    migrate.pipe(Effect.provide(sessionsOf(postgres, migrationHooks).client(Process.make("migration"))))
  )
  const tables = postgres.query(
    "select tablename from pg_tables where schemaname = 'virtual' and tablename not like '%migrations' order by 1"
  )
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
