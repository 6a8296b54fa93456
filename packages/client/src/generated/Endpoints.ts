/** The endpoints of the service, written by `npm run docs` from its catalogue. Do not edit. */
import type { CallOptions, Endpoint } from "../Endpoint.ts"
import type { Write } from "../Write.ts"

/** The fields of a success of createGasWallet. */
export type CreateGasWalletResult = {
  readonly address: string
  readonly private_key: string
  readonly apiKey: string
}

/** The parameters of getNewApiKey. */
export interface GetNewApiKeyRequest {
  /** The wallet's private key, in the request body only. For a wallet that holds gas and nothing else. */
  readonly privateKey: string
  /**
   * The access to the wallet that is kept: managers, sessions, tokens, webhooks, or true for all of them. By
   * default all of it ends with the old key.
   */
  readonly keep?: ReadonlyArray<"managers" | "sessions" | "tokens" | "webhooks"> | boolean | undefined
}

/** The fields of a success of getNewApiKey. */
export type GetNewApiKeyResult = {
  readonly address: string
  readonly apiKey: string
  readonly message: string
  readonly ended: {
    readonly managers: ReadonlyArray<string>
    readonly sessions: number
    readonly webhook_tokens: ReadonlyArray<string>
    readonly webhooks: ReadonlyArray<{
      readonly webhook_id: string
      readonly url: string
    }>
    readonly channels: ReadonlyArray<{
      readonly channel_id: string
      readonly name: string
    }>
  }
  readonly kept: {
    readonly managers: ReadonlyArray<string>
    readonly sessions: number
    readonly webhook_tokens: ReadonlyArray<string>
    readonly webhooks: ReadonlyArray<{
      readonly webhook_id: string
      readonly url: string
    }>
    readonly channels: ReadonlyArray<{
      readonly channel_id: string
      readonly name: string
    }>
  }
}

/** The parameters of getGasBalance. */
export interface GetGasBalanceRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma; `all` for every
   * configured one.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
    | "all"
  /** Balance also in USD. */
  readonly USD?: boolean | undefined
}

/** The fields of a success of getGasBalance. */
export type GetGasBalanceResult = {
  readonly address: string
  readonly balance?: string | undefined
  readonly token?: string | undefined
  readonly balance_usd?: number | null | undefined
  readonly balances?: ReadonlyArray<{
    readonly network: string
    readonly address: string
    readonly token: string
    readonly balance: string | null
    readonly balance_usd?: number | null | undefined
    readonly error?: string | undefined
  }> | undefined
}

/** The parameters of getAllGasBalance. */
export interface GetAllGasBalanceRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /**
   * The network of a manager that is a contract wallet: its signature is valid only there. Without it the
   * request covers all networks, which only an account can sign.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
}

/** The fields of a success of getAllGasBalance. */
export type GetAllGasBalanceResult = {
  readonly balances: ReadonlyArray<{
    readonly network: string
    readonly address: string
    readonly token: string
    readonly balance: string | null
    readonly balance_usd?: number | null | undefined
    readonly error?: string | undefined
    readonly label: string | null
  }>
  readonly total_usd: number
}

/** The parameters of linkGasWallet. */
export interface LinkGasWalletRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of linkGasWallet. */
export type LinkGasWalletResult = {
  readonly address: string
  readonly message: string
}

/** The parameters of unlinkGasWallet. */
export interface UnlinkGasWalletRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of unlinkGasWallet. */
export type UnlinkGasWalletResult = {
  readonly address: string
  readonly message: string
}

/** The parameters of getGasWalletPools. */
export interface GetGasWalletPoolsRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma; `all` for every
   * configured one.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
    | "all" | undefined
}

/** The fields of a success of getGasWalletPools. */
export type GetGasWalletPoolsResult = {
  readonly address: string
  readonly pools: ReadonlyArray<{
    readonly network: string
    readonly pool: string
    readonly protocol: string
    readonly is_trader: boolean | null
    readonly linked_at: string
  }>
}

/** The parameters of pauseBot. */
export interface PauseBotRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or address. */
  readonly pair?: string | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** The reason, as failures and getBotStatus show it. */
  readonly reason?: string | undefined
}

/** The fields of a success of pauseBot. */
export type PauseBotResult = {
  readonly message: string
  readonly switches: ReadonlyArray<{
    readonly scope: string
    readonly reason: string
    readonly by: "operator" | "owner" | "guardian"
  }>
}

/** The parameters of resumeBot. */
export interface ResumeBotRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or address. */
  readonly pair?: string | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /** Address of the gas wallet, 0x + 40 hex characters. */
  readonly wallet?: string | undefined
  /** The wallet's private key, in the request body only. For a wallet that holds gas and nothing else. */
  readonly privateKey?: string | undefined
}

/** The fields of a success of resumeBot. */
export type ResumeBotResult = {
  readonly message: string
  readonly switches: ReadonlyArray<{
    readonly scope: string
    readonly reason: string
    readonly by: "operator" | "owner" | "guardian"
  }>
}

/** The parameters of pauseWallet. */
export interface PauseWalletRequest {
  /** The reason, as failures and getBotStatus show it. */
  readonly reason?: string | undefined
}

/** The fields of a success of pauseWallet. */
export type PauseWalletResult = {
  readonly message: string
  readonly switches: ReadonlyArray<{
    readonly scope: string
    readonly reason: string
    readonly by: "operator" | "owner" | "guardian"
  }>
}

/** The parameters of resumeWallet. */
export interface ResumeWalletRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /** Address of the gas wallet, 0x + 40 hex characters. */
  readonly wallet?: string | undefined
  /** The wallet's private key, in the request body only. For a wallet that holds gas and nothing else. */
  readonly privateKey?: string | undefined
}

/** The fields of a success of resumeWallet. */
export type ResumeWalletResult = {
  readonly message: string
  readonly switches: ReadonlyArray<{
    readonly scope: string
    readonly reason: string
    readonly by: "operator" | "owner" | "guardian"
  }>
}

/** The parameters of isPoolTrader. */
export interface IsPoolTraderRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Address of the trader to check, 0x + 40 hex characters. */
  readonly trader: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of isPoolTrader. */
export type IsPoolTraderResult = {
  readonly data: {
    readonly network: string
    readonly pool: string
    readonly trader: string
    readonly poolTrader: string | null
    readonly manager: string
    readonly isTrader: boolean
  }
  readonly message: string
}

/** The parameters of getCapabilities. */
export interface GetCapabilitiesRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool?: string | undefined
}

/** The fields of a success of getCapabilities. */
export type GetCapabilitiesResult = {
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
  readonly pool: string | null
  readonly venues: ReadonlyArray<{
    readonly platform: string
    readonly router: string
    readonly allowed: boolean
  }>
  readonly lenders: ReadonlyArray<{
    readonly lender: string
    readonly market: string
    readonly allowed: boolean
    readonly enabled: boolean | null
  }>
  readonly liquidity: ReadonlyArray<{
    readonly protocol: string
    readonly position_manager: string
    readonly allowed: boolean
    readonly enabled: boolean | null
    readonly staking: ReadonlyArray<string>
  }>
  readonly shorts: ReadonlyArray<{
    readonly asset: string
    readonly token: string
    readonly allowed: boolean
    readonly enabled: boolean | null
    readonly redeemed_by: {
      readonly contract: string
      readonly allowed: boolean
      readonly enabled: boolean | null
    } | null
  }>
  readonly leveraged: ReadonlyArray<{
    readonly asset: string
    readonly leverage: number
    readonly symbol: string
    readonly token: string
    readonly allowed: boolean
    readonly enabled: boolean | null
    readonly redeemed_by: {
      readonly contract: string
      readonly allowed: boolean
      readonly enabled: boolean | null
    }
  }>
  readonly perpetuals: {
    readonly target: string
    readonly allowed: boolean
    readonly enabled: boolean | null
  } | null
}

/** The parameters of poolComposition. */
export interface PoolCompositionRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of poolComposition. */
export type PoolCompositionResult = {
  readonly composition: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly assetPair: string
    readonly isDeposit: boolean
    readonly amount: string | null
    readonly price: number | null
    readonly value_usd: number | null
    readonly kind: "token" | "position"
    readonly reason: string | null
    readonly asset_type: number | null
    readonly label: string
    readonly positions: ReadonlyArray<{
      readonly token_id: string
      readonly label: string
      readonly token0: string
      readonly token1: string
      readonly fee: number | null
      readonly tick_spacing: number | null
      readonly tick_lower: number
      readonly tick_upper: number
      readonly lower_price: number | null
      readonly upper_price: number | null
      readonly liquidity: string
      readonly staked: boolean
    }>
  }>
  readonly total_value_usd: number | null
  readonly block: number
}

/** The parameters of getPerformance. */
export interface GetPerformanceRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Period that ends now; `from` and `to` override it. */
  readonly range?: "1d" | "7d" | "30d" | "90d" | "1y" | "all" | undefined
  /** Start of the period, inclusive. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z) or unix seconds. */
  readonly from?: string | undefined
  /**
   * End of the period, exclusive; default: until now. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z)
   * or unix seconds.
   */
  readonly to?: string | undefined
  /**
   * Benchmark: an asset of the vault or of PERFORMANCE_BENCHMARKS: a token symbol (for example USDC, WETH,
   * WBTC) or a contract address.
   */
  readonly benchmark?: string | undefined
  /** Lots sold first: the oldest, the newest, or those of the highest cost. */
  readonly lots?: "fifo" | "lifo" | "hifo" | undefined
  /** Points of the curve; default 400. */
  readonly points?: number | undefined
  /** `csv` also returns the rows as a table, as text in the field `csv`; default json. */
  readonly format?: "json" | "csv" | undefined
}

/** The fields of a success of getPerformance. */
export type GetPerformanceResult = {
  readonly data: {
    readonly network: 
      | "optimism"
      | "base"
      | "arbitrum"
      | "polygon"
      | "ethereum"
      | "hyperliquid"
      | "plasma"
    readonly pool: string
    readonly from: string | null
    readonly to: string | null
    readonly reason: string | null
    readonly coverage: {
      readonly samples: number
      readonly interval_seconds: number
      readonly covered_percent: number
      readonly gaps: ReadonlyArray<{
        readonly from: string
        readonly to: string
        readonly reason: string
      }>
    }
    readonly start_value_usd: string | null
    readonly end_value_usd: string | null
    readonly net_flows_usd: string | null
    readonly start_share_price: string | null
    readonly end_share_price: string | null
    readonly return_percent: number | null
    readonly return_before_fees_percent: number | null
    readonly return_after_gas_percent: number | null
    readonly pnl_usd: string | null
    readonly pnl_after_gas_usd: string | null
    readonly realised_usd: string | null
    readonly unrealised_usd: string | null
    readonly day: {
      readonly pnl_usd: string | null
      readonly return_percent: number | null
    }
    readonly week: {
      readonly pnl_usd: string | null
      readonly return_percent: number | null
    }
    readonly all: {
      readonly pnl_usd: string | null
      readonly return_percent: number | null
    }
    readonly fees: {
      readonly minted_shares: string
      readonly minted_usd: string | null
      readonly accrued_usd: string | null
      readonly owed_shares: string | null
      readonly owed_usd: string | null
    }
    readonly trading: {
      readonly trades: number
      readonly failed: number
      readonly turnover_usd: string
      readonly slippage_oracle_usd: string
      readonly slippage_oracle_percent: number | null
      readonly slippage_quote_percent: number | null
      readonly gas_native: string
      readonly gas_usd: string | null
      readonly charges_usd: string
      readonly realised_usd: string | null
    }
    readonly turnover_percent: number | null
    readonly exposure: {
      readonly average_percent: number | null
      readonly end_percent: number | null
    }
    readonly drawdown: {
      readonly percent: number
      readonly from: string
      readonly to: string
    } | null
    readonly statistics: {
      readonly period_seconds: number
      readonly returns: number
      readonly annualisation: number | null
      readonly risk_free: number
      readonly volatility_percent: number | null
      readonly sharpe: number | null
      readonly sortino: number | null
      readonly reason: string | null
    }
    readonly benchmarks: ReadonlyArray<{
      readonly name: string
      readonly return_percent: number | null
      readonly excess_percent: number | null
      readonly reason: string | null
      readonly curve: ReadonlyArray<{
        readonly time: string
        readonly return_percent: number | null
      }>
    }>
    readonly allocation: ReadonlyArray<{
      readonly time: string
      readonly weights: ReadonlyArray<{
        readonly asset: string
        readonly symbol: string
        readonly percent: number
      }>
      readonly gap: string | null
    }>
    readonly attribution: ReadonlyArray<{
      readonly asset: string | null
      readonly symbol: string
      readonly pnl_usd: string
      readonly contribution_percent: number
      readonly average_weight_percent: number
      readonly end_weight_percent: number
    }>
    readonly sources: ReadonlyArray<{
      readonly kind: 
        | "caller"
        | "threshold_bot"
        | "index_bot"
        | "order"
        | "strategy_bot"
        | "follower"
        | "guardian"
      readonly id: string | null
      readonly name: string
      readonly trades: number
      readonly failed: number
      readonly turnover_usd: string
      readonly slippage_oracle_usd: string
      readonly slippage_oracle_percent: number | null
      readonly slippage_quote_percent: number | null
      readonly gas_native: string
      readonly gas_usd: string | null
      readonly charges_usd: string
      readonly realised_usd: string | null
    }>
    readonly curve: ReadonlyArray<{
      readonly time: string
      readonly block: number
      readonly value_usd: string
      readonly share_price: string | null
      readonly share_price_before_fees: string | null
      readonly supply: string
      readonly gap: string | null
    }>
  }
  readonly csv: string | null
}

/** The parameters of getTaxLots. */
export interface GetTaxLotsRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Period that ends now; `from` and `to` override it. */
  readonly range?: "1d" | "7d" | "30d" | "90d" | "1y" | "all" | undefined
  /** Start of the period, inclusive. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z) or unix seconds. */
  readonly from?: string | undefined
  /**
   * End of the period, exclusive; default: until now. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z)
   * or unix seconds.
   */
  readonly to?: string | undefined
  /** Lots sold first: the oldest, the newest, or those of the highest cost. */
  readonly lots?: "fifo" | "lifo" | "hifo" | undefined
  /** `csv` also returns the rows as a table, as text in the field `csv`; default json. */
  readonly format?: "json" | "csv" | undefined
}

/** The fields of a success of getTaxLots. */
export type GetTaxLotsResult = {
  readonly method: "fifo" | "lifo" | "hifo"
  readonly disposals: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly quantity: string
    readonly acquired_at: string | null
    readonly disposed_at: string
    readonly proceeds_usd: string | null
    readonly cost_usd: string | null
    readonly gain_usd: string | null
    readonly holding_days: number | null
    readonly acquired_tx: string | null
    readonly disposed_tx: string | null
    readonly disposed_by: string
  }>
  readonly open: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly quantity: string
    readonly acquired_at: string
    readonly cost_usd: string | null
    readonly value_usd: string | null
    readonly unrealised_usd: string | null
    readonly acquired_tx: string | null
  }>
  readonly realised_usd: string | null
  readonly unrealised_usd: string | null
  readonly notes: ReadonlyArray<string>
  readonly csv: string | null
}

/** The parameters of getTearsheet. */
export interface GetTearsheetRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Period that ends now; `from` and `to` override it. */
  readonly range?: "1d" | "7d" | "30d" | "90d" | "1y" | "all" | undefined
  /** Start of the period, inclusive. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z) or unix seconds. */
  readonly from?: string | undefined
  /**
   * End of the period, exclusive; default: until now. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z)
   * or unix seconds.
   */
  readonly to?: string | undefined
  /**
   * Benchmark: an asset of the vault or of PERFORMANCE_BENCHMARKS: a token symbol (for example USDC, WETH,
   * WBTC) or a contract address.
   */
  readonly benchmark?: string | undefined
  /** Lots sold first: the oldest, the newest, or those of the highest cost. */
  readonly lots?: "fifo" | "lifo" | "hifo" | undefined
}

/** The fields of a success of getTearsheet. */
export type GetTearsheetResult = {
  readonly html: string
}

/** The parameters of getSymbol. */
export interface GetSymbolRequest {
  /** Address of the token contract, 0x + 40 hex characters. */
  readonly contract: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
}

/** The fields of a success of getSymbol. */
export type GetSymbolResult = {
  readonly symbol: string
  readonly contract: string
  readonly decimals: number
}

/** The parameters of getContract. */
export interface GetContractRequest {
  /** Token symbol: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly symbol: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
}

/** The fields of a success of getContract. */
export type GetContractResult = {
  readonly symbol: string
  readonly contract: string
  readonly decimals: number
}

/** The parameters of vaultTrade. */
export interface VaultTradeRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to sell: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly from: string
  /** Asset to buy: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly to: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is tried. `auto` (the
   * default) walks the network's fallback chain. `best` quotes its venues side by side and takes the largest
   * output. Retired venue names mean `auto`.
   */
  readonly platform?: string | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Make a second trade although an identical one is unfinished. Without it, and without idempotency_key, a
   * request that equals an unfinished trade is answered with that trade.
   */
  readonly duplicate?: boolean | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of vaultTrade. */
export type VaultTradeResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
  readonly venue: string
  readonly route: ReadonlyArray<string>
  readonly sold: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
  readonly bought: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
  readonly min_out: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
  readonly passed_over: ReadonlyArray<{
    readonly venue: string
    readonly reason: string
  }>
  readonly oracle?: {
    readonly sold_usd: number
    readonly bought_usd: number
    readonly slippage_percent: number | null
  } | null | undefined
  readonly redemption?: {
    readonly init_tx_hash: string | null
    readonly paid_by?: string | null | undefined
    readonly paid_out: ReadonlyArray<{
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }>
  } | undefined
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of vaultTrade. */
export type VaultTradeDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
}

/** The parameters of approve. */
export interface ApproveRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to approve: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /**
   * The spender: a venue (1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; refused if it is
   * unavailable), `auto` (the default: the first venue of the network's fallback chain that is available;
   * retired venue names mean `auto` too), or a lending market: lenderA, lenderB, lenderC, or the configured
   * brand name of one of them.
   */
  readonly platform?: string | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Allowance in human units of the asset; 0 revokes. Without it the allowance is unlimited. */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of approve. */
export type ApproveResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly venue: string
  readonly spender: string
  readonly asset: string
  readonly symbol: string
  readonly allowance: string
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of approve. */
export type ApproveDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of enableAsset. */
export interface EnableAssetRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Asset: a token symbol, or the address of a token, a lending market (getCapabilities lists them) or a
   * position manager.
   */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of enableAsset. */
export type EnableAssetResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly asset: string
  readonly symbol: string | null
  readonly enabled: boolean
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of enableAsset. */
export type EnableAssetDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of disableAsset. */
export interface DisableAssetRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Asset: a token symbol, or the address of a token, a lending market (getCapabilities lists them) or a
   * position manager.
   */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of disableAsset. */
export type DisableAssetResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly asset: string
  readonly symbol: string | null
  readonly enabled: boolean
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of disableAsset. */
export type DisableAssetDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of setVaultGroup. */
export interface SetVaultGroupRequest {
  /** Your name for the group; 1 to 64 characters: letters, digits, spaces and . _ -. Case does not matter. */
  readonly group: string
  /**
   * The vaults, 1 to 20: objects {network, pool, weight?}. A weight, above 0 and at most 100, is a vault's
   * part of an amount, relative to the others; all vaults have one, or none.
   */
  readonly members: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** The fields of a success of setVaultGroup. */
export type SetVaultGroupResult = {
  readonly data: {
    readonly group: string
    readonly members: ReadonlyArray<{
      readonly network: 
        | "optimism"
        | "base"
        | "arbitrum"
        | "polygon"
        | "ethereum"
        | "hyperliquid"
        | "plasma"
      readonly pool: string
      readonly weight: number | null
    }>
    readonly created_at: string
    readonly updated_at: string
  }
  readonly message: string
}

/** The fields of a success of getVaultGroups. */
export type GetVaultGroupsResult = {
  readonly groups: ReadonlyArray<{
    readonly group: string
    readonly members: ReadonlyArray<{
      readonly network: 
        | "optimism"
        | "base"
        | "arbitrum"
        | "polygon"
        | "ethereum"
        | "hyperliquid"
        | "plasma"
      readonly pool: string
      readonly weight: number | null
    }>
    readonly created_at: string
    readonly updated_at: string
  }>
}

/** The parameters of removeVaultGroup. */
export interface RemoveVaultGroupRequest {
  /** Your name for the group; 1 to 64 characters: letters, digits, spaces and . _ -. Case does not matter. */
  readonly group: string
}

/** The fields of a success of removeVaultGroup. */
export type RemoveVaultGroupResult = {
  readonly data: {
    readonly group: string
    readonly members: ReadonlyArray<{
      readonly network: 
        | "optimism"
        | "base"
        | "arbitrum"
        | "polygon"
        | "ethereum"
        | "hyperliquid"
        | "plasma"
      readonly pool: string
      readonly weight: number | null
    }>
    readonly created_at: string
    readonly updated_at: string
  } | null
  readonly message: string
}

/** The parameters of tradeGroup. */
export interface TradeGroupRequest {
  /** Your name for the group; 1 to 64 characters: letters, digits, spaces and . _ -. Case does not matter. */
  readonly group: string
  /** Asset to sell: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly from: string
  /** Asset to buy: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly to: string
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * How `amount` is split: by `weight`, or by each vault's `holding` of `from`. Default: by weight where the
   * vaults have one.
   */
  readonly split?: "weight" | "holding" | undefined
  /**
   * Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is tried. `auto` (the
   * default) walks the network's fallback chain. `best` quotes its venues side by side and takes the largest
   * output. Retired venue names mean `auto`.
   */
  readonly platform?: string | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of tradeGroup. */
export type TradeGroupResult = {
  readonly intent_id: string | null
  readonly tx_hash: string | null
  readonly message: string
  readonly group: string
  readonly results: ReadonlyArray<{
    readonly network: string
    readonly pool: string
    readonly state: "success" | "pending" | "fail" | "skipped" | "refused" | "unknown"
    readonly message: string
    readonly intent_id: string | null
    readonly tx_hash: string | null
    readonly share: number | null
    readonly amount: string | null
    readonly sold: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    } | null
    readonly bought: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    } | null
  }>
}

/** The fields of a dry run of tradeGroup. */
export type TradeGroupDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of lenderAV3/lend. */
export interface LenderAV3LendRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of lenderAV3/lend. */
export type LenderAV3LendResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly supplied: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
}

/** The fields of a dry run of lenderAV3/lend. */
export type LenderAV3LendDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of lenderAV3/unlend. */
export interface LenderAV3UnlendRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of lenderAV3/unlend. */
export type LenderAV3UnlendResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly withdrawn: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
}

/** The fields of a dry run of lenderAV3/unlend. */
export type LenderAV3UnlendDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of lenderAV3/borrow. */
export interface LenderAV3BorrowRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to borrow: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of lenderAV3/borrow. */
export type LenderAV3BorrowResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly borrowed: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
}

/** The fields of a dry run of lenderAV3/borrow. */
export type LenderAV3BorrowDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of lenderAV3/repay. */
export interface LenderAV3RepayRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to repay: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of lenderAV3/repay. */
export type LenderAV3RepayResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly repaid: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
  readonly still_owed?: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  } | null | undefined
}

/** The fields of a dry run of lenderAV3/repay. */
export type LenderAV3RepayDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of lenderAV3/getSupplied. */
export interface LenderAV3GetSuppliedRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of lenderAV3/getSupplied. */
export type LenderAV3GetSuppliedResult = {
  readonly data: {
    readonly totalSupplied: string
    readonly assets: ReadonlyArray<{
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
      readonly usd: string
      readonly used_as_collateral: boolean
    }>
  }
}

/** The parameters of lenderAV3/getBorrowed. */
export interface LenderAV3GetBorrowedRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of lenderAV3/getBorrowed. */
export type LenderAV3GetBorrowedResult = {
  readonly data: {
    readonly totalBorrowed: string
    readonly assets: ReadonlyArray<{
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
      readonly usd: string
      readonly used_as_collateral: boolean
    }>
  }
}

/** The parameters of lenderAV3/getHealthFactor. */
export interface LenderAV3GetHealthFactorRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of lenderAV3/getHealthFactor. */
export type LenderAV3GetHealthFactorResult = {
  readonly data: {
    readonly healthFactor: string
  }
  readonly message: string
}

/** The parameters of lenderAV3/getPoolData. */
export interface LenderAV3GetPoolDataRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of lenderAV3/getPoolData. */
export type LenderAV3GetPoolDataResult = {
  readonly data: {
    readonly totalCollateralBase: string
    readonly totalDebtBase: string
    readonly availableBorrowsBase: string
    readonly currentLiquidationThreshold: string
    readonly ltv: string
    readonly healthFactor: string
  }
}

/** The parameters of lenderBV3/lend. */
export interface LenderBV3LendRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of lenderBV3/lend. */
export type LenderBV3LendResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly supplied: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
}

/** The fields of a dry run of lenderBV3/lend. */
export type LenderBV3LendDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of lenderBV3/unlend. */
export interface LenderBV3UnlendRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of lenderBV3/unlend. */
export type LenderBV3UnlendResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly withdrawn: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
}

/** The fields of a dry run of lenderBV3/unlend. */
export type LenderBV3UnlendDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of lenderC/lend. */
export interface LenderCLendRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of lenderC/lend. */
export type LenderCLendResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly supplied: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
}

/** The fields of a dry run of lenderC/lend. */
export type LenderCLendDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of lenderC/unlend. */
export interface LenderCUnlendRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of lenderC/unlend. */
export type LenderCUnlendResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly withdrawn: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
}

/** The fields of a dry run of lenderC/unlend. */
export type LenderCUnlendDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of lend. */
export interface LendRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to supply: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name of one of them.
   * `auto`: for lend the first of them that accepts the asset from the vault, for unlend the first to which it
   * is supplied.
   */
  readonly platform?: string | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of lend. */
export type LendResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly supplied: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
}

/** The fields of a dry run of lend. */
export type LendDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of unlend. */
export interface UnlendRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to withdraw: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name of one of them.
   * `auto`: for lend the first of them that accepts the asset from the vault, for unlend the first to which it
   * is supplied.
   */
  readonly platform?: string | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of unlend. */
export type UnlendResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly withdrawn: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
}

/** The fields of a dry run of unlend. */
export type UnlendDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of borrow. */
export interface BorrowRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to borrow: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name of one of them.
   * `auto`: for lend the first of them that accepts the asset from the vault, for unlend the first to which it
   * is supplied.
   */
  readonly platform?: string | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of borrow. */
export type BorrowResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly borrowed: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
}

/** The fields of a dry run of borrow. */
export type BorrowDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of repay. */
export interface RepayRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Asset to repay: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Lending market: lenderA (the default), lenderB, lenderC, or the configured brand name of one of them.
   * `auto`: for lend the first of them that accepts the asset from the vault, for unlend the first to which it
   * is supplied.
   */
  readonly platform?: string | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of repay. */
export type RepayResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly lender: string
  readonly market: string
  readonly projected_health_factor: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
  readonly repaid: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
  readonly still_owed?: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  } | null | undefined
}

/** The fields of a dry run of repay. */
export type RepayDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of getAllYields. */
export interface GetAllYieldsRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
}

/** The fields of a success of getAllYields. */
export type GetAllYieldsResult = {
  readonly yields: ReadonlyArray<{
    readonly network: 
      | "optimism"
      | "base"
      | "arbitrum"
      | "polygon"
      | "ethereum"
      | "hyperliquid"
      | "plasma"
    readonly lender: "lenderA" | "lenderB" | "lenderC"
    readonly market: string
    readonly asset: string
    readonly symbol: string
    readonly supply_apr: number | null
    readonly supply_apy: number | null
    readonly borrow_apr: number | null
    readonly borrow_apy: number | null
    readonly note: string | null
  }>
  readonly unread: ReadonlyArray<{
    readonly network: 
      | "optimism"
      | "base"
      | "arbitrum"
      | "polygon"
      | "ethereum"
      | "hyperliquid"
      | "plasma"
    readonly reason: string
  }>
}

/** The parameters of getEstimatedAnualYield. */
export interface GetEstimatedAnualYieldRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getEstimatedAnualYield. */
export type GetEstimatedAnualYieldResult = {
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
  readonly data: {
    readonly apy: number | null
    readonly total_value_usd: number | null
    readonly annual_usd: number | null
    readonly positions: ReadonlyArray<{
      readonly lender: "lenderA" | "lenderB" | "lenderC"
      readonly market: string
      readonly asset: string
      readonly symbol: string
      readonly side: "supplied" | "borrowed"
      readonly amount: string
      readonly value_usd: number | null
      readonly apy: number | null
    }>
  }
  readonly message: string
}

/** The parameters of getTotalYield. */
export interface GetTotalYieldRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getTotalYield. */
export type GetTotalYieldResult = {
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
  readonly data: {
    readonly total: number
    readonly token_price: string
    readonly first_token_price: string
    readonly since: number
    readonly days: number
    readonly annualised: number | null
  }
  readonly message: string
}

/** The parameters of addLiquidity. */
export interface AddLiquidityRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset1: string
  /** Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset2: string
  /** Asset to provide, one of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly input_asset: string
  /**
   * Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is tried. `auto` (the
   * default) walks the network's fallback chain. `best` quotes its venues side by side and takes the largest
   * output. Retired venue names mean `auto`.
   */
  readonly platform?: string | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is velodromeCl). A named one
   * is that one or a refusal; auto, the default, takes the first that the platform allows and the vault has
   * enabled.
   */
  readonly dex?: "auto" | "uniswapV3" | "velodromeCl" | "pancakeCl" | undefined
  /**
   * Fee of the pool in hundredths of a basis point: 100, 500, 2500, 3000, 10000. Default: the pair's pool with
   * the most liquidity. Not for velodromeCl.
   */
  readonly fee_tier?: 100 | 500 | 2500 | 3000 | 10000 | undefined
  /**
   * Tick spacing of the pool, such as 1, 50, 100, 200 or 2000; only at velodromeCl, whose pools it
   * distinguishes. Default: the pair's pool with the most liquidity.
   */
  readonly tick_spacing?: number | undefined
  /**
   * Lower end of the price range, asset2 per asset1 in human units; rounded to the nearest price of the pool.
   * Without it the range is open at this end.
   */
  readonly lower_price?: string | undefined
  /**
   * Upper end of the price range, asset2 per asset1 in human units; rounded to the nearest price of the pool.
   * Without it the range is open at this end.
   */
  readonly upper_price?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of addLiquidity. */
export type AddLiquidityResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly token_id: string
  readonly dex: "uniswapV3" | "velodromeCl" | "pancakeCl"
  readonly position_manager: string
  readonly fee_tier: number | null
  readonly tick_spacing: number | null
  readonly lower_price: string | null
  readonly upper_price: string | null
  readonly staked: boolean
  readonly is_new: boolean
  readonly liquidity: string
  readonly added: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }>
  readonly swapped: {
    readonly venue: string
    readonly sold: string
    readonly bought: string
  } | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of addLiquidity. */
export type AddLiquidityDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of removeLiquidity. */
export interface RemoveLiquidityRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset1: string
  /** Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset2: string
  /** Id of the position's token, as returned by addLiquidity. */
  readonly token_id: string
  /**
   * Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is velodromeCl). A named one
   * is that one or a refusal; auto, the default, takes the first that the platform allows and the vault has
   * enabled.
   */
  readonly dex?: "auto" | "uniswapV3" | "velodromeCl" | "pancakeCl" | undefined
  /**
   * Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is tried. `auto` (the
   * default) walks the network's fallback chain. `best` quotes its venues side by side and takes the largest
   * output. Retired venue names mean `auto`.
   */
  readonly platform?: string | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /** Percent of the position to remove, default 100: all of it, which also deletes the position. */
  readonly amount?: number | undefined
  /** Asset of the pair to receive: a token symbol or a contract address; `both`, the default, sells neither. */
  readonly output_asset?: string | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of removeLiquidity. */
export type RemoveLiquidityResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly token_id: string
  readonly dex: "uniswapV3" | "velodromeCl" | "pancakeCl"
  readonly position_manager: string
  readonly fee_tier: number | null
  readonly tick_spacing: number | null
  readonly lower_price: string | null
  readonly upper_price: string | null
  readonly staked: boolean
  readonly removed: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }>
  readonly fees: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }>
  readonly burnt: boolean
  readonly rewards: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }>
  readonly swapped: {
    readonly venue: string
    readonly sold: string
    readonly bought: string
  } | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of removeLiquidity. */
export type RemoveLiquidityDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of collectFees. */
export interface CollectFeesRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset1: string
  /** Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset2: string
  /** Id of the position's token, as returned by addLiquidity. */
  readonly token_id: string
  /**
   * Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is velodromeCl). A named one
   * is that one or a refusal; auto, the default, takes the first that the platform allows and the vault has
   * enabled.
   */
  readonly dex?: "auto" | "uniswapV3" | "velodromeCl" | "pancakeCl" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of collectFees. */
export type CollectFeesResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly token_id: string
  readonly dex: "uniswapV3" | "velodromeCl" | "pancakeCl"
  readonly position_manager: string
  readonly fee_tier: number | null
  readonly tick_spacing: number | null
  readonly lower_price: string | null
  readonly upper_price: string | null
  readonly staked: boolean
  readonly fees: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }>
  readonly rewards: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }>
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of collectFees. */
export type CollectFeesDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of stakeLiquidity. */
export interface StakeLiquidityRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset1: string
  /** Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset2: string
  /** Id of the position's token, as returned by addLiquidity. */
  readonly token_id: string
  /**
   * Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is velodromeCl). A named one
   * is that one or a refusal; auto, the default, takes the first that the platform allows and the vault has
   * enabled.
   */
  readonly dex?: "auto" | "uniswapV3" | "velodromeCl" | "pancakeCl" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of stakeLiquidity. */
export type StakeLiquidityResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly token_id: string
  readonly dex: "uniswapV3" | "velodromeCl" | "pancakeCl"
  readonly position_manager: string
  readonly fee_tier: number | null
  readonly tick_spacing: number | null
  readonly lower_price: string | null
  readonly upper_price: string | null
  readonly staked: boolean
  readonly staking_contract: string
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of stakeLiquidity. */
export type StakeLiquidityDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of unstakeLiquidity. */
export interface UnstakeLiquidityRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset1: string
  /** Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset2: string
  /** Id of the position's token, as returned by addLiquidity. */
  readonly token_id: string
  /**
   * Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is velodromeCl). A named one
   * is that one or a refusal; auto, the default, takes the first that the platform allows and the vault has
   * enabled.
   */
  readonly dex?: "auto" | "uniswapV3" | "velodromeCl" | "pancakeCl" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of unstakeLiquidity. */
export type UnstakeLiquidityResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly token_id: string
  readonly dex: "uniswapV3" | "velodromeCl" | "pancakeCl"
  readonly position_manager: string
  readonly fee_tier: number | null
  readonly tick_spacing: number | null
  readonly lower_price: string | null
  readonly upper_price: string | null
  readonly staked: boolean
  readonly rewards: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }>
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of unstakeLiquidity. */
export type UnstakeLiquidityDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of claimRewards. */
export interface ClaimRewardsRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** First asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset1: string
  /** Second asset of the pair: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset2: string
  /** Id of the position's token, as returned by addLiquidity. */
  readonly token_id: string
  /**
   * Exchange of the position: auto, uniswapV3, velodromeCl, pancakeCl (aerodrome is velodromeCl). A named one
   * is that one or a refusal; auto, the default, takes the first that the platform allows and the vault has
   * enabled.
   */
  readonly dex?: "auto" | "uniswapV3" | "velodromeCl" | "pancakeCl" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of claimRewards. */
export type ClaimRewardsResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly token_id: string
  readonly dex: "uniswapV3" | "velodromeCl" | "pancakeCl"
  readonly position_manager: string
  readonly fee_tier: number | null
  readonly tick_spacing: number | null
  readonly lower_price: string | null
  readonly upper_price: string | null
  readonly staked: boolean
  readonly rewards: ReadonlyArray<{
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }>
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of claimRewards. */
export type ClaimRewardsDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of depositToPerpetuals. */
export interface DepositToPerpetualsRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Network, default hyperliquid: the only one with perpetual contracts. */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of depositToPerpetuals. */
export type DepositToPerpetualsResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly deposited: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of depositToPerpetuals. */
export type DepositToPerpetualsDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of placePerpetualOrder. */
export interface PlacePerpetualOrderRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * The perpetual contract, as HyperCore names it (for example BTC, ETH, SOL); `getPerpetualMarkets` lists
   * them. Case does not matter.
   */
  readonly coin: string
  /** `buy` or `sell`; `long` means buy, `short` means sell. Case does not matter. */
  readonly side: "buy" | "long" | "sell" | "short"
  /** Network, default hyperliquid: the only one with perpetual contracts. */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Size in coins, rounded down to the contract's size decimals. Overrides `usd` when both are given. */
  readonly size?: string | undefined
  /** Size in USD: the largest size that is not worth more. */
  readonly usd?: string | undefined
  /**
   * Worst acceptable price, USD per coin. Without it the order is a market order: `ioc` at the mid price and
   * `slippage`.
   */
  readonly price?: string | undefined
  /**
   * Time in force: `ioc` fills at once what it can, `gtc` rests until it is filled or cancelled, `alo` may
   * only rest. Default gtc with a price, ioc without.
   */
  readonly tif?: "ioc" | "gtc" | "alo" | undefined
  /** Only reduce a position. Without `size` and `usd`, the whole position is closed. */
  readonly reduce_only?: boolean | undefined
  /**
   * Percent by which a market order's price may be worse than the mid price; default 0.5, at most 3, the limit
   * of the vault platform's guard.
   */
  readonly slippage?: number | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of placePerpetualOrder. */
export type PlacePerpetualOrderResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly coin: string
  readonly side: "buy" | "sell"
  readonly cloid: string
  readonly oid: string | null
  readonly order_status: string
  readonly size: string
  readonly limit_price: string
  readonly filled: string
  readonly average_price: string | null
  readonly tif: string
  readonly reduce_only: boolean
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of placePerpetualOrder. */
export type PlacePerpetualOrderDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of cancelPerpetualOrder. */
export interface CancelPerpetualOrderRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * The perpetual contract, as HyperCore names it (for example BTC, ETH, SOL); `getPerpetualMarkets` lists
   * them. Case does not matter.
   */
  readonly coin: string
  /** Network, default hyperliquid: the only one with perpetual contracts. */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Id of an intent: the `intent_id` of an earlier response. */
  readonly intent_id?: string | undefined
  /** The order's client id, 0x + 32 hex characters, as placePerpetualOrder returned it. */
  readonly cloid?: string | undefined
  /** The order's number at HyperCore. */
  readonly oid?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of cancelPerpetualOrder. */
export type CancelPerpetualOrderResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly coin: string
  readonly side: "buy" | "sell"
  readonly cloid: string | null
  readonly oid: string | null
  readonly order_status: string
  readonly size: string
  readonly limit_price: string
  readonly filled: string
  readonly average_price: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of cancelPerpetualOrder. */
export type CancelPerpetualOrderDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of withdrawFromPerpetuals. */
export interface WithdrawFromPerpetualsRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Network, default hyperliquid: the only one with perpetual contracts. */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of withdrawFromPerpetuals. */
export type WithdrawFromPerpetualsResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly withdrawn: {
    readonly asset: string
    readonly symbol: string
    readonly amount: string
    readonly raw: string
  }
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of withdrawFromPerpetuals. */
export type WithdrawFromPerpetualsDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of getPerpetualPositions. */
export interface GetPerpetualPositionsRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Network, default hyperliquid: the only one with perpetual contracts. */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getPerpetualPositions. */
export type GetPerpetualPositionsResult = {
  readonly data: {
    readonly margin: {
      readonly accountValue: string
      readonly totalPositionValue: string
      readonly totalMarginUsed: string
      readonly withdrawable: string
      readonly spotUsdc: string
    }
    readonly positions: ReadonlyArray<{
      readonly coin: string
      readonly side: "long" | "short"
      readonly size: string
      readonly entryPrice: string | null
      readonly markPrice: string | null
      readonly positionValue: string
      readonly unrealizedPnl: string
      readonly marginUsed: string
      readonly leverage: number
      readonly liquidationPrice: string | null
    }>
    readonly time: number
  }
}

/** The parameters of getPerpetualOrders. */
export interface GetPerpetualOrdersRequest {
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Network, default hyperliquid: the only one with perpetual contracts. */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getPerpetualOrders. */
export type GetPerpetualOrdersResult = {
  readonly orders: ReadonlyArray<{
    readonly oid: string
    readonly cloid: string | null
    readonly intent_id: string | null
    readonly coin: string
    readonly side: "buy" | "sell"
    readonly price: string
    readonly size: string
    readonly remaining: string
    readonly reduce_only: boolean
    readonly tif: string | null
    readonly placed_at: number
  }>
}

/** The parameters of getPerpetualMarkets. */
export interface GetPerpetualMarketsRequest {
  /** Network, default hyperliquid: the only one with perpetual contracts. */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
}

/** The fields of a success of getPerpetualMarkets. */
export type GetPerpetualMarketsResult = {
  readonly markets: ReadonlyArray<{
    readonly coin: string
    readonly asset_id: number
    readonly size_decimals: number
    readonly max_leverage: number
    readonly isolated_only: boolean
    readonly mark_price: string
    readonly mid_price: string | null
    readonly oracle_price: string
    readonly funding: string
    readonly open_interest: string
  }>
}

/** The parameters of mintManagerFee. */
export interface MintManagerFeeRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of mintManagerFee. */
export type MintManagerFeeResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly dryRun: false
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
  readonly pool: string
  readonly manager: string
  readonly availableManagerFee: string
  readonly hasFee: boolean
  readonly managerFee: string | null
  readonly daoFee: string | null
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of mintManagerFee. */
export type MintManagerFeeDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
  readonly pool: string
  readonly manager: string
  readonly availableManagerFee: string
  readonly hasFee: boolean
  readonly charge: {
    readonly usd: number
    readonly native_wei: string | null
  }
}

/** The parameters of mintManagerFeeBatch. */
export interface MintManagerFeeBatchRequest {
  /** Vault addresses, 1 to 100, each once: a repeated key, a comma list or a JSON array. */
  readonly pools: ReadonlyArray<string>
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /** Mint for the other vaults when one of them fails (the default); `false` mints for all of them or none. */
  readonly allowFailure?: boolean | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of mintManagerFeeBatch. */
export type MintManagerFeeBatchResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly dryRun: false
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
  readonly scanned: number
  readonly matched: number
  readonly eligible: number
  readonly count: number
  readonly wouldSucceed: number
  readonly minted: number
  readonly results: ReadonlyArray<{
    readonly pool: string
    readonly availableManagerFee: string | null
    readonly hasFee: boolean | null
    readonly willSucceed: boolean
    readonly managerFee: string | null
    readonly daoFee: string | null
  }>
  readonly skipped: ReadonlyArray<{
    readonly pool: string
    readonly reason: string
  }>
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of mintManagerFeeBatch. */
export type MintManagerFeeBatchDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
  readonly scanned: number
  readonly matched: number
  readonly eligible: number
  readonly count: number
  readonly wouldSucceed: number
  readonly minted: number
  readonly results: ReadonlyArray<{
    readonly pool: string
    readonly availableManagerFee: string | null
    readonly hasFee: boolean | null
    readonly willSucceed: boolean
    readonly managerFee: string | null
    readonly daoFee: string | null
  }>
  readonly skipped: ReadonlyArray<{
    readonly pool: string
    readonly reason: string
  }>
  readonly charge: {
    readonly usd: number
    readonly native_wei: string | null
  }
}

/** The parameters of mintAllFeesByManager. */
export interface MintAllFeesByManagerRequest {
  /** Address of the manager of the vaults, 0x + 40 hex characters. */
  readonly manager: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Seconds for which the transaction may be mined, counted from the moment it is planned; default 120 for
   * swaps, 600 for everything else. After that it is cancelled and the request fails with 2016.
   */
  readonly valid_for?: number | undefined
  /** Mint for the other vaults when one of them fails (the default); `false` mints for all of them or none. */
  readonly allowFailure?: boolean | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of mintAllFeesByManager. */
export type MintAllFeesByManagerResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly dryRun: false
  readonly manager: string
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
  readonly scanned: number
  readonly matched: number
  readonly eligible: number
  readonly count: number
  readonly wouldSucceed: number
  readonly minted: number
  readonly results: ReadonlyArray<{
    readonly pool: string
    readonly availableManagerFee: string | null
    readonly hasFee: boolean | null
    readonly willSucceed: boolean
    readonly managerFee: string | null
    readonly daoFee: string | null
  }>
  readonly skipped: ReadonlyArray<{
    readonly pool: string
    readonly reason: string
  }>
  readonly gas_used: string | null
  readonly gas_cost: string | null
  readonly charge_usd: number
}

/** The fields of a dry run of mintAllFeesByManager. */
export type MintAllFeesByManagerDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
  readonly manager: string
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
  readonly scanned: number
  readonly matched: number
  readonly eligible: number
  readonly count: number
  readonly wouldSucceed: number
  readonly minted: number
  readonly results: ReadonlyArray<{
    readonly pool: string
    readonly availableManagerFee: string | null
    readonly hasFee: boolean | null
    readonly willSucceed: boolean
    readonly managerFee: string | null
    readonly daoFee: string | null
  }>
  readonly skipped: ReadonlyArray<{
    readonly pool: string
    readonly reason: string
  }>
  readonly charge: {
    readonly usd: number
    readonly native_wei: string | null
  }
}

/** The parameters of setBot. */
export interface SetBotRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or address. */
  readonly pair: string
  /**
   * long: hold the base; neutral: hold the quote; short: hold the base's inverse token, where the network has
   * one; hold: do nothing.
   */
  readonly side: "long" | "neutral" | "short" | "hold"
  /** Percent of the pair's value that may be on the wrong side before it is traded, default 1. */
  readonly threshold?: number | undefined
  /** Maximum value in US dollars of one trade, and of all trades within a check interval; default 10,000,000. */
  readonly max_usd?: string | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /**
   * Percent that a trade may lose to the pool, compared with the vault's oracle; the pool's fee is part of it.
   * A larger trade is made in slices, one a check. Default: 0.3 more than a small trade loses, within the
   * slippage.
   */
  readonly max_impact?: number | undefined
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /**
   * Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is tried. `auto` (the
   * default) walks the network's fallback chain. `best` quotes its venues side by side and takes the largest
   * output. Retired venue names mean `auto`.
   */
  readonly platform?: string | undefined
  /** Supply idle funds to lenderA, and withdraw them before trading. */
  readonly lending?: boolean | undefined
  /**
   * Enable the asset that the bot is to hold where the vault does not have it enabled and lets its trader
   * enable it: by an intent of its own, before the trade.
   */
  readonly auto_enable?: boolean | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /** Decide on live prices and record the trades without sending them. */
  readonly paper?: boolean | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of setBot. */
export type SetBotResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly data: {
    readonly pair: string
    readonly base: string
    readonly quote: string
    readonly side: "long" | "neutral" | "short" | "hold"
    readonly threshold: number
    readonly max_usd: number
    readonly share: number
    readonly slippage: number
    readonly max_impact: number | null
    readonly platform: string
    readonly lending: boolean
    readonly auto_enable: boolean
    readonly active: boolean
    readonly paper: boolean
    readonly paused_reason: string | null
    readonly kill_switch: string | null
    readonly last_decision: {
      readonly action: "hold" | "trade" | "park" | "failed"
      readonly code?: 
        | "told_to_hold"
        | "no_inverse"
        | "balance_unknown"
        | "price_unavailable"
        | "nothing_there"
        | "within_threshold"
        | "too_small" | undefined
      readonly reason: string
      readonly at: string
    } | null
    readonly last_intent_id: string | null
    readonly next_check: string | null
  }
}

/** The parameters of deleteBot. */
export interface DeleteBotRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or address. */
  readonly pair?: string | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of deleteBot. */
export type DeleteBotResult = {
  readonly removed: ReadonlyArray<string>
  readonly message: string
}

/** The parameters of getBotStatus. */
export interface GetBotStatusRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getBotStatus. */
export type GetBotStatusResult = {
  readonly message: string | null
  readonly data: {
    readonly network: string
    readonly pool: string
    readonly gasWallet: string | null
    readonly active: boolean
    readonly hasBot: boolean
    readonly bots: ReadonlyArray<{
      readonly pair: string
      readonly base: string
      readonly quote: string
      readonly side: "long" | "neutral" | "short" | "hold"
      readonly threshold: number
      readonly max_usd: number
      readonly share: number
      readonly slippage: number
      readonly max_impact: number | null
      readonly platform: string
      readonly lending: boolean
      readonly auto_enable: boolean
      readonly active: boolean
      readonly paper: boolean
      readonly paused_reason: string | null
      readonly kill_switch: string | null
      readonly last_decision: {
        readonly action: "hold" | "trade" | "park" | "failed"
        readonly code?: 
          | "told_to_hold"
          | "no_inverse"
          | "balance_unknown"
          | "price_unavailable"
          | "nothing_there"
          | "within_threshold"
          | "too_small" | undefined
        readonly reason: string
        readonly at: string
      } | null
      readonly last_intent_id: string | null
      readonly next_check: string | null
    }>
    readonly waiting: ReadonlyArray<{
      readonly pair: string
      readonly side: "long" | "neutral" | "short" | "hold"
      readonly since: string
      readonly refused: string | null
    }>
    readonly hasAllocations: boolean
    readonly allocations: ReadonlyArray<{
      readonly asset: string
      readonly contract: string
      readonly weight: number
      readonly tolerance: number
    }>
    readonly index: {
      readonly network: string
      readonly pool: string
      readonly gasWallet: string
      readonly active: boolean
      readonly enabled: boolean
      readonly paper: boolean
      readonly paused_reason: string | null
      readonly kill_switch: string | null
      readonly targets: ReadonlyArray<{
        readonly asset: string
        readonly contract: string
        readonly weight: number
        readonly tolerance: number
      }>
      readonly interval: number
      readonly max_usd: number
      readonly min_trade_usd: number
      readonly tolerance: number
      readonly slippage: number
      readonly quote: string
      readonly platform: string
      readonly last_decision: string | null
      readonly last_decided_at: string | null
      readonly next_run_at: string | null
      readonly last_run: {
        readonly id: string
        readonly reason: "scheduled" | "asked"
        readonly state: "running" | "done" | "failed"
        readonly paper: boolean
        readonly traded_usd: number
        readonly plan: ReadonlyArray<{
          readonly asset: string
          readonly side: "sell" | "buy"
          readonly from: string
          readonly to: string
          readonly amountUsd: number
          readonly amount: string
          readonly minOut: string
          readonly slippage: number
        }>
        readonly trades: ReadonlyArray<{
          readonly asset: string
          readonly side: "sell" | "buy"
          readonly from: string
          readonly to: string
          readonly amountUsd: number
          readonly amount: string
          readonly minOut: string
          readonly slippage: number
          readonly status: "pending" | "success" | "fail" | "paper"
          readonly intent_id: string | null
          readonly tx_hash: string | null
          readonly sold: {
            readonly asset: string
            readonly symbol: string
            readonly amount: string
            readonly raw: string
          } | null
          readonly bought: {
            readonly asset: string
            readonly symbol: string
            readonly amount: string
            readonly raw: string
          } | null
          readonly message: string | null
        }>
        readonly message: string | null
        readonly started_at: string
        readonly ended_at: string | null
      } | null
    } | null
  }
}

/** The parameters of getAllBots. */
export interface GetAllBotsRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /**
   * The network of a manager that is a contract wallet: its signature is valid only there. Without it the
   * request covers all networks, which only an account can sign.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
}

/** The fields of a success of getAllBots. */
export type GetAllBotsResult = {
  readonly bots: ReadonlyArray<{
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly pair: string
    readonly base: string
    readonly quote: string
    readonly side: "long" | "neutral" | "short" | "hold"
    readonly threshold: number
    readonly max_usd: number
    readonly share: number
    readonly slippage: number
    readonly max_impact: number | null
    readonly platform: string
    readonly lending: boolean
    readonly auto_enable: boolean
    readonly active: boolean
    readonly paper: boolean
    readonly paused_reason: string | null
    readonly kill_switch: string | null
    readonly last_decision: {
      readonly action: "hold" | "trade" | "park" | "failed"
      readonly code?: 
        | "told_to_hold"
        | "no_inverse"
        | "balance_unknown"
        | "price_unavailable"
        | "nothing_there"
        | "within_threshold"
        | "too_small" | undefined
      readonly reason: string
      readonly at: string
    } | null
    readonly last_intent_id: string | null
    readonly next_check: string | null
  }>
  readonly index_bots: ReadonlyArray<{
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly active: boolean
    readonly enabled: boolean
    readonly paper: boolean
    readonly paused_reason: string | null
    readonly kill_switch: string | null
    readonly targets: ReadonlyArray<{
      readonly asset: string
      readonly contract: string
      readonly weight: number
      readonly tolerance: number
    }>
    readonly interval: number
    readonly max_usd: number
    readonly min_trade_usd: number
    readonly tolerance: number
    readonly slippage: number
    readonly quote: string
    readonly platform: string
    readonly last_decision: string | null
    readonly last_decided_at: string | null
    readonly next_run_at: string | null
    readonly last_run: {
      readonly id: string
      readonly reason: "scheduled" | "asked"
      readonly state: "running" | "done" | "failed"
      readonly paper: boolean
      readonly traded_usd: number
      readonly plan: ReadonlyArray<{
        readonly asset: string
        readonly side: "sell" | "buy"
        readonly from: string
        readonly to: string
        readonly amountUsd: number
        readonly amount: string
        readonly minOut: string
        readonly slippage: number
      }>
      readonly trades: ReadonlyArray<{
        readonly asset: string
        readonly side: "sell" | "buy"
        readonly from: string
        readonly to: string
        readonly amountUsd: number
        readonly amount: string
        readonly minOut: string
        readonly slippage: number
        readonly status: "pending" | "success" | "fail" | "paper"
        readonly intent_id: string | null
        readonly tx_hash: string | null
        readonly sold: {
          readonly asset: string
          readonly symbol: string
          readonly amount: string
          readonly raw: string
        } | null
        readonly bought: {
          readonly asset: string
          readonly symbol: string
          readonly amount: string
          readonly raw: string
        } | null
        readonly message: string | null
      }>
      readonly message: string | null
      readonly started_at: string
      readonly ended_at: string | null
    } | null
  }>
}

/** The parameters of setIndexBot. */
export interface SetIndexBotRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * The vault's targets: 2 to 20 objects {asset, weight, tolerance?} of different assets. `weight` is percent
   * of the whole vault; all weights sum to 100. `tolerance` is the deviation in percentage points allowed for
   * this asset.
   */
  readonly targets: ReadonlyArray<{
    readonly asset: string
    readonly weight: number
    readonly tolerance?: number | undefined
  }>
  /**
   * How often the weights are checked: in seconds (at least 60), or in minutes, hours or days as `15m`, `6h`,
   * `1d`.
   */
  readonly interval: string
  /** Maximum value in US dollars that one run trades, sells and buys together. */
  readonly max_usd: string
  /** Percentage points that a weight may deviate from its target before the bot trades, default 5. */
  readonly tolerance?: number | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /** Asset that trades go through: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly quote?: string | undefined
  /**
   * Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is tried. `auto` (the
   * default) walks the network's fallback chain. `best` quotes its venues side by side and takes the largest
   * output. Retired venue names mean `auto`.
   */
  readonly platform?: string | undefined
  /** Minimum value of a trade in US dollars, default 1. */
  readonly min_trade_usd?: string | undefined
  /** Enable scheduled checks, the first one at once. */
  readonly enabled?: boolean | undefined
  /** Decide on live prices and record the trades without sending them. */
  readonly paper?: boolean | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of setIndexBot. */
export type SetIndexBotResult = {
  readonly data: {
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly active: boolean
    readonly enabled: boolean
    readonly paper: boolean
    readonly paused_reason: string | null
    readonly kill_switch: string | null
    readonly targets: ReadonlyArray<{
      readonly asset: string
      readonly contract: string
      readonly weight: number
      readonly tolerance: number
    }>
    readonly interval: number
    readonly max_usd: number
    readonly min_trade_usd: number
    readonly tolerance: number
    readonly slippage: number
    readonly quote: string
    readonly platform: string
    readonly last_decision: string | null
    readonly last_decided_at: string | null
    readonly next_run_at: string | null
    readonly last_run: {
      readonly id: string
      readonly reason: "scheduled" | "asked"
      readonly state: "running" | "done" | "failed"
      readonly paper: boolean
      readonly traded_usd: number
      readonly plan: ReadonlyArray<{
        readonly asset: string
        readonly side: "sell" | "buy"
        readonly from: string
        readonly to: string
        readonly amountUsd: number
        readonly amount: string
        readonly minOut: string
        readonly slippage: number
      }>
      readonly trades: ReadonlyArray<{
        readonly asset: string
        readonly side: "sell" | "buy"
        readonly from: string
        readonly to: string
        readonly amountUsd: number
        readonly amount: string
        readonly minOut: string
        readonly slippage: number
        readonly status: "pending" | "success" | "fail" | "paper"
        readonly intent_id: string | null
        readonly tx_hash: string | null
        readonly sold: {
          readonly asset: string
          readonly symbol: string
          readonly amount: string
          readonly raw: string
        } | null
        readonly bought: {
          readonly asset: string
          readonly symbol: string
          readonly amount: string
          readonly raw: string
        } | null
        readonly message: string | null
      }>
      readonly message: string | null
      readonly started_at: string
      readonly ended_at: string | null
    } | null
  }
  readonly message: string
}

/** The parameters of getIndexBot. */
export interface GetIndexBotRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getIndexBot. */
export type GetIndexBotResult = {
  readonly data: {
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly active: boolean
    readonly enabled: boolean
    readonly paper: boolean
    readonly paused_reason: string | null
    readonly kill_switch: string | null
    readonly targets: ReadonlyArray<{
      readonly asset: string
      readonly contract: string
      readonly weight: number
      readonly tolerance: number
    }>
    readonly interval: number
    readonly max_usd: number
    readonly min_trade_usd: number
    readonly tolerance: number
    readonly slippage: number
    readonly quote: string
    readonly platform: string
    readonly last_decision: string | null
    readonly last_decided_at: string | null
    readonly next_run_at: string | null
    readonly last_run: {
      readonly id: string
      readonly reason: "scheduled" | "asked"
      readonly state: "running" | "done" | "failed"
      readonly paper: boolean
      readonly traded_usd: number
      readonly plan: ReadonlyArray<{
        readonly asset: string
        readonly side: "sell" | "buy"
        readonly from: string
        readonly to: string
        readonly amountUsd: number
        readonly amount: string
        readonly minOut: string
        readonly slippage: number
      }>
      readonly trades: ReadonlyArray<{
        readonly asset: string
        readonly side: "sell" | "buy"
        readonly from: string
        readonly to: string
        readonly amountUsd: number
        readonly amount: string
        readonly minOut: string
        readonly slippage: number
        readonly status: "pending" | "success" | "fail" | "paper"
        readonly intent_id: string | null
        readonly tx_hash: string | null
        readonly sold: {
          readonly asset: string
          readonly symbol: string
          readonly amount: string
          readonly raw: string
        } | null
        readonly bought: {
          readonly asset: string
          readonly symbol: string
          readonly amount: string
          readonly raw: string
        } | null
        readonly message: string | null
      }>
      readonly message: string | null
      readonly started_at: string
      readonly ended_at: string | null
    } | null
  }
}

/** The parameters of getCurrentAllocations. */
export interface GetCurrentAllocationsRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getCurrentAllocations. */
export type GetCurrentAllocationsResult = {
  readonly data: {
    readonly totalValueUsd: number | null
    readonly needsRebalance: boolean | null
    readonly reason: string | null
    readonly max_usd: number
    readonly platform: string
    readonly allocations: ReadonlyArray<{
      readonly asset: string
      readonly contract: string
      readonly targetPct: number
      readonly currentPct: number | null
      readonly driftPct: number | null
      readonly valueUsd: number | null
      readonly targetUsd: number | null
      readonly tolerance: number
      readonly outOfBand: boolean | null
      readonly inVault: boolean
    }>
    readonly unmanagedAssets: ReadonlyArray<{
      readonly asset: string
      readonly label: string
      readonly contract: string
      readonly currentPct: number | null
      readonly valueUsd: number | null
    }>
  }
}

/** The parameters of previewIndexBot. */
export interface PreviewIndexBotRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Trade even if every weight is within its tolerance. */
  readonly force?: boolean | undefined
  /** Asset that trades go through: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly quote?: string | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of previewIndexBot. */
export type PreviewIndexBotResult = {
  readonly data: {
    readonly executed: boolean
    readonly totalValueUsd: number | null
    readonly plan: ReadonlyArray<{
      readonly asset: string
      readonly side: "sell" | "buy"
      readonly from: string
      readonly to: string
      readonly amountUsd: number
      readonly amount: string
      readonly minOut: string
      readonly slippage: number
    }>
    readonly trades: ReadonlyArray<{
      readonly asset: string
      readonly side: "sell" | "buy"
      readonly from: string
      readonly to: string
      readonly amountUsd: number
      readonly amount: string
      readonly minOut: string
      readonly slippage: number
      readonly status: "pending" | "success" | "fail" | "paper"
      readonly intent_id: string | null
      readonly tx_hash: string | null
      readonly sold: {
        readonly asset: string
        readonly symbol: string
        readonly amount: string
        readonly raw: string
      } | null
      readonly bought: {
        readonly asset: string
        readonly symbol: string
        readonly amount: string
        readonly raw: string
      } | null
      readonly message: string | null
    }>
  }
  readonly message: string
}

/** The parameters of rebalancePool. */
export interface RebalancePoolRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Make the trades; without it nothing is sent. */
  readonly execute?: boolean | undefined
  /** Trade even if every weight is within its tolerance. */
  readonly force?: boolean | undefined
  /** Asset that trades go through: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly quote?: string | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of rebalancePool. */
export type RebalancePoolResult = {
  readonly intent_id: string | null
  readonly tx_hash: string | null
  readonly message: string
  readonly data: {
    readonly executed: boolean
    readonly totalValueUsd: number | null
    readonly plan: ReadonlyArray<{
      readonly asset: string
      readonly side: "sell" | "buy"
      readonly from: string
      readonly to: string
      readonly amountUsd: number
      readonly amount: string
      readonly minOut: string
      readonly slippage: number
    }>
    readonly trades: ReadonlyArray<{
      readonly asset: string
      readonly side: "sell" | "buy"
      readonly from: string
      readonly to: string
      readonly amountUsd: number
      readonly amount: string
      readonly minOut: string
      readonly slippage: number
      readonly status: "pending" | "success" | "fail" | "paper"
      readonly intent_id: string | null
      readonly tx_hash: string | null
      readonly sold: {
        readonly asset: string
        readonly symbol: string
        readonly amount: string
        readonly raw: string
      } | null
      readonly bought: {
        readonly asset: string
        readonly symbol: string
        readonly amount: string
        readonly raw: string
      } | null
      readonly message: string | null
    }>
  }
}

/** The parameters of disableIndexBot. */
export interface DisableIndexBotRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of disableIndexBot. */
export type DisableIndexBotResult = {
  readonly data: {
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly active: boolean
    readonly enabled: boolean
    readonly paper: boolean
    readonly paused_reason: string | null
    readonly kill_switch: string | null
    readonly targets: ReadonlyArray<{
      readonly asset: string
      readonly contract: string
      readonly weight: number
      readonly tolerance: number
    }>
    readonly interval: number
    readonly max_usd: number
    readonly min_trade_usd: number
    readonly tolerance: number
    readonly slippage: number
    readonly quote: string
    readonly platform: string
    readonly last_decision: string | null
    readonly last_decided_at: string | null
    readonly next_run_at: string | null
    readonly last_run: {
      readonly id: string
      readonly reason: "scheduled" | "asked"
      readonly state: "running" | "done" | "failed"
      readonly paper: boolean
      readonly traded_usd: number
      readonly plan: ReadonlyArray<{
        readonly asset: string
        readonly side: "sell" | "buy"
        readonly from: string
        readonly to: string
        readonly amountUsd: number
        readonly amount: string
        readonly minOut: string
        readonly slippage: number
      }>
      readonly trades: ReadonlyArray<{
        readonly asset: string
        readonly side: "sell" | "buy"
        readonly from: string
        readonly to: string
        readonly amountUsd: number
        readonly amount: string
        readonly minOut: string
        readonly slippage: number
        readonly status: "pending" | "success" | "fail" | "paper"
        readonly intent_id: string | null
        readonly tx_hash: string | null
        readonly sold: {
          readonly asset: string
          readonly symbol: string
          readonly amount: string
          readonly raw: string
        } | null
        readonly bought: {
          readonly asset: string
          readonly symbol: string
          readonly amount: string
          readonly raw: string
        } | null
        readonly message: string | null
      }>
      readonly message: string | null
      readonly started_at: string
      readonly ended_at: string | null
    } | null
  }
  readonly message: string
}

/** The parameters of setAllocations. */
export interface SetAllocationsRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * The vault's targets: 2 to 20 objects {asset, weight, tolerance?} of different assets. `weight` is percent
   * of the whole vault; all weights sum to 100. `tolerance` is the deviation in percentage points allowed for
   * this asset.
   */
  readonly targets?: ReadonlyArray<{
    readonly asset: string
    readonly weight: number
    readonly tolerance?: number | undefined
  }> | undefined
  /** The targets' assets, with dashes between them. */
  readonly assets?: string | undefined
  /**
   * The weights of `assets` in percent of the whole vault, with dashes between them; without `assets`, assets
   * and weights in turn (BTC-50-ETH-30-USDC-20).
   */
  readonly allocations?: string | undefined
  /** Percentage points that each asset may fall below its target. */
  readonly lower_thresholds?: string | undefined
  /** Percentage points that each asset may rise above its target. */
  readonly upper_thresholds?: string | undefined
  /** Percent of slippage for each asset. */
  readonly slippages?: string | undefined
  /** Maximum value in US dollars that one run trades. */
  readonly max_usd?: string | undefined
  /**
   * Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is tried. `auto` (the
   * default) walks the network's fallback chain. `best` quotes its venues side by side and takes the largest
   * output. Retired venue names mean `auto`.
   */
  readonly platform?: string | undefined
  /** Asset that trades go through: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly quote?: string | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of setAllocations. */
export type SetAllocationsResult = {
  readonly data: {
    readonly method: "POST"
    readonly path: string
    readonly body: {
      readonly network: string
      readonly pool: string
      readonly targets: ReadonlyArray<{
        readonly asset: string
        readonly weight: number
        readonly tolerance: number | null
      }>
      readonly interval: string
      readonly max_usd: string
      readonly quote: string
      readonly slippage?: number | undefined
      readonly platform?: string | undefined
      readonly enabled: boolean
    }
  }
  readonly message: string
}

/** The parameters of placeOrder. */
export interface PlaceOrderRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Kind of order: `limit`, `stop_loss`, `take_profit`, `bracket` (both of these, one cancels the other),
   * `trailing_stop`, `twap` (over a duration), `dca` (on a schedule), `iceberg` (as the pool bears).
   */
  readonly type: 
    | "limit"
    | "stop_loss"
    | "take_profit"
    | "bracket"
    | "trailing_stop"
    | "twap"
    | "dca"
    | "iceberg"
  /** Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or address. */
  readonly pair: string
  /** `sell` sells the base for the quote, `buy` buys the base with the quote. */
  readonly side: "buy" | "sell"
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share?: number | undefined
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /** Worst price, net of the pool's fee: never sold below it, never bought above it. */
  readonly limit_price?: string | undefined
  /** Price at which a stop triggers: falling to it for a sale, rising to it for a purchase. */
  readonly stop_price?: string | undefined
  /** Price at which a take-profit triggers: rising to it for a sale, falling to it for a purchase. */
  readonly take_profit_price?: string | undefined
  /** Distance of a trailing stop from the best price, percent of it. */
  readonly trail_percent?: number | undefined
  /** Distance of a trailing stop from the best price, in the quote. */
  readonly trail_amount?: string | undefined
  /** Price from which a trailing stop trails; at once without it. */
  readonly activation_price?: string | undefined
  /**
   * Percent that a slice may lose to the pool, compared with the vault's oracle. The order is executed in
   * slices that the pool bears. Default 0.3 for twap and iceberg; other types are one slice without it.
   */
  readonly max_impact?: number | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /** Time from now after which the order expires; default 30 days, twice the duration of a twap. */
  readonly expires_in?: string | undefined
  /** Of a twap: the time over which it is executed. */
  readonly duration?: string | undefined
  /** Of a dca: the time from one purchase to the next. */
  readonly interval?: string | undefined
  /** Number of slices of a twap (default 10), or of purchases of a dca. */
  readonly slices?: number | undefined
  /** Make missed purchases of a dca up, one at each check. */
  readonly catch_up?: boolean | undefined
  /**
   * Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is tried. `auto` (the
   * default) walks the network's fallback chain. `best` quotes its venues side by side and takes the largest
   * output. Retired venue names mean `auto`.
   */
  readonly platform?: string | undefined
  /** Of a sale: sell at most what the vault has, and end when it has none left. */
  readonly reduce_only?: boolean | undefined
  /**
   * Observations in a row, each of a later block, after which a price triggers a stop, a take-profit or a
   * trailing stop; default 2.
   */
  readonly confirmations?: number | undefined
  /** Execute on paper: fill slices at the venues' quotes, and send nothing. */
  readonly paper?: boolean | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of placeOrder. */
export type PlaceOrderResult = {
  readonly intent_id: string | null
  readonly tx_hash: string | null
  readonly message: string
  readonly data: {
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly type: 
      | "limit"
      | "stop_loss"
      | "take_profit"
      | "bracket"
      | "trailing_stop"
      | "twap"
      | "dca"
      | "iceberg"
    readonly side: "buy" | "sell"
    readonly pair: string
    readonly state: "open" | "triggered" | "cancelling" | "done" | "cancelled" | "expired"
    readonly paper: boolean
    readonly amount: string | null
    readonly share: number | null
    readonly limit_price: string | null
    readonly stop_price: string | null
    readonly take_profit_price: string | null
    readonly trail_percent: number | null
    readonly trail_amount: string | null
    readonly activation_price: string | null
    readonly slices: number | null
    readonly interval: number | null
    readonly catch_up: boolean
    readonly max_impact: number | null
    readonly slippage: number
    readonly platform: string
    readonly reduce_only: boolean
    readonly confirmations: number
    readonly sold: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }
    readonly bought: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }
    readonly remaining: string | null
    readonly average_price: string | null
    readonly peak_price: string | null
    readonly trigger: {
      readonly condition: string
      readonly price: string
      readonly at: string
    } | null
    readonly slices_made: number
    readonly open_intent_id: string | null
    readonly failures: number
    readonly reason: string
    readonly kill_switch: string | null
    readonly created_at: string
    readonly expires_at: string
    readonly ended_at: string | null
  }
}

/** The fields of a dry run of placeOrder. */
export type PlaceOrderDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of amendOrder. */
export interface AmendOrderRequest {
  /** Id of an order of a vault. */
  readonly order: string
  /** Quantity in human units of the sold asset (for example 1.5). */
  readonly amount?: string | undefined
  /** Worst price, net of the pool's fee: never sold below it, never bought above it. */
  readonly limit_price?: string | undefined
  /** Price at which a stop triggers: falling to it for a sale, rising to it for a purchase. */
  readonly stop_price?: string | undefined
  /** Price at which a take-profit triggers: rising to it for a sale, falling to it for a purchase. */
  readonly take_profit_price?: string | undefined
  /** Distance of a trailing stop from the best price, percent of it. */
  readonly trail_percent?: number | undefined
  /** Distance of a trailing stop from the best price, in the quote. */
  readonly trail_amount?: string | undefined
  /** Price from which a trailing stop trails; at once without it. */
  readonly activation_price?: string | undefined
  /**
   * Percent that a slice may lose to the pool, compared with the vault's oracle. The order is executed in
   * slices that the pool bears. Default 0.3 for twap and iceberg; other types are one slice without it.
   */
  readonly max_impact?: number | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /** Time from now after which the order expires; default 30 days, twice the duration of a twap. */
  readonly expires_in?: string | undefined
}

/** The fields of a success of amendOrder. */
export type AmendOrderResult = {
  readonly data: {
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly type: 
      | "limit"
      | "stop_loss"
      | "take_profit"
      | "bracket"
      | "trailing_stop"
      | "twap"
      | "dca"
      | "iceberg"
    readonly side: "buy" | "sell"
    readonly pair: string
    readonly state: "open" | "triggered" | "cancelling" | "done" | "cancelled" | "expired"
    readonly paper: boolean
    readonly amount: string | null
    readonly share: number | null
    readonly limit_price: string | null
    readonly stop_price: string | null
    readonly take_profit_price: string | null
    readonly trail_percent: number | null
    readonly trail_amount: string | null
    readonly activation_price: string | null
    readonly slices: number | null
    readonly interval: number | null
    readonly catch_up: boolean
    readonly max_impact: number | null
    readonly slippage: number
    readonly platform: string
    readonly reduce_only: boolean
    readonly confirmations: number
    readonly sold: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }
    readonly bought: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }
    readonly remaining: string | null
    readonly average_price: string | null
    readonly peak_price: string | null
    readonly trigger: {
      readonly condition: string
      readonly price: string
      readonly at: string
    } | null
    readonly slices_made: number
    readonly open_intent_id: string | null
    readonly failures: number
    readonly reason: string
    readonly kill_switch: string | null
    readonly created_at: string
    readonly expires_at: string
    readonly ended_at: string | null
  }
  readonly message: string
}

/** The parameters of cancelOrder. */
export interface CancelOrderRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Id of an order of a vault. */
  readonly order?: string | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of cancelOrder. */
export type CancelOrderResult = {
  readonly orders: ReadonlyArray<{
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly type: 
      | "limit"
      | "stop_loss"
      | "take_profit"
      | "bracket"
      | "trailing_stop"
      | "twap"
      | "dca"
      | "iceberg"
    readonly side: "buy" | "sell"
    readonly pair: string
    readonly state: "open" | "triggered" | "cancelling" | "done" | "cancelled" | "expired"
    readonly paper: boolean
    readonly amount: string | null
    readonly share: number | null
    readonly limit_price: string | null
    readonly stop_price: string | null
    readonly take_profit_price: string | null
    readonly trail_percent: number | null
    readonly trail_amount: string | null
    readonly activation_price: string | null
    readonly slices: number | null
    readonly interval: number | null
    readonly catch_up: boolean
    readonly max_impact: number | null
    readonly slippage: number
    readonly platform: string
    readonly reduce_only: boolean
    readonly confirmations: number
    readonly sold: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }
    readonly bought: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }
    readonly remaining: string | null
    readonly average_price: string | null
    readonly peak_price: string | null
    readonly trigger: {
      readonly condition: string
      readonly price: string
      readonly at: string
    } | null
    readonly slices_made: number
    readonly open_intent_id: string | null
    readonly failures: number
    readonly reason: string
    readonly kill_switch: string | null
    readonly created_at: string
    readonly expires_at: string
    readonly ended_at: string | null
  }>
  readonly message: string
}

/** The parameters of getOrders. */
export interface GetOrdersRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Include orders that have ended. */
  readonly all?: boolean | undefined
  /** Rows per page, 1 to 100, default 50. */
  readonly limit?: number | undefined
  /** Start of the next page: the `cursor` of the previous page. */
  readonly cursor?: string | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getOrders. */
export type GetOrdersResult = {
  readonly orders: ReadonlyArray<{
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly type: 
      | "limit"
      | "stop_loss"
      | "take_profit"
      | "bracket"
      | "trailing_stop"
      | "twap"
      | "dca"
      | "iceberg"
    readonly side: "buy" | "sell"
    readonly pair: string
    readonly state: "open" | "triggered" | "cancelling" | "done" | "cancelled" | "expired"
    readonly paper: boolean
    readonly amount: string | null
    readonly share: number | null
    readonly limit_price: string | null
    readonly stop_price: string | null
    readonly take_profit_price: string | null
    readonly trail_percent: number | null
    readonly trail_amount: string | null
    readonly activation_price: string | null
    readonly slices: number | null
    readonly interval: number | null
    readonly catch_up: boolean
    readonly max_impact: number | null
    readonly slippage: number
    readonly platform: string
    readonly reduce_only: boolean
    readonly confirmations: number
    readonly sold: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }
    readonly bought: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }
    readonly remaining: string | null
    readonly average_price: string | null
    readonly peak_price: string | null
    readonly trigger: {
      readonly condition: string
      readonly price: string
      readonly at: string
    } | null
    readonly slices_made: number
    readonly open_intent_id: string | null
    readonly failures: number
    readonly reason: string
    readonly kill_switch: string | null
    readonly created_at: string
    readonly expires_at: string
    readonly ended_at: string | null
  }>
  readonly cursor: string | null
  readonly message: string | null
}

/** The parameters of getOrder. */
export interface GetOrderRequest {
  /** Id of an order of a vault. */
  readonly order: string
}

/** The fields of a success of getOrder. */
export type GetOrderResult = {
  readonly data: {
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly type: 
      | "limit"
      | "stop_loss"
      | "take_profit"
      | "bracket"
      | "trailing_stop"
      | "twap"
      | "dca"
      | "iceberg"
    readonly side: "buy" | "sell"
    readonly pair: string
    readonly state: "open" | "triggered" | "cancelling" | "done" | "cancelled" | "expired"
    readonly paper: boolean
    readonly amount: string | null
    readonly share: number | null
    readonly limit_price: string | null
    readonly stop_price: string | null
    readonly take_profit_price: string | null
    readonly trail_percent: number | null
    readonly trail_amount: string | null
    readonly activation_price: string | null
    readonly slices: number | null
    readonly interval: number | null
    readonly catch_up: boolean
    readonly max_impact: number | null
    readonly slippage: number
    readonly platform: string
    readonly reduce_only: boolean
    readonly confirmations: number
    readonly sold: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }
    readonly bought: {
      readonly asset: string
      readonly symbol: string
      readonly amount: string
      readonly raw: string
    }
    readonly remaining: string | null
    readonly average_price: string | null
    readonly peak_price: string | null
    readonly trigger: {
      readonly condition: string
      readonly price: string
      readonly at: string
    } | null
    readonly slices_made: number
    readonly open_intent_id: string | null
    readonly failures: number
    readonly reason: string
    readonly kill_switch: string | null
    readonly created_at: string
    readonly expires_at: string
    readonly ended_at: string | null
  }
  readonly slices: ReadonlyArray<{
    readonly slice: number
    readonly intent_id: string
    readonly amount: string
    readonly state: "in_progress" | "succeeded" | "failed"
    readonly sold: string | null
    readonly bought: string | null
    readonly tx_hash: string | null
    readonly message: string | null
    readonly begun_at: string
    readonly ended_at: string | null
  }>
  readonly events: ReadonlyArray<{
    readonly at: string
    readonly kind: 
      | "placed"
      | "amended"
      | "triggered"
      | "slice_begun"
      | "slice_succeeded"
      | "slice_failed"
      | "cancelling"
      | "cancelled"
      | "done"
      | "expired"
    readonly reason: string
  }>
}

/** The parameters of setGuardian. */
export interface SetGuardianRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Kind of guardian: `health_factor` repays debt below a floor, `loss_breaker` stops bots and orders after a
   * loss, `oracle` refuses trades on old prices and off the peg, `gas` reports a wallet that is low.
   */
  readonly kind: "health_factor" | "loss_breaker" | "oracle" | "gas"
  /** Of a health_factor guardian: the health factor below which it acts, 1.05 at least. */
  readonly floor?: string | undefined
  /** Of a health_factor guardian: the health factor that it restores. */
  readonly target?: string | undefined
  /**
   * Of a health_factor guardian: what it may do, in the order of preference. `repay` with the vault's balance
   * of the debt's asset, `unlend` what is supplied of it, `sell` other tokens, `deleverage`: sell collateral.
   * Default repay,unlend,deleverage.
   */
  readonly prefer?: ReadonlyArray<"repay" | "unlend" | "sell" | "deleverage"> | undefined
  /** Of a loss_breaker: the loss of the share price since the beginning of the day (UTC), percent. */
  readonly max_daily_loss?: number | undefined
  /** Of a loss_breaker: the loss of the share price since its peak, percent. */
  readonly max_total_loss?: number | undefined
  /**
   * Of a loss_breaker: the asset that the vault's tokens are sold for when it trips; nothing without it: a
   * token symbol (for example USDC, WETH, WBTC) or a contract address.
   */
  readonly close_into?: string | undefined
  /** Of a loss_breaker with close_into: also close loans, supplies and liquidity positions. Default true. */
  readonly close_positions?: boolean | undefined
  /** Of an oracle guardian: how old the oracle's answer for a token may be. */
  readonly max_age?: string | undefined
  /** Of an oracle guardian: how far a stablecoin may be off 1 USD, percent. */
  readonly max_depeg?: number | undefined
  /** Of an oracle guardian: the tokens that it watches; all that the vault may hold without it. */
  readonly assets?: ReadonlyArray<string> | undefined
  /** Of a gas guardian: the wallet's native token below which it reports. */
  readonly min_gas?: string | undefined
  /** Of a gas guardian: the native token that its proposed refill restores; three times min_gas without it. */
  readonly target_gas?: string | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /** Readings in a row, each of a later block, after which it acts; default 2. */
  readonly confirmations?: number | undefined
  /** Watch and report only: nothing is sent, held or stopped. */
  readonly paper?: boolean | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of setGuardian. */
export type SetGuardianResult = {
  readonly data: {
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly kind: "health_factor" | "loss_breaker" | "oracle" | "gas"
    readonly state: "armed" | "acting" | "tripped"
    readonly paper: boolean
    readonly floor: string | null
    readonly target: string | null
    readonly prefer: ReadonlyArray<"repay" | "unlend" | "sell" | "deleverage"> | null
    readonly max_daily_loss: number | null
    readonly max_total_loss: number | null
    readonly close_into: string | null
    readonly close_positions: boolean | null
    readonly max_age: number | null
    readonly max_depeg: number | null
    readonly assets: ReadonlyArray<string> | null
    readonly min_gas: string | null
    readonly target_gas: string | null
    readonly slippage: number | null
    readonly confirmations: number
    readonly reading: string | null
    readonly reason: string
    readonly holds: boolean
    readonly open_intent_id: string | null
    readonly failures: number
    readonly skipped: ReadonlyArray<string>
    readonly proposed_refill: {
      readonly to: string
      readonly chain_id: number
      readonly amount: string
      readonly value: string
      readonly token: string
    } | null
    readonly kill_switch: string | null
    readonly tripped_at: string | null
    readonly checked_at: string | null
    readonly created_at: string
  } | null
  readonly plan: {
    readonly step: string
    readonly reading: string
    readonly reason: string
    readonly action: string | null
  } | null
  readonly message: string
}

/** The parameters of getGuardians. */
export interface GetGuardiansRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getGuardians. */
export type GetGuardiansResult = {
  readonly guardians: ReadonlyArray<{
    readonly data: {
      readonly id: string
      readonly network: string
      readonly pool: string
      readonly gasWallet: string
      readonly kind: "health_factor" | "loss_breaker" | "oracle" | "gas"
      readonly state: "armed" | "acting" | "tripped"
      readonly paper: boolean
      readonly floor: string | null
      readonly target: string | null
      readonly prefer: ReadonlyArray<"repay" | "unlend" | "sell" | "deleverage"> | null
      readonly max_daily_loss: number | null
      readonly max_total_loss: number | null
      readonly close_into: string | null
      readonly close_positions: boolean | null
      readonly max_age: number | null
      readonly max_depeg: number | null
      readonly assets: ReadonlyArray<string> | null
      readonly min_gas: string | null
      readonly target_gas: string | null
      readonly slippage: number | null
      readonly confirmations: number
      readonly reading: string | null
      readonly reason: string
      readonly holds: boolean
      readonly open_intent_id: string | null
      readonly failures: number
      readonly skipped: ReadonlyArray<string>
      readonly proposed_refill: {
        readonly to: string
        readonly chain_id: number
        readonly amount: string
        readonly value: string
        readonly token: string
      } | null
      readonly kill_switch: string | null
      readonly tripped_at: string | null
      readonly checked_at: string | null
      readonly created_at: string
    }
    readonly actions: ReadonlyArray<{
      readonly step: number
      readonly intent_id: string
      readonly action: string
      readonly asset: string
      readonly state: string
      readonly tx_hash: string | null
      readonly message: string | null
      readonly begun_at: string
      readonly ended_at: string | null
    }>
    readonly events: ReadonlyArray<{
      readonly at: string
      readonly kind: 
        | "set"
        | "tripped"
        | "action_begun"
        | "action_succeeded"
        | "action_failed"
        | "cleared"
        | "done"
        | "failed"
        | "reset"
        | "deleted"
      readonly reason: string
    }>
  }>
  readonly message: string | null
}

/** The parameters of resetGuardian. */
export interface ResetGuardianRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Kind of guardian: `health_factor` repays debt below a floor, `loss_breaker` stops bots and orders after a
   * loss, `oracle` refuses trades on old prices and off the peg, `gas` reports a wallet that is low.
   */
  readonly kind: "health_factor" | "loss_breaker" | "oracle" | "gas"
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of resetGuardian. */
export type ResetGuardianResult = {
  readonly data: {
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly kind: "health_factor" | "loss_breaker" | "oracle" | "gas"
    readonly state: "armed" | "acting" | "tripped"
    readonly paper: boolean
    readonly floor: string | null
    readonly target: string | null
    readonly prefer: ReadonlyArray<"repay" | "unlend" | "sell" | "deleverage"> | null
    readonly max_daily_loss: number | null
    readonly max_total_loss: number | null
    readonly close_into: string | null
    readonly close_positions: boolean | null
    readonly max_age: number | null
    readonly max_depeg: number | null
    readonly assets: ReadonlyArray<string> | null
    readonly min_gas: string | null
    readonly target_gas: string | null
    readonly slippage: number | null
    readonly confirmations: number
    readonly reading: string | null
    readonly reason: string
    readonly holds: boolean
    readonly open_intent_id: string | null
    readonly failures: number
    readonly skipped: ReadonlyArray<string>
    readonly proposed_refill: {
      readonly to: string
      readonly chain_id: number
      readonly amount: string
      readonly value: string
      readonly token: string
    } | null
    readonly kill_switch: string | null
    readonly tripped_at: string | null
    readonly checked_at: string | null
    readonly created_at: string
  }
  readonly message: string
}

/** The parameters of deleteGuardian. */
export interface DeleteGuardianRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Kind of guardian: `health_factor` repays debt below a floor, `loss_breaker` stops bots and orders after a
   * loss, `oracle` refuses trades on old prices and off the peg, `gas` reports a wallet that is low.
   */
  readonly kind: "health_factor" | "loss_breaker" | "oracle" | "gas"
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of deleteGuardian. */
export type DeleteGuardianResult = {
  readonly data: {
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly kind: "health_factor" | "loss_breaker" | "oracle" | "gas"
    readonly state: "armed" | "acting" | "tripped"
    readonly paper: boolean
    readonly floor: string | null
    readonly target: string | null
    readonly prefer: ReadonlyArray<"repay" | "unlend" | "sell" | "deleverage"> | null
    readonly max_daily_loss: number | null
    readonly max_total_loss: number | null
    readonly close_into: string | null
    readonly close_positions: boolean | null
    readonly max_age: number | null
    readonly max_depeg: number | null
    readonly assets: ReadonlyArray<string> | null
    readonly min_gas: string | null
    readonly target_gas: string | null
    readonly slippage: number | null
    readonly confirmations: number
    readonly reading: string | null
    readonly reason: string
    readonly holds: boolean
    readonly open_intent_id: string | null
    readonly failures: number
    readonly skipped: ReadonlyArray<string>
    readonly proposed_refill: {
      readonly to: string
      readonly chain_id: number
      readonly amount: string
      readonly value: string
      readonly token: string
    } | null
    readonly kill_switch: string | null
    readonly tripped_at: string | null
    readonly checked_at: string | null
    readonly created_at: string
  } | null
  readonly message: string
}

/** The parameters of setFollower. */
export interface SetFollowerRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /**
   * Address of the leader: another vault of the platform, of any manager, or any other address, 0x + 40 hex
   * characters.
   */
  readonly leader: string
  /** Most that one trade moves, US dollars. */
  readonly max_usd: string
  /**
   * Asset that trades go through, and that has the weight of everything that is not followed; USDC without it:
   * a token symbol (for example USDC, WETH, WBTC) or a contract address.
   */
  readonly base?: string | undefined
  /** Percent of the leader's weights that are copied, default 100; the rest stays in base. */
  readonly ratio?: number | undefined
  /** Percentage points that a weight may be off its target, default 2. */
  readonly threshold?: number | undefined
  /** Most that one asset other than base may weigh, percent. */
  readonly max_weight?: number | undefined
  /** Most that all trades of an interval move, US dollars. */
  readonly max_usd_interval?: string | undefined
  /** The interval of max_usd_interval; default 1d. */
  readonly interval?: string | undefined
  /** The only assets that are traded; all that the vault may hold without it. */
  readonly assets?: ReadonlyArray<string> | undefined
  /** Assets that are never traded. */
  readonly without?: ReadonlyArray<string> | undefined
  /** Time for which a difference must have lasted before the first trade; none without it. */
  readonly delay?: string | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /**
   * Percent that a trade may lose to the pool, compared with the vault's oracle, default 1; a trade is as
   * large as the pool bears.
   */
  readonly max_impact?: number | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of setFollower. */
export type SetFollowerResult = {
  readonly data: {
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly leader: string
    readonly leader_kind: "vault" | "wallet"
    readonly gasWallet: string
    readonly state: "following" | "stopped"
    readonly base: string
    readonly ratio: number
    readonly threshold: number
    readonly max_weight: number | null
    readonly max_usd: string
    readonly max_usd_interval: string | null
    readonly interval: number
    readonly assets: ReadonlyArray<string> | null
    readonly without: ReadonlyArray<string>
    readonly delay: number
    readonly slippage: number
    readonly max_impact: number
    readonly leader_usd: number | null
    readonly weights: ReadonlyArray<{
      readonly asset: string
      readonly symbol: string
      readonly weight: number
      readonly target: number
      readonly reason: string | null
    }>
    readonly reading: string | null
    readonly reason: string
    readonly open_intent_id: string | null
    readonly failures: number
    readonly kill_switch: string | null
    readonly stopped_at: string | null
    readonly checked_at: string | null
    readonly created_at: string
  } | null
  readonly plan: {
    readonly step: string
    readonly reading: string
    readonly reason: string
    readonly weights: ReadonlyArray<{
      readonly asset: string
      readonly symbol: string
      readonly weight: number
      readonly target: number
      readonly reason: string | null
    }>
    readonly trades: ReadonlyArray<string>
  } | null
  readonly message: string
}

/** The parameters of getFollowers. */
export interface GetFollowersRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getFollowers. */
export type GetFollowersResult = {
  readonly followers: ReadonlyArray<{
    readonly data: {
      readonly id: string
      readonly network: string
      readonly pool: string
      readonly leader: string
      readonly leader_kind: "vault" | "wallet"
      readonly gasWallet: string
      readonly state: "following" | "stopped"
      readonly base: string
      readonly ratio: number
      readonly threshold: number
      readonly max_weight: number | null
      readonly max_usd: string
      readonly max_usd_interval: string | null
      readonly interval: number
      readonly assets: ReadonlyArray<string> | null
      readonly without: ReadonlyArray<string>
      readonly delay: number
      readonly slippage: number
      readonly max_impact: number
      readonly leader_usd: number | null
      readonly weights: ReadonlyArray<{
        readonly asset: string
        readonly symbol: string
        readonly weight: number
        readonly target: number
        readonly reason: string | null
      }>
      readonly reading: string | null
      readonly reason: string
      readonly open_intent_id: string | null
      readonly failures: number
      readonly kill_switch: string | null
      readonly stopped_at: string | null
      readonly checked_at: string | null
      readonly created_at: string
    }
    readonly trades: ReadonlyArray<{
      readonly step: number
      readonly intent_id: string
      readonly side: string
      readonly from: string
      readonly to: string
      readonly amount: string
      readonly usd: number
      readonly state: string
      readonly tx_hash: string | null
      readonly message: string | null
      readonly begun_at: string
      readonly ended_at: string | null
    }>
    readonly events: ReadonlyArray<{
      readonly at: string
      readonly kind: 
        | "set"
        | "trade_begun"
        | "trade_succeeded"
        | "trade_failed"
        | "stopped"
        | "failed"
        | "removed"
      readonly reason: string
    }>
  }>
  readonly message: string | null
}

/** The parameters of removeFollower. */
export interface RemoveFollowerRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of removeFollower. */
export type RemoveFollowerResult = {
  readonly data: {
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly leader: string
    readonly leader_kind: "vault" | "wallet"
    readonly gasWallet: string
    readonly state: "following" | "stopped"
    readonly base: string
    readonly ratio: number
    readonly threshold: number
    readonly max_weight: number | null
    readonly max_usd: string
    readonly max_usd_interval: string | null
    readonly interval: number
    readonly assets: ReadonlyArray<string> | null
    readonly without: ReadonlyArray<string>
    readonly delay: number
    readonly slippage: number
    readonly max_impact: number
    readonly leader_usd: number | null
    readonly weights: ReadonlyArray<{
      readonly asset: string
      readonly symbol: string
      readonly weight: number
      readonly target: number
      readonly reason: string | null
    }>
    readonly reading: string | null
    readonly reason: string
    readonly open_intent_id: string | null
    readonly failures: number
    readonly kill_switch: string | null
    readonly stopped_at: string | null
    readonly checked_at: string | null
    readonly created_at: string
  } | null
  readonly message: string
}

/** The parameters of getStrategies. */
export interface GetStrategiesRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getStrategies. */
export type GetStrategiesResult = {
  readonly strategies: ReadonlyArray<{
    readonly name: string
    readonly description: {
      readonly description: string
      readonly history: number
      readonly inputs: Readonly<Record<string, unknown>>
    } | null
    readonly problem: string | null
  }>
}

/** The parameters of setStrategyBot. */
export interface SetStrategyBotRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** A strategy by the name of its file; getStrategies lists them. */
  readonly strategy: string
  /** The tokens that the strategy trades. */
  readonly assets: ReadonlyArray<string>
  /**
   * Length of a candle; the strategy decides each time that one closes. A time as `15m`, `6h`, `1d`, or
   * `20blocks`.
   */
  readonly interval: string
  /** The most in US dollars that one decision trades, sells and buys together. */
  readonly max_usd: string
  /** Values of the strategy's inputs, as `fast=12,slow=26`; defaults for those that are not named. */
  readonly inputs?: string | undefined
  /** Asset that trades go through: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly quote?: string | undefined
  /** Points that a weight may be off its target before it is traded, default 1. */
  readonly tolerance?: number | undefined
  /** Percent the outcome may be worse than the quote and the vault's oracle; default 0.5, at most 5. */
  readonly slippage?: number | undefined
  /**
   * Percent that a trade may lose to its pool by the vault's oracle; only that part is made. Default as for
   * setBot.
   */
  readonly max_impact?: number | undefined
  /** Minimum value of a trade in US dollars, default 1. */
  readonly min_trade_usd?: string | undefined
  /**
   * Venue to use: 1inch, kyberswap, odosV3, uniswapV3, quickswap, toros; no other venue is tried. `auto` (the
   * default) walks the network's fallback chain. `best` quotes its venues side by side and takes the largest
   * output. Retired venue names mean `auto`.
   */
  readonly platform?: string | undefined
  /** `paper`, the default, records decisions and the fills that it would have had; `live` trades. */
  readonly mode?: "paper" | "live" | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of setStrategyBot. */
export type SetStrategyBotResult = {
  readonly data: {
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly strategy: string
    readonly digest: string
    readonly mode: "paper" | "live"
    readonly active: boolean
    readonly paused_code: string | null
    readonly reason: string
    readonly kill_switch: string | null
    readonly assets: ReadonlyArray<string>
    readonly quote: string
    readonly inputs: Readonly<Record<string, unknown>>
    readonly interval: string
    readonly max_usd: number
    readonly min_trade_usd: number
    readonly tolerance: number
    readonly slippage: number
    readonly max_impact: number | null
    readonly platform: string
    readonly memory: unknown
    readonly open_intent_id: string | null
    readonly failures: number
    readonly paper_holdings: Readonly<Record<string, unknown>> | null
    readonly checked_at: string | null
    readonly created_at: string
  }
  readonly message: string
}

/** The parameters of getStrategyBots. */
export interface GetStrategyBotsRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of getStrategyBots. */
export type GetStrategyBotsResult = {
  readonly bots: ReadonlyArray<{
    readonly data: {
      readonly id: string
      readonly network: string
      readonly pool: string
      readonly gasWallet: string
      readonly strategy: string
      readonly digest: string
      readonly mode: "paper" | "live"
      readonly active: boolean
      readonly paused_code: string | null
      readonly reason: string
      readonly kill_switch: string | null
      readonly assets: ReadonlyArray<string>
      readonly quote: string
      readonly inputs: Readonly<Record<string, unknown>>
      readonly interval: string
      readonly max_usd: number
      readonly min_trade_usd: number
      readonly tolerance: number
      readonly slippage: number
      readonly max_impact: number | null
      readonly platform: string
      readonly memory: unknown
      readonly open_intent_id: string | null
      readonly failures: number
      readonly paper_holdings: Readonly<Record<string, unknown>> | null
      readonly checked_at: string | null
      readonly created_at: string
    }
    readonly decisions: ReadonlyArray<{
      readonly number: number
      readonly candle: number
      readonly decision: unknown
      readonly reason: string
      readonly state: string
      readonly trades: ReadonlyArray<{
        readonly from: string
        readonly to: string
        readonly amount: string
        readonly min_out: string
        readonly usd: number
        readonly state: string
        readonly intent_id: string | null
        readonly tx_hash: string | null
        readonly bought: string | null
        readonly message: string | null
      }>
      readonly decided_at: string
    }>
    readonly candles: ReadonlyArray<{
      readonly time: number
      readonly prices: Readonly<Record<string, unknown>>
    }>
    readonly events: ReadonlyArray<{
      readonly at: string
      readonly kind: "set" | "paused" | "deleted"
      readonly reason: string
    }>
  }>
  readonly message: string | null
}

/** The parameters of deleteStrategyBot. */
export interface DeleteStrategyBotRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** A strategy by the name of its file; getStrategies lists them. */
  readonly strategy: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of deleteStrategyBot. */
export type DeleteStrategyBotResult = {
  readonly data: {
    readonly id: string
    readonly network: string
    readonly pool: string
    readonly gasWallet: string
    readonly strategy: string
    readonly digest: string
    readonly mode: "paper" | "live"
    readonly active: boolean
    readonly paused_code: string | null
    readonly reason: string
    readonly kill_switch: string | null
    readonly assets: ReadonlyArray<string>
    readonly quote: string
    readonly inputs: Readonly<Record<string, unknown>>
    readonly interval: string
    readonly max_usd: number
    readonly min_trade_usd: number
    readonly tolerance: number
    readonly slippage: number
    readonly max_impact: number | null
    readonly platform: string
    readonly memory: unknown
    readonly open_intent_id: string | null
    readonly failures: number
    readonly paper_holdings: Readonly<Record<string, unknown>> | null
    readonly checked_at: string | null
    readonly created_at: string
  } | null
  readonly message: string
}

/** The parameters of registerCEXSubaccount. */
export interface RegisterCEXSubaccountRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager: string
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature: string
  /** Exchange of the account: binance, bitget, gate, kucoin, okx. */
  readonly exchange: "binance" | "bitget" | "gate" | "kucoin" | "okx"
  /** Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ + -. */
  readonly subaccount_name: string
  /** API key of the exchange, in the request body only. Stored encrypted, never shown again. */
  readonly cex_api_key: string
  /** Secret of the exchange's API key, in the request body only. Stored encrypted, never shown again. */
  readonly cex_secret: string
  /** Passphrase of the exchange's API key, in the request body only. Stored encrypted, never shown again. */
  readonly cex_passphrase?: string | undefined
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly payment_network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /**
   * Settings of the account: a JSON object with no members other than testnet (true or false) and slippage (a
   * percentage above 0 and at most 5). Default {"testnet":false,"slippage":0.5}.
   */
  readonly settings?: {
    readonly testnet?: boolean | undefined
    readonly slippage?: number | undefined
  } | undefined
}

/** The fields of a success of registerCEXSubaccount. */
export type RegisterCEXSubaccountResult = {
  readonly data: {
    readonly subaccount_name: string
    readonly exchange: "binance" | "bitget" | "gate" | "kucoin" | "okx"
    readonly manager: string
    readonly gas_wallet: string
    readonly payment_network: 
      | "optimism"
      | "base"
      | "arbitrum"
      | "polygon"
      | "ethereum"
      | "hyperliquid"
      | "plasma"
    readonly settings: {
      readonly testnet: boolean
      readonly slippage: number
    }
    readonly created_at: string
  }
  readonly balances: ReadonlyArray<{
    readonly asset: string
    readonly free: string
  }>
  readonly message: string
}

/** The parameters of setCEXSide. */
export interface SetCEXSideRequest {
  /** Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ + -. */
  readonly subaccount_name: string
  /** Pair as the exchange lists it, BASE-QUOTE. */
  readonly pair: string
  /** long: hold the base; neutral: hold the quote; hold: do nothing. */
  readonly side: "long" | "neutral" | "hold"
  /** Maximum value of one order in US dollars. */
  readonly max_usd: string
  /** Percent of the available balance, 0 < share ≤ 100. Wins over `amount` when both are given. */
  readonly share: number
  /**
   * custom (the default): the side set with setCEXSide; trend: long while the last daily candle closed above
   * the mean of the last 50, else neutral.
   */
  readonly strategy?: "custom" | "trend" | undefined
  /**
   * Sell what the bot bought once the exchange's bid is this percentage above the average price paid. None
   * without it.
   */
  readonly take_profit?: number | undefined
  /**
   * Sell what the bot bought once the exchange's bid is this percentage below the average price paid. None
   * without it.
   */
  readonly stop_loss?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of setCEXSide. */
export type SetCEXSideResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly data: {
    readonly pair: string
    readonly side: "long" | "neutral" | "hold"
    readonly strategy: "custom" | "trend"
    readonly max_usd: number
    readonly share: number
    readonly take_profit: number | null
    readonly stop_loss: number | null
    readonly exit: {
      readonly state: "closing" | "closed"
      readonly condition: "take_profit" | "stop_loss"
      readonly entry_price: string
      readonly price: string
      readonly amount: string
      readonly at: string
    } | null
    readonly active: boolean
    readonly paused_reason: string | null
    readonly last_decision: {
      readonly action: "hold" | "order" | "failed"
      readonly reason: string
      readonly at: string
    } | null
    readonly last_intent_id: string | null
  }
}

/** The parameters of getCEXSide. */
export interface GetCEXSideRequest {
  /** Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ + -. */
  readonly subaccount_name: string
  /** Pair as the exchange lists it, BASE-QUOTE. */
  readonly pair?: string | undefined
}

/** The fields of a success of getCEXSide. */
export type GetCEXSideResult = {
  readonly bots: ReadonlyArray<{
    readonly pair: string
    readonly side: "long" | "neutral" | "hold"
    readonly strategy: "custom" | "trend"
    readonly max_usd: number
    readonly share: number
    readonly take_profit: number | null
    readonly stop_loss: number | null
    readonly exit: {
      readonly state: "closing" | "closed"
      readonly condition: "take_profit" | "stop_loss"
      readonly entry_price: string
      readonly price: string
      readonly amount: string
      readonly at: string
    } | null
    readonly active: boolean
    readonly paused_reason: string | null
    readonly last_decision: {
      readonly action: "hold" | "order" | "failed"
      readonly reason: string
      readonly at: string
    } | null
    readonly last_intent_id: string | null
  }>
}

/** The parameters of setCEXStrategy. */
export interface SetCEXStrategyRequest {
  /** Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ + -. */
  readonly subaccount_name: string
  /** Pair as the exchange lists it, BASE-QUOTE. */
  readonly pair: string
  /**
   * custom (the default): the side set with setCEXSide; trend: long while the last daily candle closed above
   * the mean of the last 50, else neutral.
   */
  readonly strategy: "custom" | "trend"
}

/** The fields of a success of setCEXStrategy. */
export type SetCEXStrategyResult = {
  readonly data: {
    readonly pair: string
    readonly side: "long" | "neutral" | "hold"
    readonly strategy: "custom" | "trend"
    readonly max_usd: number
    readonly share: number
    readonly take_profit: number | null
    readonly stop_loss: number | null
    readonly exit: {
      readonly state: "closing" | "closed"
      readonly condition: "take_profit" | "stop_loss"
      readonly entry_price: string
      readonly price: string
      readonly amount: string
      readonly at: string
    } | null
    readonly active: boolean
    readonly paused_reason: string | null
    readonly last_decision: {
      readonly action: "hold" | "order" | "failed"
      readonly reason: string
      readonly at: string
    } | null
    readonly last_intent_id: string | null
  }
  readonly message: string
}

/** The parameters of deactivateCEXBot. */
export interface DeactivateCEXBotRequest {
  /** Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ + -. */
  readonly subaccount_name: string
  /** Pair as the exchange lists it, BASE-QUOTE. */
  readonly pair: string
}

/** The fields of a success of deactivateCEXBot. */
export type DeactivateCEXBotResult = {
  readonly data: {
    readonly pair: string
    readonly side: "long" | "neutral" | "hold"
    readonly strategy: "custom" | "trend"
    readonly max_usd: number
    readonly share: number
    readonly take_profit: number | null
    readonly stop_loss: number | null
    readonly exit: {
      readonly state: "closing" | "closed"
      readonly condition: "take_profit" | "stop_loss"
      readonly entry_price: string
      readonly price: string
      readonly amount: string
      readonly at: string
    } | null
    readonly active: boolean
    readonly paused_reason: string | null
    readonly last_decision: {
      readonly action: "hold" | "order" | "failed"
      readonly reason: string
      readonly at: string
    } | null
    readonly last_intent_id: string | null
  }
  readonly message: string
}

/** The parameters of deleteCEXBot. */
export interface DeleteCEXBotRequest {
  /** Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ + -. */
  readonly subaccount_name: string
  /** Pair as the exchange lists it, BASE-QUOTE. */
  readonly pair: string
}

/** The fields of a success of deleteCEXBot. */
export type DeleteCEXBotResult = {
  readonly removed: ReadonlyArray<string>
  readonly message: string
}

/** The parameters of deleteCEXSubaccount. */
export interface DeleteCEXSubaccountRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager: string
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature: string
  /** Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ + -. */
  readonly subaccount_name: string
}

/** The fields of a success of deleteCEXSubaccount. */
export type DeleteCEXSubaccountResult = {
  readonly removed: ReadonlyArray<string>
  readonly message: string
}

/** The parameters of getAllCEXSubaccounts. */
export interface GetAllCEXSubaccountsRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
}

/** The fields of a success of getAllCEXSubaccounts. */
export type GetAllCEXSubaccountsResult = {
  readonly subaccounts: ReadonlyArray<{
    readonly subaccount_name: string
    readonly exchange: "binance" | "bitget" | "gate" | "kucoin" | "okx"
    readonly manager: string
    readonly gas_wallet: string
    readonly payment_network: 
      | "optimism"
      | "base"
      | "arbitrum"
      | "polygon"
      | "ethereum"
      | "hyperliquid"
      | "plasma"
    readonly settings: {
      readonly testnet: boolean
      readonly slippage: number
    }
    readonly created_at: string
    readonly bots: ReadonlyArray<{
      readonly pair: string
      readonly side: "long" | "neutral" | "hold"
      readonly strategy: "custom" | "trend"
      readonly max_usd: number
      readonly share: number
      readonly take_profit: number | null
      readonly stop_loss: number | null
      readonly exit: {
        readonly state: "closing" | "closed"
        readonly condition: "take_profit" | "stop_loss"
        readonly entry_price: string
        readonly price: string
        readonly amount: string
        readonly at: string
      } | null
      readonly active: boolean
      readonly paused_reason: string | null
      readonly last_decision: {
        readonly action: "hold" | "order" | "failed"
        readonly reason: string
        readonly at: string
      } | null
      readonly last_intent_id: string | null
    }>
  }>
}

/** The parameters of getCEXOrders. */
export interface GetCEXOrdersRequest {
  /** Your name for the sub-account; 1 to 64 characters: letters, digits and . _ @ + -. */
  readonly subaccount_name: string
  /** Pair as the exchange lists it, BASE-QUOTE. */
  readonly pair?: string | undefined
  /** Rows per page, 1 to 100, default 20. */
  readonly limit?: number | undefined
  /** Start of the next page: the `cursor` of the previous page. */
  readonly cursor?: string | undefined
}

/** The fields of a success of getCEXOrders. */
export type GetCEXOrdersResult = {
  readonly orders: ReadonlyArray<{
    readonly intent_id: string
    readonly pair: string
    readonly status: "pending" | "success" | "fail"
    readonly state: string
    readonly side: string | null
    readonly amount: string | null
    readonly limit: string | null
    readonly client_order_id: string | null
    readonly exchange_order_id: string | null
    readonly filled: string | null
    readonly cost: string | null
    readonly fees: ReadonlyArray<{
      readonly currency: string
      readonly amount: string
    }> | null
    readonly charge_usd: string | null
    readonly message: string
    readonly created_at: string
    readonly updated_at: string
  }>
  readonly cursor: string | null
}

/** The parameters of getCandles. */
export interface GetCandlesRequest {
  /** Exchange, by its id in ccxt; default coinbase. */
  readonly exchange?: string | undefined
  /** Pair, BASE-QUOTE; default BTC-USD. */
  readonly pair?: string | undefined
  /** Length of a candle; default 6h. */
  readonly timeframe?: string | undefined
  /** Number of candles, 1 to 1000; default 200. */
  readonly bars_back?: number | undefined
  /** Only candles that began before this time (unix seconds), for paging back in time. */
  readonly before?: number | undefined
}

/** The fields of a success of getCandles. */
export type GetCandlesResult = {
  readonly candles: ReadonlyArray<{
    readonly time: number
    readonly open: number
    readonly high: number
    readonly low: number
    readonly close: number
    readonly volume: number
  }>
}

/** The parameters of getTicks. */
export interface GetTicksRequest {
  /** Exchange, by its id in ccxt; default coinbase. */
  readonly exchange?: string | undefined
  /** Pair, BASE-QUOTE; default BTC-USD. */
  readonly pair?: string | undefined
}

/** The fields of a success of getTicks. */
export type GetTicksResult = {
  readonly price: number
  readonly time: number
}

/** The parameters of getIntent. */
export interface GetIntentRequest {
  /** Id of an intent: the `intent_id` of an earlier response. */
  readonly intent_id: string
}

/** The fields of a success of getIntent. */
export type GetIntentResult = {
  readonly intent_id: string
  readonly tx_hash: string | null
  readonly message: string
  readonly intent: {
    readonly intent_id: string
    readonly endpoint: string
    readonly status: "pending" | "success" | "fail"
    readonly network: string | null
    readonly pool: string | null
    readonly tx_hash: string | null
    readonly message: string
    readonly created_at: string
    readonly updated_at: string
    readonly result: Readonly<Record<string, unknown>> | null
    readonly failure: {
      readonly status_code: string
      readonly error_type: string | null
      readonly message: string
    } | null
  }
}

/** The parameters of getIntents. */
export interface GetIntentsRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault address, 0x + 40 hex characters. */
  readonly pool?: string | undefined
  /** Rows per page, 1 to 100, default 20. */
  readonly limit?: number | undefined
  /** Start of the next page: the `cursor` of the previous page. */
  readonly cursor?: string | undefined
}

/** The fields of a success of getIntents. */
export type GetIntentsResult = {
  readonly intents: ReadonlyArray<{
    readonly intent_id: string
    readonly endpoint: string
    readonly status: "pending" | "success" | "fail"
    readonly network: string | null
    readonly pool: string | null
    readonly tx_hash: string | null
    readonly message: string
    readonly created_at: string
    readonly updated_at: string
  }>
  readonly cursor: string | null
}

/** The parameters of eth-price. */
export interface EthPriceRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
}

/** The fields of a success of eth-price. */
export type EthPriceResult = {
  readonly network: string
  readonly token: string
  readonly price_usd: number
  readonly source: string
  readonly age_seconds: number
  readonly sources: ReadonlyArray<{
    readonly source: string
    readonly price_usd: number
    readonly age_seconds: number
  }>
  readonly time: number
}

/** The parameters of token-price. */
export interface TokenPriceRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /**
   * Token, by default the network's native one: a token symbol (for example USDC, WETH, WBTC) or a contract
   * address.
   */
  readonly token?: string | undefined
  /** The same as token: a token symbol (for example USDC, WETH, WBTC) or a contract address. */
  readonly asset?: string | undefined
}

/** The fields of a success of token-price. */
export type TokenPriceResult = {
  readonly network: string
  readonly token: string
  readonly price_usd: number
  readonly source: string
  readonly age_seconds: number
  readonly sources: ReadonlyArray<{
    readonly source: string
    readonly price_usd: number
    readonly age_seconds: number
  }>
  readonly time: number
  readonly contract: string
  readonly decimals: number
}

/** The parameters of calculate-fee. */
export interface CalculateFeeRequest {
  /**
   * Action: the name of an endpoint (for example vaultTrade) or a price class (trade, approve, lend, …), as
   * listed by all-actions.
   */
  readonly action: string
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
}

/** The fields of a success of calculate-fee. */
export type CalculateFeeResult = {
  readonly action: string
  readonly network: string
  readonly fee_usd: number
  readonly fee_native: string | null
  readonly token: string
  readonly native_price_usd: number | null
  readonly age_seconds: number | null
  readonly message: string
}

/** The parameters of api/cex/calculateFee. */
export interface ApiCexCalculateFeeRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
}

/** The fields of a success of api/cex/calculateFee. */
export type ApiCexCalculateFeeResult = {
  readonly action: string
  readonly network: string
  readonly fee_usd: number
  readonly fee_native: string | null
  readonly token: string
  readonly native_price_usd: number | null
  readonly age_seconds: number | null
  readonly message: string
}

/** The fields of a success of all-actions. */
export type AllActionsResult = {
  readonly actions: ReadonlyArray<{
    readonly action: string
    readonly class: string
    readonly billed: boolean
    readonly path: string | null
    readonly price_usd: number
  }>
}

/** The parameters of test. */
export interface TestRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
}

/** The fields of a success of test. */
export type TestResult = {
  readonly network: string
  readonly chain_id: number
  readonly token: string
  readonly block: string
  readonly block_time: number
  readonly age_seconds: number
  readonly message: string
}

/** The parameters of api/cex/chargeFee. */
export interface ApiCexChargeFeeRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /**
   * Action: the name of an endpoint (for example vaultTrade) or a price class (trade, approve, lend, …), as
   * listed by all-actions.
   */
  readonly action?: string | undefined
  /**
   * Your name for the order, for example the exchange's order id. An order is charged once, even if the
   * request is repeated. Without it, idempotency_key is required.
   */
  readonly order_id?: string | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of api/cex/chargeFee. */
export type ApiCexChargeFeeResult = {
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
  readonly charge_id: string | null
  readonly order_id: string | null
  readonly network: string
  readonly charge_usd: number
  readonly charge_native: string | null
  readonly already_charged: boolean
}

/** The fields of a dry run of api/cex/chargeFee. */
export type ApiCexChargeFeeDryRun = {
  readonly dryRun: true
  readonly plan: unknown
  readonly intent_id: null
  readonly tx_hash: null
  readonly message: string
}

/** The parameters of getCharges. */
export interface GetChargesRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /**
   * Start of the period, inclusive; default: from the beginning. A day (2026-11-20), a time in UTC
   * (2026-11-20T10:00:00Z) or unix seconds.
   */
  readonly from?: string | undefined
  /**
   * End of the period, exclusive; default: until now. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z)
   * or unix seconds.
   */
  readonly to?: string | undefined
  /** Rows per page, 1 to 100, default 50. */
  readonly limit?: number | undefined
  /** Start of the next page: the `cursor` of the previous page. */
  readonly cursor?: string | undefined
  /** `csv` also returns the rows as a table, as text in the field `csv`; default json. */
  readonly format?: "json" | "csv" | undefined
}

/** The fields of a success of getCharges. */
export type GetChargesResult = {
  readonly charges: ReadonlyArray<{
    readonly charge_id: string
    readonly intent_id: string | null
    readonly order_id: string | null
    readonly network: string
    readonly action: string
    readonly usd: number
    readonly native: string | null
    readonly token: string
    readonly native_price_usd: number | null
    readonly price_source: string | null
    readonly status: "outstanding" | "settling" | "settled"
    readonly settlement_id: string | null
    readonly settlement_tx_hash: string | null
    readonly created_at: string
  }>
  readonly cursor: string | null
  readonly csv: string | null
}

/** The parameters of getReport. */
export interface GetReportRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
  /**
   * Start of the period, inclusive; default: from the beginning. A day (2026-11-20), a time in UTC
   * (2026-11-20T10:00:00Z) or unix seconds.
   */
  readonly from?: string | undefined
  /**
   * End of the period, exclusive; default: until now. A day (2026-11-20), a time in UTC (2026-11-20T10:00:00Z)
   * or unix seconds.
   */
  readonly to?: string | undefined
  /** `csv` also returns the rows as a table, as text in the field `csv`; default json. */
  readonly format?: "json" | "csv" | undefined
}

/** The fields of a success of getReport. */
export type GetReportResult = {
  readonly days: ReadonlyArray<{
    readonly date: string
    readonly actions: number
    readonly failed: number
    readonly fees_usd: number
    readonly fees_native: string
    readonly gas_native: string
    readonly gas_usd: number | null
    readonly volume_usd: number
    readonly slippage_usd: number
    readonly slippage_percent: number | null
    readonly token_price: number | null
    readonly pnl_percent: number | null
  }>
  readonly total: {
    readonly actions: number
    readonly failed: number
    readonly fees_usd: number
    readonly fees_native: string
    readonly gas_native: string
    readonly gas_usd: number | null
    readonly volume_usd: number
    readonly slippage_usd: number
    readonly slippage_percent: number | null
    readonly pnl_percent: number | null
  }
  readonly csv: string | null
}

/** The parameters of signingPayload. */
export interface SigningPayloadRequest {
  /** The action to sign: the name of an endpoint that takes `signature`. */
  readonly action: string
  /** Address of the manager, 0x + 40 hex characters. */
  readonly manager: string
  /**
   * The subject of the action: the gas wallet's address or a sub-account's name; by default the manager's own
   * address.
   */
  readonly subject?: string | undefined
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /**
   * The request's own parameters, as an object; the signature covers all of them. A secret may be given as
   * `sha256:` and the hex of its SHA-256. In the request body only.
   */
  readonly params?: Readonly<Record<string, unknown>> | undefined
}

/** The fields of a success of signingPayload. */
export type SigningPayloadResult = {
  readonly typed_data: unknown
  readonly prefix: string
  readonly expires_at: string
}

/** The parameters of associateGasWallet. */
export interface AssociateGasWalletRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager: string
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature: string
  /**
   * The network of a manager that is a contract wallet: its signature is valid only there. Without it the
   * request covers all networks, which only an account can sign.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** A name for it, for people: 1 to 64 characters. */
  readonly label?: string | undefined
  /** The wallet's private key, in the request body only. For a wallet that holds gas and nothing else. */
  readonly privateKey?: string | undefined
}

/** The fields of a success of associateGasWallet. */
export type AssociateGasWalletResult = {
  readonly address: string
  readonly message: string
}

/** The parameters of deassociateGasWallet. */
export interface DeassociateGasWalletRequest {
  /** Address of the gas wallet, 0x + 40 hex characters. */
  readonly wallet: string
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager: string
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature: string
  /**
   * The network of a manager that is a contract wallet: its signature is valid only there. Without it the
   * request covers all networks, which only an account can sign.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
}

/** The fields of a success of deassociateGasWallet. */
export type DeassociateGasWalletResult = {
  readonly address: string
  readonly message: string
}

/** The parameters of getAssociatedGasWallets. */
export interface GetAssociatedGasWalletsRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager: string
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature: string
  /**
   * The network of a manager that is a contract wallet: its signature is valid only there. Without it the
   * request covers all networks, which only an account can sign.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
}

/** The fields of a success of getAssociatedGasWallets. */
export type GetAssociatedGasWalletsResult = {
  readonly wallets: ReadonlyArray<{
    readonly address: string
    readonly label: string | null
    readonly since: string
  }>
}

/** The parameters of setKeyLimits. */
export interface SetKeyLimitsRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /**
   * The network of a manager that is a contract wallet: its signature is valid only there. Without it the
   * request covers all networks, which only an account can sign.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Address of the gas wallet, 0x + 40 hex characters. */
  readonly wallet?: string | undefined
  /** The only vaults the wallet's key may write to, as network/address; `any` removes the limit. */
  readonly vaults?: ReadonlyArray<string> | undefined
  /** Maximum US dollars that one write may sell, or `off`. */
  readonly max_usd_per_trade?: string | undefined
  /** Maximum US dollars that the writes of one day (UTC) may sell together, or `off`. */
  readonly max_usd_per_day?: string | undefined
  /** Allow reads and refuse writes. */
  readonly read_only?: boolean | undefined
}

/** The fields of a success of setKeyLimits. */
export type SetKeyLimitsResult = {
  readonly address: string
  readonly limits: {
    readonly vaults: ReadonlyArray<string> | null
    readonly max_usd_per_trade: string | null
    readonly max_usd_per_day: string | null
    readonly read_only: boolean
  }
  readonly message: string
}

/** The parameters of getAuditLog. */
export interface GetAuditLogRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /**
   * The network of a manager that is a contract wallet: its signature is valid only there. Without it the
   * request covers all networks, which only an account can sign.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Address of the gas wallet; default: all, 0x + 40 hex characters. */
  readonly wallet?: string | undefined
  /** Only entries of this action. */
  readonly action?: 
    | "wallet.created"
    | "wallet.imported"
    | "wallet.purged"
    | "key.issued"
    | "key.revoked"
    | "key.sub_created"
    | "key.sub_revoked"
    | "wallet.added"
    | "wallet.associated"
    | "wallet.removed"
    | "wallet.renamed"
    | "limits.lowered"
    | "limits.raised"
    | "switch.on"
    | "switch.off"
    | "token.created"
    | "token.set"
    | "token.revoked"
    | "webhook.set"
    | "webhook.deleted"
    | "channel.set"
    | "channel.bound"
    | "channel.deleted"
    | "channel.command"
    | "exchange.registered"
    | "exchange.deleted"
    | "bot.set"
    | "bot.paused"
    | "bot.deleted"
    | "order.placed"
    | "order.amended"
    | "order.cancelled"
    | "guardian.set"
    | "guardian.tripped"
    | "guardian.reset"
    | "guardian.deleted"
    | "follower.set"
    | "follower.stopped"
    | "follower.removed"
    | "group.set"
    | "group.removed"
    | "vault.linked"
    | "vault.unlinked"
    | "lane.quarantined"
    | "lane.released"
    | "kek.rewrapped"
    | "session.opened"
    | "session.closed"
    | "row.refused"
    | "row.set_aside"
    | "transactions.signed"
    | "approval.requested"
    | "approval.voted"
    | "approval.decided"
    | "audit.sealed" | undefined
  /** Rows per page, 1 to 100, default 50. */
  readonly limit?: number | undefined
  /** Start of the next page: the `cursor` of the previous page. */
  readonly cursor?: number | undefined
}

/** The fields of a success of getAuditLog. */
export type GetAuditLogResult = {
  readonly entries: ReadonlyArray<{
    readonly seq: number
    readonly at: string
    readonly action: string
    readonly description: string
    readonly wallet: string | null
    readonly subject: string
    readonly actor_kind: 
      | "service"
      | "key"
      | "manager"
      | "session"
      | "webhookToken"
      | "operator"
      | "chat"
      | "owner"
      | "stranger"
    readonly actor: string | null
    readonly from: string | null
    readonly credential: string | null
    readonly details: Readonly<Record<string, unknown>>
    readonly digest: string
  }>
  readonly cursor: number | null
}

/** The parameters of getWalletAuthority. */
export interface GetWalletAuthorityRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /** Address of the gas wallet, 0x + 40 hex characters. */
  readonly wallet?: string | undefined
  /** The wallet's private key, in the request body only. For a wallet that holds gas and nothing else. */
  readonly privateKey?: string | undefined
  /**
   * The network of a manager that is a contract wallet: its signature is valid only there. Without it the
   * request covers all networks, which only an account can sign.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
}

/** The fields of a success of getWalletAuthority. */
export type GetWalletAuthorityResult = {
  readonly address: string
  readonly api_key: {
    readonly last_four: string
    readonly issued_at: string
    readonly last_used_at: string | null
  } | null
  readonly managers: ReadonlyArray<{
    readonly manager: string
    readonly network: string | null
    readonly label: string | null
    readonly since: string
    readonly last_used_at: string | null
  }>
  readonly sessions: ReadonlyArray<{
    readonly manager: string
    readonly network: string | null
    readonly count: number
    readonly last_used_at: string | null
    readonly expires_at: string
  }>
  readonly sub_keys: ReadonlyArray<{
    readonly sub_key_id: string
    readonly last_four: string
    readonly label: string | null
    readonly scopes: ReadonlyArray<"trade" | "lend" | "liquidity" | "perpetuals" | "fees" | "switches">
    readonly endpoints: ReadonlyArray<string> | null
    readonly vaults: ReadonlyArray<string> | null
    readonly max_usd_per_trade: string | null
    readonly max_usd_per_day: string | null
    readonly sources: ReadonlyArray<string> | null
    readonly created_at: string
    readonly expires_at: string
    readonly last_used_at: string | null
  }>
  readonly webhook_tokens: ReadonlyArray<{
    readonly token_id: string
    readonly network: string
    readonly pool: string
    readonly pair: string
    readonly label: string | null
    readonly created_at: string
    readonly last_used_at: string | null
  }>
  readonly webhooks: ReadonlyArray<{
    readonly webhook_id: string
    readonly url: string
    readonly events: ReadonlyArray<string>
    readonly created_at: string
  }>
  readonly channels: ReadonlyArray<{
    readonly channel_id: string
    readonly kind: string
    readonly name: string
    readonly commands: string
    readonly bound: boolean
    readonly created_at: string
  }>
  readonly limits: {
    readonly vaults: ReadonlyArray<string> | null
    readonly max_usd_per_trade: string | null
    readonly max_usd_per_day: string | null
    readonly read_only: boolean
    readonly set_by: string | null
  } | null
  readonly bots: ReadonlyArray<{
    readonly kind: "threshold" | "index" | "strategy" | "exchange"
    readonly network: string | null
    readonly pool: string | null
    readonly subaccount: string | null
    readonly pair: string | null
    readonly gas_wallet: string
    readonly set_by: string | null
    readonly active: boolean
  }>
  readonly orders: ReadonlyArray<{
    readonly order_id: string
    readonly network: string
    readonly pool: string
    readonly type: string
    readonly side: string
    readonly pair: string
    readonly gas_wallet: string
    readonly paper: boolean
  }>
  readonly guardians: ReadonlyArray<{
    readonly guardian_id: string
    readonly network: string
    readonly pool: string
    readonly kind: string
    readonly may: ReadonlyArray<string>
    readonly gas_wallet: string
    readonly paper: boolean
    readonly state: string
    readonly reason: string
    readonly failures: number
  }>
  readonly followers: ReadonlyArray<{
    readonly follower_id: string
    readonly network: string
    readonly pool: string
    readonly leader: string
    readonly state: string
    readonly gas_wallet: string
  }>
  readonly exchange_accounts: ReadonlyArray<{
    readonly subaccount_name: string
    readonly exchange: string
    readonly manager: string
    readonly since: string
  }>
  readonly delegations: ReadonlyArray<{
    readonly network: string
    readonly delegate: string | null
    readonly code: string
    readonly read_at: string
  }>
  readonly switches: ReadonlyArray<{
    readonly scope: string
    readonly reason: string
    readonly by: "operator" | "owner" | "guardian"
  }>
}

/** The parameters of createSubKey. */
export interface CreateSubKeyRequest {
  /** A name for it, for people: 1 to 64 characters. */
  readonly label?: string | undefined
  /**
   * The changes that the sub-key may make: trade, lend, liquidity, perpetuals, fees, switches; without any it
   * only reads.
   */
  readonly scopes?: ReadonlyArray<string> | undefined
  /** The only endpoints that the sub-key may call; without it, all reads and all changes of its scopes. */
  readonly endpoints?: ReadonlyArray<string> | undefined
  /** The only vaults that the sub-key's requests may be about; `any` for all. */
  readonly vaults?: ReadonlyArray<string> | undefined
  /** Maximum US dollars that one request may sell; by default max_usd_per_day. */
  readonly max_usd_per_trade?: string | undefined
  /** Maximum US dollars that the requests of one day (UTC) may sell together; required where it may sell. */
  readonly max_usd_per_day?: string | undefined
  /** The only addresses of clients from which the sub-key counts; without it, any. */
  readonly sources?: ReadonlyArray<string> | undefined
  /** Days until the sub-key ends; 7 by default, at most 90. */
  readonly days?: number | undefined
}

/** The fields of a success of createSubKey. */
export type CreateSubKeyResult = {
  readonly address: string
  readonly apiKey: string
  readonly sub_key: {
    readonly sub_key_id: string
    readonly last_four: string
    readonly label: string | null
    readonly scopes: ReadonlyArray<"trade" | "lend" | "liquidity" | "perpetuals" | "fees" | "switches">
    readonly endpoints: ReadonlyArray<string> | null
    readonly vaults: ReadonlyArray<string> | null
    readonly max_usd_per_trade: string | null
    readonly max_usd_per_day: string | null
    readonly sources: ReadonlyArray<string> | null
    readonly created_at: string
    readonly expires_at: string
    readonly last_used_at: string | null
  }
  readonly message: string
}

/** The fields of a success of getSubKeys. */
export type GetSubKeysResult = {
  readonly sub_keys: ReadonlyArray<{
    readonly sub_key_id: string
    readonly last_four: string
    readonly label: string | null
    readonly scopes: ReadonlyArray<"trade" | "lend" | "liquidity" | "perpetuals" | "fees" | "switches">
    readonly endpoints: ReadonlyArray<string> | null
    readonly vaults: ReadonlyArray<string> | null
    readonly max_usd_per_trade: string | null
    readonly max_usd_per_day: string | null
    readonly sources: ReadonlyArray<string> | null
    readonly created_at: string
    readonly expires_at: string
    readonly last_used_at: string | null
  }>
}

/** The parameters of revokeSubKey. */
export interface RevokeSubKeyRequest {
  /** The sub-key's `sub_key_id`, or `all` for all sub-keys of the wallet. */
  readonly sub_key_id: string
}

/** The fields of a success of revokeSubKey. */
export type RevokeSubKeyResult = {
  readonly revoked: number
  readonly message: string
}

/** The parameters of getApprovals. */
export interface GetApprovalsRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /**
   * The network of a manager that is a contract wallet: its signature is valid only there. Without it the
   * request covers all networks, which only an account can sign.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Also return requests that are no longer open. */
  readonly all?: boolean | undefined
  /** Rows per page, 1 to 100, default 50. */
  readonly limit?: number | undefined
}

/** The fields of a success of getApprovals. */
export type GetApprovalsResult = {
  readonly needed: number
  readonly is_approver: boolean
  readonly requests: ReadonlyArray<{
    readonly request: string
    readonly kind: "limits" | "treasury" | "policy" | "lanes"
    readonly wallet: string | null
    readonly network: 
      | "optimism"
      | "base"
      | "arbitrum"
      | "polygon"
      | "ethereum"
      | "hyperliquid"
      | "plasma" | null
    readonly change: string
    readonly differences: ReadonlyArray<{
      readonly field: string
      readonly before: string
      readonly after: string
    }>
    readonly proposer: string
    readonly state: "open" | "applied" | "vetoed" | "cancelled" | "expired"
    readonly note: string | null
    readonly created_at: string
    readonly expires_at: string
    readonly decided_at: string | null
    readonly takes_effect_at: string | null
    readonly approvals: number
    readonly votes: ReadonlyArray<{
      readonly approver: string
      readonly verdict: "approve" | "veto"
      readonly at: string
      readonly refused: string | null
    }>
  }>
}

/** The parameters of approveChange. */
export interface ApproveChangeRequest {
  /** Id of the request, from getApprovals. */
  readonly request: string
  /**
   * The change in words with its digest, exactly as getApprovals returns it as `change`; the signature's
   * subject.
   */
  readonly change: string
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager: string
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature: string
}

/** The fields of a success of approveChange. */
export type ApproveChangeResult = {
  readonly request: string
  readonly state: "open" | "applied" | "vetoed" | "cancelled" | "expired"
  readonly approvals: number
  readonly needed: number
  readonly message: string
}

/** The parameters of vetoChange. */
export interface VetoChangeRequest {
  /** Id of the request, from getApprovals. */
  readonly request: string
  /**
   * The change in words with its digest, exactly as getApprovals returns it as `change`; the signature's
   * subject.
   */
  readonly change: string
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager: string
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature: string
}

/** The fields of a success of vetoChange. */
export type VetoChangeResult = {
  readonly request: string
  readonly state: "open" | "applied" | "vetoed" | "cancelled" | "expired"
  readonly approvals: number
  readonly needed: number
  readonly message: string
}

/** The parameters of createWebhookToken. */
export interface CreateWebhookTokenRequest {
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet"
  /** Vault address, 0x + 40 hex characters. */
  readonly pool: string
  /** Pair to keep a side of, BASE-QUOTE; `-`, `/` or `_` between two assets by symbol or address. */
  readonly pair: string
  /** A name for it, for people: 1 to 64 characters. */
  readonly label?: string | undefined
  /** Vault platform; the default protocol or its alias. */
  readonly protocol?: string | undefined
}

/** The fields of a success of createWebhookToken. */
export type CreateWebhookTokenResult = {
  readonly token_id: string
  readonly token: string
  readonly path: string
  readonly message: string
}

/** The parameters of revokeWebhookToken. */
export interface RevokeWebhookTokenRequest {
  /** The token's `token_id`, or `all` for all tokens of the wallet. */
  readonly token_id: string
}

/** The fields of a success of revokeWebhookToken. */
export type RevokeWebhookTokenResult = {
  readonly revoked: number
  readonly message: string
}

/** The fields of a success of getWebhookTokens. */
export type GetWebhookTokensResult = {
  readonly tokens: ReadonlyArray<{
    readonly token_id: string
    readonly network: string
    readonly pool: string
    readonly pair: string
    readonly label: string | null
    readonly muted: boolean
    readonly quiet_hours: string | null
    readonly sources: ReadonlyArray<string> | null
    readonly rate: number | null
    readonly max_age: number | null
    readonly bots: ReadonlyArray<string>
    readonly created_at: string
    readonly used_at: string | null
  }>
}

/** The parameters of setWebhookToken. */
export interface SetWebhookTokenRequest {
  /** The token's `token_id`. */
  readonly token_id: string
  /** Refuse all alerts of the token. */
  readonly muted?: boolean | undefined
  /** Hours of each day in which alerts are refused, FROM-TO and a time zone (UTC if none); none removes them. */
  readonly quiet_hours?: string | undefined
  /**
   * The only sources whose alerts count: addresses, blocks (CIDR), or the name of a charting service
   * (tradingview) for the addresses that it publishes, separated by commas; none allows all.
   */
  readonly sources?: string | undefined
  /** Alerts that count in a minute; further ones are refused; none removes the limit. */
  readonly rate?: string | undefined
  /** Maximum age of an alert in seconds after its own `timestamp`, which it then has to have; none removes it. */
  readonly max_age?: string | undefined
  /**
   * The bots that each alert drives, at most 20, in place of the token's own; an empty list names its own
   * again. A threshold bot is {network, pool, pair, weight?}; an exchange bot {subaccount, pair, weight?}; an
   * index bot {network, pool, index: {long: targets, neutral: targets, …}} with targets as in setIndexBot.
   * `weight` is the percent of the wrong side's balance that one trade sells; an alert's own percentage is
   * taken of it, and refused at a bot without a weight.
   */
  readonly bots?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined
}

/** The fields of a success of setWebhookToken. */
export type SetWebhookTokenResult = {
  readonly token: {
    readonly token_id: string
    readonly network: string
    readonly pool: string
    readonly pair: string
    readonly label: string | null
    readonly muted: boolean
    readonly quiet_hours: string | null
    readonly sources: ReadonlyArray<string> | null
    readonly rate: number | null
    readonly max_age: number | null
    readonly bots: ReadonlyArray<string>
    readonly created_at: string
    readonly used_at: string | null
  }
  readonly message: string
}

/** The parameters of webhook. */
export interface WebhookRequest {
  /** The token, as createWebhookToken returned it. */
  readonly token: string
  /**
   * The side: long, buy and open mean long; sell, close, flat, exit and neutral mean neutral; short means
   * short; hold does nothing.
   */
  readonly side?: 
    | "long"
    | "buy"
    | "short"
    | "open"
    | "neutral"
    | "flat"
    | "sell"
    | "close"
    | "exit"
    | "hold" | undefined
  /**
   * The order in the chart's terms (TradingView's {{strategy.order.action}}), read where neither `side` nor
   * `market_position` is given: long, buy and open mean long; sell, close, flat, exit and neutral mean
   * neutral; short means short; hold does nothing.
   */
  readonly action?: 
    | "long"
    | "buy"
    | "short"
    | "open"
    | "neutral"
    | "flat"
    | "sell"
    | "close"
    | "exit"
    | "hold" | undefined
  /**
   * The position after the order in the chart's terms (TradingView's {{strategy.market_position}}): long, buy
   * and open mean long; sell, close, flat, exit and neutral mean neutral; short means short; hold does
   * nothing.
   */
  readonly market_position?: 
    | "long"
    | "buy"
    | "short"
    | "open"
    | "neutral"
    | "flat"
    | "sell"
    | "close"
    | "exit"
    | "hold" | undefined
  /**
   * A body that is plain text: a word for a side, alone or with a percentage, a price and a ticker, or
   * TradingView's text of a strategy's order; read where no other parameter names a side.
   */
  readonly alert?: string | undefined
  /**
   * Percent of the bot's weight (setWebhookToken): the result is the bot's share from now on. Refused at a bot
   * without a weight, except 100.
   */
  readonly percent?: number | undefined
  /** Time of the alert (TradingView's {{timenow}}): unix seconds or milliseconds, or ISO 8601. */
  readonly timestamp?: string | undefined
  /** Maximum age of an alert in seconds after `timestamp`; an older one is refused and has no effect. */
  readonly max_lag?: number | undefined
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of webhook. */
export type WebhookResult = {
  readonly intent_id: string | null
  readonly tx_hash: string | null
  readonly message: string
  readonly data: {
    readonly pair: string
    readonly base: string
    readonly quote: string
    readonly side: "long" | "neutral" | "short" | "hold"
    readonly threshold: number
    readonly max_usd: number
    readonly share: number
    readonly slippage: number
    readonly max_impact: number | null
    readonly platform: string
    readonly lending: boolean
    readonly auto_enable: boolean
    readonly active: boolean
    readonly paper: boolean
    readonly paused_reason: string | null
    readonly kill_switch: string | null
    readonly last_decision: {
      readonly action: "hold" | "trade" | "park" | "failed"
      readonly code?: 
        | "told_to_hold"
        | "no_inverse"
        | "balance_unknown"
        | "price_unavailable"
        | "nothing_there"
        | "within_threshold"
        | "too_small" | undefined
      readonly reason: string
      readonly at: string
    } | null
    readonly last_intent_id: string | null
    readonly next_check: string | null
  } | null
  readonly signal_id: string
  readonly results: ReadonlyArray<{
    readonly kind: "threshold" | "index" | "exchange"
    readonly network: 
      | "optimism"
      | "base"
      | "arbitrum"
      | "polygon"
      | "ethereum"
      | "hyperliquid"
      | "plasma" | null
    readonly pool: string | null
    readonly subaccount: string | null
    readonly pair: string | null
    readonly side: string | null
    readonly state: "accepted" | "waiting" | "ignored" | "refused"
    readonly reason: string | null
    readonly intent_id: string | null
  }>
}

/** The parameters of testWebhook. */
export interface TestWebhookRequest {
  /** The token, as createWebhookToken returned it. */
  readonly token: string
  /**
   * The side: long, buy and open mean long; sell, close, flat, exit and neutral mean neutral; short means
   * short; hold does nothing.
   */
  readonly side?: 
    | "long"
    | "buy"
    | "short"
    | "open"
    | "neutral"
    | "flat"
    | "sell"
    | "close"
    | "exit"
    | "hold" | undefined
  /**
   * The order in the chart's terms (TradingView's {{strategy.order.action}}), read where neither `side` nor
   * `market_position` is given: long, buy and open mean long; sell, close, flat, exit and neutral mean
   * neutral; short means short; hold does nothing.
   */
  readonly action?: 
    | "long"
    | "buy"
    | "short"
    | "open"
    | "neutral"
    | "flat"
    | "sell"
    | "close"
    | "exit"
    | "hold" | undefined
  /**
   * The position after the order in the chart's terms (TradingView's {{strategy.market_position}}): long, buy
   * and open mean long; sell, close, flat, exit and neutral mean neutral; short means short; hold does
   * nothing.
   */
  readonly market_position?: 
    | "long"
    | "buy"
    | "short"
    | "open"
    | "neutral"
    | "flat"
    | "sell"
    | "close"
    | "exit"
    | "hold" | undefined
  /**
   * A body that is plain text: a word for a side, alone or with a percentage, a price and a ticker, or
   * TradingView's text of a strategy's order; read where no other parameter names a side.
   */
  readonly alert?: string | undefined
  /**
   * Percent of the bot's weight (setWebhookToken): the result is the bot's share from now on. Refused at a bot
   * without a weight, except 100.
   */
  readonly percent?: number | undefined
  /** Time of the alert (TradingView's {{timenow}}): unix seconds or milliseconds, or ISO 8601. */
  readonly timestamp?: string | undefined
  /** Maximum age of an alert in seconds after `timestamp`; an older one is refused and has no effect. */
  readonly max_lag?: number | undefined
}

/** The fields of a success of testWebhook. */
export type TestWebhookResult = {
  readonly accepted: boolean
  readonly reason: string | null
  readonly understood: {
    readonly side: "long" | "neutral" | "short" | "hold" | null
    readonly percent: number | null
    readonly price: string | null
    readonly timestamp: string | null
    readonly placeholders: ReadonlyArray<string>
    readonly unknown_words: ReadonlyArray<string>
  }
  readonly would: ReadonlyArray<string>
  readonly message: string
}

/** The parameters of getSignals. */
export interface GetSignalsRequest {
  /** Only alerts of this webhook token: its `token_id`. */
  readonly token_id?: string | undefined
  /**
   * Network: base, optimism, arbitrum, polygon, ethereum (or mainnet), hyperliquid, plasma. Case does not
   * matter.
   */
  readonly network?: 
    | "optimism"
    | "base"
    | "arbitrum"
    | "polygon"
    | "ethereum"
    | "hyperliquid"
    | "plasma"
    | "mainnet" | undefined
  /** Vault address, 0x + 40 hex characters. */
  readonly pool?: string | undefined
  /** Only signals in this state: accepted, waiting (for a node), ignored (a duplicate) or refused. */
  readonly state?: "accepted" | "waiting" | "ignored" | "refused" | undefined
  /** Only signals from this time on. */
  readonly since?: string | undefined
  /** Only signals before this time. */
  readonly until?: string | undefined
  /** Rows per page, 1 to 100, default 20. */
  readonly limit?: number | undefined
  /** Start of the next page: the `cursor` of the previous page. */
  readonly cursor?: string | undefined
}

/** The fields of a success of getSignals. */
export type GetSignalsResult = {
  readonly signals: ReadonlyArray<{
    readonly signal_id: string
    readonly seq: string
    readonly source: string
    readonly token_id: string | null
    readonly from: string | null
    readonly content_type: string | null
    readonly body: string
    readonly truncated: boolean
    readonly understood: {
      readonly side: "long" | "neutral" | "short" | "hold" | null
      readonly percent: number | null
      readonly price: string | null
      readonly timestamp: string | null
      readonly placeholders: ReadonlyArray<string>
      readonly unknown_words: ReadonlyArray<string>
    }
    readonly state: "accepted" | "waiting" | "ignored" | "refused"
    readonly reason: string | null
    readonly results: ReadonlyArray<{
      readonly kind: "threshold" | "index" | "exchange"
      readonly network: 
        | "optimism"
        | "base"
        | "arbitrum"
        | "polygon"
        | "ethereum"
        | "hyperliquid"
        | "plasma" | null
      readonly pool: string | null
      readonly subaccount: string | null
      readonly pair: string | null
      readonly side: string | null
      readonly state: "accepted" | "waiting" | "ignored" | "refused"
      readonly reason: string | null
      readonly intent_id: string | null
      readonly intent_status: "pending" | "success" | "fail" | null
    }>
    readonly replay_of: string | null
    readonly replayed_by: string | null
    readonly received_at: string
  }>
  readonly cursor: string | null
}

/** The parameters of replaySignal. */
export interface ReplaySignalRequest {
  /** The signal's `signal_id`, as getSignals returned it. */
  readonly signal_id: string
  /**
   * Makes a repeat safe: the same key and the same request return the same intent. Also accepted as the
   * `Idempotency-Key` header.
   */
  readonly idempotency_key?: string | undefined
}

/** The fields of a success of replaySignal. */
export type ReplaySignalResult = {
  readonly intent_id: string | null
  readonly tx_hash: string | null
  readonly message: string
  readonly signal_id: string
  readonly results: ReadonlyArray<{
    readonly kind: "threshold" | "index" | "exchange"
    readonly network: 
      | "optimism"
      | "base"
      | "arbitrum"
      | "polygon"
      | "ethereum"
      | "hyperliquid"
      | "plasma" | null
    readonly pool: string | null
    readonly subaccount: string | null
    readonly pair: string | null
    readonly side: string | null
    readonly state: "accepted" | "waiting" | "ignored" | "refused"
    readonly reason: string | null
    readonly intent_id: string | null
  }>
}

/** The parameters of setWebhook. */
export interface SetWebhookRequest {
  /** Where events are posted: an https URL whose host is on the public internet. */
  readonly url: string
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /** Types of events; default all of them; docs/webhooks.md lists them. */
  readonly events?: ReadonlyArray<
    | "intent.succeeded"
    | "intent.failed"
    | "intent.reopened"
    | "order.triggered"
    | "order.filled"
    | "order.ended"
    | "exchange.filled"
    | "exchange.failed"
    | "exchange.triggered"
    | "index.drifted"
    | "gas.low"
    | "bot.paused"
    | "signing.stopped"
    | "signing.resumed"
    | "wallet.alert"
    | "lane.released"
    | "authority.changed"
    | "health.low"
    | "health.recovered"
    | "guardian.tripped"
    | "guardian.cleared"
    | "guardian.failed"
    | "follower.stopped"
    | "follower.failed"
    | "strategy.paused"
    | "charge.booked"
    | "charge.paid"
    | "network.down"
    | "network.recovered"
    | "approval.requested"
    | "approval.decided"> | undefined
}

/** The fields of a success of setWebhook. */
export type SetWebhookResult = {
  readonly webhook_id: string
  readonly secret: string
  readonly events: ReadonlyArray<
    | "intent.succeeded"
    | "intent.failed"
    | "intent.reopened"
    | "order.triggered"
    | "order.filled"
    | "order.ended"
    | "exchange.filled"
    | "exchange.failed"
    | "exchange.triggered"
    | "index.drifted"
    | "gas.low"
    | "bot.paused"
    | "signing.stopped"
    | "signing.resumed"
    | "wallet.alert"
    | "lane.released"
    | "authority.changed"
    | "health.low"
    | "health.recovered"
    | "guardian.tripped"
    | "guardian.cleared"
    | "guardian.failed"
    | "follower.stopped"
    | "follower.failed"
    | "strategy.paused"
    | "charge.booked"
    | "charge.paid"
    | "network.down"
    | "network.recovered"
    | "approval.requested"
    | "approval.decided">
  readonly message: string
}

/** The parameters of deleteWebhook. */
export interface DeleteWebhookRequest {
  /** The webhook's `webhook_id`. */
  readonly webhook_id: string
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
}

/** The fields of a success of deleteWebhook. */
export type DeleteWebhookResult = {
  readonly message: string
}

/** The parameters of getWebhooks. */
export interface GetWebhooksRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
}

/** The fields of a success of getWebhooks. */
export type GetWebhooksResult = {
  readonly webhooks: ReadonlyArray<{
    readonly webhook_id: string
    readonly url: string
    readonly events: ReadonlyArray<
      | "intent.succeeded"
      | "intent.failed"
      | "intent.reopened"
      | "order.triggered"
      | "order.filled"
      | "order.ended"
      | "exchange.filled"
      | "exchange.failed"
      | "exchange.triggered"
      | "index.drifted"
      | "gas.low"
      | "bot.paused"
      | "signing.stopped"
      | "signing.resumed"
      | "wallet.alert"
      | "lane.released"
      | "authority.changed"
      | "health.low"
      | "health.recovered"
      | "guardian.tripped"
      | "guardian.cleared"
      | "guardian.failed"
      | "follower.stopped"
      | "follower.failed"
      | "strategy.paused"
      | "charge.booked"
      | "charge.paid"
      | "network.down"
      | "network.recovered"
      | "approval.requested"
      | "approval.decided">
    readonly created_at: string
  }>
}

/** The parameters of getWebhookDeliveries. */
export interface GetWebhookDeliveriesRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /** The webhook's `webhook_id`. */
  readonly webhook_id?: string | undefined
  /** Rows per page, 1 to 100, default 20. */
  readonly limit?: number | undefined
}

/** The fields of a success of getWebhookDeliveries. */
export type GetWebhookDeliveriesResult = {
  readonly deliveries: ReadonlyArray<{
    readonly webhook_id: string
    readonly event_id: string
    readonly type: string
    readonly status: "pending" | "delivered" | "failed"
    readonly attempts: number
    readonly last_status: number | null
    readonly last_error: string | null
    readonly created_at: string
    readonly next_attempt_at: string | null
  }>
}

/** The parameters of createChannel. */
export interface CreateChannelRequest {
  /** Where messages go: telegram, discord, slack, email, ntfy, http, push. */
  readonly kind: "telegram" | "discord" | "slack" | "email" | "ntfy" | "http" | "push"
  /** Your name for the channel; 1 to 64 characters: letters, digits, spaces and . _ -. */
  readonly name: string
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /** Types of events; default all of them; docs/webhooks.md lists them. */
  readonly events?: ReadonlyArray<
    | "intent.succeeded"
    | "intent.failed"
    | "intent.reopened"
    | "order.triggered"
    | "order.filled"
    | "order.ended"
    | "exchange.filled"
    | "exchange.failed"
    | "exchange.triggered"
    | "index.drifted"
    | "gas.low"
    | "bot.paused"
    | "signing.stopped"
    | "signing.resumed"
    | "wallet.alert"
    | "lane.released"
    | "authority.changed"
    | "health.low"
    | "health.recovered"
    | "guardian.tripped"
    | "guardian.cleared"
    | "guardian.failed"
    | "follower.stopped"
    | "follower.failed"
    | "strategy.paused"
    | "charge.booked"
    | "charge.paid"
    | "network.down"
    | "network.recovered"
    | "approval.requested"
    | "approval.decided"> | undefined
  /**
   * Of discord and slack the webhook's URL, of ntfy the topic's, of http the receiver's, in the request body
   * only. Stored encrypted, never shown again.
   */
  readonly url?: string | undefined
  /**
   * Of telegram the bot's token; of ntfy and http an access token, which is sent as a bearer token, in the
   * request body only. Stored encrypted, never shown again.
   */
  readonly access_token?: string | undefined
  /**
   * Of push a browser's subscription, in the request body only: what `PushSubscription.toJSON()` returns, with
   * `vapid`, the P-256 key pair that it was made with, and `contact`, a mailto: or https: address of the
   * operator. Stored encrypted, never shown again.
   */
  readonly subscription?: {
    readonly endpoint: string
    readonly keys: {
      readonly p256dh: string
      readonly auth: string
    }
    readonly vapid: {
      readonly publicKey: string
      readonly privateKey: string
    }
    readonly contact: string
  } | undefined
  /** Of email the mail server's name. */
  readonly smtp_host?: string | undefined
  /** Of email the mail server's port: 465 for TLS from the start, 587 (the default), 25 or 2525 for STARTTLS. */
  readonly smtp_port?: number | undefined
  /** Of email the user name at the mail server. */
  readonly smtp_user?: string | undefined
  /** Of email the password of the mail server, in the request body only. Stored encrypted, never shown again. */
  readonly smtp_password?: string | undefined
  /** Of email the address that messages come from. */
  readonly from?: string | undefined
  /** Of email the address that messages go to. */
  readonly to?: string | undefined
  /**
   * Hours of each day in which only urgent events are sent, with an IANA time zone (default UTC): `22:00-07:00
   * Europe/Berlin`; `none` ends them. What they hold is one message afterwards.
   */
  readonly quiet_hours?: string | undefined
  /** Minutes for which events that are not urgent are collected into one message; 0 (the default): none. */
  readonly digest_minutes?: number | undefined
  /** Messages with events in an hour; what comes beyond it is one message afterwards. Default 60. */
  readonly max_per_hour?: number | undefined
  /**
   * Of telegram, what the bound chat may command: none; status; pause (and status; the default); resume (and
   * both). For a wallet in a manager's list resume needs the manager's channel.
   */
  readonly commands?: "none" | "status" | "pause" | "resume" | undefined
  /**
   * Texts in place of the default ones, by type of event, with placeholders such as {wallet} and {message}.
   * Replaces all earlier ones.
   */
  readonly templates?: Readonly<Record<string, unknown>> | undefined
  /** Whether messages are sent. */
  readonly enabled?: boolean | undefined
}

/** The fields of a success of createChannel. */
export type CreateChannelResult = {
  readonly channel: {
    readonly channel_id: string
    readonly kind: "telegram" | "discord" | "slack" | "email" | "ntfy" | "http" | "push"
    readonly name: string
    readonly enabled: boolean
    readonly host: string | null
    readonly smtp_port: number | null
    readonly from: string | null
    readonly to: string | null
    readonly bot: string | null
    readonly bound: boolean
    readonly events: ReadonlyArray<
      | "intent.succeeded"
      | "intent.failed"
      | "intent.reopened"
      | "order.triggered"
      | "order.filled"
      | "order.ended"
      | "exchange.filled"
      | "exchange.failed"
      | "exchange.triggered"
      | "index.drifted"
      | "gas.low"
      | "bot.paused"
      | "signing.stopped"
      | "signing.resumed"
      | "wallet.alert"
      | "lane.released"
      | "authority.changed"
      | "health.low"
      | "health.recovered"
      | "guardian.tripped"
      | "guardian.cleared"
      | "guardian.failed"
      | "follower.stopped"
      | "follower.failed"
      | "strategy.paused"
      | "charge.booked"
      | "charge.paid"
      | "network.down"
      | "network.recovered"
      | "approval.requested"
      | "approval.decided">
    readonly quiet_hours: string | null
    readonly digest_minutes: number
    readonly max_per_hour: number
    readonly commands: "none" | "status" | "pause" | "resume"
    readonly templates: Readonly<Record<string, unknown>>
    readonly created_at: string
  }
  readonly bind_code: string | null
  readonly bind_url: string | null
  readonly bind_expires_at: string | null
  readonly message: string
}

/** The parameters of updateChannel. */
export interface UpdateChannelRequest {
  /** The channel's `channel_id`. */
  readonly channel_id: string
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /** Your name for the channel; 1 to 64 characters: letters, digits, spaces and . _ -. */
  readonly name?: string | undefined
  /** Types of events; default all of them; docs/webhooks.md lists them. */
  readonly events?: ReadonlyArray<
    | "intent.succeeded"
    | "intent.failed"
    | "intent.reopened"
    | "order.triggered"
    | "order.filled"
    | "order.ended"
    | "exchange.filled"
    | "exchange.failed"
    | "exchange.triggered"
    | "index.drifted"
    | "gas.low"
    | "bot.paused"
    | "signing.stopped"
    | "signing.resumed"
    | "wallet.alert"
    | "lane.released"
    | "authority.changed"
    | "health.low"
    | "health.recovered"
    | "guardian.tripped"
    | "guardian.cleared"
    | "guardian.failed"
    | "follower.stopped"
    | "follower.failed"
    | "strategy.paused"
    | "charge.booked"
    | "charge.paid"
    | "network.down"
    | "network.recovered"
    | "approval.requested"
    | "approval.decided"> | undefined
  /**
   * Of discord and slack the webhook's URL, of ntfy the topic's, of http the receiver's, in the request body
   * only. Stored encrypted, never shown again.
   */
  readonly url?: string | undefined
  /**
   * Of telegram the bot's token; of ntfy and http an access token, which is sent as a bearer token, in the
   * request body only. Stored encrypted, never shown again.
   */
  readonly access_token?: string | undefined
  /**
   * Of push a browser's subscription, in the request body only: what `PushSubscription.toJSON()` returns, with
   * `vapid`, the P-256 key pair that it was made with, and `contact`, a mailto: or https: address of the
   * operator. Stored encrypted, never shown again.
   */
  readonly subscription?: {
    readonly endpoint: string
    readonly keys: {
      readonly p256dh: string
      readonly auth: string
    }
    readonly vapid: {
      readonly publicKey: string
      readonly privateKey: string
    }
    readonly contact: string
  } | undefined
  /** Of email the mail server's name. */
  readonly smtp_host?: string | undefined
  /** Of email the mail server's port: 465 for TLS from the start, 587 (the default), 25 or 2525 for STARTTLS. */
  readonly smtp_port?: number | undefined
  /** Of email the user name at the mail server. */
  readonly smtp_user?: string | undefined
  /** Of email the password of the mail server, in the request body only. Stored encrypted, never shown again. */
  readonly smtp_password?: string | undefined
  /** Of email the address that messages come from. */
  readonly from?: string | undefined
  /** Of email the address that messages go to. */
  readonly to?: string | undefined
  /**
   * Hours of each day in which only urgent events are sent, with an IANA time zone (default UTC): `22:00-07:00
   * Europe/Berlin`; `none` ends them. What they hold is one message afterwards.
   */
  readonly quiet_hours?: string | undefined
  /** Minutes for which events that are not urgent are collected into one message; 0 (the default): none. */
  readonly digest_minutes?: number | undefined
  /** Messages with events in an hour; what comes beyond it is one message afterwards. Default 60. */
  readonly max_per_hour?: number | undefined
  /**
   * Of telegram, what the bound chat may command: none; status; pause (and status; the default); resume (and
   * both). For a wallet in a manager's list resume needs the manager's channel.
   */
  readonly commands?: "none" | "status" | "pause" | "resume" | undefined
  /**
   * Texts in place of the default ones, by type of event, with placeholders such as {wallet} and {message}.
   * Replaces all earlier ones.
   */
  readonly templates?: Readonly<Record<string, unknown>> | undefined
  /** Whether messages are sent. */
  readonly enabled?: boolean | undefined
  /** Of telegram: return a new one-time code, which binds the chat that sends it. */
  readonly bind?: boolean | undefined
}

/** The fields of a success of updateChannel. */
export type UpdateChannelResult = {
  readonly channel: {
    readonly channel_id: string
    readonly kind: "telegram" | "discord" | "slack" | "email" | "ntfy" | "http" | "push"
    readonly name: string
    readonly enabled: boolean
    readonly host: string | null
    readonly smtp_port: number | null
    readonly from: string | null
    readonly to: string | null
    readonly bot: string | null
    readonly bound: boolean
    readonly events: ReadonlyArray<
      | "intent.succeeded"
      | "intent.failed"
      | "intent.reopened"
      | "order.triggered"
      | "order.filled"
      | "order.ended"
      | "exchange.filled"
      | "exchange.failed"
      | "exchange.triggered"
      | "index.drifted"
      | "gas.low"
      | "bot.paused"
      | "signing.stopped"
      | "signing.resumed"
      | "wallet.alert"
      | "lane.released"
      | "authority.changed"
      | "health.low"
      | "health.recovered"
      | "guardian.tripped"
      | "guardian.cleared"
      | "guardian.failed"
      | "follower.stopped"
      | "follower.failed"
      | "strategy.paused"
      | "charge.booked"
      | "charge.paid"
      | "network.down"
      | "network.recovered"
      | "approval.requested"
      | "approval.decided">
    readonly quiet_hours: string | null
    readonly digest_minutes: number
    readonly max_per_hour: number
    readonly commands: "none" | "status" | "pause" | "resume"
    readonly templates: Readonly<Record<string, unknown>>
    readonly created_at: string
  }
  readonly bind_code: string | null
  readonly bind_url: string | null
  readonly bind_expires_at: string | null
  readonly message: string
}

/** The parameters of deleteChannel. */
export interface DeleteChannelRequest {
  /** The channel's `channel_id`. */
  readonly channel_id: string
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
}

/** The fields of a success of deleteChannel. */
export type DeleteChannelResult = {
  readonly message: string
}

/** The parameters of testChannel. */
export interface TestChannelRequest {
  /** The channel's `channel_id`. */
  readonly channel_id: string
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
}

/** The fields of a success of testChannel. */
export type TestChannelResult = {
  readonly delivered: boolean
  readonly message: string
}

/** The parameters of getChannels. */
export interface GetChannelsRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
}

/** The fields of a success of getChannels. */
export type GetChannelsResult = {
  readonly channels: ReadonlyArray<{
    readonly channel_id: string
    readonly kind: "telegram" | "discord" | "slack" | "email" | "ntfy" | "http" | "push"
    readonly name: string
    readonly enabled: boolean
    readonly host: string | null
    readonly smtp_port: number | null
    readonly from: string | null
    readonly to: string | null
    readonly bot: string | null
    readonly bound: boolean
    readonly events: ReadonlyArray<
      | "intent.succeeded"
      | "intent.failed"
      | "intent.reopened"
      | "order.triggered"
      | "order.filled"
      | "order.ended"
      | "exchange.filled"
      | "exchange.failed"
      | "exchange.triggered"
      | "index.drifted"
      | "gas.low"
      | "bot.paused"
      | "signing.stopped"
      | "signing.resumed"
      | "wallet.alert"
      | "lane.released"
      | "authority.changed"
      | "health.low"
      | "health.recovered"
      | "guardian.tripped"
      | "guardian.cleared"
      | "guardian.failed"
      | "follower.stopped"
      | "follower.failed"
      | "strategy.paused"
      | "charge.booked"
      | "charge.paid"
      | "network.down"
      | "network.recovered"
      | "approval.requested"
      | "approval.decided">
    readonly quiet_hours: string | null
    readonly digest_minutes: number
    readonly max_per_hour: number
    readonly commands: "none" | "status" | "pause" | "resume"
    readonly templates: Readonly<Record<string, unknown>>
    readonly created_at: string
  }>
}

/** The parameters of getChannelMessages. */
export interface GetChannelMessagesRequest {
  /** Address of the manager who signed the request, 0x + 40 hex characters. */
  readonly manager?: string | undefined
  /**
   * The manager's signature over this request: `v2.<issuedAt>.<nonce>.<0x signature>`; `/signingPayload`
   * returns the data to sign. Valid for ten minutes and for a single change.
   */
  readonly signature?: string | undefined
  /** The channel's `channel_id`. */
  readonly channel_id?: string | undefined
  /** Rows per page, 1 to 100, default 20. */
  readonly limit?: number | undefined
}

/** The fields of a success of getChannelMessages. */
export type GetChannelMessagesResult = {
  readonly messages: ReadonlyArray<{
    readonly message_id: string
    readonly channel_id: string
    readonly kind: "events" | "answer"
    readonly title: string
    readonly events: number
    readonly state: "pending" | "sending" | "sent" | "dropped"
    readonly attempts: number
    readonly may_repeat: boolean
    readonly last_error: string | null
    readonly created_at: string
    readonly next_attempt_at: string | null
  }>
}

/** The parameters of llmIntrospect. */
export interface LlmIntrospectRequest {
  /** Only this endpoint, by its name or one of its paths. */
  readonly endpoint?: string | undefined
  /** Only the endpoints of this category. */
  readonly category?: string | undefined
  /** One line for each endpoint, with its required parameters only. */
  readonly compact?: boolean | undefined
}

/** The fields of a success of llmIntrospect. */
export type LlmIntrospectResult = {
  readonly service: unknown
  readonly api_info: unknown
  readonly networks: ReadonlyArray<unknown>
  readonly protocols: ReadonlyArray<string>
  readonly platforms: unknown
  readonly conventions: unknown
  readonly usage_notes: ReadonlyArray<string>
  readonly codes: unknown
  readonly error_codes: Readonly<Record<string, unknown>>
  readonly endpoints: ReadonlyArray<unknown>
  readonly recipes: unknown
}

/** One method for each endpoint. Methods of writes return a handle, whose `outcome()` waits for the result. */
export abstract class Endpoints {
  protected abstract call(endpoint: Endpoint, request: object, options?: CallOptions): Promise<never>

  protected abstract callWrite(endpoint: Endpoint, request: object, options?: CallOptions): Promise<never>

  /**
   * Create a gas wallet. The private key and the API key are in this response and nowhere else: back both up.
   * A wallet that is never used is purged after 30 days: its API key ends until its private key is imported
   * again.
   */
  createGasWallet(options?: CallOptions): Promise<CreateGasWalletResult> {
    return this.call(
      { name: "createGasWallet", path: "/createGasWallet", kind: "change", key: "none" },
      {},
      options
    )
  }

  /**
   * Issue a new API key for a wallet, revoking the old one at once, and end all other access to it, except
   * what `keep` names. Imports a wallet that the service does not know.
   */
  getNewApiKey(request: GetNewApiKeyRequest, options?: CallOptions): Promise<GetNewApiKeyResult> {
    return this.call(
      { name: "getNewApiKey", path: "/getNewApiKey", kind: "change", key: "none" },
      request,
      options
    )
  }

  /**
   * Native gas-token balance of the wallet behind the key; `network=all` for every network, `USD` for its
   * value.
   */
  getGasBalance(request: GetGasBalanceRequest, options?: CallOptions): Promise<GetGasBalanceResult> {
    return this.call(
      { name: "getGasBalance", path: "/getGasBalance", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * Native balances on every network, also in USD: of the key's wallet, or of every wallet in the manager's
   * list.
   */
  getAllGasBalance(request?: GetAllGasBalanceRequest, options?: CallOptions): Promise<GetAllGasBalanceResult> {
    return this.call(
      { name: "getAllGasBalance", path: "/getAllGasBalance", kind: "read", key: "optional" },
      request ?? {},
      options
    )
  }

  /**
   * Link a vault to the key's wallet, which must be its trader on chain. The link is kept when the wallet gets
   * a new key.
   */
  linkGasWallet(request: LinkGasWalletRequest, options?: CallOptions): Promise<LinkGasWalletResult> {
    return this.call(
      { name: "linkGasWallet", path: "/linkGasWallet", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** Unlink a vault from the key's wallet; the vault's trader on chain does not change. */
  unlinkGasWallet(request: UnlinkGasWalletRequest, options?: CallOptions): Promise<UnlinkGasWalletResult> {
    return this.call(
      { name: "unlinkGasWallet", path: "/unlinkGasWallet", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** The vaults linked to the key's wallet, and whether it is their trader on chain now. */
  getGasWalletPools(request?: GetGasWalletPoolsRequest, options?: CallOptions): Promise<GetGasWalletPoolsResult> {
    return this.call(
      { name: "getGasWalletPools", path: "/getGasWalletPools", kind: "read", key: "required" },
      request ?? {},
      options
    )
  }

  /**
   * Stop the bots of a vault, or the threshold bot of a pair, at once, even when no node answers: nothing more
   * is signed for them. Transactions already signed continue.
   */
  pauseBot(request: PauseBotRequest, options?: CallOptions): Promise<PauseBotResult> {
    return this.call(
      { name: "pauseBot", path: "/pauseBot", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Resume the bots of a vault, or the one of a pair, after pauseBot. The API key alone suffices for a wallet
   * without a manager; otherwise a manager's signature (subject: the wallet) or the wallet's private key is
   * needed.
   */
  resumeBot(request: ResumeBotRequest, options?: CallOptions): Promise<ResumeBotResult> {
    return this.call(
      { name: "resumeBot", path: "/resumeBot", kind: "change", key: "optional" },
      request,
      options
    )
  }

  /** Stop every signature of the key's wallet at once, on all networks. Transactions already signed continue. */
  pauseWallet(request?: PauseWalletRequest, options?: CallOptions): Promise<PauseWalletResult> {
    return this.call(
      { name: "pauseWallet", path: "/pauseWallet", kind: "change", key: "required" },
      request ?? {},
      options
    )
  }

  /**
   * Let a wallet sign again after pauseWallet. The API key alone suffices for a wallet without a manager;
   * otherwise a manager's signature (subject: the wallet) or the wallet's private key is needed.
   */
  resumeWallet(request?: ResumeWalletRequest, options?: CallOptions): Promise<ResumeWalletResult> {
    return this.call(
      { name: "resumeWallet", path: "/resumeWallet", kind: "change", key: "optional" },
      request ?? {},
      options
    )
  }

  /** Whether an address is the vault's authorised trader on chain. */
  isPoolTrader(request: IsPoolTraderRequest, options?: CallOptions): Promise<IsPoolTraderResult> {
    return this.call(
      { name: "isPoolTrader", path: "/isPoolTrader", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * What vaults can do on a network as the vault platform allows it now: venues, lenders, liquidity, shorts,
   * leveraged tokens and perpetual contracts. With `pool`, also which of the markets are enabled in that vault
   * (`enabled`).
   */
  getCapabilities(request: GetCapabilitiesRequest, options?: CallOptions): Promise<GetCapabilitiesResult> {
    return this.call(
      { name: "getCapabilities", path: "/getCapabilities", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** The vault's holdings: symbols resolved, amounts in human units, priced by the vault's own oracle. */
  poolComposition(request: PoolCompositionRequest, options?: CallOptions): Promise<PoolCompositionResult> {
    return this.call(
      { name: "poolComposition", path: "/poolComposition", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * What a vault earned in a period, by its share price: return, profit, fees, gas, slippage, risk,
   * benchmarks, attribution, bots and orders, and the value curve with its gaps.
   */
  getPerformance(request: GetPerformanceRequest, options?: CallOptions): Promise<GetPerformanceResult> {
    return this.call(
      { name: "getPerformance", path: "/getPerformance", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * What a vault sold in a period, lot by lot with cost, proceeds and gain, and the lots that it still has;
   * from the receipts of this service's trades. `csv` is a table for tax software.
   */
  getTaxLots(request: GetTaxLotsRequest, options?: CallOptions): Promise<GetTaxLotsResult> {
    return this.call(
      { name: "getTaxLots", path: "/getTaxLots", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** A vault's performance as one HTML page with charts, without scripts, ready to print or to save as PDF. */
  getTearsheet(request: GetTearsheetRequest, options?: CallOptions): Promise<GetTearsheetResult> {
    return this.call(
      { name: "getTearsheet", path: "/getTearsheet", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** Token symbol (and decimals) of a contract address, read from the chain. */
  getSymbol(request: GetSymbolRequest, options?: CallOptions): Promise<GetSymbolResult> {
    return this.call(
      { name: "getSymbol", path: "/getSymbol", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** Token contract address (and decimals) of a symbol in the network's token list. */
  getContract(request: GetContractRequest, options?: CallOptions): Promise<GetContractResult> {
    return this.call(
      { name: "getContract", path: "/getContract", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * Swap one vault asset for another on the named venue, or on the first available venue of the network's
   * fallback chain; returns the amounts actually sold and bought.
   */
  vaultTrade(request: VaultTradeRequest & { readonly dryRun: true }, options?: CallOptions): Promise<VaultTradeDryRun>
  vaultTrade(
    request: VaultTradeRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<VaultTradeResult>>
  vaultTrade(
    request: VaultTradeRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<VaultTradeDryRun | Write<VaultTradeResult>>
  vaultTrade(request: VaultTradeRequest, options?: CallOptions): Promise<VaultTradeDryRun | Write<VaultTradeResult>> {
    return this.callWrite(
      { name: "vaultTrade", path: "/vaultTrade", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Approve an asset of the vault for a venue or lending market; needed once per asset and spender. `amount=0`
   * revokes.
   */
  approve(request: ApproveRequest & { readonly dryRun: true }, options?: CallOptions): Promise<ApproveDryRun>
  approve(
    request: ApproveRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<ApproveResult>>
  approve(
    request: ApproveRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<ApproveDryRun | Write<ApproveResult>>
  approve(request: ApproveRequest, options?: CallOptions): Promise<ApproveDryRun | Write<ApproveResult>> {
    return this.callWrite(
      { name: "approve", path: "/approve", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Let the vault hold an asset that the vault platform supports: by its trader, unless its manager has
   * disabled that, or by its manager.
   */
  enableAsset(
    request: EnableAssetRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<EnableAssetDryRun>
  enableAsset(
    request: EnableAssetRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<EnableAssetResult>>
  enableAsset(
    request: EnableAssetRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<EnableAssetDryRun | Write<EnableAssetResult>>
  enableAsset(request: EnableAssetRequest, options?: CallOptions): Promise<EnableAssetDryRun | Write<EnableAssetResult>> {
    return this.callWrite(
      { name: "enableAsset", path: "/enableAsset", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** End that the vault may hold an asset, of which it must have none. */
  disableAsset(
    request: DisableAssetRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<DisableAssetDryRun>
  disableAsset(
    request: DisableAssetRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<DisableAssetResult>>
  disableAsset(
    request: DisableAssetRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<DisableAssetDryRun | Write<DisableAssetResult>>
  disableAsset(
    request: DisableAssetRequest,
    options?: CallOptions
  ): Promise<DisableAssetDryRun | Write<DisableAssetResult>> {
    return this.callWrite(
      { name: "disableAsset", path: "/disableAsset", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Name vaults that tradeGroup trades as one; the same name again replaces them. Nothing is checked on chain. */
  setVaultGroup(request: SetVaultGroupRequest, options?: CallOptions): Promise<SetVaultGroupResult> {
    return this.call(
      { name: "setVaultGroup", path: "/setVaultGroup", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** The groups of the key's wallet, by name. */
  getVaultGroups(options?: CallOptions): Promise<GetVaultGroupsResult> {
    return this.call(
      { name: "getVaultGroups", path: "/getVaultGroups", kind: "read", key: "required" },
      {},
      options
    )
  }

  /** Remove a group. Its vaults stay as they are, and trades that were accepted continue. */
  removeVaultGroup(request: RemoveVaultGroupRequest, options?: CallOptions): Promise<RemoveVaultGroupResult> {
    return this.call(
      { name: "removeVaultGroup", path: "/removeVaultGroup", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Make the same trade in each vault of a group, each as a vaultTrade, billed as one. Needs
   * `idempotency_key`, and `share` of each holding or an `amount` for all. Refused as a whole if the key may
   * not trade a vault.
   */
  tradeGroup(request: TradeGroupRequest & { readonly dryRun: true }, options?: CallOptions): Promise<TradeGroupDryRun>
  tradeGroup(
    request: TradeGroupRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<TradeGroupResult>>
  tradeGroup(
    request: TradeGroupRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<TradeGroupDryRun | Write<TradeGroupResult>>
  tradeGroup(request: TradeGroupRequest, options?: CallOptions): Promise<TradeGroupDryRun | Write<TradeGroupResult>> {
    return this.callWrite(
      { name: "tradeGroup", path: "/tradeGroup", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Supply an asset of the vault to lenderA; approval and supply are one transaction, the approval is exact. */
  lenderAV3Lend(
    request: LenderAV3LendRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<LenderAV3LendDryRun>
  lenderAV3Lend(
    request: LenderAV3LendRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<LenderAV3LendResult>>
  lenderAV3Lend(
    request: LenderAV3LendRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<LenderAV3LendDryRun | Write<LenderAV3LendResult>>
  lenderAV3Lend(
    request: LenderAV3LendRequest,
    options?: CallOptions
  ): Promise<LenderAV3LendDryRun | Write<LenderAV3LendResult>> {
    return this.callWrite(
      { name: "lenderAV3/lend", path: "/lenderAV3/lend", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest included. A debt below
   * $1 does not prevent that: it is repaid, or a little stays supplied for it.
   */
  lenderAV3Unlend(
    request: LenderAV3UnlendRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<LenderAV3UnlendDryRun>
  lenderAV3Unlend(
    request: LenderAV3UnlendRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<LenderAV3UnlendResult>>
  lenderAV3Unlend(
    request: LenderAV3UnlendRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<LenderAV3UnlendDryRun | Write<LenderAV3UnlendResult>>
  lenderAV3Unlend(
    request: LenderAV3UnlendRequest,
    options?: CallOptions
  ): Promise<LenderAV3UnlendDryRun | Write<LenderAV3UnlendResult>> {
    return this.callWrite(
      { name: "lenderAV3/unlend", path: "/lenderAV3/unlend", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Borrow an asset against the vault's collateral, at the variable rate; refused below the health factor's
   * floor.
   */
  lenderAV3Borrow(
    request: LenderAV3BorrowRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<LenderAV3BorrowDryRun>
  lenderAV3Borrow(
    request: LenderAV3BorrowRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<LenderAV3BorrowResult>>
  lenderAV3Borrow(
    request: LenderAV3BorrowRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<LenderAV3BorrowDryRun | Write<LenderAV3BorrowResult>>
  lenderAV3Borrow(
    request: LenderAV3BorrowRequest,
    options?: CallOptions
  ): Promise<LenderAV3BorrowDryRun | Write<LenderAV3BorrowResult>> {
    return this.callWrite(
      { name: "lenderAV3/borrow", path: "/lenderAV3/borrow", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Repay the vault's debt; a share of 100 repays all of it, including interest up to the repayment, as far as
   * the vault holds the asset. `still_owed` is the rest.
   */
  lenderAV3Repay(
    request: LenderAV3RepayRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<LenderAV3RepayDryRun>
  lenderAV3Repay(
    request: LenderAV3RepayRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<LenderAV3RepayResult>>
  lenderAV3Repay(
    request: LenderAV3RepayRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<LenderAV3RepayDryRun | Write<LenderAV3RepayResult>>
  lenderAV3Repay(
    request: LenderAV3RepayRequest,
    options?: CallOptions
  ): Promise<LenderAV3RepayDryRun | Write<LenderAV3RepayResult>> {
    return this.callWrite(
      { name: "lenderAV3/repay", path: "/lenderAV3/repay", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** The vault's assets supplied to lenderA, asset by asset and in total. */
  lenderAV3GetSupplied(request: LenderAV3GetSuppliedRequest, options?: CallOptions): Promise<LenderAV3GetSuppliedResult> {
    return this.call(
      { name: "lenderAV3/getSupplied", path: "/lenderAV3/getSupplied", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** The vault's debt to lenderA, asset by asset and in total. */
  lenderAV3GetBorrowed(request: LenderAV3GetBorrowedRequest, options?: CallOptions): Promise<LenderAV3GetBorrowedResult> {
    return this.call(
      { name: "lenderAV3/getBorrowed", path: "/lenderAV3/getBorrowed", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** The vault's health factor with lenderA; below 1 it is liquidated, without debt it is "infinity". */
  lenderAV3GetHealthFactor(
    request: LenderAV3GetHealthFactorRequest,
    options?: CallOptions
  ): Promise<LenderAV3GetHealthFactorResult> {
    return this.call(
      { name: "lenderAV3/getHealthFactor", path: "/lenderAV3/getHealthFactor", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * The vault's whole position with lenderA: collateral and debt in USD, the amount it can still borrow,
   * thresholds in percent.
   */
  lenderAV3GetPoolData(request: LenderAV3GetPoolDataRequest, options?: CallOptions): Promise<LenderAV3GetPoolDataResult> {
    return this.call(
      { name: "lenderAV3/getPoolData", path: "/lenderAV3/getPoolData", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** Supply an asset of the vault to lenderB; approval and supply are one transaction, the approval is exact. */
  lenderBV3Lend(
    request: LenderBV3LendRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<LenderBV3LendDryRun>
  lenderBV3Lend(
    request: LenderBV3LendRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<LenderBV3LendResult>>
  lenderBV3Lend(
    request: LenderBV3LendRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<LenderBV3LendDryRun | Write<LenderBV3LendResult>>
  lenderBV3Lend(
    request: LenderBV3LendRequest,
    options?: CallOptions
  ): Promise<LenderBV3LendDryRun | Write<LenderBV3LendResult>> {
    return this.callWrite(
      { name: "lenderBV3/lend", path: "/lenderBV3/lend", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Withdraw an asset supplied to lenderB; a share of 100 withdraws all of it, interest included. A debt below
   * $1 does not prevent that: it is repaid, or a little stays supplied for it.
   */
  lenderBV3Unlend(
    request: LenderBV3UnlendRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<LenderBV3UnlendDryRun>
  lenderBV3Unlend(
    request: LenderBV3UnlendRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<LenderBV3UnlendResult>>
  lenderBV3Unlend(
    request: LenderBV3UnlendRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<LenderBV3UnlendDryRun | Write<LenderBV3UnlendResult>>
  lenderBV3Unlend(
    request: LenderBV3UnlendRequest,
    options?: CallOptions
  ): Promise<LenderBV3UnlendDryRun | Write<LenderBV3UnlendResult>> {
    return this.callWrite(
      { name: "lenderBV3/unlend", path: "/lenderBV3/unlend", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Supply an asset of the vault to lenderC; approval and supply are one transaction, the approval is exact. */
  lenderCLend(
    request: LenderCLendRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<LenderCLendDryRun>
  lenderCLend(
    request: LenderCLendRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<LenderCLendResult>>
  lenderCLend(
    request: LenderCLendRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<LenderCLendDryRun | Write<LenderCLendResult>>
  lenderCLend(request: LenderCLendRequest, options?: CallOptions): Promise<LenderCLendDryRun | Write<LenderCLendResult>> {
    return this.callWrite(
      { name: "lenderC/lend", path: "/lenderC/lend", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Withdraw an asset supplied to lenderC; a share of 100 withdraws all of it, interest included. A debt below
   * $1 does not prevent that: it is repaid, or a little stays supplied for it.
   */
  lenderCUnlend(
    request: LenderCUnlendRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<LenderCUnlendDryRun>
  lenderCUnlend(
    request: LenderCUnlendRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<LenderCUnlendResult>>
  lenderCUnlend(
    request: LenderCUnlendRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<LenderCUnlendDryRun | Write<LenderCUnlendResult>>
  lenderCUnlend(
    request: LenderCUnlendRequest,
    options?: CallOptions
  ): Promise<LenderCUnlendDryRun | Write<LenderCUnlendResult>> {
    return this.callWrite(
      { name: "lenderC/unlend", path: "/lenderC/unlend", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Supply an asset of the vault to lenderA; approval and supply are one transaction, the approval is exact. */
  lend(request: LendRequest & { readonly dryRun: true }, options?: CallOptions): Promise<LendDryRun>
  lend(
    request: LendRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<LendResult>>
  lend(
    request: LendRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<LendDryRun | Write<LendResult>>
  lend(request: LendRequest, options?: CallOptions): Promise<LendDryRun | Write<LendResult>> {
    return this.callWrite(
      { name: "lend", path: "/lend", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Withdraw an asset supplied to lenderA; a share of 100 withdraws all of it, interest included. A debt below
   * $1 does not prevent that: it is repaid, or a little stays supplied for it.
   */
  unlend(request: UnlendRequest & { readonly dryRun: true }, options?: CallOptions): Promise<UnlendDryRun>
  unlend(
    request: UnlendRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<UnlendResult>>
  unlend(
    request: UnlendRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<UnlendDryRun | Write<UnlendResult>>
  unlend(request: UnlendRequest, options?: CallOptions): Promise<UnlendDryRun | Write<UnlendResult>> {
    return this.callWrite(
      { name: "unlend", path: "/unlend", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Borrow an asset against the vault's collateral, at the variable rate; refused below the health factor's
   * floor.
   */
  borrow(request: BorrowRequest & { readonly dryRun: true }, options?: CallOptions): Promise<BorrowDryRun>
  borrow(
    request: BorrowRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<BorrowResult>>
  borrow(
    request: BorrowRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<BorrowDryRun | Write<BorrowResult>>
  borrow(request: BorrowRequest, options?: CallOptions): Promise<BorrowDryRun | Write<BorrowResult>> {
    return this.callWrite(
      { name: "borrow", path: "/borrow", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Repay the vault's debt; a share of 100 repays all of it, including interest up to the repayment, as far as
   * the vault holds the asset. `still_owed` is the rest.
   */
  repay(request: RepayRequest & { readonly dryRun: true }, options?: CallOptions): Promise<RepayDryRun>
  repay(
    request: RepayRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<RepayResult>>
  repay(
    request: RepayRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<RepayDryRun | Write<RepayResult>>
  repay(request: RepayRequest, options?: CallOptions): Promise<RepayDryRun | Write<RepayResult>> {
    return this.callWrite(
      { name: "repay", path: "/repay", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * The current supply and borrow rates of every asset at every lender of the network, or of every configured
   * network, in percent per year.
   */
  getAllYields(request?: GetAllYieldsRequest, options?: CallOptions): Promise<GetAllYieldsResult> {
    return this.call(
      { name: "getAllYields", path: "/getAllYields", kind: "read", key: "required" },
      request ?? {},
      options
    )
  }

  /**
   * The yearly yield of the vault's positions with lenders at current rates, in percent of the vault's total
   * value.
   */
  getEstimatedAnualYield(
    request: GetEstimatedAnualYieldRequest,
    options?: CallOptions
  ): Promise<GetEstimatedAnualYieldResult> {
    return this.call(
      { name: "getEstimatedAnualYield", path: "/getEstimatedAnualYield", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** The gain of the vault's token since this service first recorded it, in percent. */
  getTotalYield(request: GetTotalYieldRequest, options?: CallOptions): Promise<GetTotalYieldResult> {
    return this.call(
      { name: "getTotalYield", path: "/getTotalYield", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * Provide liquidity to a concentrated-liquidity pool from one asset; the required amount of the other is
   * bought first, in the same transaction.
   */
  addLiquidity(
    request: AddLiquidityRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<AddLiquidityDryRun>
  addLiquidity(
    request: AddLiquidityRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<AddLiquidityResult>>
  addLiquidity(
    request: AddLiquidityRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<AddLiquidityDryRun | Write<AddLiquidityResult>>
  addLiquidity(
    request: AddLiquidityRequest,
    options?: CallOptions
  ): Promise<AddLiquidityDryRun | Write<AddLiquidityResult>> {
    return this.callWrite(
      { name: "addLiquidity", path: "/addLiquidity", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Remove liquidity, including fees; all of it unless `amount` is a percentage. `output_asset` sells the
   * other asset in the same transaction.
   */
  removeLiquidity(
    request: RemoveLiquidityRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<RemoveLiquidityDryRun>
  removeLiquidity(
    request: RemoveLiquidityRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<RemoveLiquidityResult>>
  removeLiquidity(
    request: RemoveLiquidityRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<RemoveLiquidityDryRun | Write<RemoveLiquidityResult>>
  removeLiquidity(
    request: RemoveLiquidityRequest,
    options?: CallOptions
  ): Promise<RemoveLiquidityDryRun | Write<RemoveLiquidityResult>> {
    return this.callWrite(
      { name: "removeLiquidity", path: "/removeLiquidity", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Collect the fees that a position has earned; the position stays as it is. A staked one also pays its
   * rewards, and stays staked.
   */
  collectFees(
    request: CollectFeesRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<CollectFeesDryRun>
  collectFees(
    request: CollectFeesRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<CollectFeesResult>>
  collectFees(
    request: CollectFeesRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<CollectFeesDryRun | Write<CollectFeesResult>>
  collectFees(request: CollectFeesRequest, options?: CallOptions): Promise<CollectFeesDryRun | Write<CollectFeesResult>> {
    return this.callWrite(
      { name: "collectFees", path: "/collectFees", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Stake a position: in its pool's gauge at velodromeCl, in MasterChefV3 at pancakeCl. It then earns rewards. */
  stakeLiquidity(
    request: StakeLiquidityRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<StakeLiquidityDryRun>
  stakeLiquidity(
    request: StakeLiquidityRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<StakeLiquidityResult>>
  stakeLiquidity(
    request: StakeLiquidityRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<StakeLiquidityDryRun | Write<StakeLiquidityResult>>
  stakeLiquidity(
    request: StakeLiquidityRequest,
    options?: CallOptions
  ): Promise<StakeLiquidityDryRun | Write<StakeLiquidityResult>> {
    return this.callWrite(
      { name: "stakeLiquidity", path: "/stakeLiquidity", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Take a staked position back, with its rewards. */
  unstakeLiquidity(
    request: UnstakeLiquidityRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<UnstakeLiquidityDryRun>
  unstakeLiquidity(
    request: UnstakeLiquidityRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<UnstakeLiquidityResult>>
  unstakeLiquidity(
    request: UnstakeLiquidityRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<UnstakeLiquidityDryRun | Write<UnstakeLiquidityResult>>
  unstakeLiquidity(
    request: UnstakeLiquidityRequest,
    options?: CallOptions
  ): Promise<UnstakeLiquidityDryRun | Write<UnstakeLiquidityResult>> {
    return this.callWrite(
      { name: "unstakeLiquidity", path: "/unstakeLiquidity", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Claim the rewards of a staked position, which stays staked. */
  claimRewards(
    request: ClaimRewardsRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<ClaimRewardsDryRun>
  claimRewards(
    request: ClaimRewardsRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<ClaimRewardsResult>>
  claimRewards(
    request: ClaimRewardsRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<ClaimRewardsDryRun | Write<ClaimRewardsResult>>
  claimRewards(
    request: ClaimRewardsRequest,
    options?: CallOptions
  ): Promise<ClaimRewardsDryRun | Write<ClaimRewardsResult>> {
    return this.callWrite(
      { name: "claimRewards", path: "/claimRewards", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Move USDC from the vault to its account at HyperCore as margin for perpetual contracts; approval and
   * deposit are one transaction.
   */
  depositToPerpetuals(
    request: DepositToPerpetualsRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<DepositToPerpetualsDryRun>
  depositToPerpetuals(
    request: DepositToPerpetualsRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<DepositToPerpetualsResult>>
  depositToPerpetuals(
    request: DepositToPerpetualsRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<DepositToPerpetualsDryRun | Write<DepositToPerpetualsResult>>
  depositToPerpetuals(
    request: DepositToPerpetualsRequest,
    options?: CallOptions
  ): Promise<DepositToPerpetualsDryRun | Write<DepositToPerpetualsResult>> {
    return this.callWrite(
      { name: "depositToPerpetuals", path: "/depositToPerpetuals", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Buy or sell a perpetual contract with the vault's margin. Success is determined by HyperCore's own state
   * of the order, never by the transaction alone.
   */
  placePerpetualOrder(
    request: PlacePerpetualOrderRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<PlacePerpetualOrderDryRun>
  placePerpetualOrder(
    request: PlacePerpetualOrderRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<PlacePerpetualOrderResult>>
  placePerpetualOrder(
    request: PlacePerpetualOrderRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<PlacePerpetualOrderDryRun | Write<PlacePerpetualOrderResult>>
  placePerpetualOrder(
    request: PlacePerpetualOrderRequest,
    options?: CallOptions
  ): Promise<PlacePerpetualOrderDryRun | Write<PlacePerpetualOrderResult>> {
    return this.callWrite(
      { name: "placePerpetualOrder", path: "/placePerpetualOrder", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Cancel a resting order, identified by `intent_id`, `cloid` or `oid`. */
  cancelPerpetualOrder(
    request: CancelPerpetualOrderRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<CancelPerpetualOrderDryRun>
  cancelPerpetualOrder(
    request: CancelPerpetualOrderRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<CancelPerpetualOrderResult>>
  cancelPerpetualOrder(
    request: CancelPerpetualOrderRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<CancelPerpetualOrderDryRun | Write<CancelPerpetualOrderResult>>
  cancelPerpetualOrder(
    request: CancelPerpetualOrderRequest,
    options?: CallOptions
  ): Promise<CancelPerpetualOrderDryRun | Write<CancelPerpetualOrderResult>> {
    return this.callWrite(
      { name: "cancelPerpetualOrder", path: "/cancelPerpetualOrder", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Move USDC that no position needs from the vault's account at HyperCore back into the vault. */
  withdrawFromPerpetuals(
    request: WithdrawFromPerpetualsRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<WithdrawFromPerpetualsDryRun>
  withdrawFromPerpetuals(
    request: WithdrawFromPerpetualsRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<WithdrawFromPerpetualsResult>>
  withdrawFromPerpetuals(
    request: WithdrawFromPerpetualsRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<WithdrawFromPerpetualsDryRun | Write<WithdrawFromPerpetualsResult>>
  withdrawFromPerpetuals(
    request: WithdrawFromPerpetualsRequest,
    options?: CallOptions
  ): Promise<WithdrawFromPerpetualsDryRun | Write<WithdrawFromPerpetualsResult>> {
    return this.callWrite(
      { name: "withdrawFromPerpetuals", path: "/withdrawFromPerpetuals", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** The vault's margin and positions at HyperCore, at HyperCore's own time. */
  getPerpetualPositions(
    request: GetPerpetualPositionsRequest,
    options?: CallOptions
  ): Promise<GetPerpetualPositionsResult> {
    return this.call(
      { name: "getPerpetualPositions", path: "/getPerpetualPositions", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** The vault's resting orders at HyperCore, newest first. */
  getPerpetualOrders(request: GetPerpetualOrdersRequest, options?: CallOptions): Promise<GetPerpetualOrdersResult> {
    return this.call(
      { name: "getPerpetualOrders", path: "/getPerpetualOrders", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** The listed perpetual contracts, with their size decimals and current prices. */
  getPerpetualMarkets(request?: GetPerpetualMarketsRequest, options?: CallOptions): Promise<GetPerpetualMarketsResult> {
    return this.call(
      { name: "getPerpetualMarkets", path: "/getPerpetualMarkets", kind: "read", key: "required" },
      request ?? {},
      options
    )
  }

  /**
   * Mint the performance and management fee that a vault owes its manager. Any wallet may call this; it only
   * pays the gas.
   */
  mintManagerFee(
    request: MintManagerFeeRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<MintManagerFeeDryRun>
  mintManagerFee(
    request: MintManagerFeeRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<MintManagerFeeResult>>
  mintManagerFee(
    request: MintManagerFeeRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<MintManagerFeeDryRun | Write<MintManagerFeeResult>>
  mintManagerFee(
    request: MintManagerFeeRequest,
    options?: CallOptions
  ): Promise<MintManagerFeeDryRun | Write<MintManagerFeeResult>> {
    return this.callWrite(
      { name: "mintManagerFee", path: "/mintManagerFee", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Mint the managers' fees of up to 100 vaults in one transaction; vaults without a fee are skipped. */
  mintManagerFeeBatch(
    request: MintManagerFeeBatchRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<MintManagerFeeBatchDryRun>
  mintManagerFeeBatch(
    request: MintManagerFeeBatchRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<MintManagerFeeBatchResult>>
  mintManagerFeeBatch(
    request: MintManagerFeeBatchRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<MintManagerFeeBatchDryRun | Write<MintManagerFeeBatchResult>>
  mintManagerFeeBatch(
    request: MintManagerFeeBatchRequest,
    options?: CallOptions
  ): Promise<MintManagerFeeBatchDryRun | Write<MintManagerFeeBatchResult>> {
    return this.callWrite(
      { name: "mintManagerFeeBatch", path: "/mintManagerFeeBatch", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Find a manager's vaults and mint the fees of those that have one, in one transaction. */
  mintAllFeesByManager(
    request: MintAllFeesByManagerRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<MintAllFeesByManagerDryRun>
  mintAllFeesByManager(
    request: MintAllFeesByManagerRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<MintAllFeesByManagerResult>>
  mintAllFeesByManager(
    request: MintAllFeesByManagerRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<MintAllFeesByManagerDryRun | Write<MintAllFeesByManagerResult>>
  mintAllFeesByManager(
    request: MintAllFeesByManagerRequest,
    options?: CallOptions
  ): Promise<MintAllFeesByManagerDryRun | Write<MintAllFeesByManagerResult>> {
    return this.callWrite(
      { name: "mintAllFeesByManager", path: "/mintAllFeesByManager", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Keep the vault on one side of a pair: sets the bot and begins a rebalance at once; trades of a bot are
   * billed as trades.
   */
  setBot(request: SetBotRequest, options?: CallOptions): Promise<Write<SetBotResult>> {
    return this.callWrite(
      { name: "setBot", path: "/setBot", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Delete the vault's bots, or the one of a pair, even when no node answers; a transaction that is already
   * planned continues.
   */
  deleteBot(request: DeleteBotRequest, options?: CallOptions): Promise<DeleteBotResult> {
    return this.call(
      { name: "deleteBot", path: "/deleteBot", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Bots and index of one vault: their settings, whether they are active, and their last decisions with
   * reasons. Details are shown to the vault's own keys only.
   */
  getBotStatus(request: GetBotStatusRequest, options?: CallOptions): Promise<GetBotStatusResult> {
    return this.call(
      { name: "getBotStatus", path: "/getBotStatus", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** All bots on all networks: of the key's wallet, or of every wallet in the manager's list. */
  getAllBots(request?: GetAllBotsRequest, options?: CallOptions): Promise<GetAllBotsResult> {
    return this.call(
      { name: "getAllBots", path: "/getAllBots", kind: "read", key: "optional" },
      request ?? {},
      options
    )
  }

  /**
   * Set the vault's target weights and how often they are checked; disabled unless `enabled=true`. Trades of
   * its runs are billed as trades.
   */
  setIndexBot(request: SetIndexBotRequest, options?: CallOptions): Promise<SetIndexBotResult> {
    return this.call(
      { name: "setIndexBot", path: "/setIndexBot", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** The vault's index bot: its settings, its last decision with the reason, and its last run leg by leg. */
  getIndexBot(request: GetIndexBotRequest, options?: CallOptions): Promise<GetIndexBotResult> {
    return this.call(
      { name: "getIndexBot", path: "/getIndexBot", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * The targets next to the live weights: drift in percentage points, and whether each is out of its
   * tolerance.
   */
  getCurrentAllocations(
    request: GetCurrentAllocationsRequest,
    options?: CallOptions
  ): Promise<GetCurrentAllocationsResult> {
    return this.call(
      { name: "getCurrentAllocations", path: "/getCurrentAllocations", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** The trades a run would make now: sells before buys, limited by the cap. Nothing is sent. */
  previewIndexBot(request: PreviewIndexBotRequest, options?: CallOptions): Promise<PreviewIndexBotResult> {
    return this.call(
      { name: "previewIndexBot", path: "/previewIndexBot", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * Rebalance the vault to its index; a dry run unless `execute=true`. Each trade is executed and billed like
   * a vaultTrade.
   */
  rebalancePool(request: RebalancePoolRequest, options?: CallOptions): Promise<Write<RebalancePoolResult>> {
    return this.callWrite(
      { name: "rebalancePool", path: "/rebalancePool", kind: "write", key: "required" },
      request,
      options
    )
  }

  /** Stop the index bot's scheduled checks; its settings are kept. */
  disableIndexBot(request: DisableIndexBotRequest, options?: CallOptions): Promise<DisableIndexBotResult> {
    return this.call(
      { name: "disableIndexBot", path: "/disableIndexBot", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Retired: checks targets in the old or new syntax, writes nothing, and answers with the setIndexBot call
   * that would set them.
   */
  setAllocations(request: SetAllocationsRequest, options?: CallOptions): Promise<SetAllocationsResult> {
    return this.call(
      { name: "setAllocations", path: "/setAllocations", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * Place an order of a vault: it is stored, and executed in slices when its price or its time comes. Each
   * slice is an intent, executed and billed like a vaultTrade.
   */
  placeOrder(request: PlaceOrderRequest & { readonly dryRun: true }, options?: CallOptions): Promise<PlaceOrderDryRun>
  placeOrder(
    request: PlaceOrderRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<PlaceOrderResult>>
  placeOrder(
    request: PlaceOrderRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<PlaceOrderDryRun | Write<PlaceOrderResult>>
  placeOrder(request: PlaceOrderRequest, options?: CallOptions): Promise<PlaceOrderDryRun | Write<PlaceOrderResult>> {
    return this.callWrite(
      { name: "placeOrder", path: "/placeOrder", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Change terms of an order that has not ended; what is not given stays. The prices of a triggered order's
   * trigger cannot be changed.
   */
  amendOrder(request: AmendOrderRequest, options?: CallOptions): Promise<AmendOrderResult> {
    return this.call(
      { name: "amendOrder", path: "/amendOrder", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Cancel an order of the vault, or all of them, even when no node answers. After `cancelled` nothing is
   * traded; while `cancelling`, a slice in progress ends: one that is not planned is withdrawn, others count.
   */
  cancelOrder(request: CancelOrderRequest, options?: CallOptions): Promise<CancelOrderResult> {
    return this.call(
      { name: "cancelOrder", path: "/cancelOrder", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** Orders of a vault, the newest first. Other wallets' orders are shown to the vault's own keys only. */
  getOrders(request: GetOrdersRequest, options?: CallOptions): Promise<GetOrdersResult> {
    return this.call(
      { name: "getOrders", path: "/getOrders", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** An order with its slices and its history, the newest first, a hundred of each at most. */
  getOrder(request: GetOrderRequest, options?: CallOptions): Promise<GetOrderResult> {
    return this.call(
      { name: "getOrder", path: "/getOrder", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * Set a guardian of the vault: a rule that watches it all the time and acts, holds trades or reports. A
   * vault has one of each kind; its actions are intents, executed and billed like the wallet's own requests.
   */
  setGuardian(request: SetGuardianRequest, options?: CallOptions): Promise<SetGuardianResult> {
    return this.call(
      { name: "setGuardian", path: "/setGuardian", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** The vault's guardians with their last readings, their actions and their history, fifty of each at most. */
  getGuardians(request: GetGuardiansRequest, options?: CallOptions): Promise<GetGuardiansResult> {
    return this.call(
      { name: "getGuardians", path: "/getGuardians", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * Arm a guardian again, above all a loss breaker that has tripped: losses count from now on. Bots and orders
   * that it has stopped stay stopped until resumeBot.
   */
  resetGuardian(request: ResetGuardianRequest, options?: CallOptions): Promise<ResetGuardianResult> {
    return this.call(
      { name: "resetGuardian", path: "/resetGuardian", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Delete a guardian of the vault, even when no node answers. Trades that it holds go on; an action that is
   * already planned ends.
   */
  deleteGuardian(request: DeleteGuardianRequest, options?: CallOptions): Promise<DeleteGuardianResult> {
    return this.call(
      { name: "deleteGuardian", path: "/deleteGuardian", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Make the vault follow a leader: it copies the weights of another vault, or of any address, within caps.
   * Its trades are intents, executed and billed like the wallet's own requests. A vault follows one leader.
   */
  setFollower(request: SetFollowerRequest, options?: CallOptions): Promise<SetFollowerResult> {
    return this.call(
      { name: "setFollower", path: "/setFollower", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * The leader that the vault follows, with the last reading, the trades and the history, fifty of each at
   * most; and the vaults that this key's wallet has set to follow the vault.
   */
  getFollowers(request: GetFollowersRequest, options?: CallOptions): Promise<GetFollowersResult> {
    return this.call(
      { name: "getFollowers", path: "/getFollowers", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * End that the vault follows a leader, even when no node answers. It keeps what it holds; a trade that is
   * already planned ends.
   */
  removeFollower(request: RemoveFollowerRequest, options?: CallOptions): Promise<RemoveFollowerResult> {
    return this.call(
      { name: "removeFollower", path: "/removeFollower", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** The strategies that a bot of the vault may run, with their inputs; of one that cannot be loaded, why. */
  getStrategies(request: GetStrategiesRequest, options?: CallOptions): Promise<GetStrategiesResult> {
    return this.call(
      { name: "getStrategies", path: "/getStrategies", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * Set a bot that trades the vault by a strategy, on paper unless `mode=live`. It decides when a candle
   * closes, and runs the file as it is now: a change of the file pauses it. Trades are billed like the
   * wallet's own.
   */
  setStrategyBot(request: SetStrategyBotRequest, options?: CallOptions): Promise<SetStrategyBotResult> {
    return this.call(
      { name: "setStrategyBot", path: "/setStrategyBot", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** The vault's strategy bots: terms, the last fifty decisions with their trades, candles and history. */
  getStrategyBots(request: GetStrategyBotsRequest, options?: CallOptions): Promise<GetStrategyBotsResult> {
    return this.call(
      { name: "getStrategyBots", path: "/getStrategyBots", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** Delete a strategy bot of the vault, even when no node answers. A trade that is already planned ends. */
  deleteStrategyBot(request: DeleteStrategyBotRequest, options?: CallOptions): Promise<DeleteStrategyBotResult> {
    return this.call(
      { name: "deleteStrategyBot", path: "/deleteStrategyBot", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Connect an account at an exchange to a gas wallet. Its balances are read from the exchange before anything
   * is stored; keys with withdrawal rights are refused if the exchange reports those rights.
   */
  registerCEXSubaccount(
    request: RegisterCEXSubaccountRequest,
    options?: CallOptions
  ): Promise<RegisterCEXSubaccountResult> {
    return this.call(
      { name: "registerCEXSubaccount", path: "/registerCEXSubaccount", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Keep one side of a pair on an exchange account: sets the bot and starts a turn at once; an executed order
   * is billed as an exchange trade.
   */
  setCEXSide(request: SetCEXSideRequest, options?: CallOptions): Promise<Write<SetCEXSideResult>> {
    return this.callWrite(
      { name: "setCEXSide", path: "/setCEXSide", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * The bots of an exchange account, or the bot of one pair: their settings and their last decision with its
   * reason.
   */
  getCEXSide(request: GetCEXSideRequest, options?: CallOptions): Promise<GetCEXSideResult> {
    return this.call(
      { name: "getCEXSide", path: "/getCEXSide", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** Choose what sets an exchange bot's side: setCEXSide (custom) or a named strategy. */
  setCEXStrategy(request: SetCEXStrategyRequest, options?: CallOptions): Promise<SetCEXStrategyResult> {
    return this.call(
      { name: "setCEXStrategy", path: "/setCEXStrategy", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Stop an exchange bot and keep its configuration; setCEXSide reactivates it. An order in progress is
   * tracked until it is final.
   */
  deactivateCEXBot(request: DeactivateCEXBotRequest, options?: CallOptions): Promise<DeactivateCEXBotResult> {
    return this.call(
      { name: "deactivateCEXBot", path: "/deactivateCEXBot", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** Remove an exchange bot. An order in progress is tracked until it is final. */
  deleteCEXBot(request: DeleteCEXBotRequest, options?: CallOptions): Promise<DeleteCEXBotResult> {
    return this.call(
      { name: "deleteCEXBot", path: "/deleteCEXBot", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** Remove an exchange account, its credentials and all its bots. Signed by the manager who connected it. */
  deleteCEXSubaccount(request: DeleteCEXSubaccountRequest, options?: CallOptions): Promise<DeleteCEXSubaccountResult> {
    return this.call(
      { name: "deleteCEXSubaccount", path: "/deleteCEXSubaccount", kind: "change", key: "none" },
      request,
      options
    )
  }

  /**
   * The exchange accounts of the key's wallet, or all that the signing manager registered, with their bots.
   * Credentials are never shown.
   */
  getAllCEXSubaccounts(
    request?: GetAllCEXSubaccountsRequest,
    options?: CallOptions
  ): Promise<GetAllCEXSubaccountsResult> {
    return this.call(
      { name: "getAllCEXSubaccounts", path: "/getAllCEXSubaccounts", kind: "read", key: "optional" },
      request ?? {},
      options
    )
  }

  /** The turns and orders of an exchange account, newest first, in pages: decisions, orders sent and fills. */
  getCEXOrders(request: GetCEXOrdersRequest, options?: CallOptions): Promise<GetCEXOrdersResult> {
    return this.call(
      { name: "getCEXOrders", path: "/getCEXOrders", kind: "read", key: "required" },
      request,
      options
    )
  }

  /** Closed OHLCV candles of a pair on an exchange, oldest first; stored here, so that the history is kept. */
  getCandles(request?: GetCandlesRequest, options?: CallOptions): Promise<GetCandlesResult> {
    return this.call(
      { name: "getCandles", path: "/getCandles", kind: "read", key: "required" },
      request ?? {},
      options
    )
  }

  /** Latest price of a pair on an exchange. */
  getTicks(request?: GetTicksRequest, options?: CallOptions): Promise<GetTicksResult> {
    return this.call(
      { name: "getTicks", path: "/getTicks", kind: "read", key: "required" },
      request ?? {},
      options
    )
  }

  /** Returns the state of one accepted request, its transaction and, once final, its result or failure. */
  getIntent(request: GetIntentRequest, options?: CallOptions): Promise<GetIntentResult> {
    return this.call(
      { name: "getIntent", path: "/getIntent", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * The wallet's accepted requests and the turns of its exchange bots, newest first, in pages. With `network`
   * or `pool`, only those of that network or vault.
   */
  getIntents(request?: GetIntentsRequest, options?: CallOptions): Promise<GetIntentsResult> {
    return this.call(
      { name: "getIntents", path: "/getIntents", kind: "read", key: "required" },
      request ?? {},
      options
    )
  }

  /** The USD price of one ether, checked against a second source. */
  ethPrice(request?: EthPriceRequest, options?: CallOptions): Promise<EthPriceResult> {
    return this.call(
      { name: "eth-price", path: "/eth-price", kind: "read", key: "none" },
      request ?? {},
      options
    )
  }

  /** The USD price of one whole token of a network, by default the native one, checked against a second source. */
  tokenPrice(request: TokenPriceRequest, options?: CallOptions): Promise<TokenPriceResult> {
    return this.call(
      { name: "token-price", path: "/token-price/:network", kind: "read", key: "none" },
      request,
      options
    )
  }

  /** The price of an action on a network, in USD and in native token now. */
  calculateFee(request: CalculateFeeRequest, options?: CallOptions): Promise<CalculateFeeResult> {
    return this.call(
      { name: "calculate-fee", path: "/calculate-fee/:action/:network", kind: "read", key: "none" },
      request,
      options
    )
  }

  /** The price of a trade at an exchange, in USD and in the native token of the payment network now. */
  apiCexCalculateFee(request?: ApiCexCalculateFeeRequest, options?: CallOptions): Promise<ApiCexCalculateFeeResult> {
    return this.call(
      { name: "api/cex/calculateFee", path: "/api/cex/calculateFee", kind: "read", key: "none" },
      request ?? {},
      options
    )
  }

  /** Every action with its price class and price. */
  allActions(options?: CallOptions): Promise<AllActionsResult> {
    return this.call(
      { name: "all-actions", path: "/all-actions", kind: "read", key: "none" },
      {},
      options
    )
  }

  /** Check that a network is served, and how fresh its newest block is. */
  test(request: TestRequest, options?: CallOptions): Promise<TestResult> {
    return this.call(
      { name: "test", path: "/test/:network", kind: "read", key: "none" },
      request,
      options
    )
  }

  /**
   * Charge the wallet for a trade at an exchange, once per order; the charge is paid with the wallet's other
   * charges.
   */
  apiCexChargeFee(
    request: ApiCexChargeFeeRequest & { readonly dryRun: true },
    options?: CallOptions
  ): Promise<ApiCexChargeFeeDryRun>
  apiCexChargeFee(
    request: ApiCexChargeFeeRequest & { readonly dryRun?: false | undefined },
    options?: CallOptions
  ): Promise<Write<ApiCexChargeFeeResult>>
  apiCexChargeFee(
    request: ApiCexChargeFeeRequest & { readonly dryRun?: boolean | undefined },
    options?: CallOptions
  ): Promise<ApiCexChargeFeeDryRun | Write<ApiCexChargeFeeResult>>
  apiCexChargeFee(
    request?: ApiCexChargeFeeRequest,
    options?: CallOptions
  ): Promise<ApiCexChargeFeeDryRun | Write<ApiCexChargeFeeResult>> {
    return this.callWrite(
      { name: "api/cex/chargeFee", path: "/api/cex/chargeFee", kind: "write", key: "required" },
      request ?? {},
      options
    )
  }

  /** The wallet's charges, newest first, in pages: each with its price and payment status. */
  getCharges(request?: GetChargesRequest, options?: CallOptions): Promise<GetChargesResult> {
    return this.call(
      { name: "getCharges", path: "/getCharges", kind: "read", key: "required" },
      request ?? {},
      options
    )
  }

  /**
   * The wallet's activity on one vault, day by day: fees, gas, slippage against the oracle, and the gain of
   * the vault's token.
   */
  getReport(request: GetReportRequest, options?: CallOptions): Promise<GetReportResult> {
    return this.call(
      { name: "getReport", path: "/getReport", kind: "read", key: "required" },
      request,
      options
    )
  }

  /**
   * Returns the EIP-712 typed data that a manager signs, and the prefix that turns the signature into a
   * `signature` parameter.
   */
  signingPayload(request: SigningPayloadRequest, options?: CallOptions): Promise<SigningPayloadResult> {
    return this.call(
      { name: "signingPayload", path: "/signingPayload", kind: "read", key: "none" },
      request,
      options
    )
  }

  /**
   * Add the key's wallet to the manager's list; the signature's subject is the wallet's address. For a new
   * wallet the key suffices; any other needs its private key, or a manager who manages every vault it trades.
   */
  associateGasWallet(request: AssociateGasWalletRequest, options?: CallOptions): Promise<AssociateGasWalletResult> {
    return this.call(
      { name: "associateGasWallet", path: "/associateGasWallet", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** Remove a wallet from the manager's list; the signature's subject is the wallet's address. */
  deassociateGasWallet(request: DeassociateGasWalletRequest, options?: CallOptions): Promise<DeassociateGasWalletResult> {
    return this.call(
      { name: "deassociateGasWallet", path: "/deassociateGasWallet", kind: "change", key: "none" },
      request,
      options
    )
  }

  /** The wallets in the manager's list; the signature's subject is the manager's own address. */
  getAssociatedGasWallets(
    request: GetAssociatedGasWalletsRequest,
    options?: CallOptions
  ): Promise<GetAssociatedGasWalletsResult> {
    return this.call(
      { name: "getAssociatedGasWallets", path: "/getAssociatedGasWallets", kind: "read", key: "none" },
      request,
      options
    )
  }

  /**
   * Set the limits of a wallet's key, which rotation keeps. With the key, limits can only be lowered; with a
   * signature (subject: the wallet), the manager who set them may also raise them.
   */
  setKeyLimits(request?: SetKeyLimitsRequest, options?: CallOptions): Promise<SetKeyLimitsResult> {
    return this.call(
      { name: "setKeyLimits", path: "/setKeyLimits", kind: "change", key: "optional" },
      request ?? {},
      options
    )
  }

  /**
   * The audit log, newest first, of the key's wallet or of every wallet in the manager's list: changes of
   * keys, limits, switches, bots and managers, and signed transactions.
   */
  getAuditLog(request?: GetAuditLogRequest, options?: CallOptions): Promise<GetAuditLogResult> {
    return this.call(
      { name: "getAuditLog", path: "/getAuditLog", kind: "read", key: "optional" },
      request ?? {},
      options
    )
  }

  /**
   * Everything that can act for a wallet: its API key and sub-keys, managers and their sessions, chart alert
   * tokens, webhooks, channels, bots, orders, guardians, followers, exchange accounts, delegations; its limits
   * and switches; and when each was last used. For the wallet's API key, a manager of its list (subject: the
   * wallet), or its private key, for instance before rotation.
   */
  getWalletAuthority(request?: GetWalletAuthorityRequest, options?: CallOptions): Promise<GetWalletAuthorityResult> {
    return this.call(
      { name: "getWalletAuthority", path: "/getWalletAuthority", kind: "read", key: "optional" },
      request ?? {},
      options
    )
  }

  /**
   * Make a sub-key: an API key for an agent or a script that acts for the same wallet within bounds of its
   * own, and ends with the key that made it. It reads only, unless `scopes` allows changes. It is shown only
   * once.
   */
  createSubKey(request?: CreateSubKeyRequest, options?: CallOptions): Promise<CreateSubKeyResult> {
    return this.call(
      { name: "createSubKey", path: "/createSubKey", kind: "change", key: "required" },
      request ?? {},
      options
    )
  }

  /** The sub-keys of the key's wallet that have not ended, without the keys themselves. */
  getSubKeys(options?: CallOptions): Promise<GetSubKeysResult> {
    return this.call(
      { name: "getSubKeys", path: "/getSubKeys", kind: "read", key: "required" },
      {},
      options
    )
  }

  /** End a sub-key of the key's wallet, or all of them, at once. */
  revokeSubKey(request: RevokeSubKeyRequest, options?: CallOptions): Promise<RevokeSubKeyResult> {
    return this.call(
      { name: "revokeSubKey", path: "/revokeSubKey", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Changes that wait for approvals, newest first: an approver sees all of them, others those about their
   * wallets. `all` adds those that ended.
   */
  getApprovals(request?: GetApprovalsRequest, options?: CallOptions): Promise<GetApprovalsResult> {
    return this.call(
      { name: "getApprovals", path: "/getApprovals", kind: "read", key: "optional" },
      request ?? {},
      options
    )
  }

  /** Approve a change as one of the service's approvers; the signature's subject is the change with its digest. */
  approveChange(request: ApproveChangeRequest, options?: CallOptions): Promise<ApproveChangeResult> {
    return this.call(
      { name: "approveChange", path: "/approveChange", kind: "change", key: "none" },
      request,
      options
    )
  }

  /** Veto a change as one of the service's approvers, which ends its request; nothing is changed. */
  vetoChange(request: VetoChangeRequest, options?: CallOptions): Promise<VetoChangeResult> {
    return this.call(
      { name: "vetoChange", path: "/vetoChange", kind: "change", key: "none" },
      request,
      options
    )
  }

  /**
   * Create a token for a chart alert's URL: it sets the side of this vault's bot on this pair and can do
   * nothing else. It is shown only once.
   */
  createWebhookToken(request: CreateWebhookTokenRequest, options?: CallOptions): Promise<CreateWebhookTokenResult> {
    return this.call(
      { name: "createWebhookToken", path: "/createWebhookToken", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** Revoke a webhook token of the key's wallet, or all of them, at once. */
  revokeWebhookToken(request: RevokeWebhookTokenRequest, options?: CallOptions): Promise<RevokeWebhookTokenResult> {
    return this.call(
      { name: "revokeWebhookToken", path: "/revokeWebhookToken", kind: "change", key: "required" },
      request,
      options
    )
  }

  /** The webhook tokens of the key's wallet, without the tokens themselves. */
  getWebhookTokens(options?: CallOptions): Promise<GetWebhookTokensResult> {
    return this.call(
      { name: "getWebhookTokens", path: "/getWebhookTokens", kind: "read", key: "required" },
      {},
      options
    )
  }

  /** Set when a webhook token's alerts count, and which bots they drive; what is not given stays as it is. */
  setWebhookToken(request: SetWebhookTokenRequest, options?: CallOptions): Promise<SetWebhookTokenResult> {
    return this.call(
      { name: "setWebhookToken", path: "/setWebhookToken", kind: "change", key: "required" },
      request,
      options
    )
  }

  /**
   * Receives chart alerts: sets the side of the token's bots, which keep their other settings, and begins a
   * rebalance.
   */
  webhook(request: WebhookRequest, options?: CallOptions): Promise<Write<WebhookResult>> {
    return this.callWrite(
      { name: "webhook", path: "/webhook/:token", kind: "write", key: "none" },
      request,
      options
    )
  }

  /** Returns what an alert with this body would do; nothing is stored and nothing is traded. */
  testWebhook(request: TestWebhookRequest, options?: CallOptions): Promise<TestWebhookResult> {
    return this.call(
      { name: "testWebhook", path: "/webhook/:token/test", kind: "read", key: "none" },
      request,
      options
    )
  }

  /**
   * The signals that came for the wallet's bots (chart alerts, setBot and replays), newest first, in pages:
   * body, what was understood, and the result at each bot.
   */
  getSignals(request?: GetSignalsRequest, options?: CallOptions): Promise<GetSignalsResult> {
    return this.call(
      { name: "getSignals", path: "/getSignals", kind: "read", key: "required" },
      request ?? {},
      options
    )
  }

  /**
   * Carry out a refused or ignored chart alert as a new signal, at most once, whatever the rules of its token
   * say; a repeat returns the first replay.
   */
  replaySignal(request: ReplaySignalRequest, options?: CallOptions): Promise<Write<ReplaySignalResult>> {
    return this.callWrite(
      { name: "replaySignal", path: "/replaySignal", kind: "write", key: "required" },
      request,
      options
    )
  }

  /**
   * Post events to a URL, signed per Standard Webhooks; the secret is shown only in this response. Setting the
   * same URL again creates a new secret.
   */
  setWebhook(request: SetWebhookRequest, options?: CallOptions): Promise<SetWebhookResult> {
    return this.call(
      { name: "setWebhook", path: "/setWebhook", kind: "change", key: "optional" },
      request,
      options
    )
  }

  /** Delete a webhook and its pending deliveries. */
  deleteWebhook(request: DeleteWebhookRequest, options?: CallOptions): Promise<DeleteWebhookResult> {
    return this.call(
      { name: "deleteWebhook", path: "/deleteWebhook", kind: "change", key: "optional" },
      request,
      options
    )
  }

  /** The webhooks of the key's wallet, or of the manager, without their secrets. */
  getWebhooks(request?: GetWebhooksRequest, options?: CallOptions): Promise<GetWebhooksResult> {
    return this.call(
      { name: "getWebhooks", path: "/getWebhooks", kind: "read", key: "optional" },
      request ?? {},
      options
    )
  }

  /** The newest deliveries of the owner's webhooks, with the outcome of each and the time of its next attempt. */
  getWebhookDeliveries(
    request?: GetWebhookDeliveriesRequest,
    options?: CallOptions
  ): Promise<GetWebhookDeliveriesResult> {
    return this.call(
      { name: "getWebhookDeliveries", path: "/getWebhookDeliveries", kind: "read", key: "optional" },
      request ?? {},
      options
    )
  }

  /**
   * Send events to Telegram, Discord, Slack, an e-mail address, an ntfy topic, a browser or a URL. Of telegram
   * the response has a one-time code that the owner sends to the bot; the chat gets nothing before.
   */
  createChannel(request: CreateChannelRequest, options?: CallOptions): Promise<CreateChannelResult> {
    return this.call(
      { name: "createChannel", path: "/createChannel", kind: "change", key: "optional" },
      request,
      options
    )
  }

  /** Change a channel; what is not given stays. With another bot the chat has to be bound again. */
  updateChannel(request: UpdateChannelRequest, options?: CallOptions): Promise<UpdateChannelResult> {
    return this.call(
      { name: "updateChannel", path: "/updateChannel", kind: "change", key: "optional" },
      request,
      options
    )
  }

  /** Delete a channel and what it was still to receive; its chat no longer commands anything. */
  deleteChannel(request: DeleteChannelRequest, options?: CallOptions): Promise<DeleteChannelResult> {
    return this.call(
      { name: "deleteChannel", path: "/deleteChannel", kind: "change", key: "optional" },
      request,
      options
    )
  }

  /** Send a test message now and report what the receiver answered; at most one in ten seconds. */
  testChannel(request: TestChannelRequest, options?: CallOptions): Promise<TestChannelResult> {
    return this.call(
      { name: "testChannel", path: "/testChannel", kind: "change", key: "optional" },
      request,
      options
    )
  }

  /** The notification channels of the key's wallet, or of the manager, without their secrets. */
  getChannels(request?: GetChannelsRequest, options?: CallOptions): Promise<GetChannelsResult> {
    return this.call(
      { name: "getChannels", path: "/getChannels", kind: "read", key: "optional" },
      request ?? {},
      options
    )
  }

  /** The newest messages of the owner's channels: sent, waiting, or dropped, with the reason. */
  getChannelMessages(request?: GetChannelMessagesRequest, options?: CallOptions): Promise<GetChannelMessagesResult> {
    return this.call(
      { name: "getChannelMessages", path: "/getChannelMessages", kind: "read", key: "optional" },
      request ?? {},
      options
    )
  }

  /** Machine-readable metadata of every endpoint: parameters, classes, charges, codes, recipes. */
  llmIntrospect(request?: LlmIntrospectRequest, options?: CallOptions): Promise<LlmIntrospectResult> {
    return this.call(
      { name: "llmIntrospect", path: "/llmIntrospect", kind: "read", key: "none" },
      request ?? {},
      options
    )
  }
}
