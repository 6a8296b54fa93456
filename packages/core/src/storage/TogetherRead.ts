/**
 * Reads rows for many callers in one statement. A call joins the statement that begins after it, so that it reads what
 * was committed before it was made. Within a transaction each caller reads by itself, on the transaction's connection.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import * as AnswerLimit from "./AnswerLimit.ts"
import * as Batcher from "./Batcher.ts"

/** Statements of one kind at the same time, and callers of each. */
const limits = { maximum: 64, concurrency: 2, limit: AnswerLimit.ofRead }

/** Builds the read. `read` returns the rows of all these keys; `isOf` selects those of one, in the order of the read. */
export const make = <Key, Row>(
  sql: SqlClient.SqlClient,
  { isOf, read }: {
    readonly read: (keys: Arr.NonEmptyReadonlyArray<Key>) => Effect.Effect<ReadonlyArray<Row>, SqlError>
    readonly isOf: (key: Key) => (row: Row) => boolean
  }
): Effect.Effect<(key: Key) => Effect.Effect<ReadonlyArray<Row>, SqlError>, never, Scope> =>
  Effect.map(
    Batcher.make({
      ...limits,
      run: (keys: Arr.NonEmptyReadonlyArray<Key>) =>
        Effect.map(read(keys), (rows) => keys.map((key) => rows.filter(isOf(key))))
    }),
    (together) => (key) =>
      Effect.flatMap(
        Effect.serviceOption(sql.transactionService),
        (transaction) => Option.isNone(transaction) ? together(key) : read([key])
      )
  )

/**
 * Builds the condition that a column of uuids is one of these ids. They are one parameter, so that a read of any number
 * is one prepared statement.
 */
export const isOneOf = (sql: SqlClient.SqlClient, column: string, ids: ReadonlyArray<string>) =>
  sql`${sql(column)} in (select e.id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as e(id))`
