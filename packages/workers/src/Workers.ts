/** The actors and what they share. */
import type * as HttpClient from "@effect/platform/HttpClient"
import type { Sharding } from "@effect/cluster/Sharding"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkBook"
import type { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as Layer from "effect/Layer"
import { Prices } from "./billing/Prices.ts"
import { ChainLive } from "./chain/Chain.ts"
import { Chains, type WrongChain } from "./chain/Chains.ts"
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

/** Everything a runner hosts, on these networks and under this key-encryption key. */
export const layer = (options: {
  readonly books: ReadonlyArray<NetworkBook>
  readonly kek: Kek
  readonly rpcTimeoutMillis: number
}): Layer.Layer<never, WrongChain, Sharding | SqlClient.SqlClient | ApiKeyDigest | HttpClient.HttpClient> => {
  const stores = Layer.mergeAll(GasWalletStore.layer, ApiKeyStore.layer, SubmissionStore.layer, IntentStore.layer)
  const chains = Chains.layer(options.books, options.rpcTimeoutMillis)
  const shared = Layer.mergeAll(
    Signer.layer(options.kek).pipe(Layer.provide(GasWalletStore.layer)),
    Tokens.layer,
    Prices.layer,
    Actions.layer({ Trade, Approve }).pipe(Layer.provide(Tokens.layer))
  ).pipe(Layer.provideMerge(chains), Layer.provideMerge(stores))
  return Layer.mergeAll(GasWalletLive, VaultLive, ChainLive, KeyringLive, ReconcilerLive).pipe(Layer.provide(shared))
}
