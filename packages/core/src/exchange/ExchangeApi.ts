/** Endpoints for accounts at centralized exchanges and their bots. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { Balance, ExchangeAccountView, ExchangeBotView } from "./ExchangeAccount.ts"
import { Fee } from "./ExchangeOrder.ts"
import * as ExchangeParams from "./ExchangeParams.ts"

const address = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const id = "01936f5a-0000-7000-8000-000000000000"

const bot = {
  pair: "BTC-USDT",
  side: "long",
  strategy: "custom",
  max_usd: 1000,
  share: 50,
  take_profit: 10,
  stop_loss: 5,
  exit: null,
  active: true,
  paused_reason: null,
  last_decision: null,
  last_intent_id: id
}
const subaccount = {
  subaccount_name: "main-btc",
  exchange: "binance",
  manager: address,
  gas_wallet: address,
  payment_network: "base",
  settings: { testnet: false, slippage: 0.5 },
  created_at: "2026-11-20T10:00:00.000Z"
}

/** A turn and its order in responses. Quantities are exact decimals, null until known. */
export const OrderView = Schema.Struct({
  intent_id: Schema.String,
  pair: Schema.String,
  status: Schema.Literals(["pending", "success", "fail"]),
  state: Schema.String,
  side: Schema.NullOr(Schema.String),
  amount: Schema.NullOr(Schema.String),
  limit: Schema.NullOr(Schema.String),
  client_order_id: Schema.NullOr(Schema.String),
  exchange_order_id: Schema.NullOr(Schema.String),
  filled: Schema.NullOr(Schema.String),
  cost: Schema.NullOr(Schema.String),
  fees: Schema.NullOr(Schema.Array(Fee)),
  charge_usd: Schema.NullOr(Schema.String),
  message: Schema.String,
  created_at: Schema.String,
  updated_at: Schema.String
})
export type OrderView = typeof OrderView.Type

export class ExchangeApi extends RpcGroup.make(
  Endpoint.make("registerCEXSubaccount", {
    origin: "spec",
    class: "changesConfig",
    access: "apiKeyAndManager",
    subject: "subaccount_name",
    method: "POST",
    methods: ["POST"],
    summary: "Connect an account at an exchange to a gas wallet. Its balances are read from the exchange before " +
      "anything is stored; keys with withdrawal rights are refused if the exchange reports those rights.",
    params: {
      ...Params.managerParams,
      gas_wallet_api_key: ExchangeParams.GasWalletApiKey,
      exchange: ExchangeParams.Exchange,
      subaccount_name: ExchangeParams.SubaccountName,
      cex_api_key: ExchangeParams.CexApiKey,
      cex_secret: ExchangeParams.CexSecret,
      cex_passphrase: Schema.optional(ExchangeParams.CexPassphrase),
      payment_network: Schema.optional(Params.Network),
      settings: Schema.optional(ExchangeParams.Settings)
    },
    success: { data: ExchangeAccountView, balances: Schema.Array(Balance), message: Schema.String },
    failsWith: ["exchange_error", "exchange_rejected"],
    example: {
      data: subaccount,
      balances: [{ asset: "USDT", free: "1000" }],
      message: "main-btc on binance is connected."
    }
  }),
  Endpoint.make("setCEXSide", {
    origin: "spec",
    class: "movesFunds",
    method: "POST",
    summary:
      "Keep one side of a pair on an exchange account: sets the bot and starts a turn at once; an executed order " +
      "is billed as an exchange trade.",
    params: {
      ...ExchangeParams.account,
      pair: ExchangeParams.Pair,
      side: ExchangeParams.SideParam,
      max_usd: ExchangeParams.MaxUsd,
      share: Params.Share,
      strategy: Schema.optional(ExchangeParams.Strategy),
      take_profit: Schema.optional(ExchangeParams.TakeProfit),
      stop_loss: Schema.optional(ExchangeParams.StopLoss)
    },
    success: { data: ExchangeBotView },
    exampleRequest: { side: "hold", share: 50 },
    failsWith: ["limit_exceeded", "exchange_error", "exchange_rejected", "paused"],
    example: {
      intent_id: id,
      tx_hash: null,
      message: "The bot of BTC-USDT is set to long; its turn is in progress. Call getIntent for the outcome.",
      data: bot
    }
  }),
  Endpoint.make("getCEXSide", {
    origin: "spec",
    class: "readOnly",
    summary:
      "The bots of an exchange account, or the bot of one pair: their settings and their last decision with its reason.",
    params: { ...ExchangeParams.account, pair: ExchangeParams.optionalPair },
    success: { bots: Schema.Array(ExchangeBotView) },
    example: { bots: [bot] }
  }),
  Endpoint.make("setCEXStrategy", {
    origin: "spec",
    class: "changesConfig",
    method: "POST",
    summary: "Choose what sets an exchange bot's side: setCEXSide (custom) or a named strategy.",
    params: { ...ExchangeParams.account, pair: ExchangeParams.Pair, strategy: ExchangeParams.Strategy },
    success: { data: ExchangeBotView, message: Schema.String },
    example: { data: { ...bot, strategy: "trend" }, message: "The bot of BTC-USDT follows trend." }
  }),
  Endpoint.make("deactivateCEXBot", {
    origin: "spec",
    class: "changesConfig",
    method: "POST",
    summary:
      "Stop an exchange bot and keep its configuration; setCEXSide reactivates it. An order in progress is tracked until it is final.",
    params: { ...ExchangeParams.account, pair: ExchangeParams.Pair },
    success: { data: ExchangeBotView, message: Schema.String },
    example: {
      data: { ...bot, active: false },
      message: "The bot of BTC-USDT is deactivated; setCEXSide reactivates it."
    }
  }),
  Endpoint.make("deleteCEXBot", {
    origin: "spec",
    class: "changesConfig",
    method: "DELETE",
    summary: "Remove an exchange bot. An order in progress is tracked until it is final.",
    params: { ...ExchangeParams.account, pair: ExchangeParams.Pair },
    success: { removed: Schema.Array(Schema.String), message: Schema.String },
    example: { removed: ["BTC-USDT"], message: "Removed the bot of BTC-USDT." }
  }),
  Endpoint.make("deleteCEXSubaccount", {
    origin: "spec",
    class: "changesConfig",
    access: "manager",
    subject: "subaccount_name",
    method: "DELETE",
    summary: "Remove an exchange account, its credentials and all its bots. Signed by the manager who connected it.",
    params: { ...Params.managerParams, subaccount_name: ExchangeParams.SubaccountName },
    success: { removed: Schema.Array(Schema.String), message: Schema.String },
    failsWith: ["busy"],
    example: { removed: ["BTC-USDT"], message: "Removed main-btc and its bots." }
  }),
  Endpoint.make("getAllCEXSubaccounts", {
    origin: "spec",
    class: "readOnly",
    access: "apiKeyOrManager",
    summary:
      "The exchange accounts of the key's wallet, or all that the signing manager registered, with their bots. " +
      "Credentials are never shown.",
    params: {
      gas_wallet_api_key: Schema.optional(ExchangeParams.GasWalletApiKey),
      manager: Schema.optional(Params.managerParams.manager),
      signature: Schema.optional(Params.managerParams.signature)
    },
    success: {
      subaccounts: Schema.Array(Schema.Struct({ ...ExchangeAccountView.fields, bots: Schema.Array(ExchangeBotView) }))
    },
    example: { subaccounts: [{ ...subaccount, bots: [bot] }] }
  }),
  Endpoint.make("getCEXOrders", {
    class: "readOnly",
    summary: "The turns and orders of an exchange account, newest first, in pages: decisions, orders sent and fills.",
    params: {
      ...ExchangeParams.account,
      pair: ExchangeParams.optionalPair,
      limit: Schema.optional(Params.Limit(100, 20)),
      cursor: Schema.optional(Params.Cursor)
    },
    success: { orders: Schema.Array(OrderView), cursor: Schema.NullOr(Schema.String) },
    example: {
      orders: [{
        intent_id: id,
        pair: "BTC-USDT",
        status: "success",
        state: "closed",
        side: "buy",
        amount: "0.01",
        limit: "60300",
        client_order_id: "v0abcdefghijklmnopqrstuvwx",
        exchange_order_id: "1000",
        filled: "0.01",
        cost: "600.12",
        fees: [{ currency: "BTC", amount: "0.00001" }],
        charge_usd: "0.1",
        message: "Bought 0.01 BTC for 600.12 USDT.",
        created_at: "2026-11-20T10:00:00.000Z",
        updated_at: "2026-11-20T10:00:01.000Z"
      }],
      cursor: null
    }
  })
) {}
