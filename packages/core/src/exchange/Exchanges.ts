/** The exchanges whose accounts can be connected, and what their credentials look like. Market data comes from any exchange ccxt knows. */
import * as Schema from "effect/Schema"

/** By ccxt's ids: those on which an order can be found again by the id we gave it. */
export const exchanges = ["binance", "bitget", "gate", "kucoin", "okx"] as const
export const ExchangeId = Schema.Literals(exchanges)
export type ExchangeId = typeof ExchangeId.Type

export interface CredentialRules {
  /** What a key of this exchange looks like. */
  readonly key: RegExp
  readonly keyIs: string
  /** Whether a key comes with a passphrase. */
  readonly passphrase: boolean
  /** Whether the exchange has a test network that ccxt knows. */
  readonly testnet: boolean
}

export const rules: Readonly<Record<ExchangeId, CredentialRules>> = {
  binance: { key: /^[A-Za-z0-9]{64}$/, keyIs: "64 letters and digits", passphrase: false, testnet: true },
  bitget: { key: /^bg_[0-9a-f]{32}$/i, keyIs: "bg_ and 32 hex characters", passphrase: true, testnet: true },
  gate: { key: /^[0-9a-f]{32}$/i, keyIs: "32 hex characters", passphrase: false, testnet: true },
  kucoin: { key: /^[0-9a-f]{24}$/i, keyIs: "24 hex characters", passphrase: true, testnet: false },
  okx: { key: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, keyIs: "a UUID", passphrase: true, testnet: true }
}

/** Percent an order may be worse than the market shows when it is decided. */
export const standardSlippage = 0.5

/** What an account's owner may choose. Where requests go is nothing of it: only the operator's configuration names addresses. */
export const AccountSettings = Schema.Struct({
  testnet: Schema.Boolean,
  /** Percent. */
  slippage: Schema.Number
})
export type AccountSettings = typeof AccountSettings.Type

/** Quotes that count as a US dollar. */
export const dollars: ReadonlySet<string> = new Set(["USD", "USDT", "USDC", "FDUSD", "TUSD", "BUSD", "DAI", "USDP", "PYUSD", "USDE", "USDG"])

/** `BTC/USDT` or `BTC_USDT` as `BTC-USDT`. */
export const pairOf = (symbol: string): string => symbol.replace(/[/_]/, "-").toUpperCase()
/** ccxt's way to write a pair. */
export const symbolOf = (pair: string): string => pairOf(pair).replace("-", "/")
