/** The settings of the samples of vaults' values. */
import * as Context from "effect/Context"

export interface Sampling {
  /** Seconds from one sample to the next. */
  readonly seconds: number
  /** Days of the past that are filled, with one sample a day, when a vault is new here; 0 for none. */
  readonly backfillDays: number
  /** Symbols of the assets that are sampled as benchmarks. */
  readonly benchmarks: ReadonlyArray<string>
}

export const defaultSampling: Sampling = { seconds: 3_600, backfillDays: 90, benchmarks: ["WETH", "WBTC"] }

/** The sampling of this process. */
export const SamplingPolicy = Context.Reference<Sampling>("vault-trader/workers/performance/SamplingPolicy", {
  defaultValue: () => defaultSampling
})
