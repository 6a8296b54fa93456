/** Measures how late this process's event loop runs what is due: long synchronous work delays every request. */
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { monitorEventLoopDelay } from "node:perf_hooks"

/** The timer of the measurement: a delay below it is not seen. */
const resolutionMillis = 10

/** Sets the metric to what was measured since the last call. */
const publish = (delays: ReturnType<typeof monitorEventLoopDelay>) =>
  Effect.suspend(() => {
    // A value is the time between two runs of the timer, in nanoseconds: its own period is no delay.
    const late = (nanos: number) => Math.max(0, nanos / 1e9 - resolutionMillis / 1e3)
    const values = delays.count === 0
      ? Metrics.delayQuantiles.map(() => 0)
      : [late(delays.percentile(50)), late(delays.percentile(99)), late(delays.max)]
    delays.reset()
    return Effect.forEach(Metrics.delayQuantiles, (quantile, index) =>
      Metrics.set(Metrics.eventLoopDelay, { quantile }, values[index] ?? 0), { discard: true })
  })

/** Measures until the scope closes. Returns the effect that sets the metric to what was measured since its last run. */
export const measure: Effect.Effect<Effect.Effect<void>, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const delays = monitorEventLoopDelay({ resolution: resolutionMillis })
      delays.enable()
      return delays
    }),
    (delays) => Effect.sync(() => delays.disable())
  ),
  publish
)
