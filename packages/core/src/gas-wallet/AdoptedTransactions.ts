/** The transactions that a lane's rows take over from the chain or from the signing record. */
import type { Address, Hex } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import type { Attempt } from "./Submission.ts"

/** Transactions under one nonce of a lane that are on chain or were sent, and the submission that they belong to. */
export interface AdoptedTransactions {
  readonly network: Network
  readonly wallet: Address
  readonly key: string
  readonly nonce: bigint
  /** The call of the submission. */
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  /** The intent's plan; undefined when the stored plan is the one that was executed. */
  readonly plan: unknown
  readonly attempts: ReadonlyArray<Attempt>
  /**
   * End of the submission's lifetime where its row is lost, unix milliseconds; null where it is not known. It is over where
   * the request was planned again since.
   */
  readonly validUntil: number | null
  /** True when the chain's count shows that the nonce is used. */
  readonly isMined: boolean
}
