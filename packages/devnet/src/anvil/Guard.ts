/**
 * Starts a process that cannot outlive us and is always stopped gracefully.
 *
 * anvil saves its chain on SIGTERM, and survives a parent that is killed. So a shell runs in between and reads from a
 * pipe that we hold open: when the pipe closes (we closed it, or we died, even by SIGKILL), the shell sends SIGTERM.
 * Its separate process group keeps a Ctrl-C or a kill of our group from reaching the process before our finalizers do.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type ChildProcess, spawn } from "node:child_process"
import { readFile, rm } from "node:fs/promises"
import { realTime } from "./RealTime.ts"

export interface GuardedProcess {
  /** Resolves when the process has exited. */
  readonly exited: Effect.Effect<void>
  readonly hasExited: () => boolean
}

/** Another process uses the same files. */
export class AlreadyRunning extends Data.TaggedError("AlreadyRunning")<{
  readonly pid: number
  readonly pidFile: string
}> {
  override get message() {
    return `Another devnet (process ${this.pid}, from ${this.pidFile}) uses the same folder; stop it first.`
  }
}

// fd 3 is our pipe: a background job's stdin is /dev/null. Output goes to a file because a pipe breaks when its reader
// ends, and anvil would die of that before saving.
const script = `
pid_file=$1 log_file=$2
shift 2
exec 3<&0
"$@" >"$log_file" 2>&1 3<&- </dev/null &
process=$!
echo "$process" >"$pid_file"
{ cat <&3 >/dev/null; kill "$process"; } 2>/dev/null &
watcher=$!
exec 3<&-
trap 'kill "$process" 2>/dev/null' TERM INT HUP
wait "$process"
while kill -0 "$process" 2>/dev/null; do wait "$process"; done
kill "$watcher" 2>/dev/null
rm -f "$pid_file"
`

const readPid = (pidFile: string) =>
  Effect.promise(() => readFile(pidFile, "utf8").then((text) => Number(text.trim()) || 0, () => 0))

// Another program may have the id by now; where there is a /proc, the command line is checked.
const isAlive = (pid: number, marker: string) =>
  Effect.tryPromise(() => readFile(`/proc/${pid}/cmdline`, "utf8")).pipe(
    Effect.map((commandLine) => commandLine.includes(marker)),
    Effect.catch(() =>
      process.platform === "linux" ? Effect.succeed(false) : Effect.isSuccess(Effect.try(() => process.kill(pid, 0)))
    )
  )

/** Waits up to ten seconds for the process of an earlier run, which may still be saving. */
const awaitPrevious = (pidFile: string, marker: string): Effect.Effect<void, AlreadyRunning> =>
  Effect.gen(function*() {
    const pid = yield* readPid(pidFile)
    for (let round = 0; pid > 0 && (yield* isAlive(pid, marker)); round++) {
      if (round === 500) return yield* new AlreadyRunning({ pid, pidFile })
      yield* Effect.sleep("20 millis")
    }
  }).pipe(realTime)

const launch = (command: ReadonlyArray<string>, pidFile: string, logFile: string) =>
  Effect.callback<{ readonly shell: ChildProcess; readonly exited: Promise<void> }>((resume) => {
    const shell = spawn("sh", ["-c", script, "sh", pidFile, logFile, ...command], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"]
    })
    const exited = new Promise<void>((done) => shell.once("exit", () => done()))
    shell.stdin?.on("error", () => {})
    shell.once("error", (cause) => resume(Effect.die(cause)))
    shell.once("spawn", () => resume(Effect.succeed({ shell, exited })))
  })

const kill = (pidFile: string) =>
  Effect.flatMap(
    readPid(pidFile),
    (pid) => pid > 0 ? Effect.ignore(Effect.try(() => process.kill(pid, "SIGKILL"))) : Effect.void
  )

/**
 * Runs `command` until the scope closes, which waits for its exit. `marker` is an argument that only this command has;
 * it identifies a process of an earlier run, which is waited for.
 */
export const start = (options: {
  readonly command: ReadonlyArray<string>
  readonly marker: string
  readonly pidFile: string
  readonly logFile: string
}): Effect.Effect<GuardedProcess, AlreadyRunning, Scope.Scope> =>
  Effect.gen(function*() {
    const { command, logFile, marker, pidFile } = options
    yield* awaitPrevious(pidFile, marker)
    yield* Effect.promise(() => rm(logFile, { force: true }))
    const { exited, shell } = yield* Effect.acquireRelease(
      launch(command, pidFile, logFile),
      ({ exited, shell }) =>
        Effect.sync(() => shell.stdin?.end()).pipe(
          Effect.andThen(Effect.timeoutOption(Effect.promise(() => exited), "15 seconds")),
          Effect.tap((outcome) => outcome._tag === "None" ? kill(pidFile) : Effect.void),
          realTime
        )
    )
    return {
      exited: Effect.promise(() => exited),
      hasExited: () => shell.exitCode !== null || shell.signalCode !== null
    }
  })
