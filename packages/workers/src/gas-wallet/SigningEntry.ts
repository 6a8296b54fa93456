/** The entries of the signing record. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"

/** One transaction of a wallet as it is recorded before it is broadcast. */
export interface SigningEntry {
  readonly chainId: number
  readonly wallet: Address
  readonly nonce: bigint
  readonly hash: Hash
  /** The submission's key: `intent/step`, `settlement/id`, `id/topup`, `filler/network/wallet/nonce`. */
  readonly key: string
  /** `cancel`: an empty transaction of the wallet to itself under the nonce of `key`. */
  readonly kind: "call" | "cancel"
  readonly to: Address
  readonly data: Hex
  /** Native smallest units. */
  readonly value: bigint
  /** The intent's plan as stored, JSON; null where there is none. */
  readonly plan: unknown
  /** The signed bytes. */
  readonly raw: Hex
  /** End of the submission's lifetime, unix milliseconds; null without one, and where the record does not have it. */
  readonly validUntil: number | null
}

/** An entry that is in the record. */
export interface RecordedEntry extends SigningEntry {
  /** Unix milliseconds. */
  readonly recordedAt: number
}
