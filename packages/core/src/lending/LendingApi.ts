/** The endpoints that lend a vault's assets, borrow against them, and read the resulting positions. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Quantity } from "../chain/Quantity.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Param from "../endpoint/Param.ts"
import * as Params from "../endpoint/Params.ts"
import { AccountData, LentAsset, noDebt } from "./LendingAccount.ts"

const hash = "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465"
const market = "0x794a61358d6845594f94dc1db02a252b5b4814ad"
const usdc = { asset: "0x0b2c639c533813f4aa9d7837caf62653d097ff85", symbol: "USDC", amount: "1000", raw: "1000000000" }

/** A market by name or brand. Brands are configuration, so the handler refuses unknown ones. */
const Lender = Param.make(Schema.String, {
  accepts: "lenderA, lenderB, lenderC, the brand name of one of them, or auto",
  description:
    "Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name of one of them. `auto`: for " +
    "lend the first of them that accepts the asset from the vault, for unlend the first to which it is supplied.",
  example: "lenderA",
  jsonSchema: { type: "string", default: "lenderA" },
  read: (text) => /^[A-Za-z0-9]{1,32}$/.test(text) ? text : undefined,
  show: (value) => value
})

const about = {
  apiKey: Params.ApiKey,
  network: Params.Network,
  pool: Params.Pool,
  protocol: Schema.optional(Params.Protocol)
}
const lenderParam = { platform: Schema.optional(Lender) }
const writeParams = (role: string) => ({
  ...about,
  asset: Params.Asset(role),
  ...Params.sizeParams,
  dryRun: Schema.optional(Params.DryRun),
  valid_for: Schema.optional(Params.ValidFor)
})

const writeFields = {
  lender: Schema.String,
  /** The contract that was called. */
  market: Address,
  /**
   * The health factor that planning expected afterwards: a decimal number, "infinity" without debt, null for a market
   * without borrowing.
   */
  projected_health_factor: Schema.NullOr(Schema.String),
  gas_used: Schema.NullOr(Schema.String),
  gas_cost: Schema.NullOr(Schema.String),
  charge_usd: Schema.Number
}

const exampleOf = (message: string, lender: string, what: string, healthFactor: string | null) => ({
  intent_id: "01936f5a-0000-7000-8000-000000000000",
  tx_hash: hash,
  message,
  lender,
  market,
  [what]: usdc,
  projected_health_factor: healthFactor,
  gas_used: "310000",
  gas_cost: "0.00031",
  charge_usd: 0.05
})

/** Options of every endpoint here that moves funds. */
const write = { origin: "spec", class: "movesFunds", charge: "lend", trader: true, method: "POST" } as const

const lend = (lender: string) => ({
  ...write,
  summary: `Supply an asset of the vault to ${lender}; approval and supply are one transaction, the approval is exact.`,
  success: { ...writeFields, supplied: Quantity },
  example: exampleOf(`Supplied 1000 USDC to ${lender}.`, lender, "supplied", lender === "lenderA" ? noDebt : null),
  exampleRequest: { amount: "100" },
  failsWith: ["insufficient_balance", "asset_not_enabled", "venue_not_allowed", "market_not_available"]
} as const)

const unlend = (lender: string) => ({
  ...write,
  summary: `Withdraw an asset supplied to ${lender}; a share of 100 withdraws all of it, interest included. ` +
    "A debt below $1 does not prevent that: it is repaid, or a little stays supplied for it.",
  success: { ...writeFields, withdrawn: Quantity },
  example: exampleOf(`Took 1000 USDC back from ${lender}.`, lender, "withdrawn", lender === "lenderA" ? noDebt : null),
  exampleRequest: { amount: "1" },
  failsWith: [
    "insufficient_balance",
    "asset_not_enabled",
    "venue_not_allowed",
    "health_factor_too_low",
    "price_unavailable",
    "position_not_found",
    "market_not_available"
  ]
} as const)

const borrow = {
  ...write,
  summary:
    "Borrow an asset against the vault's collateral, at the variable rate; refused below the health factor's floor.",
  success: { ...writeFields, borrowed: Quantity },
  example: exampleOf("Borrowed 1000 USDC from lenderA.", "lenderA", "borrowed", "2.49"),
  exampleRequest: { asset: "DAI", amount: "10" },
  failsWith: [
    "insufficient_balance",
    "asset_not_enabled",
    "venue_not_allowed",
    "health_factor_too_low",
    "price_unavailable",
    "market_not_available"
  ]
} as const

const repay = {
  ...write,
  summary:
    "Repay the vault's debt; a share of 100 repays all of it, including interest up to the repayment, as far as " +
    "the vault holds the asset. `still_owed` is the rest.",
  success: {
    ...writeFields,
    repaid: Quantity,
    /** The debt after the repayment; null when the receipt does not show it, absent in responses of older requests. */
    still_owed: Schema.optional(Schema.NullOr(Quantity))
  },
  example: {
    ...exampleOf("Repaid 1000 USDC to lenderA.", "lenderA", "repaid", noDebt),
    still_owed: { ...usdc, amount: "0", raw: "0" }
  },
  exampleRequest: { asset: "DAI", amount: "1" },
  failsWith: [
    "insufficient_balance",
    "asset_not_enabled",
    "venue_not_allowed",
    "position_not_found",
    "market_not_available"
  ]
} as const

const lentExample = { ...usdc, usd: "1000", used_as_collateral: true }

export class LendingApi extends RpcGroup.make(
  Endpoint.make("lenderAV3/lend", { ...lend("lenderA"), params: writeParams("Asset to supply") }),
  Endpoint.make("lenderAV3/unlend", { ...unlend("lenderA"), params: writeParams("Asset to withdraw") }),
  Endpoint.make("lenderAV3/borrow", { ...borrow, params: writeParams("Asset to borrow") }),
  Endpoint.make("lenderAV3/repay", { ...repay, params: writeParams("Asset to repay") }),
  Endpoint.make("lenderAV3/getSupplied", {
    origin: "spec",
    class: "readOnly",
    summary: "The vault's assets supplied to lenderA, asset by asset and in total.",
    params: about,
    success: { data: Schema.Struct({ totalSupplied: Schema.String, assets: Schema.Array(LentAsset) }) },
    failsWith: ["market_not_available"],
    example: { data: { totalSupplied: "1000", assets: [lentExample] } }
  }),
  Endpoint.make("lenderAV3/getBorrowed", {
    origin: "spec",
    class: "readOnly",
    summary: "The vault's debt to lenderA, asset by asset and in total.",
    params: about,
    success: { data: Schema.Struct({ totalBorrowed: Schema.String, assets: Schema.Array(LentAsset) }) },
    failsWith: ["market_not_available"],
    example: { data: { totalBorrowed: "1000", assets: [{ ...lentExample, used_as_collateral: false }] } }
  }),
  Endpoint.make("lenderAV3/getHealthFactor", {
    origin: "spec",
    class: "readOnly",
    summary: "The vault's health factor with lenderA; below 1 it is liquidated, without debt it is \"infinity\".",
    aliases: ["/getHealthFactor"],
    params: about,
    success: { data: Schema.Struct({ healthFactor: Schema.String }), message: Schema.String },
    failsWith: ["market_not_available"],
    example: { data: { healthFactor: "2.49" }, message: "The vault's health factor is 2.49." }
  }),
  Endpoint.make("lenderAV3/getPoolData", {
    origin: "spec",
    class: "readOnly",
    summary:
      "The vault's whole position with lenderA: collateral and debt in USD, the amount it can still borrow, thresholds in percent.",
    aliases: ["/getPoolLenderAData"],
    params: about,
    success: { data: AccountData },
    failsWith: ["market_not_available"],
    example: {
      data: {
        totalCollateralBase: "15000",
        totalDebtBase: "5000",
        availableBorrowsBase: "7075",
        currentLiquidationThreshold: "83",
        ltv: "80.5",
        healthFactor: "2.49"
      }
    }
  }),
  Endpoint.make("lenderBV3/lend", {
    ...lend("lenderB"),
    aliases: ["/depositLenderBV3"],
    params: writeParams("Asset to supply")
  }),
  Endpoint.make("lenderBV3/unlend", {
    ...unlend("lenderB"),
    aliases: ["/withdrawLenderBV3"],
    params: writeParams("Asset to withdraw")
  }),
  Endpoint.make("lenderC/lend", {
    ...lend("lenderC"),
    aliases: ["/depositLenderC"],
    params: writeParams("Asset to supply")
  }),
  Endpoint.make("lenderC/unlend", {
    ...unlend("lenderC"),
    aliases: ["/withdrawLenderC"],
    params: writeParams("Asset to withdraw")
  }),
  Endpoint.make("lend", { ...lend("lenderA"), params: { ...writeParams("Asset to supply"), ...lenderParam } }),
  Endpoint.make("unlend", { ...unlend("lenderA"), params: { ...writeParams("Asset to withdraw"), ...lenderParam } }),
  Endpoint.make("borrow", { ...borrow, params: { ...writeParams("Asset to borrow"), ...lenderParam } }),
  Endpoint.make("repay", { ...repay, params: { ...writeParams("Asset to repay"), ...lenderParam } })
) {}
