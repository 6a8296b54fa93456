/** Detects and counts database failures. */
import { SqlError } from "effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Metrics from "./Metrics.ts"

/** Returns the first database error of a cause: as a failure, as a defect, or inside a nested cause. */
export const databaseErrorOf = (cause: Cause.Cause<unknown>): Option.Option<SqlError> =>
  Option.firstSomeOf(
    cause.reasons.flatMap((reason) =>
      Cause.isFailReason(reason) ? [reason.error] : Cause.isDieReason(reason) ? [reason.defect] : []
    ).map((error) =>
      error instanceof SqlError
        ? Option.some(error)
        : Cause.isCause(error)
        ? databaseErrorOf(error)
        : Option.none()
    )
  )

/** Checks whether a cause has a database error. */
export const isDatabaseError = (cause: Cause.Cause<unknown>): boolean => Option.isSome(databaseErrorOf(cause))

/** Counts the database failures of an effect, without changing its result. */
export const countDatabaseErrors = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.tapCause(effect, (cause) => isDatabaseError(cause) ? Metrics.count(Metrics.databaseErrors, {}) : Effect.void)
