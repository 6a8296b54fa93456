/** The workers' settings. */
import { parse as parseAddress } from "@vault-trader/core/chain/Address"
import { parse as parseNetwork } from "@vault-trader/core/chain/Network"
import * as Setting from "@vault-trader/core/configuration/Setting"
import type { Purse } from "@vault-trader/core/gas-wallet/GasLevelStore"
import { type WalletAlertKind, walletAlertKinds } from "@vault-trader/core/gas-wallet/WalletAlert"
import { defaultFloor, minFloor } from "@vault-trader/core/lending/Lending"
import * as BigDecimal from "effect/BigDecimal"
import * as Config from "effect/Config"
import { defaultInfoUrl } from "./address-book/AddressBook.ts"
import { defaultAccess as defaultExchangeAccess } from "./ccxt/Ccxt.ts"
import { defaultSeconds as defaultExchangeSeconds } from "./exchange/AccountScheduler.ts"
import { read as readAmounts } from "./gas-wallet/GasAmount.ts"
import { defaultPolicy as defaultGasPolicy } from "./gas-wallet/GasMonitor.ts"
import { signingSettings } from "./gas-wallet/SigningSettings.ts"
import { keyProviderSettings } from "./key-provider/KeyProviderSettings.ts"
import { samplingSettings } from "./performance/SamplingSettings.ts"
import { defaultLostSeconds } from "./perpetual/HyperCoreConfirmation.ts"
import { defaultAccess as defaultInfoAccess } from "./perpetual/HyperCoreInfo.ts"
import { rpcSettings } from "./chain/RpcSettings.ts"
import { defaultBotSeconds } from "./threshold-bot/BotScheduler.ts"
import { defaultFollowerSeconds } from "./follower/FollowerScheduler.ts"
import { defaultGuardianSeconds } from "./guardian/GuardianScheduler.ts"
import { defaultStrategySeconds } from "./strategy/StrategyScheduler.ts"
import { defaultOrderSeconds } from "./vault-order/OrderScheduler.ts"
import { defaultAccess as defaultVenueAccess } from "./venue/AggregatorClient.ts"

const apiKey = (name: string, venue: string, without: string) =>
  Setting.optional({
    name,
    description: `Key of the API of the venue \`${venue}\`; without it ${without}.`,
    config: (key) => Config.Redacted(key)
  })

/** Refuses a query: keys go into headers, and one in the URL would be sent to any host that answers there. */
const apiUrl = (name: string, venue: "1inch" | "kyberswap" | "odosV3") =>
  Setting.make({
    name,
    description: `Base URL of the API of the venue \`${venue}\`.`,
    config: Setting.meaning("must be an http or https URL without query", (text) =>
      URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).search === ""
        ? text.replace(/\/+$/, "")
        : undefined),
    fallback: defaultVenueAccess.urls[venue]
  })

/** Exchange base URLs. Set by the operator only; callers cannot override them. */
const exchangeUrls = Setting.meaning(
  "must be exchange=URL pairs, comma-separated, each an http or https URL without query",
  (text): Readonly<Record<string, string>> | undefined => {
    const pairs = text.split(",").map((pair) => /^\s*([a-z0-9]+)=(\S+?)\/*\s*$/.exec(pair))
    const right = pairs.every((pair) =>
      pair !== null && URL.canParse(pair[2] ?? "") && /^https?:$/.test(new URL(pair[2] ?? "").protocol) &&
      new URL(pair[2] ?? "").search === ""
    )
    return right ? Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? "", pair?.[2] ?? ""])) : undefined
  }
)

/** Parses a decimal number to 18 decimals. */
const healthFactor = Setting.meaning("must be a number of at least 1.05", (text): bigint | undefined => {
  const value = /^\d{1,3}(\.\d{1,18})?$/.test(text) ? BigDecimal.scale(BigDecimal.fromStringUnsafe(text), 18).value : 0n
  return value >= minFloor ? value : undefined
})

const gasAmounts = Setting.meaning(
  "must be an amount as 5usd or 0.002, or network=amount, comma-separated",
  readAmounts
)

const alertKinds = Setting.meaning(
  `must be kinds of alerts, comma-separated: ${walletAlertKinds.join(", ")}`,
  (text): ReadonlySet<WalletAlertKind> | undefined => {
    const words = text.split(",").map((word) => word.trim()).filter((word) => word !== "")
    const kinds = words.flatMap((word) => walletAlertKinds.filter((kind) => kind === word))
    return kinds.length === words.length ? new Set(kinds) : undefined
  }
)

export const workersSettings = {
  ...signingSettings,
  ...keyProviderSettings,
  rpcTimeoutMillis: Setting.make({
    name: "RPC_TIMEOUT_MS",
    description: "Hard limit of one JSON-RPC request, in milliseconds.",
    config: Setting.atLeast(100),
    fallback: 10_000
  }),
  runnerHost: Setting.make({
    name: "RUNNER_HOST",
    description: "Address at which other processes reach this runner (`npm run workers`).",
    config: Config.String,
    fallback: "127.0.0.1"
  }),
  runnerPort: Setting.make({
    name: "RUNNER_PORT",
    description: "Port at which other processes reach this runner.",
    config: Setting.port,
    fallback: 34431
  }),
  ledgerDays: Setting.make({
    name: "RETENTION_LEDGER_DAYS",
    description:
      "Days after its end for which a submission, its signed bytes, its receipt and its plan are kept. Intents, " +
      "outcomes and charges are kept forever.",
    config: Setting.atLeast(1),
    fallback: 30
  }),
  messageDays: Setting.make({
    name: "RETENTION_MESSAGES_DAYS",
    description: "Days for which answered messages between actors are kept.",
    config: Setting.atLeast(1),
    fallback: 7
  }),
  purgeAfterDays: Setting.make({
    name: "PURGE_UNUSED_WALLETS_AFTER_DAYS",
    description:
      "Days after which a gas wallet that was created here and never used is purged: its API key ends. Its " +
      "encrypted private key stays, and importing the key ends the purge. 0: never.",
    config: Setting.atLeast(0),
    fallback: 30
  }),
  oneInchApiKey: apiKey("ONEINCH_API_KEY", "1inch", "its router is used over Uniswap V3's pools"),
  odosApiKey: apiKey("ODOS_API_KEY", "odosV3", "the venue is skipped"),
  oneInchUrl: apiUrl("ONEINCH_URL", "1inch"),
  kyberSwapUrl: apiUrl("KYBERSWAP_URL", "kyberswap"),
  odosUrl: apiUrl("ODOS_URL", "odosV3"),
  hyperliquidFactory: Setting.optional({
    name: "HYPERLIQUID_FACTORY",
    description:
      "The vault platform's factory on hyperliquid, if it is not the one in the address book: the platform's published sources name two.",
    config: Setting.meaning("must be an address (0x + 40 hex characters)", parseAddress)
  }),
  hyperliquidInfoUrl: Setting.make({
    name: "HYPERLIQUID_INFO_URL",
    description: "URL of HyperCore's info API, including its path.",
    config: Setting.meaning(
      "must be an http or https URL without query",
      (text) =>
        URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).search === "" ? text : undefined
    ),
    fallback: defaultInfoUrl
  }),
  perpetualTimeoutMillis: Setting.make({
    name: "PERPETUAL_TIMEOUT_MS",
    description:
      "Hard limit of one request to HyperCore's info API, in milliseconds. A read without an answer is repeated; nothing is sent again.",
    config: Setting.atLeast(100),
    fallback: defaultInfoAccess.timeoutMillis
  }),
  perpetualLostSeconds: Setting.make({
    name: "PERPETUAL_LOST_SECONDS",
    description:
      "Seconds after its block, by HyperCore's own clock, after which an order or withdrawal that HyperCore does " +
      "not know counts as lost. HyperCore itself delays actions from the chain by a few seconds.",
    config: Setting.atLeast(1),
    fallback: defaultLostSeconds
  }),
  venueTimeoutMillis: Setting.make({
    name: "VENUE_TIMEOUT_MS",
    description:
      "Hard limit of one request to a venue's API, in milliseconds; after that the next venue is queried. Also the " +
      "limit of each quote of `platform=best`.",
    config: Setting.atLeast(100),
    fallback: defaultVenueAccess.timeoutMillis
  }),
  healthFactorFloor: Setting.make({
    name: "HEALTH_FACTOR_FLOOR",
    description: "Borrowing and unlending are refused when the vault's health factor would be below this afterwards.",
    config: healthFactor,
    fallback: defaultFloor,
    shown: "1.3"
  }),
  botSeconds: Setting.make({
    name: "BOT_CHECK_SECONDS",
    description: "Seconds between two checks of the vaults of bots.",
    config: Setting.atLeast(1),
    fallback: defaultBotSeconds
  }),
  orderSeconds: Setting.make({
    name: "ORDER_CHECK_SECONDS",
    description: "Seconds between two observations of the markets of vaults' orders.",
    config: Setting.atLeast(1),
    fallback: defaultOrderSeconds
  }),
  guardianSeconds: Setting.make({
    name: "GUARDIAN_CHECK_SECONDS",
    description: "Seconds between two readings of a vault's guardian.",
    config: Setting.atLeast(1),
    fallback: defaultGuardianSeconds
  }),
  followerSeconds: Setting.make({
    name: "FOLLOWER_CHECK_SECONDS",
    description: "Seconds between two readings of a vault's follower and its leader.",
    config: Setting.atLeast(1),
    fallback: defaultFollowerSeconds
  }),
  strategySeconds: Setting.make({
    name: "STRATEGY_CHECK_SECONDS",
    description:
      "Longest time between two readings of the prices from which a strategy bot makes its candles, seconds.",
    config: Setting.atLeast(1),
    fallback: defaultStrategySeconds
  }),
  strategyDirectory: Setting.make({
    name: "STRATEGY_DIR",
    description:
      "Folder of the strategies that bots may run, one file each; the same on every runner. Without it the five " +
      "examples of this version.",
    config: Config.String,
    fallback: "",
    shown: "the examples"
  }),
  ...samplingSettings,
  exchangeUrls: Setting.make({
    name: "EXCHANGE_URLS",
    description:
      "Other addresses for exchanges, `binance=https://…`, comma-separated, by ccxt's ids; for gateways and " +
      "tests. On the devnet binance and coinbase are its fakes.",
    config: exchangeUrls,
    fallback: {},
    shown: "not set"
  }),
  exchangeTimeoutMillis: Setting.make({
    name: "EXCHANGE_TIMEOUT_MS",
    description:
      "Hard limit of one request to an exchange, in milliseconds. An order without an answer by then is looked " +
      "up by its id, never sent again.",
    config: Setting.atLeast(100),
    fallback: defaultExchangeAccess.timeoutMillis
  }),
  exchangeWindowMillis: Setting.make({
    name: "EXCHANGE_WINDOW_MS",
    description:
      "Milliseconds for which Binance accepts an order after it was signed (its `recvWindow`, at most 60000); " +
      "the other exchanges have their own windows.",
    config: Setting.atLeast(100),
    fallback: defaultExchangeAccess.windowMillis
  }),
  exchangeSeconds: Setting.make({
    name: "EXCHANGE_CHECK_SECONDS",
    description: "Seconds between two checks of an exchange account with bots.",
    config: Setting.atLeast(1),
    fallback: defaultExchangeSeconds
  }),
  gasSeconds: Setting.make({
    name: "GAS_CHECK_SECONDS",
    description: "Seconds between two checks of gas wallets: their gas, and their nonces, balances, code and vault " +
      "events against the ledger.",
    config: Setting.atLeast(1),
    fallback: defaultGasPolicy.seconds
  }),
  pauseOnAlert: Setting.make<ReadonlySet<WalletAlertKind>>({
    name: "PAUSE_ON_ALERT",
    description: "Kinds of `wallet.alert` that also stop the wallet by a kill switch, comma-separated: " +
      `${walletAlertKinds.map((kind) => `\`${kind}\``).join(", ")}. Only an operator can resume the wallet.`,
    config: alertKinds,
    fallback: new Set(),
    shown: "none"
  }),
  lowGas: Setting.make({
    name: "LOW_GAS",
    description:
      "A gas wallet with less than this is low: `5usd` or an amount of native token (`0.002`), for all networks " +
      "or as `network=amount`, comma-separated.",
    config: gasAmounts,
    fallback: defaultGasPolicy.low,
    shown: "5usd"
  }),
  maxGasPerDay: Setting.optional({
    name: "MAX_GAS_PER_WALLET_DAY",
    description:
      "Maximum gas that one wallet spends on a network in a day (UTC), as `20usd`, `0.01` native token, or " +
      "`network=amount`, comma-separated. Beyond it the wallet's submissions wait, and an alert is raised. Without it a " +
      "wallet's balance is the only bound.",
    config: gasAmounts
  }),
  topUpFunder: Setting.optional({
    name: "TOP_UP_FUNDER",
    description:
      "Address of a gas wallet of this service that refills those of TOP_UP_WALLETS when they are low. Without it no wallet is refilled.",
    config: Setting.meaning("must be an address: 0x + 40 hex characters", parseAddress)
  }),
  topUpWallets: Setting.make<ReadonlyArray<Purse>>({
    name: "TOP_UP_WALLETS",
    description: "The wallets to refill, as `network/address`, comma-separated.",
    config: Setting.meaning("must be network/address, comma-separated", (text) => {
      const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
      const purses = parts.flatMap((part) => {
        const [network, wallet] = [parseNetwork(part.split("/")[0] ?? ""), parseAddress(part.split("/")[1] ?? "")]
        return network === undefined || wallet === undefined ? [] : [{ network, wallet }]
      })
      return purses.length === parts.length ? purses : undefined
    }),
    fallback: [],
    shown: "none"
  }),
  topUpAmount: Setting.make({
    name: "TOP_UP_AMOUNT",
    description: "Amount of one refill, in the format of LOW_GAS.",
    config: gasAmounts,
    fallback: readAmounts("20usd") ?? defaultGasPolicy.low,
    shown: "20usd"
  }),
  topUpMaxUsdPerDay: Setting.make({
    name: "TOP_UP_MAX_USD_PER_DAY",
    description: "Maximum US dollars of all refills in one day (UTC).",
    config: Setting.atLeast(1),
    fallback: 100
  }),
  webhooksToLoopback: Setting.make({
    name: "WEBHOOKS_TO_LOOPBACK",
    description: "`on` permits webhooks and channels to this machine itself, also by plain http; for tests only.",
    config: Setting.onOff,
    fallback: false,
    shown: "off"
  }),
  telegramUrl: Setting.make({
    name: "TELEGRAM_URL",
    description: "URL of Telegram's Bot API: the public one, or a Bot API server of your own.",
    config: Setting.meaning(
      "must be an http or https URL without user, password or path",
      (text) => {
        const url = URL.canParse(text) ? new URL(text) : undefined
        return url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
          ? url.origin
          : undefined
      }
    ),
    fallback: "https://api.telegram.org"
  }),
  ...rpcSettings
}
