/** Sends queued submissions: simulates, prices, checks that the wallet can pay, signs under nonces, broadcasts. */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { stoppedText } from "@vault-trader/core/gas-wallet/KillSwitch"
import { settlementOf, type Submission } from "@vault-trader/core/gas-wallet/Submission"
import { LaneConflict, type Signed } from "@vault-trader/core/gas-wallet/SigningBatch"
import type { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import type { ChainClient, Fees } from "../chain/ChainClient.ts"
import { reasonOf } from "../chain/Revert.ts"
import type { RpcRefused, RpcUnavailable } from "../chain/RpcFailure.ts"
import { explain } from "../platform/PlatformRevert.ts"
import { capped } from "./InFlight.ts"
import type { TransactionTracker } from "./TransactionTracker.ts"
import type { Inspection, KeyLimitCheck } from "./KeyLimitCheck.ts"
import { retryForever } from "../actor/Retry.ts"
import * as Runway from "./Runway.ts"
import type { CannotSign, Signer } from "./Signer.ts"
import type { Review, SigningPolicy } from "./SigningPolicy.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"

interface Ready {
  readonly submission: Submission
  readonly gasLimit: bigint
}

/** The wallet's balance and unpaid charges, and the tracker's `spent` when they were read. */
interface WalletFunds {
  readonly balance: bigint
  /** Amount kept for charges that no signed transaction pays yet. */
  readonly owed: bigint
  readonly spentBefore: bigint
  /** Unix milliseconds. */
  readonly readAt: number
}

/** How long a balance that was read is used for further submissions, less what was spent since. */
const fundsMaxAgeMillis = 10_000
/**
 * The same while transactions are in flight. Short, because they may be pending only because the wallet was emptied
 * outside the service; then nothing more may be signed.
 */
const fundsMaxAgeInFlightMillis = 1_000

interface Prepared {
  readonly submission: Submission
  readonly result: Result.Result<Ready, ExecutionFailure | Later>
}

/** How long the planner's simulation of the same call replaces one by the lane. */
const estimateMillis = 3_000

/** Adds 20%: guards read oracles, and their gas cost changes between blocks. */
const withMargin = (gas: bigint) => gas * 12n / 10n

/** The rows' next nonce is above the chain's count plus the number of transactions in flight. */
class Unreachable extends Data.TaggedError("Unreachable") {}

/** The node gave no information about the call: it is tried again later. */
const later = "later" as const
type Later = typeof later

/**
 * Returns the function that sends a lane's queued submissions, as far as each of them gets. Refusals are final and
 * recorded.
 */
export const make = (lane: {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
  readonly store: SubmissionStore["Service"]
  readonly signer: Signer["Service"]
  readonly limits: KeyLimitCheck["Service"]
  readonly policy: SigningPolicy["Service"]
  readonly alerts: WalletAlerts["Service"]
  readonly tracker: TransactionTracker
  readonly refused: (key: string, failure: ExecutionFailure) => Effect.Effect<void>
}) => {
  const { alerts, chain, tracker, limits, network, policy, signer, store, wallet } = lane

  /**
   * Records a refusal. Another owner may have signed the submission meanwhile, so its row decides whether it is
   * refused; if it is not, fails with `LaneConflict` and the batch starts over.
   */
  const refuse = (submission: Submission, failure: ExecutionFailure) =>
    Effect.gen(function*() {
      yield* retryForever(store.refuse(submission.key, failure))
      const row = yield* retryForever(store.find(submission.key))
      if (Option.isSome(row) && row.value.status !== "refused") return yield* new LaneConflict({ wallet })
      yield* lane.refused(submission.key, failure)
    })

  const refuseAll = (ready: ReadonlyArray<Ready>, failure: ExecutionFailure) =>
    Effect.forEach(ready, ({ submission }) => refuse(submission, failure), { discard: true })

  const refusedByPolicy = ([key, { message }]: readonly [string, ExecutionFailure]) =>
    alerts.raise({ kind: "refused_by_policy", network, wallet, message, details: { submission: key } })

  /**
   * Simulates calls and estimates their gas, except those that the planner has just simulated. A revert refuses the
   * submission with its reason; so does a node that says the wallet cannot pay. Any other failed estimate says nothing
   * about the call: it is tried again later.
   */
  const prepare = (queued: ReadonlyArray<Submission>): Effect.Effect<ReadonlyArray<Prepared>, RpcUnavailable> =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const known = (submission: Submission) =>
        submission.estimate !== null && now - submission.estimate.at < estimateMillis
      const unknown = queued.filter((submission) => !known(submission))
      const estimates = new Map(Arr.zip(unknown, yield* estimateGas(unknown)))
      const prepared: Array<Prepared> = []
      const refused: Array<Effect.Effect<Prepared, RpcUnavailable>> = []
      for (const submission of queued) {
        const estimate = estimates.get(submission) ?? Result.succeed(submission.estimate?.gas ?? 0n)
        if (Result.isSuccess(estimate)) {
          prepared.push({
            submission,
            result: Result.succeed({ submission, gasLimit: limitOf(submission, estimate.success) })
          })
        } else {refused.push(
            Effect.map(
              refusalReason(submission, estimate.failure),
              (reason): Prepared => ({ submission, result: Result.fail(reason) })
            )
          )}
      }
      return [...prepared, ...(yield* Effect.all(refused, { concurrency: "unbounded" }))]
    })

  /**
   * Returns the gas limit. A call that skips failing inner calls is estimated too low, so the planner's estimate is the
   * minimum.
   */
  const limitOf = ({ estimate }: Submission, gas: bigint) =>
    withMargin(estimate !== null && estimate.gas > gas ? estimate.gas : gas)

  const callOf = ({ data, to, value }: Submission) => ({ from: wallet, to, data, value })

  const estimateGas = (submissions: ReadonlyArray<Submission>) =>
    submissions.length === 0 ? Effect.succeed([]) : chain.estimateAll(submissions.map(callOf)).pipe(
      IntentTrace.spans("submission.simulate", submissions.map(({ key }) => key))
    )

  const refusalReason = (
    submission: Submission,
    estimate: RpcRefused
  ): Effect.Effect<ExecutionFailure | Later, RpcUnavailable> =>
    chain.call(callOf(submission)).pipe(
      Effect.as(estimate),
      Effect.catchTag("RpcRefused", Effect.succeed),
      Effect.map((refusal) => {
        const data = refusal.data ?? estimate.data
        const words = `${estimate.reason} ${refusal.reason}`
        if (data !== undefined || /revert/i.test(words)) return explain(reasonOf(data), "nothing was sent")
        return /insufficient funds|exceeds allowance|exceeds balance/i.test(words)
          ? insufficientFundsByNode(network, wallet)
          : later
      })
    )

  /**
   * Returns the amount that the wallet certainly holds beyond its flights: the last balance read, less the maximum
   * spent since.
   */
  let lastFunds: WalletFunds | undefined
  const readFunds = (fresh: boolean) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const maxAge = (yield* tracker.inFlight) > 0 ? fundsMaxAgeInFlightMillis : fundsMaxAgeMillis
      if (fresh || lastFunds === undefined || now - lastFunds.readAt > maxAge) {
        const spentBefore = yield* tracker.spent
        const [balance, owed] = yield* Effect.all([chain.balance(wallet), limits.owed(network, wallet)], {
          concurrency: "unbounded"
        })
        lastFunds = { spentBefore, balance, owed, readAt: now }
      }
      const { balance, owed, spentBefore } = lastFunds
      return { balance, owed, held: balance - ((yield* tracker.spent) - spentBefore) - (yield* tracker.reserved) }
    })

  const isPayment = ({ submission }: Ready) => settlementOf(submission.key) !== undefined

  const costOf = ({ gasLimit, submission: { reserve, value } }: Ready, fees: Fees) =>
    gasLimit * fees.maxFeePerGas + value + reserve

  /**
   * Returns, in order, the submissions the wallet can pay for; refuses the rest. Only settlements may use the amount
   * kept for charges.
   */
  const keepAffordable = (ready: ReadonlyArray<Ready>, fees: Fees) =>
    Effect.gen(function*() {
      const payments = ready.some(isPayment)
      const known = yield* readFunds(payments)
      const enough = ready.reduce((sum, item) => sum + costOf(item, fees), 0n) <= known.held - known.owed
      // Re-read the balance before refusing.
      const { balance, ...funds } = enough || payments ? known : yield* readFunds(true)
      let { held, owed } = funds
      const payable: Array<Ready> = []
      const runway: Array<Runway.Payment> = []
      for (const item of ready) {
        const cost = costOf(item, fees)
        if (cost <= (isPayment(item) ? held : held - owed)) {
          held -= cost
          if (isPayment(item)) owed -= item.submission.value
          payable.push(item)
          runway.push({ left: held - owed, cost })
        } else yield* refuse(item.submission, insufficientFunds({ network, wallet, balance, cost, owed }))
      }
      yield* Runway.tell({ network, wallet }, runway)
      return payable
    })

  /**
   * Signs under the lane's next nonces. `checked`: the signatures of the rows that these follow have just been
   * verified.
   */
  const signAttempts = (
    ready: ReadonlyArray<Ready>,
    fees: Fees,
    chainNonce: bigint,
    { revision }: Inspection,
    { permits }: Review,
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
        revision,
        submissions,
        sign: (numbered): Effect.Effect<ReadonlyArray<Signed>, CannotSign | SqlError | Unreachable> =>
          !checked && numbered.some(({ nonce }, index) => nonce - BigInt(index) > reachable)
            ? new Unreachable()
            : signer.sign(
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
      }).pipe(IntentTrace.spans("submission.sign", submissions.map(({ key }) => key)))
    })

  const signAndSend = (
    ready: ReadonlyArray<Ready>,
    fees: Fees,
    chainNonce: bigint,
    inspected: Inspection,
    reviewed: Review
  ) =>
    Effect.gen(function*() {
      const attempts = yield* Effect.catchTag(
        signAttempts(ready, fees, chainNonce, inspected, reviewed, false),
        "Unreachable",
        () =>
          // Recovering sets aside rows that hold a nonce without a signature of the wallet.
          Effect.andThen(tracker.recover, signAttempts(ready, fees, chainNonce, inspected, reviewed, true))
      )
      yield* tracker.track(attempts, ready.map(({ submission }) => submission))
    }).pipe(Effect.catchTag("Unreachable", Effect.die))

  /** Sends queued submissions; returns the keys of those to try again later. */
  return (queued: ReadonlyArray<Submission>) =>
    Effect.gen(function*() {
      if (queued.length === 0) return []
      const [answers, inspected, reviewed, market, chainNonce] = yield* Effect.all([
        prepare(queued),
        limits.inspect(chain, wallet, queued),
        policy.review(chain, wallet, queued),
        chain.recentFees,
        chain.nonce(wallet, "pending")
      ], { concurrency: "unbounded" })
      const fees = capped(market, chain.book.maxFeePerGas)
      const prepared = answers.map(({ submission, result }) => {
        const refusal = inspected.refusals.get(submission.key) ?? reviewed.refusals.get(submission.key)
        if (refusal !== undefined) return { submission, result: Result.fail(refusal) }
        return { submission, result: reviewed.permits.has(submission.key) ? result : Result.fail(later) }
      })
      yield* Effect.forEach(reviewed.refusals, refusedByPolicy, { discard: true })
      for (const { submission, result } of prepared) {
        if (Result.isFailure(result) && result.failure !== later) yield* refuse(submission, result.failure)
      }
      const retryKeys = prepared.flatMap(({ submission, result }) =>
        Result.isFailure(result) && result.failure === later ? [submission.key] : []
      )
      const simulated = prepared.flatMap(({ result }) => Result.isSuccess(result) ? [result.success] : [])
      const ready = yield* keepAffordable(simulated, fees)
      if (ready.length === 0) return retryKeys
      yield* signAndSend(ready, fees, chainNonce, inspected, reviewed).pipe(
        Effect.catchTags({
          LimitsChanged: () =>
            Effect.sync(() => {
              retryKeys.push(...ready.map(({ submission }) => submission.key))
            }),
          CannotSign: ({ message }) =>
            refuseAll(ready, new ExecutionFailure({ errorType: "internal", message: `${message} Nothing was sent.` })),
          Paused: ({ keys, ...stopped }) => {
            const isOther = ({ submission }: Ready) => keys !== undefined && !keys.includes(submission.key)
            const [others, paused] = Arr.partition(ready, Filter.fromPredicate(isOther))
            retryKeys.push(...others.map(({ submission }) => submission.key))
            return refuseAll(
              paused,
              new ExecutionFailure({ errorType: "paused", message: `${stoppedText(stopped)}; nothing was sent.` })
            )
          }
        })
      )
      return retryKeys
    })
}

const insufficientFundsByNode = (network: Network, wallet: Address) =>
  new ExecutionFailure({
    errorType: "insufficient_gas",
    message: `The gas wallet ${wallet} does not hold enough ${
      facts[network].native
    } on ${network} for this; nothing was sent. Refill it and try again.`
  })

const insufficientFunds = ({ balance, cost, network, owed, wallet }: {
  readonly network: Network
  readonly wallet: Address
  readonly balance: bigint
  readonly cost: bigint
  readonly owed: bigint
}) => {
  const { native } = facts[network]
  const due = owed > 0n ? `, and ${format(owed, 18)} ${native} are kept for charges of earlier actions` : ""
  return new ExecutionFailure({
    errorType: "insufficient_gas",
    message:
      `The gas wallet ${wallet} holds ${format(balance, 18)} ${native} on ${network}, but gas and charge need up to ` +
      `${format(cost, 18)} ${native}${due}; nothing was sent. Refill it and try again.`
  })
}
