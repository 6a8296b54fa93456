/**
 * Our PostgreSQL client. It converts values as node-postgres does, for which our statements and stores are written: a
 * parameter is text whose type the statement determines, an eight-byte integer is decimal digits, and bytes are a
 * separate Buffer.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Notifications } from "@vault-trader/core/storage/Notifications"
import { Reads } from "@vault-trader/core/storage/Reads"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Queue from "effect/Queue"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type * as SqlConnection from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import { realTime } from "../anvil/RealTime.ts"
import * as PostgresUrl from "./PostgresUrl.ts"

/**
 * Runs `SELECT 1` while it is built. With `connectTimeout`, a statement fails after waiting that long for a connection,
 * new or free.
 */
export const layer = (config: PgPool.Config): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(config)).pipe(Layer.provide(Reactivity.layer))

/**
 * Client for standalone reads (core/storage/Reads): many of them share a connection, and their statements, which look
 * rows up by their keys, are planned once.
 */
export const reads = (config: PgPool.Config): Layer.Layer<Reads, SqlError.SqlError> =>
  Layer.effect(Reads, make({ ...config, multiplex: true, startupParameters: {} })).pipe(Layer.provide(Reactivity.layer))

/** Listens to notifications, each channel on a connection of its own. */
export const notifications = (config: PgConnection.Config): Layer.Layer<Notifications> =>
  Layer.succeed(Notifications, {
    listen: (channel) =>
      Effect.gen(function*() {
        const url = config.url === undefined ? {} : yield* urlOf(config.url)
        const connection = yield* PgConnection.make({ ...defaults, ...config, ...url })
        return yield* connection.listen(channel)
      }).pipe(Effect.map((queue) => Effect.map(Queue.take(queue), ({ payload }) => payload)), realTime)
  })

/** Timeout of the first connection. */
const firstConnectionTimeout = Duration.seconds(5)

const make = Effect.fnUntraced(function*(options: PgPool.Config) {
  const config = { ...defaults, ...options, ...options.url === undefined ? {} : yield* urlOf(options.url) }
  const client = yield* SqlClient.make({
    ...acquisition(yield* realTime(PgPool.make(config)), config),
    compiler: PgClient.makeCompiler(),
    driver: "@effect/sql-pg",
    commit,
    spanAttributes: Object.entries({
      "db.system.name": "postgresql",
      "db.namespace": config.database ?? config.username ?? "postgres",
      "server.address": config.host ?? "localhost",
      "server.port": config.port ?? 5432
    })
  })
  yield* realTime(within(config.connectTimeout ?? firstConnectionTimeout, client`SELECT 1`, "Connection timed out"))
  return client
})

const urlOf = (url: Redacted.Redacted) =>
  Effect.mapError(Effect.try(() => PostgresUrl.read(url)), ({ cause }) => connectionError(cause, "Failed to connect"))

const connectionError = (cause: unknown, message: string) =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, message }) })

const within = <A, R>(duration: Duration.Input, effect: Effect.Effect<A, SqlError.SqlError, R>, message: string) =>
  Effect.timeoutOrElse(effect, { duration, orElse: () => Effect.fail(connectionError(new Error(message), message)) })

/** Maximum number of concurrent statements on a shared connection. */
const statementsPerConnection = 32

/**
 * Returns how statements and transactions get a connection. The driver limits how long connecting takes. A timer runs
 * only when all connections are in use: it costs more than most statements.
 */
const acquisition = (
  pool: PgPool.PgPool,
  { connectTimeout, maxConnections = 10, multiplex = false }: PgPool.Config
): Pick<SqlClient.SqlClient.MakeOptions, "acquirer"> & { readonly borrower: SqlConnection.Borrower } => {
  const reserved = Effect.map(pool.reserve, connectionOf)
  const borrowed: SqlConnection.Borrower = (use) =>
    pool.use((connection) =>
      multiplex ? leavingSilent(pool, connection, use(connectionOf(connection))) : use(connectionOf(connection))
    )
  if (connectTimeout === undefined) return { acquirer: realTime(reserved), borrower: (use) => realTime(borrowed(use)) }
  const free = Semaphore.makeUnsafe(multiplex ? maxConnections * statementsPerConnection : maxConnections)
  const waiting = within(
    connectTimeout,
    Effect.andThen(free.takeScoped(1), reserved),
    "timeout exceeded when trying to connect"
  )
  const taken = Effect.acquireRelease(free.takeIfAvailable(1), (isTaken) => isTaken ? free.release(1) : Effect.void)
  return {
    acquirer: realTime(Effect.flatMap(taken, (isTaken) => isTaken ? reserved : waiting)),
    borrower: (use) =>
      realTime(
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(free.takeIfAvailable(1), (isTaken) =>
            isTaken
              ? Effect.ensuring(restore(borrowed(use)), free.release(1))
              : restore(Effect.scoped(Effect.flatMap(waiting, use))))
        )
      )
  }
}

/** How long a statement on a shared connection may take before giving it up says something about the connection. */
const silence = Duration.toMillis("5 seconds")

/**
 * Takes a shared connection out of the pool when a statement that it has not answered for long is given up. Such a
 * statement cannot be cancelled, and the next ones would wait behind it.
 */
const leavingSilent = <A, E, R>(
  pool: PgPool.PgPool,
  connection: PgConnection.PgConnection,
  statement: Effect.Effect<A, E, R>
) => {
  const begun = performance.now()
  return Effect.onInterrupt(
    statement,
    () => performance.now() - begun < silence ? Effect.void : pool.invalidate(connection)
  )
}

/**
 * Commits. When the answer to COMMIT is lost, its outcome is unknown: that is a defect, so that no failure of a
 * transaction ever means "perhaps committed". PostgreSQL answers ROLLBACK to the COMMIT of a transaction in which a
 * statement failed: that is a failure, and nothing was committed.
 */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(
    Effect.orDie(connection.executeRaw("COMMIT", [])),
    (result) =>
      Predicate.hasProperty(result, "command") && result.command === "COMMIT"
        ? Effect.void
        : Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({
              cause: result,
              message: "the transaction had failed; it was rolled back"
            })
          })
        )
  )

const connectionOf = (connection: PgConnection.PgConnection): SqlConnection.Connection => {
  const rows = (text: string, parameters: ReadonlyArray<unknown>, prepare = true) =>
    Effect.map(connection.query(text, parameters.map(parameter), prepare), (result) => result.rows)
  return {
    execute: (text, parameters) => rows(text, parameters),
    executeUnprepared: (text, parameters) => rows(text, parameters, false),
    executeRaw: (text, parameters) => connection.query(text, parameters.map(parameter)),
    executeStream: (text, parameters) => connection.stream(text, parameters.map(parameter)),
    executeValues: (text, parameters) => connection.queryValues(text, parameters.map(parameter)),
    executeValuesUnprepared: (text, parameters) => connection.queryValues(text, parameters.map(parameter), false)
  }
}

/** Encodes a value as untyped text. Bytes and values that declare their own type are passed unchanged. */
const parameter = (value: unknown): unknown =>
  value instanceof Uint8Array || PgTypes.isParameter(value) ? value : textOf(value)

const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (typeof value === "string") return value
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString("hex")}`
  if (Array.isArray(value)) return arrayLiteral(value)
  return typeof value === "object" ? JSON.stringify(value) : `${value as number | bigint | boolean}`
}

const arrayLiteral = (values: ReadonlyArray<unknown>): string =>
  `{${
    values.map((value) => {
      const text = textOf(value)
      return Array.isArray(value) ? text : text === null ? "NULL" : `"${text.replaceAll(/[\\"]/g, "\\$&")}"`
    }).join(",")
  }}`

const integers: PgTypes.Codec<string> = {
  encode: (value) => PgTypes.encode(BigInt(value), PgTypes.OID.int8),
  decode: (bytes) => Result.map(PgTypes.decode(bytes, PgTypes.OID.int8, 1), String)
}

/** Copies the bytes, because the decoded value is a view of the whole message. */
const bytes: PgTypes.Codec<Uint8Array> = {
  encode: Result.succeed,
  decode: (value) => Result.succeed(Buffer.from(value))
}

const types = PgTypes.makeRegistry()
types.register(PgTypes.OID.int8, integers)
types.register(PgTypes.OID.bytea, bytes)

/**
 * Statements are parsed once for each connection and planned for their actual parameters each time: a generic plan may
 * be far from the best. A row may be as long as PostgreSQL allows. Probes find out that the other host is gone.
 */
const defaults = {
  types,
  prepare: true,
  startupParameters: { plan_cache_mode: "force_custom_plan" },
  keepAlive: "10 seconds",
  maxMessageSize: 2 ** 30,
  multiplexConcurrency: statementsPerConnection
} satisfies PgPool.Config
