/**
 * Handlers of the owner's kill switches. For the wallet that set a bot they read only the database, so they work
 * without nodes.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { botScope, KillSwitch, type Scope, stoppedText, walletScope } from "@vault-trader/core/gas-wallet/KillSwitch"
import { KillSwitchApi } from "@vault-trader/core/gas-wallet/KillSwitchApi"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Handlers from "../wire/Handlers.ts"
import { query } from "../gate/ActorCall.ts"
import { TraderNow } from "../vault/TraderNow.ts"

const defaultReason = "by its owner"

export const KillSwitchApiLive = Handlers.layer(
  KillSwitchApi,
  Effect.gen(function*() {
    const switches = yield* KillSwitch
    const bots = yield* ThresholdBotStore
    const indexes = yield* IndexBotStore
    const traderNow = yield* TraderNow

    /** Returns the caller's wallet if it set a bot of the vault or is the vault's trader. */
    const ownerOf = (network: Network, pool: Address) =>
      Effect.gen(function*() {
        const { wallet } = yield* Caller
        const [threshold, index] = yield* query(Effect.all([bots.ofVault(network, pool), indexes.find(network, pool)]))
        const isOwner = threshold.some((bot) => bot.wallet === wallet) ||
          Option.exists(index, (bot) => bot.wallet === wallet)
        if (isOwner) return wallet
        if (threshold.length === 0 && Option.isNone(index)) {
          return yield* new ValidationFailure({
            code: "1010",
            message:
              `pool: the wallet of this key has no bot at ${pool} on ${network}; use the key of the wallet that set the vault's bots`
          })
        }
        yield* traderNow({ network, pool }, wallet)
        return wallet
      })

    const activeSwitches = (wallet: Address, scopes: ReadonlyArray<Scope>) =>
      query(switches.on(["service", walletScope(wallet), ...scopes]))

    const pause = (wallet: Address, scope: Scope, reason = defaultReason) =>
      Effect.gen(function*() {
        yield* query(switches.pauseAsOwner(scope, reason))
        const all = yield* activeSwitches(wallet, [scope])
        return {
          message: `${stoppedText(all.find((each) => each.scope === scope) ?? { scope, reason })}.`,
          switches: all
        }
      })

    const resume = (wallet: Address, scope: Scope, what: string) =>
      Effect.gen(function*() {
        const result = yield* query(switches.resumeAsOwner(scope))
        if (result === "operator") {
          return yield* new ValidationFailure({
            code: "1010",
            message: `The service's operator has stopped ${what}; only the operator can resume it.`
          })
        }
        const all = yield* activeSwitches(wallet, [scope])
        const outcome = result === "resumed" ? `Resumed: ${what}.` : `Was not stopped: ${what}.`
        return { message: [outcome, ...all.map((each) => `${stoppedText(each)}.`)].join(" "), switches: all }
      })

    return {
      pauseBot: ({ network, pool, reason }) =>
        Effect.flatMap(ownerOf(network, pool), (wallet) => pause(wallet, botScope(network, pool), reason)),
      resumeBot: ({ network, pool }) =>
        Effect.flatMap(
          ownerOf(network, pool),
          (wallet) => resume(wallet, botScope(network, pool), "the bots of this vault")
        ),
      pauseWallet: ({ reason }) => Effect.flatMap(Caller, ({ wallet }) => pause(wallet, walletScope(wallet), reason)),
      resumeWallet: () => Effect.flatMap(Caller, ({ wallet }) => resume(wallet, walletScope(wallet), "this wallet"))
    }
  })
).pipe(
  Layer.provide([KillSwitch.layer, ThresholdBotStore.layer, IndexBotStore.layer])
)
