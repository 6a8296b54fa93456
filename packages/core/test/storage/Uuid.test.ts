import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "fast-check"
import * as TestClock from "effect/testing/TestClock"
import * as Uuid from "../../src/storage/Uuid.ts"

describe("Uuid.v7", () => {
  it("writes the time first, so that ids sort by creation time", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.integer({ min: 0, max: 2 ** 48 - 2 }),
        FastCheck.integer({ min: 1, max: 10_000 }),
        (now, later) =>
          Effect.gen(function*() {
            yield* TestClock.setTime(now)
            const first = yield* Uuid.v7
            yield* TestClock.setTime(Math.min(now + later, 2 ** 48 - 1))
            const second = yield* Uuid.v7
            assert.isTrue(first < second, `${first} ${second}`)
            assert.strictEqual(Number.parseInt(first.replaceAll("-", "").slice(0, 12), 16), now)
          }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise)
      )
    ))

  it.effect("is a version 7 UUID of the RFC's variant, and a new one each time", () =>
    Effect.gen(function*() {
      const ids = yield* Effect.replicateEffect(Uuid.v7, 1000)
      for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.strictEqual(new Set(ids).size, ids.length)
    }))
})
