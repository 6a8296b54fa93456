/** Reads the rows of a CSV or JSON file, each with its place in the file, so that an error can name it. */
import { CsvError, parse } from "csv-parse/sync"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The reason why a file cannot be used: one sentence that names the file and the place. */
export type Fault = string

/** A row: its fields as text, by lower-case name. */
export interface DataRow {
  /** The place in the file, for example `prices.csv line 3`. */
  readonly place: string
  readonly fields: Readonly<Record<string, string>>
}

/** Other names for columns in exports. */
const aliases: Readonly<Record<string, string>> = {
  timestamp: "time",
  date: "time",
  datetime: "time",
  "open time": "time",
  opentime: "time",
  vol: "volume"
}
const nameOf = (text: string) => {
  const name = text.trim().toLowerCase()
  return aliases[name] ?? name
}

/** Returns true when the first line begins with a number or a date, and so is not a header. */
const isData = ([first = ""]: ReadonlyArray<string>) => /^\d/.test(first)

interface Line {
  readonly cells: ReadonlyArray<string>
  readonly place: string
}

/** Splits CSV (RFC 4180) into lines that are not empty. */
const linesOf = (file: string, text: string): Result.Result<ReadonlyArray<Line>, Fault> =>
  Result.map(
    Result.try({
      // The records have this form because of `info`; how many values they have is checked against the columns.
      try: () =>
        parse(text, {
          info: true,
          relax_column_count: true,
          skip_empty_lines: true,
          trim: true
        }) as unknown as ReadonlyArray<
          { readonly record: ReadonlyArray<string>; readonly info: { readonly lines: number } }
        >,
      catch: (error) =>
        `${file} line ${
          error instanceof CsvError ? Number(error["lines"]) : 1
        }: quotes are not balanced; expected a value ` +
        "with quotes to begin and end with one, and to have those inside doubled"
    }),
    (records) => records.map(({ info, record }) => ({ cells: record, place: `${file} line ${info.lines}` }))
  )

const fromCsv = (
  file: string,
  text: string,
  columns: ReadonlyArray<string>,
  needed: ReadonlyArray<string>
): Result.Result<ReadonlyArray<DataRow>, Fault> =>
  Result.flatMap(linesOf(file, text), (lines) => {
    const [head] = lines
    const accepted = `expected columns ${columns.join(",")}`
    if (head === undefined) return Result.fail(`${file} is empty; ${accepted}`)
    const names = isData(head.cells) ? columns : head.cells.map(nameOf)
    const missing = needed.filter((name) => !names.includes(name))
    if (missing.length > 0) {
      return Result.fail(
        `${head.place}: missing ${missing.length === 1 ? "column" : "columns"} ${missing.join(", ")}; ${accepted}`
      )
    }
    return Result.all((isData(head.cells) ? lines : lines.slice(1)).map(({ cells, place }) => {
      const fields = Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]))
      return cells.length > names.length
        ? Result.fail(`${place}: has ${cells.length} values for ${names.length} columns; ${accepted}`)
        : Result.succeed({ place, fields })
    }))
  })

const Json = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))
const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Unknown))

/**
 * Finds the list of rows: the value itself, the list in a field of a response, or either in a one-element array as on
 * the wire.
 */
const listOf = (value: unknown, field: string): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(value)) {
    return value.length === 1 && Array.isArray(value[0])
      ? value[0] as ReadonlyArray<unknown>
      : value
  }
  return isRecord(value) && Array.isArray(value[field]) ? listOf(value[field], field) : undefined
}

const textOf = (value: unknown) =>
  typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : ""

const fromJson = (file: string, text: string, field: string): Result.Result<ReadonlyArray<DataRow>, Fault> => {
  const list = Option.getOrUndefined(Option.map(Json(text), (value) => listOf(value, field)))
  if (list === undefined) {
    return Result.fail(
      `${file} is not a JSON list of rows; expected such a list, or an object with the list as ${field}`
    )
  }
  return Result.all(list.map((row, index) => {
    const place = `${file} row ${index + 1}`
    return isRecord(row) && !Array.isArray(row)
      ? Result.succeed({
        place,
        fields: Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), textOf(value)]))
      })
      : Result.fail(`${place}: is not an object; expected {"time":1767225600, …}`)
  }))
}

/** The expected content of a file. */
interface Shape {
  /** The columns, in the order of a CSV without a header. */
  readonly columns: ReadonlyArray<string>
  readonly needed: ReadonlyArray<string>
  /** The field of a JSON object that holds the rows. */
  readonly field: string
}

/** Parses CSV, with or without a header, or JSON. */
export const rowsOf = (
  file: string,
  content: string,
  { columns, field, needed }: Shape
): Result.Result<ReadonlyArray<DataRow>, Fault> => {
  const text = content.replace(/^\uFEFF/, "")
  return /^\s*[[{]/.test(text) ? fromJson(file, text, field) : fromCsv(file, text, columns, needed)
}

const iso = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/
/** Appends UTC to a time without a zone. A date without a time is already UTC. */
const withZone = (text: string) => {
  const spelled = text.replace(" ", "T")
  return spelled.includes("T") && !/(Z|[+-]\d{2}:?\d{2})$/.test(spelled) ? `${spelled}Z` : spelled
}

/** Parses a row's time to unix seconds. It accepts unix seconds or milliseconds, and ISO 8601. */
export const timeOf = ({ fields, place }: DataRow): Result.Result<number, Fault> => {
  const text = fields["time"] ?? ""
  const number = /^\d{1,13}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  const seconds = !Number.isNaN(number)
    ? Math.floor(number >= 1e11 ? number / 1000 : number)
    : iso.test(text)
    ? Math.floor(Date.parse(withZone(text)) / 1000)
    : Number.NaN
  return Number.isNaN(seconds)
    ? Result.fail(
      `${place}: time '${text}' is not a time; expected unix seconds such as 1767225600 or ISO 8601 such as 2026-01-01T00:00:00Z`
    )
    : Result.succeed(seconds)
}

/** Fails unless times ascend. Equal times are allowed only if `twice` is set. */
export const rising = <A extends { readonly time: number }>(
  items: ReadonlyArray<A>,
  rows: ReadonlyArray<DataRow>,
  { twice }: { readonly twice: boolean }
): Result.Result<ReadonlyArray<A>, Fault> => {
  const wrongIndex = items.findIndex(({ time }, index) =>
    index > 0 && (twice ? time < items[index - 1]!.time : time <= items[index - 1]!.time)
  )
  if (wrongIndex === -1) return Result.succeed(items)
  const { fields, place } = rows[wrongIndex]!
  const above = rows[wrongIndex - 1]!.place
  return Result.fail(
    items[wrongIndex]!.time === items[wrongIndex - 1]!.time
      ? `${place}: time '${fields["time"]}' repeats that of ${above}; expected each time once`
      : `${place}: time '${fields["time"]}' is before that of ${above}; expected rows from the oldest to the newest`
  )
}
