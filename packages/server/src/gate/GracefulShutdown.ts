/** Graceful shutdown: long waits end, and requests in progress are answered before their resources are released. */
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** How long the shutdown waits for requests in progress. */
const drainTimeout = "5 seconds"

export class GracefulShutdown extends Context.Service<GracefulShutdown, {
  /** Completes when the shutdown has begun. */
  readonly started: Effect.Effect<void>
  /** Runs a request that the shutdown waits for. */
  readonly track: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Counts a request that the shutdown waits for until the function that it returns is called. */
  readonly enter: () => () => void
  /** Begins the shutdown and waits, up to a limit, until no request is in progress. */
  readonly drain: Effect.Effect<void>
}>()("vault-trader/server/gate/GracefulShutdown") {
  static readonly layer: Layer.Layer<GracefulShutdown> = Layer.effect(
    GracefulShutdown,
    Effect.gen(function*() {
      const started = yield* Deferred.make<void>()
      const idle = yield* Latch.make(true)
      let inProgress = 0
      const leave = () => {
        if (--inProgress === 0) idle.openUnsafe()
      }
      const enter = () => {
        inProgress++
        idle.closeUnsafe()
        return leave
      }
      return {
        started: Deferred.await(started),
        track: (request) => Effect.acquireUseRelease(Effect.sync(enter), () => request, () => Effect.sync(leave)),
        enter,
        // The last request resumes this fiber before its caller has the result.
        drain: Effect.andThen(
          Deferred.succeed(started, undefined),
          Effect.andThen(Effect.timeoutOption(idle.await, drainTimeout), Effect.yieldNow)
        )
      }
    })
  )
}
