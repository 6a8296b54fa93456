/** The rows of a table over time: while a row's values are the same it stays the same object, which is not drawn again. */
import { useRef } from "react"

const isSame = <Row extends object>(one: Row, other: Row): boolean => {
  const entries = Object.entries(one)
  return entries.length === Object.keys(other).length &&
    entries.every(([name, value]) => Object.is(value, other[name as keyof Row]))
}

/** Returns the rows with each that is equal to an earlier one of its key in that one's place; the same list if all are. */
export const withUnchanged = <Row extends object>(
  earlier: ReadonlyArray<Row>,
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => string
): ReadonlyArray<Row> => {
  if (earlier === rows || earlier.length === 0) return rows
  const found = new Map(earlier.map((row) => [keyOf(row), row]))
  const kept = rows.map((row) => {
    const before = found.get(keyOf(row))
    return before !== undefined && isSame(before, row) ? before : row
  })
  return kept.length === earlier.length && kept.every((row, index) => row === earlier[index]) ? earlier : kept
}

/** Keeps the rows of a table that are equal to those of the last time. */
export const useUnchanged = <Row extends object>(
  rows: ReadonlyArray<Row>,
  keyOf: (row: Row) => string
): ReadonlyArray<Row> => {
  const last = useRef<{ readonly given: ReadonlyArray<Row>; readonly kept: ReadonlyArray<Row> }>(undefined)
  if (last.current?.given !== rows) {
    last.current = { given: rows, kept: withUnchanged(last.current?.kept ?? [], rows, keyOf) }
  }
  return last.current.kept
}
