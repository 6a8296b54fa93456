/** Renders metrics in Prometheus' text format, version 0.0.4. */
import type * as Metric from "effect/Metric"

type Snapshot = Metric.Metric.Snapshot
type Labels = ReadonlyArray<readonly [string, string]>

const escape = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
const labelled = (name: string, labels: Labels) =>
  labels.length === 0
    ? name
    : `${name}{${labels.map(([key, value]) => `${key}="${escape(value).replaceAll("\"", "\\\"")}"`).join(",")}}`

const labelsOf = ({ attributes = {} }: Snapshot): Labels =>
  Object.entries(attributes).map((
    [key, value]
  ): readonly [string, string] => [key.replace(/[^A-Za-z0-9_]/g, "_"), value])

const number = (value: number | bigint) => value === Infinity ? "+Inf" : value === -Infinity ? "-Inf" : String(value)

/**
 * Returns the samples of one metric; unused kinds have none. Buckets stay in the order of their bounds, as the format
 * requires.
 */
const samples = (metric: Snapshot): { readonly type: string; readonly lines: ReadonlyArray<string> } => {
  const name = metric.id
  const labels = labelsOf(metric)
  if (metric.type === "Counter") {
    return { type: "counter", lines: [`${labelled(name, labels)} ${number(metric.state.count)}`] }
  }
  if (metric.type === "Gauge") {
    return { type: "gauge", lines: [`${labelled(name, labels)} ${number(metric.state.value)}`] }
  }
  if (metric.type !== "Histogram") return { type: "untyped", lines: [] }
  const { state } = metric
  const buckets = [...state.buckets].map(([upper, total]) =>
    `${labelled(`${name}_bucket`, [...labels, ["le", number(upper)]])} ${total}`
  )
  return {
    type: "histogram",
    lines: [
      ...buckets,
      `${labelled(`${name}_sum`, labels)} ${number(state.sum)}`,
      `${labelled(`${name}_count`, labels)} ${state.count}`
    ]
  }
}

interface Group {
  readonly help: string
  readonly type: string
  /** One list of lines per series, with its labels. */
  readonly series: Array<{ readonly labels: string; readonly lines: ReadonlyArray<string> }>
}

const linesOf = (name: string, { help, series, type }: Group): ReadonlyArray<string> => [
  `# HELP ${name} ${escape(help)}`,
  `# TYPE ${name} ${type}`,
  ...series.sort((a, b) => a.labels < b.labels ? -1 : 1).flatMap(({ lines }) => lines)
]

/** Renders this service's own metrics, grouped by name, each group with its help and type. */
export const text = (snapshot: Iterable<Snapshot>): string => {
  const groups = new Map<string, Group>()
  for (const metric of snapshot) {
    const { description, id: name } = metric
    if (!name.startsWith("vault_trader_")) continue
    const { type, lines } = samples(metric)
    const group = groups.get(name) ?? { help: description ?? name, type, series: [] }
    group.series.push({ labels: labelled("", labelsOf(metric)), lines })
    groups.set(name, group)
  }
  return Array.from(groups, ([name, group]) => linesOf(name, group)).flat().map((line) => `${line}\n`).join("")
}
