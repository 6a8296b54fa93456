/** Rows as a table in text (RFC 4180): the first row's members are the columns. */

export type Cell = string | number | boolean | null

/** Quoted where it must be; a text that a spreadsheet would take for a formula is led by an apostrophe. */
const cell = (value: Cell): string => {
  if (value === null) return ""
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** The table, every line ended; the columns alone where there are no rows. */
export const csv = <Column extends string>(columns: ReadonlyArray<Column>, rows: ReadonlyArray<{ readonly [K in Column]: Cell }>): string =>
  [columns.join(","), ...rows.map((row) => columns.map((column) => cell(row[column])).join(","))].map((line) => `${line}\r\n`).join("")
