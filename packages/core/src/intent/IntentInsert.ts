/**
 * Commits intents, many in one statement, and never reports a commit wrongly. A database whose connection is lost
 * during the statement may have committed it: the same rows are then inserted again under the same ids until the
 * database answers, for up to 5 seconds.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import * as AnswerLimit from "../storage/AnswerLimit.ts"
import * as Batcher from "../storage/Batcher.ts"
import * as Uuid from "../storage/Uuid.ts"
import { IntentRequest } from "./Intent.ts"

/** A request about to be accepted. */
export interface NewIntent {
  readonly wallet: Address
  readonly keyId: string
  /** The sub-key that requests it; null, or absent, for the wallet's own key. */
  readonly subKeyId?: string | null
  readonly endpoint: string
  readonly network: Network
  readonly pool: Address
  readonly request: IntentRequest
  readonly idempotencyKey: string | null
  /** The caller's lifetime of its transaction, in seconds; null for the action's default. */
  readonly validFor?: number | null
  /**
   * True when an unfinished identical request (of the same wallet and vault) is to be answered with instead of a second
   * one. Ignored with an idempotency key, which decides that by itself.
   */
  readonly absorbed?: boolean
}

/**
 * `accepted`: the id of the intent to follow, which is new or was found by its idempotency key. `twin`: the id of the
 * unfinished identical request; nothing new was accepted. `conflict`: the key belongs to another request.
 */
export type Acceptance =
  | { readonly _tag: "accepted"; readonly id: string }
  | { readonly _tag: "twin"; readonly id: string }
  | { readonly _tag: "conflict"; readonly id: string }

/**
 * The database connection was lost before the commit was confirmed. The intent may exist under this id, now or a moment
 * later.
 */
export class AcceptanceUnknown extends Data.TaggedError("AcceptanceUnknown")<{ readonly id: string }> {}

interface PendingIntent {
  readonly id: string
  readonly intent: NewIntent
}

type Answer = Result.Result<Acceptance, SqlError | AcceptanceUnknown>

/** Limits one insertion. */
const insertTimeout = "5 seconds"
/** Repeats an insertion or lookup whose result is unknown. */
const certaintyRetry = Schedule.spaced("200 millis").pipe(Schedule.upTo({ duration: "5 seconds" }))

const encodeRequest = Schema.encodeSync(Schema.fromJsonString(IntentRequest))

/**
 * Returns the text that identical requests share; null for a request of which several may be open. Requests of different
 * keys are different: one may fail for a bound of its key.
 */
const twinOf = ({ absorbed, idempotencyKey, request, subKeyId }: NewIntent): string | null =>
  absorbed === true && idempotencyKey === null
    ? `${encodeRequest(request)}${subKeyId === null || subKeyId === undefined ? "" : ` ${subKeyId}`}`
    : null

/** Finds the unfinished identical request, through the index that allows only one. */
export const findTwin = (
  sql: SqlClient.SqlClient,
  intent: NewIntent
): Effect.Effect<Option.Option<string>, SqlError> => {
  const twin = twinOf(intent)
  return twin === null
    ? Effect.succeedNone
    : Effect.map(
      sql<{ readonly id: string }>`select id from intents where wallet = ${intent.wallet}
        and network = ${intent.network} and pool = ${intent.pool} and twin = ${twin}
        and status in ('accepted', 'submitted')`,
      ([row]) => Option.map(Option.fromNullishOr(row), ({ id }) => id)
    )
}

/** An earlier intent with the same idempotency key. */
interface ExistingIntent {
  readonly id: string
  readonly endpoint: string
  readonly network: Network
  readonly pool: Address
  readonly request: IntentRequest
}

/** Returns the answer for a request whose key names an existing intent. */
export const matchExisting = (intent: NewIntent, earlier: ExistingIntent): Acceptance => {
  const same = earlier.endpoint === intent.endpoint && earlier.network === intent.network &&
    earlier.pool === intent.pool &&
    encodeRequest(earlier.request) === encodeRequest(intent.request)
  return { _tag: same ? "accepted" : "conflict", id: earlier.id }
}

/**
 * Checks whether PostgreSQL itself refused and rolled back the statement. Errors that end a session (08…, 57P…) do not
 * prove that.
 */
const isRefusal = ({ reason: { cause } }: SqlError): boolean =>
  typeof cause === "object" && cause !== null && "severity" in cause && "code" in cause &&
  !/^(08|57P)/.test(String(cause.code))

/**
 * Orders rows by what at most one row may have. Two servers that insert the same requests at once wait for each other's
 * rows, and with a common order neither waits for a row that waits for it.
 */
const byUniqueParts = Order.mapInput(
  Order.String,
  ({ intent }: PendingIntent) => `${intent.wallet}/${intent.idempotencyKey ?? ""}/${twinOf(intent) ?? ""}`
)

const insertion = (sql: SqlClient.SqlClient) => (named: Arr.NonEmptyReadonlyArray<PendingIntent>) =>
  sql`insert into intents ${
    sql.insert(Arr.map(Arr.sort(named, byUniqueParts), ({ id, intent }) => ({
      id,
      wallet: intent.wallet,
      key_id: intent.keyId,
      sub_key_id: intent.subKeyId ?? null,
      endpoint: intent.endpoint,
      network: intent.network,
      pool: intent.pool,
      request: encodeRequest(intent.request),
      idempotency_key: intent.idempotencyKey,
      valid_for: intent.validFor ?? null,
      twin: twinOf(intent)
    })))
  } on conflict do nothing returning id`

/** Inserts intents in the caller's transaction and commits with it, or not at all. They absorb nothing. */
export const inTransaction = (
  sql: SqlClient.SqlClient,
  known: (intent: NewIntent) => Effect.Effect<Option.Option<Acceptance>, SqlError>
) => {
  const knownNow = (intent: NewIntent) =>
    Effect.flatMap(
      known(intent),
      Option.match({
        onNone: () => Effect.die(new Error("an idempotency key was released during its lookup")),
        onSome: Effect.succeed
      })
    )
  return (given: ReadonlyArray<NewIntent>): Effect.Effect<ReadonlyArray<Acceptance>, SqlError> =>
    Effect.gen(function*() {
      const named = yield* Effect.forEach(
        given,
        (intent) => Effect.map(Uuid.v7, (id) => ({ id, intent: { ...intent, absorbed: false } }))
      )
      if (!Arr.isReadonlyArrayNonEmpty(named)) return []
      const rows = (yield* insertion(sql)(named)) as ReadonlyArray<{ readonly id: string }>
      const inserted = new Set(rows.map(({ id }) => id))
      return yield* Effect.forEach(
        named,
        ({ id, intent }): Effect.Effect<Acceptance, SqlError> =>
          inserted.has(id) ? Effect.succeed({ _tag: "accepted", id }) : knownNow(intent)
      )
    })
}

/** The insertion was sent; its result is not known. */
class CommitUnknown extends Data.TaggedError("Doubtful") {}

export interface IntentAcceptor {
  /**
   * Commits an intent before any work is done for it. Concurrent calls share one statement. A `SqlError` means that it
   * is not committed.
   */
  readonly accept: (intent: NewIntent) => Effect.Effect<Acceptance, SqlError | AcceptanceUnknown>
  /** Does the same within a timeout: an intent that is not committed by then may still be committed later. */
  readonly acceptWithin: (
    intent: NewIntent,
    timeout: Duration.Input
  ) => Effect.Effect<Acceptance, SqlError | AcceptanceUnknown>
}

/**
 * Inserts the rows and returns the ids that are new. Without a connection nothing was sent, so that failure is
 * returned unchanged.
 */
const insert = (
  sql: SqlClient.SqlClient,
  named: Arr.NonEmptyReadonlyArray<PendingIntent>
): Effect.Effect<ReadonlySet<string>, SqlError | CommitUnknown> =>
  Effect.scoped(Effect.flatMap(sql.reserve, (connection) => {
    const [text, params] = insertion(sql)(named).compile()
    return connection.execute(text, params, undefined).pipe(
      Effect.map((rows: ReadonlyArray<{ readonly id: string }>) => new Set(rows.map(({ id }) => id))),
      Effect.catch((error) => Effect.fail(isRefusal(error) ? error : new CommitUnknown())),
      Effect.timeoutOrElse({ duration: insertTimeout, orElse: () => Effect.fail(new CommitUnknown()) })
    )
  }))

/** Repeats an insertion whose result is unknown until the database answers. */
const untilCertain = (
  sql: SqlClient.SqlClient,
  named: Arr.NonEmptyReadonlyArray<PendingIntent>
): Effect.Effect<ReadonlySet<string>, SqlError | CommitUnknown> =>
  Effect.catchTag(
    insert(sql, named),
    "Doubtful",
    (unknown) =>
      Effect.mapError(Effect.retry(Effect.delay(insert(sql, named), "50 millis"), certaintyRetry), () => unknown)
  )

/**
 * Builds the acceptor. Intents that wait at the same time are committed together. A `SqlError` means that the intent is
 * not committed and never will be. `known` looks an idempotency key up and compares the request with what it names.
 */
export const make = (
  sql: SqlClient.SqlClient,
  known: (intent: NewIntent) => Effect.Effect<Option.Option<Acceptance>, SqlError>
): Effect.Effect<IntentAcceptor, never, Scope> => {
  /** Checks whether an earlier repetition inserted the row. */
  const isCommitted = (id: string) =>
    Effect.map(sql`select 1 from intents where id = ${id}`, ({ length }) => length > 0)

  /** Finds what stands in the way of a row: its own earlier insertion, its twin, or what its idempotency key names. */
  const findExisting = ({ id, intent }: PendingIntent): Effect.Effect<Option.Option<Acceptance>, SqlError> =>
    twinOf(intent) === null
      ? known(intent)
      : Effect.flatMap(
        isCommitted(id),
        (committed) => committed ? Effect.succeedSome<Acceptance>({ _tag: "accepted", id }) : known(intent)
      )

  /**
   * Answers for a row that already existed: inserted by an earlier repetition, or under the same idempotency key, or the
   * row of an identical request.
   */
  const answerExisting = ({ id, intent }: PendingIntent): Effect.Effect<Answer> =>
    intent.idempotencyKey === null && twinOf(intent) === null
      ? Effect.succeed(Result.succeed({ _tag: "accepted", id }))
      : Effect.retry(findExisting({ id, intent }), certaintyRetry).pipe(
        Effect.flatMap(Option.match({
          // The key was released, or the twin has ended in between, so this intent may take its place.
          onNone: () => Effect.map(accept([{ id, intent }]), ([answer]) => answer!),
          onSome: (acceptance) => Effect.succeed<Answer>(Result.succeed(acceptance))
        })),
        // The lookup failed, so it is unknown whether anything was accepted under this key.
        Effect.catch(() => Effect.succeed<Answer>(Result.fail(new AcceptanceUnknown({ id }))))
      )

  const accept = (named: Arr.NonEmptyReadonlyArray<PendingIntent>): Effect.Effect<ReadonlyArray<Answer>> =>
    Effect.matchEffect(untilCertain(sql, named), {
      onFailure: (failure) =>
        Effect.succeed(
          named.map(({ id }): Answer =>
            Result.fail(failure._tag === "Doubtful" ? new AcceptanceUnknown({ id }) : failure)
          )
        ),
      onSuccess: (inserted) =>
        Effect.forEach(
          named,
          (each) =>
            inserted.has(each.id)
              ? Effect.succeed<Answer>(Result.succeed({ _tag: "accepted", id: each.id }))
              : answerExisting(each)
        )
    })

  return Effect.map(
    Batcher.make({
      maximum: 500,
      // The insertion has its own limit; this one is for the lookups after it. The insertion may be repeated until then.
      limit: {
        ...AnswerLimit.ofChange,
        after: "40 seconds",
        late: ({ id }) => Exit.succeed(Result.fail(new AcceptanceUnknown({ id })))
      },
      run: accept
    }),
    (enqueue) => ({
      accept: (intent) => Effect.flatMap(Uuid.v7, (id) => Effect.flatMap(enqueue({ id, intent }), Effect.fromResult)),
      acceptWithin: (intent, timeout) =>
        Effect.flatMap(
          Uuid.v7,
          (id) =>
            Effect.timeoutOrElse(Effect.flatMap(enqueue({ id, intent }), Effect.fromResult), {
              duration: timeout,
              orElse: () => Effect.fail(new AcceptanceUnknown({ id }))
            })
        )
    })
  )
}
