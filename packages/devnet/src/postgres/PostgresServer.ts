/** The server process of one home: started, or adopted from a service that was killed with its watchdog, and stopped with the scope. */
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

/** What a client needs to know. Said in full, so that PGPORT and its like in our environment mean nothing here. */
export const clientConfig = (home: PostgresHome.PostgresHome, database: string) => ({
  host: home.socketDir,
  port: PostgresHome.port,
  username: "postgres",
  database,
  ssl: false
}) satisfies PgClient.PgClientConfig

/** Answers queries when this returns, and until the scope closes; started again when it ends before. */
export const run = (home: PostgresHome.PostgresHome): Effect.Effect<void, PostgresFailed, Scope.Scope> =>
  Effect.gen(function*() {
    yield* Watchdog.start(home)
    // Closed after the one who watches has stopped: a server that we stop is not one that ended.
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
      if (yield* answers(home, left)) {
        yield* Effect.logDebug(`adopted PostgreSQL (process ${left.pid})`)
        return left
      }
    }
    yield* initialise(home)
    return yield* begin(home, servers)
  })

/** A server on the data that is there. What a failed try leaves is tidied up at once. */
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

/** How long before a server that does not come up is tried again. */
const again = Schedule.min([Schedule.exponential("500 millis"), Schedule.spaced("5 seconds")])

/** Somebody killed it, or the machine ran out of memory: nothing committed is lost, and the service's connections come back by themselves. */
const keepRunning = (home: PostgresHome.PostgresHome, servers: Scope.Scope, first: RunningProcess.RunningProcess) =>
  Effect.gen(function*() {
    let server = first
    while (true) {
      yield* Effect.repeat(Effect.delay(RunningProcess.isAlive(server), "250 millis"), { while: (alive) => alive })
      yield* Effect.logError(`PostgreSQL (process ${server.pid}) has ended; it is started again`)
      server = yield* begin(home, servers).pipe(
        Effect.tapError(({ message }) => Effect.logError(message)),
        Effect.retry(again)
      )
    }
  })

/** What PostgreSQL says while sessions of a server that was killed are still on their way out. */
const leftovers = "pre-existing shared memory block"

const startAnswering = (home: PostgresHome.PostgresHome, staleId: number | undefined) =>
  Effect.gen(function*() {
    const server = yield* Effect.acquireRelease(start(home, staleId), stop)
    if (yield* answers(home, server)) return server
    return yield* new PostgresFailed({ doing: "start", detail: yield* lastWords(home) })
  })

const isServerOf = (home: PostgresHome.PostgresHome, candidate: RunningProcess.RunningProcess) =>
  candidate.command.includes(`postgres -D ${home.data} `)

/** The id in `postmaster.pid`: of a living server, a dead one, or by now of a stranger. */
const recordedId = (home: PostgresHome.PostgresHome) =>
  Effect.tryPromise(() => readFile(`${home.data}/postmaster.pid`, "utf8")).pipe(
    Effect.map((text) => Number.parseInt(text, 10)),
    Effect.filterOrFail(Number.isSafeInteger),
    Effect.orElseSucceed(() => undefined)
  )

/** In a draft folder that is renamed when complete: an interrupted initdb leaves no half of a database. */
const initialise = Effect.fn("PostgresServer.initialise")(function*(home: PostgresHome.PostgresHome) {
  if (yield* Effect.isSuccess(Effect.tryPromise(() => stat(home.data)))) return
  const draft = `${home.data}.draft`
  yield* attempt("clear its draft", () => rm(draft, { recursive: true, force: true }))
  yield* PostgresHome.ownFolder(draft, home.account)
  yield* attempt("initialise its data", async (signal) => {
    const identity = ["-U", "postgres", "--auth=trust", "-E", "UTF8"]
    // PostgreSQL's own UTF-8 locale: the same order on every machine, whatever its C library has.
    const locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    const args = ["-D", draft, ...identity, ...locale]
    await promisify(execFile)(home.binaries.initdb, args, { ...surroundings(home), signal })
    await rename(draft, home.data)
  })
})

/** A clean environment (PGDATA and its like would be heeded) and a working directory every account may be in. */
const surroundings = (home: PostgresHome.PostgresHome) => ({
  ...home.account,
  cwd: "/",
  env: { PATH: "/usr/local/bin:/usr/bin:/bin", TZ: "UTC" }
})

const start = Effect.fn("PostgresServer.start")(
  function*(home: PostgresHome.PostgresHome, staleId: number | undefined) {
    yield* rotate(home)
    const { env, ...around } = surroundings(home)
    // PostgreSQL will not start while the id in a stale postmaster.pid is a stranger's or an unreaped zombie's, unless told that
    // it is its grandparent's. Unlike removing the file, that leaves its check for sessions still using the data in force.
    const spared = staleId === undefined ? env : { ...env, PG_GRANDPARENT_PID: String(staleId) }
    const pid = yield* attempt("start", async () => {
      const log = await open(home.log, "a", 0o600)
      // Detached: Ctrl-C in the terminal must not reach the server before our finalizers are through with it.
      const child = spawn(home.binaries.postgres, settings(home), {
        ...around,
        env: spared,
        detached: true,
        stdio: ["ignore", log.fd, log.fd]
      })
      return new Promise<number>((resolve, reject) => {
        child.once("error", reject)
        child.once("spawn", () => resolve(child.pid ?? 0))
      }).finally(() => {
        child.unref()
        return log.close()
      })
    })
    const running = yield* RunningProcess.find(pid)
    return running ?? (yield* new PostgresFailed({ doing: "start", detail: yield* lastWords(home) }))
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

/** `true` at the first answered query, `false` when the process is gone; recovery after a crash may take its time. */
const answers = (home: PostgresHome.PostgresHome, server: RunningProcess.RunningProcess) =>
  Effect.gen(function*() {
    const answered = yield* Effect.isSuccess(asAdministrator(home, (sql) => sql`SELECT 1`))
    if (answered || !(yield* RunningProcess.isAlive(server))) return answered
    return yield* new PostgresFailed({ doing: "answer within a minute", detail: yield* lastWords(home) })
  }).pipe(
    Effect.retry(Schedule.spaced("10 millis").pipe(Schedule.upTo({ duration: "1 minute" })))
  )

/** One short connection to the maintenance database. */
export const asAdministrator = <A, E>(
  home: PostgresHome.PostgresHome,
  query: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>
) =>
  Effect.flatMap(SqlClient.SqlClient, query).pipe(
    Effect.provide(PostgresClient.layer({ ...clientConfig(home, "postgres"), maxConnections: 1, connectTimeout: "10 seconds" }))
  )

/** Fast shutdown (SIGINT) ends every session and writes a checkpoint; SIGQUIT, the resort, loses nothing committed either. */
const stop = (server: RunningProcess.RunningProcess) =>
  Effect.gen(function*() {
    if (!(yield* RunningProcess.isAlive(server))) return
    yield* RunningProcess.signal(server, "SIGINT")
    if (yield* RunningProcess.awaitGone(server, "15 seconds")) return
    yield* RunningProcess.signal(server, "SIGQUIT")
    if (yield* RunningProcess.awaitGone(server, "5 seconds")) return
    yield* Effect.logWarning(`PostgreSQL (process ${server.pid}) does not stop`)
  })

/** The last complaint in the log, which is where PostgreSQL says why it did not start. */
const lastWords = (home: PostgresHome.PostgresHome) =>
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
