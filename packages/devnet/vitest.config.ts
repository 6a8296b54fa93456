import { defineConfig } from "vitest/config"
import { LongestFirst } from "../../scripts/LongestFirst.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    sequence: { sequencer: LongestFirst },
    testTimeout: 240_000,
    hookTimeout: 240_000
  }
})
