/**
 * Limits log entries about a database that does not work to one line a second and cause, with their number: while the
 * database is away, every request and every round of the actors fails with the same cause.
 */
import { AcceptanceUnknown } from "@vault-trader/core/intent/IntentInsert"
import { databaseErrorOf } from "@vault-trader/core/telemetry/DatabaseErrors"
import { LedgerUnknown } from "@vault-trader/server/wire/ServiceUnavailable"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"

/** How often the entries of a cause are counted into one line. */
const countInterval = "1 second"

type Entry = Logger.Options<unknown>

const errorsOf = ({ reasons }: Cause.Cause<unknown>) =>
  reasons.flatMap((reason) =>
    Cause.isFailReason(reason) ? [reason.error] : Cause.isDieReason(reason) ? [reason.defect] : []
  )

/** Returns a text that is equal for entries with the same cause; none for entries that are always written. */
const causeOf = ({ cause, logLevel }: Entry): Option.Option<string> =>
  Option.match(databaseErrorOf(cause), {
    onSome: ({ message, reason }) => Option.some(`${logLevel} ${reason._tag} ${message} ${textOf(reason.cause)}`),
    onNone: () =>
      errorsOf(cause).some((error) => error instanceof AcceptanceUnknown || error instanceof LedgerUnknown)
        ? Option.some(`${logLevel} unknown acceptance`)
        : Option.none()
  })

const textOf = (cause: unknown) => cause instanceof Error ? cause.message : ""

/** Returns the entry that stands for several of the same cause. */
const counted = ({ message, ...entry }: Entry, count: number): Entry => {
  const [first, ...more] = Array.isArray(message) ? message as ReadonlyArray<unknown> : [message]
  return { ...entry, message: [`${String(first)} (the last of ${count} entries of this cause)`, ...more] }
}

/**
 * Writes the first entry of a cause at once. The following ones are counted, and the last of them is written every
 * second with their number.
 */
export const limited = <A>(
  logger: Logger.Logger<unknown, A>
): Effect.Effect<Logger.Logger<unknown, void>, never, Scope.Scope> =>
  Effect.gen(function*() {
    const causes = new Map<string, { count: number; last: Entry }>()
    const write = Effect.sync(() => {
      for (const [cause, { count, last }] of Array.from(causes)) {
        if (count === 0) {
          causes.delete(cause)
          continue
        }
        causes.set(cause, { count: 0, last })
        logger.log(count === 1 ? last : counted(last, count))
      }
    })
    yield* Effect.addFinalizer(() => write)
    yield* Effect.forkScoped(Effect.forever(Effect.delay(write, countInterval)))
    return Logger.make((entry) => {
      const cause = causeOf(entry)
      const known = Option.isSome(cause) ? causes.get(cause.value) : undefined
      if (known !== undefined) {
        known.count += 1
        known.last = entry
        return
      }
      if (Option.isSome(cause)) causes.set(cause.value, { count: 0, last: entry })
      logger.log(entry)
    })
  })
