import { defineConfig } from "vitest/config"
import { LongestFirst } from "../../scripts/longest-first.mjs"

/** Set by `npm run test:deep`, which runs the files that take long and no others. */
const isDeep = process.env["TEST_DEEP"] === "1"

export default defineConfig({
  test: {
    include: [isDeep ? "test/**/*.deep.test.ts" : "test/**/*.test.ts"],
    sequence: { sequencer: LongestFirst },
    exclude: isDeep ? [] : ["test/**/*.deep.test.ts"],
    globalSetup: "../testing/src/harness/TestDatabase.ts",
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: "forks",
    maxWorkers: 2,
    // Files share the modules of their process: loading them takes longer than most files.
    isolate: isDeep
  }
})
