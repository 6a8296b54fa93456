/**
 * The funds of a lane's wallet: which queued submissions it can pay for, and how many more transactions it could pay
 * for.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { settlementOf, type Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { ChainClient, Fees } from "../chain/ChainClient.ts"
import type { RpcFailure } from "../chain/RpcFailure.ts"
import type { Ready } from "./GasEstimate.ts"
import type { KeyLimitCheck } from "./KeyLimitCheck.ts"
import type { TransactionTracker } from "./TransactionTracker.ts"

/** Amounts in native smallest units. */
export interface Funds {
  /** The balance as last read. */
  readonly balance: bigint
  /** Amount kept for charges that no signed transaction pays yet. */
  readonly owed: bigint
  /** Amount that the wallet certainly holds beyond its flights: the balance, less the maximum spent since. */
  readonly held: bigint
}

interface Reading {
  readonly balance: bigint
  readonly owed: bigint
  /** The tracker's `spent` when they were read. */
  readonly spentBefore: bigint
  /** Unix milliseconds. */
  readonly readAt: number
}

/** How long a balance that was read is used for further submissions, less what was spent since. */
const maxAgeMillis = 10_000
/**
 * The same while transactions are in flight. Short, because they may be pending only because the wallet was emptied
 * outside the service; then nothing more may be signed.
 */
const maxAgeInFlightMillis = 1_000

/** Makes the function that reads the funds; `fresh` reads the balance even if a recent one is known. */
export const reader = ({ chain, limits, network, tracker, wallet }: {
  readonly chain: ChainClient
  readonly limits: KeyLimitCheck["Service"]
  readonly network: Network
  readonly tracker: TransactionTracker
  readonly wallet: Address
}) => {
  let last: Reading | undefined
  return (fresh: boolean): Effect.Effect<Funds, RpcFailure | SqlError> =>
    Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const maxAge = (yield* tracker.inFlight) > 0 ? maxAgeInFlightMillis : maxAgeMillis
      if (fresh || last === undefined || now - last.readAt > maxAge) {
        const spentBefore = yield* tracker.spent
        const [balance, owed] = yield* Effect.all([chain.balance(wallet), limits.owed(network, wallet)], {
          concurrency: "unbounded"
        })
        last = { spentBefore, balance, owed, readAt: now }
      }
      const { balance, owed, spentBefore } = last
      return { balance, owed, held: balance - ((yield* tracker.spent) - spentBefore) - (yield* tracker.reserved) }
    })
}

/** Returns true for a payment of charges: only these may use the amount kept for charges. */
export const isPayment = ({ submission }: Ready): boolean => settlementOf(submission.key) !== undefined

/** The maximum cost of a submission at these fees: gas, L1 data fee, value and the charge that follows. */
const costOf = ({ dataFee, gasLimit, submission: { reserve, value } }: Ready, fees: Fees) =>
  gasLimit * fees.maxFeePerGas + dataFee + value + reserve

/** Returns true when the funds certainly cover all of them. */
export const covers = ({ held, owed }: Funds, ready: ReadonlyArray<Ready>, fees: Fees): boolean =>
  ready.reduce((sum, item) => sum + costOf(item, fees), 0n) <= held - owed

/** A submission that the wallet cannot pay for, its cost, and the amount kept for charges at that point. */
export interface Unpayable {
  readonly submission: Submission
  readonly cost: bigint
  readonly owed: bigint
}

/** The cost of a transaction and the balance left after it is paid, in native smallest units. */
interface Payment {
  readonly left: bigint
  readonly cost: bigint
}

/** Splits submissions, in order, into those the wallet can pay for and the rest. */
export const split = (funds: Funds, ready: ReadonlyArray<Ready>, fees: Fees) => {
  let { held, owed } = funds
  const payable: Array<Ready> = []
  const unpayable: Array<Unpayable> = []
  const payments: Array<Payment> = []
  for (const item of ready) {
    const cost = costOf(item, fees)
    if (cost <= (isPayment(item) ? held : held - owed)) {
      held -= cost
      if (isPayment(item)) owed -= item.submission.value
      payable.push(item)
      payments.push({ left: held - owed, cost })
    } else unpayable.push({ submission: item.submission, cost, owed })
  }
  return { payable, unpayable, payments }
}

/** Number of transactions left at or below which the operator is warned. */
const lowTransactions = 5n

/** Records the transactions left after each of consecutive payments; warns when the wallet is low after the last. */
export const reportRunway = (
  wallet: { readonly network: Network; readonly wallet: Address },
  payments: ReadonlyArray<Payment>
): Effect.Effect<void> => {
  const transactionsLeft = payments.map(({ cost, left }) => left / (cost > 0n ? cost : 1n))
  const last = transactionsLeft.at(-1)
  const warning = last === undefined || last > lowTransactions
    ? Effect.void
    : Effect.logWarning("a gas wallet runs low").pipe(
      Effect.annotateLogs({ ...wallet, transactions_left: Number(last) })
    )
  return Effect.andThen(
    Metrics.observeAll(Metrics.gasRunway, { network: wallet.network }, transactionsLeft.map(Number)),
    warning
  )
}

/** The failure of a submission that the wallet cannot pay for. */
export const insufficientFunds = ({ balance, cost, network, owed, wallet }: {
  readonly network: Network
  readonly wallet: Address
  readonly balance: bigint
  readonly cost: bigint
  readonly owed: bigint
}): ExecutionFailure => {
  const { native } = facts[network]
  const amount = (wei: bigint) => format(wei, 18)
  const kept = owed > 0n ? amount(owed) : null
  return explain({
    _tag: "GasWalletTooLow",
    ...{ held: amount(balance), kept, native, needed: amount(cost), network, wallet }
  })
}
