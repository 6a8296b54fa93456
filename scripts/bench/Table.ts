/** Renders rows as a table, for a terminal and for docs/performance.md. */
import type { Latest } from "./Latest.ts"
import type { Machine } from "./Machine.ts"
import { type Row, shown } from "./Row.ts"

const head = ["row", "ours", "compared with", "ratio", "goal", "met"]

const cells = (row: Row): ReadonlyArray<string> => [
  row.name,
  `${shown(row.ours)} ${row.unit}`,
  row.baseline === null ? "" : `${shown(row.baseline)} (${row.against ?? ""})`,
  row.ratio === null ? "" : `${shown(row.ratio)} ×`,
  row.goal ?? "",
  row.met === null ? "" : row.met ? "yes" : "no"
]

export const machineLine = ({ cores, cpu, memoryGiB, node, os }: Machine) =>
  `${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}, ${os}`

/** Renders the table for a terminal. */
export const text = (rows: ReadonlyArray<Row>): string => {
  const lines = [head, ...rows.map(cells)]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)))
  const drawn = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd())
  const notes = rows.flatMap(({ name, note, rounds }) => {
    const each = rounds.length > 1 ? `rounds ${rounds.map(shown).join(", ")}` : ""
    return [each, note].some((part) => part !== "")
      ? [`  ${name}: ${[each, note].filter((part) => part !== "").join("; ")}`]
      : []
  })
  return [...drawn, ...(notes.length > 0 ? ["", ...notes] : [])].join("\n")
}

const begin = "<!-- bench:begin (npm run bench -- --publish writes between these lines) -->"
const end = "<!-- bench:end -->"

/** Escapes a markdown cell: a bar would end it. */
const cell = (content: string) => content.replaceAll("|", "\\|")

/** Renders the table of docs/performance.md: one number per cell; the rounds stay in bench/latest.json. */
export const markdown = ({ commit, machine, rows }: Latest): string => {
  const line = (content: ReadonlyArray<string>) => `| ${content.map(cell).join(" | ")} |`
  const commits = new Set(rows.map((row) => row.commit))
  return [
    "Measured on:",
    `${machineLine(machine)}.`,
    commits.size > 1 ? "The rows were measured at different commits, which their notes name." : `Commit ${commit}.`,
    "",
    line([...head, "notes"]),
    line([...head, ""].map(() => "---")),
    ...rows.map((row) => {
      const at = commits.size > 1 ? `commit ${row.commit}` : ""
      const busy = row.load > machine.cores ? `beside other work (load ${shown(row.load)})` : ""
      return line([...cells(row), [row.note, busy, at].filter((part) => part !== "").join("; ")])
    })
  ].join("\n")
}

/** Returns the document with the newest table between its markers; undefined when it has no markers. */
export const published = (document: string, latest: Latest): string | undefined => {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)]
  if (from === -1 || to < from) return undefined
  return `${document.slice(0, from + begin.length)}\n${markdown(latest)}\n${document.slice(to)}`
}
