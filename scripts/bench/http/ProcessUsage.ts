/** Reads the processor time and the memory of another process from Linux's /proc. */
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"

/** Clock ticks per second in /proc; the same on every Linux. */
const ticks = 100

/** Returns the milliseconds of processor time, user and system, of a process's threads, from its /proc/PID/stat. */
export const cpuMillisOf = (stat: string): number => {
  // The name in parentheses may contain blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 1000 / ticks
}

/** Returns the resident memory in MB, from a process's /proc/PID/status. */
export const residentMegabytesOf = (status: string): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024 / 1e6

const read = (pid: number, file: "stat" | "status") =>
  Effect.sync(() => Fs.readFileSync(`/proc/${pid}/${file}`, "utf8"))

export const cpuMillis = (pid: number): Effect.Effect<number> => Effect.map(read(pid, "stat"), cpuMillisOf)

export const residentMegabytes = (pid: number): Effect.Effect<number> =>
  Effect.map(read(pid, "status"), residentMegabytesOf)

/** Runs work and returns with its result the milliseconds of processor time that each of the processes used for it. */
export const during = <A, E, R>(pids: ReadonlyArray<number>, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const before = yield* Effect.forEach(pids, cpuMillis)
    const result = yield* work
    const after = yield* Effect.forEach(pids, cpuMillis)
    return { result, cpu: after.map((millis, index) => millis - (before[index] ?? 0)) }
  })
