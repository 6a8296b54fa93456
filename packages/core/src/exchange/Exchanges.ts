/**
 * The exchanges whose accounts can be connected, and the form of their credentials. Market data is available from any
 * exchange ccxt supports.
 */
import * as Schema from "effect/Schema"

/** The exchanges, by ccxt's ids, on which an order can be found by its client order id. */
export const exchanges = ["binance", "bitget", "gate", "kucoin", "okx"] as const
export const ExchangeId = Schema.Literals(exchanges)
export type ExchangeId = typeof ExchangeId.Type

export interface CredentialRules {
  /** The pattern of this exchange's API keys. */
  readonly key: RegExp
  readonly keyIs: string
  /** True when a key comes with a passphrase. */
  readonly passphrase: boolean
  /** True when the exchange has a test network that ccxt supports. */
  readonly testnet: boolean
}

export const rules: Readonly<Record<ExchangeId, CredentialRules>> = {
  binance: { key: /^[A-Za-z0-9]{64}$/, keyIs: "64 letters and digits", passphrase: false, testnet: true },
  bitget: { key: /^bg_[0-9a-f]{32}$/i, keyIs: "bg_ and 32 hex characters", passphrase: true, testnet: true },
  gate: { key: /^[0-9a-f]{32}$/i, keyIs: "32 hex characters", passphrase: false, testnet: true },
  kucoin: { key: /^[0-9a-f]{24}$/i, keyIs: "24 hex characters", passphrase: true, testnet: false },
  okx: { key: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, keyIs: "a UUID", passphrase: true, testnet: true }
}

/** The default percentage by which an order's limit may be worse than the market price at decision time. */
export const defaultSlippage = 0.5

/**
 * The settings that an account's owner can choose. They never contain a URL: only the operator sets the exchanges'
 * addresses.
 */
export const AccountSettings = Schema.Struct({
  testnet: Schema.Boolean,
  /** Percent. */
  slippage: Schema.Number
})
export type AccountSettings = typeof AccountSettings.Type

/** Quotes that count as a US dollar. */
export const dollars: ReadonlySet<string> = new Set([
  "USD",
  "USDT",
  "USDC",
  "FDUSD",
  "TUSD",
  "BUSD",
  "DAI",
  "USDP",
  "PYUSD",
  "USDE",
  "USDG"
])

/** Converts `BTC/USDT` or `BTC_USDT` to `BTC-USDT`. */
export const pairOf = (symbol: string): string => symbol.replace(/[/_]/, "-").toUpperCase()
/** Converts a pair to ccxt's notation, `BTC/USDT`. */
export const symbolOf = (pair: string): string => pairOf(pair).replace("-", "/")
