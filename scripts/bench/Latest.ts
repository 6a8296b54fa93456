/** `bench/latest.json`: the newest row of each name, and the machine it was measured on. */
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { Machine, root } from "./Machine.ts"
import { Row } from "./Row.ts"

export const Latest = Schema.Struct({
  machine: Machine,
  /** Commit of the newest row; each row has its own. */
  commit: Schema.String,
  rows: Schema.Array(Row)
})
export type Latest = typeof Latest.Type

export const file = Path.join(root, "bench/latest.json")

export const read = (path = file): Latest | undefined =>
  Fs.existsSync(path)
    ? Schema.decodeUnknownSync(Schema.fromJsonString(Latest))(Fs.readFileSync(path, "utf8"))
    : undefined

const same = (a: Machine, b: Machine) => JSON.stringify(a) === JSON.stringify(b)

/**
 * Replaces rows of the same name and keeps the others. Drops rows of another machine, because readers would compare
 * them. `order` returns the position of a row's name in the table.
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
