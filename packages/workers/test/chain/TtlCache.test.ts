import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as TtlCache from "../../src/chain/TtlCache.ts"

/** Counts its calls. */
const counting = () => {
  let asked = 0
  return Effect.sync(() => ++asked)
}

describe("a cached reading", () => {
  it.effect("is read once for all callers meanwhile, and again when it has expired", () =>
    Effect.gen(function*() {
      const recent = yield* TtlCache.make(counting(), 1_000)
      assert.deepStrictEqual(yield* Effect.all([recent, recent, recent], { concurrency: "unbounded" }), [1, 1, 1])
      yield* TestClock.adjust(999)
      assert.strictEqual(yield* recent, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* recent, 2)
    }))

  it.effect("is cached by key, for the newest keys up to the capacity", () =>
    Effect.gen(function*() {
      for (const keep of [TtlCache.keyed<number, never>(1_000, 2), TtlCache.keyedUnshared<number>(1_000, 2)]) {
        const read = counting()
        const all = yield* Effect.forEach(["a", "b", "a", "c", "b", "c", "a"], (key) => keep(key, read))
        assert.deepStrictEqual(all, [1, 2, 1, 3, 2, 3, 4])
        yield* TestClock.adjust(1_000)
        assert.strictEqual(yield* keep("a", read), 5)
      }
    }))

  it.effect("that is not shared makes no caller wait for another one", () =>
    Effect.gen(function*() {
      const keep = TtlCache.keyedUnshared<string>(1_000, 2)
      const answer = yield* Deferred.make<string>()
      const slow = yield* Effect.forkChild(keep("key", Deferred.await(answer)))
      yield* Effect.yieldNow
      assert.strictEqual(yield* keep("key", Effect.succeed("own")), "own")
      yield* Deferred.succeed(answer, "late")
      assert.strictEqual(yield* Fiber.join(slow), "late")
    }))

  it.effect("is not cached when it fails", () =>
    Effect.gen(function*() {
      for (const keep of [TtlCache.keyed<number, string>(1_000, 2), TtlCache.keyedUnshared<number>(1_000, 2)]) {
        assert.strictEqual(yield* Effect.flip(keep("key", Effect.fail("lost"))), "lost")
        assert.strictEqual(yield* keep("other", Effect.succeed(1)), 1)
      }
      const unshared = TtlCache.keyedUnshared<number>(1_000, 2)
      yield* Effect.flip(unshared("key", Effect.fail("lost")))
      assert.strictEqual(yield* unshared("key", Effect.succeed(2)), 2)
    }))
})
