/** What the console asks of the gate. Most of it is the catalogue's own, on behalf of the manager who signed in. */
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { BillingApi } from "../billing/BillingApi.ts"
import { PricingApi } from "../billing/PricingApi.ts"
import { Address } from "../chain/Address.ts"
import { ManagedVault } from "../chain/ManagedVault.ts"
import { Network } from "../chain/Network.ts"
import { Platform } from "../chain/Platform.ts"
import { Failure } from "../failure/Failure.ts"
import * as Params from "../endpoint/Params.ts"
import { ExchangeApi } from "../exchange/ExchangeApi.ts"
import { GasWalletApi } from "../gas-wallet/GasWalletApi.ts"
import { KillSwitchApi, SwitchView } from "../gas-wallet/KillSwitchApi.ts"
import { IndexBotApi } from "../index-bot/IndexBotApi.ts"
import { ActivityEntry, activityFilters } from "../intent/Activity.ts"
import { IntentApi } from "../intent/IntentApi.ts"
import { LendingApi } from "../lending/LendingApi.ts"
import { ManagerApi } from "../manager/ManagerApi.ts"
import { MarketDataApi } from "../market-data/MarketDataApi.ts"
import { ThresholdBotApi } from "../threshold-bot/ThresholdBotApi.ts"
import { TradingApi } from "../trading/TradingApi.ts"
import { VaultApi } from "../vault/VaultApi.ts"
import { WebhookTokenApi } from "../webhook/WebhookTokenApi.ts"
import { live } from "./LiveStreams.ts"
import { forManager, forWallet } from "./SessionCalls.ts"
import { SessionAdmission } from "./Session.ts"

/** Endpoints that act as a wallet of the manager's list. */
export const WalletCalls = forWallet(GasWalletApi, "linkGasWallet", "unlinkGasWallet", "getGasWalletPools").merge(
  forWallet(KillSwitchApi, "pauseBot", "resumeBot", "pauseWallet"),
  forWallet(VaultApi, "isPoolTrader", "poolComposition"),
  forWallet(TradingApi, "approve", "vaultTrade"),
  forWallet(ThresholdBotApi, "setBot", "deleteBot", "getBotStatus"),
  forWallet(IndexBotApi, "setIndexBot", "getIndexBot", "getCurrentAllocations", "previewIndexBot", "rebalancePool", "disableIndexBot"),
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
  forWallet(LendingApi, "lenderAV3/getSupplied", "lenderAV3/getBorrowed", "lenderAV3/getPoolData"),
  forWallet(BillingApi, "getCharges", "getReport"),
  forWallet(IntentApi, "getIntent", "getIntents"),
  forWallet(MarketDataApi, "getCandles"),
  forWallet(WebhookTokenApi, "createWebhookToken", "getWebhookTokens", "revokeWebhookToken")
)

/** Endpoints that act as the manager. */
export const ManagerCalls = forManager(GasWalletApi, "getAllGasBalance").merge(
  forManager(ExchangeApi, "deleteCEXSubaccount"),
  forManager(PricingApi, "calculate-fee", "token-price"),
  forManager(ThresholdBotApi, "getAllBots"),
  forManager(ManagerApi, "getAssociatedGasWallets", "deassociateGasWallet")
)

/** A new wallet's secrets, in this answer and nowhere else. */
const Secrets = Schema.Struct({ address: Address, privateKey: Schema.RedactedFromValue(Schema.String), apiKey: Schema.RedactedFromValue(Schema.String) })

/** A vault that a wallet of the list is linked to; `is_trader` is null where the chain cannot be read. */
const Link = Schema.Struct({
  wallet: Address,
  label: Schema.NullOr(Schema.String),
  network: Network,
  pool: Address,
  protocol: Schema.String,
  is_trader: Schema.NullOr(Schema.Boolean),
  linked_at: Schema.String
})

/** Which of the activity. `text` is looked for in what each row says; `cursor` is the one of the page before. */
const About = {
  wallet: Schema.optional(Address),
  network: Schema.optional(Network),
  pool: Schema.optional(Address),
  status: Schema.optional(Schema.Literals(activityFilters)),
  action: Schema.optional(Schema.String.pipe(Schema.check(Schema.isMaxLength(64)))),
  text: Schema.optional(Schema.String.pipe(Schema.check(Schema.isMaxLength(100)))),
  cursor: Schema.optional(Schema.String.check(Schema.isUUID())),
  limit: Schema.Int.pipe(Schema.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
}

/** What only the console asks, and changes nothing. */
export class ConsoleReads extends RpcGroup.make(
  /** Who is signed in, and what is served here. `explorers`: where a network's transactions are looked up; chains of one's own have no such place. */
  Rpc.make("whoAmI", {
    success: Schema.Struct({
      manager: Address,
      /** Where a manager who is a contract wallet signed in, and acts; null for an account. */
      network: Schema.NullOr(Network),
      networks: Schema.Array(Network),
      explorers: Schema.Record(Schema.String, Schema.String),
      protocol: Schema.String,
      version: Schema.String
    }),
    error: Failure
  }),
  /** The vault platform on a network, for who is going to make a vault there. */
  Rpc.make("platform", { payload: { network: Network }, success: Platform, error: Failure }),
  /** What is stopped of the manager's wallets and of the vaults whose bots they set, or the whole service. */
  Rpc.make("switches", { success: Schema.Array(SwitchView), error: Failure }),
  /** The vaults that the manager manages on chain, whoever trades them; null where a network cannot be read. */
  Rpc.make("managedVaults", {
    success: Schema.Array(Schema.Struct({ network: Network, vaults: Schema.NullOr(Schema.Array(ManagedVault)) })),
    error: Failure
  }),
  /** The vaults that the manager's wallets are linked to. */
  Rpc.make("links", { success: Schema.Array(Link), error: Failure }),
  /** What was asked for the manager's wallets and what came of it, newest first. */
  Rpc.make("activity", {
    payload: About,
    success: Schema.Struct({ entries: Schema.Array(ActivityEntry), cursor: Schema.NullOr(Schema.String) }),
    error: Failure
  }),
  /** The last rebalances of a vault's index, oldest first: what it was worth in USD, and what had to be traded to be on target again. */
  Rpc.make("runs", {
    payload: { wallet: Address, network: Network, pool: Address },
    success: Schema.Array(Schema.Struct({ at: Schema.String, paper: Schema.Boolean, total_usd: Schema.Number, trade_usd: Schema.Number })),
    error: Failure
  })
).middleware(SessionAdmission) {}

/** Actions that a cookie does not suffice for: the manager's wallet signs each of them. */
export const signedActions = ["rotateKey", "resumeWallet"] as const
export type SignedAction = typeof signedActions[number]

/** What only the console does. */
export class ConsoleCalls extends RpcGroup.make(
  /** A new gas wallet, in the manager's list from the start. */
  Rpc.make("createWallet", { payload: { label: Schema.NullOr(Params.Label) }, success: Secrets, error: Failure }),
  /** Puts the key's wallet into the list. The session proves the manager; a wallet that is not new takes its private key, or a manager of its vaults. */
  Rpc.make("associateWallet", {
    payload: { apiKey: Schema.RedactedFromValue(Schema.String), privateKey: Schema.NullOr(Schema.RedactedFromValue(Schema.String)), label: Schema.NullOr(Params.Label) },
    success: Address,
    error: Failure
  }),
  /** Names a wallet of the list. */
  Rpc.make("labelWallet", { payload: { wallet: Address, label: Params.Label }, error: Failure }),
  /** What the manager's wallet signs before an action that a session alone does not suffice for. */
  Rpc.make("toSign", {
    payload: { action: Schema.Literals(signedActions), wallet: Address },
    success: Schema.Struct({ typedData: Schema.Unknown, prefix: Schema.String }),
    error: Failure
  }),
  /** A new API key for a wallet of the list; the old one is dead at once. `signature`: the manager's, over what `toSign` answers. */
  Rpc.make("rotateKey", { payload: { wallet: Address, signature: Schema.RedactedFromValue(Schema.String) }, success: Schema.RedactedFromValue(Schema.String), error: Failure }),
  /** Lets a stopped wallet of the list go on. `signature`: as for `rotateKey`. */
  Rpc.make("resumeWallet", { payload: { wallet: Address, signature: Schema.RedactedFromValue(Schema.String) }, success: Schema.String, error: Failure })
).middleware(SessionAdmission) {}

/** Calls among which those that only look have a stream. */
export const Reads = ConsoleReads.merge(WalletCalls, ManagerCalls)
export const LiveCalls = live(Reads)

export const ConsoleApi = ConsoleCalls.merge(Reads, LiveCalls)
