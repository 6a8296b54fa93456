/** Sends queued submissions: simulates, prices, checks that the wallet can pay, signs under nonces, broadcasts. */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { LaneConflict } from "@vault-trader/core/gas-wallet/SigningBatch"
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import * as Result from "effect/Result"
import type { SqlError } from "effect/sql/SqlError"
import type { Fees } from "../chain/ChainClient.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import { later, prepare, type Prepared, type Ready } from "./GasEstimate.ts"
import { capped } from "./InFlight.ts"
import type { Inspection } from "./KeyLimitCheck.ts"
import { alertGasCap } from "./GasCapAlert.ts"
import { alertRefusal, type NotExplained, refuse, refuseAll, setAside } from "./LaneRefusals.ts"
import { signAttempts, type SigningTerms } from "./LaneSignatures.ts"
import { check, type Checked, type Lane } from "./SendingLane.ts"
import type { CannotSign } from "./Signer.ts"
import type { Review } from "./SigningPolicy.ts"
import type { GasCapReached, SignerAway } from "./SigningStop.ts"
import * as WalletFunds from "./WalletFunds.ts"

/** How long a lane signs nothing after its wallet has reached the day's cap of gas. */
const capPauseMillis = 15_000

/** A batch did not get as far as its signatures: its rows decide what happens next. */
type SendFailure = LaneConflict | NotExplained | RpcFailure | SignerAway | SqlError

/**
 * `send` sends a lane's queued submissions, as far as each of them gets, and returns the keys of those to try again
 * later. `refuseExpired` refuses those whose lifetime is over; it returns the others, and the keys of expired ones that
 * have to wait until the lane is explained. Refusals are final and recorded.
 */
export const make = (lane: Lane) => {
  let resumeAt = 0
  const pause = (millis: number) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      resumeAt = now + millis
    })
  const readFunds = WalletFunds.reader(lane)
  const send = (queued: ReadonlyArray<Submission>) =>
    Effect.gen(function*() {
      if (queued.length === 0) return []
      if ((yield* Clock.currentTimeMillis) < resumeAt) return keysOf(queued)
      if ((yield* lane.record.status)._tag === "unwritable") return keysOf(queued)
      const { chain, limits, policy, wallet } = lane
      const checked = yield* check({ ...lane, pause })
      const [estimates, inspected, reviewed, market, chainNonce] = yield* Effect.all([
        prepare(lane, queued),
        limits.inspect(chain, wallet, queued),
        policy.review(chain, wallet, queued),
        chain.recentFees,
        chain.nonce(wallet, "pending")
      ], { concurrency: "unbounded" })
      const fees = capped(market, chain.book.maxFeePerGas)
      yield* Effect.forEach(reviewed.refusals, (refusal) => alertRefusal(lane, refusal), { discard: true })
      const { forged, refused, retryKeys, simulated } = sort(estimates, inspected, reviewed)
      for (const { failure, submission } of refused) {
        const byPolicy = reviewed.refusals.get(submission.key) === failure
        yield* refuse(checked, submission, failure, byPolicy ? "policy" : undefined)
      }
      for (const submission of forged) yield* setAside(checked, submission)
      const ready = yield* keepAffordable(checked, readFunds, simulated, fees)
      if (ready.length === 0) return retryKeys
      return [...retryKeys, ...(yield* signAndSend(checked, ready, { fees, chainNonce, inspected, reviewed }))]
    }).pipe(
      Effect.catchTag("NotExplained", ({ key }) => Effect.as(explainKey(lane, key), keysOf(queued))),
      Effect.catchTag("SignerAway", ({ message }) => Effect.as(Effect.logInfo(message), keysOf(queued)))
    )
  const refuseExpired = (queued: ReadonlyArray<Submission>) =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const isExpired = ({ validUntil }: Submission) => validUntil !== null && now >= validUntil
      const expired = queued.filter(isExpired)
      const live = queued.filter((submission) => !isExpired(submission))
      const checked = yield* check({ ...lane, pause })
      const refusals = Effect.forEach(
        expired,
        (submission) => refuse(checked, submission, explain({ _tag: "ExpiredUnsigned" })),
        { discard: true }
      )
      return yield* refusals.pipe(
        Effect.as({ live, later: [] as ReadonlyArray<string> }),
        Effect.catchTag(
          "NotExplained",
          ({ key }) => Effect.as(explainKey(lane, key), { live, later: keysOf(expired) })
        ),
        Effect.catchTag("SignerAway", () => Effect.succeed({ live, later: keysOf(expired) }))
      )
    })
  return { refuseExpired, send }
}

const keysOf = (submissions: ReadonlyArray<Submission>) => submissions.map(({ key }) => key)

/** Sorts submissions into forged ones, refused ones, those to try again later, and those that can be signed. */
const sort = (estimates: ReadonlyArray<Prepared>, inspected: Inspection, reviewed: Review) => {
  const forged: Array<Submission> = []
  const refused: Array<{ readonly submission: Submission; readonly failure: ExecutionFailure }> = []
  const retryKeys: Array<string> = []
  const simulated: Array<Ready> = []
  for (const { result, submission } of estimates) {
    const { key } = submission
    const refusal = inspected.refusals.get(key) ?? reviewed.refusals.get(key)
    if (reviewed.forged.has(key)) forged.push(submission)
    else if (refusal !== undefined) refused.push({ submission, failure: refusal })
    else if (!reviewed.permits.has(key)) retryKeys.push(key)
    else if (Result.isSuccess(result)) simulated.push(result.success)
    else if (result.failure === later) retryKeys.push(key)
    else refused.push({ submission, failure: result.failure })
  }
  return { forged, refused, retryKeys, simulated }
}

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

/** Explains the lane, and what was signed before for a submission that cannot be refused. */
const explainKey = (lane: Lane, key: string) =>
  Effect.gen(function*() {
    yield* reconcile(lane)
    if (yield* lane.reconciler.adoptRecorded(key)) yield* lane.tracker.recover
  })

/** Alerts that the day's cap of gas is reached, and signs those that still fit; returns the keys of the others. */
const underCap = (
  lane: Checked,
  ready: ReadonlyArray<Ready>,
  terms: SigningTerms,
  { message, room }: GasCapReached
) =>
  Effect.gen(function*() {
    yield* alertGasCap(lane, message)
    let left = room
    const fit = Arr.takeWhile(ready, ({ gasLimit }) => (left -= gasLimit * terms.fees.maxFeePerGas) >= 0n)
    const waiting = keysOf(ready.slice(fit.length).map(({ submission }) => submission))
    if (fit.length === 0) yield* lane.pause(capPauseMillis)
    return fit.length === 0 || fit.length === ready.length
      ? keysOf(ready.map(({ submission }) => submission))
      : [...waiting, ...(yield* signAndSend(lane, fit, terms))]
  })

/** Signs and broadcasts; returns the keys of those to try again later. */
const signAndSend = (
  lane: Checked,
  ready: ReadonlyArray<Ready>,
  terms: SigningTerms
): Effect.Effect<ReadonlyArray<string>, SendFailure> =>
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
      GasCapReached: (reached) => underCap(lane, ready, terms, reached),
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
