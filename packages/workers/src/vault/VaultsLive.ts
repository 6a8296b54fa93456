/** The actors of vaults and of wallets' queues, and the reconciler that wakes them. */
import * as Layer from "effect/Layer"
import { ReconcilerLive } from "./Reconciler.ts"
import { VaultLive } from "./Vault.ts"
import { WalletQueueLive } from "./WalletQueue.ts"

export const VaultsLive = Layer.mergeAll(VaultLive, WalletQueueLive, ReconcilerLive)
