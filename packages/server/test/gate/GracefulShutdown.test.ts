import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { awaitOutcome } from "../../src/gate/ActorCall.ts"
import { GracefulShutdown } from "../../src/gate/GracefulShutdown.ts"
import { Client, TestService, unlimited, Waiting } from "../endpoint/TestService.ts"

const isOver = <A, E>(fiber: Fiber.Fiber<A, E>) => Effect.map(Effect.yieldNow, () => fiber.pollUnsafe() !== undefined)

const read = ["/behave?asset=wait"] as const
const change = ["/change?asset=wait", { method: "DELETE" }] as const

/** A service with a request that waits, and an effect that stops the service. */
const service = ([path, request]: typeof read | typeof change, ending?: Layer.Layer<GracefulShutdown>) =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(TestService(unlimited, ending), scope)
    const { ask } = Context.get(context, Client)
    const { begun, release } = Context.get(context, Waiting)
    const answer = yield* Effect.forkChild(ask(path, request))
    yield* Deferred.await(begun)
    return { answer, ask, release: Deferred.succeed(release, undefined), end: Scope.close(scope, Exit.void) }
  })

describe("the graceful shutdown", () => {
  it.effect("waits for every request in progress, and for none that has ended", () =>
    Effect.gen(function*() {
      const { drain, track } = yield* GracefulShutdown
      yield* track(Effect.void)
      const releases = yield* Effect.forEach([1, 2], () => Deferred.make<void>())
      yield* Effect.forEach(releases, (release) => Effect.forkChild(track(Deferred.await(release))))
      yield* Effect.yieldNow
      const end = yield* Effect.forkChild(drain)
      for (const release of releases) {
        assert.isFalse(yield* isOver(end))
        yield* Deferred.succeed(release, undefined)
      }
      yield* Fiber.join(end)
    }).pipe(Effect.provide(GracefulShutdown.layer)))

  it.effect("does not wait forever", () =>
    Effect.gen(function*() {
      const { drain, track } = yield* GracefulShutdown
      yield* Effect.forkChild(track(Effect.never))
      yield* Effect.yieldNow
      const end = yield* Effect.forkChild(drain)
      yield* TestClock.adjust("4 seconds")
      assert.isFalse(yield* isOver(end))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(end)
    }).pipe(Effect.provide(GracefulShutdown.layer)))

  it.effect("ends the waits for outcomes", () =>
    Effect.gen(function*() {
      const ending = yield* GracefulShutdown
      const asked = yield* Effect.forkChild(awaitOutcome(Effect.never, { ending, seconds: 25 }))
      assert.isFalse(yield* isOver(asked))
      yield* ending.drain
      assert.isTrue(Option.isNone(yield* Fiber.join(asked)))
    }).pipe(Effect.provide(GracefulShutdown.layer)))

  it.effect("does not delay a wait whose outcome or timeout comes first", () =>
    Effect.gen(function*() {
      const ending = yield* GracefulShutdown
      assert.deepStrictEqual(yield* awaitOutcome(Effect.succeed(1), { ending, seconds: 25 }), Option.some(1))
      for (const none of [Effect.die("a bug"), Effect.fail("unreachable")]) {
        assert.isTrue(Option.isNone(yield* awaitOutcome(none, { ending, seconds: 25 })))
      }
      const asked = yield* Effect.forkChild(awaitOutcome(Effect.never, { ending, seconds: 25 }))
      yield* TestClock.adjust("25 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.join(asked)))
    }).pipe(Effect.provide(GracefulShutdown.layer)))

  it.live("answers requests in progress, and refuses new ones", () =>
    Effect.gen(function*() {
      for (const request of [read, change]) {
        const { answer, ask, end, release } = yield* service(request)
        const ended = yield* Effect.forkChild(end)
        const late = yield* Effect.repeat(ask("/echo"), { until: ({ status }) => status === 503 })
        assert.match(late.text, /did not read this request/)
        yield* release
        assert.strictEqual((yield* Fiber.join(answer)).status, 200)
        yield* Fiber.join(ended)
      }
    }))

  it.live("answers requests it did not wait for with 503", () =>
    Effect.gen(function*() {
      const impatient = Layer.effect(
        GracefulShutdown,
        Effect.map(GracefulShutdown, (ending) => ({ ...ending, drain: Effect.void }))
      ).pipe(Layer.provide(GracefulShutdown.layer))
      for (
        const [request, saying] of [[read, /shutting down; nothing was accepted/], [
          change,
          /shutting down; it is not certain whether the change was made/
        ]] as const
      ) {
        const { answer, end } = yield* service(request, impatient)
        yield* end
        const { status, text } = yield* Fiber.join(answer)
        assert.strictEqual(status, 503)
        assert.match(text, saying)
      }
    }))
})
