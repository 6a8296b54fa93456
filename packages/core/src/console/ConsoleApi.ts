/** The console's API. Most calls are endpoints of the catalogue, made on behalf of the manager who signed in. */
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { AuditApi } from "../audit/AuditApi.ts"
import { BillingApi } from "../billing/BillingApi.ts"
import { PricingApi } from "../billing/PricingApi.ts"
import { Address } from "../chain/Address.ts"
import { ChangeApprovalApi } from "../change-approval/ChangeApprovalApi.ts"
import { Verdict } from "../change-approval/ChangeVote.ts"
import { ManagedVault, Platform } from "../network/Chain.ts"
import { Network } from "../chain/Network.ts"
import { Failure } from "../failure/Failure.ts"
import * as Params from "../endpoint/Params.ts"
import { ExchangeApi } from "../exchange/ExchangeApi.ts"
import { FeesApi } from "../fees/FeesApi.ts"
import { FollowerApi } from "../follower/FollowerApi.ts"
import { GasWalletApi, NetworkBalance } from "../gas-wallet/GasWalletApi.ts"
import { KillSwitchApi, SwitchView } from "../gas-wallet/KillSwitchApi.ts"
import { SubKeyApi } from "../gas-wallet/SubKeyApi.ts"
import { GuardianApi } from "../guardian/GuardianApi.ts"
import { IndexBotApi } from "../index-bot/IndexBotApi.ts"
import { ActivityEntry, activityFilters } from "../intent/Activity.ts"
import { IntentApi } from "../intent/IntentApi.ts"
import { LendingApi } from "../lending/LendingApi.ts"
import { YieldsApi } from "../lending/YieldsApi.ts"
import { LiquidityApi } from "../liquidity/LiquidityApi.ts"
import { AuthorityApi } from "../manager/AuthorityApi.ts"
import { ManagerApi } from "../manager/ManagerApi.ts"
import { MarketDataApi } from "../market-data/MarketDataApi.ts"
import { ChannelApi } from "../notification/ChannelApi.ts"
import { Portfolio, Range } from "../performance/Performance.ts"
import { PerformanceApi } from "../performance/PerformanceApi.ts"
import { PerpetualApi } from "../perpetual/PerpetualApi.ts"
import { SignalApi } from "../signal/SignalApi.ts"
import { StrategyApi } from "../strategy/StrategyApi.ts"
import { Pair } from "../endpoint/Pair.ts"
import { ThresholdBotApi } from "../threshold-bot/ThresholdBotApi.ts"
import { TradingApi } from "../trading/TradingApi.ts"
import { VaultApi } from "../vault/VaultApi.ts"
import { OrderApi } from "../vault-order/OrderApi.ts"
import { OrderView } from "../vault-order/OrderView.ts"
import { WebhookApi } from "../webhook/WebhookApi.ts"
import { WebhookTokenApi } from "../webhook/WebhookTokenApi.ts"
import { live } from "./LiveStreams.ts"
import { forManager, forSigned, forWallet } from "./SessionCalls.ts"
import { SessionAdmission } from "./Session.ts"
import { ToSign } from "./SignedAction.ts"

/** Endpoints that act as a wallet of the manager's list. */
export const WalletCalls = forWallet(GasWalletApi, "linkGasWallet", "unlinkGasWallet", "getGasWalletPools").merge(
  forWallet(KillSwitchApi, "pauseBot", "pauseWallet"),
  forWallet(VaultApi, "isPoolTrader", "poolComposition"),
  forWallet(PerformanceApi, "getPerformance", "getTaxLots", "getTearsheet"),
  forWallet(TradingApi, "approve", "vaultTrade"),
  forWallet(OrderApi, "placeOrder", "amendOrder", "cancelOrder", "getOrders", "getOrder"),
  forWallet(FeesApi, "mintManagerFee"),
  forWallet(ThresholdBotApi, "setBot", "deleteBot", "getBotStatus"),
  forWallet(
    IndexBotApi,
    "setIndexBot",
    "getIndexBot",
    "getCurrentAllocations",
    "previewIndexBot",
    "rebalancePool",
    "disableIndexBot"
  ),
  forWallet(
    ExchangeApi,
    "registerCEXSubaccount",
    "setCEXSide",
    "setCEXStrategy",
    "deactivateCEXBot",
    "deleteCEXBot",
    "getAllCEXSubaccounts",
    "getCEXOrders"
  ),
  forWallet(
    LendingApi,
    "lend",
    "unlend",
    "borrow",
    "repay",
    "lenderAV3/getSupplied",
    "lenderAV3/getBorrowed",
    "lenderAV3/getPoolData"
  ),
  forWallet(YieldsApi, "getAllYields", "getEstimatedAnualYield"),
  forWallet(
    LiquidityApi,
    "addLiquidity",
    "removeLiquidity",
    "collectFees",
    "stakeLiquidity",
    "unstakeLiquidity",
    "claimRewards"
  ),
  forWallet(
    PerpetualApi,
    "depositToPerpetuals",
    "withdrawFromPerpetuals",
    "placePerpetualOrder",
    "cancelPerpetualOrder",
    "getPerpetualPositions",
    "getPerpetualOrders",
    "getPerpetualMarkets"
  ),
  forWallet(BillingApi, "getCharges", "getReport"),
  forWallet(IntentApi, "getIntent", "getIntents"),
  forWallet(AuthorityApi, "getWalletAuthority"),
  forWallet(MarketDataApi, "getCandles"),
  forWallet(WebhookTokenApi, "createWebhookToken", "getWebhookTokens", "revokeWebhookToken", "setWebhookToken"),
  forWallet(SignalApi, "getSignals", "replaySignal"),
  forWallet(GuardianApi, "setGuardian", "getGuardians", "resetGuardian", "deleteGuardian"),
  forWallet(FollowerApi, "setFollower", "getFollowers", "removeFollower"),
  forWallet(StrategyApi, "getStrategies", "setStrategyBot", "getStrategyBots", "deleteStrategyBot"),
  forWallet(SubKeyApi, "getSubKeys", "revokeSubKey")
)

/** Endpoints that act as the manager. */
export const ManagerCalls = forManager(AuditApi, "getAuditLog").merge(
  forManager(ChangeApprovalApi, "getApprovals"),
  forManager(
    ChannelApi,
    "createChannel",
    "updateChannel",
    "deleteChannel",
    "testChannel",
    "getChannels",
    "getChannelMessages"
  ),
  forManager(ExchangeApi, "deleteCEXSubaccount"),
  forManager(PricingApi, "calculate-fee", "token-price"),
  forManager(ThresholdBotApi, "getAllBots"),
  forManager(ManagerApi, "getAssociatedGasWallets", "deassociateGasWallet"),
  forManager(WebhookApi, "setWebhook", "deleteWebhook", "getWebhooks", "getWebhookDeliveries")
)

/**
 * Endpoints for which the session is not enough: the manager's wallet signs each call. What they make or allow outlives
 * the session.
 */
export const SignedCalls = forSigned(SubKeyApi, "createSubKey").merge(forSigned(ManagerApi, "setKeyLimits"))

/** A new wallet's secrets, returned in this response and nowhere else. */
const Secrets = Schema.Struct({
  address: Address,
  privateKey: Schema.RedactedFromValue(Schema.String),
  apiKey: Schema.RedactedFromValue(Schema.String)
})

/** A vault linked to a wallet of the list; `is_trader` is null when the chain cannot be read. */
const Link = Schema.Struct({
  wallet: Address,
  label: Schema.NullOr(Schema.String),
  network: Network,
  pool: Address,
  protocol: Schema.String,
  is_trader: Schema.NullOr(Schema.Boolean),
  linked_at: Schema.String
})

/** Filters of the activity. `text` is searched for in each row's text; `cursor` is that of the previous page. */
const ActivityQuery = {
  wallet: Schema.optional(Address),
  network: Schema.optional(Network),
  pool: Schema.optional(Address),
  status: Schema.optional(Schema.Literals(activityFilters)),
  action: Schema.optional(Schema.String.pipe(Schema.check(Schema.isMaxLength(64)))),
  text: Schema.optional(Schema.String.pipe(Schema.check(Schema.isMaxLength(100)))),
  cursor: Schema.optional(Schema.String.check(Schema.isUUID())),
  limit: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
}

/** Which orders are listed. `all` includes those that have ended; `cursor` is that of the previous page. */
const OrdersQuery = {
  wallet: Schema.optional(Address),
  all: Schema.optional(Schema.Boolean),
  cursor: Schema.optional(Schema.String.check(Schema.isUUID())),
  limit: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 200 })))
}

/** Read-only calls that only the console makes. */
export class ConsoleReads extends RpcGroup.make(
  /**
   * Returns the signed-in manager and what this service serves. `explorers` are the networks' block explorers; private
   * chains have none.
   */
  Rpc.make("whoAmI", {
    success: Schema.Struct({
      manager: Address,
      /** The network on which a contract wallet signed in and acts; null for an account. */
      network: Schema.NullOr(Network),
      networks: Schema.Array(Network),
      explorers: Schema.Record(Schema.String, Schema.String),
      protocol: Schema.String,
      version: Schema.String,
      /** True on the devnet, whose console also has the style page. */
      devnet: Schema.Boolean
    }),
    error: Failure
  }),
  /** Reads the vault platform on a network, for a manager about to create a vault there. */
  Rpc.make("platform", { payload: { network: Network }, success: Platform, error: Failure }),
  /**
   * Lists the kill switches that are on: of the manager's wallets, of the vaults whose bots they set, and of the whole
   * service.
   */
  Rpc.make("switches", { success: Schema.Array(SwitchView), error: Failure }),
  /** Reads what the gas wallets of the manager's list have on one network: a dead one delays no other. */
  Rpc.make("gasBalances", {
    payload: { network: Network },
    success: Schema.Array(Schema.Struct({ ...NetworkBalance.fields, label: Schema.NullOr(Schema.String) })),
    error: Failure
  }),
  /**
   * Lists the vaults that the manager manages on chain, whatever their trader; null for a network that cannot be read.
   */
  Rpc.make("managedVaults", {
    payload: { network: Schema.optional(Network) },
    success: Schema.Array(Schema.Struct({ network: Network, vaults: Schema.NullOr(Schema.Array(ManagedVault)) })),
    error: Failure
  }),
  /** Lists the vaults that the manager's wallets are linked to. */
  Rpc.make("links", {
    payload: { network: Schema.optional(Network) },
    success: Schema.Array(Link),
    error: Failure
  }),
  /** Lists the requests for the manager's wallets with their outcomes, newest first. */
  Rpc.make("activity", {
    payload: ActivityQuery,
    success: Schema.Struct({ entries: Schema.Array(ActivityEntry), cursor: Schema.NullOr(Schema.String) }),
    error: Failure
  }),
  /** Sums the vaults that the manager's wallets, or one of them, are linked to: value, profit, and the curve of both. */
  Rpc.make("portfolio", {
    payload: { wallet: Schema.optional(Address), range: Range },
    success: Portfolio,
    error: Failure
  }),
  /** Lists the orders that the manager's wallets have placed, at all vaults, newest first. */
  Rpc.make("orders", {
    payload: OrdersQuery,
    success: Schema.Struct({ orders: Schema.Array(OrderView), cursor: Schema.NullOr(Schema.String) }),
    error: Failure
  }),
  /**
   * Lists the last rebalances of a vault's index, oldest first, with its value and the amount to trade to reach the
   * targets, both in USD.
   */
  Rpc.make("runs", {
    payload: { wallet: Address, network: Network, pool: Address },
    success: Schema.Array(
      Schema.Struct({ at: Schema.String, paper: Schema.Boolean, total_usd: Schema.Number, trade_usd: Schema.Number })
    ),
    error: Failure
  })
).middleware(SessionAdmission) {}

/** The manager's signature over the result of `toSign`. */
const signature = Schema.RedactedFromValue(Schema.String)

/** Changes that only the console makes. */
export class ConsoleCalls extends RpcGroup.make(
  /** Creates a gas wallet and adds it to the manager's list. */
  Rpc.make("createWallet", { payload: { label: Schema.NullOr(Params.Label) }, success: Secrets, error: Failure }),
  /**
   * Adds the key's wallet to the list. `signature` is the manager's, over the result of `toSign`. A wallet that is not
   * new also requires its private key, unless the manager manages every vault it trades.
   */
  Rpc.make("associateWallet", {
    payload: {
      apiKey: Schema.RedactedFromValue(Schema.String),
      privateKey: Schema.NullOr(Schema.RedactedFromValue(Schema.String)),
      label: Schema.NullOr(Params.Label),
      signature
    },
    success: Address,
    error: Failure
  }),
  /** Sets the label of a wallet of the list. */
  Rpc.make("labelWallet", { payload: { wallet: Address, label: Params.Label }, error: Failure }),
  /** Prepares the typed data that the manager's wallet signs for an action, with all its parameters. */
  Rpc.make("toSign", {
    payload: ToSign,
    success: Schema.Struct({ typedData: Schema.Unknown, prefix: Schema.String }),
    error: Failure
  }),
  /**
   * Issues a new API key for a wallet of the list and revokes the old one at once. `signature` is the manager's, over
   * the result of `toSign`.
   */
  Rpc.make("rotateKey", {
    payload: { wallet: Address, signature },
    success: Schema.RedactedFromValue(Schema.String),
    error: Failure
  }),
  /** Prepares the typed data of a manager's vote on a change; `change` is the sentence that the manager read. */
  Rpc.make("voteToSign", {
    payload: { request: Schema.String.check(Schema.isUUID()), change: Schema.String, verdict: Verdict },
    success: Schema.Struct({ typedData: Schema.Unknown, prefix: Schema.String }),
    error: Failure
  }),
  /** Records a manager's vote on a change. `signature` is the manager's, over the result of `voteToSign`. */
  Rpc.make("voteOnChange", {
    payload: {
      request: Schema.String.check(Schema.isUUID()),
      change: Schema.String,
      verdict: Verdict,
      signature: Schema.RedactedFromValue(Schema.String)
    },
    success: Schema.String,
    error: Failure
  }),
  /** Resumes a stopped wallet of the list. `signature`: as for `rotateKey`. */
  Rpc.make("resumeWallet", {
    payload: { wallet: Address, signature },
    success: Schema.String,
    error: Failure
  }),
  /**
   * Resumes the bots of a vault, or the one of a pair, on behalf of a wallet of the list. `signature`: as for
   * `rotateKey`.
   */
  Rpc.make("resumeBot", {
    payload: { wallet: Address, network: Network, pool: Address, pair: Schema.optional(Pair), signature },
    success: Schema.String,
    error: Failure
  })
).middleware(SessionAdmission) {}

/** The calls from which streams are derived; only the read-only ones have a stream. */
export const Reads = ConsoleReads.merge(WalletCalls, ManagerCalls)
export const LiveCalls = live(Reads)

export const ConsoleApi = ConsoleCalls.merge(SignedCalls, Reads, LiveCalls)
