/** Gas limits of queued submissions, from the planner's estimate or a simulation; or the reason why a call fails. */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as DataFee from "../chain/DataFee.ts"
import { reasonOf } from "../chain/Revert.ts"
import type { RpcFailure, RpcRefused, RpcUnavailable } from "../chain/RpcFailure.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"

/** A submission whose call was simulated, with its gas limit and its maximum L1 data fee (native smallest units). */
export interface Ready {
  readonly submission: Submission
  readonly gasLimit: bigint
  readonly dataFee: bigint
}

/** The node gave no information about the call: it is tried again later. */
export const later = "later" as const
export type Later = typeof later

export interface Prepared {
  readonly submission: Submission
  readonly result: Result.Result<Ready, ExecutionFailure | Later>
}

interface Lane {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
}

/** How long the planner's simulation of the same call replaces one by the lane. */
const estimateMillis = 3_000

/** Adds 20%: guards read oracles, and their gas cost changes between blocks. */
const withMargin = (gas: bigint) => gas * 12n / 10n

/**
 * Simulates calls and estimates their gas, except those that the planner has just simulated. A revert refuses the
 * submission with its reason; so does a node that says the wallet cannot pay. Any other failed estimate says nothing
 * about the call: it is tried again later.
 */
export const prepare = (
  lane: Lane,
  queued: ReadonlyArray<Submission>
): Effect.Effect<ReadonlyArray<Prepared>, RpcFailure> =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const isRecent = ({ estimate }: Submission) => estimate !== null && now - estimate.at < estimateMillis
    const unknown = queued.filter((submission) => !isRecent(submission))
    const [estimated, dataPrice] = yield* Effect.all([estimateGas(lane, unknown), lane.chain.dataPrice], {
      concurrency: "unbounded"
    })
    const estimates = new Map(Arr.zip(unknown, estimated))
    const prepared: Array<Prepared> = []
    const refused: Array<Effect.Effect<Prepared, RpcUnavailable>> = []
    for (const submission of queued) {
      const estimate = estimates.get(submission) ?? Result.succeed(submission.estimate?.gas ?? 0n)
      if (Result.isSuccess(estimate)) {
        const gasLimit = limitOf(submission, estimate.success)
        const dataFee = DataFee.ofCall(dataPrice, submission.data)
        prepared.push({ submission, result: Result.succeed({ submission, gasLimit, dataFee }) })
      } else {
        const reason = refusalReason(lane, submission, estimate.failure)
        refused.push(Effect.map(reason, (failure) => ({ submission, result: Result.fail(failure) })))
      }
    }
    return [...prepared, ...(yield* Effect.all(refused, { concurrency: "unbounded" }))]
  })

/**
 * Returns the gas limit. A call that skips failing inner calls is estimated too low, so the planner's estimate is the
 * minimum.
 */
const limitOf = ({ estimate }: Submission, gas: bigint) =>
  withMargin(estimate !== null && estimate.gas > gas ? estimate.gas : gas)

const callOf = ({ wallet }: Lane, { data, to, value }: Submission) => ({ from: wallet, to, data, value })

const estimateGas = (lane: Lane, submissions: ReadonlyArray<Submission>) =>
  submissions.length === 0
    ? Effect.succeed([])
    : lane.chain.estimateAll(submissions.map((submission) => callOf(lane, submission))).pipe(
      IntentTrace.spans("submission.simulate", submissions.map(({ key }) => key))
    )

/** Finds the reason for a failed estimate by a call, which returns the revert's data where the estimate does not. */
const refusalReason = (
  lane: Lane,
  submission: Submission,
  estimate: RpcRefused
): Effect.Effect<ExecutionFailure | Later, RpcUnavailable> =>
  lane.chain.call(callOf(lane, submission)).pipe(
    Effect.as(estimate),
    Effect.catchTag("RpcRefused", Effect.succeed),
    Effect.map((refusal) => {
      const data = refusal.data ?? estimate.data
      const words = `${estimate.reason} ${refusal.reason}`
      if (data !== undefined || /revert/i.test(words)) return explain(meaningOf(reasonOf(data)))
      return /insufficient funds|exceeds allowance|exceeds balance/i.test(words) ? cannotPay(lane) : later
    })
  )

const cannotPay = ({ network, wallet }: Lane) =>
  explain({ _tag: "GasWalletCannotPay", native: facts[network].native, network, wallet })
