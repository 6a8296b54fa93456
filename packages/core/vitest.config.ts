import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "../testing/src/harness/TestDatabase.ts",
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: "forks",
    maxWorkers: 2,
    // Files share the modules of their process: loading them takes longer than most files.
    isolate: false
  }
})
