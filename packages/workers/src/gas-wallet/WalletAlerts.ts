/**
 * Raises alerts about gas wallets: a log line, a metric and a `wallet.alert` webhook event in one call. Alerts of
 * configured kinds also stop the wallet.
 */
import type { WalletAlert, WalletAlertKind } from "@vault-trader/core/gas-wallet/WalletAlert"
import { WalletAlertStore } from "@vault-trader/core/gas-wallet/WalletAlertStore"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Minimum time between two raises of the same alert (kind, wallet, details) by one process. */
const repeatMillis = 3_600_000

/** Maximum number of alerts remembered for `repeatMillis`; the oldest are dropped first. */
const maxRemembered = 10_000

/** The kinds of alerts that set the wallet's kill switch. */
export const PausingAlerts = Context.Reference<ReadonlySet<WalletAlertKind>>(
  "vault-trader/workers/gas-wallet/PausingAlerts",
  { defaultValue: () => new Set() }
)

export class WalletAlerts extends Context.Service<WalletAlerts, {
  /**
   * Raises an alert. Never fails: when the database does not take the event, the failure is logged, false is returned
   * and the next call raises the alert again. A caller that sees the cause only once must check the result. The kill
   * switch of a pausing alert is set in the transaction that writes the event.
   */
  readonly raise: (alert: WalletAlert) => Effect.Effect<boolean>
}>()("vault-trader/workers/gas-wallet/WalletAlerts") {
  static readonly layer: Layer.Layer<WalletAlerts, never, WalletAlertStore> = Layer.effect(
    WalletAlerts,
    Effect.map(Effect.all([WalletAlertStore, PausingAlerts]), ([store, pausing]) => {
      const raised = new Map<string, number>()
      return {
        raise: (alert) =>
          Effect.gen(function*() {
            const { details = {}, kind, message, network, wallet } = alert
            const name = JSON.stringify([kind, network, wallet, details])
            const now = yield* Clock.currentTimeMillis
            if (now - (raised.get(name) ?? Number.NEGATIVE_INFINITY) < repeatMillis) return true
            raised.delete(name)
            raised.set(name, now)
            const [oldest] = raised.keys()
            if (raised.size > maxRemembered && oldest !== undefined) raised.delete(oldest)
            yield* Effect.logWarning(message).pipe(Effect.annotateLogs({ alert: kind, network, wallet, ...details }))
            yield* Metrics.count(Metrics.walletAlerts, { network, kind })
            // Also an interrupted write is repeated by the next call.
            yield* Effect.onError(
              store.notify(alert, pausing.has(kind)),
              () => Effect.sync(() => raised.delete(name))
            )
            return true
          }).pipe(
            Effect.catchCause((cause) =>
              Effect.as(Effect.logWarning("an alert could not be written to the webhook outbox", cause), false)
            )
          )
      }
    })
  )
}
