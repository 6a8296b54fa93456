/** A vault's margin, positions and orders at HyperCore, the contracts traded there, and the plans of requests. */
import type { Network } from "@vault-trader/core/chain/Network"
import type { Quantity } from "@vault-trader/core/chain/Quantity"
import { useQuery } from "@tanstack/react-query"
import { type Costs, planOf, planQuery } from "../connection/DryRun.ts"
import { call } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import type { VaultRef } from "../vault/VaultRef.ts"
import { t } from "../text/Text.ts"

/** The network whose vaults trade perpetual contracts. */
export const perpetualNetwork: Network = "hyperliquid"

const keyOf = (vault: VaultRef | undefined) => [vault?.wallet, vault?.network, vault?.pool]

export const useAccount = (vault: VaultRef | undefined) =>
  useLive(
    ["perpetual-account", ...keyOf(vault)],
    vault && ((client) => client.live["wallet.getPerpetualPositions"](vault)),
    ({ data }) => data
  )

export const useRestingOrders = (vault: VaultRef | undefined) =>
  useLive(
    ["perpetual-orders", ...keyOf(vault)],
    vault && ((client) => client.live["wallet.getPerpetualOrders"](vault)),
    ({ orders }) => orders
  )

export const useMarkets = (vault: VaultRef | undefined) =>
  useLive(
    ["perpetual-markets", vault?.wallet, vault?.network],
    vault && ((client) => client.live["wallet.getPerpetualMarkets"]({ wallet: vault.wallet, network: vault.network })),
    ({ markets }) => markets
  )

export type Account = NonNullable<ReturnType<typeof useAccount>["data"]>
export type Position = Account["positions"][number]
export type RestingOrder = NonNullable<ReturnType<typeof useRestingOrders>["data"]>[number]
export type Market = NonNullable<ReturnType<typeof useMarkets>["data"]>[number]

export type Side = "buy" | "sell"

/** An order's parameters, as they are sent. Without a size and an amount of USD, it closes the position. */
export interface OrderParams {
  readonly coin: string
  readonly side: Side
  readonly size?: string
  readonly usd?: string
  readonly price?: string
  readonly tif?: "ioc" | "gtc" | "alo"
  readonly slippage?: string
  readonly reduce_only?: boolean
}

export interface OrderPlan extends Costs {
  readonly coin: string
  readonly side: Side
  readonly size: string
  /** The price that the order is never worse than. */
  readonly limit_price: string
  readonly tif: "ioc" | "gtc" | "alo"
  readonly reduce_only: boolean
}

/** Queries the plan of an order now; idle without one. */
export const useOrderPlan = (vault: VaultRef, order: OrderParams | undefined) =>
  useQuery(
    planQuery("perpetual-plan", order === undefined ? undefined : { ...vault, ...order }, async (terms, signal) =>
      planOf<OrderPlan>(
        await call((client) =>
          client.wallet.placePerpetualOrder({ ...terms, dryRun: true } as never), signal),
        ["coin", "side", "size", "limit_price", "tif", "reduce_only", "gas_cost", "charge"]
      ))
  )

export type Move = "deposit" | "withdraw"

interface MovePlan extends Costs {
  readonly deposited?: Quantity
  readonly withdrawn?: Quantity
}

interface MoveParams {
  readonly amount: string
  readonly dryRun?: boolean
  readonly idempotency_key?: string
}

/** Moves USDC between the vault and its account at HyperCore, or plans it. */
export const moveMargin = (vault: VaultRef, move: Move, params: MoveParams, signal?: AbortSignal) =>
  move === "deposit"
    ? call((client) => client.wallet.depositToPerpetuals({ ...vault, ...params }), signal)
    : call((client) => client.wallet.withdrawFromPerpetuals({ ...vault, ...params }), signal)

/** Queries the plan of moving USDC to or from HyperCore now; idle without an amount. */
export const useMovePlan = (vault: VaultRef, move: Move, size: string | undefined) =>
  useQuery(
    planQuery(`perpetual-${move}`, size === undefined ? undefined : { vault, size }, async (terms, signal) =>
      planOf<MovePlan>(
        await moveMargin(terms.vault, move, { amount: terms.size, dryRun: true }, signal),
        ["gas_cost", "charge", move === "deposit" ? "deposited" : "withdrawn"]
      ))
  )

/** Queries the plan of cancelling a resting order. One that no longer rests has a note in place of costs. */
export const useCancelPlan = (vault: VaultRef, { coin, oid }: RestingOrder) =>
  useQuery(
    planQuery("perpetual-cancel", { ...vault, coin, oid }, async (terms, signal) =>
      planOf<Costs & { readonly note?: string }>(
        await call((client) =>
          client.wallet.cancelPerpetualOrder({ ...terms, dryRun: true } as never), signal),
        ["charge"]
      ))
  )

/** Returns how far the liquidation price is from the mark, in percent of it; null where one is not known. */
export const distanceOf = ({ liquidationPrice, markPrice }: Position): number | null =>
  liquidationPrice === null || markPrice === null || Number(markPrice) === 0
    ? null
    : Math.abs(Number(markPrice) - Number(liquidationPrice)) / Number(markPrice) * 100

/** From this distance on, in percent, a position is close to its liquidation. */
export const closeDistance = 10

/** Returns a position's size without its sign, which its side has. */
export const sizeOf = ({ size }: Position): string => size.replace(/^-/, "")

export const sideLabels = { long: t("Long"), short: t("Short") } as const

/** Converts USDC to millionths, as the service does: rounded down. */
const units = (text: string): bigint => {
  const [whole = "0", fraction = ""] = text.split(".")
  return BigInt(`${whole}${fraction.slice(0, 6).padEnd(6, "0")}`)
}

/** Returns what can be withdrawn: it takes first what an incomplete withdrawal left on the spot side. */
export const withdrawableOf = ({ margin }: Account): string => {
  const free = units(margin.withdrawable)
  const text = (units(margin.spotUsdc) + (free > 0n ? free : 0n)).toString().padStart(7, "0")
  return `${text.slice(0, -6)}.${text.slice(-6)}`.replace(/\.?0+$/, "")
}

/** The times in force, in words. */
export const tifLabels = {
  gtc: t("Until filled or cancelled"),
  ioc: t("At once, and what cannot be filled is dropped"),
  alo: t("Only as a resting order")
} as const

/** Names an order by its side and coin. */
export const orderName = ({ coin, side }: { readonly coin: string; readonly side: Side }): string =>
  side === "buy" ? t("Buy {coin}", { coin }) : t("Sell {coin}", { coin })
