/**
 * Alerts about a gas wallet: states that a person has to investigate, because the service cannot explain or fix them by
 * itself.
 */
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/**
 * `foreign_transaction`: the wallet's key signed a transaction outside this service. `unexplained_nonce`: a nonce of a
 * signed transaction is used, and no endpoint shows by which transaction, and the wallet signs nothing until it is
 * explained; or a deep reorg removed the foreign transaction that had used it. `refused_by_policy`: a stored
 * submission is not an action of this service and was not signed.
 * `malformed_row`: a stored submission cannot be read and was set aside. `forged_row`: a stored submission was not
 * written by this service, or was changed, and was set aside. `lane_quarantined`: the lane signs nothing
 * until it is explained or released. `balance_drain`: the balance fell by more than the wallet's transactions of this
 * service cost. `wallet_delegated`: the wallet's address has code (EIP-7702). `deep_reorg`: a reorg removed blocks that
 * were final, with transactions of the wallet. `gas_cap_reached`: the wallet has used its gas of the day; its submissions
 * wait. `key_unavailable`: the wallet's key cannot be used, at present or at all, so that nothing is signed.
 * `insufficient_funds`: nodes refuse a signed transaction because the balance does not cover it and what else the
 * account has queued; the lane waits.
 */
export const walletAlertKinds = [
  "foreign_transaction",
  "unexplained_nonce",
  "refused_by_policy",
  "malformed_row",
  "forged_row",
  "lane_quarantined",
  "balance_drain",
  "wallet_delegated",
  "deep_reorg",
  "gas_cap_reached",
  "key_unavailable",
  "insufficient_funds"
] as const
export type WalletAlertKind = typeof walletAlertKinds[number]

export interface WalletAlert {
  readonly kind: WalletAlertKind
  readonly network: Network
  readonly wallet: Address
  /** One sentence for people: the fact and its consequence. No secrets. */
  readonly message: string
  /** More fields of the event: a nonce, a submission's key. No secrets. */
  readonly details?: Readonly<Record<string, string | number | null>>
}
