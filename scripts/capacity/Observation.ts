/** How often things happened in an observed fleet, for comparison with its use. */
import { shards } from "@vault-trader/workers/threshold-bot/BotScheduler"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "../bench/Machine.ts"
import { kinds } from "./FleetChain.ts"
import type { FleetPlan } from "./SimulatedFleet.ts"
import type { Rates } from "./Model.ts"
import { listsPerGasRound } from "./Model.ts"
import type { Observed } from "./Window.ts"

/** An observed fleet. */
export interface Observation {
  readonly name: string
  readonly plan: FleetPlan
  readonly observed: Observed
}

/** Leaves observations in .cache/capacity, so that costs and comparisons can be derived from them again. */
export const store = (name: string, content: unknown): void => {
  const folder = Path.join(root, ".cache/capacity")
  const plain = (_: string, value: unknown): unknown =>
    value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : value
  Fs.mkdirSync(folder, { recursive: true })
  Fs.writeFileSync(Path.join(folder, `${name}.json`), JSON.stringify(content, plain, 2))
}

export const secondsOf = ({ observed: { usage } }: Observation): number => usage.at / 1000

/** Returns how often a kind of call was made, a second. */
export const callsPerSecond = (observation: Observation, kind: string): number =>
  (observation.observed.usage.calls.get(kind) ?? 0) / secondsOf(observation)

/** Wallets that act on a network: the bots belong to the wallets in turn. */
export const lanesOf = ({ bots, wallets }: FleetPlan): number => Math.min(bots, wallets)

/** Returns the observed rates. */
export const ratesOf = (observation: Observation): Rates => {
  const { observed: { reads, usage }, plan: { bots, networks, wallets } } = observation
  const seconds = secondsOf(observation)
  // A check of a wallet reads two counts of its transactions.
  const [checks, walletChecks] = [usage.checks / seconds, callsPerSecond(observation, "eth_getTransactionCount") / 2]
  const gasRounds = walletChecks / Math.max(1, lanesOf(observation.plan))
  return {
    rounds: bots === 0 ? 0 : networks.length * shards * checks / bots,
    ...{ checks, walletChecks, samples: usage.samples / seconds, reads: reads / seconds },
    // Only the search for a vault's contract makes other calls.
    firstSamples: callsPerSecond(observation, kinds.others),
    ...{ keyUses: (usage.tables.get("api_keys")?.updated ?? 0) / seconds, trades: 0, alerts: 0 },
    listedRows: networks.length * listsPerGasRound * (bots + wallets) * gasRounds
  }
}
