/** Checks whether a signed transaction can be paid for now. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { SqlError } from "effect/sql/SqlError"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as DataFee from "../chain/DataFee.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"

/** A signed submission, and where its wallet's balance and attempts are read. */
interface SignedSubmission {
  readonly chain: ChainClient
  readonly store: SubmissionStore["Service"]
  readonly network: Network
  readonly wallet: Address
  readonly key: string
}

/** How often a wallet whose transaction is pending is checked for whether it can still pay. */
export const payableChecks = "3 seconds"

/**
 * Returns true when the wallet's balance is below the cost of the signed submission, or of one whose nonce comes before
 * it: neither can be mined until the wallet is refilled. False for a submission that is not signed, or whose nonce is
 * used.
 */
export const isUnpayable = (
  { chain, key, network, store, wallet }: SignedSubmission
): Effect.Effect<boolean, RpcFailure | SqlError> =>
  Effect.gen(function*() {
    const [attempts, rows] = yield* Effect.all([store.inFlight(network, wallet), store.listUnsettled(network, wallet)])
    const own = attempts.find(({ submissionKey }) => submissionKey === key)
    if (own === undefined) return false
    const [balance, next, dataPrice] = yield* Effect.all(
      [chain.balance(wallet), chain.nonce(wallet, "latest"), chain.dataPrice],
      { concurrency: "unbounded" }
    )
    const values = new Map(rows.map(({ key, value }) => [key, value]))
    // Any attempt may be the one that is mined, so a nonce costs what its cheapest attempt costs.
    const costs = new Map<bigint, bigint>()
    for (const { gasLimit, maxFeePerGas, nonce, raw, submissionKey } of attempts) {
      if (nonce < next || nonce > own.nonce) continue
      const cost = gasLimit * maxFeePerGas + DataFee.ofSigned(dataPrice, raw) + (values.get(submissionKey) ?? 0n)
      const known = costs.get(nonce)
      if (known === undefined || cost < known) costs.set(nonce, cost)
    }
    return Array.from(costs.values()).some((cost) => cost > balance)
  })

/** Waits until a signed submission is unpayable. A failed check is ignored; the next one decides. */
export const untilUnpayable = (signed: SignedSubmission): Effect.Effect<void> =>
  isUnpayable(signed).pipe(
    Effect.orElseSucceed(() => false),
    Effect.repeat({ until: (unpayable) => unpayable, schedule: Schedule.spaced(payableChecks) }),
    Effect.andThen(
      Effect.logWarning("a wallet cannot pay for its signed transaction; it stays pending until the wallet is refilled")
    ),
    Effect.annotateLogs({ network: signed.network, wallet: signed.wallet, submission: signed.key })
  )
