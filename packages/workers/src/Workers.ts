/** The actors and what they share. */
import type { Sharding } from "@effect/cluster/Sharding"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as Layer from "effect/Layer"
import { Prices } from "./billing/Prices.ts"
import { ChainLive } from "./chain/Chain.ts"
import type { Chains } from "./chain/Chains.ts"
import { Tokens } from "./chain/Tokens.ts"
import type { Kek } from "./gas-wallet/Envelope.ts"
import { GasWalletLive } from "./gas-wallet/GasWallet.ts"
import { KeyringLive } from "./gas-wallet/Keyring.ts"
import { Signer } from "./gas-wallet/Signer.ts"
import { Approve } from "./trading/Approve.ts"
import { Trade } from "./trading/Trade.ts"
import { Actions } from "./vault/Actions.ts"
import { ReconcilerLive } from "./vault/Reconciler.ts"
import { VaultLive } from "./vault/Vault.ts"

/** Everything a runner hosts, on the given chains and under this key-encryption key. */
export const layer = (options: {
  readonly kek: Kek
}): Layer.Layer<never, never, Chains | Sharding | SqlClient.SqlClient | ApiKeyDigest> => {
  const stores = Layer.mergeAll(GasWalletStore.layer, ApiKeyStore.layer, SubmissionStore.layer, IntentStore.layer)
  const shared = Layer.mergeAll(
    Signer.layer(options.kek).pipe(Layer.provide(GasWalletStore.layer)),
    Tokens.layer,
    Prices.layer,
    Actions.layer({ Trade, Approve }).pipe(Layer.provide(Tokens.layer))
  ).pipe(Layer.provideMerge(stores))
  return Layer.mergeAll(GasWalletLive, VaultLive, ChainLive, KeyringLive, ReconcilerLive).pipe(Layer.provide(shared))
}
