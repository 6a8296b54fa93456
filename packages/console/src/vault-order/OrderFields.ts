/** The fields of an order's form, and the API's parameters that they are. */
import type { OrderType } from "@vault-trader/core/vault-order/OrderType"
import type { Order } from "./VaultOrders.ts"
import { t } from "../text/Text.ts"

export interface OrderFields {
  readonly type: OrderType
  readonly side: "buy" | "sell"
  readonly base: string
  readonly quote: string
  readonly amount: string
  readonly share: string
  readonly limit_price: string
  readonly stop_price: string
  readonly take_profit_price: string
  readonly trail_percent: string
  readonly activation_price: string
  readonly max_impact: string
  readonly slippage: string
  readonly expires_in: string
  readonly duration: string
  readonly interval: string
  readonly slices: string
  readonly paper: boolean
}

export type FieldName = Exclude<keyof OrderFields, "type" | "side" | "base" | "quote" | "paper">

export const labels: Readonly<Record<FieldName, string>> = {
  amount: t("Amount"),
  share: t("Share of the balance, %"),
  limit_price: t("Limit price"),
  stop_price: t("Stop price"),
  take_profit_price: t("Target price"),
  trail_percent: t("Trail by, %"),
  activation_price: t("Start trailing at"),
  max_impact: t("Max impact of a slice, %"),
  slippage: t("Max slippage, %"),
  expires_in: t("Expires in"),
  duration: t("Duration"),
  interval: t("Every"),
  slices: t("Slices")
}

/** The fields of each kind of order besides its size: those that it needs, and those that it may have. */
const fieldsOf: Readonly<
  Record<OrderType, { readonly needs: ReadonlyArray<FieldName>; readonly may: ReadonlyArray<FieldName> }>
> = {
  limit: { needs: ["limit_price"], may: ["max_impact"] },
  stop_loss: { needs: ["stop_price"], may: ["limit_price"] },
  take_profit: { needs: ["take_profit_price"], may: ["limit_price"] },
  bracket: { needs: ["stop_price", "take_profit_price"], may: [] },
  trailing_stop: { needs: ["trail_percent"], may: ["activation_price"] },
  twap: { needs: ["duration", "slices"], may: ["limit_price"] },
  dca: { needs: ["interval", "slices"], may: ["limit_price"] },
  iceberg: { needs: ["max_impact"], may: ["limit_price"] }
}

/** Parses a kind of order. */
export const typeOf = (text: string | undefined): OrderType | undefined =>
  text !== undefined && Object.hasOwn(fieldsOf, text) ? text as OrderType : undefined

export const needsOf = ({ type }: Pick<OrderFields, "type">): ReadonlyArray<FieldName> => fieldsOf[type].needs
export const mayOf = ({ type }: Pick<OrderFields, "type">): ReadonlyArray<FieldName> => [
  ...fieldsOf[type].may,
  "slippage",
  "expires_in"
]

/** Builds the call's parameters from the fields that the kind has; empty ones keep the API's default. */
export const paramsOf = (fields: OrderFields): Readonly<Record<string, string | boolean>> => {
  const size: FieldName = fields.share.trim() === "" ? "amount" : "share"
  const used = [size, ...needsOf(fields), ...mayOf(fields)]
  return {
    type: fields.type,
    side: fields.side,
    pair: `${fields.base}-${fields.quote}`,
    ...Object.fromEntries(used.flatMap((name) => fields[name].trim() === "" ? [] : [[name, fields[name].trim()]])),
    ...(fields.paper ? { paper: true } : {})
  }
}

/** The fields that can be amended, with their present values. */
export const amendableOf = (order: Order): ReadonlyArray<readonly [name: FieldName, value: string]> => {
  const values: Readonly<Partial<Record<FieldName, string | null>>> = {
    amount: order.share === null ? order.amount : null,
    limit_price: order.limit_price,
    ...(order.trigger === null
      ? {
        stop_price: order.stop_price,
        take_profit_price: order.take_profit_price,
        trail_percent: order.trail_percent === null ? null : String(order.trail_percent),
        activation_price: order.activation_price
      }
      : {}),
    max_impact: order.max_impact === null ? null : String(order.max_impact),
    slippage: String(order.slippage)
  }
  return Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name as FieldName, value]]
  )
}

export const isStable = (symbol: string): boolean => /USD|DAI/.test(symbol)

/** Returns the fields of an order that makes a trade in slices, each as large as the pool bears. */
export const slicesOf = ({ amount, from, slippage, to }: {
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly slippage: string
}): Partial<OrderFields> => ({
  type: "iceberg",
  ...(isStable(from) ? { side: "buy", base: to, quote: from } : { side: "sell", base: from, quote: to }),
  amount,
  slippage
})
