/** Idempotency keys of callers' requests. One table maps each key to its request, for every kind of request. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Address } from "../chain/Address.ts"

/** Days after which a key may be used for another request, once its request has ended. */
export const idempotencyDays = 7

/** The beginning of the keys of a group call's trades; the call's id follows. */
export const groupKeyPrefix = "group-"

/** The key belongs to another request, whose id is `id`. */
export class KeyTaken extends Data.TaggedError("KeyTaken")<{ readonly id: string }> {}

/** Returns the id of the request, of any kind, that a wallet's key names. */
export const findRequestId = (
  sql: SqlClient.SqlClient,
  wallet: Address,
  key: string | null
): Effect.Effect<Option.Option<string>, SqlError> =>
  key === null ? Effect.succeedNone : Effect.map(
    sql<{ readonly id: string }>`select id::text as id from idempotency_keys where wallet = ${wallet} and key = ${key}`,
    ([row]) => Option.map(Option.fromNullishOr(row), ({ id }) => id)
  )
