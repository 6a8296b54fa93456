/** Live queries for orders of vaults, and how people read them. */
import type { OrderType } from "@vault-trader/core/vault-order/OrderType"
import type { OrderView } from "@vault-trader/core/vault-order/OrderView"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Client } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import { amount, price, spanOf } from "../shell/Format.ts"
import { t } from "../text/Text.ts"

export type Order = OrderView

/** How many orders a list has at most; older ones are on their vault's page. */
const maxOrders = 200

/** The stream of the newest orders; `cursor` is null when there are no older ones. */
export const ordersQuery = (all: boolean) => ({
  key: ["orders", all],
  watch: (client: Client) => client.live.orders({ all, limit: maxOrders })
})

/** Follows the orders that have not ended. */
export const useOpenOrders = () => {
  const { key, watch } = ordersQuery(false)
  return useLive(key, watch, ({ orders }) => orders)
}

/** Follows an order with its slices and its history, for a wallet of the list: the one that placed it. */
export const useOrder = (order: string, wallet: string | undefined) =>
  useLive(
    ["order", order, wallet],
    wallet === undefined
      ? undefined
      : (client: Client) => client.live["wallet.getOrder"]({ wallet: wallet as Address, order })
  )

export const typeLabels: Readonly<Record<OrderType, { readonly label: string; readonly help: string }>> = {
  limit: { label: t("Limit"), help: t("Trades when the price is as good as yours, or better.") },
  stop_loss: { label: t("Stop loss"), help: t("Sells when the price falls to your stop. Buys when it rises to it.") },
  take_profit: {
    label: t("Take profit"),
    help: t("Sells when the price rises to your target. Buys when it falls to it.")
  },
  bracket: {
    label: t("Bracket"),
    help: t("A stop loss and a take profit; the first one that triggers cancels the other.")
  },
  trailing_stop: {
    label: t("Trailing stop"),
    help: t("Follows the best price at a distance and triggers when it turns.")
  },
  twap: { label: "TWAP", help: t("Trades in equal slices over a duration.") },
  dca: { label: "DCA", help: t("Buys or sells the same amount on a schedule.") },
  iceberg: { label: t("Iceberg"), help: t("Trades in slices as large as the pool bears.") }
}

/** The kinds of orders; by their labels, so that lists of orders load no other module for them. */
export const types = Object.keys(typeLabels) as ReadonlyArray<OrderType>

const stateLabels = {
  open: { label: t("open"), color: "blue" },
  triggered: { label: t("executing"), color: "teal" },
  cancelling: { label: t("cancelling"), color: "orange" },
  done: { label: t("done"), color: "green" },
  cancelled: { label: t("cancelled"), color: "gray" },
  expired: { label: t("expired"), color: "gray" }
} as const

export const stateLabelOf = ({ kill_switch, state }: Pick<Order, "kill_switch" | "state">) =>
  kill_switch === null ? stateLabels[state] : { label: t("stopped"), color: "red" }

/** Returns the asset that an order sells. */
export const soldSymbol = ({ pair, side }: Pick<Order, "pair" | "side">): string =>
  pair.split("-")[side === "sell" ? 0 : 1] ?? ""

export const sizeOf = (order: Order): string =>
  order.share === null
    ? `${amount(order.amount)} ${soldSymbol(order)}`
    : t("{share} % of {order}", { share: order.share, order: soldSymbol(order) })

/** Returns the condition that an order waits for, for people. */
export const conditionOf = (order: Order): string => {
  const quote = order.pair.split("-")[1] ?? ""
  const at = (value: string | null) => `${price(value)} ${quote}`
  switch (order.type) {
    case "limit":
      return t("at {limitPrice} or better", { limitPrice: at(order.limit_price) })
    case "stop_loss":
      return t("at {stopPrice}", { stopPrice: at(order.stop_price) })
    case "take_profit":
      return t("at {takeProfitPrice}", { takeProfitPrice: at(order.take_profit_price) })
    case "bracket":
      return t("{stopPrice} or {takeProfitPrice}", {
        stopPrice: at(order.stop_price),
        takeProfitPrice: at(order.take_profit_price)
      })
    case "trailing_stop":
      return order.trail_percent === null
        ? t("trails by {trailAmount}", { trailAmount: at(order.trail_amount) })
        : t("trails by {trailPercent} %", { trailPercent: order.trail_percent })
    case "twap":
    case "dca":
      return t("{slices} slices, every {span}", { slices: order.slices ?? "?", span: spanOf(order.interval ?? 60) })
    case "iceberg":
      return t("slices of up to {maxImpact} % impact", { maxImpact: order.max_impact ?? "?" })
  }
}

/** Returns how much of an order is executed, in percent; undefined while its size is not known. */
export const progressOf = ({ remaining, sold }: Order): number | undefined => {
  if (remaining === null) return undefined
  const total = Number(sold.amount) + Number(remaining)
  return total === 0 ? 0 : Number(sold.amount) / total * 100
}
