/** Removes what has served its purpose, once an hour, in pages with a pause between them; and gives the cluster's table its index. */
import * as ClusterTables from "@vault-trader/core/storage/ClusterTables"
import { type Cursor, RetentionStore } from "@vault-trader/core/storage/RetentionStore"
import * as Singleton from "effect/cluster/Singleton"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** How long what is over is kept, in days. */
export interface Policy {
  /** Submissions, their attempts and plans. */
  readonly ledgerDays: number
  /** Answered messages between actors. */
  readonly messageDays: number
}

export const standard: Policy = { ledgerDays: 30, messageDays: 7 }

/** Leaves the database to those who trade. */
const pause: Duration.Input = "50 millis"

/** What a walk through all pages removed. Where it is broken off, the next walk goes on: it finds what is still there. */
const walk = <C, R>(page: (from: C | null) => Effect.Effect<{ readonly removed: number; readonly next: C | null }, SqlError, R>) =>
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

/** One round; answers how much was removed. Any number of runners may do it at once. */
export const round = (policy: Policy) =>
  Effect.gen(function*() {
    const store = yield* RetentionStore
    return {
      submissions: yield* walk((from: Cursor | null) => store.workingPapers(policy.ledgerDays, from)),
      idempotencyKeys: (yield* walk(store.idempotencyKeys)) + (yield* store.otherKeys),
      sessions: yield* store.sessions,
      managerNonces: yield* store.managerNonces,
      webhookEvents: yield* store.webhookEvents,
      messages: yield* walk((from: string | null) => ClusterTables.purge(policy.messageDays, from))
    }
  })

const logged = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) => Effect.logWarning(`${what} failed and is tried again later`, cause))

export const RetentionLive = (policy: Policy) =>
  Singleton.make(
    "Retention",
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      // A runner that holds a shard has been through the cluster's own migrations: its tables are there.
      yield* logged("the index of unread messages", ClusterTables.indexUnread)
      const rounds = round(policy).pipe(
        Effect.tap((removed) => Effect.logInfo("retention removed what is over").pipe(Effect.annotateLogs(removed))),
        Effect.provideService(SqlClient.SqlClient, sql)
      )
      // Not while a start takes up what was left.
      return yield* logged("a round of retention", rounds).pipe(Effect.delay("1 minute"), Effect.andThen(Effect.sleep("1 hour")), Effect.forever)
    })
  )
