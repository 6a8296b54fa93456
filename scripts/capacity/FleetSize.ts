/** A fleet in numbers: what the service has to watch and to do. */
import { defaultPolicy } from "@vault-trader/workers/gas-wallet/GasMonitor"
import { defaultSampling } from "@vault-trader/workers/performance/SamplingPolicy"
import { defaultBotSeconds } from "@vault-trader/workers/threshold-bot/BotScheduler"

export interface FleetSize {
  readonly networks: number
  /** Gas wallets that act on a network, summed over the networks. */
  readonly lanes: number
  readonly wallets: number
  readonly vaults: number
  readonly bots: number
  /** Seconds between two checks of a bot, of a wallet, and between two samples of a vault's value. */
  readonly checkSeconds: number
  readonly gasSeconds: number
  readonly sampleSeconds: number
  /** Vaults a second that are sampled by a process for the first time: it started, or their sampler moved to it. */
  readonly firstSamplesPerSecond: number
  readonly tradesPerDay: number
  readonly alertsPerDay: number
  readonly readsPerSecond: number
}

/** The intervals of the settings' defaults. */
export const intervals = {
  checkSeconds: defaultBotSeconds,
  gasSeconds: defaultPolicy.seconds,
  sampleSeconds: defaultSampling.seconds
} as const

/** Bots of a wallet; what each bot does in a day; bots for one read a second. */
const [botsPerWallet, tradesPerBot, alertsPerBot, botsPerRead] = [10, 0.5, 1, 1_000]

/**
 * Returns a fleet of this many bots with the usual proportions: ten bots and as many vaults for each wallet, which acts
 * on one network, a trade of each bot every other day, an alert of each every day, and a read a second for each
 * thousand.
 */
export const usual = (bots: number, networks: number): FleetSize => ({
  ...intervals,
  networks,
  bots,
  vaults: bots,
  wallets: Math.ceil(bots / botsPerWallet),
  lanes: Math.ceil(bots / botsPerWallet),
  firstSamplesPerSecond: 0,
  tradesPerDay: bots * tradesPerBot,
  alertsPerDay: bots * alertsPerBot,
  readsPerSecond: bots / botsPerRead
})

/** Returns a fleet that is so many times as large, with the same intervals on the same networks. */
export const grown = (fleet: FleetSize, times: number): FleetSize => ({
  ...fleet,
  bots: fleet.bots * times,
  vaults: fleet.vaults * times,
  wallets: fleet.wallets * times,
  lanes: fleet.lanes * times,
  tradesPerDay: fleet.tradesPerDay * times,
  alertsPerDay: fleet.alertsPerDay * times,
  readsPerSecond: fleet.readsPerSecond * times
})

/** The sizes that docs/scale.md is about. */
export const sizes: ReadonlyArray<FleetSize> = [1_000, 100_000, 1_000_000].map((bots) => usual(bots, 10))
