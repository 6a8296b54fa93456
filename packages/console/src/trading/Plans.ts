/** What the service would do, as its own dry runs tell: the very plans that are carried out. */
import { useQueries, useQuery } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Quantity } from "@vault-trader/core/chain/Quantity"
import { Charge } from "@vault-trader/core/billing/Charge"
import type { VenueName } from "@vault-trader/core/venue/VenueName"
import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { call } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"

/** A vault, and the wallet that trades it. */
export interface About {
  readonly wallet: Address
  readonly network: Network
  readonly pool: Address
}

const costs = { gas_cost: Schema.NullOr(Schema.String), charge: Charge }

const Approval = Schema.Struct({
  ...costs,
  venue: Schema.String,
  spender: Schema.String,
  symbol: Schema.String,
  allowance: Schema.String,
  /** There where the allowance is given already. */
  note: Schema.optional(Schema.String)
})
export type Approval = typeof Approval.Type

const Trade = Schema.Struct({ ...costs, venue: Schema.String, amountIn: Quantity, amountOut: Quantity, minOut: Quantity })
export type Trade = typeof Trade.Type

/** A plan's fields; a sentence for people where the service answers in other words than these. */
const decoded = <A, I>(schema: Schema.Codec<A, I>, answer: object): A => {
  const plan = "plan" in answer ? answer.plan : undefined
  const found = Schema.decodeUnknownResult(schema)(plan)
  if (Result.isSuccess(found)) return found.success
  throw new Error("The service tells its plan in words that this page does not know. Reload the page.")
}

const keyOf = ({ network, pool, wallet }: About) => [wallet, network, pool] as const

/** Whether the venue that would be used may take these assets from the vault already: one answer an asset, in their order. */
export const useApprovals = (about: About | undefined, assets: ReadonlyArray<string>, platform: string) =>
  useQueries({
    queries: assets.map((asset) => ({
      queryKey: ["approval", ...(about === undefined ? [] : keyOf(about)), asset, platform],
      enabled: about !== undefined,
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        decoded(Approval, await call((client) => client.wallet.approve({ ...about as About, asset, platform, dryRun: true }), signal)),
      refetchInterval: 5_000,
      retry: false
    }))
  })

/** A swap of the vault as it would be now; none where nothing is asked. */
export const useTradePlan = (swap: (About & { readonly from: string; readonly to: string; readonly amount: string; readonly platform: VenueName | "auto"; readonly slippage: number }) | undefined) =>
  useQuery({
    queryKey: ["trade-plan", swap],
    enabled: swap !== undefined,
    queryFn: async ({ signal }) => {
      const { amount, ...asked } = swap as NonNullable<typeof swap>
      return decoded(Trade, await call((client) => client.wallet.vaultTrade({ ...asked, amount: BigDecimal.fromStringUnsafe(amount), dryRun: true }), signal))
    },
    refetchInterval: 15_000,
    retry: false
  })

/** What an action costs on a network, once it is executed. */
export const useFee = (action: string, network: Network) =>
  useLive(["fee", action, network], (client) => client.live["manager.calculate-fee"]({ action, network }))
