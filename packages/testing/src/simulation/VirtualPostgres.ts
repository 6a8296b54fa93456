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
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import * as IoGate from "./IoGate.ts"
import * as Postgres from "./Postgres.ts"
import * as Process from "./Process.ts"
import * as RememberedReads from "./RememberedReads.ts"
import * as StatementExecutor from "./StatementExecutor.ts"
import * as TableCopy from "./TableCopy.ts"
import * as TableUse from "./TableUse.ts"
import * as TransactionSlot from "./TransactionSlot.ts"
import * as VirtualClock from "./VirtualClock.ts"

/** The fault decided for one statement or call. */
export type FaultDecision =
  | "runs"
  /** The connection breaks before the statement ran, or after it and before its answer. */
  | "fails"
  | "runsButFails"
  /** PostgreSQL refuses the statement: its disk is full. */
  | "diskFull"
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
interface Hooks {
  readonly gate: IoGate.IoGate
  readonly clock: VirtualClock.VirtualClock
  readonly decide: (statement: Statement) => FaultDecision
  /** Applies a decision to the process; `answer` delivers the statement's result. */
  readonly apply: (decision: FaultDecision, process: Process.Process, answer: () => void) => void
  readonly record: (...words: ReadonlyArray<unknown>) => void
  /** Executes every read, also where its tables have not changed. */
  readonly forgets?: boolean
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
  /** Returns whether signed bytes were in a committed row at the last commit or at an earlier one. */
  readonly isCommitted: (raw: string) => boolean
  /** Copies all committed rows. Call it between transactions only. */
  readonly copy: () => TableCopy.TableCopy
  /** Replaces all rows by a copy. Call it between transactions only. */
  readonly restore: (copy: TableCopy.TableCopy) => void
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
/** Fails as a write does while the disk is full, and aborts its transaction. */
const refuseForDisk =
  `do $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`

/** Runs a statement of a process, in its transaction if it is in one. */
type Run = (
  process: Process.Process,
  transaction: TransactionSlot.Transaction | undefined,
  text: string,
  params: ReadonlyArray<unknown>
) => StatementExecutor.Result

/** Returns the function that runs statements through the gate, with the faults decided for them. */
const makeRun = (
  { apply, clock, decide, gate, record }: Hooks,
  executor: StatementExecutor.StatementExecutor,
  slot: TransactionSlot.TransactionSlot
): Run =>
(process, transaction, text, params) =>
  Effect.callback<ReadonlyArray<Postgres.Row>, SqlError>((resume) => {
    const answer = (result: StatementExecutor.Result) => process.deliver(() => resume(result))
    gate.enqueue({
      process,
      ready: () => transaction !== undefined || slot.isFree(),
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
          if (transaction !== undefined) slot.breakConnection(transaction)
          return answer(Effect.fail(connectionLost))
        }
        const result = decision === "diskFull"
          ? executor.execute(process, refuseForDisk, [], transaction)
          : executor.execute(process, text, params, transaction)
        if (decision === "diskFull") return answer(result)
        if (decision === "runs") return answer(result)
        if (decision === "runsButFails") {
          if (transaction !== undefined) slot.breakConnection(transaction)
          return answer(Effect.fail(connectionLost))
        }
        apply(decision, process, () => answer(result))
        if (decision === "freezes" && transaction !== undefined) {
          clock.after(idleTransactionMillis, () => slot.endIdle(transaction))
        }
      }
    })
  }).pipe(Effect.uninterruptible)

const connectionOf = (
  run: Run,
  process: Process.Process,
  transaction: TransactionSlot.Transaction | undefined
): Connection => {
  const execute: Connection["execute"] = (text, params, transform) =>
    Effect.map(run(process, transaction, text, params), (rows) => transform ? transform(rows) : rows)
  return {
    execute,
    executeRaw: (text, params) => execute(text, params, undefined),
    executeValues: () => Effect.die(new Error("not used")),
    executeValuesUnprepared: () => Effect.die(new Error("not used")),
    executeUnprepared: execute,
    executeStream: () => Stream.die(new Error("not used"))
  }
}

const sessionsOf = (
  postgres: Postgres.Postgres,
  hooks: Hooks,
  columns: TableCopy.Columns,
  reads: RememberedReads.RememberedReads
): Sessions => {
  const executor = StatementExecutor.make(postgres, reads, hooks)
  const slot = TransactionSlot.make(hooks.gate, executor.rollback)
  const run = makeRun(hooks, executor, slot)
  return {
    isFree: slot.isFree,
    isCommitted: executor.isCommitted,
    copy: () => TableCopy.take(postgres, reads.inUse()),
    restore: (copy) => {
      const tables = reads.inUse()
      TableCopy.putBack(postgres, tables, copy, columns)
      reads.replaced(tables)
    },
    peek: executor.peek,
    client: (process) =>
      Layer.effect(
        SqlClient.SqlClient,
        SqlClient.make({
          acquirer: Effect.succeed(connectionOf(run, process, undefined)),
          transactionAcquirer: Effect.map(
            slot.begin(process),
            (transaction) => connectionOf(run, process, transaction)
          ),
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

/** Creates an instance with the schema. Its clock is replaced, so that times in rows are virtual too. */
export const make = async (): Promise<Database> => {
  const postgres = await Postgres.make()
  postgres.query("create schema virtual")
  for (const name of ["now", "clock_timestamp"]) {
    postgres.query(`create function virtual.${name}() returns timestamptz language sql stable as
      $$ select to_timestamp(current_setting('virtual.millis')::float8 / 1000) $$`)
  }
  postgres.query("set search_path = virtual, pg_catalog")
  // One plan per text: otherwise the choice of a plan depends on how often a statement ran.
  postgres.query("set plan_cache_mode = force_generic_plan")
  // The database is never restarted, and its statistics are not read.
  for (const setting of ["synchronous_commit", "track_activities", "track_counts"]) {
    postgres.query(`set ${setting} = off`)
  }
  postgres.query("select set_config('virtual.millis', '0', false)")
  await Effect.runPromise(
    migrate.pipe(
      Effect.provide(
        sessionsOf(postgres, migrationHooks, new Map(), RememberedReads.none).client(Process.make("migration"))
      )
    )
  )
  // The triggers that keep the audit log append-only also refuse to empty the database between runs.
  for (const table of ["audit_entries", "audit_seals"]) postgres.query(`alter table ${table} disable trigger user`)
  const tables = postgres.query(
    "select tablename from pg_tables where schemaname = 'virtual' and tablename not like '%migrations' order by 1"
  )
    .map(({ tablename }) => String(tablename))
  // Migrations leave rows.
  postgres.query(`truncate ${tables.join(", ")}`)
  const columns = TableCopy.insertedColumns(postgres)
  const reads = RememberedReads.make(postgres, TableUse.make(postgres, tables), tables)
  return {
    checkpoint: () => {
      postgres.forget()
      postgres.query("checkpoint")
    },
    open: (hooks) => {
      postgres.query("rollback")
      reads.reset(hooks.forgets !== true)
      postgres.query("discard plans")
      return sessionsOf(postgres, hooks, columns, reads)
    }
  }
}
