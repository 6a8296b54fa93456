/** Every endpoint of the service: the single list from which documents, routes and tables are derived. */
import { BillingApi } from "./billing/BillingApi.ts"
import { PricingApi } from "./billing/PricingApi.ts"
import { ExchangeApi } from "./exchange/ExchangeApi.ts"
import { FeesApi } from "./fees/FeesApi.ts"
import { GasWalletApi } from "./gas-wallet/GasWalletApi.ts"
import { KillSwitchApi } from "./gas-wallet/KillSwitchApi.ts"
import { IndexBotApi } from "./index-bot/IndexBotApi.ts"
import { IntentApi } from "./intent/IntentApi.ts"
import { IntrospectionApi } from "./introspection/IntrospectionApi.ts"
import { LendingApi } from "./lending/LendingApi.ts"
import { YieldsApi } from "./lending/YieldsApi.ts"
import { LiquidityApi } from "./liquidity/LiquidityApi.ts"
import { ManagerApi } from "./manager/ManagerApi.ts"
import { MarketDataApi } from "./market-data/MarketDataApi.ts"
import { TokenApi } from "./market-data/TokenApi.ts"
import { PerpetualApi } from "./perpetual/PerpetualApi.ts"
import { ThresholdBotApi } from "./threshold-bot/ThresholdBotApi.ts"
import { TradingApi } from "./trading/TradingApi.ts"
import { VaultApi } from "./vault/VaultApi.ts"
import { WebhookApi } from "./webhook/WebhookApi.ts"
import { WebhookTokenApi } from "./webhook/WebhookTokenApi.ts"
import * as Endpoint from "./endpoint/Endpoint.ts"

/** The merged group. A new capability adds its group here. */
export const Catalogue = GasWalletApi.merge(
  KillSwitchApi,
  VaultApi,
  TokenApi,
  TradingApi,
  LendingApi,
  YieldsApi,
  LiquidityApi,
  PerpetualApi,
  FeesApi,
  ThresholdBotApi,
  IndexBotApi,
  ExchangeApi,
  MarketDataApi,
  IntentApi,
  PricingApi,
  BillingApi,
  ManagerApi,
  WebhookTokenApi,
  WebhookApi,
  IntrospectionApi
)

/** The facts of every endpoint; dies at start-up if one was not declared with `Endpoint.make`. */
export const endpoints: ReadonlyArray<Endpoint.EndpointFacts> = Endpoint.factsOfGroup(Catalogue)
