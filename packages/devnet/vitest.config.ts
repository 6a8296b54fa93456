import { defineConfig } from "vitest/config"
import { LongestFirst } from "../../scripts/longest-first.mjs"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    sequence: { sequencer: LongestFirst },
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: "forks",
    maxWorkers: 2,
    // Files share the modules of their process: loading them takes longer than most files.
    isolate: false
  }
})
