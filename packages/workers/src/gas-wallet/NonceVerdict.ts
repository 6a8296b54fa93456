/** Judges the transaction that used a flight's nonce: its own call, a foreign one, or one that a person has to judge. */
import type { Hash } from "@vault-trader/core/chain/Address"
import { Attempt, type Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import { callsOf } from "../platform/AssetMovement.ts"
import type { ReconciledLane } from "./ReconciledLane.ts"

/**
 * The verdict on a transaction that used the nonce of a flight and that the rows do not have. `ours`: it belongs to the
 * flight now. `unknown`: it may be this service's own, so the lane is quarantined until an operator releases it.
 */
export type Verdict = "foreign" | "ours" | "unknown"

/** A flight's own call under other fees is added to it. Calls of vaults and payments are not foreign by themselves. */
export const judge = (
  lane: ReconciledLane,
  submission: Submission,
  hash: Hash
): Effect.Effect<Verdict, RpcFailure | SqlError> =>
  Effect.gen(function*() {
    const { chain, network, policy, quarantines, rows, wallet } = lane
    const sent = yield* chain.transaction(hash)
    if (sent === null) return "unknown"
    const { data, key, nonce, to, value } = submission
    if (sent.to === to && sent.data === data && sent.value === value && sent.signed !== undefined) {
      yield* rows.addAttempt(Attempt.make({
        ...{ network, wallet, nonce: sent.nonce, attempt: 0, submissionKey: key, hash, cancels: false },
        ...sent.signed
      }))
      return "ours"
    }
    const looksOwn = callsOf(sent.data) !== undefined || (sent.to !== null && policy.isPayee(network, sent.to))
    if (!looksOwn || (yield* rows.isReleased(network, wallet, hash))) return "foreign"
    yield* quarantines.open({
      ...{ network, wallet, kind: "unknown_transaction" },
      reason: `nonce ${nonce} was used by a transaction that looks like this service's own and that the ledger does ` +
        "not know",
      evidence: {
        count: null,
        transactions: [{ nonce: String(nonce), hash, note: `submission ${key} has this nonce` }]
      }
    })
    return "unknown"
  })
