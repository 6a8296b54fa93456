/**
 * Bounds statements that callers share, for a database that holds a connection open and does not answer. Calls after
 * them then use other connections.
 */
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Exit from "effect/Exit"
import type { Limit } from "./Batcher.ts"

/** Longer than a statement waits for a connection, and shorter than a request's deadline. */
const after = "20 seconds"

const silence = "the database did not answer in time"
const unknown = "it is not known whether the change was committed"

const unanswered = (message: string) =>
  new SqlError({ reason: new ConnectionError({ cause: new Error(message), message }) })

/** Fails the callers of a late read. */
export const ofRead = {
  after,
  late: (): Exit.Exit<never, SqlError> => Exit.fail(unanswered(silence))
} satisfies Limit<unknown, never, SqlError>

/**
 * Ends the callers of a late transaction in a defect, as a lost answer to its COMMIT does: it may be committed, now or
 * later. It is interrupted, which rolls it back unless its COMMIT was sent.
 */
export const ofTransaction = {
  after,
  late: (): Exit.Exit<never> => Exit.die(unanswered(`${silence}; ${unknown}`))
} satisfies Limit<unknown, never, never>

/**
 * Fails the callers of a late statement that commits by itself and may be repeated, as a lost connection does. It is
 * left to the database: PostgreSQL would make a statement that is cancelled while it waits for a synchronous standby
 * visible without it.
 */
export const ofChange = {
  after,
  leaves: true,
  late: (): Exit.Exit<never, SqlError> => Exit.fail(unanswered(`${silence}; ${unknown}`))
} satisfies Limit<unknown, never, SqlError>
