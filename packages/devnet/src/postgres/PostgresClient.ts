/**
 * Our client of PostgreSQL. Values mean what they mean to node-postgres, whose rules our statements and stores are written for: a parameter is text whose
 * type the statement says, a whole number of eight bytes is decimal digits, and bytes are a Buffer of their own.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import { Reads } from "@vault-trader/core/storage/Reads"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type * as SqlConnection from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import { realTime } from "../anvil/RealTime.ts"
import * as PostgresUrl from "./PostgresUrl.ts"

/** Answers `SELECT 1` when it is built. With `connectTimeout`, a statement waits no longer for a connection, made or free, before it fails. */
export const layer = (config: PgPool.Config): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(config)).pipe(Layer.provide(Reactivity.layer))

/** The client for reads that stand alone (core/storage/Reads): many of them share a connection, and what they ask is prepared once. */
export const reads = (config: PgPool.Config): Layer.Layer<Reads, SqlError.SqlError> =>
  Layer.effect(Reads, make({ ...config, multiplex: true, prepare: true })).pipe(Layer.provide(Reactivity.layer))

/** How long the first connection may take. */
const firstConnection = Duration.seconds(5)

const make = Effect.fnUntraced(function*(given: PgPool.Config) {
  const config = { ...defaults, ...given, ...given.url === undefined ? {} : yield* urlOf(given.url) }
  const client = yield* SqlClient.make({
    ...lent(yield* realTime(PgPool.make(config)), config),
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
  yield* realTime(within(config.connectTimeout ?? firstConnection, client`SELECT 1`, "Connection timed out"))
  return client
})

const urlOf = (url: Redacted.Redacted) => Effect.mapError(Effect.try(() => PostgresUrl.read(url)), ({ cause }) => connectionError(cause, "Failed to connect"))

const connectionError = (cause: unknown, message: string) => new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, message }) })

const within = <A, R>(duration: Duration.Input, effect: Effect.Effect<A, SqlError.SqlError, R>, message: string) =>
  Effect.timeoutOrElse(effect, { duration, orElse: () => Effect.fail(connectionError(new Error(message), message)) })

/** How many statements share a connection. */
const sharing = 32

/**
 * How a statement, and how a transaction, gets its connection. The driver bounds how long one is made. Only who finds all of them lent out is timed:
 * that costs more than most statements.
 */
const lent = (
  pool: PgPool.PgPool,
  { connectTimeout, maxConnections = 10, multiplex = false }: PgPool.Config
): Pick<SqlClient.SqlClient.MakeOptions, "acquirer"> & { readonly borrower: SqlConnection.Borrower } => {
  const reserved = Effect.map(pool.reserve, connectionOf)
  const borrowed: SqlConnection.Borrower = (use) => pool.use((connection) => use(connectionOf(connection)))
  if (connectTimeout === undefined) return { acquirer: realTime(reserved), borrower: (use) => realTime(borrowed(use)) }
  const free = Semaphore.makeUnsafe(multiplex ? maxConnections * sharing : maxConnections)
  const waiting = within(connectTimeout, Effect.andThen(free.takeScoped(1), reserved), "timeout exceeded when trying to connect")
  const taken = Effect.acquireRelease(free.takeIfAvailable(1), (isTaken) => isTaken ? free.release(1) : Effect.void)
  return {
    acquirer: realTime(Effect.flatMap(taken, (isTaken) => isTaken ? reserved : waiting)),
    borrower: (use) =>
      realTime(Effect.uninterruptibleMask((restore) =>
        Effect.flatMap(free.takeIfAvailable(1), (isTaken) =>
          isTaken ? Effect.ensuring(restore(borrowed(use)), free.release(1)) : restore(Effect.scoped(Effect.flatMap(waiting, use))))))
  }
}

/**
 * What a COMMIT did whose answer is lost nobody knows: a defect, so that no failure of a transaction ever means "perhaps committed". PostgreSQL answers
 * ROLLBACK to the COMMIT of a transaction that has failed in it: that is a failure, and nothing of it stands.
 */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(Effect.orDie(connection.executeRaw("COMMIT", [])), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "COMMIT"
      ? Effect.void
      : Effect.fail(new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: result, message: "the transaction had failed; it was rolled back" }) })))

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

/** As text of no type; bytes, and what says its own type, stay. */
const parameter = (value: unknown): unknown => value instanceof Uint8Array || PgTypes.isParameter(value) ? value : textOf(value)

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

/** A copy: what is read is a view of everything that came with it. */
const bytes: PgTypes.Codec<Uint8Array> = {
  encode: Result.succeed,
  decode: (value) => Result.succeed(Buffer.from(value))
}

const types = PgTypes.makeRegistry()
types.register(PgTypes.OID.int8, integers)
types.register(PgTypes.OID.bytea, bytes)

/** No statement is prepared by name: a plan for all parameters alike may be far from the best for those at hand. A row may be as long as PostgreSQL's. */
const defaults = { types, prepare: false, maxMessageSize: 2 ** 30, multiplexConcurrency: sharing } satisfies PgPool.Config
