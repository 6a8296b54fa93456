/** Profiles our own process: V8's sampling profiler around the measured work, summed by module and function. */
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { type Profiler, Session } from "node:inspector/promises"
import { findSourceMap } from "node:module"
import * as Path from "node:path"
import { root } from "./Machine.ts"

/** Microseconds between samples. */
export const interval = 200

export interface Profile {
  /** Runs the measured work with the profiler on; code outside of it is not sampled. */
  readonly around: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Renders microseconds per unit of `units`, by group and by function. */
  readonly render: (units: number) => string
  readonly write: (name: string) => string
}

/** A profile that does nothing, for runs whose numbers count. */
export const off: Profile = { around: (work) => work, render: () => "", write: () => "" }

export type Frame = Profiler.ProfileNode["callFrame"]
type Line = readonly [name: string, micros: number]

export const make: Effect.Effect<Profile> = Effect.promise(async () => {
  const session = new Session()
  session.connect()
  await session.post("Profiler.enable")
  await session.post("Profiler.setSamplingInterval", { interval })
  const profiles: Array<Profiler.Profile> = []
  let processor = 0
  return {
    around: (work) =>
      Effect.acquireUseRelease(
        Effect.promise(async () => {
          await session.post("Profiler.start")
          return process.cpuUsage()
        }),
        () => work,
        (before) =>
          Effect.promise(async () => {
            const { system, user } = process.cpuUsage(before)
            processor += system + user
            profiles.push((await session.post("Profiler.stop")).profile)
          })
      ),
    render: (units) => text(profiles, processor, units),
    write: (name) => {
      const folder = Path.join(root, ".cache")
      Fs.mkdirSync(folder, { recursive: true })
      const files = profiles.map((profile, index) => {
        const file = Path.join(folder, `${name}-${index}.cpuprofile`)
        Fs.writeFileSync(file, JSON.stringify(profile))
        return file
      })
      return files.join("\n")
    }
  }
})

/** Renders profiles, with the microseconds of processor time of their process, for each of `units`. */
export const text = (profiles: ReadonlyArray<Profiler.Profile>, processor: number, units: number): string => {
  const [groups, functions] = [sums(profiles, groupOf), sums(profiles, nameOf)]
  const drawn = (lines: ReadonlyArray<Line>) =>
    lines.map(([name, micros]) => `${(micros / units).toFixed(1).padStart(9)}  ${name}`).join("\n")
  return [
    `${(processor / units).toFixed(1)} µs of processor time of this process for each, all its threads`,
    `µs for each, by group (self time as the clock on the wall has it)\n${drawn(groups)}`,
    `µs for each, by function\n${drawn(functions.slice(0, 45))}`
  ].join("\n\n")
}

/** Keeps the samples of a profile that were taken between two times, in microseconds of its clock. */
export const within = (profile: Profiler.Profile, from: number, until: number): Profiler.Profile => {
  const { nodes, samples = [], startTime, timeDeltas = [] } = profile
  let at = startTime
  const kept = samples.map((id, index) => {
    const delta = timeDeltas[index] ?? 0
    at += delta
    return { at, delta, id }
  }).filter((sample) => sample.at >= from && sample.at <= until)
  return {
    nodes,
    startTime: from,
    endTime: until,
    samples: kept.map(({ id }) => id),
    timeDeltas: kept.map(({ delta }) => delta)
  }
}

/** Sums self time by the name of each frame, longest first. */
export const sums = (
  profiles: ReadonlyArray<Profiler.Profile>,
  nameOf: (frame: Frame) => string
): ReadonlyArray<Line> => {
  const micros = new Map<string, number>()
  for (const { nodes, samples = [], timeDeltas = [] } of profiles) {
    const frames = new Map(nodes.map(({ callFrame, id }) => [id, callFrame]))
    samples.forEach((id, index) => {
      const frame = frames.get(id)
      // `dispatch` is the profiler itself, while it starts and stops.
      if (frame === undefined || frame.url === "" && frame.functionName === "dispatch") return
      const name = nameOf(frame)
      micros.set(name, (micros.get(name) ?? 0) + (timeDeltas[index] ?? 0))
    })
  }
  return [...micros].sort(([, a], [, b]) => b - a)
}

/** Returns the module of a frame: a package, a folder of ours, or the JavaScript engine. */
export const groupOf = ({ functionName, url }: Frame): string => {
  if (functionName.startsWith("(")) return functionName
  if (url.startsWith("node:")) return `node: ${url.slice(5).split("/").slice(0, 2).join("/")}`
  const dependency = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\/(?:(?:dist|src|lib|_esm|esm)\/)*([^/]+)/.exec(url)
  if (dependency !== null) {
    const [, name = "", part = ""] = dependency
    return name === "effect" ? `effect ${effectPart(url)}` : name === "viem" ? `viem ${part}` : name
  }
  const ours = /\/(packages\/[^/]+\/src\/[^/]+|scripts\/bench)\//.exec(url)
  return ours === null ? "native" : ours[1] ?? ""
}

/** Separates schemas from Effect's fiber loop, which is most of Effect's own cost. */
const effectPart = (url: string) => /Schema|ParseResult/.test(url) ? "schema" : "runtime"

/**
 * Returns a frame's function and position; TypeScript runs as one long line, and its source map gives the original
 * line.
 */
export const nameOf = ({ columnNumber, functionName, lineNumber, url }: Frame): string => {
  if (functionName.startsWith("(") || url === "") return functionName
  const entry = url.endsWith(".ts") ? findSourceMap(url)?.findEntry(lineNumber, columnNumber) : undefined
  const line = entry !== undefined && "originalLine" in entry && typeof entry.originalLine === "number"
    ? entry.originalLine
    : lineNumber
  return `${functionName || "anonymous"} ${
    url.replace(/^file:\/\//, "").replace(`${root}/`, "").replace("node_modules/", "")
  }:${line + 1}`
}
