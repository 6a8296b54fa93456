/** Endpoints about a wallet's charges and the daily reports of its vaults. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Hash } from "../chain/Address.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import * as BillingParams from "./BillingParams.ts"
import { ChargeStatus } from "./Charge.ts"
import { Day, Total } from "./Report.ts"

/** A charge in responses. Native token amounts are in human units. */
export const ChargeView = Schema.Struct({
  charge_id: Schema.String,
  intent_id: Schema.NullOr(Schema.String),
  order_id: Schema.NullOr(Schema.String),
  network: Schema.String,
  action: Schema.String,
  usd: Schema.Number,
  /** Null until a price is known. */
  native: Schema.NullOr(Schema.String),
  token: Schema.String,
  native_price_usd: Schema.NullOr(Schema.Number),
  price_source: Schema.NullOr(Schema.String),
  status: ChargeStatus,
  settlement_id: Schema.NullOr(Schema.String),
  settlement_tx_hash: Schema.NullOr(Hash),
  created_at: Schema.String
})
export type ChargeView = typeof ChargeView.Type

const id = "01936f5a-0000-7000-8000-000000000000"
const chargeExample: ChargeView = {
  charge_id: id,
  intent_id: id,
  order_id: null,
  network: "base",
  action: "trade",
  usd: 0.1,
  native: "0.000033333333333333",
  token: "ETH",
  native_price_usd: 3000,
  price_source: "platform-oracle",
  status: "settled",
  settlement_id: "01936f5a-0000-7000-8000-000000000001",
  settlement_tx_hash: "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465",
  created_at: "2026-11-20T10:00:01.000Z"
}

const dayExample = {
  actions: 4,
  failed: 1,
  fees_usd: 0.24,
  fees_native: "0.00008",
  gas_native: "0.0009",
  gas_usd: 2.7,
  volume_usd: 2000,
  slippage_usd: 1.2,
  slippage_percent: 0.06
}

const span = {
  from: Schema.optional(BillingParams.Time("Start of the period, inclusive; default: from the beginning.")),
  to: Schema.optional(BillingParams.Time("End of the period, exclusive; default: until now."))
}

export class BillingApi extends RpcGroup.make(
  Endpoint.make("api/cex/chargeFee", {
    origin: "spec",
    class: "movesFunds",
    charge: "exchangeTrade",
    method: "POST",
    summary:
      "Charge the wallet for a trade at an exchange, once per order; the charge is paid with the wallet's other charges.",
    params: {
      apiKey: Params.ApiKey,
      network: Schema.optional(Params.Network),
      action: Schema.optional(BillingParams.Action),
      order_id: Schema.optional(BillingParams.OrderId),
      dryRun: Schema.optional(Params.DryRun)
    },
    success: {
      intent_id: Schema.Null,
      tx_hash: Schema.Null,
      /** Null for a wallet that is exempt from charges. */
      charge_id: Schema.NullOr(Schema.String),
      order_id: Schema.NullOr(Schema.String),
      network: Schema.String,
      charge_usd: Schema.Number,
      charge_native: Schema.NullOr(Schema.String),
      already_charged: Schema.Boolean
    },
    exampleRequest: { network: "base", order_id: "one" },
    example: {
      intent_id: null,
      tx_hash: null,
      message: "Charged 0.1 USD for order coinbase-7f2a91.",
      charge_id: id,
      order_id: "coinbase-7f2a91",
      network: "base",
      charge_usd: 0.1,
      charge_native: "0.000033333333333333",
      already_charged: false
    }
  }),
  Endpoint.make("getCharges", {
    class: "readOnly",
    summary: "The wallet's charges, newest first, in pages: each with its price and payment status.",
    params: {
      apiKey: Params.ApiKey,
      network: Schema.optional(Params.Network),
      ...span,
      limit: Schema.optional(Params.Limit(100, 50)),
      cursor: Schema.optional(Params.Cursor),
      format: Schema.optional(BillingParams.Format)
    },
    success: {
      charges: Schema.Array(ChargeView),
      cursor: Schema.NullOr(Schema.String),
      csv: Schema.NullOr(Schema.String)
    },
    exampleRequest: { limit: 2, format: "csv" },
    example: { charges: [chargeExample], cursor: null, csv: null }
  }),
  Endpoint.make("getReport", {
    class: "readOnly",
    summary:
      "The wallet's activity on one vault, day by day: fees, gas, slippage against the oracle, and the gain of the vault's token.",
    params: {
      apiKey: Params.ApiKey,
      network: Params.Network,
      pool: Params.Pool,
      protocol: Schema.optional(Params.Protocol),
      ...span,
      format: Schema.optional(BillingParams.Format)
    },
    success: { days: Schema.Array(Day), total: Total, csv: Schema.NullOr(Schema.String) },
    example: {
      days: [{ date: "2026-11-20", ...dayExample, token_price: 1.042, pnl_percent: 0.4 }],
      total: { ...dayExample, pnl_percent: 0.4 },
      csv: null
    }
  })
) {}
