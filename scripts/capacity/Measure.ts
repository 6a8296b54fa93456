/**
 * Measures the unit costs: small fleets that differ in one thing, all at the same time, and a few trades and alerts. The
 * check of the model is over a fleet of another size (Check.ts).
 */
import { names } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import { say } from "../bench/Bench.ts"
import * as Actions from "./Actions.ts"
import type { Costs } from "./Costs.ts"
import * as SimulatedFleet from "./SimulatedFleet.ts"
import { kinds } from "./FleetChain.ts"
import * as LeastSquares from "./LeastSquares.ts"
import * as Observation from "./Observation.ts"
import * as Window from "./Window.ts"

interface SmallFleet extends SimulatedFleet.FleetPlan {
  readonly reads: number
  /** Another time before the observation than most fleets have. */
  readonly warmSeconds?: number
}

const nothing: SmallFleet = {
  networks: ["arbitrum"],
  ...{ wallets: 1, bots: 0, sampled: 0, runners: 1, servers: 0, checkSeconds: 15, reads: 0 }
}
const few = { ...nothing, bots: 1_000, wallets: 100 }
const more = { ...nothing, networks: names, bots: 14_000, wallets: 700 }

/** Fleets by name, in two groups that fit on two cores. */
export const fleets: ReadonlyArray<Readonly<Record<string, SmallFleet>>> = [
  {
    nothing,
    server: { ...nothing, servers: 1 },
    reads: { ...nothing, wallets: 100, servers: 1, reads: 100 },
    runners: { ...nothing, runners: 3 },
    networks: { ...nothing, networks: names.slice(2) },
    few,
    often: { ...few, checkSeconds: 3 },
    more,
    wallets: { ...few, wallets: 3_000 },
    samples: { ...few, sampled: 1_000 }
  },
  {
    fast: { ...more, checkSeconds: 5 },
    "one network": { ...more, networks: nothing.networks },
    deep: { ...more, networks: names.slice(0, 2), bots: 40_000, wallets: 2_000 },
    larger: { ...more, bots: 50_000, wallets: 2_500, checkSeconds: 60 },
    double: { ...more, bots: 28_000, wallets: 1_400 },
    lanes: { ...more, wallets: 5_000 },
    "more samples": { ...few, networks: names.slice(0, 3), bots: 3_000, wallets: 300, sampled: 3_000 },
    "first samples": {
      ...{ ...few, networks: names.slice(0, 3), bots: 6_000, wallets: 300, sampled: 6_000, warmSeconds: 0 }
    },
    "more reads": { ...nothing, wallets: 1_000, servers: 1, reads: 300 }
  }
]

const pace = { warmSeconds: 100, seconds: 300 }
const actionCounts = { vaults: 10, trades: 100, bots: 50, alertsAtOnce: 50, bursts: 6 }

/** Observes a group of fleets at the same time; they are started one after the other. */
const observed = (group: Readonly<Record<string, SmallFleet>>) =>
  Effect.scoped(Effect.gen(function*() {
    const started = yield* Effect.forEach(
      Object.entries(group),
      ([name, { reads, warmSeconds = pace.warmSeconds, ...plan }]) =>
        Effect.gen(function*() {
          yield* say(`  starting the fleet "${name}"`)
          return {
            name,
            plan,
            pace: { ...pace, warmSeconds, readsPerSecond: reads },
            fleet: yield* SimulatedFleet.start(plan)
          }
        })
    )
    yield* say(`  observing for ${pace.warmSeconds + pace.seconds} s`)
    return yield* Effect.forEach(started, ({ fleet, name, pace: own, plan }) =>
      Effect.map(
        Window.observe(fleet, own),
        (found): Observation.Observation => ({ name, plan, observed: found })
      ), { concurrency: "unbounded" })
  }))

type Counts = Readonly<Record<string, (observation: Observation.Observation) => number>>

/** Reads a rate of an observation. */
const rate = (name: keyof ReturnType<typeof Observation.ratesOf>) => (observation: Observation.Observation) =>
  Observation.ratesOf(observation)[name]
const ofRunner = {
  service: () => 1,
  process: ({ plan }) => plan.runners,
  network: ({ plan }) => plan.networks.length,
  round: rate("rounds"),
  check: rate("checks"),
  botSecond: ({ plan }) => plan.bots,
  walletCheck: rate("walletChecks"),
  ...{ sample: rate("samples"), firstSample: rate("firstSamples") }
} satisfies Counts
const ofServer = { process: ({ plan }) => plan.servers, read: rate("reads") } satisfies Counts
const ofPostgres = {
  service: () => 1,
  runner: ({ plan }) => plan.runners,
  server: ({ plan }) => plan.servers,
  ...{ network: ofRunner.network, round: ofRunner.round, check: ofRunner.check },
  listedRow: rate("listedRows"),
  ...{ botSecond: ofRunner.botSecond, walletCheck: ofRunner.walletCheck, sample: ofRunner.sample },
  ...{ read: rate("reads"), keyUse: rate("keyUses") }
} satisfies Counts
const ofWal = {
  serviceSecond: () => 1,
  ...{ botSecond: ofRunner.botSecond, walletCheck: ofRunner.walletCheck, sample: ofRunner.sample },
  keyUse: rate("keyUses")
} satisfies Counts
const ofStored = {
  empty: () => 1,
  bot: ({ plan }) => plan.bots,
  wallet: ({ plan }) => plan.wallets
} satisfies Counts

/** Finds the costs that explain a number of each fleet, by name. */
const solved = <const C extends Counts>(
  counts: C,
  all: ReadonlyArray<Observation.Observation>,
  used: (observation: Observation.Observation) => number
): { readonly [K in keyof C]: number } => {
  const names = Object.keys(counts)
  const found = LeastSquares.solve(all.map((observation) => ({
    counts: names.map((name) => counts[name]?.(observation) ?? 0),
    used: used(observation)
  })))
  return Object.fromEntries(names.map((name, index) => [name, found[index] ?? 0])) as { [K in keyof C]: number }
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Derives the costs from the observed fleets and actions. */
export const costsOf = (
  all: ReadonlyArray<Observation.Observation>,
  { alert, trade }: Effect.Success<ReturnType<typeof Actions.measure>>
): Costs => {
  const perSecond = (of: (usage: Window.Observed["usage"]) => number) => (observation: Observation.Observation) =>
    of(observation.observed.usage) / Observation.secondsOf(observation)
  // The fleet of first samples is observed from its start, when rows are also written for the first time.
  const settled = all.filter((each) => Observation.ratesOf(each).firstSamples < 1)
  const withServers = settled.filter(({ plan }) => plan.servers > 0)
  const withBots = settled.filter(({ plan }) => plan.bots > 0)
  const sampled = settled.filter(({ observed }) => observed.usage.samples > 0)
  const sum = (of: (usage: Window.Observed["usage"]) => number) =>
    sampled.reduce((total, { observed }) => total + of(observed.usage), 0)
  const calls = (observation: Observation.Observation, kind: string) => Observation.callsPerSecond(observation, kind)
  return {
    runner: {
      ...solved(ofRunner, all, perSecond(({ runnersMillis }) => runnersMillis)),
      ...{ trade: trade.serviceMillis, alert: alert.serviceMillis }
    },
    server: solved(ofServer, withServers, perSecond(({ serversMillis }) => serversMillis)),
    postgres: {
      ...solved(ofPostgres, settled, perSecond(({ postgresMillis }) => postgresMillis)),
      ...{ trade: trade.postgresMillis, alert: alert.postgresMillis }
    },
    rows: { sample: 1, trade: trade.rows, alert: alert.rows },
    bytes: {
      ...solved(ofStored, settled, ({ observed }) => observed.storedBytes - observed.usage.historyBytes),
      sample: sum(({ historyBytes }) => historyBytes) / sum(({ samples }) => samples),
      ...{ trade: trade.databaseBytes, alert: alert.databaseBytes }
    },
    wal: {
      ...solved(ofWal, settled, perSecond(({ walBytes }) => walBytes)),
      ...{ trade: trade.walBytes, alert: alert.walBytes }
    },
    calls: {
      networkSecond: mean(
        withBots.filter(({ observed }) => observed.usage.samples === 0).map((each) =>
          ["eth_getBlockByNumber", "eth_getLogs", "eth_chainId"].reduce((total, kind) => total + calls(each, kind), 0) /
          each.plan.networks.length
        )
      ),
      // A count for the nonces, another one for the balances, of which 500 are read by one call, and each wallet's code
      // once an hour.
      ...{ walletCheck: 2, walletHour: 1 },
      // The search for the vault's contract, and a read that finds another list of assets than none.
      firstSample: 2,
      sample: sum(({ calls: byKind }) => byKind.get(kinds.samples) ?? 0) / sum(({ samples }) => samples),
      ...{ trade: trade.calls, alert: alert.calls }
    },
    megabytes: {
      runner: mean(
        withBots.filter(({ plan }) => plan.bots >= more.bots).flatMap(({ observed }) => observed.runnerMegabytes)
      ),
      server: mean(
        withServers.filter(({ plan }) => plan.wallets > 1).flatMap(({ observed }) => observed.serverMegabytes)
      )
    }
  }
}

/** Formats the costs as they are in Costs.ts. */
const text = (costs: Costs) =>
  JSON.stringify(costs, (_, value: unknown) => typeof value === "number" ? Number(value.toPrecision(3)) : value, 2)

/** Measures everything, in about 20 minutes, and prints the costs. */
export const run = Effect.gen(function*() {
  const all: Array<Observation.Observation> = []
  for (const group of fleets) all.push(...(yield* observed(group)))
  yield* say("  measuring trades and alerts")
  const actions = yield* Actions.measure(actionCounts)
  Observation.store("measured", { fleets: all, actions })
  return text(costsOf(all, actions))
})
