import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as RunningProcess from "../../src/postgres/RunningProcess.ts"

const folder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(tmpdir(), "vault-trader-test-"))
    await mkdir(join(path, "data"))
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

const child = (command: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const started = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] })
      await once(createInterface(started.stdout), "line")
      return started
    }),
    (started) => end(started, "SIGKILL")
  )

/** Waits until a process has ended and this one knows of it. */
const exit = (started: ChildProcess) =>
  Effect.promise(async () => {
    if (started.exitCode === null && started.signalCode === null) await once(started, "exit")
  })

const end = (started: ChildProcess, signal: NodeJS.Signals) =>
  Effect.promise(async () => {
    if (started.exitCode !== null || started.signalCode !== null) return
    const exit = once(started, "exit")
    started.kill(signal)
    await exit
  })

/** Starts a process with the command line of a server of this folder, which has written no pid file yet. */
const server = (path: string) =>
  child(process.execPath, [
    "-e",
    "console.log('up'); setInterval(() => {}, 1000)",
    "postgres",
    "-D",
    join(path, "data"),
    "-h"
  ])

const pidFile = (path: string) => join(path, "data/postmaster.pid")

/** Writes the pid file of that server. */
const report = (path: string, { pid }: ChildProcess) =>
  Effect.promise(async () => {
    await writeFile(`${pidFile(path)}.draft`, `${pid}\n`)
    await rename(`${pidFile(path)}.draft`, pidFile(path))
  })

/** Makes the pid file a pipe, so that a test knows when it is read. */
const makePipe = (path: string) => Effect.promise(() => promisify(execFile)("mkfifo", [pidFile(path)]))

/** Waits until the watchdog reads the pipe, and gives it nothing. */
const readOnce = (path: string) => Effect.promise(() => writeFile(pidFile(path), ""))

const holder = fileURLToPath(new URL("WatchdogHolder.ts", import.meta.url))

/** Starts a watchdog for this folder, in a service. */
const watched = (path: string) =>
  Effect.gen(function*() {
    const service = yield* child(process.execPath, [holder, path])
    const pid = Number(yield* Effect.promise(() => readFile(join(path, "watchdog.pid"), "utf8")))
    const watchdog = yield* Effect.flatMap(RunningProcess.find(pid), Effect.fromNullishOr)
    return { service, watchdog }
  })

describe("the watchdog", () => {
  it.live("stops a server that writes its pid file only after its service was killed", () =>
    Effect.gen(function*() {
      const path = yield* folder
      const { service, watchdog } = yield* watched(path)
      const late = yield* server(path)
      yield* makePipe(path)
      yield* end(service, "SIGKILL")
      yield* readOnce(path)
      yield* report(path, late)
      yield* exit(late)
      assert.isTrue(yield* RunningProcess.awaitGone(watchdog, "30 seconds"))
      assert.strictEqual(late.signalCode, "SIGINT")
    }))

  it.live("ends with its service when that stops, and leaves processes of other folders alone", () =>
    Effect.gen(function*() {
      const [path, other] = [yield* folder, yield* folder]
      const { service, watchdog } = yield* watched(path)
      const stranger = yield* server(other)
      yield* report(path, stranger)
      yield* end(service, "SIGTERM")
      assert.isTrue(yield* RunningProcess.awaitGone(watchdog, "30 seconds"))
      assert.isNull(stranger.signalCode)
      assert.isTrue(stranger.exitCode === null)
    }))
})
