import { assert, it } from "@effect/vitest"
import { SqlError } from "effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as SignalBatch from "../../src/intent/SignalBatch.ts"
import * as Batcher from "../../src/storage/Batcher.ts"

it.effect("does not offer signals again whose batch the database does not answer, and holds back no others", () =>
  Effect.scoped(Effect.gen(function*() {
    const alone: Array<string> = []
    const gate = yield* Deferred.make<void>()
    const accept = yield* SignalBatch.make<string, string, never, never>({
      alone: (item) => Effect.sync(() => `${item} ${alone.push(item)}`),
      // The answer to its COMMIT does not come.
      together: (waiting) => {
        const items = waiting.map(({ item }) => item)
        return items.some((item) => item.startsWith("hangs"))
          ? Effect.as(Effect.uninterruptible(Deferred.await(gate)), items)
          : Effect.succeed(items)
      }
    }).pipe(Effect.provideServiceEffect(Batcher.LimitClock, Clock.Clock))
    yield* Effect.addFinalizer(() => Deferred.succeed(gate, undefined))
    const send = (item: string) => Effect.forkChild(Effect.exit(accept(item)))
    const hanging = yield* Effect.forEach(["hangs 1", "hangs 2", "hangs 3"], send)
    // Both transactions at a time have begun.
    yield* Effect.replicateEffect(Effect.yieldNow, 9)
    const waiting = yield* send("waits")
    yield* TestClock.adjust("20 seconds")
    yield* Effect.replicateEffect(TestClock.adjust("1 second"), 2)
    for (const exit of yield* Effect.forEach(hanging, Fiber.join)) {
      const [reason] = Exit.isFailure(exit) ? exit.cause.reasons : []
      assert.isTrue(
        reason !== undefined && Cause.isDieReason(reason) && reason.defect instanceof SqlError &&
          reason.defect.reason.message.includes("not known whether the change was committed"),
        String(exit)
      )
    }
    assert.deepStrictEqual(yield* Fiber.join(waiting), Exit.succeed("waits"))
    yield* Deferred.succeed(gate, undefined)
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual(alone, [])
  })))
