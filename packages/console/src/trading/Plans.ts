/** Plans from the service's dry runs, which use the same planning as the execution. */
import { useQueries, useQuery } from "@tanstack/react-query"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Quantity } from "@vault-trader/core/chain/Quantity"
import type { Charge } from "@vault-trader/core/billing/Charge"
import { fallbackChains, type Platform } from "@vault-trader/core/venue/VenueName"
import { call } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

interface Costs {
  readonly gas_cost: string | null
  readonly charge: typeof Charge.Type
}

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

/** Returns a plan that has these members; throws a message for the user if the service's format differs. */
const planOf = <A>(answer: object, members: ReadonlyArray<keyof A>): A => {
  const plan = "plan" in answer ? answer.plan : undefined
  if (typeof plan === "object" && plan !== null && members.every((name) => name in plan)) return plan as A
  throw new Error(t("This page is out of date; reload it."))
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

/** Queries the plan of a swap now; idle without a swap. */
const planQuery = (swap: Swap | undefined) => ({
  queryKey: ["trade-plan", swap],
  enabled: swap !== undefined,
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
    const { amount, ...params } = swap as Swap
    return planOf<Trade>(
      await call((client) => client.wallet.vaultTrade({ ...params, amount, dryRun: true }), signal),
      ofTrade
    )
  },
  refetchInterval: 15_000,
  retry: false
})

export const useTradePlan = (swap: Swap | undefined) => useQuery(planQuery(swap))

/** Queries the plan of a swap at each venue of its network, in the order in which `auto` tries them. */
export const useVenuePlans = (swap: Swap) => {
  const venues = fallbackChains[swap.network]
  const plans = useQueries({ queries: venues.map((platform) => planQuery({ ...swap, platform })) })
  return venues.map((venue, index) => ({ venue, plan: plans[index]?.data, problem: plans[index]?.error ?? null }))
}

/** Follows the charge of an executed action on a network. */
export const useFee = (action: string, network: Network) =>
  useLive(["fee", action, network], (client) => client.live["manager.calculate-fee"]({ action, network }))
