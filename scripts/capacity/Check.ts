/**
 * Checks the model: a simulated fleet of 100,000 bots and 10,000 wallets over several runners is observed, and its use is
 * compared with the model's. The unit costs were measured on fleets of other sizes (Measure.ts).
 */
import { names } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import { say } from "../bench/Bench.ts"
import { costs } from "./Costs.ts"
import { table } from "./CapacityTable.ts"
import { kinds } from "./FleetChain.ts"
import * as SimulatedFleet from "./SimulatedFleet.ts"
import { type FleetSize, intervals, usual } from "./FleetSize.ts"
import { daySeconds, needsOf, sumOf } from "./Model.ts"
import * as Observation from "./Observation.ts"
import * as Window from "./Window.ts"

/** The fleet. Every network that there is; the pause between two checks leaves two cores time for nodes and database. */
export const plan: SimulatedFleet.FleetPlan = {
  networks: names,
  ...{ wallets: 10_000, bots: 100_000, sampled: 6_000 },
  ...{ runners: 3, servers: 1, checkSeconds: 30 }
}

const pace: Window.Pace = { warmSeconds: 240, seconds: 600, readsPerSecond: 150 }

/** A quantity: measured, predicted, and how both are printed. */
export interface Compared {
  readonly name: string
  readonly measured: number
  readonly predicted: number
  readonly unit: string
}

/** The limits of measured / predicted. */
export const [least, most] = [0.75, 1.25]

export const ratioOf = ({ measured, predicted }: Compared): number => measured / predicted
export const isWithin = (compared: Compared): boolean => ratioOf(compared) >= least && ratioOf(compared) <= most

/**
 * Returns the observed fleet for the model. How often bots and wallets were checked is observed: the pause begins after a
 * round, and how long that takes depends on what else the machine does.
 */
export const sizeOf = (observation: Observation.Observation): FleetSize => {
  const { plan: { bots, networks, wallets } } = observation
  const rates = Observation.ratesOf(observation)
  const lanes = Observation.lanesOf(observation.plan)
  return {
    ...usual(bots, networks.length),
    ...{ wallets, lanes, tradesPerDay: 0, alertsPerDay: 0, readsPerSecond: rates.reads },
    checkSeconds: bots / rates.checks,
    gasSeconds: lanes / rates.walletChecks,
    sampleSeconds: bots / rates.samples,
    firstSamplesPerSecond: rates.firstSamples
  }
}

/** Compares each quantity with the model's. */
export const compare = (observation: Observation.Observation): ReadonlyArray<Compared> => {
  const { observed: { runnerMegabytes, serverMegabytes, storedBytes, usage } } = observation
  const seconds = Observation.secondsOf(observation)
  const fleet = sizeOf(observation)
  const needs = needsOf(fleet, costs, observation.plan)
  const calls = (...kinds: ReadonlyArray<string>) =>
    kinds.reduce((sum, kind) => sum + Observation.callsPerSecond(observation, kind), 0)
  const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)
  const rows = sum([...usage.tables.values()].map(({ inserted }) => inserted))
  const millis = (of: number) => of / seconds
  const wallets = ["eth_getTransactionCount", "eth_getCode", kinds.wallets]
  return [
    {
      name: "processor time of the runners",
      unit: "ms/s",
      measured: millis(usage.runnersMillis),
      predicted: needs.runnerCores * 1000
    },
    {
      name: "processor time of the server",
      unit: "ms/s",
      measured: millis(usage.serversMillis),
      predicted: needs.serverCores * 1000
    },
    {
      name: "processor time of PostgreSQL",
      unit: "ms/s",
      measured: millis(usage.postgresMillis),
      predicted: needs.postgresCores * 1000
    },
    { name: "calls for bots", unit: "/s", measured: calls(kinds.bots), predicted: needs.calls.bots },
    { name: "calls for wallets", unit: "/s", measured: calls(...wallets), predicted: needs.calls.wallets },
    {
      name: "calls for samples",
      unit: "/s",
      measured: calls(kinds.samples, kinds.others),
      predicted: needs.calls.samples
    },
    {
      name: "all calls",
      unit: "/s",
      measured: sum([...usage.calls.values()]) / seconds,
      predicted: sumOf(needs.calls)
    },
    { name: "rows that are inserted", unit: "/s", measured: millis(rows), predicted: needs.rowsPerDay / daySeconds },
    {
      name: "growth of the history",
      unit: "kB/s",
      measured: millis(usage.historyBytes) / 1000,
      predicted: needs.bytesPerDay / daySeconds / 1000
    },
    {
      name: "write-ahead log",
      unit: "kB/s",
      measured: millis(usage.walBytes) / 1000,
      predicted: needs.walBytesPerDay / daySeconds / 1000
    },
    {
      name: "database without history",
      unit: "MB",
      measured: (storedBytes - usage.historyBytes) / 1e6,
      predicted: needs.standingBytes / 1e6
    },
    {
      name: "memory of runners and server",
      unit: "MB",
      measured: sum([...runnerMegabytes, ...serverMegabytes]),
      predicted: needs.megabytes
    }
  ]
}

/** Says how often the observed fleet was checked, which the model takes as given. */
export const paceText = (observation: Observation.Observation): string => {
  const { checkSeconds, gasSeconds, readsPerSecond } = sizeOf(observation)
  const { plan: { checkSeconds: pause } } = observation
  return `Every bot was checked each ${figures(checkSeconds)} s (a pause of ${pause} s and the round), ` +
    `every wallet each ${figures(gasSeconds)} s (a pause of ${intervals.gasSeconds} s), with ${
      figures(readsPerSecond)
    } reads a second.`
}

const figures = (value: number) => value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(3)

/** Prints the comparison. */
export const textOf = (all: ReadonlyArray<Compared>): string =>
  table(
    ["", "measured", "predicted", "ratio"],
    all.map((each) => [
      each.name,
      `${figures(each.measured)} ${each.unit}`,
      `${figures(each.predicted)} ${each.unit}`,
      `${ratioOf(each).toFixed(2)}${isWithin(each) ? "" : " (outside)"}`
    ])
  )

/** Warnings of a process that are shown. */
const shownWarnings = 8

/** Observes the fleet, in about 15 minutes. */
export const run = Effect.scoped(Effect.gen(function*() {
  yield* say(`  starting ${plan.runners} runners and a server, and inserting ${plan.bots} bots`)
  const fleet = yield* SimulatedFleet.start(plan)
  yield* say(`  observing for ${pace.warmSeconds + pace.seconds} s`)
  const observed = yield* Window.observe(fleet, pace)
  const shares = observed.runnerMillis.map((millis) => figures(millis / (observed.usage.at / 1000)))
  yield* say(`  processor time of each runner, ms/s: ${shares.join(", ")}`)
  yield* say(
    `  memory of each process, MB: ${
      [...observed.runnerMegabytes, ...observed.serverMegabytes].map(figures).join(", ")
    }`
  )
  // A fleet whose processes complain was not observed at rest.
  for (const { output } of [...fleet.runners, ...fleet.servers]) {
    const warnings = output().split("\n").filter((line) => /"(WARN|ERROR|FATAL)"/.test(line))
    for (const line of warnings.slice(0, shownWarnings)) yield* say(`  ${line.slice(0, 300)}`)
  }
  const observation = { name: "check", plan, observed }
  Observation.store("check", observation)
  yield* say(`  ${paceText(observation)}`)
  return compare(observation)
}))
