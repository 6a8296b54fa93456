/** The tables of docs/scale.md that the model prints: between two marks, so that the page stays what the model says. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "../bench/Machine.ts"
import { costsTable, needsTable, wallsTable } from "./CapacityTable.ts"
import { costs } from "./Costs.ts"
import { sizes } from "./FleetSize.ts"
import { usualSurroundings } from "./Walls.ts"

export const page = Path.join(root, "docs/scale.md")

const begin = "<!-- capacity:begin (npm run capacity -- --publish writes between these lines) -->"
const end = "<!-- capacity:end -->"

/** Returns what the command prints without options. */
export const generated = (): string =>
  [
    "### What each size needs",
    "",
    needsTable(sizes, costs),
    "",
    "### The first limits",
    "",
    wallsTable(sizes, costs, usualSurroundings),
    "",
    "### Unit costs",
    "",
    costsTable(costs)
  ].join("\n")

/** Returns a page with these tables in place of its own. */
export const withTables = (text: string, tables: string): string => {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from === -1 || to < from) throw new Error("docs/scale.md has no place for the tables")
  return `${text.slice(0, from + begin.length)}\n${tables}\n${text.slice(to)}`
}

export const write = (): void => Fs.writeFileSync(page, withTables(Fs.readFileSync(page, "utf8"), generated()))
