/** Read endpoints about one vault. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Capabilities } from "../network/Capabilities.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { Holding } from "./Vault.ts"

const address = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"

export class VaultApi extends RpcGroup.make(
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
      "What vaults can do on a network as the vault platform allows it now: venues, lenders, liquidity, shorts, " +
      "leveraged tokens and perpetual contracts. With `pool`, also which of the markets are enabled in that vault (`enabled`).",
    params: { apiKey: Params.ApiKey, network: Params.Network, pool: Schema.optional(Params.Pool) },
    success: Capabilities.fields,
    example: {
      network: "base",
      pool: address,
      venues: [{ platform: "1inch", router: address, allowed: true }],
      lenders: [{ lender: "lenderA", market: address, allowed: true, enabled: true }],
      liquidity: [{ protocol: "uniswapV3", position_manager: address, allowed: false, enabled: false, staking: [] }],
      shorts: [],
      leveraged: [],
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
