/** Handlers of the owner's kill switches. For the wallet that set a bot they ask the database alone, so that they work when no node does. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { botScope, KillSwitch, type Scope, stoppedText, walletScope } from "@vault-trader/core/gas-wallet/KillSwitch"
import { KillSwitchApi } from "@vault-trader/core/gas-wallet/KillSwitchApi"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import { TraderNow } from "../vault/TraderNow.ts"

const status = "success" as const
const standardReason = "by its owner"

export const KillSwitchApiLive = KillSwitchApi.toLayer(Effect.gen(function*() {
  const switches = yield* KillSwitch
  const bots = yield* ThresholdBotStore
  const indexes = yield* IndexBotStore
  const traderNow = yield* TraderNow

  /** The caller's wallet: it has set a bot of the vault, or is the vault's trader. */
  const ownerOf = (network: Network, pool: Address) =>
    Effect.gen(function*() {
      const { wallet } = yield* Caller
      const [threshold, index] = yield* query(Effect.all([bots.ofVault(network, pool), indexes.find(network, pool)]))
      const isOwner = threshold.some((bot) => bot.wallet === wallet) || Option.exists(index, (bot) => bot.wallet === wallet)
      if (isOwner) return wallet
      if (threshold.length === 0 && Option.isNone(index)) {
        return yield* new ValidationFailure({
          code: "1010",
          message: `pool: the wallet of this key has no bot at ${pool} on ${network}; a vault whose bots it has set is accepted`
        })
      }
      yield* traderNow({ network, pool }, wallet)
      return wallet
    })

  const on = (wallet: Address, scopes: ReadonlyArray<Scope>) => query(switches.on(["service", walletScope(wallet), ...scopes]))

  const paused = (wallet: Address, scope: Scope, reason = standardReason) =>
    Effect.gen(function*() {
      yield* query(switches.pauseAsOwner(scope, reason))
      const all = yield* on(wallet, [scope])
      return { status, message: `${stoppedText(all.find((each) => each.scope === scope) ?? { scope, reason })}.`, switches: all }
    })

  const resumed = (wallet: Address, scope: Scope, what: string) =>
    Effect.gen(function*() {
      const how = yield* query(switches.resumeAsOwner(scope))
      if (how === "operator") {
        return yield* new ValidationFailure({ code: "1010", message: `The service's operator has stopped ${what}; only the operator can let it go on.` })
      }
      const all = yield* on(wallet, [scope])
      const said = how === "resumed" ? `Not stopped any more: ${what}.` : `Was not stopped: ${what}.`
      return { status, message: [said, ...all.map((each) => `${stoppedText(each)}.`)].join(" "), switches: all }
    })

  return {
    pauseBot: ({ network, pool, reason }) => Effect.flatMap(ownerOf(network, pool), (wallet) => paused(wallet, botScope(network, pool), reason)),
    resumeBot: ({ network, pool }) => Effect.flatMap(ownerOf(network, pool), (wallet) => resumed(wallet, botScope(network, pool), "the bots of this vault")),
    pauseWallet: ({ reason }) => Effect.flatMap(Caller, ({ wallet }) => paused(wallet, walletScope(wallet), reason)),
    resumeWallet: () => Effect.flatMap(Caller, ({ wallet }) => resumed(wallet, walletScope(wallet), "this wallet"))
  }
}))
