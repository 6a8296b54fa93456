/** What a statement writes, by its text: what deaths are aimed at, and what they are counted under. */

const clause = /(?<!\bfor\s|\bdo\s)\b(insert into|update|delete from)\s+(\w+)(?:\s+\w+)?(?:\s+set status = '?([a-z]+)')?/gi

/** A write may be several in one statement. */
export const isWrite = (text: string): boolean => /^(insert|update|delete)/i.test(text) || (/^with\s/i.test(text) && text.search(clause) !== -1)

/** What it does to which tables, and which status it gives. */
export const nameOf = (text: string): string => {
  const clauses = Array.from(text.matchAll(clause), ([, what = "", table, status]) =>
    `${what.toLowerCase()} ${table}${status === undefined ? "" : ` to ${status}`}`)
  const own = /^with\s/i.test(text) ? clauses : clauses.slice(0, 1)
  return own.length === 0 ? text.slice(0, 20) : [...new Set(own)].join(", ")
}
