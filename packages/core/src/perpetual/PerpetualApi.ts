/** The endpoints that trade perpetual contracts with a vault's funds, and read their state from HyperCore. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Quantity } from "../chain/Quantity.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { ListedMarket, PerpetualAccount, RestingOrder } from "./PerpetualAccount.ts"
import {
  Cloid,
  Coin,
  Network,
  Oid,
  Price,
  ReduceOnly,
  Side,
  Size,
  Slippage,
  defaultNetwork,
  Tif,
  Usd
} from "./PerpetualParams.ts"

const hash = "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465"
const intentId = "01936f5a-0000-7000-8000-000000000000"
const cloid = "0x01936f5a000070008000000000000000"
const executed = { intent_id: intentId, tx_hash: hash }
const usdc = { asset: "0xb88339cb7199b77e23db6e890353e22632ba630f", symbol: "USDC", amount: "1000", raw: "1000000000" }

const about = {
  apiKey: Params.ApiKey,
  pool: Params.Pool,
  network: Schema.optional(Network),
  protocol: Schema.optional(Params.Protocol)
}
const simulated = {
  dryRun: Schema.optional(Params.DryRun),
  valid_for: Schema.optional(Params.ValidFor)
}
const spent = {
  gas_used: Schema.NullOr(Schema.String),
  gas_cost: Schema.NullOr(Schema.String),
  charge_usd: Schema.Number
}
const spentExample = (charge_usd: number) => ({ gas_used: "310000", gas_cost: "0.000031", charge_usd })

const write = { class: "movesFunds", trader: true, method: "POST", network: defaultNetwork } as const
const read = { class: "readOnly", network: defaultNetwork } as const

/** An order as responses show it; sizes in coins, prices in USD. */
const order = {
  coin: Schema.String,
  side: Schema.Literals(["buy", "sell"]),
  cloid: Schema.String,
  oid: Schema.NullOr(Schema.String),
  /** HyperCore's status: open, filled, canceled. */
  order_status: Schema.String,
  size: Schema.String,
  limit_price: Schema.String,
  filled: Schema.String,
  /** Null when nothing is filled, or when the fills are not known yet. */
  average_price: Schema.NullOr(Schema.String)
}
const orderExample = {
  coin: "ETH",
  side: "buy",
  cloid,
  oid: "91490942",
  order_status: "filled",
  size: "0.25",
  limit_price: "3015",
  filled: "0.25",
  average_price: "3000.4"
}

export class PerpetualApi extends RpcGroup.make(
  Endpoint.make("depositToPerpetuals", {
    ...write,
    summary:
      "Move USDC from the vault to its account at HyperCore as margin for perpetual contracts; approval and deposit are one transaction.",
    params: { ...about, ...Params.sizeParams, ...simulated },
    success: { deposited: Quantity, ...spent },
    exampleRequest: { amount: "10" },
    failsWith: ["insufficient_balance", "asset_not_enabled", "venue_not_allowed", "market_not_available"],
    example: { ...executed, message: "Deposited 1000 USDC; HyperCore has it.", deposited: usdc, ...spentExample(0) }
  }),
  Endpoint.make("placePerpetualOrder", {
    ...write,
    charge: "trade",
    summary:
      "Buy or sell a perpetual contract with the vault's margin. Success is determined by HyperCore's own state " +
      "of the order, never by the transaction alone.",
    params: {
      ...about,
      coin: Coin,
      side: Side,
      size: Schema.optional(Size),
      usd: Schema.optional(Usd),
      price: Schema.optional(Price),
      tif: Schema.optional(Tif),
      reduce_only: Schema.optional(ReduceOnly),
      slippage: Schema.optional(Slippage),
      ...simulated
    },
    success: { ...order, tif: Schema.String, reduce_only: Schema.Boolean, ...spent },
    exampleRequest: { usd: "50" },
    failsWith: [
      "insufficient_balance",
      "slippage_exceeded",
      "asset_not_enabled",
      "venue_not_allowed",
      "position_not_found",
      "market_not_available",
      "exchange_error",
      "exchange_rejected"
    ],
    example: {
      ...executed,
      message: "Bought 0.25 ETH at 3000.4 on average.",
      ...orderExample,
      tif: "ioc",
      reduce_only: false,
      ...spentExample(0.1)
    }
  }),
  Endpoint.make("cancelPerpetualOrder", {
    ...write,
    summary: "Cancel a resting order, identified by `intent_id`, `cloid` or `oid`.",
    params: {
      ...about,
      coin: Coin,
      intent_id: Schema.optional(Params.IntentId),
      cloid: Schema.optional(Cloid),
      oid: Schema.optional(Oid),
      ...simulated
    },
    success: { ...order, cloid: Schema.NullOr(Schema.String), ...spent },
    exampleRequest: { oid: "1" },
    failsWith: [
      "asset_not_enabled",
      "venue_not_allowed",
      "position_not_found",
      "market_not_available",
      "exchange_error",
      "exchange_rejected"
    ],
    example: {
      ...executed,
      message: "Cancelled; 0 of 0.25 ETH had been filled.",
      ...orderExample,
      order_status: "canceled",
      filled: "0",
      average_price: null,
      ...spentExample(0)
    }
  }),
  Endpoint.make("withdrawFromPerpetuals", {
    ...write,
    summary: "Move USDC that no position needs from the vault's account at HyperCore back into the vault.",
    params: { ...about, ...Params.sizeParams, ...simulated },
    success: { withdrawn: Quantity, ...spent },
    exampleRequest: { amount: "10" },
    failsWith: [
      "insufficient_balance",
      "asset_not_enabled",
      "venue_not_allowed",
      "market_not_available",
      "exchange_error",
      "exchange_rejected"
    ],
    example: {
      ...executed,
      message: "HyperCore has sent 1000 USDC to the vault; they arrive within seconds.",
      withdrawn: usdc,
      ...spentExample(0)
    }
  }),
  Endpoint.make("getPerpetualPositions", {
    ...read,
    summary: "The vault's margin and positions at HyperCore, at HyperCore's own time.",
    params: about,
    success: { data: PerpetualAccount },
    failsWith: ["market_not_available", "exchange_error"],
    example: {
      data: {
        margin: {
          accountValue: "1003.2",
          totalPositionValue: "750.1",
          totalMarginUsed: "37.5",
          withdrawable: "965.7",
          spotUsdc: "0"
        },
        positions: [{
          coin: "ETH",
          side: "long",
          size: "0.25",
          entryPrice: "3000.4",
          markPrice: "3001.1",
          positionValue: "750.27",
          unrealizedPnl: "0.17",
          marginUsed: "37.5",
          leverage: 20,
          liquidationPrice: null
        }],
        time: 1_795_000_000_000
      }
    }
  }),
  Endpoint.make("getPerpetualOrders", {
    ...read,
    summary: "The vault's resting orders at HyperCore, newest first.",
    params: about,
    success: { orders: Schema.Array(RestingOrder) },
    failsWith: ["market_not_available", "exchange_error"],
    example: {
      orders: [{
        oid: "91490942",
        cloid,
        intent_id: intentId,
        coin: "ETH",
        side: "buy",
        price: "2900",
        size: "0.25",
        remaining: "0.25",
        reduce_only: false,
        tif: "gtc",
        placed_at: 1_795_000_000
      }]
    }
  }),
  Endpoint.make("getPerpetualMarkets", {
    ...read,
    summary: "The listed perpetual contracts, with their size decimals and current prices.",
    params: { apiKey: Params.ApiKey, network: Schema.optional(Network) },
    success: { markets: Schema.Array(ListedMarket) },
    failsWith: ["market_not_available", "exchange_error"],
    example: {
      markets: [{
        coin: "ETH",
        asset_id: 1,
        size_decimals: 4,
        max_leverage: 25,
        isolated_only: false,
        mark_price: "3001.1",
        mid_price: "3001.05",
        oracle_price: "3000.9",
        funding: "0.0000125",
        open_interest: "512000.12"
      }]
    }
  })
) {}
