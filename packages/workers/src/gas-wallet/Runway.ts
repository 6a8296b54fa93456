/**
 * Reports how many more transactions a wallet can pay for: a metric, and a warning while a low wallet can still be
 * refilled.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Effect from "effect/Effect"

/** Number of transactions left at or below which the operator is warned. */
const lowTransactions = 5n

/** The cost of a transaction and the balance left after it is paid, in native smallest units. */
export interface Payment {
  readonly left: bigint
  readonly cost: bigint
}

/** Records the transactions left after each of consecutive payments; warns when the wallet is low after the last. */
export const tell = (
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
