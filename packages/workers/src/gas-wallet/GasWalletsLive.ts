/** The gas wallets: their actors and keys, and the jobs that check, refill and purge them. */
import * as Layer from "effect/Layer"
import * as GasMonitor from "./GasMonitor.ts"
import { GasWalletLive } from "./GasWallet.ts"
import { KeyringLive } from "./Keyring.ts"
import * as WalletPurge from "./WalletPurge.ts"

export const GasWalletsLive = Layer.mergeAll(GasWalletLive, KeyringLive, GasMonitor.layer, WalletPurge.layer)
