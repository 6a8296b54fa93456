/** This process is asked to end: what waits for long waits no longer, and requests under way are answered before anything is taken from them. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** How long the end waits for requests under way. */
const patience = "5 seconds"

export class GracefulShutdown extends Context.Service<GracefulShutdown, {
  /** Completes when the shutdown has begun. */
  readonly started: Effect.Effect<void>
  /** Runs a request that the shutdown waits for. */
  readonly track: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Begins the shutdown and waits, up to a limit, until no request is in progress. */
  readonly drain: Effect.Effect<void>
}>()("vault-trader/server/gate/Ending") {
  static readonly layer: Layer.Layer<GracefulShutdown> = Layer.effect(
    GracefulShutdown,
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const idle = yield* Latch.make(true)
      let inProgress = 0
      const enter = Effect.sync(() => {
        inProgress++
        idle.closeUnsafe()
      })
      const leave = Effect.sync(() => {
        if (--inProgress === 0) idle.openUnsafe()
      })
      return {
        started: Deferred.await(started),
        track: (request) => Effect.acquireUseRelease(enter, () => request, () => leave),
        // The last request wakes us before its caller has its result.
        drain: Effect.andThen(Deferred.succeed(started, undefined), Effect.andThen(Effect.timeoutOption(idle.await, patience), Effect.yieldNow))
      }
    })
  )
}
