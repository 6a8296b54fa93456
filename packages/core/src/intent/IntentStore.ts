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
import * as IdempotencyKeys from "../storage/IdempotencyKeys.ts"
import * as TogetherRead from "../storage/TogetherRead.ts"
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
import { Failed, Intent, type Outcome } from "./Intent.ts"
import * as IntentEnd from "./IntentEnd.ts"
import { type IntentQueue, permissionlessEndpoints, type QueuedIntent } from "./IntentQueue.ts"

/** The planner's decision, stored so that a restart uses the same one. */
interface Progress {
  readonly step: number
  readonly plan: unknown
}

/** An intent from which execution starts or resumes. */
interface InProgress extends Progress {
  readonly intent: Intent
  /** The outcome with which it was withdrawn before it was planned; null otherwise. */
  readonly withdrawn: Failed | null
}

const encodeFailed = Schema.encodeSync(Schema.fromJsonString(Failed))
const decodeFailed = Schema.decodeUnknownEffect(Schema.NullOr(Failed))

/** The intent was ended by another owner, or withdrawn, in the meantime. */
export class IntentAlreadyEnded extends Data.TaggedError("IntentAlreadyEnded")<{ readonly id: string }> {}

const Rows = Schema.decodeUnknownEffect(Schema.Array(Intent))

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
): Pick<IntentStore["Service"], "find" | "findAll" | "findForDisplay"> => ({
  find: (id) =>
    Effect.map(
      decodeRows(sql`select ${columns} from intents where id = ${id}`),
      (rows) => Option.fromNullishOr(rows[0])
    ),
  findAll: (ids) =>
    ids.length === 0
      ? Effect.succeed([])
      : decodeRows(
        sql`select ${columns} from intents where ${TogetherRead.isOneOf(sql, "id", ids)}`
      ),
  findForDisplay: (id) =>
    Effect.map(
      decodeRows(read`select ${columns} from intents where id = ${id}`),
      (rows) => Option.fromNullishOr(rows[0])
    )
})

/** A row of an intent by its id, as statements return it. */
interface IdOf {
  readonly id: string
}

/** Builds the reads with which an intent's execution begins, and which turns of many bots make at once. */
const beginnings = (sql: SqlClient.SqlClient, columns: Columns) =>
  Effect.gen(function*() {
    const isOf = (id: string) => (row: IdOf) => row.id === id
    const places = yield* TogetherRead.make<string, QueuedIntent & IdOf>(sql, {
      read: (ids) =>
        sql<QueuedIntent & IdOf>`select id, endpoint, network, pool, wallet from intents
          where ${TogetherRead.isOneOf(sql, "id", ids)}`,
      isOf
    })
    const begun = yield* TogetherRead.make<string, Progress & IdOf & { readonly withdrawn: unknown }>(sql, {
      read: (ids) =>
        sql<
          Progress & IdOf & { readonly withdrawn: unknown }
        >`select ${columns}, step, plan, withdrawn from intents where ${TogetherRead.isOneOf(sql, "id", ids)}`,
      isOf
    })
    return {
      placeOf: (id: string) =>
        Effect.map(places(id), ([row]) => Option.map(Option.fromNullishOr(row), ({ id: _, ...place }) => place)),
      // Each decodes its own row, so that a malformed one delays only its own wallet.
      findInProgress: (id: string) =>
        Effect.gen(function*() {
          const rows = yield* begun(id)
          const [intent] = yield* Effect.orDie(Rows(rows))
          const [row] = rows
          return row === undefined || intent === undefined
            ? Option.none()
            : Option.some({
              intent,
              step: row.step,
              plan: row.plan,
              withdrawn: yield* Effect.orDie(decodeFailed(row.withdrawn))
            })
        })
    } satisfies Pick<IntentStore["Service"], "placeOf" | "findInProgress">
  })

const openIntents = (
  sql: SqlClient.SqlClient
): Pick<IntentStore["Service"], "unfinished" | "findStale" | "recordPlan" | "withdraw" | "noteWaiting"> => ({
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
  recordPlan: (id, { step, plan }) =>
    Effect.flatMap(
      sql`update intents set step = ${step}, plan = ${JSON.stringify(plan)}::jsonb, waiting = null,
        updated_at = now()
        where id = ${id} and status in ('accepted', 'submitted') and withdrawn is null returning id`,
      (rows) => rows.length === 1 ? Effect.void : new IntentAlreadyEnded({ id })
    ),
  withdraw: (id, outcome) =>
    Effect.asVoid(
      sql`update intents set withdrawn = ${encodeFailed(outcome)}::jsonb, updated_at = now()
        where id = ${id} and status in ('accepted', 'submitted') and step = 0 and withdrawn is null`
    ),
  noteWaiting: (id, reason) =>
    Effect.asVoid(
      sql`update intents set waiting = ${reason}, updated_at = now()
        where id = ${id} and status in ('accepted', 'submitted')`
    )
})

export class IntentStore extends Context.Service<IntentStore, {
  readonly accept: IntentAcceptor["accept"]
  readonly acceptWithin: IntentAcceptor["acceptWithin"]
  /** Inserts an intent in the caller's transaction, together with the rows it belongs to. */
  readonly acceptInTransaction: (intent: NewIntent) => Effect.Effect<Acceptance, SqlError>
  /** Does the same for several intents, in one statement; the results are in their order. */
  readonly acceptAllInTransaction: (
    intents: ReadonlyArray<NewIntent>
  ) => Effect.Effect<ReadonlyArray<Acceptance>, SqlError>
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
  /** Finds several intents, in no particular order. */
  readonly findAll: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Intent>, SqlError>
  /** Finds an intent for display; no decision may depend on it. */
  readonly findForDisplay: (id: string) => Effect.Effect<Option.Option<Intent>, SqlError>
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
  readonly findInProgress: (id: string) => Effect.Effect<Option.Option<InProgress>, SqlError>
  /**
   * Stores the plan of a step; the caller stores the planned call in the same transaction. Fails when the intent has
   * ended or was withdrawn.
   */
  readonly recordPlan: (id: string, progress: Progress) => Effect.Effect<void, SqlError | IntentAlreadyEnded>
  /**
   * Withdraws an intent of a bot, an order or a follower in the caller's transaction, if it is not planned yet: it is
   * never planned from then on. Its runner ends it with this outcome once the wallet's rows explain the chain: they may
   * come from a backup and lack its execution.
   */
  readonly withdraw: (id: string, outcome: Failed) => Effect.Effect<void, SqlError>
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
    evidence?: IntentEnd.Evidence
  ) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/intent/IntentStore") {
  static readonly layer = Layer.effect(
    IntentStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const read = yield* reads
      const columns = columnsOf(sql)
      const known = (intent: NewIntent) => findKnown(sql, columns, intent)
      const acceptAll = inTransaction(sql, known)

      return {
        ...(yield* makeAccept(sql, known)),
        acceptInTransaction: (intent) => Effect.map(acceptAll([intent]), ([acceptance]) => acceptance!),
        acceptAllInTransaction: acceptAll,
        findAccepted: known,
        findByIdempotencyKey: (wallet, idempotencyKey) => IdempotencyKeys.findRequestId(sql, wallet, idempotencyKey),
        ...intentReads(sql, read, columns),
        ...openIntents(sql),
        ...(yield* beginnings(sql, columns)),
        finish: IntentEnd.make(sql)
      }
    })
  )
}
