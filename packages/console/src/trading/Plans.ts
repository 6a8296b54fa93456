/** The plans of approvals and trades, and the charge of actions. */
import { useQueries, useQuery } from "@tanstack/react-query"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Quantity } from "@vault-trader/core/chain/Quantity"
import { fallbackChains, type Platform } from "@vault-trader/core/venue/VenueName"
import { type Costs, planOf, planQuery } from "../connection/DryRun.ts"
import { call } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import type { VaultRef } from "../vault/VaultRef.ts"

interface Approval extends Costs {
  readonly venue: string
  readonly spender: string
  readonly symbol: string
  readonly allowance: string
  /** Present if the allowance is already sufficient. */
  readonly note?: string
}

export interface Trade extends Costs {
  readonly venue: string
  /** The symbols that the trade passes through. */
  readonly route?: ReadonlyArray<string>
  /** Venues that were tried before, and why they were not chosen. */
  readonly passed_over?: ReadonlyArray<{ readonly venue: string; readonly reason: string }>
  readonly amountIn: Quantity
  readonly amountOut: Quantity
  readonly minOut: Quantity
}

const ofApproval: ReadonlyArray<keyof Approval> = ["gas_cost", "charge", "venue", "spender", "symbol", "allowance"]
const ofTrade: ReadonlyArray<keyof Trade> = ["gas_cost", "charge", "venue", "amountIn", "amountOut", "minOut"]

const keyOf = ({ network, pool, wallet }: VaultRef) => [wallet, network, pool] as const

/** Queries the approval plan of each asset, in order; its `note` says if the venue may already take the asset. */
export const useApprovals = (vault: VaultRef | undefined, assets: ReadonlyArray<string>, platform: string) =>
  useQueries({
    queries: assets.map((asset) => ({
      queryKey: ["approval", ...(vault === undefined ? [] : keyOf(vault)), asset, platform],
      enabled: vault !== undefined,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        planOf<Approval>(
          await call(
            (client) => client.wallet.approve({ ...vault as VaultRef, asset, platform, dryRun: true }),
            signal
          ),
          ofApproval
        ),
      refetchInterval: 5_000,
      retry: false
    }))
  })

/** A swap as the trade ticket describes it. */
export type Swap = VaultRef & {
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly platform: Platform
  readonly slippage: number
}

const swapQuery = (swap: Swap | undefined) =>
  planQuery("trade-plan", swap, async ({ amount, ...params }, signal) =>
    planOf<Trade>(
      await call((client) => client.wallet.vaultTrade({ ...params, amount, dryRun: true }), signal),
      ofTrade
    ))

/** Queries the plan of a swap now; idle without a swap. */
export const useTradePlan = (swap: Swap | undefined) => useQuery(swapQuery(swap))

/** Queries the plan of a swap at each venue of its network, in the order in which `auto` tries them. */
export const useVenuePlans = (swap: Swap) => {
  const venues = fallbackChains[swap.network]
  const plans = useQueries({ queries: venues.map((platform) => swapQuery({ ...swap, platform })) })
  return venues.map((venue, index) => ({ venue, plan: plans[index]?.data, problem: plans[index]?.error ?? null }))
}

/** Follows the charge of an executed action on a network. */
export const useFee = (action: string, network: Network) =>
  useLive(["fee", action, network], (client) => client.live["manager.calculate-fee"]({ action, network }))
