import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { bounded } from "../../src/gate/HealthChecks.ts"

describe("a bounded check", () => {
  it.effect("has no result after two seconds, although the statement cannot be interrupted, and is begun again after ten", () =>
    Effect.gen(function*() {
      let begun = 0
      const asked = yield* bounded(Effect.uninterruptible(Effect.suspend(() => {
        begun++
        return begun === 1 ? Effect.delay(Effect.succeed("late"), "1 hour") : Effect.succeed("answered")
      })))
      for (const seconds of [0, 2, 4]) {
        const fiber = yield* Effect.forkChild(asked)
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(yield* Fiber.join(fiber), Option.none(), `${seconds}`)
      }
      assert.strictEqual(begun, 1)
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* asked, Option.some("answered"))
      assert.strictEqual(begun, 2)
      yield* TestClock.adjust("1 hour")
    }))

  it.effect("runs once for all who ask at once, and once more a second later", () =>
    Effect.gen(function*() {
      let begun = 0
      const asked = yield* bounded(Effect.delay(Effect.sync(() => ++begun), "1 second"))
      const all = yield* Effect.forkChild(Effect.all([asked, asked, asked], { concurrency: "unbounded" }))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(all), [Option.some(1), Option.some(1), Option.some(1)])
      yield* TestClock.adjust("1 second")
      const later = yield* Effect.forkChild(asked)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Fiber.join(later), Option.some(2))
    }))
})
