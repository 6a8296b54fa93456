/**
 * Handlers of the owner's kill switches. For the wallet that set a bot they read only the database, so they work
 * without nodes.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { Caller, Credential } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { KillSwitch, stoppedText } from "@vault-trader/core/gas-wallet/KillSwitch"
import { type Scope, walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { KillSwitchApi } from "@vault-trader/core/gas-wallet/KillSwitchApi"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { StrategyBotStore } from "@vault-trader/core/strategy/StrategyBotStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { FollowerStore } from "@vault-trader/core/follower/FollowerStore"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import { VaultOrderStore } from "@vault-trader/core/vault-order/VaultOrderStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Handlers from "../wire/Handlers.ts"
import { query } from "../gate/ActorCall.ts"
import { BotOwner } from "./BotOwner.ts"
import { BotScope } from "./BotScope.ts"
import { ResumeAuthority } from "./ResumeAuthority.ts"

const defaultReason = "by its owner"

export const KillSwitchApiLive = Handlers.layer(
  KillSwitchApi,
  Effect.gen(function*() {
    const switches = yield* KillSwitch
    const checkOwner = yield* BotOwner
    const mayResume = yield* ResumeAuthority
    const scopeOf = yield* BotScope

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
      pauseBot: ({ network, pair, pool, reason }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          yield* checkOwner(wallet, network, pool)
          return yield* pause(wallet, (yield* scopeOf({ network, pool, pair })).scope, reason)
        }),
      resumeBot: ({ network, pair, pool }) =>
        Effect.gen(function*() {
          const wallet = yield* mayResume(yield* Credential)
          yield* checkOwner(wallet, network, pool)
          const { name, scope } = yield* scopeOf({ network, pool, pair })
          return yield* resume(wallet, scope, name)
        }),
      pauseWallet: ({ reason }) => Effect.flatMap(Caller, ({ wallet }) => pause(wallet, walletScope(wallet), reason)),
      resumeWallet: () =>
        Effect.gen(function*() {
          const wallet = yield* mayResume(yield* Credential)
          return yield* resume(wallet, walletScope(wallet), "this wallet")
        })
    }
  })
).pipe(
  Layer.provide([
    KillSwitch.layer,
    ThresholdBotStore.layer,
    IndexBotStore.layer,
    VaultOrderStore.layer,
    GuardianStore.layer,
    FollowerStore.layer,
    StrategyBotStore.layer,
    ManagerStore.layer
  ])
)
