import { assert, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import * as AcceptanceFirst from "../../src/gate/AcceptanceFirst.ts"

it.effect("a turn begins once the last signal of its burst is accepted, also if one is refused", () =>
  Effect.gen(function*() {
    const { accepting, turn } = yield* Effect.provide(
      AcceptanceFirst.AcceptanceFirst,
      AcceptanceFirst.AcceptanceFirst.layer
    )
    const [one, other] = [yield* Deferred.make<void>(), yield* Deferred.make<void, "refused">()]
    yield* Effect.forkChild(accepting(Deferred.await(one)), { startImmediately: true })
    yield* Effect.forkChild(Effect.ignore(accepting(Deferred.await(other))), { startImmediately: true })
    const begun = yield* Effect.forkChild(turn, { startImmediately: true })
    yield* Deferred.succeed(one, undefined)
    yield* TestClock.adjust("100 millis")
    assert.isUndefined(begun.pollUnsafe())
    yield* Deferred.fail(other, "refused")
    yield* Fiber.join(begun)
  }))

it.effect("a turn waits half a second at most while signals keep arriving", () =>
  Effect.gen(function*() {
    const { accepting, turn } = yield* Effect.provide(
      AcceptanceFirst.AcceptanceFirst,
      AcceptanceFirst.AcceptanceFirst.layer
    )
    yield* Effect.forkChild(accepting(Effect.never), { startImmediately: true })
    const begun = yield* Effect.forkChild(turn, { startImmediately: true })
    yield* TestClock.adjust("499 millis")
    assert.isUndefined(begun.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    yield* Fiber.join(begun)
  }))

it.effect("a turn begins at once while no signal is being accepted", () =>
  Effect.gen(function*() {
    const { accepting, turn } = yield* Effect.provide(
      AcceptanceFirst.AcceptanceFirst,
      AcceptanceFirst.AcceptanceFirst.layer
    )
    yield* accepting(Effect.void)
    yield* turn
  }))
