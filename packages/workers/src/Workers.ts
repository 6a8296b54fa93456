/** The actors and what they share. */
import type { Sharding } from "@effect/cluster/Sharding"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { PlanLedger } from "@vault-trader/core/intent/PlanLedger"
import { RetentionStore } from "@vault-trader/core/storage/RetentionStore"
import * as Layer from "effect/Layer"
import { Prices } from "./billing/Prices.ts"
import { ChainLive } from "./chain/Chain.ts"
import type { Chains } from "./chain/Chains.ts"
import { Tokens } from "./chain/Tokens.ts"
import type { Kek } from "./gas-wallet/Envelope.ts"
import { GasWalletLive } from "./gas-wallet/GasWallet.ts"
import { KeyringLive } from "./gas-wallet/Keyring.ts"
import { Limits } from "./gas-wallet/Limits.ts"
import { Signer } from "./gas-wallet/Signer.ts"
import * as Retention from "./storage/Retention.ts"
import { Approve } from "./trading/Approve.ts"
import { Trade } from "./trading/Trade.ts"
import { Actions } from "./vault/Actions.ts"
import { ReconcilerLive } from "./vault/Reconciler.ts"
import { VaultLive } from "./vault/Vault.ts"

/** One action for every request. */
const actions = { Trade, Approve }

/** Everything a runner hosts, on the given chains and under this key-encryption key. */
export const layer = (options: {
  readonly kek: Kek
  readonly retention?: Retention.Policy
}): Layer.Layer<never, never, Chains | Sharding | SqlClient.SqlClient | ApiKeyDigest> => {
  const stores = PlanLedger.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(GasWalletStore.layer, ApiKeyStore.layer, SubmissionStore.layer, IntentStore.layer, KeyLimitStore.layer))
  )
  const shared = Layer.mergeAll(
    Signer.layer(options.kek).pipe(Layer.provide(GasWalletStore.layer)),
    Tokens.layer,
    Prices.layer,
    Actions.layer(actions).pipe(Layer.provide(Tokens.layer)),
    Limits.layer(actions).pipe(Layer.provide(KeyLimitStore.layer))
  ).pipe(Layer.provideMerge(stores))
  const retention = Retention.RetentionLive(options.retention ?? Retention.standard).pipe(Layer.provide(RetentionStore.layer))
  return Layer.mergeAll(GasWalletLive, VaultLive, ChainLive, KeyringLive, ReconcilerLive, retention).pipe(Layer.provide(shared))
}
