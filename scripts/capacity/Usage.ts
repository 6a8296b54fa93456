/** Reads what a fleet has used so far: processor time, rows, bytes and calls; the difference of two reads is a use. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as ProcessUsage from "../bench/http/ProcessUsage.ts"
import type { Fleet } from "./SimulatedFleet.ts"

/** Clock ticks per second in /proc; the same on every Linux. */
const ticks = 100

const statOf = (pid: number): ReadonlyArray<string> | undefined => {
  try {
    const stat = Fs.readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  } catch {
    // The process has ended since it was listed.
    return undefined
  }
}

/** Sums the milliseconds of processor time of a process, its children, and those of its children that have ended. */
export const treeMillis = (parent: number): number => {
  const numbers = (fields: ReadonlyArray<string>, places: ReadonlyArray<number>) =>
    places.reduce((sum, place) => sum + Number(fields[place]), 0)
  const own = statOf(parent)
  const children = Fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    const fields = statOf(Number(name))
    return fields !== undefined && Number(fields[1]) === parent ? [numbers(fields, [11, 12])] : []
  })
  return (numbers(own ?? [], [11, 12, 13, 14]) + children.reduce((sum, each) => sum + each, 0)) * 1000 / ticks
}

/** A table's rows that were written. */
export interface Written {
  readonly inserted: number
  readonly updated: number
}

/** Sums since the processes began. Processor times are milliseconds. */
export interface Usage {
  readonly at: number
  readonly runnersMillis: number
  readonly serversMillis: number
  readonly postgresMillis: number
  readonly nodesMillis: number
  readonly walBytes: number
  readonly databaseBytes: number
  /** Bytes of the samples' table with its indexes: what grows with time in a fleet that does not trade. */
  readonly historyBytes: number
  readonly tables: ReadonlyMap<string, Written>
  readonly calls: ReadonlyMap<string, number>
  readonly requests: number
  /** Bots that were checked. */
  readonly checks: number
  /** Samples of vaults' values that were taken. */
  readonly samples: number
}

const databaseOf = (sql: SqlClient.SqlClient) =>
  Effect.gen(function*() {
    const [sums] = yield* sql<
      { readonly wal: number; readonly size: number; readonly history: number; readonly samples: number }
    >`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal,
        pg_database_size(current_database())::float8 as size,
        pg_total_relation_size('vault_values')::float8 as history, (select count(*) from vault_values)::float8 as samples`
    const tables = yield* sql<Written & { readonly name: string }>`
      select relname as name, n_tup_ins::float8 as inserted, n_tup_upd::float8 as updated from pg_stat_user_tables`
    const { history = 0, samples = 0, size = 0, wal = 0 } = sums ?? {}
    return { history, samples, size, wal, tables }
  }).pipe(Effect.orDie)

/** Reads all sums. */
export const read = ({ nodes, postgresPid, runners, servers, sql }: Fleet): Effect.Effect<Usage> =>
  Effect.gen(function*() {
    const sumOf = (pids: ReadonlyArray<{ readonly pid: number }>) =>
      Effect.map(
        Effect.forEach(pids, ({ pid }) => ProcessUsage.cpuMillis(pid)),
        (all) => all.reduce((sum, each) => sum + each, 0)
      )
    const [runnersMillis, serversMillis] = [yield* sumOf(runners), yield* sumOf(servers)]
    const [at, postgresMillis, seen] = [performance.now(), treeMillis(postgresPid), yield* nodes.seen]
    const stored = yield* databaseOf(sql)
    return {
      ...{ at, runnersMillis, serversMillis, postgresMillis, walBytes: stored.wal },
      ...{ databaseBytes: stored.size, historyBytes: stored.history },
      nodesMillis: (seen.cpu.user + seen.cpu.system) / 1000,
      tables: new Map(stored.tables.map(({ inserted, name, updated }) => [name, { inserted, updated }])),
      calls: new Map(Object.entries(seen.calls)),
      ...{ requests: seen.requests, checks: seen.balances / 2, samples: stored.samples }
    }
  })

/** Returns the use between two reads. */
export const between = (before: Usage, after: Usage): Usage => ({
  at: after.at - before.at,
  runnersMillis: after.runnersMillis - before.runnersMillis,
  serversMillis: after.serversMillis - before.serversMillis,
  postgresMillis: after.postgresMillis - before.postgresMillis,
  nodesMillis: after.nodesMillis - before.nodesMillis,
  walBytes: after.walBytes - before.walBytes,
  databaseBytes: after.databaseBytes - before.databaseBytes,
  historyBytes: after.historyBytes - before.historyBytes,
  tables: new Map([...after.tables].map(([name, { inserted, updated }]) => [name, {
    inserted: inserted - (before.tables.get(name)?.inserted ?? 0),
    updated: updated - (before.tables.get(name)?.updated ?? 0)
  }])),
  calls: new Map([...after.calls].map(([kind, count]) => [kind, count - (before.calls.get(kind) ?? 0)])),
  requests: after.requests - before.requests,
  checks: after.checks - before.checks,
  samples: after.samples - before.samples
})
