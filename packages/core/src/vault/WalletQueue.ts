/**
 * The WalletQueue actor's protocol: one gas wallet's permissionless actions on one network, one at a time. Entity id:
 * `network/wallet`.
 */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Failure } from "../failure/Failure.ts"
import { idOf as walletIdOf } from "../gas-wallet/GasWallet.ts"
import { Outcome } from "../intent/Intent.ts"
import type { IntentQueue } from "../intent/IntentQueue.ts"
import { idOf, Vault } from "./Vault.ts"

export const WalletQueue = Entity.make("WalletQueue", [
  /** Executes an accepted intent, or waits for its outcome. Safe to repeat. */
  Rpc.make("execute", { payload: { intentId: Schema.String }, success: Outcome, error: Failure })
])

/** Returns a function that sends an intent to the actor that owns its queue. */
export const executor = Effect.gen(function*() {
  const vaults = yield* Vault.client
  const wallets = yield* WalletQueue.client
  return ({ address, network, of }: IntentQueue, intentId: string) =>
    of === "vault"
      ? vaults(idOf(network, address)).execute({ intentId })
      : wallets(walletIdOf(network, address)).execute({ intentId })
})
