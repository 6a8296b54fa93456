/**
 * The plans of payments and top-ups, which the signing record keeps beside their bytes, so that a ledger that was
 * restored from a backup books them again instead of paying twice.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { explain } from "../failure/Explanation.ts"
import type { AdoptedTransactions } from "./AdoptedTransactions.ts"
import { isFiller, settlementOf, topUpOf } from "./Submission.ts"
import { encodeFailure } from "./SubmissionRows.ts"

/** The charges that a settlement pays. Each belongs to an intent, or to a reference of its wallet. */
const SettlementPlan = Schema.Struct({
  usd: Schema.String,
  charges: Schema.Array(Schema.Struct({
    intent: Schema.NullOr(Schema.String),
    reference: Schema.NullOr(Schema.String),
    /** Native smallest units. */
    wei: Schema.String
  }))
})
type SettlementPlan = typeof SettlementPlan.Type

const TopUpPlan = Schema.Struct({ usd18: Schema.String })

/** Reads the plans of these settlements and top-ups, by their submissions' keys. */
export const findPlans = (
  sql: SqlClient.SqlClient,
  keys: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<readonly [key: string, plan: unknown]>, SqlError> =>
  Effect.gen(function*() {
    const settlements = keys.flatMap((key) => settlementOf(key) ?? [])
    const topUps = keys.flatMap((key) => topUpOf(key) ?? [])
    const rows = [
      ...(settlements.length === 0 ? [] : yield* sql<{ readonly key: string; readonly plan: unknown }>`select
          'settlement/' || t.id as key, jsonb_build_object('usd', t.usd::text, 'charges', (select
            coalesce(jsonb_agg(jsonb_build_object('intent', c.intent_id, 'reference', c.reference,
              'wei', c.native_wei::text) order by c.id), '[]'::jsonb)
            from charges c where c.settlement_id = t.id)) as plan
        from settlements t where t.id in (select jsonb_array_elements_text(${
        JSON.stringify(settlements)
      }::jsonb)::uuid)`),
      ...(topUps.length === 0 ? [] : yield* sql<{ readonly key: string; readonly plan: unknown }>`select
          t.id::text || '/topup' as key, jsonb_build_object('usd18', t.usd18::text) as plan
        from top_ups t where t.id in (select jsonb_array_elements_text(${JSON.stringify(topUps)}::jsonb)::uuid)`)
    ]
    return rows.map(({ key, plan }) => [key, plan] as const)
  })

/**
 * Books a payment, a top-up or a filler of which the ledger has no row, with its submission as signed. Returns false
 * when it cannot be booked, or not yet; nothing is changed then. Call it in a transaction.
 */
export const restore = (
  sql: SqlClient.SqlClient,
  adopted: AdoptedTransactions
): Effect.Effect<boolean, SqlError> =>
  Effect.gen(function*() {
    const { key, plan } = adopted
    const known = yield* sql`select key from submissions where key = ${key}`
    if (known.length > 0) return false
    const isBooked = isFiller(key)
      ? true
      : yield* Option.match(Schema.decodeUnknownOption(SettlementPlan)(plan), {
        onNone: () =>
          Option.match(Schema.decodeUnknownOption(TopUpPlan)(plan), {
            onNone: () => Effect.succeed(false),
            onSome: ({ usd18 }) => bookTopUp(sql, adopted, usd18)
          }),
        onSome: (settlement) => bookSettlement(sql, adopted, settlement)
      })
    if (!isBooked) return false
    const { data, network, nonce, to, value, wallet } = adopted
    yield* sql`insert into submissions ${
      sql.insert({
        ...{ key, network, wallet, to_address: to, data, value: value.toString(), reserve: "0" },
        ...{ status: "signed", nonce: nonce.toString() }
      })
    }`
    return true
  })

const bookTopUp = (
  sql: SqlClient.SqlClient,
  { key, network, to, value, wallet }: AdoptedTransactions,
  usd18: string
): Effect.Effect<boolean, SqlError> =>
  Effect.as(
    sql`insert into top_ups ${
      sql.insert({ id: topUpOf(key), network, wallet: to, funder: wallet, wei: value.toString(), usd18 })
    } on conflict do nothing`,
    true
  )

/**
 * Books a settlement with its charges, at the amounts that it paid. Waits while one of its intents is open, because its
 * charge is booked with the outcome, and while another payment is open. Where the ledger has lost charges, only a
 * payment that is mined is booked: its fees can no longer be raised, which would need all of its charges.
 */
const bookSettlement = (
  sql: SqlClient.SqlClient,
  { isMined, key, network, to, value, wallet }: AdoptedTransactions,
  { charges, usd }: SettlementPlan
): Effect.Effect<boolean, SqlError> =>
  Effect.gen(function*() {
    if (charges.length === 0) return false
    const paid = JSON.stringify(charges)
    yield* sql`select pg_advisory_xact_lock(hashtextextended(${`settlements/${network}/${wallet}`}, 0))`
    const open = yield* sql`select i.id from intents i join jsonb_to_recordset(${paid}::jsonb) as p(intent uuid)
      on p.intent = i.id where i.status in ('accepted', 'submitted') limit 1`
    if (open.length > 0) return false
    yield* releaseUnsigned(sql, { network, wallet })
    const found = yield* sql<{ readonly isClaimed: boolean }>`select c.settlement_id is not null as "isClaimed"
      from charges c join jsonb_to_recordset(${paid}::jsonb) as p(intent uuid, reference text)
        on c.intent_id = p.intent or (c.reference = p.reference and c.wallet = ${wallet})
      where c.network = ${network} for update of c`
    if (found.some(({ isClaimed }) => isClaimed) || (found.length < charges.length && !isMined)) return false
    const inserted = yield* sql`insert into settlements ${
      sql.insert({
        ...{ id: settlementOf(key), network, wallet, treasury: to, native_wei: value.toString() },
        ...{ usd, charges: charges.length }
      })
    } on conflict do nothing returning id`
    if (inserted.length === 0) return false
    yield* sql`update charges c set settlement_id = ${settlementOf(key)}::uuid, native_wei = p.wei
      from jsonb_to_recordset(${paid}::jsonb) as p(intent uuid, reference text, wei numeric)
      where c.network = ${network}
        and (c.intent_id = p.intent or (c.reference = p.reference and c.wallet = ${wallet}))`
    return true
  })

/** Ends the lane's open settlement when it is not signed: it may claim charges that were paid before. */
const releaseUnsigned = (
  sql: SqlClient.SqlClient,
  { network, wallet }: Pick<AdoptedTransactions, "network" | "wallet">
) =>
  Effect.gen(function*() {
    const unsigned = yield* sql<{ readonly id: string }>`select t.id::text as id from settlements t
      join submissions s on s.key = 'settlement/' || t.id and s.status = 'queued'
      where t.network = ${network} and t.wallet = ${wallet} and t.status = 'open' for update`
    yield* Effect.forEach(unsigned, ({ id }) =>
      Effect.gen(function*() {
        const failure = encodeFailure(explain({ _tag: "PaidBefore", key: `settlement/${id}` }))
        yield* sql`update submissions set status = 'refused', failure = ${failure}::jsonb, updated_at = now()
          where key = ${`settlement/${id}`}`
        yield* sql`update charges set settlement_id = null where settlement_id = ${id}::uuid`
        yield* sql`update settlements set status = 'released', ended_at = now() where id = ${id}::uuid`
      }), { discard: true })
  })
