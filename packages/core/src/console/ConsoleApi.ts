/** What the console asks of the gate. Most of it is the catalogue's own, on behalf of the manager who signed in. */
import * as Rpc from "@effect/rpc/Rpc"
import * as RpcGroup from "@effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { BillingApi } from "../billing/BillingApi.ts"
import { PricingApi } from "../billing/PricingApi.ts"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Platform } from "../chain/Platform.ts"
import { Failure } from "../endpoint/Failure.ts"
import * as Params from "../endpoint/Params.ts"
import { ExchangeApi } from "../exchange/ExchangeApi.ts"
import { GasWalletApi } from "../gas-wallet/GasWalletApi.ts"
import { KillSwitchApi, SwitchView } from "../gas-wallet/KillSwitchApi.ts"
import { IndexBotApi } from "../index-bot/IndexBotApi.ts"
import { IntentApi } from "../intent/IntentApi.ts"
import { LendingApi } from "../lending/LendingApi.ts"
import { ManagerApi } from "../manager/ManagerApi.ts"
import { ThresholdBotApi } from "../threshold-bot/ThresholdBotApi.ts"
import { TradingApi } from "../trading/TradingApi.ts"
import { VaultApi } from "../vault/VaultApi.ts"
import { WebhookTokenApi } from "../webhook/WebhookTokenApi.ts"
import { forManager, forWallet } from "./OnBehalf.ts"
import { SessionAdmission } from "./Session.ts"

/** Endpoints that act as a wallet of the manager's list. */
export const WalletCalls = forWallet(GasWalletApi, "linkGasWallet", "unlinkGasWallet", "getGasWalletPools").merge(
  forWallet(KillSwitchApi, "pauseBot", "resumeBot", "pauseWallet", "resumeWallet"),
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
  forWallet(BillingApi, "getCharges"),
  forWallet(IntentApi, "getIntent", "getIntents"),
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
const Secrets = Schema.Struct({ address: Address, privateKey: Schema.Redacted(Schema.String), apiKey: Schema.Redacted(Schema.String) })

/** What only the console asks. */
export class ConsoleCalls extends RpcGroup.make(
  /** Who is signed in, and what is served here. */
  Rpc.make("whoAmI", {
    success: Schema.Struct({ manager: Address, networks: Schema.Array(Network), protocol: Schema.String, version: Schema.String }),
    error: Failure
  }),
  /** A new gas wallet, in the manager's list from the start. */
  Rpc.make("createWallet", { payload: { label: Schema.NullOr(Params.Label) }, success: Secrets, error: Failure }),
  /** Puts the key's wallet into the list. The session proves the manager, so nothing is signed again. */
  Rpc.make("associateWallet", { payload: { apiKey: Schema.Redacted(Schema.String), label: Schema.NullOr(Params.Label) }, success: Address, error: Failure }),
  /** Names a wallet of the list. */
  Rpc.make("labelWallet", { payload: { wallet: Address, label: Params.Label }, error: Failure }),
  /** A new API key for a wallet of the list; the old one is dead at once. */
  Rpc.make("rotateKey", { payload: { wallet: Address }, success: Schema.Redacted(Schema.String), error: Failure }),
  /** The vault platform on a network, for who is going to make a vault there. */
  Rpc.make("platform", { payload: { network: Network }, success: Platform, error: Failure }),
  /** What is stopped of the manager's wallets and of the vaults whose bots they set, or the whole service. */
  Rpc.make("switches", { success: Schema.Array(SwitchView), error: Failure })
).middleware(SessionAdmission) {}

export const ConsoleApi = ConsoleCalls.merge(WalletCalls, ManagerCalls)
