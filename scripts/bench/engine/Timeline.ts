/** Breaks down the time of one operation: overlays the spans of many traces of it. */
import type { Span } from "@vault-trader/testing/harness/Collector"
import { median } from "../Row.ts"

interface Line {
  readonly offsets: Array<number>
  readonly lasted: Array<number>
  depth: number
}

/** Names a span; a statement by its beginning. */
const labelOf = ({ attributes, name }: Span): string => {
  const text = attributes["db.query.text"]
  return typeof text === "string" ? `${name}: ${text.replace(/\s+/g, " ").trim().slice(0, 70)}` : name
}

const depthOf = (span: Span, byId: ReadonlyMap<string, Span>): number => {
  const parent = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId)
  return parent === undefined ? 0 : depthOf(parent, byId) + 1
}

const millis = (from: bigint, to: bigint) => Number(to - from) / 1e6

/** Renders one line per span, by start; medians of its start relative to the first span, and of its duration. */
export const render = (traces: ReadonlyArray<ReadonlyArray<Span>>): string => {
  const lines = new Map<string, Line>()
  for (const spans of traces) {
    const sorted = [...spans].sort((a, b) => (a.start < b.start ? -1 : 1))
    const [first] = sorted
    if (first === undefined) continue
    const byId = new Map(spans.map((span) => [span.spanId, span]))
    const seen = new Map<string, number>()
    for (const span of sorted) {
      const label = labelOf(span)
      const time = (seen.get(label) ?? 0) + 1
      seen.set(label, time)
      const key = time === 1 ? label : `${label} (${time})`
      const line = lines.get(key) ?? { offsets: [], lasted: [], depth: depthOf(span, byId) }
      line.offsets.push(millis(first.start, span.start))
      line.lasted.push(millis(span.start, span.end))
      lines.set(key, line)
    }
  }
  const drawn = [...lines].map(([label, { depth, lasted, offsets }]) => ({
    label,
    depth,
    often: offsets.length,
    at: median(offsets),
    lasted: median(lasted)
  }))
  return drawn.filter(({ often }) => often > traces.length / 2).sort((a, b) => a.at - b.at)
    .map(({ at, depth, label, lasted }) =>
      `${at.toFixed(1).padStart(7)} ${lasted.toFixed(1).padStart(7)}  ${"  ".repeat(depth)}${label}`
    ).join("\n")
}
