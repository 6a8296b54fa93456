/** Signs a lane's prepared submissions under its next nonces, if neither its rows nor the signing record forbid it. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { NumberedSubmission } from "@vault-trader/core/gas-wallet/LaneNonces"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Fees } from "../chain/ChainClient.ts"
import type { Ready } from "./GasEstimate.ts"
import type { Inspection } from "./KeyLimitCheck.ts"
import type { Lane } from "./SendingLane.ts"
import type { Review } from "./SigningPolicy.ts"
import type { SigningRecord } from "./SigningRecord.ts"
import type { SignerAway } from "./SigningStop.ts"

/** The terms under which a batch is signed: fees, the chain's count, and the results of the limits and the policy. */
export interface SigningTerms {
  readonly fees: Fees
  readonly chainNonce: bigint
  readonly inspected: Inspection
  readonly reviewed: Review
}

/** The rows' next nonce is above the chain's count plus the number of transactions in flight. */
export class Unreachable extends Data.TaggedError("Unreachable") {}

/** The signing record holds the lane's next nonce already: the rows have forgotten what was signed under it. */
export class RowsBehindRecord extends Data.TaggedError("RowsBehindRecord") {}

/** The signing record shows that this submission was signed before, as another transaction. */
export class SignedBefore extends Data.TaggedError("SignedBefore")<{ readonly key: string }> {}

type Unrecorded = RowsBehindRecord | SignedBefore

/** Fails when the signing record forbids these signatures. */
const checkRecord = (
  record: SigningRecord["Service"],
  chainId: number,
  wallet: Address,
  numbered: ReadonlyArray<NumberedSubmission>
): Effect.Effect<void, Unrecorded | SignerAway> =>
  Effect.gen(function*() {
    const next = Option.getOrElse(yield* record.nextNonce(chainId, wallet), () => 0n)
    if (numbered.some(({ nonce }) => nonce < next)) return yield* new RowsBehindRecord()
    const [before] = yield* record.findKeys(numbered.map(({ submission: { key } }) => key))
    if (before !== undefined) return yield* new SignedBefore({ key: before.key })
  })

/**
 * Signs under the lane's next nonces. `checked`: the signatures of the rows that these follow have just been verified.
 */
export const signAttempts = (
  { chain, network, reconciler, record, signer, store, tracker, wallet }: Lane,
  ready: ReadonlyArray<Ready>,
  { chainNonce, fees, inspected: { revision }, reviewed: { permits } }: SigningTerms,
  checked: boolean
) =>
  Effect.gen(function*() {
    const gasLimits = new Map(ready.map(({ submission, gasLimit }) => [submission.key, gasLimit]))
    const submissions = ready.map(({ submission }) => submission)
    const reachable = chainNonce + BigInt(yield* tracker.inFlight)
    return yield* store.sign({
      network,
      wallet,
      chainNonce,
      explained: reconciler.explainedTo(),
      revision,
      submissions,
      sign: Effect.fnUntraced(function*(numbered: ReadonlyArray<NumberedSubmission>) {
        yield* checkRecord(record, chain.book.chainId, wallet, numbered)
        return !checked && numbered.some(({ nonce }, index) => nonce - BigInt(index) > reachable)
          ? yield* new Unreachable()
          : yield* signer.sign(
            wallet,
            numbered.map(({ nonce, submission }) => ({
              permit: permits.get(submission.key),
              chainId: chain.book.chainId,
              from: wallet,
              to: submission.to,
              data: submission.data,
              value: submission.value,
              nonce,
              gasLimit: gasLimits.get(submission.key) ?? 0n,
              ...fees
            }))
          )
      })
    }).pipe(IntentTrace.spans("submission.sign", submissions.map(({ key }) => key)))
  })
