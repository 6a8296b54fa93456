/**
 * Attempts after the first one: a replacement at higher fees, a cancellation, and the filler of a nonce gap. Each is committed before
 * it is sent.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { max } from "@vault-trader/core/chain/Quantity"
import { Attempt, fillerKey } from "@vault-trader/core/gas-wallet/Submission"
import type { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChainClient, Fees } from "../chain/ChainClient.ts"
import * as InFlight from "./InFlight.ts"
import type { Signer } from "./Signer.ts"

export interface Lane {
  readonly chain: ChainClient
  readonly network: Network
  readonly wallet: Address
  readonly store: SubmissionStore["Service"]
  readonly signer: Signer["Service"]
}

/**
 * Signs the same call under the same nonce at higher fees; `waits` where the fee cap leaves no room, `stopped` under a
 * kill switch. Fails with `GasCapReached` where the wallet's gas of the day leaves no room.
 */
export const replacement = ({ chain, network, wallet, store, signer }: Lane, flight: InFlight.InFlight) =>
  Effect.gen(function*() {
    const last = flight.attempts.at(-1)
    const submission = yield* store.find(flight.key)
    if (last === undefined || Option.isNone(submission)) return "stopped" as const
    const isStopped = last.cancels ? makeCancellationStop(store) : store.isPaused
    if (yield* isStopped(wallet)) return "stopped" as const
    const cap = last.cancels ? cancellationCap(chain, flight) : chain.book.maxFeePerGas
    const fees = InFlight.nextFees(last, yield* chain.fees, cap)
    if (Option.isNone(fees)) return "waits" as const
    // A raise that the wallet cannot pay would only make it harder to pay after a refill.
    if (!(yield* canPay(chain, wallet, last.gasLimit, fees.value))) return "stopped" as const
    const signed = yield* signer.replace(wallet, last.raw, fees.value)
    const attempt = Attempt.make({
      ...signed,
      network,
      wallet,
      nonce: flight.nonce,
      attempt: last.attempt + 1,
      submissionKey: flight.key,
      cancels: last.cancels
    })
    yield* store.replace(attempt)
    yield* Metrics.count(Metrics.signatures, { network, kind: "replacement" })
    return attempt
  }).pipe(IntentTrace.span("submission.replace", flight.key))

const canPay = (chain: ChainClient, wallet: Address, gasLimit: bigint, { maxFeePerGas }: Fees) =>
  Effect.map(chain.balance(wallet), (balance) => balance >= gasLimit * maxFeePerGas)

/** Factor by which the fee of a cancellation may exceed the network's cap: it is small, and has to be mined. */
const cancellationFactor = 2n

/**
 * Returns the maximum fee of a flight's cancellations. It always suffices to replace the call once, whose fee may be
 * from a time with a higher cap; raises of the cancellation itself do not lift it.
 */
const cancellationCap = ({ book }: ChainClient, { attempts }: InFlight.InFlight) =>
  attempts.filter(({ cancels }) => !cancels).reduce(
    (cap, { maxFeePerGas }) => max(cap, InFlight.minReplacementFee(maxFeePerGas)),
    book.maxFeePerGas * cancellationFactor
  )

const makeCancellationStop = (store: SubmissionStore["Service"]) => (wallet: Address) =>
  Effect.gen(function*() {
    return (yield* store.isPaused(wallet)) && !(yield* store.isCancelled(wallet))
  })

/**
 * Signs an empty transaction under the flight's nonce, so that its call can no longer be mined. Returns none under a
 * kill switch that does not cancel, and where even the higher cap leaves no room for a raise.
 */
export const cancellation = ({ chain, network, signer, store, wallet }: Lane, flight: InFlight.InFlight) =>
  Effect.gen(function*() {
    const last = flight.attempts.at(-1)
    if (last === undefined || (yield* makeCancellationStop(store)(wallet))) return Option.none<Attempt>()
    const fees = InFlight.nextFees(last, yield* chain.fees, cancellationCap(chain, flight))
    if (Option.isNone(fees) || !(yield* canPay(chain, wallet, InFlight.fillerGas, fees.value))) {
      return Option.none<Attempt>()
    }
    const signed = yield* signer.fill(wallet, {
      chainId: chain.book.chainId,
      nonce: flight.nonce,
      gasLimit: InFlight.fillerGas,
      ...fees.value
    })
    const attempt = Attempt.make({
      ...signed,
      ...{ network, wallet, nonce: flight.nonce, attempt: last.attempt + 1, submissionKey: flight.key, cancels: true }
    })
    yield* store.replace(attempt)
    yield* Metrics.count(Metrics.signatures, { network, kind: "cancellation" })
    return Option.some(attempt)
  }).pipe(IntentTrace.span("submission.cancel", flight.key))

/**
 * Signs an empty transaction that closes a gap below our lowest nonce, which cannot be mined before that. The gap
 * exists because a foreign transaction was pending when our nonces were chosen, and was lost. Returns none where there
 * is no gap or the wallet is paused.
 */
export const filler = ({ chain, network, wallet, store, signer }: Lane, lowest: InFlight.InFlight) =>
  Effect.gen(function*() {
    if (yield* store.isPaused(wallet)) return Option.none<Attempt>()
    const next = yield* chain.nonce(wallet, "latest")
    if (next >= lowest.nonce || (yield* chain.nonce(wallet, "pending")) > next) return Option.none<Attempt>()
    const fees = InFlight.capped(yield* chain.fees, chain.book.maxFeePerGas)
    // Sets aside a row that holds this nonce without a signature of the wallet: the filler's row could not be stored
    // beside it.
    yield* store.inFlight(network, wallet)
    const signed = yield* signer.fill(wallet, {
      chainId: chain.book.chainId,
      nonce: next,
      gasLimit: InFlight.fillerGas,
      ...fees
    })
    const attempt = Attempt.make({
      ...signed,
      network,
      wallet,
      nonce: next,
      attempt: 0,
      submissionKey: fillerKey(network, wallet, next),
      cancels: false
    })
    yield* store.fill(attempt)
    yield* Metrics.count(Metrics.signatures, { network, kind: "filler" })
    return Option.some(attempt)
  })
