/**
 * PostgreSQL inside the process, on virtual time and with faults: the SQL of the product runs as it is, on PGlite. One instance
 * serves many lives; a client belongs to one process of a life and says nothing any more once that process is dead.
 */
import { PGlite } from "@electric-sql/pglite"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { migrate } from "@vault-trader/core/storage/Migrations"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

/** What becomes of one statement. */
export type StatementFate = "runs" | "fails" | "runsButFails"

export interface VirtualPostgres {
  readonly db: PGlite
  /** Statements under way, for knowing when everything waits for time. */
  readonly pending: () => number
  /** Sets the clock that `now()` reads, in milliseconds. */
  readonly setNow: (millis: number) => Promise<void>
  /** Empties our tables. */
  readonly reset: () => Promise<void>
  /** Ends the transaction of a process that has died, as the end of its connection would. */
  readonly bury: Effect.Effect<void>
  /** Looks behind everybody's back. */
  readonly peek: <A>(query: string, params?: Array<unknown>) => Promise<ReadonlyArray<A>>
  /** A client of one process. `fate` is asked before each statement; after `dead()` none ever answers. */
  readonly client: (process: {
    readonly fate: (statement: string) => StatementFate
    readonly dead: () => boolean
  }) => Layer.Layer<SqlClient.SqlClient>
}


/** One instance with the schema in it. Its `now()` is a function of ours, so that times in rows are virtual too. */
export const make = async (): Promise<VirtualPostgres> => {
  const asText = (value: string) => value
  const db = await PGlite.create({ parsers: { 20: asText, 1700: asText } })
  await db.exec(`create schema virtual; set virtual.millis = '0';
    create function virtual.now() returns timestamptz language sql stable as
      $$ select to_timestamp(current_setting('virtual.millis')::float8 / 1000) $$;
    set search_path = virtual, pg_catalog`)
  let pending = 0
  const lock = Effect.unsafeMakeSemaphore(1)

  /** Whose transaction it is: there is one session, so there is one transaction at a time. */
  let holder: { readonly dead: () => boolean } | undefined
  const endOf = (mine: typeof holder) =>
    Effect.zipRight(Effect.ignore(run("rollback", [])), Effect.suspend(() => {
      if (holder !== mine) return Effect.void
      holder = undefined
      return lock.release(1)
    }))

  const run = (statement: string, params: ReadonlyArray<unknown>) =>
    Effect.tryPromise({
      try: async () => {
        pending += 1
        try {
          return (await db.query<Record<string, unknown>>(statement, [...params])).rows
        } finally {
          pending -= 1
        }
      },
      catch: (cause) => new SqlError({ cause, message: "the database refused a statement" })
    }).pipe(Effect.uninterruptible)

  const client: VirtualPostgres["client"] = ({ fate, dead }) => {
    const lost = new SqlError({ cause: new Error("connection lost"), message: "the connection to the database is lost" })
    const gone = new SqlError({ cause: new Error("dead"), message: "this process is dead" })
    const statement = (text: string, params: ReadonlyArray<unknown>) =>
      Effect.suspend(() => {
        if (dead()) return Effect.fail(gone)
        const what = /^rollback/i.test(text) ? "runs" : fate(text)
        if (what === "runs") return run(text, params)
        return what === "fails" ? Effect.fail(lost) : Effect.zipRight(run(text, params), lost)
      })
    const connection = (locked: boolean): Connection => {
      const execute: Connection["execute"] = (text, params, transform) =>
        Effect.suspend(() => dead() ? Effect.never : locked ? statement(text, params) : lock.withPermits(1)(statement(text, params))).pipe(
          // A dead process waits for ever, but not with the session in its hands.
          Effect.catchAll((error) => error === gone ? Effect.never : Effect.fail(error)),
          Effect.map((rows) => transform ? transform(rows) : rows)
        )
      return {
        execute,
        executeRaw: (text, params) => execute(text, params, undefined),
        executeValues: () => Effect.dieMessage("not used"),
        executeUnprepared: execute,
        executeStream: () => Stream.dieMessage("not used")
      }
    }
    const transaction = Effect.acquireRelease(
      // A dead process may still stand in the queue: its turn passes on.
      Effect.zipRight(lock.take(1), Effect.suspend(() => dead() ? Effect.zipRight(lock.release(1), Effect.never) : Effect.sync(() => (holder = { dead })))),
      // A commit whose answer was lost may leave the one session inside a transaction.
      (mine) => holder === mine ? endOf(mine) : Effect.void
    ).pipe(Effect.as(connection(true)))
    return Layer.effect(
      SqlClient.SqlClient,
      SqlClient.make({
        acquirer: Effect.succeed(connection(false)),
        transactionAcquirer: transaction,
        compiler: PgClient.makeCompiler(),
        spanAttributes: []
      })
    ).pipe(Layer.provide(Reactivity.layer))
  }

  await Effect.runPromise(migrate.pipe(Effect.provide(client({ fate: () => "runs", dead: () => false }))))
  return {
    db,
    pending: () => pending,
    setNow: async (millis) => {
      await db.query("select set_config('virtual.millis', $1, false)", [String(millis)])
    },
    reset: async () => {
      await db.exec("rollback; truncate charges, attempts, submissions, intents, api_keys, gas_wallets, kill_switches")
    },
    peek: async <A>(query: string, params: Array<unknown> = []) => (await db.query<A>(query, params)).rows,
    bury: Effect.suspend(() => holder?.dead() === true ? Effect.asVoid(endOf(holder)) : Effect.void),
    client
  }
}

