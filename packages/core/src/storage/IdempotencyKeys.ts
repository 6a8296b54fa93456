/** The names callers give their requests. One table says what each names, for every kind of request. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Address } from "../chain/Address.ts"

/** A key may be used for another request after this many days, and after what it names is over. */
export const idempotencyDays = 7

/** The key names another request; `id` is that one's. */
export class KeyTaken extends Data.TaggedError("KeyTaken")<{ readonly id: string }> {}

/** The request that a wallet's key names, of whatever kind. */
export const named = (sql: SqlClient.SqlClient, wallet: Address, key: string | null): Effect.Effect<Option.Option<string>, SqlError> =>
  key === null ? Effect.succeedNone : Effect.map(
    sql<{ readonly id: string }>`select id::text as id from idempotency_keys where wallet = ${wallet} and key = ${key}`,
    ([row]) => Option.map(Option.fromNullishOr(row), ({ id }) => id)
  )
