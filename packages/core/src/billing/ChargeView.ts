/** Charges in the wire format, and as a CSV table. */
import { facts } from "../chain/Network.ts"
import { format } from "../chain/Quantity.ts"
import type { ChargeView } from "./BillingApi.ts"
import type { Charge } from "./ChargeStore.ts"
import { csv } from "./Csv.ts"

/** References carry the origin of the name: `order/…` is the caller's order id, `key/…` an idempotency key. */
export const orderReference = (orderId: string): string => `order/${orderId}`
export const keyReference = (idempotencyKey: string): string => `key/${idempotencyKey}`

const orderOf = (reference: string | null) =>
  reference === null || !reference.startsWith("order/") ? null : reference.slice("order/".length)

export const viewOf = (charge: Charge): ChargeView => ({
  charge_id: charge.id,
  intent_id: charge.intentId,
  order_id: orderOf(charge.reference),
  network: charge.network,
  action: charge.action,
  usd: charge.usd,
  native: charge.nativeWei === null ? null : format(charge.nativeWei, 18),
  token: facts[charge.network].native,
  native_price_usd: charge.nativePriceUsd,
  price_source: charge.priceSource,
  status: charge.status,
  settlement_id: charge.settlementId,
  settlement_tx_hash: charge.settlementHash,
  created_at: charge.createdAt.toISOString()
})

const columns = [
  ...["charge_id", "intent_id", "order_id", "network", "action", "usd", "native", "token", "native_price_usd"] as const,
  ...["price_source", "status", "settlement_id", "settlement_tx_hash", "created_at"] as const
]

export const chargesCsv = (charges: ReadonlyArray<ChargeView>): string => csv(columns, charges)
