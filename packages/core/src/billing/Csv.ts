/** CSV tables (RFC 4180). */

type Cell = string | number | boolean | null

/** A plain decimal number, which a spreadsheet never reads as a formula. */
const decimal = /^-?\d+(\.\d+)?$/

/**
 * Formats a cell, quoted where necessary. A text that a spreadsheet would read as a formula gets a leading apostrophe.
 */
const cell = (value: Cell): string => {
  if (value === null) return ""
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) && !decimal.test(value)
    ? `'${value}`
    : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll("\"", "\"\"")}"` : text
}

/** Formats a table with a header line. Every line, including the last, ends with CRLF. */
export const csv = <Column extends string>(
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<{ readonly [K in Column]: Cell }>
): string =>
  [columns.join(","), ...rows.map((row) => columns.map((column) => cell(row[column])).join(","))].map((line) =>
    `${line}\r\n`
  ).join("")
