/**
 * Committing intents: many at once in one statement, and never with a wrong word about it. A database that goes away after it was
 * asked may have committed: then the same rows are offered again under the same ids until it says so, for a while.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import * as Batcher from "../storage/Batcher.ts"
import * as Uuid from "../storage/Uuid.ts"
import { IntentRequest } from "./Intent.ts"

/** A request about to be accepted. */
export interface NewIntent {
  readonly wallet: Address
  readonly keyId: string
  readonly endpoint: string
  readonly network: Network
  readonly pool: Address
  readonly request: IntentRequest
  readonly idempotencyKey: string | null
}

/** `accepted`: the intent to follow, new or the one the idempotency key named. `conflict`: the key names another request. */
export type Acceptance =
  | { readonly _tag: "accepted"; readonly id: string }
  | { readonly _tag: "conflict"; readonly id: string }

/** The database went away before it said whether the intent is committed: it may be there under this id, now or in a moment. */
export class AcceptanceUnknown extends Data.TaggedError("AcceptanceUnknown")<{ readonly id: string }> {}

interface PendingIntent {
  readonly id: string
  readonly intent: NewIntent
}

type Answer = Result.Result<Acceptance, SqlError | AcceptanceUnknown>

/** How long one offer may take, and for how long a doubtful one is repeated. */
const patience = "5 seconds"
const again = Schedule.spaced("200 millis").pipe(Schedule.upTo({ duration: "5 seconds" }))

const encodeRequest = Schema.encodeSync(Schema.fromJsonString(IntentRequest))

/** One that was earlier under the same key. */
export interface ExistingIntent {
  readonly id: string
  readonly endpoint: string
  readonly network: Network
  readonly pool: Address
  readonly request: IntentRequest
}

/** What a request is told whose key names this intent. */
export const matchExisting = (intent: NewIntent, earlier: ExistingIntent): Acceptance => {
  const same = earlier.endpoint === intent.endpoint && earlier.network === intent.network && earlier.pool === intent.pool &&
    encodeRequest(earlier.request) === encodeRequest(intent.request)
  return { _tag: same ? "accepted" : "conflict", id: earlier.id }
}

/** PostgreSQL's own word that it has refused a statement and undone it; what it says when it ends a session is no such word. */
const isRefusal = ({ reason: { cause } }: SqlError): boolean =>
  typeof cause === "object" && cause !== null && "severity" in cause && "code" in cause && !/^(08|57P)/.test(String(cause.code))

const insertion = (sql: SqlClient.SqlClient) => (named: Arr.NonEmptyReadonlyArray<PendingIntent>) =>
  sql`insert into intents ${
    sql.insert(Arr.map(named, ({ id, intent }) => ({
      id,
      wallet: intent.wallet,
      key_id: intent.keyId,
      endpoint: intent.endpoint,
      network: intent.network,
      pool: intent.pool,
      request: encodeRequest(intent.request),
      idempotency_key: intent.idempotencyKey
    })))
  } on conflict do nothing returning id`

/** Inserts an intent in the caller's transaction: it is committed with it, or not at all. */
export const inTransaction = (
  sql: SqlClient.SqlClient,
  known: (intent: NewIntent) => Effect.Effect<Option.Option<Acceptance>, SqlError>
) =>
(intent: NewIntent): Effect.Effect<Acceptance, SqlError> =>
  Effect.gen(function*() {
    const id = yield* Uuid.v7
    if ((yield* insertion(sql)([{ id, intent }])).length > 0) return { _tag: "accepted", id }
    return yield* Effect.flatMap(known(intent), Option.match({
      onNone: () => Effect.die(new Error("an idempotency key was released while it was looked up")),
      onSome: Effect.succeed
    }))
  })

/** The offer was made; what became of it is not known. */
class CommitUnknown extends Data.TaggedError("Doubtful") {}

export interface IntentAcceptor {
  /** Commits an intent before anything is done for it. Concurrent calls share one statement. A `SqlError` says that it is not committed. */
  readonly accept: (intent: NewIntent) => Effect.Effect<Acceptance, SqlError | AcceptanceUnknown>
  /** The same for a caller that waits no longer than this: an intent that is not committed by then may be committed later. */
  readonly acceptWithin: (intent: NewIntent, patience: Duration.Input) => Effect.Effect<Acceptance, SqlError | AcceptanceUnknown>
}

/**
 * Commits an intent, together with whatever else waits. A `SqlError` says that it is not committed, and never will be.
 * `known` finds what a key names, and judges by it.
 */
export const make = (
  sql: SqlClient.SqlClient,
  known: (intent: NewIntent) => Effect.Effect<Option.Option<Acceptance>, SqlError>
): Effect.Effect<IntentAcceptor, never, Scope> => {
  const statement = insertion(sql)

  /** The ids that are in the table by this offer. A connection that cannot be had has offered nothing: that alone fails as it is. */
  const offer = (named: Arr.NonEmptyReadonlyArray<PendingIntent>): Effect.Effect<ReadonlySet<string>, SqlError | CommitUnknown> =>
    Effect.scoped(Effect.flatMap(sql.reserve, (connection) => {
      const [text, params] = statement(named).compile()
      return connection.execute(text, params, undefined).pipe(
        Effect.map((rows: ReadonlyArray<{ readonly id: string }>) => new Set(rows.map(({ id }) => id))),
        Effect.catch((error) => Effect.fail(isRefusal(error) ? error : new CommitUnknown())),
        Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.fail(new CommitUnknown()) })
      )
    }))

  /** After a doubtful offer nothing but an answer ends the doubt. */
  const untilCertain = (named: Arr.NonEmptyReadonlyArray<PendingIntent>): Effect.Effect<ReadonlySet<string>, SqlError | CommitUnknown> =>
    Effect.catchTag(offer(named), "Doubtful", (doubtful) =>
      Effect.mapError(Effect.retry(Effect.delay(offer(named), "50 millis"), again), () => doubtful))

  /** A row that was not inserted was there: by an offer of ours before, or under its key. */
  const found = ({ id, intent }: PendingIntent): Effect.Effect<Answer> =>
    intent.idempotencyKey === null
      ? Effect.succeed(Result.succeed({ _tag: "accepted", id }))
      : Effect.retry(known(intent), again).pipe(
        Effect.flatMap(Option.match({
          // Its key was released in between: it is free for this one.
          onNone: () => Effect.map(accept([{ id, intent }]), ([answer]) => answer!),
          onSome: (acceptance) => Effect.succeed<Answer>(Result.succeed(acceptance))
        })),
        // What the key names is not known: that nothing was accepted cannot be said.
        Effect.catch(() => Effect.succeed<Answer>(Result.fail(new AcceptanceUnknown({ id }))))
      )

  const accept = (named: Arr.NonEmptyReadonlyArray<PendingIntent>): Effect.Effect<ReadonlyArray<Answer>> =>
    Effect.matchEffect(untilCertain(named), {
      onFailure: (failure) => Effect.succeed(named.map(({ id }): Answer => Result.fail(failure._tag === "Doubtful" ? new AcceptanceUnknown({ id }) : failure))),
      onSuccess: (inserted) =>
        Effect.forEach(named, (each) =>
          inserted.has(each.id) ? Effect.succeed<Answer>(Result.succeed({ _tag: "accepted", id: each.id })) : found(each))
    })

  return Effect.map(
    Batcher.make({ maximum: 500, run: accept }),
    (enqueue) => ({
      accept: (intent) => Effect.flatMap(Uuid.v7, (id) => Effect.flatMap(enqueue({ id, intent }), Effect.fromResult)),
      acceptWithin: (intent, patience) =>
        Effect.flatMap(Uuid.v7, (id) =>
          Effect.timeoutOrElse(Effect.flatMap(enqueue({ id, intent }), Effect.fromResult), { duration: patience, orElse: () => Effect.fail(new AcceptanceUnknown({ id })) }))
    })
  )
}
