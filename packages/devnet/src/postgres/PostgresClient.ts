/**
 * Our client of PostgreSQL. Values mean what they mean to node-postgres, whose rules our statements and stores are written for: a parameter is text whose
 * type the statement says, a whole number of eight bytes is decimal digits, and bytes are a Buffer of their own.
 */
import * as PgClient from "@effect/sql-pg/PgClient"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Predicate from "effect/Predicate"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as SqlClient from "effect/sql/SqlClient"
import type * as SqlConnection from "effect/sql/SqlConnection"
import * as SqlError from "effect/sql/SqlError"
import type * as Statement from "effect/sql/Statement"
import { realTime } from "../anvil/RealTime.ts"
import * as PostgresUrl from "./PostgresUrl.ts"

/** Answers `SELECT 1` when it is built. With `connectTimeout`, a statement waits no longer for a connection, made or free, before it fails. */
export const layer = (config: PgClient.PgPoolConfig): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(SqlClient.SqlClient, make(config)).pipe(Layer.provide(Reactivity.layer))

/** How long the first connection may take. */
const firstConnection = Duration.seconds(5)

const make = Effect.fnUntraced(function*(given: PgClient.PgPoolConfig) {
  const config = { ...defaults, ...given, ...given.url === undefined ? {} : yield* urlOf(given.url) }
  const limited = config.connectTimeout
  const { reserve } = yield* realTime(PgClient.make(config))
  const client = yield* SqlClient.make({
    acquirer: realTime(limited === undefined ? reserve : within(limited, reserve, "timeout exceeded when trying to connect")),
    compiler: withTextParameters(PgClient.makeCompiler(config.transformQueryNames, config.transformJson)),
    driver: "@effect/sql-pg",
    commit,
    spanAttributes: Object.entries({
      ...config.spanAttributes,
      "db.system.name": "postgresql",
      "db.namespace": config.database ?? config.username ?? "postgres",
      "server.address": config.host ?? "localhost",
      "server.port": config.port ?? 5432
    })
  })
  yield* realTime(within(limited ?? firstConnection, client`SELECT 1`, "Connection timed out"))
  return client
})

const urlOf = (url: Redacted.Redacted) => Effect.mapError(Effect.try(() => PostgresUrl.read(url)), ({ cause }) => connectionError(cause, "Failed to connect"))

const connectionError = (cause: unknown, message: string) => new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, message }) })

const within = <A, R>(duration: Duration.Input, effect: Effect.Effect<A, SqlError.SqlError, R>, message: string) =>
  Effect.timeoutOrElse(effect, { duration, orElse: () => Effect.fail(connectionError(new Error(message), message)) })

/**
 * What a COMMIT did whose answer is lost nobody knows: a defect, so that no failure of a transaction ever means "perhaps committed". PostgreSQL answers
 * ROLLBACK to the COMMIT of a transaction that has failed in it: that is a failure, and nothing of it stands.
 */
const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(Effect.orDie(connection.executeRaw("COMMIT", [])), (result) =>
    Predicate.hasProperty(result, "command") && result.command === "COMMIT"
      ? Effect.void
      : Effect.fail(new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: result, message: "the transaction had failed; it was rolled back" }) })))

const withTextParameters = (compiler: Statement.Compiler): Statement.Compiler => ({
  dialect: compiler.dialect,
  compile: (statement, withoutTransform) => {
    const [text, parameters] = compiler.compile(statement, withoutTransform)
    return [text, parameters.map(parameter)]
  },
  get withoutTransform() {
    return withTextParameters(compiler.withoutTransform)
  }
})

/** As text of no type; bytes, and what says its own type, stay. */
const parameter = (value: unknown): unknown => {
  if (value === null || value === undefined) return null
  if (typeof value !== "object") return String(value)
  if (value instanceof Uint8Array || PgTypes.isParameter(value)) return value
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? arrayLiteral(value) : JSON.stringify(value)
}

const arrayLiteral = (values: ReadonlyArray<unknown>): string =>
  `{${
    values.map((value) => {
      if (Array.isArray(value)) return arrayLiteral(value)
      const element = value instanceof Uint8Array ? `\\x${Buffer.from(value).toString("hex")}` : parameter(value)
      return element === null ? "NULL" : `"${String(element).replaceAll(/[\\"]/g, "\\$&")}"`
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
const defaults = { types, prepare: false, maxMessageSize: 2 ** 30 } satisfies PgClient.PgClientConfig
