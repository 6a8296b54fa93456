/** What to do when a database or an actor does not answer about something that has to be done all the same: ask until it does. */
import { counted } from "@vault-trader/core/telemetry/DatabaseErrors"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"

const again = Schedule.exponential("100 millis").pipe(Schedule.union(Schedule.spaced("2 seconds")))

/** Repeats until it succeeds, at a pace that spares what is failing. The effect must be safe to repeat. */
export const persistently = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> => Effect.orDie(Effect.retry(counted(effect), again))
