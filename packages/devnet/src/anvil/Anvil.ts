/** Runs an anvil process: a chain that runs for the scope and can be kept in a state file. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { mkdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { anvilBinary, type AnvilMissing } from "./AnvilBinary.ts"
import * as AnvilRpc from "./AnvilRpc.ts"
import * as Guard from "./Guard.ts"
import { realTime } from "./RealTime.ts"
import type { RpcFailure } from "./RpcFailure.ts"
import * as StateFile from "./StateFile.ts"

interface AnvilOptions {
  /** Names the chain's files in `folder`. */
  readonly name: string
  readonly chainId: number
  readonly folder: string
  /** Used if it is free; any free port otherwise. */
  readonly port?: number | undefined
  /** True to save the chain in `<folder>/<name>.state.json` and resume it from there. */
  readonly persistent: boolean
  /**
   * URL of a node whose chain is forked at its newest block. It is visible in the list of processes, so it must contain
   * no key.
   */
  readonly fork?: string
}

export interface Anvil {
  readonly port: number
  readonly rpcUrl: string
  readonly rpc: AnvilRpc.AnvilRpc
}

/** anvil exited or did not start to listen; the reason is its own output. */
export class AnvilDidNotStart extends Data.TaggedError("AnvilDidNotStart")<{
  readonly name: string
  readonly reason: string
}> {
  override get message() {
    return `anvil for ${this.name} did not start: ${this.reason}`
  }
}

export type AnvilFailure =
  | AnvilMissing
  | AnvilDidNotStart
  | StateFile.StateDamaged
  | Guard.AlreadyRunning
  | RpcFailure

/** Returns the path of the saved chain called `name`. */
export const stateFile = (folder: string, name: string) => join(folder, `${name}.state.json`)

// Unbounded history and the default hardfork both cost gigabytes or seconds on a chain that runs for days.
const flags = (options: AnvilOptions, cache: string) => [
  ...["--host", "127.0.0.1", "--port", String(options.port ?? 0), "--chain-id", String(options.chainId)],
  ...["--prune-history", "64", "--slots-in-an-epoch", "1", "--cache-path", cache],
  // A fork keeps the rules of its chain.
  ...(options.fork === undefined
    ? ["--hardfork", "cancun"]
    : ["--fork-url", options.fork, "--no-storage-caching", "--retries", "2"]),
  ...(options.persistent ? ["--state", stateFile(options.folder, options.name), "--state-interval", "10"] : [])
]

/** Waits until anvil reports its port, which it does only in its output. */
const awaitPort = (name: string, logFile: string, process: Guard.GuardedProcess) =>
  Effect.gen(function*() {
    for (;;) {
      const exited = process.hasExited()
      const log = yield* Effect.promise(() => readFile(logFile, "utf8").catch(() => ""))
      const port = /Listening on 127\.0\.0\.1:(\d+)/.exec(log)?.[1]
      if (port !== undefined) return Number(port)
      if (exited) return yield* new AnvilDidNotStart({ name, reason: log.trim() })
      yield* Effect.sleep("5 millis")
    }
  }).pipe(
    Effect.timeoutOrElse({
      duration: "20 seconds",
      orElse: () => new AnvilDidNotStart({ name, reason: "it did not listen within 20 seconds" })
    }),
    realTime
  )

const startOnce = (options: AnvilOptions) =>
  Effect.gen(function*() {
    const { folder, name } = options
    const cache = join(folder, "cache", name)
    const logFile = join(folder, `${name}.log`)
    const process = yield* Guard.start({
      command: [yield* anvilBinary, ...flags(options, cache)],
      marker: cache,
      pidFile: join(folder, `${name}.pid`),
      logFile
    })
    return yield* awaitPort(name, logFile, process)
  })

// anvil's messages for the two failures that can be recovered from.
const classify = (options: AnvilOptions) => (failure: AnvilDidNotStart) => {
  const file = stateFile(options.folder, options.name)
  const damaged = failure.reason.includes(file) && failure.reason.includes("parse")
  return damaged ? new StateFile.StateDamaged({ file }) : failure
}

const portTaken = (failure: AnvilDidNotStart) => failure.reason.includes("Address already in use")

/** Starts (or resumes) a chain. When the scope closes, the process saves its state and exits. */
export const start: (options: AnvilOptions) => Effect.Effect<Anvil, AnvilFailure, Scope.Scope> = Effect.fn(
  "Anvil.start"
)(function*(options: AnvilOptions) {
  const file = stateFile(options.folder, options.name)
  yield* Effect.promise(() => mkdir(join(options.folder, "cache", options.name), { recursive: true }))
  if (options.persistent) yield* StateFile.prepare(file)
  const port = yield* startOnce(options).pipe(
    Effect.catchTag("AnvilDidNotStart", (failure) =>
      portTaken(failure) && options.port !== undefined
        ? startOnce({ ...options, port: undefined })
        : Effect.fail(failure)),
    Effect.catchTag("AnvilDidNotStart", (failure) => Effect.fail(classify(options)(failure)))
  )
  const rpcUrl = `http://127.0.0.1:${port}`
  const rpc = AnvilRpc.make(rpcUrl)
  // Otherwise the log file grows with every call.
  yield* rpc.setLogging(false)
  if (options.persistent) yield* StateFile.keepGoodCopy(file)
  return { port, rpcUrl, rpc }
})
