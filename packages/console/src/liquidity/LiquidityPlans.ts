/** Requests about liquidity, and the service's plans of them. */
import { useQuery } from "@tanstack/react-query"
import type { Quantity } from "@vault-trader/core/chain/Quantity"
import type { Dex } from "@vault-trader/core/liquidity/Dex"
import { type Costs, planOf, planQuery } from "../connection/DryRun.ts"
import { call } from "../connection/RpcConnection.ts"
import type { Request } from "../connection/Wire.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import type { LiquidityAction, Position, PositionRequest } from "./Positions.ts"

/** A request as it is sent, without its vault; also what *Show API Code* shows. */
export interface LiquidityRequest {
  readonly action: LiquidityAction
  readonly params: Readonly<Record<string, string>>
}

/** A swap in the same transaction, in words: `1004 USDC`. */
export interface Swapped {
  readonly venue: string
  readonly sold: string
  readonly bought: string
}

/** The effects of a request. Prices are of the request's first asset in its second; null where the range is open. */
export interface LiquidityPlan extends Costs {
  readonly dex: Dex
  readonly fee_tier: number | null
  readonly tick_spacing: number | null
  readonly lower_price: string | null
  readonly upper_price: string | null
  /** True if it is staked afterwards. */
  readonly staked: boolean
  /** Null for a position that is created. */
  readonly token_id: string | null
  readonly is_new?: boolean
  readonly liquidity?: string
  readonly added?: ReadonlyArray<Quantity>
  readonly removed?: ReadonlyArray<Quantity>
  /** Part of what is removed. */
  readonly fees?: ReadonlyArray<Quantity>
  /** The least that has to go in, or to come out. */
  readonly minimum?: ReadonlyArray<Quantity>
  readonly swapped?: Swapped | null
  readonly burnt?: boolean
  /** Says why nothing would be sent. */
  readonly note?: string
}

const members: ReadonlyArray<keyof LiquidityPlan> = [
  ...(["gas_cost", "charge", "dex", "token_id", "lower_price", "upper_price"] as const)
]

const membersOf: Readonly<Record<LiquidityAction, ReadonlyArray<keyof LiquidityPlan>>> = {
  addLiquidity: [...members, "added", "minimum", "swapped", "liquidity", "is_new"],
  removeLiquidity: [...members, "removed", "fees", "minimum", "swapped", "burnt"],
  collectFees: [...members, "fees"],
  stakeLiquidity: members,
  unstakeLiquidity: members,
  claimRewards: members
}

/** An answer of any of the actions. */
interface Answer {
  readonly intent_id?: string | null
}

const callOf = (
  vault: VaultRef,
  { action, params }: LiquidityRequest,
  more: { readonly dryRun: true } | { readonly idempotency_key: string },
  signal?: AbortSignal
) =>
  call(
    (client): Request<Answer> =>
      client.wallet[action]({ ...vault, ...params, ...more } as never) as object as Request<Answer>,
    signal
  )

interface Asked {
  readonly vault: VaultRef
  readonly request: LiquidityRequest
}

/** Returns the options of a query for the plan of a request; idle without one. */
const liquidityQuery = (asked: Asked | undefined) =>
  planQuery(
    "liquidity-plan",
    asked,
    async ({ request, vault }, signal) =>
      planOf<LiquidityPlan>(await callOf(vault, request, { dryRun: true }, signal), membersOf[request.action])
  )

export const useLiquidityPlan = (vault: VaultRef, request: LiquidityRequest | undefined) =>
  useQuery(liquidityQuery(request === undefined ? undefined : { vault, request }))

/** How long the amounts of a position are shown before they are read again. */
const amountsMillis = 60_000

/** Queries what a position would pay out now: its amounts and fees. Idle for a wallet that may not ask. */
export const useAmounts = (vault: VaultRef, position: Position, mayAsk: boolean) =>
  useQuery({
    ...liquidityQuery(
      mayAsk && position.dex !== undefined ? { vault, request: requestOf("removeLiquidity", position) } : undefined
    ),
    refetchInterval: amountsMillis
  })

/** Makes a request about a position. */
export const requestOf = (
  action: PositionRequest,
  { dex, first, second, token_id }: Position,
  more: Readonly<Record<string, string>> = {}
): LiquidityRequest => ({
  action,
  params: {
    ...{ asset1: first.asset, asset2: second.asset, token_id },
    ...(dex === undefined ? {} : { dex }),
    ...more
  }
})

/** Sends a request; a repeat with the same key gets the first one's outcome. Returns the id to follow it by. */
export const send = async (vault: VaultRef, request: LiquidityRequest, key: string): Promise<string> => {
  const answer = await callOf(vault, request, { idempotency_key: key })
  return answer.intent_id ?? ""
}
