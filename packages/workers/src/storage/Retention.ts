/**
 * Removes expired rows once an hour, in pages with a pause between them, and creates the index of the cluster's table.
 */
import * as ClusterTables from "@vault-trader/core/storage/ClusterTables"
import { type Cursor, RetentionStore } from "@vault-trader/core/storage/RetentionStore"
import * as Singleton from "effect/cluster/Singleton"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** How long rows are kept after their end, in days. */
export interface Policy {
  /** Submissions, their attempts and plans; signals. */
  readonly ledgerDays: number
  /** Answered messages between actors. */
  readonly messageDays: number
  /** All samples of vaults' values; of older days one each is kept forever. */
  readonly sampleDays: number
}

export const defaultPolicy: Policy = { ledgerDays: 30, messageDays: 7, sampleDays: 30 }

/** The retention of this process. */
export const RetentionPolicy = Context.Reference<Policy>("vault-trader/workers/storage/RetentionPolicy", {
  defaultValue: () => defaultPolicy
})

/** Pause between pages, so that trading has the database. */
const pause: Duration.Input = "50 millis"

/**
 * Removes all pages and returns the number of rows removed. After an interruption the next walk removes what is left.
 */
const walk = <C, R>(
  page: (from: C | null) => Effect.Effect<{ readonly removed: number; readonly next: C | null }, SqlError, R>
) =>
  Effect.gen(function*() {
    let from: C | null = null
    let removed = 0
    for (;;) {
      const here: { readonly removed: number; readonly next: C | null } = yield* page(from)
      removed += here.removed
      if (here.next === null) return removed
      from = here.next
      yield* Effect.sleep(pause)
    }
  })

/** Runs one round and returns how much was removed. Any number of runners may run it at once. */
export const round = (policy: Policy) =>
  Effect.gen(function*() {
    const store = yield* RetentionStore
    return {
      submissions: yield* walk((from: Cursor | null) => store.workingPapers(policy.ledgerDays, from)),
      idempotencyKeys: (yield* walk(store.idempotencyKeys)) + (yield* store.otherKeys),
      signals: yield* walk((from: string | null) => store.signals(policy.ledgerDays, from)),
      samples: yield* walk(() =>
        Effect.map(store.samples(policy.sampleDays), ({ more, removed }) => ({ removed, next: more ? true : null }))
      ),
      sessions: yield* store.sessions,
      managerNonces: yield* store.managerNonces,
      webhookEvents: yield* store.webhookEvents,
      rateLimits: yield* store.rateLimits,
      messages: yield* walk((from: string | null) => ClusterTables.purge(policy.messageDays, from))
    }
  })

const logFailure = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) => Effect.logWarning(`${what} failed and is retried later`, cause))

export const RetentionLive = (policy: Policy) =>
  Singleton.make(
    "Retention",
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // A runner that holds a shard has run the cluster's own migrations, so its tables exist.
      yield* logFailure("the index of unread messages", ClusterTables.indexUnread)
      const rounds = round(policy).pipe(
        Effect.tap((removed) => Effect.logInfo("retention removed expired rows").pipe(Effect.annotateLogs(removed))),
        Effect.provideService(SqlClient.SqlClient, sql)
      )
      // Delayed, so that it does not run while a starting service resumes its work.
      return yield* logFailure("a round of retention", rounds).pipe(
        Effect.delay("1 minute"),
        Effect.andThen(Effect.sleep("1 hour")),
        Effect.forever
      )
    })
  )

/** The retention with the configured policy, and the store that only it uses. */
export const layer = Layer.unwrap(Effect.map(RetentionPolicy, RetentionLive)).pipe(
  Layer.provide(RetentionStore.layer)
)
