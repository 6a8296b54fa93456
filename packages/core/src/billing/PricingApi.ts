/** Endpoints for token prices and action prices. They are open, because they concern no wallet. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { ActionPrice } from "./ActionPrices.ts"
import * as BillingParams from "./BillingParams.ts"

/** The price from one source, and its age. */
const Source = Schema.Struct({ source: Schema.String, price_usd: Schema.Number, age_seconds: Schema.Int })

const price = {
  network: Schema.String,
  token: Schema.String,
  price_usd: Schema.Number,
  source: Schema.String,
  /** By the source's time, or by the time of reading when the source gives none. */
  age_seconds: Schema.Int,
  sources: Schema.Array(Source),
  /** Unix seconds. */
  time: Schema.Int
}

const priceExample = {
  network: "base",
  token: "ETH",
  price_usd: 3000,
  source: "platform-oracle",
  age_seconds: 41,
  sources: [{ source: "platform-oracle", price_usd: 3000, age_seconds: 41 }, {
    source: "uniswapV3-usdc",
    price_usd: 2998.5,
    age_seconds: 0
  }],
  time: 1_763_700_000
}

const fee = {
  action: Schema.String,
  network: Schema.String,
  fee_usd: Schema.Number,
  /**
   * In native human units at the current price; null when no price can be used. The charge is then booked in USD and
   * converted later.
   */
  fee_native: Schema.NullOr(Schema.String),
  token: Schema.String,
  native_price_usd: Schema.NullOr(Schema.Number),
  age_seconds: Schema.NullOr(Schema.Int),
  message: Schema.String
}

const feeExample = {
  action: "vaultTrade",
  network: "base",
  fee_usd: 0.1,
  fee_native: "0.000033333333333333",
  token: "ETH",
  native_price_usd: 3000,
  age_seconds: 2,
  message: "vaultTrade costs 0.1 USD once it is executed."
}

export class PricingApi extends RpcGroup.make(
  Endpoint.make("eth-price", {
    origin: "spec",
    class: "readOnly",
    access: "open",
    summary: "The USD price of one ether, checked against a second source.",
    params: { network: Schema.optional(Params.Network) },
    success: price,
    failsWith: ["price_unavailable"],
    example: priceExample
  }),
  Endpoint.make("token-price", {
    origin: "spec",
    class: "readOnly",
    access: "open",
    path: "/token-price/:network",
    summary:
      "The USD price of one whole token of a network, by default the native one, checked against a second source.",
    params: {
      network: Params.Network,
      token: Schema.optional(Params.Asset("Token, by default the network's native one")),
      asset: Schema.optional(Params.Asset("The same as token"))
    },
    success: { ...price, contract: Address, decimals: Schema.Int },
    exampleRequest: { token: "WETH" },
    failsWith: ["price_unavailable"],
    example: { ...priceExample, contract: "0x4200000000000000000000000000000000000006", decimals: 18 }
  }),
  Endpoint.make("calculate-fee", {
    origin: "spec",
    class: "readOnly",
    access: "open",
    path: "/calculate-fee/:action/:network",
    summary: "The price of an action on a network, in USD and in native token now.",
    params: { action: BillingParams.Action, network: Params.Network },
    success: fee,
    example: feeExample
  }),
  Endpoint.make("api/cex/calculateFee", {
    origin: "spec",
    class: "readOnly",
    access: "open",
    summary: "The price of a trade at an exchange, in USD and in the native token of the payment network now.",
    params: { network: Schema.optional(Params.Network) },
    success: fee,
    example: { ...feeExample, action: "exchangeTrade", message: "exchangeTrade costs 0.1 USD once it is executed." }
  }),
  Endpoint.make("all-actions", {
    origin: "spec",
    class: "readOnly",
    access: "open",
    summary: "Every action with its price class and price.",
    params: {},
    success: { actions: Schema.Array(ActionPrice) },
    example: { actions: [{ action: "vaultTrade", class: "trade", billed: true, path: "/vaultTrade", price_usd: 0.1 }] }
  }),
  Endpoint.make("test", {
    origin: "spec",
    class: "readOnly",
    access: "open",
    path: "/test/:network",
    summary: "Check that a network is served, and how fresh its newest block is.",
    params: { network: Params.Network },
    success: {
      network: Schema.String,
      chain_id: Schema.Int,
      token: Schema.String,
      block: Schema.String,
      /** Unix seconds. */
      block_time: Schema.Int,
      age_seconds: Schema.Int,
      message: Schema.String
    },
    example: {
      network: "base",
      chain_id: 8453,
      token: "ETH",
      block: "38211900",
      block_time: 1_763_700_000,
      age_seconds: 2,
      message: "base answers; its newest block is 2 seconds old."
    }
  })
) {}
