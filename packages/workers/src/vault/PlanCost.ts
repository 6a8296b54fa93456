/** The cost of a planned transaction: its gas, and what it may cost at the fees of now. */
import type { Address } from "@vault-trader/core/chain/Address"
import { facts } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as DataFee from "../chain/DataFee.ts"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type { Decision } from "./Action.ts"

export interface PlanCost {
  /** Gas units. */
  readonly gas: bigint
  /** The most that it may cost, wei: gas at the highest fee, and the L1 data fee. */
  readonly wei: bigint
}

/** Returns the cost of a decision's transaction; estimates its gas where planning did not. */
export const of = (
  { chain, wallet }: { readonly chain: ChainClient; readonly wallet: Address },
  call: VaultCall,
  { estimate }: Pick<Decision<unknown>, "estimate">
): Effect.Effect<PlanCost, ExecutionFailure> =>
  Effect.all([
    estimate === undefined ? chain.estimateGas({ from: wallet, ...call, value: 0n }) : Effect.succeed(estimate.gas),
    chain.recentFees,
    chain.dataPrice
  ], { concurrency: "unbounded" }).pipe(
    Effect.map(([gas, fees, dataPrice]) => ({
      gas,
      wei: gas * fees.maxFeePerGas + DataFee.ofCall(dataPrice, call.data)
    })),
    Effect.mapError((failure) =>
      failure._tag === "RpcRefused" ? explain(meaningOf(reasonOf(failure.data))) : unavailable(failure)
    )
  )

/** Formats a cost with the network's native token, as `0.0001 ETH`. */
export const text = ({ book: { network } }: ChainClient, wei: bigint): string =>
  `${format(wei, 18)} ${facts[network].native}`
