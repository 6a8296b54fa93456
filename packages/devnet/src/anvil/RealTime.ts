/** Operating-system processes run in real time, whatever clock the program (a test, say) uses. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** Runs delays and timeouts of `effect` on the machine's clock. */
export const realTime: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  Clock.Clock,
  Clock.Clock.defaultValue()
)
