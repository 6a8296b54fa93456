/** Plans from the service's dry runs, which use the same planning as the execution. */
import { useQueries, useQuery } from "@tanstack/react-query"
import type { Network } from "@vault-trader/core/chain/Network"
import { Quantity } from "@vault-trader/core/chain/Quantity"
import { Charge } from "@vault-trader/core/billing/Charge"
import type { Platform } from "@vault-trader/core/venue/VenueName"
import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { call } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import type { VaultRef } from "../vault/VaultRef.ts"

const costs = { gas_cost: Schema.NullOr(Schema.String), charge: Charge }

const Approval = Schema.Struct({
  ...costs,
  venue: Schema.String,
  spender: Schema.String,
  symbol: Schema.String,
  allowance: Schema.String,
  /** Present if the allowance is already sufficient. */
  note: Schema.optional(Schema.String)
})
type Approval = typeof Approval.Type

const Trade = Schema.Struct({
  ...costs,
  venue: Schema.String,
  amountIn: Quantity,
  amountOut: Quantity,
  minOut: Quantity
})
export type Trade = typeof Trade.Type

/** Decodes a plan's fields; throws a message for the user if the service's format differs. */
const decodePlan = <A, I>(schema: Schema.Codec<A, I>, answer: object): A => {
  const plan = "plan" in answer ? answer.plan : undefined
  const result = Schema.decodeUnknownResult(schema)(plan)
  if (Result.isSuccess(result)) return result.success
  throw new Error("This page is out of date; reload it.")
}

const keyOf = ({ network, pool, wallet }: VaultRef) => [wallet, network, pool] as const

/** Queries the approval plan of each asset, in order; its `note` says if the venue may already take the asset. */
export const useApprovals = (vault: VaultRef | undefined, assets: ReadonlyArray<string>, platform: string) =>
  useQueries({
    queries: assets.map((asset) => ({
      queryKey: ["approval", ...(vault === undefined ? [] : keyOf(vault)), asset, platform],
      enabled: vault !== undefined,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        decodePlan(
          Approval,
          await call((client) => client.wallet.approve({ ...vault as VaultRef, asset, platform, dryRun: true }), signal)
        ),
      refetchInterval: 5_000,
      retry: false
    }))
  })

/** Queries the plan of a swap now; idle without a swap. */
export const useTradePlan = (
  swap:
    | (VaultRef & {
      readonly from: string
      readonly to: string
      readonly amount: string
      readonly platform: Platform
      readonly slippage: number
    })
    | undefined
) =>
  useQuery({
    queryKey: ["trade-plan", swap],
    enabled: swap !== undefined,
    queryFn: async ({ signal }) => {
      const { amount, ...params } = swap as NonNullable<typeof swap>
      return decodePlan(
        Trade,
        await call(
          (client) =>
            client.wallet.vaultTrade({ ...params, amount: BigDecimal.fromStringUnsafe(amount), dryRun: true }),
          signal
        )
      )
    },
    refetchInterval: 15_000,
    retry: false
  })

/** Follows the charge of an executed action on a network. */
export const useFee = (action: string, network: Network) =>
  useLive(["fee", action, network], (client) => client.live["manager.calculate-fee"]({ action, network }))
