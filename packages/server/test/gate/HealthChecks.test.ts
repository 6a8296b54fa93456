import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { bounded } from "../../src/gate/HealthChecks.ts"

describe("a bounded check", () => {
  it.effect("has no result after two seconds, although the statement cannot be interrupted, and starts again after ten", () =>
    Effect.gen(function*() {
      let runs = 0
      const check = yield* bounded(Effect.uninterruptible(Effect.suspend(() => {
        runs++
        return runs === 1 ? Effect.delay(Effect.succeed("late"), "1 hour") : Effect.succeed("answered")
      })))
      for (const seconds of [0, 2, 4]) {
        const fiber = yield* Effect.forkChild(check)
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(yield* Fiber.join(fiber), Option.none(), `${seconds}`)
      }
      assert.strictEqual(runs, 1)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* check, Option.some("answered"))
      assert.strictEqual(runs, 2)
      yield* TestClock.adjust("1 hour")
    }))

  it.effect("runs once for concurrent callers, and again a second later", () =>
    Effect.gen(function*() {
      let runs = 0
      const check = yield* bounded(Effect.delay(Effect.sync(() => ++runs), "1 second"))
      const all = yield* Effect.forkChild(Effect.all([check, check, check], { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(all), [Option.some(1), Option.some(1), Option.some(1)])
      yield* TestClock.adjust("1 second")
      const later = yield* Effect.forkChild(check)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(later), Option.some(2))
    }))
})
