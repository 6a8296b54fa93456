/** The state of a lane as its rows show it when it signs, and the nonces that its submissions get. */
import type { Submission } from "./Submission.ts"

/** A submission and its permanent nonce. */
export interface NumberedSubmission {
  readonly submission: Submission
  readonly nonce: bigint
}

/**
 * Maximum number of submissions of a wallet with its key elsewhere that are signed together: all are lost when one
 * fails, and a provider that limits requests must get some of them done.
 */
const maxRemote = 32

/** A lane's row of the state that is read for each signature. */
export interface LaneState {
  readonly next: string | null
  /** Every nonce below is explained; null where no transaction of the wallet had to be. */
  readonly baseline: string | null
  readonly quarantined: boolean
  readonly revision: number
  readonly scope: string | null
  readonly reason: string | null
  /** True if any bot switch is on. */
  readonly bots: boolean
  /** True if the wallet's key is held by a key management service: a signature may take seconds. */
  readonly remote: boolean
}

/** Returns the nonce below which the rows explain every transaction of the lane. */
export const explainedBy = ({ baseline, next }: LaneState): bigint => {
  const [ours, before] = [BigInt(next ?? "0"), BigInt(baseline ?? "0")]
  return ours > before ? ours : before
}

export const assignNonces = (
  { chainNonce, submissions }: {
    readonly chainNonce: bigint
    readonly submissions: ReadonlyArray<Submission>
  },
  { next, remote }: LaneState
): ReadonlyArray<NumberedSubmission> => {
  const ours = BigInt(next ?? "0")
  const first = ours > chainNonce ? ours : chainNonce
  return submissions.slice(0, remote ? maxRemote : submissions.length).map((submission, index) => ({
    submission,
    nonce: first + BigInt(index)
  }))
}

/** Checks that the nonces that were signed under are still those that the submissions get. */
export const areSame = (before: ReadonlyArray<NumberedSubmission>, now: ReadonlyArray<NumberedSubmission>) =>
  before.length === now.length &&
  before.every(({ nonce, submission }, place) =>
    nonce === now[place]?.nonce && submission.key === now[place].submission.key
  )
