/** The actors and their shared services. */
import type { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { VaultIndexStore } from "@vault-trader/core/manager/VaultIndexStore"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { ChargeStore } from "@vault-trader/core/billing/ChargeStore"
import { SettlementStore } from "@vault-trader/core/billing/SettlementStore"
import { GasLevelStore } from "@vault-trader/core/gas-wallet/GasLevelStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { NonceBaselineStore } from "@vault-trader/core/gas-wallet/NonceBaselineStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { WalletAlertStore } from "@vault-trader/core/gas-wallet/WalletAlertStore"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import { IndexLegStore } from "@vault-trader/core/intent/IndexLegStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { PlannedStepStore } from "@vault-trader/core/intent/PlannedStepStore"
import { PerpetualMoveStore } from "@vault-trader/core/perpetual/PerpetualMoveStore"
import { standardFloor } from "@vault-trader/core/lending/Lending"
import { CandleStore } from "@vault-trader/core/market-data/CandleStore"
import { RetentionStore } from "@vault-trader/core/storage/RetentionStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import { BotTurnStore } from "@vault-trader/core/intent/BotTurnStore"
import { VenueBanStore } from "@vault-trader/core/venue/VenueBanStore"
import { WebhookStore } from "@vault-trader/core/webhook/WebhookStore"
import type { Sharding } from "effect/cluster/Sharding"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import * as Prices from "./billing/Prices.ts"
import { PricingLive } from "./billing/Pricing.ts"
import * as Settlements from "./billing/Settlements.ts"
import { type Access as ExchangeAccess, Ccxt } from "./ccxt/Ccxt.ts"
import { ChainLive } from "./network/Chain.ts"
import type { Chains } from "./chain/Chains.ts"
import { Tokens } from "./chain/Tokens.ts"
import { CredentialsCipher } from "./exchange/CredentialsCipher.ts"
import { ExchangeAccountLive } from "./exchange/ExchangeAccount.ts"
import { ExchangeWatchLive, standardSeconds } from "./exchange/AccountScheduler.ts"
import { ManagedVaults } from "./manager/ManagedVaults.ts"
import { MintManagerFee } from "./fees/MintManagerFee.ts"
import { MintAllFeesByManager, MintManagerFeeBatch } from "./fees/MintManagerFees.ts"
import type { Kek } from "./gas-wallet/Envelope.ts"
import { GasWalletLive } from "./gas-wallet/GasWallet.ts"
import * as GasMonitor from "./gas-wallet/GasMonitor.ts"
import { KeyringLive } from "./gas-wallet/Keyring.ts"
import { KeyLimitCheck } from "./gas-wallet/KeyLimitCheck.ts"
import { Signer } from "./gas-wallet/Signer.ts"
import { SigningPolicy } from "./gas-wallet/SigningPolicy.ts"
import { WalletAlerts } from "./gas-wallet/WalletAlerts.ts"
import { IndexBotLive } from "./index-bot/IndexBot.ts"
import { IndexScheduleLive } from "./index-bot/IndexSchedule.ts"
import { LendersLive } from "./lending/Lenders.ts"
import { lendingActions } from "./lending/LendingActions.ts"
import { AddLiquidity } from "./liquidity/AddLiquidity.ts"
import { RemoveLiquidity } from "./liquidity/RemoveLiquidity.ts"
import { MarketLive } from "./market-data/Market.ts"
import * as Retention from "./storage/Retention.ts"
import { ThresholdBotLive } from "./threshold-bot/ThresholdBot.ts"
import { standardBotSeconds, WatchLive } from "./threshold-bot/BotScheduler.ts"
import { BotTrade } from "./threshold-bot/BotTrade.ts"
import { Approve } from "./approval/Approve.ts"
import { Trade } from "./trading/Trade.ts"
import { Actions } from "./vault/Actions.ts"
import * as HyperCoreInfo from "./perpetual/HyperCoreInfo.ts"
import { CancelPerpetualOrder } from "./perpetual/CancelOrder.ts"
import { Patience, standardLostSeconds } from "./perpetual/HyperCoreConfirmation.ts"
import { DepositToPerpetuals } from "./perpetual/Deposit.ts"
import { PerpetualsLive } from "./perpetual/Perpetuals.ts"
import { PlacePerpetualOrder } from "./perpetual/PlaceOrder.ts"
import { WithdrawFromPerpetuals } from "./perpetual/Withdraw.ts"
import { ReconcilerLive } from "./vault/Reconciler.ts"
import { VaultLive } from "./vault/Vault.ts"
import { WalletQueueLive } from "./vault/WalletQueue.ts"
import { DeliveryLive } from "./webhook/Delivery.ts"
import { WebhookLive } from "./webhook/Webhook.ts"
import * as AggregatorClient from "./venue/AggregatorClient.ts"

/** The action for each kind of request. */
export const actions = {
  ...{ Trade, Approve },
  ...lendingActions(standardFloor),
  BotTrade: BotTrade(standardFloor, standardBotSeconds),
  ...{ AddLiquidity, RemoveLiquidity },
  ...{ DepositToPerpetuals, PlacePerpetualOrder, CancelPerpetualOrder, WithdrawFromPerpetuals },
  ...{ MintManagerFee, MintManagerFeeBatch, MintAllFeesByManager }
}

/** Builds everything that a runner hosts, on the given chains and with this key-encryption key. */
export const layer = (options: {
  readonly kek: Kek
  readonly retention?: Retention.Policy
  /** Access to the venues' APIs; the public ones without keys by default. */
  readonly venues?: AggregatorClient.Access
  /** Access to HyperCore's info API. */
  readonly core?: HyperCoreInfo.Access
  /** Seconds after its block during which an action that HyperCore does not know may still take effect. */
  readonly lostSeconds?: number
  /** Minimum health factor, 18 decimals, after borrowing and unlending. */
  readonly healthFactorFloor?: bigint
  /** Seconds between two checks of a bot's vault. */
  readonly botSeconds?: number
  /** Prices of actions, and the wallets that are not charged. */
  readonly prices?: Prices.Options
  /** The treasuries that are paid for charges, and when; by default there are none. */
  readonly settlements?: Settlements.Policy
  /** Access to exchanges; by default at their own addresses. */
  readonly exchanges?: ExchangeAccess
  /** Seconds between two checks of an exchange account. */
  readonly exchangeSeconds?: number
  /** Allows webhooks to this machine itself, also by plain http: for tests. */
  readonly webhooksToLoopback?: boolean
  /** Threshold of low gas, and the funder that refills; a default policy if absent. */
  readonly gasWatch?: GasMonitor.Policy
}): Layer.Layer<never, never, Chains | Sharding | SqlClient.SqlClient | ApiKeyDigest> => {
  const settling = options.settlements ?? Settlements.standardPolicy
  const floor = options.healthFactorFloor ?? standardFloor
  const botSeconds = options.botSeconds ?? standardBotSeconds
  const table = { ...actions, ...lendingActions(floor), BotTrade: BotTrade(floor, botSeconds) }
  const stores = PlannedStepStore.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        GasWalletStore.layer,
        ApiKeyStore.layer,
        SubmissionStore.layer,
        IntentStore.layer,
        KeyLimitStore.layer,
        KillSwitch.layer
      )
    )
  )
  const venueApi = AggregatorClient.overFetch(options.venues ?? AggregatorClient.standard).pipe(
    Layer.provide(VenueBanStore.layer)
  )
  const coreInfo = HyperCoreInfo.overFetch(options.core ?? HyperCoreInfo.standard)
  const lostPolicy = Layer.succeed(Patience, { lostSeconds: options.lostSeconds ?? standardLostSeconds })
  const managedVaults = ManagedVaults.layer.pipe(Layer.provide(VaultIndexStore.layer))
  const shared = Layer.mergeAll(
    Signer.layer(options.kek).pipe(
      Layer.provide(GasWalletStore.layer),
      Layer.provideMerge(SigningPolicy.layer(table, settling.treasuries, options.gasWatch?.topUps))
    ),
    WalletAlerts.layer.pipe(Layer.provide(WalletAlertStore.layer)),
    Tokens.layer,
    Prices.Prices.layerOf(options.prices ?? Prices.standardOptions),
    Actions.layer(table).pipe(
      Layer.provide([
        Tokens.layer,
        venueApi,
        managedVaults,
        coreInfo,
        lostPolicy,
        PerpetualMoveStore.layer,
        ThresholdBotStore.layer
      ])
    ),
    KeyLimitCheck.layer(table, settling.treasuries).pipe(Layer.provide(KeyLimitStore.layer))
  ).pipe(Layer.provideMerge(stores))
  const retention = Retention.RetentionLive(options.retention ?? Retention.standard).pipe(
    Layer.provide(RetentionStore.layer)
  )
  const thresholdBots = Layer.merge(ThresholdBotLive(botSeconds), WatchLive({ seconds: botSeconds })).pipe(
    Layer.provide(BotTurnStore.layer),
    Layer.provide([ThresholdBotStore.layer, WaitingSettings.layer])
  )
  const indexBots = Layer.merge(IndexBotLive, IndexScheduleLive).pipe(
    Layer.provide(IndexLegStore.layer),
    Layer.provide([IndexBotStore.layer, IndexRunStore.layer])
  )
  const settlements = Settlements.SettlementsLive(settling).pipe(
    Layer.provide([ChargeStore.layer, SettlementStore.layer])
  )
  const exchanges = Layer.mergeAll(
    ExchangeAccountLive,
    ExchangeWatchLive(options.exchangeSeconds ?? standardSeconds),
    MarketLive
  ).pipe(
    Layer.provide([
      ExchangeStore.layer,
      ExchangeOrderStore.layer,
      CandleStore.layer,
      CredentialsCipher.layer(options.kek),
      Ccxt.layer(options.exchanges)
    ])
  )
  const webhookOptions = { kek: options.kek, loopback: options.webhooksToLoopback ?? false }
  const webhooks = Layer.merge(WebhookLive(webhookOptions), DeliveryLive(webhookOptions)).pipe(
    Layer.provide(WebhookStore.layer)
  )
  const gasWatch = GasMonitor.GasWatchLive(options.gasWatch ?? GasMonitor.standard).pipe(
    Layer.provide([GasLevelStore.layer, NonceBaselineStore.layer])
  )
  return Layer.mergeAll(
    GasWalletLive,
    VaultLive,
    WalletQueueLive,
    ChainLive.pipe(Layer.provide(managedVaults)),
    PricingLive,
    LendersLive,
    PerpetualsLive.pipe(Layer.provide(coreInfo)),
    KeyringLive,
    ReconcilerLive,
    retention,
    thresholdBots,
    indexBots,
    settlements,
    exchanges,
    webhooks,
    gasWatch
  ).pipe(Layer.provide(shared))
}
