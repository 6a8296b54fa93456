/**
 * Lets a burst of signals be accepted before its turns begin. A turn costs many times what its acceptance does, so turns
 * that began at once would keep the callers of the same burst waiting.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"

/** The longest that a turn waits for acceptances of other signals. */
const maxWait = "500 millis"

export class AcceptanceFirst extends Context.Service<AcceptanceFirst, {
  /** Accepts a signal. */
  readonly accepting: <A, E, R>(acceptance: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits until no signal is being accepted, or until the turn has waited long enough. */
  readonly turn: Effect.Effect<void>
}>()("vault-trader/server/gate/AcceptanceFirst") {
  static readonly layer: Layer.Layer<AcceptanceFirst> = Layer.sync(AcceptanceFirst, () => {
    const idle = Latch.makeUnsafe(true)
    let accepting = 0
    const enter = Effect.sync(() => {
      accepting++
      idle.closeUnsafe()
    })
    const leave = Effect.sync(() => {
      if (--accepting === 0) idle.openUnsafe()
    })
    return {
      accepting: (acceptance) => Effect.acquireUseRelease(enter, () => acceptance, () => leave),
      turn: Effect.asVoid(Effect.timeoutOption(idle.await, maxWait))
    }
  })
}
