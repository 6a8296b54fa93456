import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as KeyedJobs from "../../src/actor/KeyedJobs.ts"

describe("KeyedJobs", () => {
  it.effect("queues a key once and gives its outcome to every caller", () =>
    Effect.gen(function*() {
      const jobs = yield* KeyedJobs.make<number>()
      const callers = yield* Effect.forkChild(
        Effect.all([jobs.run("a"), jobs.run("a"), jobs.run("b")], { concurrency: "unbounded" }),
        { startImmediately: true }
      )
      assert.strictEqual(yield* jobs.size, 2)
      assert.deepStrictEqual(Array.from(jobs.keys), ["a", "b"])
      assert.strictEqual(yield* jobs.take, "a")
      assert.isTrue(jobs.has("a"))
      yield* jobs.complete("a", Exit.succeed(1))
      assert.isFalse(jobs.has("a"))
      assert.strictEqual(yield* jobs.take, "b")
      yield* jobs.complete("b", Exit.succeed(2))
      assert.deepStrictEqual(yield* Fiber.join(callers), [1, 1, 2])
      assert.deepStrictEqual(Array.from(jobs.keys), [])
    }))

  it.effect("passes failures and defects to the callers, and starts another job afterwards", () =>
    Effect.gen(function*() {
      const jobs = yield* KeyedJobs.make<number, string>()
      const failing = jobs.join("a")
      const dying = jobs.join("b")
      yield* jobs.complete("a", Exit.fail("refused"))
      yield* jobs.complete("b", Exit.die("no such job"))
      assert.strictEqual(yield* Effect.flip(Deferred.await(failing)), "refused")
      const exit = yield* Effect.exit(Deferred.await(dying))
      assert.strictEqual(Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined, "no such job")
      assert.notStrictEqual(jobs.join("a"), failing)
      assert.deepStrictEqual([yield* jobs.take, yield* jobs.take, yield* jobs.take], ["a", "b", "a"])
    }))

  it.effect("keeps the job of an interrupted caller for its owner and for later callers", () =>
    Effect.gen(function*() {
      const jobs = yield* KeyedJobs.make<number>()
      const first = yield* Effect.forkChild(jobs.run("a"), { startImmediately: true })
      yield* Fiber.interrupt(first)
      assert.isTrue(jobs.has("a"))
      const second = yield* Effect.forkChild(jobs.run("a"), { startImmediately: true })
      assert.strictEqual(yield* jobs.size, 1)
      assert.strictEqual(yield* jobs.take, "a")
      yield* jobs.complete("a", Exit.succeed(1))
      assert.strictEqual(yield* Fiber.join(second), 1)
      assert.deepStrictEqual(Array.from(jobs.keys), [])
    }))

  it.effect("leaves nothing behind a caller that is interrupted before it starts", () =>
    Effect.gen(function*() {
      const jobs = yield* KeyedJobs.make<number>()
      const caller = yield* Effect.forkChild(jobs.run("a"))
      yield* Fiber.interrupt(caller)
      // Either the caller has joined and the key is queued, or neither.
      assert.strictEqual(jobs.has("a"), (yield* jobs.size) === 1)
    }))

  it.effect("runs a job that is enqueued again, without completing its callers twice", () =>
    Effect.gen(function*() {
      const jobs = yield* KeyedJobs.make<number>()
      const deferred = jobs.join("a")
      assert.strictEqual(yield* jobs.take, "a")
      yield* jobs.enqueue(["a"])
      assert.strictEqual(jobs.join("a"), deferred)
      assert.strictEqual(yield* jobs.take, "a")
      yield* jobs.complete("a", Exit.succeed(1))
      yield* jobs.complete("a", Exit.succeed(2))
      assert.strictEqual(yield* Deferred.await(deferred), 1)
      assert.strictEqual(yield* jobs.size, 0)
    }))

  it.effect("takes batches without duplicates, of work that no caller waits for, too", () =>
    Effect.gen(function*() {
      const jobs = yield* KeyedJobs.make<number>()
      yield* jobs.enqueue(["a", "b"])
      jobs.join("a")
      jobs.join("c")
      assert.strictEqual(yield* jobs.size, 4)
      assert.deepStrictEqual(yield* jobs.takeBatch(3), ["a", "b"])
      assert.deepStrictEqual(yield* jobs.takeBatch(3), ["c"])
      yield* jobs.complete("b", Exit.succeed(1))
      assert.deepStrictEqual(Array.from(jobs.keys), ["a", "c"])
    }))

  it.effect("includes keys that are joined while the keys are iterated", () =>
    Effect.gen(function*() {
      const jobs = yield* KeyedJobs.make<number>()
      jobs.join("a")
      const visited: Array<string> = []
      const visitAll = Effect.forEach(jobs.keys, (key) => {
        visited.push(key)
        if (key === "a") jobs.join("b")
        return jobs.complete(key, Exit.succeed(1))
      }, { discard: true })
      yield* visitAll
      assert.deepStrictEqual(visited, ["a", "b"])
      jobs.join("c")
      yield* visitAll
      assert.deepStrictEqual(visited, ["a", "b", "c"])
    }))
})
