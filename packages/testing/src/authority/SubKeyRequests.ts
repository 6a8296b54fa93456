/** Sends the requests of the authority model that are about sub-keys. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as KeyLimits from "@vault-trader/core/gas-wallet/KeyLimits"
import * as Effect from "effect/Effect"
import { type By, type NetworkName, type Of, usdPerTrade } from "./AuthorityCommand.ts"
import { defined, keyOf, post, type Scene, type Wallet, walletOf } from "./AuthorityScene.ts"
import { AuthorityService } from "./AuthorityService.ts"

/** Returns the key, or the sub-key, that a request is made with. */
export const keyText = (wallet: Wallet, by: Extract<By, { readonly _tag: "key" | "subKey" }>) =>
  by._tag === "key" ? keyOf(wallet, by.key) : wallet.subKey

/** Trades by the wallet's sub-key, and plans the accepted trade as its vault's actor does. */
export const tradeBySubKey = (
  wallet: Wallet,
  terms: { readonly network: NetworkName; readonly pool: Address; readonly from: string; readonly to: string }
) =>
  Effect.gen(function*() {
    const { plan } = yield* AuthorityService
    // Each is a trade of its own, also while an identical one is open.
    const outcome = yield* post("/vaultTrade", { ...terms, amount: "1", duplicate: true, apiKey: wallet.subKey })
    if (!outcome.allowed) return outcome
    const isPlanned = yield* plan({
      intentId: String(outcome.response["intent_id"]),
      wallet: wallet.address,
      vaults: [KeyLimits.vaultId(terms.network, terms.pool)],
      usd18: BigInt(usdPerTrade) * 10n ** 18n
    })
    return { allowed: isPlanned, response: { ...outcome.response, isPlanned } }
  })

/** Makes a sub-key of a wallet. */
export const makeSubKey = (scene: Scene, { bounds, by, wallet: name }: Of<"makeSubKey">) =>
  Effect.gen(function*() {
    const wallet = walletOf(scene, name)
    const { usdPerDay, vaults } = bounds
    const outcome = yield* post(
      "/createSubKey",
      defined({
        apiKey: keyText(wallet, by),
        scopes: usdPerDay === null ? undefined : ["trade"],
        max_usd_per_day: usdPerDay === null ? undefined : String(usdPerDay),
        vaults: vaults?.map((network) => `${network}/${scene.pools[network]}`)
      })
    )
    if (outcome.allowed) wallet.subKey = String(outcome.response["apiKey"])
    return outcome
  })
