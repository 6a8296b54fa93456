/** Alerts about gas wallets in the webhook outbox. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { walletScope } from "./SwitchScope.ts"
import type { WalletAlert } from "./WalletAlert.ts"

/** Writes alerts to the webhook outbox as `wallet.alert` events. */
export class WalletAlertStore extends Context.Service<WalletAlertStore, {
  /** Writes an alert. With `pauses`, an operator's kill switch of the wallet is set in the same transaction. */
  readonly notify: (alert: WalletAlert, pauses: boolean) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/gas-wallet/WalletAlertStore") {
  static readonly layer = Layer.effect(
    WalletAlertStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const pause = ({ kind, message, wallet }: WalletAlert) =>
        sql`insert into kill_switches ${
          sql.insert({ scope: walletScope(wallet), reason: `alert ${kind}: ${message}`, set_by: "operator" })
        } on conflict (scope) do update set reason = excluded.reason, set_by = excluded.set_by
            where kill_switches.set_by = 'owner'`
      const tell = ({ details, kind, message, network, wallet }: WalletAlert, isPaused: boolean) =>
        sql`select webhook_tell('wallet.alert', ${wallet}, ${
          JSON.stringify({
            ...details,
            kind,
            network,
            gasWallet: wallet,
            message: isPaused ? `${message} Signing is stopped for the wallet on all networks.` : message
          })
        }::jsonb)`
      return {
        notify: (alert, pauses) =>
          pauses
            ? sql.withTransaction(Effect.asVoid(Effect.andThen(pause(alert), tell(alert, true))))
            : Effect.asVoid(tell(alert, false))
      }
    })
  )
}
