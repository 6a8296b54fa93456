/** The actors of a runner and the services that they share: one capability a line. */
import { IdleWait } from "./actor/IdleWait.ts"
import type { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import type { Sharding } from "effect/cluster/Sharding"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { actions, ActionsLive } from "./ActionTable.ts"
import { SignatureLoggerLive } from "./audit/SignatureLogger.ts"
import { AutomationLive } from "./AutomationLive.ts"
import { BillingLive } from "./billing/BillingLive.ts"
import { Prices } from "./billing/Prices.ts"
import type { Chains } from "./chain/Chains.ts"
import { ApprovedSettingsLive } from "./change-approval/ApprovedSettings.ts"
import * as ChangeApprovals from "./change-approval/ChangeApprovals.ts"
import { Tokens } from "./chain/Tokens.ts"
import { ExchangesLive } from "./exchange/ExchangesLive.ts"
import type { Kek } from "./gas-wallet/Envelope.ts"
import { GasWalletsLive } from "./gas-wallet/GasWalletsLive.ts"
import { SignerLive, type Signing, SigningLive } from "./gas-wallet/SigningLive.ts"
import type { SigningRecord } from "./gas-wallet/SigningRecord.ts"
import { LendersLive } from "./lending/Lenders.ts"
import { ManagedVaultsLive } from "./manager/ManagedVaults.ts"
import { ChainLive } from "./network/Chain.ts"
import { HyperCoreInfoLive } from "./perpetual/HyperCoreInfo.ts"
import { NotificationsLive } from "./notification/NotificationsLive.ts"
import { PerformanceLive } from "./performance/PerformanceLive.ts"
import { PerpetualsLive } from "./perpetual/Perpetuals.ts"
import * as Retention from "./storage/Retention.ts"
import { IntentStores } from "./vault/IntentStores.ts"
import { VaultsLive } from "./vault/VaultsLive.ts"
import { WebhooksLive } from "./webhook/WebhooksLive.ts"

type Requirements = Chains | Sharding | SqlClient | ApiKeyDigest | SigningRecord

/** Builds everything that a runner hosts. Each feature reads its own settings. `signing`: where not this process signs. */
export const layer = <E = never>(
  kek: Kek,
  signing: Signing<E> = SignerLive(kek, actions)
): Layer.Layer<never, E, Requirements> =>
  Layer.mergeAll(
    GasWalletsLive,
    VaultsLive,
    Layer.provide(ChainLive, ManagedVaultsLive),
    LendersLive,
    Layer.provide(PerpetualsLive, HyperCoreInfoLive),
    AutomationLive,
    PerformanceLive,
    ExchangesLive(kek),
    WebhooksLive(kek),
    NotificationsLive(kek),
    BillingLive,
    ChangeApprovals.layer,
    Retention.layer,
    SignatureLoggerLive
  ).pipe(
    Layer.provide([SigningLive(actions, signing), ActionsLive, Tokens.layer, Prices.layer, IdleWait.layer]),
    Layer.provide(IntentStores),
    Layer.provide(ApprovedSettingsLive)
  )
