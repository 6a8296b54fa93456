/**
 * Measures what a trade and an alert use, in the whole service over the devnet: processor time, rows, bytes and calls.
 */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import { network, type Process, ServiceUnderTest, trade, type Trader } from "../bench/engine/ServiceUnderTest.ts"
import * as Vaults from "../bench/engine/Vaults.ts"
import * as LoadGenerator from "../bench/http/LoadGenerator.ts"
import * as ProcessUsage from "../bench/http/ProcessUsage.ts"
import * as Alerts from "../bench/webhooks/Alerts.ts"
import * as Usage from "./Usage.ts"

/** How much of each is measured, after a first round that is not counted. */
export interface ActionCounts {
  readonly vaults: number
  readonly trades: number
  readonly bots: number
  /** Alerts that arrive at once, one to each of as many bots. */
  readonly alertsAtOnce: number
  readonly bursts: number
}

/** The use of one action. */
export interface ActionUse {
  readonly serviceMillis: number
  readonly postgresMillis: number
  readonly rows: number
  readonly databaseBytes: number
  readonly walBytes: number
  readonly calls: number
}

/** Settings with which a write is answered when its outcome is known. */
const patient = { WAIT_SECONDS: "300", REQUEST_SECONDS: "310" }

interface Sums {
  readonly service: number
  readonly postgres: number
  readonly rows: number
  readonly size: number
  readonly wal: number
}

const sumsOf = (service: Process) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    // Counted, because PostgreSQL's statistics of a connection are late.
    const [row] = yield* sql<{ readonly rows: number; readonly size: number; readonly wal: number }>`
      select (select sum((xpath('/row/count/text()', query_to_xml(format('select count(*) from %I.%I', schemaname,
          relname), false, true, '')))[1]::text::bigint) from pg_stat_user_tables)::float8 as rows,
        pg_database_size(current_database())::float8 as size,
        pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal`
    const [backend] = yield* sql<{ readonly pid: number }>`select pg_backend_pid() as pid`
    const stat = Fs.readFileSync(`/proc/${backend?.pid}/stat`, "utf8")
    const postgres = Usage.treeMillis(Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]))
    const sums: Sums = {
      ...{ service: yield* ProcessUsage.cpuMillis(service.pid), postgres },
      ...{ rows: row?.rows ?? 0, size: row?.size ?? 0, wal: row?.wal ?? 0 }
    }
    return sums
  }).pipe(Effect.orDie)

/** Waits until each submission is final, with a block from time to time, and each intent has ended. */
const settled = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.andThen(
    Vaults.mine,
    sql<{ readonly open: number }>`select count(*)::int as open from submissions
      where status in ('queued', 'signed', 'mined')`
  ).pipe(
    Effect.delay("200 millis"),
    Effect.repeat({ while: ([row]) => row?.open !== 0 }),
    Effect.timeout("2 minutes")
  )
  yield* Alerts.quiet
}).pipe(Effect.orDie)

/** Runs the work and returns what each of its actions used; the idle service's own use of that time is taken off. */
const used = <E, R>(service: Process, actions: number, work: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function*() {
    const { front } = yield* ServiceUnderTest
    const idleBefore = yield* sumsOf(service)
    yield* Effect.sleep("20 seconds")
    const before = yield* sumsOf(service)
    front.forget()
    const began = performance.now()
    yield* work
    yield* settled
    const after = yield* sumsOf(service)
    const share = (performance.now() - began) / 20_000
    const calls = front.seen().reduce((sum, { methods }) => sum + methods.length, 0)
    const of = (sum: keyof Sums) => (after[sum] - before[sum] - share * (before[sum] - idleBefore[sum])) / actions
    const use: ActionUse = {
      ...{ serviceMillis: of("service"), postgresMillis: of("postgres"), rows: of("rows") },
      ...{ databaseBytes: (after.size - before.size) / actions, walBytes: of("wal"), calls: calls / actions }
    }
    return use
  })

const tradesOf = (baseUrl: string, traders: ReadonlyArray<Trader>, count: number, mark: string) =>
  Effect.forEach(
    Array.from({ length: count }),
    (_, index) =>
      Effect.flatMap(
        trade(baseUrl, traders[index % traders.length] as Trader, `${mark}-${index}`),
        (answer) =>
          answer["status"] === "success"
            ? Effect.void
            : Effect.die(new Error(`a trade was not executed: ${JSON.stringify(answer)}`))
      ),
    { concurrency: traders.length, discard: true }
  )

const alertsOf = (
  generator: LoadGenerator.LoadGenerator,
  { baseUrl }: Process,
  bots: ReadonlyArray<Alerts.Bot>,
  burst: number
) =>
  Effect.andThen(
    generator.run({
      origins: [baseUrl],
      requests: bots.map((bot) => Alerts.alertOf(bot, Alerts.sideOf(burst))),
      ...{ connections: bots.length, total: bots.length, expects: `"intent_id":["` }
    }),
    Alerts.quiet
  )

/** Measures both on one network. */
export const measure = ({ alertsAtOnce, bots, bursts, trades, vaults }: ActionCounts) =>
  Effect.scoped(Effect.gen(function*() {
    const { start } = yield* ServiceUnderTest
    const service = yield* start("start", patient)
    const generator = yield* LoadGenerator.start
    const traders = yield* Vaults.traders(service.baseUrl, { vaults, wallets: vaults })
    yield* tradesOf(service.baseUrl, traders, trades, "warm")
    yield* settled
    const trading = yield* used(service, trades, tradesOf(service.baseUrl, traders, trades, "counted"))
    const made = (yield* Alerts.bots(service.baseUrl, bots)).slice(0, alertsAtOnce)
    const bursting = (from: number) =>
      Effect.forEach(Array.from({ length: bursts }), (_, index) => alertsOf(generator, service, made, from + index))
    yield* bursting(1)
    const alerting = yield* used(service, bursts * made.length, bursting(1 + bursts))
    return { network, trade: trading, alert: alerting }
  })).pipe(Effect.provide(ServiceUnderTest.layer))
