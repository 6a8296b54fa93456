import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as Batcher from "../../src/storage/Batcher.ts"

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/**
 * A batcher that records its runs and holds the first one at a gate: calls made while the gate is closed run together.
 * `busy` calls it with 0 and returns once that run has started.
 */
const gated = (
  maximum: number,
  answer: (item: number) => Effect.Effect<string, string> = (item) => Effect.succeed(`#${item}`)
) =>
  Effect.gen(function*() {
    const runs: Array<ReadonlyArray<number>> = []
    const begun = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    const ask = yield* Batcher.make({
      maximum,
      run: (items: ReadonlyArray<number>) =>
        Effect.gen(function*() {
          runs.push(items)
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(gate)
          return yield* Effect.forEach(items, answer)
        })
    })
    const busy = yield* Effect.forkChild(ask(0))
    yield* Deferred.await(begun)
    return { ask, busy, open: Deferred.succeed(gate, undefined), runs }
  })

const onTestClock = Effect.provideServiceEffect(Batcher.LimitClock, Clock.Clock)

/** Lets time pass, and the moment that a late run still has. */
const pass = (time: Duration.Input) => Effect.andThen(TestClock.adjust(time), TestClock.adjust("1 second"))

/** A batcher with a limit of ten seconds, whose runs hang from item 1 on until `open`, and all that it ran and ended. */
const bounded = (options: { readonly leaves?: boolean; readonly hang?: "uninterruptibly" } = {}) =>
  Effect.gen(function*() {
    const runs: Array<ReadonlyArray<number>> = []
    const ended: Array<string> = []
    const gate = yield* Deferred.make<void>()
    const hanging = options.hang === undefined ? Deferred.await(gate) : Effect.uninterruptible(Deferred.await(gate))
    const { leaves } = options
    const ask = yield* Batcher.make<number, string, string, never>({
      maximum: 2,
      limit: {
        ...{ after: "10 seconds", late: (item) => Exit.fail(`late ${item}`) },
        ...leaves === undefined ? {} : { leaves }
      },
      run: (items) =>
        Effect.suspend(() => {
          runs.push(items)
          return items.includes(1) ? hanging : Effect.void
        }).pipe(
          Effect.as(items.map((item) => `#${item}`)),
          Effect.onExit((exit) => Effect.sync(() => ended.push(exit._tag)))
        )
    }).pipe(onTestClock)
    const callers = yield* Effect.forEach([1, 2, 3], (item) => Effect.forkChild(Effect.exit(ask(item))))
    yield* Effect.yieldNowWith(1)
    return { ask, callers, ended, open: Deferred.succeed(gate, undefined), runs }
  })

describe("a run that hangs", () => {
  const late = [Exit.fail("late 1"), Exit.fail("late 2"), Exit.succeed("#3")]

  it.effect("frees its place at the limit: its calls are late, the next ones are run", () =>
    Effect.gen(function*() {
      const { ask, callers, ended, runs } = yield* bounded()
      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual(runs, [[1, 2]])
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Effect.forEach(callers, Fiber.join), late)
      assert.deepStrictEqual(runs, [[1, 2], [3]])
      // It was interrupted, and no item of it is run again.
      assert.deepStrictEqual(ended, ["Failure", "Success"])
      assert.strictEqual(yield* ask(4), "#4")
    }))

  for (const how of [{ leaves: true }, { leaves: false, hang: "uninterruptibly" as const }]) {
    it.effect(`completes its calls once, also when it ends later (${how.hang ?? "left"})`, () =>
      Effect.gen(function*() {
        const { ask, callers, ended, open, runs } = yield* bounded(how)
        yield* pass("11 seconds")
        assert.deepStrictEqual(yield* Effect.forEach(callers, Fiber.join), late)
        assert.deepStrictEqual(ended, ["Success"])
        yield* open
        yield* TestClock.adjust("1 minute")
        // Interrupted as soon as it can be, unless it is left.
        assert.deepStrictEqual(ended, ["Success", how.leaves === true ? "Success" : "Failure"])
        // Its worker takes no more calls: one run at a time.
        const more = yield* Effect.forEach([4, 5, 6, 7], (item) => Effect.forkChild(ask(item)))
        assert.deepStrictEqual(yield* Effect.forEach(more, Fiber.join), ["#4", "#5", "#6", "#7"])
        assert.deepStrictEqual(runs, [[1, 2], [3], [4, 5], [6, 7]])
      }))
  }

  it.effect("ends with the scope, as the calls that wait do", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { callers, ended } = yield* Scope.provide(bounded({ leaves: true }), scope)
      yield* pass("11 seconds")
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* Effect.forEach(callers, Fiber.join), late)
      assert.deepStrictEqual(ended, ["Success", "Failure"])
    }))

  it.effect("is as late after other runs were watched", () =>
    Effect.gen(function*() {
      const ask = yield* Batcher.make<Effect.Effect<string>, string, string, never>({
        ...{ maximum: 1, concurrency: 2 },
        limit: { after: "10 seconds", late: () => Exit.fail("late") },
        run: ([item]) => Effect.map(item, (answer) => [answer])
      }).pipe(onTestClock)
      assert.strictEqual(yield* ask(Effect.succeed("at once")), "at once")
      const soon = yield* Effect.forkChild(ask(Effect.delay(Effect.succeed("soon"), "8 seconds")))
      yield* TestClock.adjust("5 seconds")
      const never = yield* Effect.forkChild(Effect.exit(ask(Effect.never)))
      yield* TestClock.adjust("9 seconds")
      assert.strictEqual(yield* Fiber.join(soon), "soon")
      assert.isUndefined(never.pollUnsafe())
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.join(never), Exit.fail("late"))
    }))
})

describe("Batcher", () => {
  it.effect("runs waiting calls together, in order, and returns each caller its own result", () =>
    Effect.gen(function*() {
      const { ask, open, runs } = yield* gated(100)
      const waiting = yield* Effect.forEach(numbers(1, 50), (item) => Effect.forkChild(ask(item)))
      yield* Effect.yieldNowWith(1)
      yield* open
      const answers = yield* Effect.forEach(waiting, Fiber.join)
      assert.deepStrictEqual(answers, numbers(1, 50).map((item) => `#${item}`))
      assert.deepStrictEqual(runs, [[0], numbers(1, 50)])
    }))

  it.effect("splits more calls than the maximum into several runs", () =>
    Effect.gen(function*() {
      const { ask, open, runs } = yield* gated(10)
      const waiting = yield* Effect.forEach(numbers(1, 25), (item) => Effect.forkChild(ask(item)))
      yield* Effect.yieldNowWith(1)
      yield* open
      assert.deepStrictEqual(yield* Effect.forEach(waiting, Fiber.join), numbers(1, 25).map((item) => `#${item}`))
      assert.deepStrictEqual(runs, [[0], numbers(1, 10), numbers(11, 20), numbers(21, 25)])
    }))

  it.effect("fails every call of a failed run, and none of the others", () =>
    Effect.gen(function*() {
      const { ask, busy, open } = yield* gated(
        2,
        (item) => item === 2 ? Effect.fail("two") : Effect.succeed(`#${item}`)
      )
      const waiting = yield* Effect.forEach(numbers(1, 4), (item) => Effect.forkChild(ask(item)))
      yield* Effect.yieldNowWith(1)
      yield* open
      const exits = yield* Effect.forEach([busy, ...waiting], Fiber.await)
      assert.deepStrictEqual(exits, [
        Exit.succeed("#0"),
        Exit.fail("two"),
        Exit.fail("two"),
        Exit.succeed("#3"),
        Exit.succeed("#4")
      ])
    }))

  it.effect("continues after a defect", () =>
    Effect.gen(function*() {
      const { ask, open } = yield* gated(1, (item) => item === 1 ? Effect.die("a bug") : Effect.succeed(`#${item}`))
      yield* open
      assert.deepStrictEqual(yield* Effect.exit(ask(1)), Exit.die("a bug"))
      assert.strictEqual(yield* ask(2), "#2")
    }))

  it.effect("executes the call of a caller that was interrupted in the meantime", () =>
    Effect.gen(function*() {
      const { ask, open, runs } = yield* gated(10)
      const gone = yield* Effect.forkChild(ask(1))
      const stays = yield* Effect.forkChild(ask(2))
      yield* Effect.yieldNowWith(1)
      yield* Fiber.interrupt(gone)
      yield* open
      assert.strictEqual(yield* Fiber.join(stays), "#2")
      assert.deepStrictEqual(runs, [[0], [1, 2]])
    }))

  it.effect("interrupts its waiting callers when it is closed", () =>
    Effect.gen(function*() {
      const scope = yield* Scope.make()
      const { ask, busy } = yield* Scope.provide(gated(10), scope)
      const queued = yield* Effect.forkChild(ask(1))
      yield* Effect.yieldNowWith(1)
      yield* Scope.close(scope, Exit.void)
      const late = yield* Effect.forkChild(ask(2))
      const exits = yield* Effect.forEach([busy, queued, late], Fiber.await)
      assert.deepStrictEqual(exits.map(Exit.hasInterrupts), [true, true, true])
    }), { timeout: 2000 })
})
