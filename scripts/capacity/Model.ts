/** Computes what a fleet needs from the unit costs. Pure; all times in milliseconds of processor time. */
import { shards } from "@vault-trader/workers/threshold-bot/BotScheduler"
import type { Costs } from "./Costs.ts"
import type { FleetSize } from "./FleetSize.ts"

/** Processes of the service. */
export interface Processes {
  readonly runners: number
  readonly servers: number
}

/** Calls to nodes, a second, by what they are for. */
export interface Calls {
  /** Reads of bots' vaults; each reads 200 of them. */
  readonly bots: number
  /** Counts and balances of wallets. */
  readonly wallets: number
  /** Reads of a vault's value, at a block that is final. */
  readonly samples: number
  readonly actions: number
  /** Heads, events and prices of each network. */
  readonly networks: number
}

/** Needs of a fleet. */
export interface Needs extends Processes {
  /** Cores in use on average, of all processes of each kind together. */
  readonly runnerCores: number
  readonly serverCores: number
  readonly postgresCores: number
  readonly calls: Calls
  /** Rows that are inserted, and bytes by which the database grows, a day. */
  readonly rowsPerDay: number
  readonly bytesPerDay: number
  /** Bytes of rows that do not grow with time. */
  readonly standingBytes: number
  /** Bytes of the database after a year. */
  readonly yearBytes: number
  readonly walBytesPerDay: number
  readonly connections: number
  /** Resident memory of all processes of the service, MB. */
  readonly megabytes: number
}

export const daySeconds = 86_400
/** Bots in a page of the watch, vaults in a call, and calls of a page at a time (BotScheduler.ts). */
const [pageBots, callBots] = [1_000, 200]
/** Part of a core that one process is planned with: its event loop must also answer when work comes in bursts. */
const planned = 0.6
/** Connections of a process: 16 and 2 of its pools, and one on which it holds locks or listens (Database.ts). */
export const connectionsPerProcess = 19
/** Checks of all wallets of a network that read the whole list of wallets and bots, each round (GasMonitor.ts). */
export const listsPerGasRound = 3
/** Seconds for which a server notes a key's use once, and the keys that it remembers (LastUse.ts). */
const [keyUseSeconds, maxKeys] = [60, 20_000]

/** Days for which all samples of a vault are kept; of older days one is kept (PERFORMANCE_SAMPLE_DAYS). */
const sampleDays = 30
const yearDays = 365

/** Returns the calls of one check of this many bots: by pages, and each page by calls. */
export const callsOfBots = (bots: number): number =>
  Math.floor(bots / pageBots) * pageBots / callBots + Math.ceil(bots % pageBots / callBots)

/** Returns the calls a second of each kind. */
export const callsOf = (fleet: FleetSize, { calls }: Costs): Calls => {
  const parts = fleet.networks * shards
  return {
    bots: parts * callsOfBots(fleet.bots / parts) / fleet.checkSeconds,
    wallets: fleet.lanes * (calls.walletCheck / fleet.gasSeconds + calls.walletHour / 3_600),
    samples: fleet.vaults * calls.sample / fleet.sampleSeconds + fleet.firstSamplesPerSecond * calls.firstSample,
    actions: (fleet.tradesPerDay * calls.trade + fleet.alertsPerDay * calls.alert) / daySeconds,
    networks: fleet.networks * calls.networkSecond
  }
}

export const sumOf = (calls: Calls): number =>
  calls.bots + calls.wallets + calls.samples + calls.actions + calls.networks

/** How often each thing happens, a second. */
export interface Rates {
  /** Rounds over a part of a network's bots. */
  readonly rounds: number
  readonly checks: number
  readonly walletChecks: number
  readonly samples: number
  readonly firstSamples: number
  readonly trades: number
  readonly alerts: number
  readonly reads: number
  /** Notes that a key was used: once a minute for each key and server (LastUse.ts). */
  readonly keyUses: number
  /** Rows that the lists of networks' wallets read. */
  readonly listedRows: number
}

/** Counts what happens in a second. */
export const ratesOf = (fleet: FleetSize, servers: number): Rates => ({
  rounds: fleet.bots === 0 ? 0 : fleet.networks * shards / fleet.checkSeconds,
  checks: fleet.bots / fleet.checkSeconds,
  walletChecks: fleet.lanes / fleet.gasSeconds,
  samples: fleet.vaults / fleet.sampleSeconds,
  firstSamples: fleet.firstSamplesPerSecond,
  trades: fleet.tradesPerDay / daySeconds,
  alerts: fleet.alertsPerDay / daySeconds,
  reads: fleet.readsPerSecond,
  keyUses: Math.min(fleet.readsPerSecond, servers * Math.min(fleet.wallets, maxKeys) / keyUseSeconds),
  listedRows: fleet.networks * listsPerGasRound * (fleet.bots + fleet.wallets) / fleet.gasSeconds
})

/** Computes the cores of runners, servers and PostgreSQL with this many processes. */
export const coresOf = (fleet: FleetSize, { runners, servers }: Processes, { postgres, runner, server }: Costs) => {
  const {
    alerts,
    checks,
    firstSamples,
    keyUses,
    listedRows,
    reads,
    rounds,
    samples,
    trades,
    walletChecks
  } = ratesOf(
    fleet,
    servers
  )
  const millis = {
    runners: runner.service + runners * runner.process + fleet.networks * runner.network + rounds * runner.round +
      checks * runner.check + fleet.bots * runner.botSecond + walletChecks * runner.walletCheck +
      samples * runner.sample + firstSamples * runner.firstSample + trades * runner.trade + alerts * runner.alert,
    servers: servers * server.process + reads * server.read,
    postgres: postgres.service + runners * postgres.runner + servers * postgres.server +
      fleet.networks * postgres.network + rounds * postgres.round + checks * postgres.check +
      listedRows * postgres.listedRow + fleet.bots * postgres.botSecond +
      walletChecks * postgres.walletCheck +
      samples * postgres.sample + reads * postgres.read + keyUses * postgres.keyUse + trades * postgres.trade +
      alerts * postgres.alert
  }
  return { runners: millis.runners / 1000, servers: millis.servers / 1000, postgres: millis.postgres / 1000 }
}

/** Returns the least number of processes, at least two so that one may fail, that keep each below the planned part. */
const processesFor = (cores: (count: number) => number): number => {
  const [work, each] = [cores(0), cores(1) - cores(0)]
  return Math.max(2, Math.ceil(work / (planned - each)))
}

/** Computes what a fleet needs, with as many processes as it needs or as are given. */
export const needsOf = (fleet: FleetSize, costs: Costs, given?: Processes): Needs => {
  const { runners, servers } = given ?? {
    runners: processesFor((count) => coresOf(fleet, { runners: count, servers: 2 }, costs).runners),
    servers: processesFor((count) => coresOf(fleet, { runners: 2, servers: count }, costs).servers)
  }
  const cores = coresOf(fleet, { runners, servers }, costs)
  const { bytes, rows, wal } = costs
  const samplesPerDay = fleet.vaults * daySeconds / fleet.sampleSeconds
  const { keyUses, walletChecks } = ratesOf(fleet, servers)
  const standingBytes = fleet.bots * bytes.bot + fleet.wallets * bytes.wallet + bytes.empty
  const actionBytesPerDay = fleet.tradesPerDay * bytes.trade + fleet.alertsPerDay * bytes.alert
  const keptSamples = samplesPerDay * sampleDays + fleet.vaults * (yearDays - sampleDays)
  return {
    ...{ runners, servers, runnerCores: cores.runners, serverCores: cores.servers, postgresCores: cores.postgres },
    calls: callsOf(fleet, costs),
    rowsPerDay: samplesPerDay * rows.sample + fleet.tradesPerDay * rows.trade + fleet.alertsPerDay * rows.alert,
    bytesPerDay: samplesPerDay * bytes.sample + actionBytesPerDay,
    standingBytes,
    yearBytes: standingBytes + keptSamples * bytes.sample + yearDays * actionBytesPerDay,
    walBytesPerDay: daySeconds * (wal.serviceSecond + fleet.bots * wal.botSecond +
          walletChecks * wal.walletCheck + keyUses * wal.keyUse) +
      samplesPerDay * wal.sample + fleet.tradesPerDay * wal.trade + fleet.alertsPerDay * wal.alert,
    connections: (runners + servers) * connectionsPerProcess,
    megabytes: runners * costs.megabytes.runner + servers * costs.megabytes.server
  }
}
