/** A strict parser of Prometheus' text format (version 0.0.4): throws on everything a scraper may reject. */

type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly name: string
  readonly labels: Labels
  readonly value: number
}

interface Metric {
  readonly type: "counter" | "gauge" | "histogram"
  readonly help: string
  readonly samples: ReadonlyArray<Sample>
}

export type Exposition = ReadonlyMap<string, Metric>

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const labelled = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y

const labelsOf = (text: string): Labels => {
  const labels: Record<string, string> = {}
  let at = 0
  while (at < text.length) {
    labelled.lastIndex = at
    const found = labelled.exec(text)
    if (found === null) throw new Error(`malformed labels:  ${text}`)
    const [whole, name = "", value = ""] = found
    if (name in labels) throw new Error(`a label occurs twice:  ${text}`)
    labels[name] = value.replace(/\\(.)/g, (_, escaped: string) => escaped === "n" ? "\n" : escaped)
    at += whole.length
  }
  return labels
}

const sampleOf = (line: string): Sample => {
  const found = /^([^\s{]+)(?:\{(.*)\})? (\S+)$/.exec(line)
  const [, name = "", labels = "", number = ""] = found ?? []
  const value = number === "+Inf" ? Infinity : number === "-Inf" ? -Infinity : Number(number)
  if (!metricName.test(name) || number === "" || (Number.isNaN(value) && number !== "NaN")) {
    throw new Error(`not a sample: ${line}`)
  }
  return { name, labels: labelsOf(labels), value }
}

const without = (labels: Labels, name: string) =>
  JSON.stringify(Object.entries(labels).filter(([key]) => key !== name).sort())

/** Checks that bucket bounds ascend, counts never decrease, and the last bucket holds everything. */
const checkHistogram = (name: string, samples: ReadonlyArray<Sample>) => {
  for (const count of samples.filter((sample) => sample.name === `${name}_count`)) {
    const mine = samples.filter((sample) =>
      sample.name === `${name}_bucket` && without(sample.labels, "le") === without(count.labels, "le")
    )
    const bounds = mine.map(({ labels }) => labels["le"] === "+Inf" ? Infinity : Number(labels["le"]))
    const ascends = (numbers: ReadonlyArray<number>, strictly: boolean) =>
      numbers.every((number, index) =>
        index === 0 || (strictly ? number > numbers[index - 1]! : number >= numbers[index - 1]!)
      )
    if (!ascends(bounds, true) || !ascends(mine.map(({ value }) => value), false)) {
      throw new Error(`the buckets of ${name} do not ascend`)
    }
    if (bounds.at(-1) !== Infinity || mine.at(-1)?.value !== count.value) {
      throw new Error(`the last bucket of ${name} does not hold everything`)
    }
    if (
      !samples.some((sample) =>
        sample.name === `${name}_sum` && without(sample.labels, "") === without(count.labels, "")
      )
    ) throw new Error(`no sum of ${name}`)
  }
}

const check = (name: string, { samples, type }: Metric) => {
  const own = type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
  const seen = new Set<string>()
  for (const sample of samples) {
    if (!own.includes(sample.name)) throw new Error(`${sample.name} stands under ${name}`)
    const series = `${sample.name}${without(sample.labels, "")}`
    if (seen.has(series)) throw new Error(`${series} comes twice`)
    seen.add(series)
    if (type !== "gauge" && !(sample.value >= 0)) throw new Error(`${series} is negative:  ${sample.value}`)
  }
  if (type === "counter" && !name.endsWith("_total")) throw new Error(`the counter ${name} does not end in _total`)
  if (type === "histogram") checkHistogram(name, samples)
}

const types = ["counter", "gauge", "histogram"] as const

/** Parses the metrics of a scrape, by name. */
export const parse = (text: string): Exposition => {
  if (!text.endsWith("\n")) throw new Error("the last line has no line break")
  const metrics = new Map<string, Metric & { readonly samples: Array<Sample> }>()
  const lines = text.slice(0, -1).split("\n")
  let current = ""
  let help = ""
  for (const line of lines) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? []
    if (keyword === "HELP") help = rest
    else if (keyword === "TYPE") {
      const type = types.find((each) => each === rest)
      if (type === undefined || metrics.has(name) || !metricName.test(name)) {
        throw new Error(`not a type, or a second one: ${line}`)
      }
      metrics.set(name, { type, help, samples: [] })
      current = name
    } else {
      const metric = metrics.get(current)
      if (metric === undefined) throw new Error(`a sample without a type: ${line}`)
      metric.samples.push(sampleOf(line))
    }
  }
  for (const [name, metric] of metrics) check(name, metric)
  return metrics
}

/** Returns the value of a series; all of its labels must be given. */
export const valueOf = (exposition: Exposition, name: string, labels: Labels = {}): number | undefined => {
  const samples = [...exposition.values()].flatMap((metric) => metric.samples).filter((sample) => sample.name === name)
  return samples.find((sample) => without(sample.labels, "") === without(labels, ""))?.value
}
