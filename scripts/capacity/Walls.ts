/** The limits that a growing fleet reaches, and what removes each. */
import { shards } from "@vault-trader/workers/threshold-bot/BotScheduler"
import type { Costs } from "./Costs.ts"
import { type FleetSize, grown } from "./FleetSize.ts"
import { type Needs, needsOf, type Processes, ratesOf, sumOf } from "./Model.ts"

/** Limits around the service. Assumptions, not measurements: an operator replaces them. */
export interface Surroundings {
  /** Calls a second that the plan of one network's endpoint allows. */
  readonly callsPerSecond: number
  /** Milliseconds until a node's answer to a call of Multicall3. */
  readonly callMillis: number
  readonly postgresCores: number
  readonly maxConnections: number
  /** Bytes for the database. */
  readonly diskBytes: number
}

export const usualSurroundings: Surroundings = {
  callsPerSecond: 50,
  callMillis: 150,
  postgresCores: 4,
  maxConnections: 100,
  diskBytes: 1e12
}

/** A limit. `used`: the part of it that a fleet needs; it is reached at 1. */
interface Limit {
  readonly name: string
  readonly used: number
  readonly need: string
  readonly removedBy: string
}

/** A limit, and how many times as large as the fleet one of the same proportions is that reaches it. */
export interface Wall extends Limit {
  readonly times: number
}

/** Bots of a page of the watch, and the calls of a page that wait for each other (BotScheduler.ts). */
const [pageBots, turnsOfPage] = [1_000, 2]
/** Wallets of a page of the gas monitor, and requests of a page that wait for each other (NonceWatch, BalanceWatch). */
const [pageWallets, turnsOfWallets] = [500, 5]
/** Vaults of a network that are sampled at a time (ValueSampler.ts). */
const sampledAtOnce = 4
const rounded = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(2)

/** Returns the part of each limit that a fleet needs. */
const limitsOf = (
  fleet: FleetSize,
  needs: Needs,
  { callMillis, callsPerSecond, diskBytes, maxConnections, postgresCores }: Surroundings,
  { postgres, runner }: Costs
): ReadonlyArray<Limit> => {
  const { walletChecks } = ratesOf(fleet, needs.servers)
  const perNetwork = (count: number) => count / fleet.networks
  const partPages = Math.ceil(perNetwork(fleet.bots) / shards / pageBots)
  const partSeconds = (partPages * turnsOfPage * callMillis + perNetwork(fleet.bots) / shards * postgres.check) / 1000
  const walletSeconds = Math.ceil(perNetwork(fleet.lanes) / pageWallets) * turnsOfWallets * callMillis / 1000
  const watchCores = walletChecks * runner.walletCheck / 1000
  const sampleSeconds = perNetwork(fleet.vaults) * callMillis / sampledAtOnce / 1000
  const calls = perNetwork(sumOf(needs.calls))
  return [
    {
      name: "RPC plan of a network",
      used: calls / callsPerSecond,
      need: `${rounded(calls)} calls/s`,
      removedBy: "a longer GAS_CHECK_SECONDS, because most calls are for wallets; a larger plan, or nodes of your own"
    },
    {
      name: "a round over a part of a network's bots, as long as the pause",
      used: partSeconds / fleet.checkSeconds,
      need: `${rounded(partSeconds)} s a round`,
      removedBy: "more parts of a network (`shards`, 4, in BotScheduler.ts); until then bots are checked later"
    },
    {
      name: "a round over a network's wallets, as long as the pause",
      used: walletSeconds / fleet.gasSeconds,
      need: `${rounded(walletSeconds)} s a round`,
      removedBy: "a longer GAS_CHECK_SECONDS, or pages that are read together"
    },
    {
      name: "the process that checks all wallets",
      used: watchCores,
      need: `${rounded(watchCores)} of a core`,
      removedBy: "a longer GAS_CHECK_SECONDS, or one check for each network in place of one for all"
    },
    {
      name: "samples of a network's vaults, as long as from slot to slot",
      used: sampleSeconds / fleet.sampleSeconds,
      need: `${rounded(sampleSeconds)} s a slot`,
      removedBy: "a longer PERFORMANCE_SAMPLE_SECONDS, or several vaults in a call"
    },
    {
      name: "PostgreSQL's processors",
      used: needs.postgresCores / postgresCores,
      need: `${rounded(needs.postgresCores)} cores`,
      removedBy: "more cores; longer BOT_CHECK_SECONDS, GAS_CHECK_SECONDS and PERFORMANCE_SAMPLE_SECONDS"
    },
    {
      name: "PostgreSQL's connections",
      used: needs.connections / maxConnections,
      need: `${needs.connections} connections`,
      removedBy: "a larger max_connections"
    },
    {
      name: "disk",
      used: needs.yearBytes / diskBytes,
      need: `${rounded(needs.yearBytes / 1e9)} GB after a year`,
      removedBy: "a larger disk; a longer PERFORMANCE_SAMPLE_SECONDS for the part of the samples"
    }
  ]
}

/** Bounds of the search for the size that reaches a limit, and its steps. */
const [leastTimes, mostTimes, steps] = [1e-6, 1e6, 60]

/** Lists all limits, in the order in which a growing fleet of these proportions reaches them. */
export const wallsOf = (
  fleet: FleetSize,
  costs: Costs,
  surroundings: Surroundings,
  given?: Processes
): ReadonlyArray<Wall> => {
  const limits = (times: number) => {
    const size = grown(fleet, times)
    return limitsOf(size, needsOf(size, costs, given), surroundings, costs)
  }
  /** Finds the size by halving: every need grows with the fleet. */
  const reachedAt = (place: number) => {
    let [low, high] = [Math.log(leastTimes), Math.log(mostTimes)]
    for (let step = 0; step < steps; step++) {
      const middle = (low + high) / 2
      if ((limits(Math.exp(middle))[place]?.used ?? 0) >= 1) high = middle
      else low = middle
    }
    const times = Math.exp(high)
    return times > mostTimes / 2 ? Infinity : times
  }
  return limits(1).map((limit, place): Wall => ({ ...limit, times: reachedAt(place) }))
    .sort((one, other) => one.times - other.times)
}
