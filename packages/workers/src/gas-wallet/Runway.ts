/** How many more transactions a wallet pays for: counted for all, and said of one that runs low while there is time to refill it. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Effect from "effect/Effect"

/** From here on down an operator is told. */
const low = 5n

/** What is left, in native smallest units, once a transaction of this cost is paid. */
export interface Payment {
  readonly left: bigint
  readonly cost: bigint
}

/** Of payments one after the other, the last says whether the wallet runs low. */
export const tell = (wallet: { readonly network: Network; readonly wallet: Address }, payments: ReadonlyArray<Payment>): Effect.Effect<void> => {
  const more = payments.map(({ cost, left }) => left / (cost > 0n ? cost : 1n))
  const last = more.at(-1)
  const warning = last === undefined || last > low
    ? Effect.void
    : Effect.logWarning("a gas wallet runs low").pipe(Effect.annotateLogs({ ...wallet, transactions_left: Number(last) }))
  return Effect.andThen(Metrics.observeAll(Metrics.gasRunway, { network: wallet.network }, more.map(Number)), warning)
}
