/** Metrics in Prometheus' text format, version 0.0.4. */
import * as Chunk from "effect/Chunk"
import type * as MetricPair from "effect/MetricPair"
import * as MetricState from "effect/MetricState"
import * as Option from "effect/Option"

type Pair = MetricPair.MetricPair.Untyped
type Labels = ReadonlyArray<readonly [string, string]>

const escape = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\"", "\\\"").replaceAll("\n", "\\n")
const labelled = (name: string, labels: Labels) =>
  labels.length === 0 ? name : `${name}{${labels.map(([key, value]) => `${key}="${escape(value)}"`).join(",")}}`

const labelsOf = ({ metricKey }: Pair): Labels =>
  metricKey.tags.map(({ key, value }): readonly [string, string] => [key.replace(/[^A-Za-z0-9_]/g, "_"), value])

const bound = (value: number) => Number.isFinite(value) ? String(value) : "+Inf"

/** The samples of one metric; kinds we do not use give none. */
const samples = (pair: Pair): { readonly type: string; readonly lines: ReadonlyArray<string> } => {
  const { name } = pair.metricKey
  const labels = labelsOf(pair)
  const state = pair.metricState
  if (MetricState.isCounterState(state)) return { type: "counter", lines: [`${labelled(name, labels)} ${state.count}`] }
  if (MetricState.isGaugeState(state)) return { type: "gauge", lines: [`${labelled(name, labels)} ${state.value}`] }
  if (!MetricState.isHistogramState(state)) return { type: "untyped", lines: [] }
  const buckets = [...state.buckets].map(([upper, total]) => `${labelled(`${name}_bucket`, [...labels, ["le", bound(upper)]])} ${total}`)
  return {
    type: "histogram",
    lines: [...buckets, `${labelled(`${name}_sum`, labels)} ${state.sum}`, `${labelled(`${name}_count`, labels)} ${state.count}`]
  }
}

/** Our own metrics, grouped by name, each group with its help and type. */
export const text = (snapshot: Iterable<Pair>): string => {
  const groups = new Map<string, { readonly help: string; readonly type: string; readonly lines: Array<string> }>()
  for (const pair of snapshot) {
    const { name, description } = pair.metricKey
    if (!name.startsWith("vault_trader_")) continue
    const { type, lines } = samples(pair)
    const group = groups.get(name) ?? { help: Option.getOrElse(description, () => name), type, lines: [] }
    group.lines.push(...lines)
    groups.set(name, group)
  }
  return Chunk.fromIterable(groups).pipe(
    Chunk.map(([name, { help, type, lines }]) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines.sort()].join("\n")),
    Chunk.join("\n")
  ) + "\n"
}
