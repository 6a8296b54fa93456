/** The alert about a transaction that a wallet's key signed outside this service. */
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Effect from "effect/Effect"
import type { WalletAlerts } from "./WalletAlerts.ts"

/**
 * Counts the transaction and raises the alert; `submission` is the key of the one whose nonce it used, if any. Returns
 * true when the alert was written.
 */
export const raise = (
  { alerts, network, wallet }: {
    readonly alerts: WalletAlerts["Service"]
    readonly network: Network
    readonly wallet: Address
  },
  { hash, nonce, submission }: { readonly hash: Hash; readonly nonce: bigint; readonly submission?: string }
): Effect.Effect<boolean> =>
  Effect.andThen(
    Metrics.count(Metrics.foreignNonces, { network }),
    alerts.raise({
      kind: "foreign_transaction",
      network,
      wallet,
      message:
        `Transaction ${hash} used nonce ${nonce} of ${wallet} on ${network}. This service did not sign it: the ` +
        "wallet's key is used elsewhere.",
      details: { nonce: nonce.toString(), ...(submission === undefined ? {} : { submission }), tx_hash: hash }
    })
  )
