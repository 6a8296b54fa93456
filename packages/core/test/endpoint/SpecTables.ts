/** The specification's tables (spec.md parts 4.2–4.11 and 8), typed by hand. The catalogue is checked against them. */
import type { Class, Method } from "../../src/endpoint/Endpoint.ts"

/** A row of an endpoint table. A member is absent where the spec says "not shown". */
export interface SpecRow {
  readonly path: `/${string}`
  /** The method the reference lists first. */
  readonly method?: Method
  readonly class?: Class
  readonly parameters?: {
    /** Marked with `*`. */
    readonly required: ReadonlyArray<string>
    readonly optional: ReadonlyArray<string>
  }
}

const readOnly = "readOnly"
const changesConfig = "changesConfig"
const movesFunds = "movesFunds"

const parameters = (required: string, optional = "") => ({
  required: required.split(" ").filter((name) => name !== ""),
  optional: optional.split(" ").filter((name) => name !== "")
})

/** 4.2. `privateKey` has no star but is the endpoint's only parameter (part 5.5), so it is required. */
const walletAndKeys: ReadonlyArray<SpecRow> = [
  { path: "/createGasWallet", method: "GET", class: changesConfig, parameters: parameters("") },
  { path: "/getNewApiKey", method: "POST", class: changesConfig, parameters: parameters("privateKey") },
  { path: "/getGasBalance", method: "GET", class: readOnly, parameters: parameters("network apiKey", "USD") }
]

/** 4.3, with the additions of the manager guide. */
const vaultTrading: ReadonlyArray<SpecRow> = [
  {
    path: "/vaultTrade",
    method: "GET",
    class: movesFunds,
    parameters: parameters("apiKey pool from to", "network platform slippage share amount protocol")
  },
  {
    path: "/approve",
    method: "POST",
    class: movesFunds,
    parameters: parameters("apiKey network pool asset", "platform protocol")
  },
  {
    path: "/setBot",
    method: "POST",
    class: movesFunds,
    parameters: parameters("apiKey pool network pair side", "threshold max_usd slippage share platform lending")
  },
  { path: "/deleteBot", method: "DELETE", class: changesConfig, parameters: parameters("apiKey network pool") },
  { path: "/mintManagerFee", method: "POST", class: movesFunds, parameters: parameters("apiKey network pool") }
]

/** 4.4 */
const botStatus: ReadonlyArray<SpecRow> = [
  {
    path: "/isPoolTrader",
    method: "GET",
    class: readOnly,
    parameters: parameters("apiKey network pool trader", "protocol")
  },
  { path: "/getBotStatus", method: "GET", class: readOnly, parameters: parameters("apiKey network pool", "protocol") }
]

/** 4.5 */
const indexAndAllocations: ReadonlyArray<SpecRow> = [
  { path: "/setIndexBot", method: "POST", class: changesConfig },
  { path: "/getIndexBot", method: "GET", class: readOnly },
  { path: "/getCurrentAllocations", method: "GET", class: readOnly, parameters: parameters("apiKey network pool") },
  { path: "/previewIndexBot", method: "GET", class: readOnly },
  {
    path: "/rebalancePool",
    method: "POST",
    class: movesFunds,
    parameters: parameters("apiKey network pool", "execute force quote")
  },
  { path: "/disableIndexBot", method: "POST", class: changesConfig },
  { path: "/setAllocations", method: "POST", class: readOnly }
]

const lend = {
  method: "POST",
  class: movesFunds,
  parameters: parameters("apiKey network pool asset", "share amount")
} as const

/** 4.6 */
const lending: ReadonlyArray<SpecRow> = [
  { path: "/lenderAV3/lend", ...lend },
  { path: "/lenderAV3/unlend", ...lend },
  { path: "/lenderAV3/borrow", ...lend },
  { path: "/lenderAV3/repay", ...lend },
  { path: "/lenderAV3/getSupplied", method: "GET", class: readOnly },
  { path: "/lenderAV3/getBorrowed", method: "GET", class: readOnly },
  { path: "/lenderAV3/getHealthFactor", method: "GET", class: readOnly },
  { path: "/lenderAV3/getPoolData", method: "GET", class: readOnly },
  { path: "/lenderBV3/lend", ...lend },
  { path: "/lenderBV3/unlend", ...lend },
  { path: "/lenderC/lend", ...lend },
  { path: "/lenderC/unlend", ...lend }
]

/** 4.7 */
const liquidity: ReadonlyArray<SpecRow> = [
  {
    path: "/addLiquidity",
    method: "POST",
    class: movesFunds,
    parameters: parameters(
      "apiKey pool network asset1 asset2 input_asset",
      "platform fee_tier lower_price upper_price share amount slippage"
    )
  },
  {
    path: "/removeLiquidity",
    method: "POST",
    class: movesFunds,
    parameters: parameters("apiKey pool network asset1 asset2 token_id", "platform amount output_asset slippage")
  }
]

const read = { method: "GET", class: readOnly } as const

/** 4.8 */
const marketData: ReadonlyArray<SpecRow> = [
  { path: "/poolComposition", ...read, parameters: parameters("apiKey pool network") },
  { path: "/getCandles", ...read, parameters: parameters("apiKey", "exchange timeframe pair bars_back") },
  { path: "/getTicks", ...read, parameters: parameters("apiKey", "exchange pair") },
  { path: "/getSymbol", ...read, parameters: parameters("apiKey contract network") },
  { path: "/getContract", ...read, parameters: parameters("apiKey symbol network") }
]

/** 4.9 */
const fees: ReadonlyArray<SpecRow> = [
  {
    path: "/mintManagerFeeBatch",
    method: "GET",
    class: movesFunds,
    parameters: parameters("apiKey pools network", "protocol dryRun allowFailure")
  },
  {
    path: "/mintAllFeesByManager",
    method: "GET",
    class: movesFunds,
    parameters: parameters("apiKey manager", "network protocol dryRun allowFailure")
  }
]

/** 4.10. The row of registerCEXSubaccount has no star at all. */
const exchanges: ReadonlyArray<SpecRow> = [
  { path: "/registerCEXSubaccount", method: "POST", class: changesConfig },
  {
    path: "/setCEXSide",
    method: "POST",
    class: movesFunds,
    parameters: parameters("gas_wallet_api_key subaccount_name pair side max_usd share", "strategy")
  },
  {
    path: "/getCEXSide",
    method: "GET",
    class: readOnly,
    parameters: parameters("gas_wallet_api_key subaccount_name", "pair")
  },
  {
    path: "/deactivateCEXBot",
    method: "POST",
    class: changesConfig,
    parameters: parameters("gas_wallet_api_key subaccount_name pair")
  },
  {
    path: "/deleteCEXBot",
    method: "DELETE",
    class: changesConfig,
    parameters: parameters("gas_wallet_api_key subaccount_name pair")
  },
  {
    path: "/deleteCEXSubaccount",
    method: "DELETE",
    class: changesConfig,
    parameters: parameters("manager subaccount_name signature")
  }
]

/** 4.11 only names these endpoints, some with a method. */
const further: ReadonlyArray<SpecRow> = [
  { path: "/associateGasWallet" },
  { path: "/deassociateGasWallet" },
  { path: "/linkGasWallet" },
  { path: "/unlinkGasWallet" },
  { path: "/getAssociatedGasWallets" },
  { path: "/getGasWalletPools" },
  { path: "/getAllGasBalance" },
  { path: "/getAllBots" },
  { path: "/getAllYields" },
  { path: "/getEstimatedAnualYield" },
  { path: "/getTotalYield" },
  { path: "/getHealthFactor" },
  { path: "/getPoolLenderAData" },
  { path: "/lend" },
  { path: "/unlend" },
  { path: "/borrow" },
  { path: "/repay" },
  { path: "/depositLenderC" },
  { path: "/withdrawLenderC" },
  { path: "/depositLenderBV3" },
  { path: "/withdrawLenderBV3" },
  { path: "/getAllCEXSubaccounts" },
  { path: "/setCEXStrategy" },
  { path: "/api/cex/chargeFee", method: "POST" },
  { path: "/api/cex/calculateFee", method: "GET" },
  { path: "/eth-price", method: "GET" },
  { path: "/token-price/:network", method: "GET" },
  { path: "/calculate-fee/:action/:network", method: "GET" },
  { path: "/all-actions", method: "GET" },
  { path: "/test/:network", method: "GET" },
  { path: "/llmIntrospect" }
]

/** Every endpoint of the specification. */
export const specRows: ReadonlyArray<SpecRow> = [
  ...walletAndKeys,
  ...vaultTrading,
  ...botStatus,
  ...indexAndAllocations,
  ...lending,
  ...liquidity,
  ...marketData,
  ...fees,
  ...exchanges,
  ...further
]

/** Part 8, "Billed endpoints". */
export const billed: ReadonlyArray<`/${string}`> = [
  "/vaultTrade",
  "/approve",
  "/lend",
  "/unlend",
  "/borrow",
  "/repay",
  "/lenderAV3/lend",
  "/lenderAV3/unlend",
  "/lenderAV3/borrow",
  "/lenderAV3/repay",
  "/addLiquidity",
  "/removeLiquidity",
  "/mintManagerFee",
  "/depositLenderC",
  "/withdrawLenderC",
  "/depositLenderBV3",
  "/withdrawLenderBV3",
  "/api/cex/chargeFee"
]

/** Part 8, "Free endpoints". */
export const free: ReadonlyArray<`/${string}`> = [
  "/associateGasWallet",
  "/createGasWallet",
  "/deactivateCEXBot",
  "/deassociateGasWallet",
  "/deleteBot",
  "/deleteCEXBot",
  "/deleteCEXSubaccount",
  "/getAllBots",
  "/getAllCEXSubaccounts",
  "/getAllGasBalance",
  "/getAllYields",
  "/getAssociatedGasWallets",
  "/getCEXSide",
  "/getCandles",
  "/getContract",
  "/getEstimatedAnualYield",
  "/getGasBalance",
  "/getGasWalletPools",
  "/getHealthFactor",
  "/getNewApiKey",
  "/getPoolLenderAData",
  "/getSymbol",
  "/getTicks",
  "/getTotalYield",
  "/linkGasWallet",
  "/llmIntrospect",
  "/poolComposition",
  "/registerCEXSubaccount",
  "/setBot",
  "/setCEXSide",
  "/setCEXStrategy",
  "/unlinkGasWallet",
  "/api/cex/calculateFee",
  "/eth-price",
  "/token-price/:network",
  "/calculate-fee/:action/:network",
  "/all-actions",
  "/test/:network"
]

/** Part 8: the documented prices per action class, in USD. */
export const prices = { trade: 0.1, approve: 0.02, lend: 0.05, free: 0 } as const
