/** The HTTP server: all routes, their middleware and their handlers. */
import { ChargeStore } from "@vault-trader/core/billing/ChargeStore"
import { PriceList, type Prices } from "@vault-trader/core/billing/PriceList"
import { ReportStore } from "@vault-trader/core/billing/ReportStore"
import { SessionStore } from "@vault-trader/core/console/SessionStore"
import { Catalogue } from "@vault-trader/core/Catalogue"
import type { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { VaultLinkStore } from "@vault-trader/core/gas-wallet/VaultLinkStore"
import { Backlog, type Limits } from "@vault-trader/core/intent/Backlog"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import { IndexLegStore } from "@vault-trader/core/intent/IndexLegStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { branded, standardBrands } from "@vault-trader/core/lending/Brands"
import { ManagerNonceStore } from "@vault-trader/core/manager/ManagerNonceStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { BotTurnStore } from "@vault-trader/core/intent/BotTurnStore"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import { WebhookStore } from "@vault-trader/core/webhook/WebhookStore"
import { WebhookTokenStore } from "@vault-trader/core/webhook/WebhookTokenStore"
import type { Sharding } from "effect/cluster/Sharding"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import * as BillingApi from "./billing/BillingApi.ts"
import { PricingApiLive } from "./billing/PricingApi.ts"
import * as Console from "./console/Console.ts"
import { AdmissionLive, Gatekeeper } from "./endpoint/Admission.ts"
import * as Interpreter from "./endpoint/Interpreter.ts"
import { ExchangeApiLive } from "./exchange/ExchangeApi.ts"
import { FeesApiLive } from "./fees/FeesApi.ts"
import { Directory, type DirectoryShape } from "./gate/ServedNetworks.ts"
import { GracefulShutdown } from "./gate/GracefulShutdown.ts"
import { GateLive } from "./gate/Gate.ts"
import * as Health from "./gate/Health.ts"
import type { SocketLimits } from "./console/Sockets.ts"
import { Hosts } from "./gate/Hosts.ts"
import { RateLimit, type RateLimitOptions } from "./gate/RateLimit.ts"
import { RequestSeconds } from "./wire/RequestState.ts"
import { GasWalletApiLive } from "./gas-wallet/GasWalletApi.ts"
import { KillSwitchApiLive } from "./gas-wallet/KillSwitchApi.ts"
import * as IndexBotApi from "./index-bot/IndexBotApi.ts"
import { IntentApiLive } from "./intent/IntentApi.ts"
import { IdempotentWrites } from "./gate/IdempotentWrites.ts"
import { Intents } from "./intent/Intents.ts"
import * as Docs from "./introspection/Docs.ts"
import * as IntrospectionApi from "./introspection/IntrospectionApi.ts"
import { LendingApiLive } from "./lending/LendingApi.ts"
import { YieldsApiLive } from "./lending/YieldsApi.ts"
import { LiquidityApiLive } from "./liquidity/LiquidityApi.ts"
import { ManagerApiLive } from "./manager/ManagerApi.ts"
import { Association } from "./manager/Association.ts"
import { ManagerProof } from "./manager/ManagerProof.ts"
import { Origin } from "./wire/Origin.ts"
import { MarketDataApiLive } from "./market-data/MarketDataApi.ts"
import { TokenApiLive } from "./market-data/TokenApi.ts"
import { PerpetualApiLive } from "./perpetual/PerpetualApi.ts"
import { ThresholdBotApiLive } from "./threshold-bot/ThresholdBotApi.ts"
import { TradingApiLive } from "./trading/TradingApi.ts"
import { VaultApiLive } from "./vault/VaultApi.ts"
import { WebhookApiLive } from "./webhook/WebhookApi.ts"
import { WebhookTokenApiLive } from "./webhook/WebhookTokenApi.ts"

export interface ServerOptions {
  readonly directory: DirectoryShape
  readonly rateLimit: RateLimitOptions
  /** Limits on the sockets of the console's pages. */
  readonly sockets: SocketLimits
  readonly version: Health.Version
  /** How long a write waits for its outcome before it answers `pending`. */
  readonly waitSeconds: number
  /** Time limit of a request, for all its steps together. */
  readonly requestSeconds: number
  /** Maximum number of accepted requests that are not finished. */
  readonly open: Limits
  /** Origins at which callers reach the service, `https://host`. Managers' signatures are bound to the first. */
  readonly origins?: ReadonlyArray<string> | undefined
  /** Prices of actions, and wallets that are charged nothing. Default: the default prices, no exempt wallet. */
  readonly billing?: { readonly prices: Prices; readonly exempt: ReadonlyArray<string> }
  /** Folder of the built console; without it, the console is not served. */
  readonly console?: string | undefined
  /** Additional routes, and scripts from them that the console's page loads: the devnet's wallet. */
  readonly extra?: Extra | undefined
}

export interface Extra {
  readonly routes: Layer.Layer<never, never, HttpRouter.HttpRouter>
  /** Paths of this origin. */
  readonly scripts: ReadonlyArray<string>
}

/** Serves the whole catalogue on the given HTTP server. */
export const layer = (
  options: ServerOptions
): Layer.Layer<never, never, HttpServer.HttpServer | SqlClient.SqlClient | Sharding | ApiKeyDigest> => {
  const stores = Layer.mergeAll(
    ApiKeyStore.layer,
    KeyLimitStore.layer,
    KillSwitch.layer,
    IntentStore.layer,
    ThresholdBotStore.layer,
    WaitingSettings.layer,
    BotTurnStore.layer.pipe(
      Layer.provide([ThresholdBotStore.layer, WaitingSettings.layer, IntentStore.layer, KillSwitch.layer])
    ),
    IndexBotStore.layer,
    IndexRunStore.layer,
    IndexLegStore.layer.pipe(Layer.provide([IndexBotStore.layer, IndexRunStore.layer, IntentStore.layer])),
    ExchangeStore.layer,
    ExchangeOrderStore.layer.pipe(Layer.provide(KeyLimitStore.layer)),
    ManagerStore.layer,
    SessionStore.layer,
    VaultLinkStore.layer,
    WebhookTokenStore.layer,
    WebhookStore.layer,
    ChargeStore.layer,
    ReportStore.layer
  )
  const directory = Layer.succeed(Directory, options.directory)
  const handlers = Layer.mergeAll(
    GasWalletApiLive,
    KillSwitchApiLive,
    VaultApiLive,
    TokenApiLive,
    TradingApiLive,
    LendingApiLive,
    YieldsApiLive,
    LiquidityApiLive,
    PerpetualApiLive,
    FeesApiLive,
    ThresholdBotApiLive,
    IndexBotApi.layer(options.waitSeconds),
    ExchangeApiLive,
    MarketDataApiLive,
    IntentApiLive,
    PricingApiLive,
    BillingApi.layer(new Set(options.billing?.exempt)),
    ManagerApiLive,
    WebhookTokenApiLive,
    WebhookApiLive,
    IntrospectionApi.layer(options.version)
  ).pipe(
    Layer.provide(Intents.layer(options.waitSeconds)),
    Layer.provide([Backlog.layer(options.open), PriceList.layer(options.billing?.prices)])
  )
  const gatekeeper = Gatekeeper.layer
  const managers = ManagerProof.layer.pipe(
    Layer.provide(ManagerNonceStore.layer),
    Layer.provideMerge(Origin.layer(options.origins ?? [])),
    Layer.merge(Association.layer)
  )
  const routes = Layer.mergeAll(
    Interpreter.layer(Catalogue, { also: branded(options.directory.brands ?? standardBrands) }),
    Health.layer(options.version),
    Docs.layer(options.version),
    Console.layer({ ...options, scripts: options.extra?.scripts ?? [] }),
    options.extra?.routes ?? Layer.empty
  ).pipe(
    Layer.provide(GateLive),
    Layer.provide([handlers, AdmissionLive]),
    Layer.provide([gatekeeper, RateLimit.layer(options.rateLimit), Hosts.layer(options.rateLimit.trustedProxies)]),
    Layer.provide(managers),
    Layer.provide([
      IdempotentWrites.layer,
      GracefulShutdown.layer,
      Layer.succeed(RequestSeconds, options.requestSeconds)
    ]),
    Layer.provide([directory, stores])
  )
  // The platform's logger and tracer record the whole URL, and our URLs contain API keys; the gate logs and traces
  // instead.
  return HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true))
  )
}
