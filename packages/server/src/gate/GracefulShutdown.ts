/** This process is asked to end: what waits for long waits no longer, and requests under way are answered before anything is taken from them. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** How long the end waits for requests under way. */
const patience = "5 seconds"

export class Ending extends Context.Service<Ending, {
  /** Ends when the end has begun. */
  readonly begun: Effect.Effect<void>
  /** A request that the end waits for. */
  readonly during: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Begins the end, and waits until no request is under way, for a while at most. */
  readonly begin: Effect.Effect<void>
}>()("vault-trader/server/gate/Ending") {
  static readonly layer: Layer.Layer<Ending> = Layer.effect(
    Ending,
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const idle = yield* Latch.make(true)
      let underWay = 0
      const enter = Effect.sync(() => {
        underWay++
        idle.closeUnsafe()
      })
      const leave = Effect.sync(() => {
        if (--underWay === 0) idle.openUnsafe()
      })
      return {
        begun: Deferred.await(begun),
        during: (request) => Effect.acquireUseRelease(enter, () => request, () => leave),
        // The last request to leave wakes us before it has told anybody what it comes to.
        begin: Effect.andThen(Deferred.succeed(begun, undefined), Effect.andThen(Effect.timeoutOption(idle.await, patience), Effect.yieldNow))
      }
    })
  )
}
