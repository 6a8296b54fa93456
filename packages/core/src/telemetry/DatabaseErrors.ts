/** Telling a database that failed from everything else that fails, and counting it. */
import { SqlError } from "effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Metrics from "./Metrics.ts"

/** Whether the database is the reason: as a failure, as a defect, or inside a cause that was made a failure. */
export const isDatabaseError = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.flatMap((reason) => Cause.isFailReason(reason) ? [reason.error] : Cause.isDieReason(reason) ? [reason.defect] : []).some((error) => error instanceof SqlError || (Cause.isCause(error) && isDatabaseError(error)))

/** Counts what the database fails, and changes nothing. */
export const counted = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(effect, (cause) => isDatabaseError(cause) ? Metrics.count(Metrics.databaseErrors, {}) : Effect.void)
