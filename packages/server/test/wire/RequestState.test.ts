import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SqlError } from "effect/sql/SqlError"
import * as TestClock from "effect/testing/TestClock"
import { read, awaitOutcome, write, query } from "../../src/gate/ActorCall.ts"
import * as RequestState from "../../src/wire/RequestState.ts"

/** Runs a request with a time limit of 25 seconds. */
const request = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(RequestState.begin, (state) => Effect.provideService(work, RequestState.RequestState, state))

const ending = {
  started: Effect.never,
  track: <A, E, R>(each: Effect.Effect<A, E, R>) => each,
  enter: () => () => undefined,
  drain: Effect.void
}

describe("the time limit of a request", () => {
  it.effect("is shared: each step may use the time left by the steps before it", () =>
    request(Effect.gen(function*() {
      assert.strictEqual(Duration.toSeconds(yield* RequestState.within("20 seconds")), 20)
      yield* TestClock.adjust("20 seconds")
      assert.strictEqual(Duration.toSeconds(yield* RequestState.within("25 seconds")), 4.5)
      assert.strictEqual(Duration.toSeconds(yield* RequestState.within("1 second")), 1)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(Duration.toSeconds(yield* RequestState.within("10 seconds")), 0)
    })))

  it.effect("leaves time for a last lookup after a step that used up its own", () =>
    request(Effect.gen(function*() {
      yield* TestClock.adjust("24500 millis")
      assert.strictEqual(Duration.toMillis(yield* RequestState.within("10 seconds")), 0)
      yield* RequestState.beginLastLookup
      assert.strictEqual(Duration.toMillis(yield* RequestState.within("10 seconds")), 400)
    })))

  it.effect("limits admission, waiting and storing together, where each would use its own timeout", () =>
    Effect.gen(function*() {
      const silent = Effect.gen(function*() {
        yield* Effect.flip(read(Effect.never))
        assert.deepStrictEqual(yield* awaitOutcome(Effect.never, { ending, seconds: 25 }), Option.none())
        yield* Effect.flip(write(Effect.never, "45 seconds"))
        return yield* Effect.exit(query(Effect.never))
      })
      const answer = yield* Effect.forkChild(request(silent))
      yield* TestClock.adjust("24 seconds")
      assert.isUndefined(answer.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const exit = yield* Fiber.join(answer)
      assert.isTrue(Exit.isFailure(exit) && Result.getOrUndefined(Cause.findDefect(exit.cause)) instanceof SqlError)
    }))

  it.effect("applies to a statement that cannot be cancelled", () =>
    Effect.gen(function*() {
      const answer = yield* Effect.forkChild(request(Effect.exit(query(Effect.uninterruptible(Effect.never)))))
      yield* TestClock.adjust("10 seconds")
      assert.isTrue(Exit.isFailure(yield* Fiber.join(answer)))
    }))

  it.effect("does not exist outside of requests", () =>
    Effect.gen(function*() {
      assert.strictEqual(Duration.toSeconds(yield* RequestState.within("20 seconds")), 20)
    }))
})
