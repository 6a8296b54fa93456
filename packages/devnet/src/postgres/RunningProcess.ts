/** Identifies running processes. Ids are recycled, so an id alone never proves that a process still runs. */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import * as process from "node:process"
import { promisify } from "node:util"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

export interface RunningProcess {
  readonly pid: number
  /** Opaque. Constant while the process runs, and different for the next process with its id. */
  readonly startedAt: string
  /** Arguments joined by single spaces. */
  readonly command: string
}

/**
 * Returns the process with this id, or `undefined`. A zombie counts as gone: containers often lack an init that reaps.
 */
export const find = (pid: number): Effect.Effect<RunningProcess | undefined> =>
  process.platform === "linux" ? findInProc(pid) : findByPs(pid)

/** Returns whether this same process still runs. */
export const isAlive = (known: RunningProcess): Effect.Effect<boolean> =>
  Effect.map(find(known.pid), (now) => now?.startedAt === known.startedAt)

/** Waits until the process is gone; returns `false` when it still runs after `limit`. */
export const awaitGone = (known: RunningProcess, limit: Duration.Input): Effect.Effect<boolean> =>
  isAlive(known).pipe(
    Effect.repeat({
      while: (alive) => alive,
      schedule: Schedule.spaced(Duration.millis(10)).pipe(Schedule.upTo({ duration: limit }))
    }),
    Effect.andThen(isAlive(known)),
    Effect.map((alive) => !alive)
  )

/** Sends a signal. A process that has just ended is not an error. */
export const signal = (known: RunningProcess, name: NodeJS.Signals): Effect.Effect<void> =>
  Effect.ignore(Effect.try(() => process.kill(known.pid, name)))

const read = (path: string) => Effect.tryPromise(() => readFile(path, "utf8"))

const findInProc = (pid: number) =>
  Effect.all([
    read(`/proc/${pid}/stat`),
    read(`/proc/${pid}/cmdline`),
    Effect.orElseSucceed(read("/proc/sys/kernel/random/boot_id"), () => "")
  ]).pipe(
    Effect.map(([stat, cmdline, boot]) => {
      // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
      const [state, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      if (state === "Z" || state === "X") return undefined
      return { pid, startedAt: `${rest[18]}@${boot.trim()}`, command: cmdline.replaceAll("\0", " ").trimEnd() }
    }),
    Effect.orElseSucceed(() => undefined)
  )

/** `lstart` is 24 characters wide wherever `ps` supports it. */
const findByPs = (pid: number) =>
  Effect.tryPromise(() => promisify(execFile)("ps", ["-ww", "-o", "state=,lstart=,command=", "-p", String(pid)])).pipe(
    Effect.map(({ stdout }) => {
      const [, state, startedAt, command] = /^\s*(\S+)\s+(.{24})\s+(.*)$/m.exec(stdout) ?? []
      if (state === undefined || startedAt === undefined || state.startsWith("Z")) return undefined
      return { pid, startedAt, command: command ?? "" }
    }),
    Effect.orElseSucceed(() => undefined)
  )
