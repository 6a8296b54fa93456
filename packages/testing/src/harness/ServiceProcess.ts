/** The service as its users run it: a separate process that tests can kill. */
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { type ChildProcess, spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Path from "node:path"
import { type Answer, ask, type Request, temporaryFolder } from "./Harness.ts"

/** A program that takes the service's commands. */
export interface Program {
  /** The words before the service's command. */
  readonly command: readonly [string, ...ReadonlyArray<string>]
  /** The account that runs it; this process's own without it. */
  readonly uid?: number | undefined
}

const sourcesFile = Path.join(import.meta.dirname, "../../../../scripts/run.mjs")

/** This repository's sources, as `npm start` runs them. */
export const sources: Program = { command: [process.execPath, sourcesFile] }

/**
 * The file that Node runs for a command of this repository: the bundle that `npm test` has made of it, or, when a test is
 * run alone, its sources.
 */
export const programFile = process.env["TEST_PROGRAM"] ?? sourcesFile

const repository: Program = { command: [process.execPath, programFile] }

/** The command that runs: everything in one process, the gate alone, a runner of actors, or the signer alone. */
export type Command = "start" | "server" | "workers" | "signer"

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServiceProcess {
  readonly baseUrl: string
  readonly pid: number
  /** Sends one request, which must be answered. */
  readonly ask: (path: string, request?: Request) => Effect.Effect<Answer>
  /** Kills it at once, whatever it is doing. */
  readonly kill: Effect.Effect<void>
  /** Stops it as an operator does, and waits until it has ended. */
  readonly stop: Effect.Effect<Ended>
  /** Freezes it without notice, as on a machine that swaps or is being migrated. */
  readonly freeze: Effect.Effect<void>
  /** Resumes it; the process does not notice that time has passed. */
  readonly thaw: Effect.Effect<void>
}

/** The output and exit of a process. */
interface Spawned {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly ended: Promise<Ended>
}

const launch = (
  env: Readonly<Record<string, string>>,
  command: ReadonlyArray<string>,
  log: (text: string) => void,
  { command: [program, ...words], uid }: Program
): Spawned => {
  const child = spawn(program, [...words, ...command], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    ...uid === undefined ? {} : { uid, gid: uid },
    stdio: ["ignore", "pipe", "pipe"]
  })
  const said = { stdout: "", stderr: "" }
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text
      log(text)
    })
  }
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...said }))
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, ended }
}

/** Runs a service, or another command, that is expected to end by itself. */
export const toItsEnd = (
  env: Readonly<Record<string, string>>,
  ...command: ReadonlyArray<string>
): Effect.Effect<Ended> => programToItsEnd(repository, env, ...command)

/** Runs a command of another program than this repository's sources. */
export const programToItsEnd = (
  program: Program,
  env: Readonly<Record<string, string>>,
  ...command: ReadonlyArray<string>
): Effect.Effect<Ended> =>
  Effect.acquireUseRelease(
    Effect.sync(() => launch(env, command.length === 0 ? ["start"] : command, () => {}, program)),
    ({ ended }) => Effect.promise(() => ended),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Switches off what would change a test's numbers by itself. */
const quiet = { RATE_LIMIT: "off", TREASURY: "off", DEVNET_ARBITRAGE_SECONDS: "0", DEVNET_PRICE_SECONDS: "0" }

/**
 * Starts a process and waits until it is ready; kills it with the scope. There is no treasury, and no arbitrageur on
 * its devnet, whose prices do not move, unless `env` says so. `log` receives its output.
 */
export const start = (
  env: Readonly<Record<string, string>>,
  log: (text: string) => void = () => {},
  command: Command = "start",
  program: Program = repository
): Effect.Effect<ServiceProcess, never, Scope.Scope> =>
  Effect.gen(function*() {
    const port = env["PORT"] ?? String(yield* freePort)
    const { child, ended, stderr, stdout } = yield* Effect.acquireRelease(
      Effect.sync(() =>
        launch(
          { ...quiet, ...env, PORT: port },
          [command],
          log,
          program
        )
      ),
      ({ child, ended }) =>
        Effect.promise(() => {
          child.kill("SIGKILL")
          return ended
        })
    )
    const died = Effect.flatMap(Effect.promise(() => ended), (how) =>
      Effect.die(new Error(`the service ended before it was ready: ${how.stderr}`)))
    const ready = Effect.repeat(
      Effect.delay(
        Effect.sync(() =>
          stdout().includes("ready in")
        ),
        "20 millis"
      ),
      {
        until: (yes) => yes
      }
    )
    yield* Effect.raceFirst(ready, died).pipe(
      Effect.timeoutOrElse({
        duration: "4 minutes",
        orElse: () => Effect.die(new Error(`the service is not ready: ${stdout()}${stderr()}`))
      }),
      Effect.orDie
    )
    const baseUrl = `http://127.0.0.1:${port}`
    const end = (signal: "SIGKILL" | "SIGTERM") =>
      Effect.promise(() => {
        child.kill(signal)
        return ended
      })
    const signal = (name: "SIGSTOP" | "SIGCONT") => Effect.sync(() => void child.kill(name))
    return {
      baseUrl,
      pid: child.pid ?? 0,
      ask: ask(baseUrl),
      kill: Effect.asVoid(end("SIGKILL")),
      stop: end("SIGTERM"),
      freeze: signal("SIGSTOP"),
      thaw: signal("SIGCONT")
    }
  })

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = Net.createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

const reserved = new Set<number>()

/**
 * Returns a port without a listener, each one once. It is below the range from which the system takes ports of outgoing
 * connections: one of those could be taken again before the service under test listens on it.
 */
export const freePort: Effect.Effect<number> = Effect.promise(async () => {
  for (;;) {
    const port = randomInt(15_000, 30_000)
    if (reserved.has(port)) continue
    reserved.add(port)
    if (await isFree(port)) return port
  }
})

/** Lists processes with the folder in their command line: its PostgreSQL and its nodes. */
export const processesOf = (
  dataDir: string
): Effect.Effect<ReadonlyArray<{ readonly pid: number; readonly command: string }>> =>
  Effect.sync(() =>
    Fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
      try {
        const command = Fs.readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ")
        return command.includes(dataDir) ? [{ pid: Number(name), command }] : []
      } catch {
        // The process has ended meanwhile.
        return []
      }
    })
  )

/** Sends a signal to a process; does nothing when it has ended. */
export const sendSignal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error
  }
}

const gone = (dataDir: string) =>
  Effect.repeat(Effect.delay(processesOf(dataDir), "50 millis"), { while: (left) => left.length > 0, times: 300 })

/** Creates a data directory; processes that killed services left running on it end with the scope. */
export const dataDirectory: Effect.Effect<string, never, Scope.Scope> = Effect.gen(function*() {
  const folder = yield* temporaryFolder
  yield* Effect.addFinalizer(() =>
    Effect.gen(function*() {
      const left = yield* processesOf(folder)
      for (const { pid } of left.filter(({ command }) => command.includes("postgres -D"))) sendSignal(pid, "SIGINT")
      yield* gone(folder)
    })
  )
  return folder
})

/** The embedded database of a data directory, also while its service is not running. */
export const database = (dataDir: string) =>
  PostgresClient.layer({
    host: `${dataDir}/postgres/socket`,
    port: 5432,
    username: "postgres",
    database: "vault_trader",
    ssl: false,
    maxConnections: 1
  })

/** Runs `query` on that database. */
export const withDatabase = <A, E>(
  dataDir: string,
  query: Effect.Effect<A, E, SqlClient.SqlClient>
): Effect.Effect<A> => query.pipe(Effect.provide(database(dataDir)), Effect.orDie)

/** Returns the rows of a query on that database. */
export const rowsOf = (dataDir: string, query: string) =>
  withDatabase(
    dataDir,
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Readonly<Record<string, unknown>>>(query))
  )
