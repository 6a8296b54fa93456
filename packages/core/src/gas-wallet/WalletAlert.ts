/**
 * Alerts about a gas wallet: states that a person has to investigate, because the service cannot explain or fix them by
 * itself.
 */
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/**
 * `foreign_transaction`: the wallet's key signed a transaction outside this service. `unexplained_nonce`: a nonce of a
 * signed transaction is used, and no endpoint shows by which transaction; the wallet signs nothing until it is
 * explained. `refused_by_policy`: a stored submission is not an action of this service and was not signed.
 * `malformed_row`: a stored submission cannot be read and was set aside.
 */
export const walletAlertKinds = [
  "foreign_transaction",
  "unexplained_nonce",
  "refused_by_policy",
  "malformed_row"
] as const
type WalletAlertKind = typeof walletAlertKinds[number]

export interface WalletAlert {
  readonly kind: WalletAlertKind
  readonly network: Network
  readonly wallet: Address
  /** One sentence for people: the fact and its consequence. No secrets. */
  readonly message: string
  /** More fields of the event: a nonce, a submission's key. No secrets. */
  readonly details?: Readonly<Record<string, string | number | null>>
}
