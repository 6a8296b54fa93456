/** Sends queued submissions: simulates, prices, checks that the wallet can pay, signs under nonces, broadcasts. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { NumberedSubmission } from "@vault-trader/core/gas-wallet/LaneNonces"
import { LaneConflict, type Signed } from "@vault-trader/core/gas-wallet/SigningBatch"
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
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
import { retryForever } from "../actor/Retry.ts"
import type { ChainClient, Fees } from "../chain/ChainClient.ts"
import { later, prepare, type Prepared, type Ready } from "./GasEstimate.ts"
import { capped } from "./InFlight.ts"
import type { Inspection, KeyLimitCheck } from "./KeyLimitCheck.ts"
import type { CannotSign, Signer } from "./Signer.ts"
import type { LaneReconciler } from "./LaneReconciler.ts"
import type { Review, SigningPolicy } from "./SigningPolicy.ts"
import type { SigningRecord } from "./SigningRecord.ts"
import type { TransactionTracker } from "./TransactionTracker.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"
import * as WalletFunds from "./WalletFunds.ts"

interface Lane {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
  readonly store: SubmissionStore["Service"]
  readonly signer: Signer["Service"]
  readonly limits: KeyLimitCheck["Service"]
  readonly policy: SigningPolicy["Service"]
  readonly alerts: WalletAlerts["Service"]
  readonly tracker: TransactionTracker
  readonly record: SigningRecord["Service"]
  readonly reconciler: LaneReconciler
  readonly refused: (key: string, failure: ExecutionFailure) => Effect.Effect<void>
}

/** The terms under which a batch is signed: fees, the chain's count, and the results of the limits and the policy. */
interface SigningTerms {
  readonly fees: Fees
  readonly chainNonce: bigint
  readonly inspected: Inspection
  readonly reviewed: Review
}

/** The rows' next nonce is above the chain's count plus the number of transactions in flight. */
class Unreachable extends Data.TaggedError("Unreachable") {}

/** The signing record holds the lane's next nonce already: the rows have forgotten what was signed under it. */
class RowsBehindRecord extends Data.TaggedError("RowsBehindRecord") {}

/** The lane has transactions that its rows do not explain: nothing may be refused before they are. */
class NotExplained extends Data.TaggedError("NotExplained") {}

/** A lane, and whether everything of it is explained, which is read once for a batch. */
interface Checked extends Lane {
  readonly isExplained: Effect.Effect<boolean, SqlError>
}

const check = (lane: Lane): Effect.Effect<Checked> =>
  Effect.map(Effect.cached(lane.reconciler.isExplained), (isExplained) => ({ ...lane, isExplained }))

/** The signing record shows that this submission was signed before, as another transaction. */
class SignedBefore extends Data.TaggedError("SignedBefore")<{ readonly key: string }> {}

/**
 * `send` sends a lane's queued submissions, as far as each of them gets, and returns the keys of those to try again
 * later. `refuseExpired` refuses those whose lifetime is over; it returns the others, and the keys of expired ones that
 * have to wait until the lane is explained. Refusals are final and recorded.
 */
export const make = (lane: Lane) => {
  const readFunds = WalletFunds.reader(lane)
  const send = (queued: ReadonlyArray<Submission>) =>
    Effect.gen(function*() {
      if (queued.length === 0) return []
      if ((yield* lane.record.status)._tag === "unwritable") return keysOf(queued)
      const { chain, limits, policy, wallet } = lane
      const checked = yield* check(lane)
      const [estimates, inspected, reviewed, market, chainNonce] = yield* Effect.all([
        prepare(lane, queued),
        limits.inspect(chain, wallet, queued),
        policy.review(chain, wallet, queued),
        chain.recentFees,
        chain.nonce(wallet, "pending")
      ], { concurrency: "unbounded" })
      const fees = capped(market, chain.book.maxFeePerGas)
      yield* Effect.forEach(reviewed.refusals, (refusal) => alertRefusal(lane, refusal), { discard: true })
      const { refused, retryKeys, simulated } = sort(estimates, inspected, reviewed)
      for (const { failure, submission } of refused) {
        const byPolicy = reviewed.refusals.get(submission.key) === failure
        yield* refuse(checked, submission, failure, byPolicy ? "policy" : undefined)
      }
      const ready = yield* keepAffordable(checked, readFunds, simulated, fees)
      if (ready.length === 0) return retryKeys
      return [...retryKeys, ...(yield* signAndSend(checked, ready, { fees, chainNonce, inspected, reviewed }))]
    }).pipe(Effect.catchTag("NotExplained", () => Effect.as(reconcile(lane), keysOf(queued))))
  const refuseExpired = (queued: ReadonlyArray<Submission>) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const isExpired = ({ validUntil }: Submission) => validUntil !== null && now >= validUntil
      const expired = queued.filter(isExpired)
      const live = queued.filter((submission) => !isExpired(submission))
      const checked = yield* check(lane)
      const refusals = Effect.forEach(
        expired,
        (submission) => refuse(checked, submission, explain({ _tag: "ExpiredUnsigned" })),
        { discard: true }
      )
      return yield* refusals.pipe(
        Effect.as({ live, later: [] as ReadonlyArray<string> }),
        Effect.catchTag("NotExplained", () => Effect.as(reconcile(lane), { live, later: keysOf(expired) }))
      )
    })
  return { refuseExpired, send }
}

const keysOf = (submissions: ReadonlyArray<Submission>) => submissions.map(({ key }) => key)

/** Sorts submissions into refused ones, those to try again later, and those that can be signed. */
const sort = (estimates: ReadonlyArray<Prepared>, inspected: Inspection, reviewed: Review) => {
  const refused: Array<{ readonly submission: Submission; readonly failure: ExecutionFailure }> = []
  const retryKeys: Array<string> = []
  const simulated: Array<Ready> = []
  for (const { result, submission } of estimates) {
    const { key } = submission
    const refusal = inspected.refusals.get(key) ?? reviewed.refusals.get(key)
    if (refusal !== undefined) refused.push({ submission, failure: refusal })
    else if (!reviewed.permits.has(key)) retryKeys.push(key)
    else if (Result.isSuccess(result)) simulated.push(result.success)
    else if (result.failure === later) retryKeys.push(key)
    else refused.push({ submission, failure: result.failure })
  }
  return { refused, retryKeys, simulated }
}

const alertRefusal = (
  { alerts, network, wallet }: Lane,
  [key, { message }]: readonly [string, ExecutionFailure]
) => alerts.raise({ kind: "refused_by_policy", network, wallet, message, details: { submission: key } })

/**
 * Records a refusal. Another owner may have signed the submission meanwhile, so its row decides whether it is refused;
 * if it is not, fails with `LaneConflict` and the batch starts over.
 */
const refuse = (lane: Checked, submission: Submission, failure: ExecutionFailure, by?: "policy") =>
  Effect.gen(function*() {
    const { isExplained, record, refused, store, wallet } = lane
    // "Nothing was sent" is said only where nothing of the lane is unexplained: rows may have been forgotten.
    if (record.findKey(submission.key).length > 0 || !(yield* isExplained)) return yield* new NotExplained()
    yield* retryForever(store.refuse(submission.key, failure, by))
    const row = yield* retryForever(store.find(submission.key))
    if (Option.isSome(row) && row.value.status !== "refused") return yield* new LaneConflict({ wallet })
    yield* refused(submission.key, failure)
  })

const refuseAll = (lane: Checked, ready: ReadonlyArray<Ready>, failure: ExecutionFailure) =>
  Effect.forEach(ready, ({ submission }) => refuse(lane, submission, failure), { discard: true })

/**
 * Returns, in order, the submissions the wallet can pay for; refuses the rest. Only settlements may use the amount kept
 * for charges.
 */
const keepAffordable = (
  lane: Checked,
  readFunds: ReturnType<typeof WalletFunds.reader>,
  ready: ReadonlyArray<Ready>,
  fees: Fees
) =>
  Effect.gen(function*() {
    const { network, wallet } = lane
    const hasPayments = ready.some(WalletFunds.isPayment)
    const known = yield* readFunds(hasPayments)
    // Re-read the balance before refusing.
    const funds = hasPayments || WalletFunds.covers(known, ready, fees) ? known : yield* readFunds(true)
    const { payable, payments, unpayable } = WalletFunds.split(funds, ready, fees)
    for (const { cost, owed, submission } of unpayable) {
      const failure = WalletFunds.insufficientFunds({ network, wallet, balance: funds.balance, cost, owed })
      yield* refuse(lane, submission, failure)
    }
    yield* WalletFunds.reportRunway({ network, wallet }, payments)
    return payable
  })

/**
 * Explains the lane up to the chain's count. While its rows are behind the chain, or it is quarantined, nothing is
 * signed.
 */
const reconcile = ({ reconciler, tracker }: Lane) =>
  Effect.gen(function*() {
    if (yield* reconciler.reconcile) yield* tracker.recover
  })

/** Signs and broadcasts; returns the keys of those to try again later. */
const signAndSend = (lane: Checked, ready: ReadonlyArray<Ready>, terms: SigningTerms) =>
  Effect.gen(function*() {
    const attempts = yield* Effect.catchTag(signAttempts(lane, ready, terms, false), "Unreachable", () =>
      // Recovering sets aside rows that hold a nonce without a signature of the wallet.
      Effect.andThen(lane.tracker.recover, signAttempts(lane, ready, terms, true)))
    // The tracker reserves the data fee with the charge until the transaction is mined.
    const signedKeys = new Set(attempts.map(({ submissionKey }) => submissionKey))
    const [signed, others] = Arr.partition(
      ready,
      Filter.fromPredicate(({ submission }: Ready) => signedKeys.has(submission.key))
    )
    const costs = signed.map(({ dataFee, submission }) => ({ ...submission, reserve: submission.reserve + dataFee }))
    yield* lane.tracker.track(attempts, costs)
    return others.map(({ submission }) => submission.key)
  }).pipe(
    Effect.catchTag("Unreachable", Effect.die),
    Effect.catchTags({
      Quarantined: () => Effect.as(reconcile(lane), ready.map(({ submission }) => submission.key)),
      RowsBehindChain: () => Effect.as(reconcile(lane), ready.map(({ submission }) => submission.key)),
      RowsBehindRecord: () => Effect.as(reconcile(lane), ready.map(({ submission }) => submission.key)),
      SignedBefore: ({ key }) =>
        Effect.gen(function*() {
          const [others, before] = Arr.partition(
            ready,
            Filter.fromPredicate(({ submission }: Ready) => submission.key !== key)
          )
          yield* reconcile(lane)
          yield* refuseAll(lane, before, explain({ _tag: "SignedBefore", key }))
          return others.map(({ submission }) => submission.key)
        }),
      LimitsChanged: () => Effect.succeed(ready.map(({ submission }) => submission.key)),
      CannotSign: (failure) => withoutSignature(lane, ready, failure),
      Paused: ({ keys, reason, scope }) => {
        const isOther = ({ submission }: Ready) => keys !== undefined && !keys.includes(submission.key)
        const [others, paused] = Arr.partition(ready, Filter.fromPredicate(isOther))
        return Effect.as(
          refuseAll(lane, paused, explain({ _tag: "SigningStopped", scope, reason })),
          others.map(({ submission }) => submission.key)
        )
      }
    })
  )

/**
 * Raises an alert that the key cannot be used. While its provider does not sign at present, the submissions wait, as for
 * an unreachable node; otherwise they are refused.
 */
const withoutSignature = (
  lane: Checked,
  ready: ReadonlyArray<Ready>,
  { isTemporary = false, message }: CannotSign
) =>
  Effect.gen(function*() {
    const { alerts, network, wallet } = lane
    const consequence = isTemporary
      ? "Nothing was signed; the wallet's submissions wait and are tried again."
      : "Nothing was signed; the submissions are refused."
    yield* alerts.raise({ kind: "key_unavailable", network, wallet, message: `${message} ${consequence}` })
    if (isTemporary) return ready.map(({ submission }) => submission.key)
    yield* refuseAll(lane, ready, explain({ _tag: "CannotSign", detail: message }))
    return []
  })

type Unrecorded = RowsBehindRecord | SignedBefore

/** Returns why the signing record forbids these signatures; undefined when it does not. */
const contradiction = (
  record: SigningRecord["Service"],
  chainId: number,
  wallet: Address,
  numbered: ReadonlyArray<NumberedSubmission>
): Unrecorded | undefined => {
  const next = Option.getOrElse(record.nextNonce(chainId, wallet), () => 0n)
  if (numbered.some(({ nonce }) => nonce < next)) return new RowsBehindRecord()
  const before = numbered.find(({ submission }) => record.findKey(submission.key).length > 0)
  return before === undefined ? undefined : new SignedBefore({ key: before.submission.key })
}

/**
 * Signs under the lane's next nonces. `checked`: the signatures of the rows that these follow have just been verified.
 */
const signAttempts = (
  { chain, network, record, signer, store, tracker, wallet }: Lane,
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
      revision,
      submissions,
      sign: (numbered): Effect.Effect<ReadonlyArray<Signed>, CannotSign | SqlError | Unrecorded | Unreachable> => {
        const refusal = contradiction(record, chain.book.chainId, wallet, numbered)
        if (refusal !== undefined) return refusal
        return !checked && numbered.some(({ nonce }, index) => nonce - BigInt(index) > reachable)
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
      }
    }).pipe(IntentTrace.spans("submission.sign", submissions.map(({ key }) => key)))
  })
