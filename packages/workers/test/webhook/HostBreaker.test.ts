import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as HostBreaker from "../../src/webhook/HostBreaker.ts"

it.effect(
  "a host is paused after three consecutive attempts without a response, longer each time, and probed in between " +
    "until it responds",
  () =>
    Effect.gen(function*() {
      const breaker = HostBreaker.make()
      const silent = breaker.note("tarpit", false)
      yield* Effect.all([silent, silent, breaker.note("healthy", false), breaker.note("healthy", true)])
      assert.deepStrictEqual(yield* breaker.open, [])
      yield* silent
      assert.deepStrictEqual([yield* breaker.open, yield* breaker.probed], [["tarpit"], []])
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual([yield* breaker.open, yield* breaker.probed], [[], ["tarpit"]])
      yield* silent
      yield* TestClock.adjust("59 seconds")
      assert.deepStrictEqual(yield* breaker.open, ["tarpit"])
      for (let index = 0; index < 10; index++) yield* silent
      yield* TestClock.adjust("599 seconds")
      assert.deepStrictEqual(yield* breaker.open, ["tarpit"])
      yield* TestClock.adjust("1 second")
      yield* breaker.note("tarpit", true)
      assert.deepStrictEqual([yield* breaker.open, yield* breaker.probed], [[], []])
    })
)
