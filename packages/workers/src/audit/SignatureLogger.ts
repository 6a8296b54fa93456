/**
 * Chains signed transactions to the audit log every few seconds, and reports the log's head, so that it is also kept
 * where the database cannot change it.
 */
import * as AuditChain from "@vault-trader/core/audit/AuditChain"
import { AuditStore } from "@vault-trader/core/audit/AuditStore"
import * as SignatureLog from "@vault-trader/core/audit/SignatureLog"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Singleton from "effect/cluster/Singleton"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"

/** Pause between rounds. */
const roundPause = "5 seconds"

/** Interval of a round over all transactions, also those with an older time than the last round has seen. */
const fullRoundMillis = Duration.toMillis("1 hour")

/** Interval at which the head is logged. */
const headMillis = Duration.toMillis("1 day")

/** Chains everything that is left after a time; returns the time from which the next round looks. */
export const round = (from: string | null) =>
  Effect.gen(function*() {
    let next = from
    for (;;) {
      const batch: { readonly count: number; readonly from: string } = yield* SignatureLog.chainBatch(next)
      next = batch.from
      if (batch.count < SignatureLog.batchSize) return next
    }
  })

/** Sets the metric of the head and, if asked, logs the head. */
const reportHead = (logs: boolean) =>
  Effect.gen(function*() {
    const head = yield* (yield* AuditStore).head
    yield* Metrics.set(Metrics.auditHead, {}, Option.isNone(head) ? 0 : head.value.seq)
    if (logs && Option.isSome(head)) {
      yield* Effect.logInfo("the head of the audit log").pipe(
        Effect.annotateLogs({ audit_head: AuditChain.endText(head.value) })
      )
    }
  })

export const SignatureLoggerLive = Singleton.make(
  "SignatureLogger",
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const store = yield* AuditStore
    let from: string | null = null
    let full = 0
    let logged = 0
    const turn = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const isFull = now - full >= fullRoundMillis
      from = yield* round(isFull ? null : from)
      if (isFull) full = now
      const logs = now - logged >= headMillis
      yield* reportHead(logs)
      if (logs) logged = now
    }).pipe(
      Effect.provideService(SqlClient.SqlClient, sql),
      Effect.provideService(AuditStore, store),
      Effect.catchCause((cause) => Effect.logWarning("a round of the audit log failed and is repeated", cause))
    )
    return yield* turn.pipe(Effect.andThen(Effect.sleep(roundPause)), Effect.forever)
  })
).pipe(Layer.provide(AuditStore.layer))
