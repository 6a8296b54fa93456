/** Exchange orders and bots in the form of API responses. */
import type { ExchangeBot } from "@vault-trader/core/exchange/ExchangeAccount"
import { show } from "@vault-trader/core/exchange/ExchangeDecision"
import { executionCodes } from "@vault-trader/core/failure/Failure"
import type { OrderView } from "@vault-trader/core/exchange/ExchangeApi"
import { type ExchangeOrder, isOver } from "@vault-trader/core/exchange/ExchangeOrder"
import type * as BigDecimal from "effect/BigDecimal"

const decimal = (value: BigDecimal.BigDecimal | null) => value === null ? null : show(value)

/** Returns `fail` for orders that the exchange or a limit refused, or that never arrived; those exchanged nothing. */
const statusOf = ({ status }: ExchangeOrder): "pending" | "success" | "fail" =>
  !isOver(status) ? "pending" : status === "closed" || status === "held" ? "success" : "fail"

const unfinished = {
  accepted: "Accepted; not yet decided.",
  decided: "Decided; not yet sent.",
  sending: "Sent to the exchange; its answer is awaited."
} as const

export const messageOf = ({ message, status }: ExchangeOrder): string =>
  status === "accepted" || status === "decided" || status === "sending" ? unfinished[status] : message ?? ""

export const orderOf = (order: ExchangeOrder): OrderView => ({
  intent_id: order.id,
  pair: order.pair,
  status: statusOf(order),
  state: order.status,
  side: order.side,
  amount: decimal(order.amount),
  limit: decimal(order.limit),
  client_order_id: order.clientId,
  exchange_order_id: order.exchangeOrderId,
  filled: decimal(order.filled),
  cost: decimal(order.cost),
  fees: order.fees,
  charge_usd: decimal(order.chargeUsd),
  message: messageOf(order),
  created_at: order.createdAt.toISOString(),
  updated_at: order.updatedAt.toISOString()
})

/** Returns an order as an entry of `getIntents`, without network, vault and transaction. */
export const summaryOf = (order: ExchangeOrder) => ({
  intent_id: order.id,
  endpoint: "setCEXSide",
  status: statusOf(order),
  network: null,
  pool: null,
  tx_hash: null,
  message: messageOf(order),
  created_at: order.createdAt.toISOString(),
  updated_at: order.updatedAt.toISOString()
})

/** Returns an order as `getIntent` does. */
export const intentOf = (order: ExchangeOrder) => ({
  ...summaryOf(order),
  result: statusOf(order) === "success" ? { ...orderOf(order) } : null,
  failure: statusOf(order) !== "fail" ? null : {
    status_code: executionCodes[order.failure?.errorType ?? "exchange_error"],
    error_type: order.failure?.errorType ?? "exchange_error",
    message: messageOf(order)
  }
})

/** Returns the sentence about a bot that was set. */
export const setMessage = ({ pair, side, strategy }: ExchangeBot) =>
  strategy !== "custom"
    ? `The bot of ${pair} follows ${strategy}; its first decision is in progress. Call getIntent for the outcome.`
    : side === "hold"
    ? `The bot of ${pair} is set to hold: it does nothing until it is set to a side.`
    : `The bot of ${pair} is set to ${side}; its first decision is in progress. Call getIntent for the outcome.`
