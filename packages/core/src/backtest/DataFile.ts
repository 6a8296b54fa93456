/** Rows of a CSV or JSON file, each with the place it stands at, so that a fault can name it. */
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Why a file cannot be used, in one sentence that names file and place. */
export type Fault = string

/** Fields by their lower-case names, as text. */
export interface DataRow {
  /** As people call it: `prices.csv line 3`. */
  readonly place: string
  readonly fields: Readonly<Record<string, string>>
}

/** Other names that exports give a column. */
const aliases: Readonly<Record<string, string>> = { timestamp: "time", date: "time", datetime: "time", "open time": "time", opentime: "time", vol: "volume" }
const nameOf = (text: string) => {
  const name = text.trim().toLowerCase()
  return aliases[name] ?? name
}

const unquoted = (text: string) => text.trim().replace(/^"(.*)"$/, "$1").trim()
const cellsOf = (line: string) => line.split(",").map(unquoted)

/** A first line of numbers or dates is no header. */
const isData = ([first = ""]: ReadonlyArray<string>) => /^\d/.test(first)

const fromCsv = (file: string, text: string, columns: ReadonlyArray<string>, needed: ReadonlyArray<string>): Result.Result<ReadonlyArray<DataRow>, Fault> => {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line, place: `${file} line ${index + 1}` })).filter(({ line }) => line.trim() !== "")
  const [head] = lines
  const accepted = `accepted are ${columns.join(",")}`
  if (head === undefined) return Result.fail(`${file} is empty; ${accepted}`)
  const first = cellsOf(head.line)
  const names = isData(first) ? columns : first.map(nameOf)
  const missing = needed.filter((name) => !names.includes(name))
  if (missing.length > 0) return Result.fail(`${head.place}: there is no column ${missing.join(", ")}; ${accepted}`)
  return Result.all((isData(first) ? lines : lines.slice(1)).map(({ line, place }) => {
    const cells = cellsOf(line)
    const fields = Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]))
    return cells.length > names.length
      ? Result.fail(`${place}: has ${cells.length} values for ${names.length} columns; ${accepted}`)
      : Result.succeed({ place, fields })
  }))
}

const Json = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))
const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Unknown))

/** A list of rows, an answer that has it in a field, or an answer in the one-element wire. */
const listOf = (value: unknown, field: string): ReadonlyArray<unknown> | undefined => {
  if (Array.isArray(value)) return value.length === 1 && Array.isArray(value[0]) ? value[0] as ReadonlyArray<unknown> : value
  return isRecord(value) && Array.isArray(value[field]) ? listOf(value[field], field) : undefined
}

const textOf = (value: unknown) => typeof value === "string" ? value.trim() : typeof value === "number" ? String(value) : ""

const fromJson = (file: string, text: string, field: string): Result.Result<ReadonlyArray<DataRow>, Fault> => {
  const list = Option.getOrUndefined(Option.map(Json(text), (value) => listOf(value, field)))
  if (list === undefined) return Result.fail(`${file} is no JSON list of rows; accepted is such a list, or an object that has it as ${field}`)
  return Result.all(list.map((row, index) => {
    const place = `${file} row ${index + 1}`
    return isRecord(row) && !Array.isArray(row)
      ? Result.succeed({ place, fields: Object.fromEntries(Object.entries(row).map(([name, value]) => [nameOf(name), textOf(value)])) })
      : Result.fail(`${place}: is no object; accepted is {"time":1767225600, …}`)
  }))
}

/** What a file is to hold. */
export interface Shape {
  /** In the order of a CSV that has no header. */
  readonly columns: ReadonlyArray<string>
  readonly needed: ReadonlyArray<string>
  /** Where a JSON object has the rows. */
  readonly field: string
}

/** CSV, with a header or without, or JSON. */
export const rowsOf = (file: string, content: string, { columns, field, needed }: Shape): Result.Result<ReadonlyArray<DataRow>, Fault> => {
  const text = content.replace(/^\uFEFF/, "")
  return /^\s*[[{]/.test(text) ? fromJson(file, text, field) : fromCsv(file, text, columns, needed)
}

const iso = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/
/** A time without a zone is UTC, as a date is. */
const zoned = (text: string) => {
  const spelled = text.replace(" ", "T")
  return spelled.includes("T") && !/(Z|[+-]\d{2}:?\d{2})$/.test(spelled) ? `${spelled}Z` : spelled
}

/** Unix seconds of a time as files spell it: unix seconds or milliseconds, or ISO 8601. */
export const timeOf = ({ fields, place }: DataRow): Result.Result<number, Fault> => {
  const text = fields["time"] ?? ""
  const number = /^\d{1,13}(\.\d{1,9})?$/.test(text) ? Number(text) : Number.NaN
  const seconds = !Number.isNaN(number)
    ? Math.floor(number >= 1e11 ? number / 1000 : number)
    : iso.test(text) ? Math.floor(Date.parse(zoned(text)) / 1000) : Number.NaN
  return Number.isNaN(seconds)
    ? Result.fail(`${place}: time '${text}' is no time; accepted are unix seconds as 1767225600 and ISO 8601 as 2026-01-01T00:00:00Z`)
    : Result.succeed(seconds)
}

/** Places whose times do not rise are a fault; a time that comes twice is one unless it may. */
export const rising = <A extends { readonly time: number }>(
  items: ReadonlyArray<A>,
  rows: ReadonlyArray<DataRow>,
  { twice }: { readonly twice: boolean }
): Result.Result<ReadonlyArray<A>, Fault> => {
  const wrong = items.findIndex(({ time }, index) => index > 0 && (twice ? time < items[index - 1]!.time : time <= items[index - 1]!.time))
  if (wrong === -1) return Result.succeed(items)
  const { fields, place } = rows[wrong]!
  const above = rows[wrong - 1]!.place
  return Result.fail(
    items[wrong]!.time === items[wrong - 1]!.time
      ? `${place}: time '${fields["time"]}' is that of ${above} too; accepted is each time once`
      : `${place}: time '${fields["time"]}' is before that of ${above}; accepted are rows from the oldest to the newest`
  )
}
