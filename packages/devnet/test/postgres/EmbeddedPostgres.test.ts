import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schedule from "effect/Schedule"
import * as SqlClient from "effect/sql/SqlClient"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { EmbeddedPostgres } from "../../src/postgres/EmbeddedPostgres.ts"
import * as PostgresClient from "../../src/postgres/PostgresClient.ts"
import * as RunningProcess from "../../src/postgres/RunningProcess.ts"
import * as ServerAccount from "../../src/postgres/ServerAccount.ts"

const holderScript = fileURLToPath(new URL("DatabaseHolder.ts", import.meta.url))
const account = await Effect.runPromise(ServerAccount.choose(undefined))
/** Only for root, and only where an ordinary user could run this clone at all. */
const othersCanRunUs = account !== undefined &&
  (await Effect.runPromise(ServerAccount.canReach(account, join(holderScript, ".."))))

/**
 * Makes a separate data directory; 0700 and owned by root where `mode` says so. Deletes its home in the refuge with it.
 */
const dataDirectory = (mode: number, below = "") =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const root = await mkdtemp(join(tmpdir(), "vault-trader-test-"))
      await chmod(root, mode)
      const dataDir = join(root, below)
      await mkdir(dataDir, { recursive: true })
      return { root, dataDir }
    }),
    ({ dataDir, root }) =>
      Effect.promise(async () => {
        const elsewhere = await readFile(join(dataDir, "postgres/location"), "utf8").catch(() => "")
        if (elsewhere !== "") await rm(elsewhere.trim(), { recursive: true })
        await rm(root, { recursive: true })
      })
  ).pipe(Effect.map(({ dataDir }) => dataDir))

/** Starts the database, runs the effect and stops it again. */
const using = <A, E>(dataDir: string, effect: Effect.Effect<A, E, SqlClient.SqlClient | EmbeddedPostgres>) =>
  Effect.provide(
    effect,
    Layer.unwrap(Effect.map(EmbeddedPostgres, (pg) => PostgresClient.layer(pg.clientConfig()))).pipe(
      Layer.provideMerge(EmbeddedPostgres.layer({ dataDir }))
    )
  )

const query = <A extends object>(text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(text))

const write = Effect.andThen(
  query("CREATE TABLE IF NOT EXISTS marks (mark int)"),
  query("INSERT INTO marks VALUES (7)")
)
const marks = Effect.map(query<{ mark: number }>("SELECT mark FROM marks"), (rows) => rows.map((row) => row.mark))
const startTime = Effect.map(
  query<{ at: string }>("SELECT pg_postmaster_start_time()::text AS at"),
  (rows) => rows[0]?.at
)

/** Returns the server's process, as its own pid file names it. */
const serverOf = (dataDir: string) =>
  Effect.tryPromise(() => readFile(join(dataDir, "postgres/data/postmaster.pid"), "utf8")).pipe(
    Effect.flatMap((text) => RunningProcess.find(Number.parseInt(text, 10))),
    Effect.flatMap(Effect.fromNullishOr)
  )

const watchdogOf = (dataDir: string) =>
  Effect.tryPromise(() => readFile(join(dataDir, "postgres/watchdog.pid"), "utf8")).pipe(
    Effect.flatMap((text) => RunningProcess.find(Number(text))),
    Effect.flatMap(Effect.fromNullishOr)
  )

const Holder = (dataDir: string, user: ServerAccount.ServerAccount | undefined) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [holderScript, dataDir], {
        ...user,
        stdio: ["ignore", "pipe", "inherit"]
      })
      const [line] = await once(createInterface(child.stdout), "line") as [string]
      return { child, report: JSON.parse(line) as { readonly socketDir: string; readonly uid: number } }
    }),
    ({ child }) => end(child, "SIGTERM")
  )

const end = (child: ChildProcess, signal: NodeJS.Signals) =>
  Effect.promise(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, "exit")
    child.kill(signal)
    await exit
  })

describe("EmbeddedPostgres", () => {
  it.live("starts from an empty directory with its own socket, no TCP port and fsync on", () =>
    Effect.gen(function*() {
      const dataDir = yield* dataDirectory(0o755)
      yield* using(
        dataDir,
        Effect.gen(function*() {
          const pg = yield* EmbeddedPostgres
          assert.strictEqual(pg.socketDir, join(dataDir, "postgres/socket"))
          const rows = yield* query(
            "SELECT current_database() AS db, current_setting('listen_addresses') AS tcp, current_setting('fsync') AS fsync"
          )
          assert.deepStrictEqual(rows, [{ db: "vault_trader", tcp: "", fsync: "on" }])
          assert.strictEqual((yield* Effect.promise(() => stat(pg.socketDir))).mode & 0o777, 0o700)
        })
      )
    }))

  it.live("keeps rows over a restart and leaves no process behind", () =>
    Effect.gen(function*() {
      const dataDir = yield* dataDirectory(0o755)
      const server = yield* using(dataDir, Effect.andThen(write, serverOf(dataDir)))
      assert.isFalse(yield* RunningProcess.isAlive(server))
      assert.deepStrictEqual(yield* using(dataDir, marks), [7])
    }))

  it.live("makes and drops databases that know nothing of each other", () =>
    Effect.gen(function*() {
      const dataDir = yield* dataDirectory(0o755)
      yield* using(
        dataDir,
        Effect.gen(function*() {
          const pg = yield* EmbeddedPostgres
          yield* write
          yield* pg.createDatabase("second one")
          yield* pg.createDatabase("second one")
          const tables = query("SELECT 1 FROM pg_tables WHERE tablename = 'marks'").pipe(
            Effect.provide(PostgresClient.layer(pg.clientConfig("second one")))
          )
          assert.deepStrictEqual(yield* tables, [])
          yield* pg.dropDatabase("second one")
          yield* pg.dropDatabase("second one")
          assert.deepStrictEqual(yield* query("SELECT 1 FROM pg_database WHERE datname = 'second one'"), [])
        })
      )
    }))

  it.live("is stopped when its service is killed, and the next service, started at once, has its rows", () =>
    Effect.gen(function*() {
      const dataDir = yield* dataDirectory(0o755)
      yield* using(dataDir, write)
      const { child } = yield* Holder(dataDir, undefined)
      const orphan = yield* serverOf(dataDir)
      const watchdog = yield* watchdogOf(dataDir)
      yield* end(child, "SIGKILL")
      assert.deepStrictEqual(
        yield* using(
          dataDir,
          Effect.tap(marks, Effect.map(serverOf(dataDir), ({ pid }) => assert.notStrictEqual(pid, orphan.pid)))
        ),
        [7]
      )
      assert.isFalse(yield* RunningProcess.isAlive(orphan))
      assert.isFalse(yield* RunningProcess.isAlive(watchdog))

      const second = yield* Holder(dataDir, undefined)
      const left = yield* serverOf(dataDir)
      yield* end(second.child, "SIGKILL")
      // No service starts afterwards: only the watchdog can have stopped it.
      assert.isTrue(yield* RunningProcess.awaitGone(left, "1 minute"))
    }))

  it.live("is adopted when its service was killed with its watchdog, and stopped afterwards", () =>
    Effect.gen(function*() {
      const dataDir = yield* dataDirectory(0o755)
      const { child } = yield* Holder(dataDir, undefined)
      const orphan = yield* serverOf(dataDir)
      yield* RunningProcess.signal(yield* watchdogOf(dataDir), "SIGKILL")
      yield* end(child, "SIGKILL")
      yield* using(
        dataDir,
        Effect.gen(function*() {
          assert.strictEqual((yield* serverOf(dataDir)).pid, orphan.pid)
          yield* write
        })
      )
      assert.isFalse(yield* RunningProcess.isAlive(orphan))
    }))

  it.live("recovers when service and server were both killed", () =>
    Effect.gen(function*() {
      const dataDir = yield* dataDirectory(0o755)
      yield* using(dataDir, write)
      const { child } = yield* Holder(dataDir, undefined)
      const orphan = yield* serverOf(dataDir)
      yield* end(child, "SIGKILL")
      yield* RunningProcess.signal(orphan, "SIGKILL")
      assert.isTrue(yield* RunningProcess.awaitGone(orphan, "1 minute"))
      assert.deepStrictEqual(yield* using(dataDir, marks), [7])
    }))

  it.live("restarts with its rows after the server was killed under a running service, and stops with that service", () =>
    Effect.gen(function*() {
      const dataDir = yield* dataDirectory(0o755)
      const back = Effect.retry(marks, Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "1 minute" })))
      const last = yield* using(
        dataDir,
        Effect.gen(function*() {
          yield* write
          for (const signal of ["SIGKILL", "SIGQUIT"] as const) {
            const server = yield* serverOf(dataDir)
            yield* RunningProcess.signal(server, signal)
            assert.isTrue(yield* RunningProcess.awaitGone(server, "1 minute"))
            assert.deepStrictEqual(yield* back, [7])
            assert.notStrictEqual((yield* serverOf(dataDir)).startedAt, server.startedAt)
          }
          return yield* serverOf(dataDir)
        })
      )
      assert.isFalse(yield* RunningProcess.isAlive(last))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(serverOf(dataDir))))
    }))

  it.live("does not mistake another process with the old server's process id for the server", () =>
    Effect.gen(function*() {
      const dataDir = yield* dataDirectory(0o755)
      yield* using(dataDir, write)
      const stranger = yield* Effect.acquireRelease(
        Effect.sync(() => spawn("sleep", ["60"], { ...account, cwd: "/" })),
        (child) => end(child, "SIGKILL")
      )
      const data = join(dataDir, "postgres/data")
      yield* Effect.promise(() => writeFile(join(data, "postmaster.pid"), `${stranger.pid}\n${data}\n0\n5432\n\n\n`))
      assert.deepStrictEqual(yield* using(dataDir, marks), [7])
      assert.isNull(stranger.exitCode)
      assert.isNull(stranger.signalCode)
    }))

  it.live("refuses a data directory that another service holds, in one sentence naming it", () =>
    Effect.gen(function*() {
      const dataDir = yield* dataDirectory(0o755)
      const { child } = yield* Holder(dataDir, undefined)
      const refusal = yield* Effect.flip(using(dataDir, Effect.void))
      assert.strictEqual(
        refusal.message,
        `The data directory ${
          join(dataDir, "postgres")
        } is in use by process ${child.pid}; stop that service or choose another DATA_DIR.`
      )
      yield* end(child, "SIGTERM")
      yield* using(dataDir, startTime)
    }))

  it.live("puts the socket in the temporary folder when the data directory is too deep", () =>
    Effect.gen(function*() {
      const dataDir = yield* dataDirectory(0o755, "a".repeat(90))
      const socketDir = yield* using(dataDir, Effect.map(EmbeddedPostgres, (pg) => pg.socketDir))
      assert.match(socketDir, /^.{1,70}vault-trader-[0-9a-f]{16}$/)
      assert.strictEqual((yield* Effect.promise(() => stat(socketDir))).mode & 0o777, 0o700)
      yield* Effect.promise(() => rm(socketDir, { recursive: true }))
    }))

  it.live.runIf(account !== undefined)(
    "works for root in a folder that only root may enter",
    () =>
      Effect.gen(function*() {
        const dataDir = yield* dataDirectory(0o700, ".data")
        yield* using(dataDir, write)
        assert.deepStrictEqual(yield* using(dataDir, marks), [7])
        const home = yield* Effect.promise(() => readFile(join(dataDir, "postgres/location"), "utf8"))
        assert.match(home, /^\/var\/lib\/vault-trader\/[0-9a-f]{16}\n$/)
      })
  )

  it.live.runIf(account !== undefined)(
    "names its folder outside the data directory when it starts, and removes it once the data directory was removed",
    () =>
      Effect.gen(function*() {
        const said: Array<string> = []
        const logger = Logger.make(({ message }) => void said.push(String(message)))
        const dataDir = yield* dataDirectory(0o700, ".data")
        yield* using(dataDir, write).pipe(Effect.provide(Logger.layer([logger])))
        const home = (yield* Effect.promise(() => readFile(join(dataDir, "postgres/location"), "utf8"))).trim()
        assert.include(said.join("\n"), `is in ${home}, because`)
        yield* Effect.promise(() => rm(dataDir, { recursive: true }))
        const other = yield* dataDirectory(0o755)
        const removed = Effect.repeat(Effect.sync(() => existsSync(home)), {
          while: (exists) => exists,
          schedule: Schedule.spaced("20 millis").pipe(Schedule.upTo({ duration: "1 minute" }))
        })
        yield* using(other, removed).pipe(Effect.provide(Logger.layer([logger])))
        assert.isFalse(existsSync(home))
        assert.include(said.join("\n"), `removed the database in ${home}`)
      })
  )

  it.live.runIf(othersCanRunUs)("works for an ordinary user", () =>
    Effect.gen(function*() {
      const user = account ?? { uid: 0, gid: 0 }
      const dataDir = yield* dataDirectory(0o755, ".data")
      yield* Effect.promise(() => chown(dataDir, user.uid, user.gid))
      const { child, report } = yield* Holder(dataDir, user)
      assert.deepStrictEqual(report, { socketDir: join(dataDir, "postgres/socket"), uid: user.uid })
      const server = yield* serverOf(dataDir)
      yield* end(child, "SIGTERM")
      assert.isFalse(yield* RunningProcess.isAlive(server))
      // And root, coming later, opens the user's rows as that user.
      yield* using(dataDir, write)
      assert.strictEqual((yield* Effect.promise(() => stat(join(dataDir, "postgres/data")))).uid, user.uid)
    }))
})
