/**
 * Executes statements on virtual time, in the one session of the database, and notes which signed bytes are committed.
 */
import * as Effect from "effect/Effect"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import type * as Postgres from "./Postgres.ts"
import type * as Process from "./Process.ts"
import type { RememberedReads } from "./RememberedReads.ts"
import { isWrite } from "./StatementName.ts"
import { textOf } from "./Trace.ts"
import type { VirtualClock } from "./VirtualClock.ts"

/** The writes of a transaction so far. */
export interface Writes {
  /** The last of them. */
  wrote: string | undefined
  /** It has written to the attempts table. */
  signed: boolean
}

export type Result = Effect.Effect<ReadonlyArray<Postgres.Row>, SqlError>

export interface StatementExecutor {
  /** Executes a statement. `writes` are those of its transaction, if it is in one. */
  readonly execute: (
    process: Process.Process,
    text: string,
    params: ReadonlyArray<unknown>,
    writes: Writes | undefined
  ) => Result
  /** Reads directly: what is committed, and what the open transaction has changed. */
  readonly peek: (text: string, params?: ReadonlyArray<unknown>) => ReadonlyArray<Postgres.Row>
  /** Rolls back the open transaction of the session. */
  readonly rollback: () => void
  /** Returns whether signed bytes were in a committed row at the last commit. */
  readonly isCommitted: (raw: string) => boolean
}

/** Collects the signed bytes in committed rows. */
const makeCommitted = (query: (text: string) => ReadonlyArray<Postgres.Row>) => {
  const committed = new Set<string>()
  const readAttempts = (text: string) => {
    if (/\battempts\b/.test(text)) {
      for (const { raw } of query("select raw from attempts")) committed.add(String(raw))
    }
  }
  return {
    has: (raw: string) => committed.has(raw),
    /** Records writes and commits. */
    track: (text: string, writes: Writes | undefined) => {
      if (isWrite(text)) {
        if (writes === undefined) return readAttempts(text)
        writes.wrote = text
        writes.signed ||= /\battempts\b/.test(text)
      }
      if (/^commit/i.test(text) && writes?.signed === true) readAttempts("attempts")
    }
  }
}

export const make = (
  postgres: Postgres.Postgres,
  reads: RememberedReads,
  { clock, record }: {
    readonly clock: VirtualClock
    readonly record: (...words: ReadonlyArray<unknown>) => void
  }
): StatementExecutor => {
  const peek = (text: string, params: ReadonlyArray<unknown> = []) =>
    reads.rowsOf(text, textOf(params), () => postgres.query(text, params))
  const committed = makeCommitted(peek)
  let setMillis = Number.NaN
  let isInTransaction = false

  const run = (text: string, params: ReadonlyArray<unknown>) => {
    // A failed transaction accepts nothing but its end.
    if (setMillis === clock.now() || /^rollback/i.test(text)) return postgres.query(text, params)
    setMillis = clock.now()
    return postgres.queryAfter(["select set_config('virtual.millis', $1, false)", setMillis], text, params)
  }

  return {
    peek,
    isCommitted: committed.has,
    rollback: () => {
      if (!isInTransaction) return
      isInTransaction = false
      postgres.query("rollback")
      reads.rolledBack()
      setMillis = Number.NaN
    },
    execute: (process, text, params, writes) => {
      const paramText = textOf(params)
      try {
        const rows = reads.rowsOf(text, paramText, () => run(text, params))
        if (/^begin/i.test(text)) isInTransaction = true
        if (/^(commit|rollback$)/i.test(text)) isInTransaction = false
        // A rollback also undoes the setting of the virtual time.
        if (/^rollback/i.test(text)) setMillis = Number.NaN
        committed.track(text, writes)
        record("sql", process.name, text, paramText, rows.length)
        return Effect.succeed(rows)
      } catch (cause) {
        setMillis = Number.NaN
        record("sql", process.name, text, paramText, cause)
        return Effect.fail(
          new SqlError({ reason: new UnknownError({ cause, message: "the database refused a statement" }) })
        )
      }
    }
  }
}
