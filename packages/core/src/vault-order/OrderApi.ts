/** The endpoints that place, amend, cancel and show orders of vaults. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { Pair } from "../endpoint/Pair.ts"
import { EventView, OrderView, SliceView } from "./OrderView.ts"
import { amendable, OrderId, Side, Time, Type, Whole } from "./OrderParams.ts"
import { defaults } from "./VaultOrder.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const weth = "0x4200000000000000000000000000000000000006"
const usdc = "0x0b2c639c533813f4aa9d7837caf62653d097ff85"
const about = { apiKey: Params.ApiKey, network: Params.Network, pool: Params.Pool }
const protocol = Schema.optional(Params.Protocol)

/** An order for examples. */
export const viewExample = {
  ...{ id: "01936f5a-0000-7000-8000-000000000001", network: "base", pool, gasWallet: pool },
  ...{ type: "limit", side: "sell", pair: "WETH-USDC", state: "open", paper: false, amount: "1", share: null },
  ...{ limit_price: "3000", stop_price: null, take_profit_price: null, trail_percent: null, trail_amount: null },
  ...{ activation_price: null, slices: null, interval: null, catch_up: false, max_impact: null, slippage: 0.5 },
  ...{ platform: "auto", reduce_only: false, confirmations: 2 },
  sold: { asset: weth, symbol: "WETH", amount: "0", raw: "0" },
  bought: { asset: usdc, symbol: "USDC", amount: "0", raw: "0" },
  ...{ remaining: "1", average_price: null, peak_price: null, trigger: null, slices_made: 0, open_intent_id: null },
  ...{ failures: 0, reason: "It was placed.", kill_switch: null },
  created_at: "2026-11-20T10:00:00.000Z",
  expires_at: "2026-12-20T10:00:00.000Z",
  ended_at: null
}

export class OrderApi extends RpcGroup.make(
  Endpoint.make("placeOrder", {
    class: "movesFunds",
    trader: true,
    method: "POST",
    summary: "Place an order of a vault: it is stored, and executed in slices when its price or its time comes. Each " +
      "slice is an intent, executed and billed like a vaultTrade.",
    params: {
      ...about,
      type: Type,
      pair: Pair,
      side: Side,
      ...Params.sizeParams,
      ...amendable,
      duration: Schema.optional(Time("Of a twap: the time over which it is executed.", "6h")),
      interval: Schema.optional(Time("Of a dca: the time from one purchase to the next.", "1d")),
      slices: Schema.optional(
        Whole(`Number of slices of a twap (default ${defaults.slices}), or of purchases of a dca.`, 1, 1_000, 10)
      ),
      catch_up: Schema.optional(Params.Flag("Make missed purchases of a dca up, one at each check.")),
      platform: Schema.optional(Params.Platform),
      reduce_only: Schema.optional(
        Params.Flag("Of a sale: sell at most what the vault has, and end when it has none left.")
      ),
      confirmations: Schema.optional(Whole(
        "Observations in a row, each of a later block, after which a price triggers a stop, a take-profit or a trailing " +
          `stop; default ${defaults.confirmations}.`,
        1,
        20,
        defaults.confirmations
      )),
      paper: Schema.optional(Params.Flag("Execute on paper: fill slices at the venues' quotes, and send nothing.")),
      protocol,
      dryRun: Schema.optional(Params.DryRun)
    },
    success: { intent_id: Schema.NullOr(Schema.String), data: OrderView },
    exampleRequest: { amount: "1", limit_price: "3000" },
    failsWith: ["asset_not_enabled", "price_unavailable"],
    example: {
      intent_id: null,
      tx_hash: null,
      message: "The limit order to sell WETH-USDC is placed. Call getOrder for its progress.",
      data: viewExample
    }
  }),
  Endpoint.make("amendOrder", {
    class: "changesConfig",
    fromRows: true,
    method: "POST",
    summary:
      "Change terms of an order that has not ended; what is not given stays. The prices of a triggered order's " +
      "trigger cannot be changed.",
    params: {
      apiKey: Params.ApiKey,
      order: OrderId,
      amount: Schema.optional(Params.Amount),
      ...amendable
    },
    success: { data: OrderView, message: Schema.String },
    exampleRequest: { limit_price: "3100" },
    failsWith: ["busy"],
    example: { data: { ...viewExample, limit_price: "3100" }, message: "The order is amended." }
  }),
  Endpoint.make("cancelOrder", {
    class: "changesConfig",
    fromRows: true,
    method: "DELETE",
    summary: "Cancel an order of the vault, or all of them, even when no node answers. After `cancelled` nothing is " +
      "traded; while `cancelling`, a slice in progress ends: one that is not planned is withdrawn, others count.",
    params: { ...about, order: Schema.optional(OrderId), protocol },
    success: { orders: Schema.Array(OrderView), message: Schema.String },
    failsWith: ["rpc_unavailable", "busy"],
    example: {
      orders: [{
        ...viewExample,
        state: "cancelled",
        reason: "It was cancelled.",
        ended_at: "2026-11-20T11:00:00.000Z"
      }],
      message: "Cancelled 1 order."
    }
  }),
  Endpoint.make("getOrders", {
    class: "readOnly",
    fromRows: true,
    summary: "Orders of a vault, the newest first. Other wallets' orders are shown to the vault's own keys only.",
    params: {
      ...about,
      all: Schema.optional(Params.Flag("Include orders that have ended.")),
      limit: Schema.optional(Params.Limit(100, 50)),
      cursor: Schema.optional(Params.Cursor),
      protocol
    },
    success: {
      orders: Schema.Array(OrderView),
      cursor: Schema.NullOr(Schema.String),
      message: Schema.NullOr(Schema.String)
    },
    example: { orders: [viewExample], cursor: null, message: null }
  }),
  Endpoint.make("getOrder", {
    class: "readOnly",
    fromRows: true,
    summary: "An order with its slices and its history, the newest first, a hundred of each at most.",
    params: { apiKey: Params.ApiKey, order: OrderId },
    success: { data: OrderView, slices: Schema.Array(SliceView), events: Schema.Array(EventView) },
    example: {
      data: viewExample,
      slices: [],
      events: [{ at: "2026-11-20T10:00:00.000Z", kind: "placed", reason: "It was placed." }]
    }
  })
) {}
