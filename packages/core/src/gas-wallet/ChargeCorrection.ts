/**
 * Corrects charges that a payment covers. Until a payment claims it, the charge of an intent that a reorg reverts is
 * deleted. A claimed charge stays with its payment; when the intent then ends otherwise, a second row books the
 * difference, and the wallet's next payment is lower or higher by it.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Uuid from "../storage/Uuid.ts"

/** Deletes the charge of an intent, and its corrections, as far as no payment covers them. */
export const deleteUnclaimed = (sql: SqlClient.SqlClient, intentId: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(
    sql`delete from charges where (intent_id = ${intentId}::uuid or corrects = ${intentId}::uuid)
      and settlement_id is null`
  )

/**
 * Books the difference between what an intent owes and the sum of its charge and corrections, when there is one. An
 * executed intent owes its charge, a failed one nothing. Call it in the transaction that ends the intent.
 */
export const book = (
  sql: SqlClient.SqlClient,
  intentId: string,
  isExecuted: boolean
): Effect.Effect<void, SqlError> =>
  Effect.gen(function*() {
    const id = yield* Uuid.v7
    yield* sql`insert into charges (id, reference, corrects, wallet, network, action, usd, native_wei, native_price_usd,
        price_source, price_at)
      select ${id}::uuid, ${`correction/${id}`}, ${intentId}::uuid, b.wallet, b.network, b.action, b.due_usd - b.usd,
        case when b.is_converted then b.due_wei - b.wei end,
        case when b.is_converted then b.native_price_usd end, case when b.is_converted then b.price_source end,
        case when b.is_converted then b.price_at end
      from (select wallet, network, min(action) as action, sum(usd) as usd, coalesce(sum(native_wei), 0) as wei,
          bool_and(native_wei is not null) as is_converted, min(native_price_usd) as native_price_usd,
          min(price_source) as price_source, min(price_at) as price_at,
          coalesce(sum(usd) filter (where intent_id is not null and ${isExecuted}), 0) as due_usd,
          coalesce(sum(native_wei) filter (where intent_id is not null and ${isExecuted}), 0) as due_wei
        from charges where intent_id = ${intentId}::uuid or corrects = ${intentId}::uuid
        group by wallet, network) b
      where b.due_usd <> b.usd or (b.is_converted and b.due_wei <> b.wei)`
  })
