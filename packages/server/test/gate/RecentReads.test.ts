import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as TestClock from "effect/testing/TestClock"
import * as RecentReads from "../../src/gate/RecentReads.ts"

it.effect("an answer is kept for its time, then it is read again", () =>
  Effect.gen(function*() {
    const recent = RecentReads.make<number>({ capacity: 2, millis: 1000 })
    let reads = 0
    const read = () => Effect.sync(() => ++reads)
    assert.deepStrictEqual([yield* recent("a", read), yield* recent("a", read)], [1, 1])
    yield* TestClock.adjust("999 millis")
    assert.strictEqual(yield* recent("a", read), 1)
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* recent("a", read), 2)
  }))

it.effect("an answer is not used after the clock was set back", () =>
  Effect.gen(function*() {
    yield* TestClock.setTime(10_000)
    const recent = RecentReads.make<string>({ capacity: 2, millis: 1000 })
    yield* recent("a", () => Effect.succeed("before"))
    yield* TestClock.setTime(9_999)
    assert.strictEqual(yield* recent("a", () => Effect.succeed("after")), "after")
  }))

it.effect("failures are not kept, and the answer that was stored first leaves", () =>
  Effect.gen(function*() {
    const recent = RecentReads.make<string>({ capacity: 2, millis: 1000 })
    assert.isTrue(Exit.isFailure(yield* Effect.exit(recent("a", () => Effect.fail("no")))))
    for (const key of ["a", "b", "c"]) yield* recent(key, () => Effect.succeed(key))
    assert.strictEqual(yield* recent("c", () => Effect.succeed("again")), "c")
    assert.strictEqual(yield* recent("a", () => Effect.succeed("again")), "again")
  }))
