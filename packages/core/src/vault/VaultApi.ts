/** Endpoints about one vault: what it holds and can do, and which assets it may hold. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address, parse as parseAddress } from "../chain/Address.ts"
import { Capabilities } from "../network/Capabilities.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { Holding } from "./Vault.ts"

const address = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"

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
    gas_used: Schema.NullOr(Schema.String),
    gas_cost: Schema.NullOr(Schema.String),
    charge_usd: Schema.Number
  }
} as const

const dai = "0x50c5725949a6f0c72e6c4a641f24049a917db0cb"
const changeExample = (enabled: boolean) => ({
  intent_id: "01936f5a-0000-7000-8000-000000000000",
  tx_hash: "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465" as const,
  message: `DAI (${dai}) is ${enabled ? "enabled" : "disabled"} in the vault.`,
  asset: dai,
  symbol: "DAI",
  enabled,
  gas_used: "110000",
  gas_cost: "0.00011",
  charge_usd: 0
} as const)

export class VaultApi extends RpcGroup.make(
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
  }),
  Endpoint.make("isPoolTrader", {
    origin: "spec",
    class: "readOnly",
    summary: "Whether an address is the vault's authorised trader on chain.",
    params: {
      apiKey: Params.ApiKey,
      network: Params.Network,
      pool: Params.Pool,
      trader: Params.AddressOf("trader to check"),
      protocol: Schema.optional(Params.Protocol)
    },
    success: {
      data: Schema.Struct({
        network: Schema.String,
        pool: Address,
        trader: Address,
        poolTrader: Schema.NullOr(Address),
        manager: Address,
        isTrader: Schema.Boolean
      }),
      message: Schema.String
    },
    example: {
      data: { network: "base", pool: address, trader: address, poolTrader: address, manager: address, isTrader: true },
      message: `${address} is the vault's trader.`
    }
  }),
  Endpoint.make("getCapabilities", {
    class: "readOnly",
    summary:
      "What vaults can do on a network as the vault platform allows it now: venues, lenders, liquidity, shorts " +
      "and perpetual contracts. With `pool`, also which of the markets are enabled in that vault (`enabled`).",
    params: { apiKey: Params.ApiKey, network: Params.Network, pool: Schema.optional(Params.Pool) },
    success: Capabilities.fields,
    example: {
      network: "base",
      pool: address,
      venues: [{ platform: "1inch", router: address, allowed: true }],
      lenders: [{ lender: "lenderA", market: address, allowed: true, enabled: true }],
      liquidity: [{ protocol: "uniswapV3", position_manager: address, allowed: false, enabled: false }],
      shorts: [],
      perpetuals: null
    }
  }),
  Endpoint.make("poolComposition", {
    origin: "spec",
    class: "readOnly",
    summary: "The vault's holdings: symbols resolved, amounts in human units, priced by the vault's own oracle.",
    params: {
      apiKey: Params.ApiKey,
      pool: Params.Pool,
      network: Params.Network,
      protocol: Schema.optional(Params.Protocol)
    },
    success: {
      composition: Schema.Array(Holding),
      total_value_usd: Schema.NullOr(Schema.Number),
      block: Schema.Int
    },
    example: {
      composition: [{
        asset: address,
        isDeposit: true,
        assetPair: "USDC-USD",
        symbol: "USDC",
        amount: "1000",
        price: 1,
        value_usd: 1000,
        kind: "token",
        reason: null,
        asset_type: 4,
        label: "USDC",
        positions: []
      }],
      total_value_usd: 1000,
      block: 123
    }
  })
) {}
