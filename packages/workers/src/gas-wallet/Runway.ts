/** How many more transactions a wallet pays for: counted for all, and said of one that runs low while there is time to refill it. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Effect from "effect/Effect"

/** From here on down an operator is told. */
const low = 5n

/** What is left once a transaction of this cost is paid; native smallest units. */
export const tell = (wallet: { readonly network: Network; readonly wallet: Address }, left: bigint, cost: bigint): Effect.Effect<void> => {
  const more = left / (cost > 0n ? cost : 1n)
  const warning = more > low
    ? Effect.void
    : Effect.logWarning("a gas wallet runs low").pipe(Effect.annotateLogs({ ...wallet, transactions_left: Number(more) }))
  return Effect.zipRight(Metrics.observe(Metrics.gasRunway, { network: wallet.network }, Number(more)), warning)
}
