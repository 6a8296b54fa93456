/** Alerts about gas wallets in the webhook outbox. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { WalletAlert } from "./WalletAlert.ts"

/** Writes alerts to the webhook outbox as `wallet.alert` events. */
export class WalletAlertStore extends Context.Service<WalletAlertStore, {
  readonly notify: (alert: WalletAlert) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/gas-wallet/WalletAlertStore") {
  static readonly layer = Layer.effect(
    WalletAlertStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      notify: ({ details, kind, message, network, wallet }) =>
        Effect.asVoid(
          sql`select webhook_tell('wallet.alert', ${wallet}, ${
            JSON.stringify({ ...details, kind, network, gasWallet: wallet, message })
          }::jsonb)`
        )
    }))
  )
}
