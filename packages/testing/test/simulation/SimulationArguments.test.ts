import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Arguments from "../../src/simulation/Arguments.ts"

describe("the options of a simulation", () => {
  it.effect("are read from the command line", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* Arguments.read([]), {
        seeds: 100,
        from: 1,
        jobs: 1,
        exchange: false,
        rare: false,
        check: false,
        first: false,
        verbose: false,
        json: false,
        child: false
      })
      const { check, exchange, from, jobs, seeds } = yield* Arguments.read([
        "--exchange",
        "--seeds",
        "250",
        "--from=501",
        "--jobs",
        "2",
        "--check"
      ])
      assert.deepStrictEqual([exchange, seeds, from, jobs, check], [true, 250, 501, 2, true])
    }))

  it.effect("are refused when they are unknown or not numbers", () =>
    Effect.gen(function*() {
      for (
        const [words, pattern] of [
          [["--help"], /--help/],
          [["--seeds"], /--seeds/],
          [["--seeds", "many"], /--seeds: expected a whole number from 1, not 'many'/],
          [["--from", "0"], /--from/],
          [["--jobs", "1.5"], /--jobs/],
          [["10000"], /10000/]
        ] as const
      ) {
        const { message } = yield* Effect.flip(Arguments.read(words))
        assert.match(message, pattern)
        assert.include(message, Arguments.usage)
      }
    }))
})
