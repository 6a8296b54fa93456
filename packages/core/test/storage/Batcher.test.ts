import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
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
