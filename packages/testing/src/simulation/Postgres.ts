/**
 * PGlite by its wire protocol, synchronously: the answer is there when the call returns, so no real time passes. Each
 * text is prepared once.
 */
import { PGlite, protocol } from "@electric-sql/pglite"

export type Row = Record<string, unknown>

export interface Postgres {
  readonly query: (text: string, params?: ReadonlyArray<unknown>) => ReadonlyArray<Row>
  /** The same, after another statement in the same message whose rows are discarded. */
  readonly queryAfter: (
    first: readonly [text: string, param: unknown],
    text: string,
    params: ReadonlyArray<unknown>
  ) => ReadonlyArray<Row>
  /** Drops all prepared statements and their plans. */
  readonly forget: () => void
}

/** An error response of PostgreSQL. */
export class Refused extends Error {
  readonly code: string
  readonly severity: string
  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get("M") ?? "refused")
    this.code = fields.get("C") ?? ""
    this.severity = fields.get("V") ?? ""
  }
}

interface Column {
  readonly name: string
  readonly read: (text: string) => unknown
}

const same = (text: string) => text
const bool = (text: string) => text === "t"
const json = (text: string): unknown => JSON.parse(text)
const date = (text: string) => new Date(text)
/** Reads values as node-postgres does: what may not fit a number stays text. */
const readers = new Map<number, Column["read"]>([
  [16, bool],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, Number],
  [701, Number],
  [114, json],
  [3802, json],
  [1114, date],
  [1184, date]
])

const encodeParam = (param: unknown): string | null => {
  if (param === null || param === undefined) return null
  if (param instanceof Date) return param.toISOString()
  if (typeof param === "string") return param
  return typeof param === "number" || typeof param === "bigint" || typeof param === "boolean"
    ? `${param}`
    : JSON.stringify(param)
}

interface Prepared {
  readonly name: string
  readonly columns: ReadonlyArray<Column>
  /** The message that binds it without parameters. */
  readonly bound: Uint8Array
}

interface Answer {
  readonly rows: ReadonlyArray<Row>
  readonly columns: ReadonlyArray<Column>
  readonly refused: Refused | undefined
}

/**
 * Parses a response without the rows of its first `skipped` statements. `defaultColumns` apply when the response names
 * none.
 */
const parse = (bytes: Uint8Array, defaultColumns: ReadonlyArray<Column>, skipped: number): Answer => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rows: Array<Row> = []
  let columns = defaultColumns
  let skips = skipped
  let refused: Refused | undefined
  for (let at = 0; at < buffer.length; at += 1 + buffer.readInt32BE(at + 1)) {
    const kind = buffer[at]
    if (kind === 0x43) skips-- // C
    else if (kind === 0x44 && skips <= 0) rows.push(rowOf(buffer, at + 5, columns)) // D
    else if (kind === 0x54) columns = columnsOf(buffer, at + 5) // T
    else if (kind === 0x45) refused ??= refusedOf(buffer, at + 5) // E
  }
  return { rows, columns, refused }
}

const columnsOf = (buffer: Buffer, start: number): ReadonlyArray<Column> => {
  const columns: Array<Column> = []
  let at = start + 2
  for (let left = buffer.readInt16BE(start); left > 0; left--) {
    const end = buffer.indexOf(0, at)
    const type = buffer.readInt32BE(end + 7)
    columns.push({ name: buffer.toString("utf8", at, end), read: readers.get(type) ?? same })
    at = end + 19
  }
  return columns
}

const rowOf = (buffer: Buffer, start: number, columns: ReadonlyArray<Column>): Row => {
  const row: Row = {}
  let at = start + 2
  for (const { name, read } of columns) {
    const length = buffer.readInt32BE(at)
    row[name] = length === -1 ? null : read(buffer.toString("utf8", at + 4, at + 4 + length))
    at += 4 + Math.max(0, length)
  }
  return row
}

const refusedOf = (buffer: Buffer, start: number): Refused => {
  const fields = new Map<string, string>()
  for (let at = start; buffer[at] !== 0;) {
    const end = buffer.indexOf(0, at + 1)
    fields.set(String.fromCharCode(buffer[at] ?? 0), buffer.toString("utf8", at + 1, end))
    at = end + 1
  }
  return new Refused(fields)
}

/** Creates an empty database in memory. */
export const make = async (): Promise<Postgres> => {
  const { serialize } = protocol
  const db = await PGlite.create()
  const prepared = new Map<string, Prepared>()
  // Serialized once: most statements of a run differ in nothing but their name.
  const [execute, sync] = [serialize.execute({}), serialize.sync()]
  const bind = (statement: string, values: Array<string | null>) => serialize.bind({ statement, values })
  /** Sends a message. By the stream, whose first part is synchronous: the other calls keep all responses they parse. */
  const send = (message: Uint8Array): Uint8Array => {
    const parts: Array<Uint8Array> = []
    void db.execProtocolRawStream(message, { syncToFs: false, onRawData: (part) => parts.push(part.slice()) })
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
  }
  const exchange = (messages: ReadonlyArray<Uint8Array>, columns: ReadonlyArray<Column>, skipped = 0) => {
    const answer = parse(send(Buffer.concat(messages)), columns, skipped)
    if (answer.refused !== undefined) throw answer.refused
    return answer
  }
  const prepare = (text: string) => {
    const name = `s${prepared.size}`
    const { columns } = exchange([
      serialize.parse({ name, text }),
      serialize.describe({ type: "S", name }),
      sync
    ], [])
    const statement = { name, columns, bound: bind(name, []) }
    prepared.set(text, statement)
    return statement
  }
  const statementOf = (text: string) => prepared.get(text) ?? prepare(text)
  const run = ({ bound, name }: Prepared, params: ReadonlyArray<unknown>) => [
    params.length === 0 ? bound : bind(name, params.map(encodeParam)),
    execute
  ]
  return {
    query: (text, params = []) => {
      const statement = statementOf(text)
      return exchange([...run(statement, params), sync], statement.columns).rows
    },
    queryAfter: ([before, param], text, params) => {
      const first = statementOf(before)
      const statement = statementOf(text)
      return exchange([...run(first, [param]), ...run(statement, params), sync], statement.columns, 1).rows
    },
    forget: () => {
      exchange([serialize.query("deallocate all")], [])
      prepared.clear()
    }
  }
}
