/** The endpoints that trade a vault's assets, and change which assets it may hold. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address, parse as parseAddress } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Quantity } from "../chain/Quantity.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { names as venueNames } from "../venue/VenueName.ts"
import { AgainstOracle, Redeemed, SkippedVenue } from "./Trading.ts"

const hash = "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465"
const executedExample = { intent_id: "01936f5a-0000-7000-8000-000000000000", tx_hash: hash }
const usdc = { asset: "0x0b2c639c533813f4aa9d7837caf62653d097ff85", symbol: "USDC", amount: "1000", raw: "1000000000" }
const weth = {
  asset: "0x4200000000000000000000000000000000000006",
  symbol: "WETH",
  amount: "0.332",
  raw: "332000000000000000"
}

/** The spender of an approval. The lenders' brands are configuration, so the handler checks the names. */
const Spender = Param.make(Schema.String, {
  accepts: "auto, the name of a venue, lenderA, lenderB, lenderC or the brand name of one of them",
  description:
    `The spender: a venue (${
      venueNames.join(", ")
    }; refused if it is unavailable), \`auto\` (the default: the first venue of the ` +
    "network's fallback chain that is available; retired venue names mean \`auto\` too), or a lending market: " +
    "lenderA, lenderB, lenderC, or the configured brand name of one of them.",
  example: "auto",
  jsonSchema: { type: "string", default: "auto" },
  read: (text) => /^[A-Za-z0-9]{1,32}$/.test(text) ? text : undefined,
  show: (value) => value
})

/** Gas a transaction used, in gas units, and what it cost in native human units. */
const spent = {
  gas_used: Schema.NullOr(Schema.String),
  gas_cost: Schema.NullOr(Schema.String),
  charge_usd: Schema.Number
}

/** An asset by symbol or address. Unlike the asset of a trade it need not be a token, and the vault need not know it. */
const ChangedAsset = Param.make(Schema.String, {
  accepts: "a token symbol (letters, digits, '.', '$', '_' or '-') or a contract address",
  description:
    "Asset: a token symbol, or the address of a token, a lending market (getCapabilities lists them) or a position manager.",
  example: "DAI",
  jsonSchema: { type: "string", minLength: 1, maxLength: 42 },
  read: (text) =>
    parseAddress(text) ?? (/^[A-Za-z0-9.$_-]{1,32}$/.test(text) && !/^0[xX]/.test(text) ? text : undefined),
  show: (value) => value
})

const change = {
  class: "movesFunds",
  trader: true,
  method: "POST",
  params: {
    apiKey: Params.ApiKey,
    network: Params.Network,
    pool: Params.Pool,
    asset: ChangedAsset,
    protocol: Schema.optional(Params.Protocol),
    dryRun: Schema.optional(Params.DryRun),
    valid_for: Schema.optional(Params.ValidFor)
  },
  success: {
    asset: Address,
    /** Null for an asset that is not a token. */
    symbol: Schema.NullOr(Schema.String),
    enabled: Schema.Boolean,
    ...spent
  }
} as const

const dai = "0x50c5725949a6f0c72e6c4a641f24049a917db0cb"
const changeExample = (enabled: boolean) => ({
  intent_id: "01936f5a-0000-7000-8000-000000000000",
  tx_hash: hash,
  message: `DAI (${dai}) is ${enabled ? "enabled" : "disabled"} in the vault.`,
  asset: dai,
  symbol: "DAI",
  enabled,
  gas_used: "110000",
  gas_cost: "0.00011",
  charge_usd: 0
} as const)

export class TradingApi extends RpcGroup.make(
  Endpoint.make("vaultTrade", {
    origin: "spec",
    class: "movesFunds",
    charge: "trade",
    trader: true,
    summary: "Swap one vault asset for another on the named venue, or on the first available venue of the network's " +
      "fallback chain; returns the amounts actually sold and bought.",
    params: {
      apiKey: Params.ApiKey,
      pool: Params.Pool,
      from: Params.Asset("Asset to sell"),
      to: Params.Asset("Asset to buy"),
      network: Schema.optional(Params.Network),
      protocol: Schema.optional(Params.Protocol),
      platform: Schema.optional(Params.Platform),
      slippage: Schema.optional(Params.Slippage),
      ...Params.sizeParams,
      dryRun: Schema.optional(Params.DryRun),
      valid_for: Schema.optional(Params.ValidFor),
      duplicate: Schema.optional(Params.Flag(
        "Make a second trade although an identical one is unfinished. Without it, and without idempotency_key, a " +
          "request that equals an unfinished trade is answered with that trade."
      ))
    },
    success: {
      network: Network,
      venue: Schema.String,
      route: Schema.Array(Schema.String),
      sold: Quantity,
      bought: Quantity,
      min_out: Quantity,
      passed_over: Schema.Array(SkippedVenue),
      /** Absent for trades before this was recorded. */
      oracle: Schema.optional(Schema.NullOr(AgainstOracle)),
      /** Of a pool token that was redeemed in two transactions: the first one, and everything that was paid out. */
      redemption: Schema.optional(Redeemed),
      ...spent
    },
    quoted: { network: Network },
    exampleRequest: { network: "base", to: "DAI", amount: "3.5" },
    failsWith: [
      "insufficient_balance",
      "no_route",
      "slippage_exceeded",
      "asset_not_enabled",
      "venue_not_allowed",
      "slippage_budget_exceeded",
      "price_unavailable"
    ],
    example: {
      ...executedExample,
      message: "Sold 1000 USDC for 0.332 WETH on uniswapV3.",
      network: "base",
      venue: "uniswapV3",
      route: ["USDC", "500", "WETH"],
      sold: usdc,
      bought: weth,
      min_out: { ...weth, amount: "0.3316", raw: "331600000000000000" },
      passed_over: [{ venue: "1inch", reason: "HTTP 429" }],
      oracle: { sold_usd: 1000, bought_usd: 996, slippage_percent: 0.4 },
      gas_used: "210000",
      gas_cost: "0.00021",
      charge_usd: 0.1
    }
  }),
  Endpoint.make("approve", {
    origin: "spec",
    class: "movesFunds",
    charge: "approve",
    trader: true,
    method: "POST",
    summary:
      "Approve an asset of the vault for a venue or lending market; needed once per asset and spender. `amount=0` revokes.",
    params: {
      apiKey: Params.ApiKey,
      network: Params.Network,
      pool: Params.Pool,
      asset: Params.Asset("Asset to approve"),
      platform: Schema.optional(Spender),
      protocol: Schema.optional(Params.Protocol),
      amount: Schema.optional(Params.Allowance),
      dryRun: Schema.optional(Params.DryRun),
      valid_for: Schema.optional(Params.ValidFor)
    },
    success: {
      venue: Schema.String,
      spender: Schema.String,
      asset: Schema.String,
      symbol: Schema.String,
      allowance: Schema.String,
      ...spent
    },
    failsWith: ["asset_not_enabled", "venue_not_allowed", "market_not_available"],
    example: {
      ...executedExample,
      message: "uniswapV3 may now take USDC from the vault.",
      venue: "uniswapV3",
      spender: "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45",
      asset: usdc.asset,
      symbol: "USDC",
      allowance: "unlimited",
      gas_used: "106000",
      gas_cost: "0.000106",
      charge_usd: 0.02
    }
  }),
  Endpoint.make("enableAsset", {
    ...change,
    summary: "Let the vault hold an asset that the vault platform supports: by its trader, unless its manager has " +
      "disabled that, or by its manager.",
    failsWith: ["asset_not_enabled", "venue_not_allowed", "market_not_available"],
    exampleRequest: { asset: "AAVE" },
    example: changeExample(true)
  }),
  Endpoint.make("disableAsset", {
    ...change,
    summary: "End that the vault may hold an asset, of which it must have none.",
    failsWith: ["venue_not_allowed", "price_unavailable", "transaction_reverted"],
    exampleRequest: { asset: "AAVE" },
    example: changeExample(false)
  })
) {}
