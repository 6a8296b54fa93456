/** Answers as text for people: the message, fields below each other, and lists of objects as tables. */
type Fields = Readonly<Record<string, unknown>>

export interface Style {
  /** Columns of the terminal; undefined when the text goes to a file or a pipe. */
  readonly columns: number | undefined
  readonly colors: boolean
}

/** Widest table when the text does not go to a terminal. */
const defaultColumns = 160

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isObjects = (value: unknown): value is ReadonlyArray<Fields> =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

/**
 * Replaces characters that control a terminal or reverse the direction of text: names of tokens come from contracts of
 * strangers.
 */
export const harmless = (text: string): string =>
  text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
  )

/** Writes JSON. Control characters that JSON allows in a text are escaped: the value is the same. */
export const json = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
  )

/** A quantity of a token: `amount` in human units, beside its `symbol`. */
const isQuantity = (value: unknown): value is { readonly amount: unknown; readonly symbol: string } =>
  isObject(value) && typeof value["symbol"] === "string" && typeof value["amount"] === "string" &&
  Object.keys(value).every((name) => ["amount", "symbol", "asset", "raw"].includes(name))

/** Returns a value in one line. */
const inline = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "-"
  if (typeof value === "string") return harmless(value)
  if (isQuantity(value)) return harmless(`${String(value.amount)} ${value.symbol}`)
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(inline).join(", ")
  return harmless(JSON.stringify(value))
}

const dim = (text: string, { colors }: Style) => colors ? `\u001b[2m${text}\u001b[22m` : text
const bold = (text: string, { colors }: Style) => colors ? `\u001b[1m${text}\u001b[22m` : text

const isNumeric = (text: string): boolean => /^-?\d[\d.]*(e[+-]?\d+)?%?$/i.test(text)

const table = (rows: ReadonlyArray<Fields>, indent: string, style: Style): ReadonlyArray<string> => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => names.map((name) => inline(row[name])))
  const widths = names.map((name, column) => Math.max(name.length, ...cells.map((row) => (row[column] ?? "").length)))
  const total = indent.length + widths.reduce((sum, width) => sum + width + 2, 0)
  if (total > (style.columns ?? defaultColumns)) {
    return rows.flatMap((row, index) => [...(index === 0 ? [] : [""]), ...lines(row, indent, style)])
  }
  const right = names.map((_, column) => cells.every((row) => isNumeric(row[column] ?? "") || row[column] === "-"))
  const line = (row: ReadonlyArray<string>) =>
    row.map((cell, column) =>
      right[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
    )
      .join("  ").trimEnd()
  return [`${indent}${dim(line(names), style)}`, ...cells.map((row) => `${indent}${line(row)}`)]
}

/** Returns the lines of an object's fields. */
const lines = (fields: Fields, indent: string, style: Style): ReadonlyArray<string> => {
  const width = Math.max(0, ...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields).flatMap(([name, value]) => {
    if (isObjects(value) && !value.every(isQuantity)) {
      return [`${indent}${dim(name, style)}`, ...table(value, `${indent}  `, style)]
    }
    return isObject(value) && !isQuantity(value) && Object.keys(value).length > 0
      ? [`${indent}${dim(name, style)}`, ...lines(value, `${indent}  `, style)]
      : [`${indent}${dim(name.padEnd(width), style)}  ${inline(value)}`]
  })
}

/** Returns the sentence above the fields: the service's message, or the number of items. */
const summary = (fields: Fields): string | undefined => {
  const { message } = fields
  if (typeof message === "string" && message !== "") return harmless(message)
  const list = Object.entries(fields).find(([, value]) => Array.isArray(value))
  if (list === undefined) return undefined
  const [name, { length }] = list as [string, ReadonlyArray<unknown>]
  return `${length} ${length === 1 ? name.replace(/s$/, "") : name}`
}

/** Renders an answer. */
export const render = (answer: Fields, style: Style): string => {
  const { message: _, status: __, ...fields } = answer
  const first = summary(answer)
  const empty = (value: unknown) => Array.isArray(value) && value.length === 0
  const shown = Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !(empty(value) && first === `0 ${name}`))
  )
  const rest = lines(shown, first === undefined ? "" : "  ", style)
  return [...(first === undefined ? [] : [bold(first, style)]), ...rest].map((line) => `${line}\n`).join("")
}
