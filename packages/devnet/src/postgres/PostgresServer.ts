/**
 * Runs the server process of one home. It is started, or adopted from a service that was killed together with its
 * watchdog, and stops with the scope.
 */
import type * as PgClient from "@effect/sql-pg/PgClient"
import { execFile, spawn } from "node:child_process"
import { open, readFile, rename, rm, stat } from "node:fs/promises"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as PostgresClient from "./PostgresClient.ts"
import { attempt, PostgresFailed } from "./PostgresFailed.ts"
import * as PostgresHome from "./PostgresHome.ts"
import * as RunningProcess from "./RunningProcess.ts"
import * as Watchdog from "./Watchdog.ts"

/**
 * Returns the connection options, all of them explicit so that PGPORT and similar environment variables have no effect.
 */
export const clientConfig = (home: PostgresHome.PostgresHome, database: string) =>
  ({
    host: home.socketDir,
    port: PostgresHome.port,
    username: "postgres",
    database,
    ssl: false
  }) satisfies PgClient.PgClientConfig

/** Starts the server and returns once it answers queries. Restarts it whenever it ends before the scope closes. */
export const run = (home: PostgresHome.PostgresHome): Effect.Effect<void, PostgresFailed, Scope.Scope> =>
  Effect.gen(function*() {
    yield* Watchdog.start(home)
    // Closes after `keepRunning` has stopped, so that a server stopped by us is not mistaken for one that crashed.
    const servers = yield* Scope.fork(yield* Effect.scope, "sequential")
    const first = yield* adoptOrBegin(home, servers)
    yield* Effect.forkScoped(keepRunning(home, servers, first))
  })

const adoptOrBegin = (home: PostgresHome.PostgresHome, servers: Scope.Scope) =>
  Effect.gen(function*() {
    const id = yield* recordedId(home)
    const left = id === undefined ? undefined : yield* RunningProcess.find(id)
    if (left !== undefined && isServerOf(home, left)) {
      yield* Scope.addFinalizer(servers, stop(left))
      if (yield* awaitAnswer(home, left)) {
        yield* Effect.logDebug(`adopted PostgreSQL (process ${left.pid})`)
        return left
      }
    }
    yield* initialise(home)
    return yield* begin(home, servers)
  })

/** Starts a server on the existing data. Cleans up after a failed attempt at once. */
const begin = (home: PostgresHome.PostgresHome, servers: Scope.Scope) =>
  Effect.gen(function*() {
    const id = yield* recordedId(home)
    const one = Effect.gen(function*() {
      const scope = yield* Scope.fork(servers, "sequential")
      return yield* Effect.onError(Scope.provide(startAnswering(home, id), scope), () => Scope.close(scope, Exit.void))
    })
    const server = yield* Effect.retry(one, {
      while: (failure) => failure.detail.includes(leftovers),
      schedule: Schedule.spaced("100 millis").pipe(Schedule.upTo({ duration: "10 seconds" }))
    })
    yield* Effect.logDebug(`started PostgreSQL (process ${server.pid})`)
    return server
  })

/** Delay before a server that does not start is retried. */
const startRetry = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("5 seconds")])

/**
 * Restarts the server when it was killed, for example because the machine ran out of memory. Nothing committed is lost,
 * and the service reconnects by itself.
 */
const keepRunning = (home: PostgresHome.PostgresHome, servers: Scope.Scope, first: RunningProcess.RunningProcess) =>
  Effect.gen(function*() {
    let server = first
    while (true) {
      yield* Effect.repeat(Effect.delay(RunningProcess.isAlive(server), "250 millis"), { while: (alive) => alive })
      yield* Effect.logError(`PostgreSQL (process ${server.pid}) has ended; restarting it`)
      server = yield* begin(home, servers).pipe(
        Effect.tapError(({ message }) => Effect.logError(message)),
        Effect.retry(startRetry)
      )
    }
  })

/** PostgreSQL's message while sessions of a killed server are still ending. */
const leftovers = "pre-existing shared memory block"

const startAnswering = (home: PostgresHome.PostgresHome, staleId: number | undefined) =>
  Effect.gen(function*() {
    const server = yield* Effect.acquireRelease(start(home, staleId), stop)
    if (yield* awaitAnswer(home, server)) return server
    return yield* new PostgresFailed({ doing: "start", detail: yield* lastError(home) })
  })

const isServerOf = (home: PostgresHome.PostgresHome, candidate: RunningProcess.RunningProcess) =>
  candidate.command.includes(`postgres -D ${home.data} `)

/** Reads the id in `postmaster.pid`: of a running server, a dead one, or by now an unrelated process. */
const recordedId = (home: PostgresHome.PostgresHome) =>
  Effect.tryPromise(() => readFile(`${home.data}/postmaster.pid`, "utf8")).pipe(
    Effect.map((text) => Number.parseInt(text, 10)),
    Effect.filterOrFail(Number.isSafeInteger),
    Effect.orElseSucceed(() => undefined)
  )

/**
 * Runs initdb in a draft folder that is renamed when complete, so that an interrupted run leaves no partial database.
 */
const initialise = Effect.fn("PostgresServer.initialise")(function*(home: PostgresHome.PostgresHome) {
  if (yield* Effect.isSuccess(Effect.tryPromise(() => stat(home.data)))) return
  const draft = `${home.data}.draft`
  yield* attempt("clear its draft", () => rm(draft, { recursive: true, force: true }))
  yield* PostgresHome.ownFolder(draft, home.account)
  yield* attempt("initialise its data", async (signal) => {
    const identity = ["-U", "postgres", "--auth=trust", "-E", "UTF8"]
    // PostgreSQL's builtin UTF-8 locale gives the same sort order on every machine, whatever its C library.
    const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    const args = ["-D", draft, ...identity, ...locale]
    await promisify(execFile)(home.binaries.initdb, args, { ...processOptions(home), signal })
    await rename(draft, home.data)
  })
})

/**
 * Returns a clean environment (PGDATA and similar variables would take effect) and a working directory every account
 * may enter.
 */
const processOptions = (home: PostgresHome.PostgresHome) => ({
  ...home.account,
  cwd: "/",
  env: { PATH: "/usr/local/bin:/usr/bin:/bin", TZ: "UTC" }
})

const start = Effect.fn("PostgresServer.start")(
  function*(home: PostgresHome.PostgresHome, staleId: number | undefined) {
    yield* rotate(home)
    const { env, ...accountAndFolder } = processOptions(home)
    // PostgreSQL refuses to start while the id in a stale postmaster.pid is that of another process or of an unreaped
    // zombie, unless PG_GRANDPARENT_PID names it. Unlike removing the file, this keeps its check for sessions that
    // still use the data.
    const environment = staleId === undefined ? env : { ...env, PG_GRANDPARENT_PID: String(staleId) }
    const pid = yield* attempt("start", async () => {
      const log = await open(home.log, "a", 0o600)
      // Detached: Ctrl-C in the terminal must not reach the server before our finalizers have run.
      const child = spawn(home.binaries.postgres, settings(home), {
        ...accountAndFolder,
        env: environment,
        detached: true,
        stdio: ["ignore", log.fd, log.fd]
      })
      return new Promise<number>((resolve, reject) => {
        child.once("error", reject)
        child.once("spawn", () => resolve(child.pid ?? 0))
        // oxlint-disable-next-line typescript/no-misused-promises -- `finally` waits for what it returns.
      }).finally(() => {
        child.unref()
        return log.close()
      })
    })
    const running = yield* RunningProcess.find(pid)
    return running ?? (yield* new PostgresFailed({ doing: "start", detail: yield* lastError(home) }))
  }
)

const settings = (home: PostgresHome.PostgresHome) => [
  ...["-D", home.data],
  ...["-h", ""],
  // The list of socket folders is separated by commas; quotes make any path one entry.
  ...["-k", `"${home.socketDir.replaceAll("\"", "\"\"")}"`],
  ...["-p", String(PostgresHome.port)],
  ...["-c", "unix_socket_permissions=0700"],
  ...["-c", "max_connections=100"],
  ...["-c", "timezone=UTC"],
  ...["-c", "log_timezone=UTC"]
]

/**
 * Returns `true` at the first answered query and `false` when the process is gone; recovery after a crash may take a
 * while.
 */
const awaitAnswer = (home: PostgresHome.PostgresHome, server: RunningProcess.RunningProcess) =>
  Effect.gen(function*() {
    const answered = yield* Effect.isSuccess(asAdministrator(home, (sql) => sql`SELECT 1`))
    if (answered || !(yield* RunningProcess.isAlive(server))) return answered
    return yield* new PostgresFailed({ doing: "answer within a minute", detail: yield* lastError(home) })
  }).pipe(
    Effect.retry(Schedule.spaced("10 millis").pipe(Schedule.upTo({ duration: "1 minute" })))
  )

/** Runs a query on one short-lived connection to the maintenance database. */
export const asAdministrator = <A, E>(
  home: PostgresHome.PostgresHome,
  query: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>
) =>
  Effect.flatMap(SqlClient.SqlClient, query).pipe(
    Effect.provide(
      PostgresClient.layer({ ...clientConfig(home, "postgres"), maxConnections: 1, connectTimeout: "10 seconds" })
    )
  )

/**
 * Stops the server. Fast shutdown (SIGINT) ends every session and writes a checkpoint; SIGQUIT, the last resort, loses
 * nothing committed either.
 */
const stop = (server: RunningProcess.RunningProcess) =>
  Effect.gen(function*() {
    if (!(yield* RunningProcess.isAlive(server))) return
    yield* RunningProcess.signal(server, "SIGINT")
    if (yield* RunningProcess.awaitGone(server, "15 seconds")) return
    yield* RunningProcess.signal(server, "SIGQUIT")
    if (yield* RunningProcess.awaitGone(server, "5 seconds")) return
    yield* Effect.logWarning(`PostgreSQL (process ${server.pid}) does not stop`)
  })

/** Returns the last error in the log, where PostgreSQL explains why it did not start. */
const lastError = (home: PostgresHome.PostgresHome) =>
  Effect.tryPromise(() => readFile(home.log, "utf8")).pipe(
    Effect.map((text) => {
      const lines = text.trimEnd().split("\n").slice(-20)
      return `${lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? ""} [log: ${home.log}]`
    }),
    Effect.orElseSucceed(() => `it left no log at ${home.log}`)
  )

const maxLogBytes = 8 * 1024 * 1024

const rotate = (home: PostgresHome.PostgresHome) =>
  attempt("rotate its log", async () => {
    const { size } = await stat(home.log)
    if (size > maxLogBytes) await rename(home.log, `${home.log}.old`)
  }).pipe(Effect.ignore)
