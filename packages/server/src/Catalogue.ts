/** The handlers of the whole catalogue, one line a group. Each layer provides the stores that only its group needs. */
import * as Layer from "effect/Layer"
import { AuditApiLive } from "./audit/AuditApi.ts"
import * as BillingApi from "./billing/BillingApi.ts"
import { PricingApiLive } from "./billing/PricingApi.ts"
import { ChangeApprovalApiLive } from "./change-approval/ChangeApprovalApi.ts"
import { ExchangeApiLive } from "./exchange/ExchangeApi.ts"
import { FeesApiLive } from "./fees/FeesApi.ts"
import { GasWalletApiLive } from "./gas-wallet/GasWalletApi.ts"
import { KillSwitchApiLive } from "./gas-wallet/KillSwitchApi.ts"
import * as IndexBotApi from "./index-bot/IndexBotApi.ts"
import { IntentApiLive } from "./intent/IntentApi.ts"
import * as IntrospectionApi from "./introspection/IntrospectionApi.ts"
import { LendingApiLive } from "./lending/LendingApi.ts"
import { YieldsApiLive } from "./lending/YieldsApi.ts"
import { LiquidityApiLive } from "./liquidity/LiquidityApi.ts"
import { AuthorityApiLive } from "./manager/AuthorityApi.ts"
import { ManagerApiLive } from "./manager/ManagerApi.ts"
import { MarketDataApiLive } from "./market-data/MarketDataApi.ts"
import { TokenApiLive } from "./market-data/TokenApi.ts"
import { PerformanceApiLive } from "./performance/PerformanceApi.ts"
import { PerpetualApiLive } from "./perpetual/PerpetualApi.ts"
import type { ServerOptions } from "./ServerOptions.ts"
import { SignalApiLive } from "./signal/SignalApi.ts"
import { SubKeyApiLive } from "./gas-wallet/SubKeyApi.ts"
import { ThresholdBotApiLive } from "./threshold-bot/ThresholdBotApi.ts"
import { TradingApiLive } from "./trading/TradingApi.ts"
import { FollowerApiLive } from "./follower/FollowerApi.ts"
import { GuardianApiLive } from "./guardian/GuardianApi.ts"
import { StrategyApiLive } from "./strategy/StrategyApi.ts"
import { OrderApiLive } from "./vault-order/OrderApi.ts"
import { VaultApiLive } from "./vault/VaultApi.ts"
import { VaultGroupApiLive } from "./vault-group/VaultGroupApi.ts"
import { ChannelApiLive } from "./notification/ChannelApi.ts"
import { WebhookApiLive } from "./webhook/WebhookApi.ts"
import { WebhookTokenApiLive } from "./webhook/WebhookTokenApi.ts"

export const layer = ({ billing, version, waitSeconds }: ServerOptions) =>
  Layer.mergeAll(
    GasWalletApiLive,
    SubKeyApiLive,
    KillSwitchApiLive,
    VaultApiLive,
    PerformanceApiLive,
    TokenApiLive,
    TradingApiLive,
    VaultGroupApiLive,
    LendingApiLive,
    YieldsApiLive,
    LiquidityApiLive,
    PerpetualApiLive,
    FeesApiLive,
    ThresholdBotApiLive,
    IndexBotApi.layer(waitSeconds),
    OrderApiLive,
    GuardianApiLive,
    FollowerApiLive,
    StrategyApiLive,
    ExchangeApiLive,
    MarketDataApiLive,
    IntentApiLive,
    PricingApiLive,
    BillingApi.layer(new Set(billing?.exempt)),
    ManagerApiLive,
    AuditApiLive,
    AuthorityApiLive,
    ChangeApprovalApiLive,
    WebhookTokenApiLive,
    SignalApiLive,
    WebhookApiLive,
    ChannelApiLive,
    IntrospectionApi.layer(version)
  )
