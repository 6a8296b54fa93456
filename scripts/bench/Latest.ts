/** `bench/latest.json`: the newest row of each name, and where it was measured. */
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { Machine, root } from "./Machine.ts"
import { Row } from "./Row.ts"

export const Latest = Schema.Struct({
  machine: Machine,
  /** Of the newest row; each row has its own. */
  commit: Schema.String,
  rows: Schema.Array(Row)
})
export type Latest = typeof Latest.Type

export const file = Path.join(root, "bench/latest.json")

export const read = (path = file): Latest | undefined =>
  Fs.existsSync(path) ? Schema.decodeUnknownSync(Schema.fromJsonString(Latest))(Fs.readFileSync(path, "utf8")) : undefined

const same = (a: Machine, b: Machine) => JSON.stringify(a) === JSON.stringify(b)

/**
 * New rows take the place of those of their name; the others stay. Rows of another machine are dropped: side by side they would
 * be compared. `order` lists all names there are, in the order they are shown.
 */
export const merged = (before: Latest | undefined, now: Latest, order: (name: string) => number): Latest => {
  const kept = before === undefined || !same(before.machine, now.machine)
    ? []
    : before.rows.filter(({ name }) => !now.rows.some((row) => row.name === name))
  return { ...now, rows: [...kept, ...now.rows].sort((a, b) => order(a.name) - order(b.name)) }
}

export const write = (latest: Latest, path = file): void => {
  Fs.mkdirSync(Path.dirname(path), { recursive: true })
  Fs.writeFileSync(path, `${JSON.stringify(latest, null, 2)}\n`)
}
