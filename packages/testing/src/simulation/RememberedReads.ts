/**
 * Answers of reads, kept until a table that they read changes. Most statements of a run are polls of tables in which
 * nothing has happened; PGlite takes longer for one of them than everything else of its turn.
 */
import type { Postgres, Row } from "./Postgres.ts"
import { empty } from "./TableCopy.ts"
import type { Read, TableUse } from "./TableUse.ts"

export interface RememberedReads {
  /**
   * Returns the rows of a statement: remembered ones if nothing can have changed them, otherwise those that `execute`
   * returns. `params` is the text of its parameters.
   */
  readonly rowsOf: (text: string, params: string, execute: () => ReadonlyArray<Row>) => ReadonlyArray<Row>
  /** Notes a rollback of the session. */
  readonly rolledBack: () => void
  /** Notes that the rows of these tables were replaced. */
  readonly replaced: (tables: Iterable<string>) => void
  /** Returns the tables that may have rows. */
  readonly inUse: () => ReadonlyArray<string>
  /** Empties the tables that may have rows, and forgets all answers. While `remembers` is false it keeps none. */
  readonly reset: (remembers: boolean) => void
}

interface Remembered {
  readonly at: number
  readonly rows: ReadonlyArray<Row>
}

const isRollback = (text: string) => /^rollback/i.test(text)
/** A commit of a failed transaction is a rollback too. */
const isEnd = (text: string) => /^(commit|rollback$)/i.test(text)

/** `tables` are all tables whose rows a run can change. */
export const make = (postgres: Postgres, use: TableUse, tables: ReadonlyArray<string>): RememberedReads => {
  const anyRow = tables.map((table) => `select '${table}' as name where exists (select 1 from ${table})`).join(
    " union all "
  )
  const answers = new Map<string, Map<string, Remembered>>()
  /** When each table that may have rows was changed last, in statements. */
  const changedAt = new Map<string, number>()
  /** Tables that the open transaction has changed. */
  const inTransaction = new Set<string>()
  let isOn = true
  let statements = 0
  /** A transaction that failed refuses reads too. */
  let hasFailed = false

  /** Returns true for a read of tables without rows: if it finds none at one time, it finds none at any time. */
  const isOfEmptyTables = ({ tables: asked }: Read) => asked.length > 0 && !asked.some((table) => changedAt.has(table))
  const replaced = (tables: Iterable<string>) => {
    statements++
    for (const table of tables) changedAt.set(table, statements)
  }
  const change = (text: string) => {
    const tables = use.changedBy(text)
    replaced(tables)
    for (const table of tables) inTransaction.add(table)
  }
  const rolledBack = () => {
    replaced(inTransaction)
    hasFailed = false
  }
  const executeNoting = (text: string, execute: () => ReadonlyArray<Row>) => {
    try {
      return execute()
    } catch (cause) {
      hasFailed = true
      throw cause
    } finally {
      if (use.readBy(text) === undefined) change(text)
      if (isRollback(text) || isEnd(text)) rolledBack()
      if (isEnd(text)) inTransaction.clear()
    }
  }

  const inUse = () => tables.filter((table) => changedAt.has(table))

  return {
    replaced,
    rolledBack: () => {
      rolledBack()
      inTransaction.clear()
    },
    rowsOf: (text, params, execute) => {
      const read = use.readBy(text)
      if (!isOn || read === undefined || hasFailed) return executeNoting(text, execute)
      const known = answers.get(text)?.get(params)
      if (known !== undefined && read.tables.every((table) => (changedAt.get(table) ?? 0) <= known.at)) {
        return known.rows
      }
      const rows = executeNoting(text, execute)
      if (read.isTimed && !(rows.length === 0 && isOfEmptyTables(read))) return rows
      const ofText = answers.get(text) ?? new Map<string, Remembered>()
      answers.set(text, ofText.set(params, { at: statements, rows }))
      return rows
    },
    inUse,
    reset: (remembers) => {
      isOn = remembers
      empty(postgres, inUse())
      const [missed] = postgres.query(anyRow)
      if (missed !== undefined) throw new Error(`no statement is known to have changed ${String(missed["name"])}`)
      answers.clear()
      changedAt.clear()
      inTransaction.clear()
      hasFailed = false
    }
  }
}

/** Remembers nothing: for statements that change the schema. */
export const none: RememberedReads = {
  rowsOf: (_text, _params, execute) => execute(),
  rolledBack: () => undefined,
  replaced: () => undefined,
  inUse: () => [],
  reset: () => undefined
}
