/** Names a statement by what it writes. Crashes are aimed at writes and counted by these names. */

const clause =
  /(?<!\bfor\s|\bdo\s)\b(insert into|update|delete from)\s+(\w+)(?:\s+\w+)?(?:\s+set status = '?([a-z]+)')?/gi

/** Returns whether a statement writes. One statement may contain several writes. */
export const isWrite = (text: string): boolean =>
  /^(insert|update|delete)/i.test(text) || (/^with\s/i.test(text) && text.search(clause) !== -1)

/** Returns the operation and table of each write, and the status it sets. */
export const nameOf = (text: string): string => {
  const clauses = Array.from(
    text.matchAll(clause),
    ([, operation = "", table, status]) =>
      `${operation.toLowerCase()} ${table}${status === undefined ? "" : ` to ${status}`}`
  )
  const writes = /^with\s/i.test(text) ? clauses : clauses.slice(0, 1)
  return writes.length === 0 ? text.slice(0, 20) : [...new Set(writes)].join(", ")
}
