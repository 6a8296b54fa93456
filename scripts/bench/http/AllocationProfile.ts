/** Profiles what a process of the service allocates: for each request under load, or what it keeps after its start. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import * as Fs from "node:fs"
import type { HeapProfiler } from "node:inspector/promises"
import * as Path from "node:path"
import type { HeapSpaceInfo } from "node:v8"
import { say } from "../Bench.ts"
import { root } from "../Machine.ts"
import * as Profile from "../Profile.ts"
import { type Process, ServiceUnderTest } from "../engine/ServiceUnderTest.ts"

interface Usage extends NodeJS.MemoryUsage {
  readonly spaces: ReadonlyArray<HeapSpaceInfo>
}

/** The sampler's report: the samples, and the memory of the process before and after a full collection. */
export interface Report {
  readonly profile: HeapProfiler.SamplingHeapProfile
  readonly before: Usage
  readonly after: Usage
}

type Node = HeapProfiler.SamplingHeapProfileNode

/** The work to profile, and the work before it, which is not. */
interface Work {
  readonly prepared: (service: Process) => Effect.Effect<unknown>
  /** Returns the number of requests. */
  readonly measured: (service: Process) => Effect.Effect<number>
}

type Profiled = Effect.Effect<ReadonlyArray<never>, never, Scope | ServiceUnderTest>

/** Prints the bytes that the service's main thread allocates for each request. Returns no rows. */
export const ofRequests = (name: string, { measured, prepared }: Work): Profiled =>
  Effect.gen(function*() {
    const { file, service } = yield* sampled(name, "all")
    yield* prepared(service)
    yield* service.signal("SIGUSR2")
    yield* exists(`${file}.begun`)
    const count = yield* measured(service)
    const { profile: { head } } = yield* report(service, file)
    yield* say(
      `\n${(sizeOf(head) / count).toFixed(0)} bytes allocated by the main thread for each\n\n${text(head, count)}\n\n` +
        `${file}\n`
    )
    return []
  })

const mega = 1024 * 1024

/** Prints the memory of the service after its start, and what its main thread keeps of it. Returns no rows. */
export const ofStart = (name: string, idle: Effect.Effect<void>): Profiled =>
  Effect.gen(function*() {
    const { file, service } = yield* sampled(name, "kept")
    yield* idle
    const { after, before, profile: { head } } = yield* report(service, file)
    const line = (what: string, of: (usage: Usage) => number) =>
      `${(of(before) / mega).toFixed(1).padStart(9)}${(of(after) / mega).toFixed(1).padStart(9)}  ${what}`
    const lines = [
      line("resident", ({ rss }) => rss),
      line("JavaScript heap, reserved", ({ heapTotal }) => heapTotal),
      line("JavaScript heap, used", ({ heapUsed }) => heapUsed),
      line("outside of the heap, held by its objects", ({ external }) => external),
      ...before.spaces.map(({ space_name: space }) =>
        line(`${space}, reserved`, ({ spaces }) =>
          spaces.find((each) => each.space_name === space)?.physical_space_size ?? 0)
      )
    ]
    yield* say(
      `\nMiB when idle, and after a full collection\n${lines.join("\n")}\n\nKiB that the main thread keeps: ` +
        `${(sizeOf(head) / 1024).toFixed(0)}\n\n${text(head, 1024)}\n\n${file}\n`
    )
    return []
  })

const sampled = (name: string, kind: "all" | "kept") =>
  Effect.gen(function*() {
    const { start } = yield* ServiceUnderTest
    const file = Path.join(root, ".cache", "profile", `${name}.json`)
    for (const old of [file, `${file}.begun`]) Fs.rmSync(old, { force: true })
    Fs.mkdirSync(Path.dirname(file), { recursive: true })
    const sampler = Path.join(import.meta.dirname, "AllocationSampler.ts")
    const settings = { ALLOCATION_KIND: kind, ALLOCATION_PROFILE: file }
    return { file, service: yield* start("start", settings, ["--import", sampler]) }
  })

/** Ends the sampling and returns the report. */
const report = (service: Process, file: string) =>
  Effect.gen(function*() {
    yield* service.signal("SIGUSR2")
    yield* exists(file)
    return JSON.parse(Fs.readFileSync(file, "utf8")) as Report
  })

const exists = (file: string): Effect.Effect<void> =>
  Effect.suspend(() => Fs.existsSync(file) ? Effect.void : Effect.andThen(Effect.sleep("50 millis"), exists(file)))

/** Renders the bytes by group and by function, in `units`, without what is outside of the JavaScript heap. */
const text = (head: Node, units: number): string => {
  const drawn = (nameOf: (frame: Profile.Frame) => string, most: number) =>
    sums(head, nameOf).slice(0, most)
      .map(([name, bytes]) => `${(bytes / units).toFixed(0).padStart(9)}  ${name}`).join("\n")
  return `by group\n${drawn(Profile.groupOf, 30)}\n\nby function\n${drawn(Profile.nameOf, 50)}`
}

const sizeOf = (head: Node) => sums(head, () => "").reduce((sum, [, bytes]) => sum + bytes, 0)

/** Sums sizes by the name of each frame, largest first. */
const sums = (head: Node, nameOf: (frame: Profile.Frame) => string): ReadonlyArray<readonly [string, number]> => {
  const bytes = new Map<string, number>()
  const left = [head]
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const name = nameOf(node.callFrame)
    bytes.set(name, (bytes.get(name) ?? 0) + node.selfSize)
    left.push(...node.children)
  }
  return [...bytes].sort(([, a], [, b]) => b - a)
}
