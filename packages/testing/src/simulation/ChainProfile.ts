/**
 * Rates of the faults that only a run on a chain meets, drawn from its seed. Each is off in most runs, so that faults
 * also occur alone.
 */
import type { SeededRandom } from "@vault-trader/app/SeededRandom"

export interface ChainProfile {
  /** Number of endpoints, 1 to 3. */
  readonly endpoints: number
  /** Per block: the run's one dishonest endpoint lies for a while. Zero with one endpoint. */
  readonly lies: number
  /** Index of the endpoint that lies. */
  readonly liar: number
  /** Number of the newest blocks whose state the endpoints have; all when undefined. */
  readonly keptBlocks: number | undefined
  /** Per block: a wallet is drained, by a transfer or without a transaction. */
  readonly drains: number
  /** Milliseconds until a drained wallet is refilled. */
  readonly dryMillis: number
  /** Per block: a reorg deeper than finality. */
  readonly deepReorgs: number
  /** Per block: the base fee is beyond the cap for `spikeMillis`, while prices move. */
  readonly longSpikes: number
  readonly spikeMillis: number
  /** Per block: the database's disk is full for a while. */
  readonly fullDisks: number
  /** Maximum difference of a runner's clock from the real time, in milliseconds. */
  readonly maxSkewMillis: number
  /** Per crash of a runner: the database comes back as it was some seconds ago. */
  readonly restores: number
  /** Probability that a restore loses the signing record, too. */
  readonly recordLosses: number
}

const minute = 60_000

/** Draws the profile of a run. `rare`: most runs have the faults that few others have together. */
export const draw = (chance: SeededRandom, rare: boolean): ChainProfile => {
  const endpoints = chance.one([1, 2, 2, 3])
  const lies = chance.one([0, 0.05, 0.15])
  return {
    endpoints,
    lies: endpoints === 1 ? 0 : lies,
    liar: chance.below(endpoints),
    keptBlocks: chance.one([undefined, undefined, undefined, 2, 6]),
    drains: chance.one([0, 0, 0, 0.04]),
    // An hour costs some seconds of CPU, so that few runs have one.
    dryMillis: chance.one([20_000, minute, 2 * minute, 4 * minute, 60 * minute]),
    deepReorgs: chance.one(rare ? [0.02, 0.02, 0.05, 0.05] : [0, 0, 0, 0.02]),
    longSpikes: chance.one([0, 0, 0, 0, 0, 0, 0.02]),
    spikeMillis: chance.one([3 * minute, 5 * minute, 12 * minute, 120 * minute]),
    fullDisks: chance.one([0, 0, 0, 0.02]),
    maxSkewMillis: chance.one([0, 0, 10_000]),
    restores: chance.one(rare ? [0, 0, 0.3, 0.3] : [0, 0, 0, 0.3]),
    recordLosses: 0.2
  }
}
