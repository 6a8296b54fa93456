/** The endpoints for lenders' rates and vaults' yields. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Network } from "../chain/Network.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { EstimatedYield, TotalYield, Yield } from "./Yields.ts"

const usdc = "0x0b2c639c533813f4aa9d7837caf62653d097ff85"
const market = "0x794a61358d6845594f94dc1db02a252b5b4814ad"
const about = {
  apiKey: Params.ApiKey,
  network: Schema.optional(Params.Network),
  pool: Params.Pool,
  protocol: Schema.optional(Params.Protocol)
}

export class YieldsApi extends RpcGroup.make(
  Endpoint.make("getAllYields", {
    origin: "spec",
    class: "readOnly",
    everyNetwork: true,
    summary:
      "The current supply and borrow rates of every asset at every lender of the network, or of every configured " +
      "network, in percent per year.",
    params: { apiKey: Params.ApiKey, network: Schema.optional(Params.Network) },
    success: {
      yields: Schema.Array(Schema.Struct({ network: Network, ...Yield.fields })),
      /** The networks that could not be read, when all were requested. */
      unread: Schema.Array(Schema.Struct({ network: Network, reason: Schema.String }))
    },
    exampleRequest: { network: "base" },
    example: {
      unread: [],
      yields: [{
        network: "base",
        lender: "lenderA",
        market,
        asset: usdc,
        symbol: "USDC",
        supply_apr: 3.2,
        supply_apy: 3.25,
        borrow_apr: 4.6,
        borrow_apy: 4.71,
        note: null
      }]
    }
  }),
  Endpoint.make("getEstimatedAnualYield", {
    origin: "spec",
    class: "readOnly",
    everyNetwork: true,
    summary:
      "The yearly yield of the vault's positions with lenders at current rates, in percent of the vault's total value.",
    params: about,
    success: { network: Network, data: EstimatedYield, message: Schema.String },
    exampleRequest: { network: "base" },
    failsWith: ["price_unavailable"],
    example: {
      network: "base",
      data: {
        apy: 1.62,
        total_value_usd: 2000,
        annual_usd: 32.5,
        positions: [
          {
            lender: "lenderA",
            market,
            asset: usdc,
            symbol: "USDC",
            side: "supplied",
            amount: "1000",
            value_usd: 1000,
            apy: 3.25
          }
        ]
      },
      message: "At today's rates the vault's lending earns 1.62 % of its value a year."
    }
  }),
  Endpoint.make("getTotalYield", {
    origin: "spec",
    class: "readOnly",
    everyNetwork: true,
    summary: "The gain of the vault's token since this service first recorded it, in percent.",
    params: about,
    success: { network: Network, data: TotalYield, message: Schema.String },
    exampleRequest: { network: "base" },
    failsWith: ["price_unavailable"],
    example: {
      network: "base",
      data: {
        total: 4.2,
        token_price: "1.042",
        first_token_price: "1",
        since: 1_763_000_000,
        days: 90,
        annualised: 18.16
      },
      message: "The vault's token gained 4.2 % in 90 days."
    }
  })
) {}
