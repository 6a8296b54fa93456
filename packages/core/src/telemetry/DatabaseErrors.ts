/** Detects and counts database failures. */
import { SqlError } from "effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Metrics from "./Metrics.ts"

/** Checks whether a cause has a database error: as a failure, as a defect, or inside a nested cause. */
export const isDatabaseError = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.flatMap((reason) =>
    Cause.isFailReason(reason) ? [reason.error] : Cause.isDieReason(reason) ? [reason.defect] : []
  ).some((error) => error instanceof SqlError || (Cause.isCause(error) && isDatabaseError(error)))

/** Counts the database failures of an effect, without changing its result. */
export const countDatabaseErrors = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(effect, (cause) => isDatabaseError(cause) ? Metrics.count(Metrics.databaseErrors, {}) : Effect.void)
