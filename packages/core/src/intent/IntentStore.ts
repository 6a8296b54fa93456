/** The intent ledger: durable rows of all requests that change something on chain. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { ChargeRow } from "../billing/Charge.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import * as ChargeCorrection from "../gas-wallet/ChargeCorrection.ts"
import * as IdempotencyKeys from "../storage/IdempotencyKeys.ts"
import { reads } from "../storage/Reads.ts"
import {
  type Acceptance,
  inTransaction,
  findTwin,
  type IntentAcceptor,
  matchExisting,
  make as makeAccept,
  type NewIntent
} from "./IntentInsert.ts"
import { Intent, Outcome } from "./Intent.ts"
import { type IntentQueue, permissionlessEndpoints, type QueuedIntent } from "./IntentQueue.ts"

/** Evidence for an outcome: a receipt, or the step that decided to send nothing. */
export type Evidence =
  | { readonly submissionKey: string; readonly blockHash: string }
  | { readonly step: number }

/** The planner's decision, stored so that a restart uses the same one. */
interface Progress {
  readonly step: number
  readonly plan: unknown
}

/** Another owner has ended the intent in the meantime. */
export class IntentAlreadyEnded extends Data.TaggedError("IntentAlreadyEnded")<{ readonly id: string }> {}

const Rows = Schema.decodeUnknownEffect(Schema.Array(Intent))
const encodeOutcome = Schema.encodeSync(Schema.fromJsonString(Outcome))

const columnsOf = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `id, wallet, key_id as "keyId", endpoint, network, pool, request, idempotency_key as "idempotencyKey",
   valid_for as "validFor", status, tx_hash as "txHash", outcome, waiting, created_at as "createdAt", updated_at as "updatedAt"`
  )
type Columns = ReturnType<typeof columnsOf>

/** Decodes rows of intents. A row that does not decode is a defect of this service, not an outcome. */
const decodeRows = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))

const permissionless = (sql: SqlClient.SqlClient) => sql.in("endpoint", permissionlessEndpoints)

/**
 * Finds what the idempotency key of an intent names, or its unfinished twin. The key is read first: in the opposite
 * order, an intent committed between the two reads would look like another kind of request.
 */
const findKnown = (
  sql: SqlClient.SqlClient,
  columns: Columns,
  intent: NewIntent
): Effect.Effect<Option.Option<Acceptance>, SqlError> =>
  Effect.gen(function*() {
    if (intent.idempotencyKey === null) {
      return Option.map(yield* findTwin(sql, intent), (id): Acceptance => ({ _tag: "twin", id }))
    }
    const id = Option.getOrUndefined(yield* IdempotencyKeys.findRequestId(sql, intent.wallet, intent.idempotencyKey))
    if (id === undefined) return Option.none()
    const [earlier] = yield* decodeRows(sql`select ${columns} from intents where id = ${id}`)
    return Option.some<Acceptance>(
      earlier === undefined ? { _tag: "conflict", id } : matchExisting(intent, earlier)
    )
  })

const intentReads = (
  sql: SqlClient.SqlClient,
  read: Effect.Success<typeof reads>,
  columns: Columns
): Pick<IntentStore["Service"], "find" | "findForDisplay" | "list" | "placeOf"> => ({
  find: (id) =>
    Effect.map(
      decodeRows(sql`select ${columns} from intents where id = ${id}`),
      (rows) => Option.fromNullishOr(rows[0])
    ),
  findForDisplay: (id) =>
    Effect.map(
      decodeRows(read`select ${columns} from intents where id = ${id}`),
      (rows) => Option.fromNullishOr(rows[0])
    ),
  list: ({ wallet, network, pool, before, limit }) =>
    decodeRows(read`select ${columns} from intents where ${
      sql.and([
        sql`wallet = ${wallet}`,
        ...(network === undefined ? [] : [sql`network = ${network}`]),
        ...(pool === undefined ? [] : [sql`pool = ${pool}`]),
        ...(before === undefined ? [] : [sql`id < ${before}`])
      ])
    } order by id desc limit ${limit}`),
  placeOf: (id) =>
    Effect.map(
      sql<QueuedIntent>`select endpoint, network, pool, wallet from intents where id = ${id}`,
      (rows) => Option.fromNullishOr(rows[0])
    )
})

const openIntents = (
  sql: SqlClient.SqlClient,
  columns: Columns
): Pick<IntentStore["Service"], "unfinished" | "findStale" | "findInProgress" | "recordPlan" | "noteWaiting"> => ({
  unfinished: ({ address, network, of }) =>
    Effect.map(
      sql<{ readonly id: string }>`select id from intents
        where network = ${network} and ${
        of === "vault" ? sql`pool = ${address} and not` : sql`wallet = ${address} and`
      } ${permissionless(sql)}
          and status in ('accepted', 'submitted') order by id`,
      (rows) => rows.map(({ id }) => id)
    ),
  findStale: (seconds) =>
    sql<
      QueuedIntent & { readonly id: string }
    >`with alone as (select id, endpoint, network, pool, wallet, ${permissionless(sql)} as permissionless
        from intents where status in ('accepted', 'submitted')
        and updated_at < now() - make_interval(secs => ${seconds}))
      select distinct on (network, permissionless, case when permissionless then wallet else pool end) id,
      endpoint, network, pool, wallet
      from alone order by network, permissionless, case when permissionless then wallet else pool end, id`,
  findInProgress: (id) =>
    Effect.gen(function*() {
      const rows = yield* sql<Progress>`select ${columns}, step, plan from intents where id = ${id}`
      const [intent] = yield* Effect.orDie(Rows(rows))
      const [row] = rows
      return row === undefined || intent === undefined
        ? Option.none()
        : Option.some({ intent, step: row.step, plan: row.plan })
    }),
  recordPlan: (id, { step, plan }) =>
    Effect.flatMap(
      sql`update intents set step = ${step}, plan = ${JSON.stringify(plan)}::jsonb, waiting = null,
        updated_at = now()
        where id = ${id} and status in ('accepted', 'submitted') returning id`,
      (rows) => rows.length === 1 ? Effect.void : new IntentAlreadyEnded({ id })
    ),
  noteWaiting: (id, reason) =>
    Effect.asVoid(
      sql`update intents set waiting = ${reason}, updated_at = now()
        where id = ${id} and status in ('accepted', 'submitted')`
    )
})

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

/** Books the charge of an intent. */
const insertCharge = (
  sql: SqlClient.SqlClient,
  id: string,
  { network, wallet }: { readonly network: Network; readonly wallet: Address },
  { action, nativePriceUsd18, nativeWei, priceAt, priceSource, usd }: ChargeRow
) =>
  sql`insert into charges (id, intent_id, wallet, network, action, usd, native_wei, native_price_usd,
      price_source, price_at)
      values (${id}, ${id}, ${wallet}, ${network}, ${action}, ${usd}, ${nativeWei?.toString() ?? null}::numeric,
        ${
    nativePriceUsd18?.toString() ?? null
  }::numeric / 1e18, ${priceSource}, to_timestamp(${priceAt}::float8 / 1000))
      -- A payment has covered it before a deep reorg took the action back: it is not charged a second time.
      on conflict do nothing`

const makeFinish = (sql: SqlClient.SqlClient): IntentStore["Service"]["finish"] => (id, outcome, charge, evidence) =>
  sql.withTransaction(Effect.gen(function*() {
    if (evidence !== undefined && !(yield* isCurrent(sql, id, evidence))) return false
    const ended = yield* sql<
      { readonly wallet: Address; readonly network: Network; readonly isCharged: boolean }
    >`update intents set
      status = ${outcome._tag === "Succeeded" ? "succeeded" : "failed"}, outcome = ${
      encodeOutcome(outcome)
    }::jsonb, waiting = null,
      tx_hash = coalesce(${outcome.txHash}, tx_hash), updated_at = now()
      where id = ${id} and status in ('accepted', 'submitted') returning wallet, network,
      exists (select 1 from charges c where c.intent_id = intents.id)
        or exists (select 1 from charges c where c.corrects = intents.id) as "isCharged"`
    const [row] = ended
    if (row === undefined) return true
    const isExecuted = outcome._tag === "Succeeded"
    if (isExecuted && Option.isSome(charge)) yield* insertCharge(sql, id, row, charge.value)
    // A payment covers the charge of an outcome that a deep reorg took back.
    if (row.isCharged) yield* ChargeCorrection.book(sql, id, isExecuted)
    return true
  }))

export class IntentStore extends Context.Service<IntentStore, {
  readonly accept: IntentAcceptor["accept"]
  readonly acceptWithin: IntentAcceptor["acceptWithin"]
  /** Inserts an intent in the caller's transaction, together with the rows it belongs to. */
  readonly acceptInTransaction: (intent: NewIntent) => Effect.Effect<Acceptance, SqlError>
  /**
   * Returns the answer that `accept` would give because of the idempotency key or an identical request; none when it
   * would accept a new intent.
   */
  readonly findAccepted: (intent: NewIntent) => Effect.Effect<Option.Option<Acceptance>, SqlError>
  /** Returns the id of the request, of any kind, that a wallet's idempotency key names. */
  readonly findByIdempotencyKey: (
    wallet: Address,
    idempotencyKey: string
  ) => Effect.Effect<Option.Option<string>, SqlError>
  readonly find: (id: string) => Effect.Effect<Option.Option<Intent>, SqlError>
  /** Finds an intent for display; no decision may depend on it. */
  readonly findForDisplay: (id: string) => Effect.Effect<Option.Option<Intent>, SqlError>
  /** Lists intents, newest first; `before` is the id of the last row of the previous page. */
  readonly list: (query: {
    readonly wallet: Address
    readonly network: Network | undefined
    readonly pool: Address | undefined
    readonly before: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Intent>, SqlError>
  /**
   * Reads the fields that decide an intent's queue. Does not decode the request, so that a malformed row delays only
   * its own wallet.
   */
  readonly placeOf: (id: string) => Effect.Effect<Option.Option<QueuedIntent>, SqlError>
  /** Lists a queue's accepted and unfinished intents, oldest first. */
  readonly unfinished: (queue: IntentQueue) => Effect.Effect<ReadonlyArray<string>, SqlError>
  /** Lists one intent for each queue that has an unfinished intent without a change for `seconds`. */
  readonly findStale: (
    seconds: number
  ) => Effect.Effect<ReadonlyArray<QueuedIntent & { readonly id: string }>, SqlError>
  /** Returns an intent with its step and plan, from which execution starts or resumes. */
  readonly findInProgress: (
    id: string
  ) => Effect.Effect<Option.Option<Progress & { readonly intent: Intent }>, SqlError>
  /**
   * Stores the plan of a step; the caller stores the planned call in the same transaction. Fails when the intent has
   * ended.
   */
  readonly recordPlan: (id: string, progress: Progress) => Effect.Effect<void, SqlError | IntentAlreadyEnded>
  /** Records why an open intent is not signed now; the next stored plan and the outcome remove it. */
  readonly noteWaiting: (id: string, reason: string) => Effect.Effect<void, SqlError>
  /**
   * Ends an intent, once, and books its charge in the same transaction, or the correction of a charge that a payment
   * covers. Ending it again changes nothing. With
   * `evidence`, it ends only while that receipt or step is still current. Returns `false` when a reorg or another owner
   * was faster; the caller must then read the rows again.
   */
  readonly finish: (
    id: string,
    outcome: Outcome,
    charge: Option.Option<ChargeRow>,
    evidence?: Evidence
  ) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/intent/IntentStore") {
  static readonly layer = Layer.effect(
    IntentStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const read = yield* reads
      const columns = columnsOf(sql)
      const known = (intent: NewIntent) => findKnown(sql, columns, intent)

      return {
        ...(yield* makeAccept(sql, known)),
        acceptInTransaction: inTransaction(sql, known),
        findAccepted: known,
        findByIdempotencyKey: (wallet, idempotencyKey) => IdempotencyKeys.findRequestId(sql, wallet, idempotencyKey),
        ...intentReads(sql, read, columns),
        ...openIntents(sql, columns),
        finish: makeFinish(sql)
      }
    })
  )
}
