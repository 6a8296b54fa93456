/** Ends intents: writes the outcome, and books its charge or the correction of one. */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ChargeRow } from "../billing/Charge.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import * as ChargeCorrection from "../gas-wallet/ChargeCorrection.ts"
import { Outcome } from "./Intent.ts"

/** Evidence for an outcome: a receipt, or the step that decided to send nothing. */
export type Evidence =
  | { readonly submissionKey: string; readonly blockHash: string }
  | { readonly step: number }

type Finish = (
  id: string,
  outcome: Outcome,
  charge: Option.Option<ChargeRow>,
  evidence?: Evidence
) => Effect.Effect<boolean, SqlError>

const encodeOutcome = Schema.encodeSync(Schema.fromJsonString(Outcome))

/** Checks whether evidence is still current, and locks it until the transaction ends. */
const isCurrent = (sql: SqlClient.SqlClient, id: string, evidence: Evidence) =>
  Effect.gen(function*() {
    if ("step" in evidence) {
      const [here] = yield* sql<{ readonly step: number }>`select step from intents where id = ${id} for update`
      return here?.step === evidence.step
    }
    // The row lock makes `revertMined` run before or after this transaction, never in between.
    const current = yield* sql`select key from submissions where key = ${evidence.submissionKey}
      and status in ('mined', 'final') and receipt ->> 'blockHash' = ${evidence.blockHash} for share`
    return current.length > 0
  })

/** The columns of a charge that is booked with its intent's outcome. */
const chargeColumns = (sql: SqlClient.SqlClient) =>
  sql.literal("id, intent_id, wallet, network, action, usd, native_wei, native_price_usd, price_source, price_at")

/** The values of those columns that depend on the price. */
const chargeValues = (sql: SqlClient.SqlClient, charge: ChargeRow | undefined) =>
  sql`${charge?.action ?? ""}, ${charge?.usd ?? 0}::numeric, ${charge?.nativeWei?.toString() ?? null}::numeric,
    ${charge?.nativePriceUsd18?.toString() ?? null}::numeric / 1e18, ${charge?.priceSource ?? null}::text,
    to_timestamp(${charge?.priceAt ?? null}::float8 / 1000)`

/** Books the charge of an intent. */
const insertCharge = (
  sql: SqlClient.SqlClient,
  id: string,
  { network, wallet }: { readonly network: Network; readonly wallet: Address },
  charge: ChargeRow
) =>
  sql`insert into charges (${chargeColumns(sql)}) values (${id}, ${id}, ${wallet}, ${network}, ${
    chargeValues(sql, charge)
  })
    -- A payment has covered it before a deep reorg took the action back: it is not charged a second time.
    on conflict do nothing`

/** Sets the outcome in the row of its intent. */
const ended = (sql: SqlClient.SqlClient, outcome: Outcome) =>
  sql`status = ${outcome._tag === "Succeeded" ? "succeeded" : "failed"}, outcome = ${encodeOutcome(outcome)}::jsonb,
    waiting = null, tx_hash = coalesce(${outcome.txHash}, tx_hash), updated_at = now()`

/**
 * The intent is open, nothing was charged for it, and no other transaction holds its row: a statement that waits for a
 * row reads its charges from before the wait.
 */
const isFree = (sql: SqlClient.SqlClient, id: string) =>
  sql`id = ${id} and status in ('accepted', 'submitted')
    and not exists (select 1 from charges c where c.intent_id = intents.id)
    and not exists (select 1 from charges c where c.corrects = intents.id)
    and id in (select i.id from intents i where i.id = ${id} for update skip locked)`

/**
 * Ends an intent that books nothing, in one statement: its step sent nothing. Returns false, and changes nothing, where
 * there is more to do, where it is not at that step, and where another transaction holds it.
 */
const endAtStep = (sql: SqlClient.SqlClient, id: string, outcome: Outcome, step: number) =>
  Effect.map(
    sql`update intents set ${ended(sql, outcome)} where ${isFree(sql, id)} and step = ${step} returning id`,
    (rows) => rows.length > 0
  )

/**
 * Ends an intent whose transaction was mined, and books its charge, in one statement. Returns false, and changes nothing,
 * where there is more to do, where the receipt is no longer that of the submission, and where another transaction
 * holds the rows.
 */
const endWithReceipt = (
  sql: SqlClient.SqlClient,
  id: string,
  outcome: Outcome,
  charge: Option.Option<ChargeRow>,
  { blockHash, submissionKey }: { readonly submissionKey: string; readonly blockHash: string }
) => {
  const booked = outcome._tag === "Succeeded" ? Option.getOrUndefined(charge) : undefined
  return Effect.map(
    sql`with current as (select key from submissions where key = ${submissionKey}
        and status in ('mined', 'final') and receipt ->> 'blockHash' = ${blockHash} for share skip locked),
      ended as (update intents set ${ended(sql, outcome)}
        where ${isFree(sql, id)} and exists (select 1 from current) returning id, wallet, network),
      charged as (insert into charges (${chargeColumns(sql)})
        select id, id, wallet, network, ${chargeValues(sql, booked)}
        from ended where ${booked !== undefined}::boolean on conflict do nothing)
      select id from ended`,
    (rows) => rows.length > 0
  )
}

/** Builds the function that ends an intent; see `IntentStore`. One statement does it where nothing else is to do. */
export const make = (sql: SqlClient.SqlClient): Finish => (id, outcome, charge, evidence) => {
  const inSteps = finishInSteps(sql)(id, outcome, charge, evidence)
  if (evidence === undefined || ("step" in evidence && Option.isSome(charge))) return inSteps
  const atOnce = "step" in evidence
    ? endAtStep(sql, id, outcome, evidence.step)
    : endWithReceipt(sql, id, outcome, charge, evidence)
  return Effect.flatMap(atOnce, (isEnded) => isEnded ? Effect.succeed(true) : inSteps)
}

/** Ends an intent and books its charge, or the correction of one, in a transaction. */
const finishInSteps = (sql: SqlClient.SqlClient): Finish => (id, outcome, charge, evidence) =>
  sql.withTransaction(Effect.gen(function*() {
    if (evidence !== undefined && !(yield* isCurrent(sql, id, evidence))) return false
    const [row] = yield* sql<
      { readonly wallet: Address; readonly network: Network; readonly isCharged: boolean }
    >`update intents set ${ended(sql, outcome)}
      where id = ${id} and status in ('accepted', 'submitted') returning wallet, network,
      exists (select 1 from charges c where c.intent_id = intents.id)
        or exists (select 1 from charges c where c.corrects = intents.id) as "isCharged"`
    if (row === undefined) return true
    const isExecuted = outcome._tag === "Succeeded"
    if (isExecuted && Option.isSome(charge)) yield* insertCharge(sql, id, row, charge.value)
    // A payment covers the charge of an outcome that a deep reorg took back.
    if (row.isCharged) yield* ChargeCorrection.book(sql, id, isExecuted)
    return true
  }))
