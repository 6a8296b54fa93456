/**
 * Which tables a statement reads and which it may change, from the words of its text and from the functions, triggers,
 * views and foreign keys of the schema.
 */
import type { Postgres } from "./Postgres.ts"

/** The tables that decide the answer of a read, besides its parameters. */
export interface Read {
  readonly tables: ReadonlyArray<string>
  /** The time does too. */
  readonly isTimed: boolean
}

export interface TableUse {
  /**
   * Returns what decides the answer of a statement; `undefined` for one that writes, locks, or answers from more than
   * rows, parameters and the time: randomness, a sequence.
   */
  readonly readBy: (text: string) => Read | undefined
  /** Returns the tables that a statement may change, also by its triggers. More than it changes, never fewer. */
  readonly changedBy: (text: string) => ReadonlyArray<string>
}

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.toLowerCase().match(/[a-z_][a-z0-9_]*/g))

/** Functions whose answer is the virtual time. */
const times = new Set(["now", "clock_timestamp"])
/** Other stable functions whose answer changes. PostgreSQL itself names the volatile ones. */
const changes = ["age", "current_date", "current_time", "current_timestamp", "localtime", "localtimestamp"]
const settings = ["current_setting", "statement_timestamp", "transaction_timestamp"]
/** Words of statements that change or lock something, and of code whose tables its text does not name. */
const changing = ["insert", "update", "delete", "merge", "truncate", "call", "do", "execute"]
const locks = /\bfor\s+(?:key\s+)?share\b/i
const targets = /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?"?(\w+)/gi

/** Reads pairs of a name and what it stands for. */
const readMeanings = (postgres: Postgres, text: string): Map<string, string> => {
  const meanings = new Map<string, string>()
  for (const { means, name } of postgres.query(text)) {
    meanings.set(String(name), `${meanings.get(String(name)) ?? ""} ${String(means)}`)
  }
  return meanings
}

const functions = `select proname as name, pg_get_functiondef(oid) as means from pg_proc
  where pronamespace = current_schema()::text::regnamespace and prokind in ('f', 'p')`
const views = "select viewname as name, definition as means from pg_views where schemaname = current_schema()"
const triggers = `select tgrelid::regclass::text as name, tgfoid::regproc::text as means from pg_trigger
  where not tgisinternal`
/** A change of the first table may change the second one: a deletion that cascades. */
const cascades = `select confrelid::regclass::text as name, conrelid::regclass::text as means from pg_constraint
  where contype = 'f' and confdeltype in ('c', 'n', 'd')`

/** Adds to words what they stand for, and what that stands for. */
const expand = (words: ReadonlySet<string>, meanings: ReadonlyMap<string, string>): ReadonlySet<string> => {
  const all = new Set(words)
  // A set's iteration also visits what is added meanwhile.
  for (const word of all) {
    const meant = meanings.get(word)
    if (meant !== undefined) { for (const each of wordsOf(meant)) all.add(each) }
  }
  return all
}

/** Reads the schema, which must not change afterwards. */
export const make = (postgres: Postgres, tables: ReadonlyArray<string>): TableUse => {
  const bodies = readMeanings(postgres, functions)
  const readMeaning = new Map([...bodies, ...readMeanings(postgres, views)])
  for (const time of times) readMeaning.delete(time)
  const triggersOf = readMeanings(postgres, triggers)
  const cascadesOf = readMeanings(postgres, cascades)
  const volatile = postgres.query(
    "select distinct proname as name from pg_proc where provolatile = 'v' and pronamespace = 'pg_catalog'::regnamespace"
  )
  const impure = new Set([...changes, ...settings, ...changing, ...volatile.map(({ name }) => String(name))])

  const findRead = (text: string) => {
    const words = expand(wordsOf(text), readMeaning)
    const isRead = /^[\s(]*(select|with)\b/i.test(text) && !locks.test(text) &&
      !Array.from(words).some((word) => !times.has(word) && (impure.has(word) || word.startsWith("pg_")))
    const isTimed = Array.from(words).some((word) => times.has(word))
    return isRead ? { tables: tables.filter((table) => words.has(table)), isTimed } : undefined
  }
  const findChanged = (text: string) => {
    const changed = new Set<string>()
    const codes = new Set([text])
    for (const code of codes) {
      for (const word of wordsOf(code)) codes.add(bodies.get(word) ?? "")
      for (const [, table = ""] of code.matchAll(targets)) {
        for (const each of expand(new Set([table.toLowerCase()]), cascadesOf)) {
          changed.add(each)
          codes.add(triggersOf.get(each) ?? "")
        }
      }
    }
    return tables.filter((table) => changed.has(table))
  }
  return {
    readBy: remembering(findRead),
    changedBy: remembering(findChanged)
  }
}

/** Returns the same function, which is called once for each text. */
const remembering = <A>(of: (text: string) => A) => {
  const known = new Map<string, { readonly value: A }>()
  return (text: string): A => {
    const found = known.get(text) ?? { value: of(text) }
    known.set(text, found)
    return found.value
  }
}
