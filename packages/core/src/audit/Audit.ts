/**
 * Appends entries to the audit log, in the SQL transaction of the change that they record: either both are committed or
 * neither. Entries form a chain: each contains the digest of the one before it.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { AuditAction } from "./AuditAction.ts"
import { type Actor as ActorOfEntry, type AuditEntry, digestOf, genesis } from "./AuditEntry.ts"

/** The actor of the changes that a fiber makes: the service itself, until a request or a command sets another. */
export const Actor = Context.Reference<ActorOfEntry>("vault-trader/core/audit/Actor", {
  defaultValue: () => ({ kind: "service", id: null, from: null, credential: null })
})

/** Makes the changes of an effect those of this actor; leaves them the service's own when none is given. */
export const by =
  (actor: ActorOfEntry | undefined) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    actor === undefined ? effect : Effect.provideService(effect, Actor, actor)

/** A change to record. */
export interface Change {
  readonly action: AuditAction
  /** The object of the change: a wallet's address, the id of a key, token, webhook, bot or account, a switch's scope. */
  readonly subject: string
  /** The wallet whose owner may read the entry; null for what belongs to no wallet. */
  readonly wallet: Address | null
  /** The change itself, such as limits before and after. Never a secret: no key, token, credential or URL with a path. */
  readonly details?: Readonly<Record<string, Schema.Json | undefined>>
}

/** Maximum number of characters of a text in an entry; the rest of a longer one is cut off. */
const maxText = 2048

/** Returns a text that jsonb stores as it is: without NUL and without half a character. */
const clean = (text: string) => text.slice(0, maxText).replaceAll(/\p{Surrogate}|\0/gu, "\uFFFD")

/** Cleans every text of a JSON value, and leaves out members that are undefined. */
const cleanAll = (value: Schema.Json): Schema.Json =>
  typeof value === "string"
    ? clean(value)
    : Array.isArray(value)
    ? value.map(cleanAll)
    : typeof value === "object" && value !== null
    ? members(value as Readonly<Record<string, Schema.Json | undefined>>)
    : value

const members = (value: Readonly<Record<string, Schema.Json | undefined>>): Record<string, Schema.Json> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => member === undefined ? [] : [[clean(name), cleanAll(member)]])
  )

const textOrNull = (text: string | null) => text === null ? null : clean(text)

/** Entries that `transaction` appends before its commit. */
interface Pending {
  readonly changes: Array<{ readonly change: Change; readonly actor: ActorOfEntry }>
}

const Pending = Context.Reference<Pending | undefined>("vault-trader/core/audit/Pending", {
  defaultValue: () => undefined
})

/**
 * Runs a transaction and appends the entries of its changes as its last statements, wherever in it they were recorded.
 * Part of an outer `transaction`, if there is one.
 */
export const transaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.flatMap(Pending, (outer) => {
    if (outer !== undefined) {
      const before = outer.changes.length
      // Changes that are rolled back are not recorded either.
      return Effect.onError(sql.withTransaction(body), () =>
        Effect.sync(() => {
          outer.changes.length = before
        }))
    }
    const pending: Pending = { changes: [] }
    return sql.withTransaction(
      Effect.tap(Effect.provideService(body, Pending, pending), () => insert(sql, pending.changes))
    )
  })

/** Runs statements in the current `transaction`, or in one of their own. */
export const joined = <A, E, R>(
  sql: SqlClient.SqlClient,
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.flatMap(Pending, (pending) => pending === undefined ? transaction(sql, body) : body)

/**
 * Runs one statement and records the changes that it made: both in the current `transaction`, or in one of their own.
 */
export const recorded = <A, E, R>(
  sql: SqlClient.SqlClient,
  statement: Effect.Effect<A, E, R>,
  changesOf: (result: A) => ReadonlyArray<Change>
): Effect.Effect<A, E | SqlError, R> =>
  joined(sql, Effect.tap(statement, (result) => appendAll(sql, changesOf(result))))

/**
 * Records changes in the caller's transaction: at its end within `transaction`; otherwise now, and these must be the
 * last statements of the caller's transaction, because a row lock that is taken after the chain's lock can deadlock.
 * Dies outside a transaction.
 */
export const appendAll = (
  sql: SqlClient.SqlClient,
  changes: ReadonlyArray<Change>
): Effect.Effect<void, SqlError> =>
  Effect.gen(function*() {
    const actor = yield* Actor
    const pending = yield* Pending
    const all = changes.map((change) => ({ change, actor }))
    if (pending === undefined) return yield* insert(sql, all)
    pending.changes.push(...all)
  })

/** Records one change: see `appendAll`. */
export const append = (sql: SqlClient.SqlClient, change: Change): Effect.Effect<void, SqlError> =>
  appendAll(sql, [change])

/** How long a transaction that holds the chain's lock may wait for its next statement. */
const idleTimeout = "10s"

/** Inserts entries under the chain's lock, which is held until the commit. */
const insert = (sql: SqlClient.SqlClient, changes: Pending["changes"]): Effect.Effect<void, SqlError> =>
  Effect.gen(function*() {
    if (changes.length === 0) return
    if (Option.isNone(yield* Effect.serviceOption(sql.transactionService))) {
      return yield* Effect.die(new Error("an entry of the audit log outside the transaction of its change"))
    }
    // A statement of its own: the next one must see the entry of the transaction that held the lock. A process that
    // freezes before its commit loses its transaction, so that it does not stop the changes of all others.
    yield* sql`select set_config('idle_in_transaction_session_timeout', ${idleTimeout}, true),
      pg_advisory_xact_lock(hashtextextended('audit_entries', 0))`
    const [head] = yield* sql<
      { readonly seq: string; readonly digest: string | null; readonly at: string }
    >`select coalesce(max(h.seq), 0) as seq, max(h.digest) as digest,
      to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
      from (select seq, digest from audit_entries order by seq desc limit 1) h`
    let previous = head?.digest ?? genesis
    let seq = Number(head?.seq ?? 0)
    const rows = []
    for (const { actor, change } of changes) {
      seq += 1
      const content = contentOf(change, actor, { seq, previous, at: head?.at ?? "" })
      previous = yield* digestOf(content)
      rows.push({ ...content, digest: previous })
    }
    yield* sql`insert into audit_entries (seq, at, actor_kind, actor, origin, credential, action, subject, wallet,
        details, previous, digest)
      select seq, at, actor ->> 'kind', actor ->> 'id', actor ->> 'from', actor ->> 'credential', action, subject, wallet,
        details, previous, digest
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(seq bigint, at timestamptz, actor jsonb, action text,
        subject text, wallet text, details jsonb, previous text, digest text) order by seq`
  })

const contentOf = (
  { action, details = {}, subject, wallet }: Change,
  { credential, from, id, kind }: ActorOfEntry,
  place: Pick<AuditEntry, "seq" | "at" | "previous">
): Omit<AuditEntry, "digest"> => ({
  ...place,
  actor: { kind, id: textOrNull(id), from: textOrNull(from), credential: textOrNull(credential) },
  action,
  subject: clean(subject),
  wallet,
  details: members(details)
})
