/** Endpoints that tell what tokens are worth and what actions cost. Open: they know nobody's wallet. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { ActionPrice } from "./ActionPrices.ts"
import * as BillingParams from "./BillingParams.ts"

/** What one source says, and how old that is. */
const Source = Schema.Struct({ source: Schema.String, price_usd: Schema.Number, age_seconds: Schema.Int })

const price = {
  network: Schema.String,
  token: Schema.String,
  price_usd: Schema.Number,
  source: Schema.String,
  /** Since the source's own figure was made, or since it was read where the source does not say. */
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
  sources: [{ source: "platform-oracle", price_usd: 3000, age_seconds: 41 }, { source: "uniswapV3-usdc", price_usd: 2998.5, age_seconds: 0 }],
  time: 1_763_700_000
}

const fee = {
  action: Schema.String,
  network: Schema.String,
  fee_usd: Schema.Number,
  /** In native human units at this moment's price; null while no price can be used: then the charge stands in USD and is converted later. */
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
    class: "readOnly",
    access: "open",
    summary: "USD of one ether, held against a second source.",
    params: { network: Schema.optional(Params.Network) },
    success: price,
    example: priceExample
  }),
  Endpoint.make("token-price", {
    class: "readOnly",
    access: "open",
    path: "/token-price/:network",
    summary: "USD of one whole token of a network, the native one unless another is named, held against a second source.",
    params: {
      network: Params.Network,
      token: Schema.optional(Params.Asset("Token, by default the network's native one")),
      asset: Schema.optional(Params.Asset("The same as token"))
    },
    success: { ...price, contract: Address, decimals: Schema.Int },
    example: { ...priceExample, contract: "0x4200000000000000000000000000000000000006", decimals: 18 }
  }),
  Endpoint.make("calculate-fee", {
    class: "readOnly",
    access: "open",
    path: "/calculate-fee/:action/:network",
    summary: "What an action costs on a network, in USD and in native token now.",
    params: { action: BillingParams.Action, network: Params.Network },
    success: fee,
    example: feeExample
  }),
  Endpoint.make("api/cex/calculateFee", {
    class: "readOnly",
    access: "open",
    summary: "What a trade at an exchange costs, in USD and in native token of the paying network now.",
    params: { network: Schema.optional(Params.Network) },
    success: fee,
    example: { ...feeExample, action: "exchangeTrade", message: "exchangeTrade costs 0.1 USD once it is executed." }
  }),
  Endpoint.make("all-actions", {
    class: "readOnly",
    access: "open",
    summary: "Every action with its price class and price.",
    params: {},
    success: { actions: Schema.Array(ActionPrice) },
    example: { actions: [{ action: "vaultTrade", class: "trade", billed: true, path: "/vaultTrade", price_usd: 0.1 }] }
  }),
  Endpoint.make("test", {
    class: "readOnly",
    access: "open",
    path: "/test/:network",
    summary: "Whether a network is served and how fresh its newest block is.",
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
