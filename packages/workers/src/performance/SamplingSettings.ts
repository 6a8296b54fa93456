/** The settings of the samples of vaults' values. */
import * as Setting from "@vault-trader/core/configuration/Setting"
import { defaultSampling } from "./SamplingPolicy.ts"

const wholeBetween = (least: number, most: number) =>
  Setting.meaning(
    `must be a whole number from ${least} to ${most}`,
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined
  )

/** Parses symbols; `none` for none. */
const symbols = Setting.meaning(
  "must be symbols of tokens, comma-separated, at most 10, or none",
  (text): ReadonlyArray<string> | undefined => {
    const all = text === "none" ? [] : text.split(",").map((symbol) => symbol.trim())
    return all.length <= 10 && all.every((symbol) => /^[A-Za-z0-9.$_-]{1,32}$/.test(symbol)) ? all : undefined
  }
)

export const samplingSettings = {
  performanceSeconds: Setting.make({
    name: "PERFORMANCE_SAMPLE_SECONDS",
    description: "Seconds from one sample of a vault's value to the next, 1 to 86400. Each costs one call to a node " +
      "for a vault; what they are for: docs/performance-reports.md.",
    config: wholeBetween(1, 86_400),
    fallback: defaultSampling.seconds
  }),
  performanceBackfillDays: Setting.make({
    name: "PERFORMANCE_BACKFILL_DAYS",
    description:
      "Days of the past that are filled with one sample a day when a vault is new here, as far as the node " +
      "has history; 0 for none.",
    config: wholeBetween(0, 3_650),
    fallback: defaultSampling.backfillDays
  }),
  performanceDays: Setting.make({
    name: "PERFORMANCE_SAMPLE_DAYS",
    description: "Days for which all samples of values are kept; of older days the last sample is kept forever.",
    config: Setting.atLeast(1),
    fallback: 30
  }),
  performanceBenchmarks: Setting.make<ReadonlyArray<string>>({
    name: "PERFORMANCE_BENCHMARKS",
    description: "Symbols whose prices are sampled with every vault, comma-separated, as benchmarks; `none` for none.",
    config: symbols,
    fallback: defaultSampling.benchmarks,
    shown: defaultSampling.benchmarks.join(",")
  })
}
