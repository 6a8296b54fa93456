/** Every endpoint of the service: the single list from which documents, routes and tables are derived. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import { AuditApi } from "./audit/AuditApi.ts"
import { BillingApi } from "./billing/BillingApi.ts"
import { PricingApi } from "./billing/PricingApi.ts"
import { ChangeApprovalApi } from "./change-approval/ChangeApprovalApi.ts"
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
import { AuthorityApi } from "./manager/AuthorityApi.ts"
import { ManagerApi } from "./manager/ManagerApi.ts"
import { MarketDataApi } from "./market-data/MarketDataApi.ts"
import { TokenApi } from "./market-data/TokenApi.ts"
import { ChannelApi } from "./notification/ChannelApi.ts"
import { PerformanceApi } from "./performance/PerformanceApi.ts"
import { PerpetualApi } from "./perpetual/PerpetualApi.ts"
import { ThresholdBotApi } from "./threshold-bot/ThresholdBotApi.ts"
import { TradingApi } from "./trading/TradingApi.ts"
import { FollowerApi } from "./follower/FollowerApi.ts"
import { GuardianApi } from "./guardian/GuardianApi.ts"
import { StrategyApi } from "./strategy/StrategyApi.ts"
import { OrderApi } from "./vault-order/OrderApi.ts"
import { SubKeyApi } from "./gas-wallet/SubKeyApi.ts"
import { VaultApi } from "./vault/VaultApi.ts"
import { VaultGroupApi } from "./vault-group/VaultGroupApi.ts"
import { SignalApi } from "./signal/SignalApi.ts"
import { WebhookApi } from "./webhook/WebhookApi.ts"
import { WebhookTokenApi } from "./webhook/WebhookTokenApi.ts"
import * as Endpoint from "./endpoint/Endpoint.ts"

/** The groups by title, in the order of the documents. A new capability adds its group here. */
const groups = {
  "Gas wallets": GasWalletApi,
  "Kill switches": KillSwitchApi,
  Vaults: VaultApi,
  Performance: PerformanceApi,
  Tokens: TokenApi,
  Trading: TradingApi,
  "Vault groups": VaultGroupApi,
  Lending: LendingApi,
  Yields: YieldsApi,
  Liquidity: LiquidityApi,
  "Perpetual contracts": PerpetualApi,
  "Manager fees": FeesApi,
  "Threshold bots": ThresholdBotApi,
  "Index bots": IndexBotApi,
  Orders: OrderApi,
  Guardians: GuardianApi,
  Followers: FollowerApi,
  Strategies: StrategyApi,
  "Exchange accounts and their bots": ExchangeApi,
  "Market data": MarketDataApi,
  Intents: IntentApi,
  Prices: PricingApi,
  Charges: BillingApi,
  Managers: ManagerApi,
  "Audit log": AuditApi,
  Authority: AuthorityApi,
  "Sub-keys": SubKeyApi,
  Approvals: ChangeApprovalApi,
  "Chart alerts": WebhookTokenApi,
  Signals: SignalApi,
  Webhooks: WebhookApi,
  Notifications: ChannelApi,
  Introspection: IntrospectionApi
}

/** The merged group. */
export const Catalogue = RpcGroup.make().merge(...Object.values(groups))

/** The facts of every endpoint; dies at start-up if one was not declared with `Endpoint.make`. */
export const endpoints: ReadonlyArray<Endpoint.EndpointFacts> = Endpoint.factsOfGroup(Catalogue)

/** The facts of every endpoint by the title of its group. */
export const endpointsByTitle: Readonly<Record<string, ReadonlyArray<Endpoint.EndpointFacts>>> = Object.fromEntries(
  Object.entries(groups).map(([title, group]) => [
    title,
    endpoints.filter(({ name }) => group.requests.has(name))
  ])
)
