/** From queued submissions to transactions on their way: simulate, price, check the wallet can pay, sign under nonces, broadcast. */
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

/** A reading of the wallet's balance and of what it owes, and what the deck's landings had cost by then. */
interface WalletFunds {
  readonly balance: bigint
  /** For charges that no signed transaction pays yet. */
  readonly owed: bigint
  readonly spentBefore: bigint
  /** Unix milliseconds. */
  readonly readAt: number
}

/** How long a balance is good for another departure, less what was spent since. */
const purseMillis = 10_000
/**
 * The same while transactions are in flight. Short, because they may be pending only because the wallet was emptied outside the service:
 * nothing more is signed then.
 */
const purseInFlightMillis = 1_000

interface Prepared {
  readonly submission: Submission
  readonly result: Result.Result<Ready, ExecutionFailure | Later>
}

/** How long the planner's simulation of the same call stands for one of the lane's own. */
const estimateMillis = 3_000

/** Guards read oracles, and blocks change what they cost. */
const withMargin = (gas: bigint) => gas * 12n / 10n

/** The rows' next nonce is further than the chain's count and our flights reach. */
class Unreachable extends Data.TaggedError("Unreachable") {}

/** The node said nothing about the call. */
const later = "later" as const
type Later = typeof later

/** A lane's departures. Each call takes what is queued as far as it goes; refusals are final and recorded. */
export const make = (lane: {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
  readonly store: SubmissionStore["Service"]
  readonly signer: Signer["Service"]
  readonly limits: KeyLimitCheck["Service"]
  readonly policy: SigningPolicy["Service"]
  readonly alerts: WalletAlerts["Service"]
  readonly deck: TransactionTracker
  readonly refused: (key: string, failure: ExecutionFailure) => Effect.Effect<void>
}) => {
  const { alerts, chain, deck, limits, network, policy, signer, store, wallet } = lane

  /** Another owner may have signed it meanwhile: what is refused is for the row to say. Where it does not, the turn starts over. */
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
   * Simulates and measures calls, but those whose planner just has. A revert is a refusal with its reason; so is a wallet that the
   * node says cannot pay. A node that gives no estimate for another reason has said nothing about the call: it is tried again later.
   */
  const prepare = (queued: ReadonlyArray<Submission>): Effect.Effect<ReadonlyArray<Prepared>, RpcUnavailable> =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const known = (submission: Submission) => submission.estimate !== null && now - submission.estimate.at < estimateMillis
      const unknown = queued.filter((submission) => !known(submission))
      const estimates = new Map(Arr.zip(unknown, yield* simulated(unknown)))
      const prepared: Array<Prepared> = []
      const refused: Array<Effect.Effect<Prepared, RpcUnavailable>> = []
      for (const submission of queued) {
        const estimate = estimates.get(submission) ?? Result.succeed(submission.estimate?.gas ?? 0n)
        if (Result.isSuccess(estimate)) {
          prepared.push({ submission, result: Result.succeed({ submission, gasLimit: limitOf(submission, estimate.success) }) })
        } else refused.push(Effect.map(reasonWhy(submission, estimate.failure), (reason): Prepared => ({ submission, result: Result.fail(reason) })))
      }
      return [...prepared, ...(yield* Effect.all(refused, { concurrency: "unbounded" }))]
    })

  /** A call that goes on without its parts needs less than it should have: it never gets less than its planner measured. */
  const limitOf = ({ estimate }: Submission, gas: bigint) => withMargin(estimate !== null && estimate.gas > gas ? estimate.gas : gas)

  const callOf = ({ data, to, value }: Submission) => ({ from: wallet, to, data, value })

  const simulated = (submissions: ReadonlyArray<Submission>) =>
    submissions.length === 0 ? Effect.succeed([]) : chain.estimateAll(submissions.map(callOf)).pipe(
      IntentTrace.spans("submission.simulate", submissions.map(({ key }) => key))
    )

  const reasonWhy = (submission: Submission, estimate: RpcRefused): Effect.Effect<ExecutionFailure | Later, RpcUnavailable> =>
    chain.call(callOf(submission)).pipe(
      Effect.as(estimate),
      Effect.catchTag("RpcRefused", Effect.succeed),
      Effect.map((refusal) => {
        const data = refusal.data ?? estimate.data
        const words = `${estimate.reason} ${refusal.reason}`
        if (data !== undefined || /revert/i.test(words)) return explain(reasonOf(data), "nothing was sent")
        return /insufficient funds|exceeds allowance|exceeds balance/i.test(words) ? insufficientFundsByNode(network, wallet) : later
      })
    )

  /** What the wallet surely still holds beyond its flights, by the last reading of its balance and the most that was spent since. */
  let purse: WalletFunds | undefined
  const left = (fresh: boolean) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const maxAge = (yield* deck.inFlight) > 0 ? purseInFlightMillis : purseMillis
      if (fresh || purse === undefined || now - purse.readAt > maxAge) {
        const spentBefore = yield* deck.spent
        const [balance, owed] = yield* Effect.all([chain.balance(wallet), limits.owed(network, wallet)], { concurrency: "unbounded" })
        purse = { spentBefore, balance, owed, readAt: now }
      }
      const { balance, owed, spentBefore } = purse
      return { balance, owed, held: balance - ((yield* deck.spent) - spentBefore) - (yield* deck.reserved) }
    })

  const isPayment = ({ submission }: Ready) => settlementOf(submission.key) !== undefined

  const costOf = ({ gasLimit, submission: { reserve, value } }: Ready, fees: Fees) => gasLimit * fees.maxFeePerGas + value + reserve

  /** Keeps what the wallet can pay for, in order; refuses the rest. Nothing but their payment may use what charges need. */
  const affordable = (ready: ReadonlyArray<Ready>, fees: Fees) =>
    Effect.gen(function*() {
      const payments = ready.some(isPayment)
      const known = yield* left(payments)
      const enough = ready.reduce((sum, item) => sum + costOf(item, fees), 0n) <= known.held - known.owed
      // Nobody is refused by an old reading.
      const { balance, ...purse } = enough || payments ? known : yield* left(true)
      let { held, owed } = purse
      const paid: Array<Ready> = []
      const runway: Array<Runway.Payment> = []
      for (const item of ready) {
        const cost = costOf(item, fees)
        if (cost <= (isPayment(item) ? held : held - owed)) {
          held -= cost
          if (isPayment(item)) owed -= item.submission.value
          paid.push(item)
          runway.push({ left: held - owed, cost })
        } else yield* refuse(item.submission, insufficientFunds({ network, wallet, balance, cost, owed }))
      }
      yield* Runway.tell({ network, wallet }, runway)
      return paid
    })

  /** Signs under the lane's next nonces. `checked`: whether the rows that these follow were checked for signatures just now. */
  const signed = (ready: ReadonlyArray<Ready>, fees: Fees, chainNonce: bigint, { revision }: Inspection, { permits }: Review, checked: boolean) =>
    Effect.gen(function*() {
      const gasLimits = new Map(ready.map(({ submission, gasLimit }) => [submission.key, gasLimit]))
      const submissions = ready.map(({ submission }) => submission)
      const reachable = chainNonce + BigInt(yield* deck.inFlight)
      return yield* store.sign({
        network,
        wallet,
        chainNonce,
        revision,
        submissions,
        sign: (numbered): Effect.Effect<ReadonlyArray<Signed>, CannotSign | SqlError | Unreachable> =>
          !checked && numbered.some(({ nonce }, index) => nonce - BigInt(index) > reachable)
            ? new Unreachable()
            : signer.sign(wallet, numbered.map(({ nonce, submission }) => ({
              permit: permits.get(submission.key),
              chainId: chain.book.chainId,
              from: wallet,
              to: submission.to,
              data: submission.data,
              value: submission.value,
              nonce,
              gasLimit: gasLimits.get(submission.key) ?? 0n,
              ...fees
            })))
      }).pipe(IntentTrace.spans("submission.sign", submissions.map(({ key }) => key)))
    })

  const signAndSend = (ready: ReadonlyArray<Ready>, fees: Fees, chainNonce: bigint, inspected: Inspection, reviewed: Review) =>
    Effect.gen(function*() {
      const attempts = yield* Effect.catchTag(signed(ready, fees, chainNonce, inspected, reviewed, false), "Unreachable", () =>
        // Taking up the lane's rows sets aside those that hold a nonce without a signature of the wallet.
        Effect.andThen(deck.recover, signed(ready, fees, chainNonce, inspected, reviewed, true)))
      yield* deck.track(attempts, ready.map(({ submission }) => submission))
    }).pipe(Effect.catchTag("Unreachable", Effect.die))

  /** Answers the keys of those that have to be tried again later. */
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
        const over = inspected.refusals.get(submission.key) ?? reviewed.refusals.get(submission.key)
        if (over !== undefined) return { submission, result: Result.fail(over) }
        return { submission, result: reviewed.permits.has(submission.key) ? result : Result.fail(later) }
      })
      yield* Effect.forEach(reviewed.refusals, refusedByPolicy, { discard: true })
      for (const { submission, result } of prepared) {
        if (Result.isFailure(result) && result.failure !== later) yield* refuse(submission, result.failure)
      }
      const put = prepared.flatMap(({ submission, result }) => Result.isFailure(result) && result.failure === later ? [submission.key] : [])
      const simulated = prepared.flatMap(({ result }) => Result.isSuccess(result) ? [result.success] : [])
      const ready = yield* affordable(simulated, fees)
      if (ready.length === 0) return put
      yield* signAndSend(ready, fees, chainNonce, inspected, reviewed).pipe(
        Effect.catchTags({
          LimitsChanged: () => Effect.sync(() => { put.push(...ready.map(({ submission }) => submission.key)) }),
          CannotSign: ({ message }) =>
            refuseAll(ready, new ExecutionFailure({ errorType: "internal", message: `${message} Nothing was sent.` })),
          Paused: ({ keys, ...stopped }) => {
            const isOther = ({ submission }: Ready) => keys !== undefined && !keys.includes(submission.key)
            const [others, held] = Arr.partition(ready, Filter.fromPredicate(isOther))
            put.push(...others.map(({ submission }) => submission.key))
            return refuseAll(held, new ExecutionFailure({ errorType: "paused", message: `${stoppedText(stopped)}; nothing was sent.` }))
          }
        })
      )
      return put
    })
}

const insufficientFundsByNode = (network: Network, wallet: Address) =>
  new ExecutionFailure({
    errorType: "insufficient_gas",
    message: `The gas wallet ${wallet} does not hold enough ${facts[network].native} on ${network} for this; nothing was sent. Refill it and try again.`
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
    message: `The gas wallet ${wallet} holds ${format(balance, 18)} ${native} on ${network}, but gas and charge need up to ` +
      `${format(cost, 18)} ${native}${due}; nothing was sent. Refill it and try again.`
  })
}
