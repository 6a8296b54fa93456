/**
 * The queue that executes an intent. Every intent belongs to exactly one queue, and each queue is owned by one actor.
 */
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** A vault's queue, or a gas wallet's queue for actions that any wallet may request. */
export interface IntentQueue {
  readonly of: "vault" | "wallet"
  readonly network: Network
  /** The vault, or the gas wallet. */
  readonly address: Address
}

/** An intent's fields that decide which queue it belongs to. */
export interface QueuedIntent {
  readonly endpoint: string
  readonly network: Network
  readonly pool: Address
  readonly wallet: Address
}

/**
 * Endpoints whose caller needs no role at the vault. Their intents run in the wallet's own queue and count against the
 * wallet only, so that an unrelated wallet cannot block a vault.
 */
export const permissionlessEndpoints: ReadonlyArray<string> = [
  "mintManagerFee",
  "mintManagerFeeBatch",
  "mintAllFeesByManager"
]

export const isPermissionless = ({ endpoint }: Pick<QueuedIntent, "endpoint">): boolean =>
  permissionlessEndpoints.includes(endpoint)

/** Returns the queue an intent belongs to. */
export const queueOf = (intent: QueuedIntent): IntentQueue =>
  isPermissionless(intent)
    ? { of: "wallet", network: intent.network, address: intent.wallet }
    : { of: "vault", network: intent.network, address: intent.pool }

export const isSame = (one: IntentQueue, other: IntentQueue): boolean =>
  one.of === other.of && one.network === other.network && one.address === other.address
