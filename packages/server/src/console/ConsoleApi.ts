/** Handlers of the changes that only the console makes. */
import * as Audit from "@vault-trader/core/audit/Audit"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { Keyring } from "@vault-trader/core/gas-wallet/Keyring"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { type Scope, walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { ConsoleCalls } from "@vault-trader/core/console/ConsoleApi"
import { SignedIn } from "@vault-trader/core/console/Session"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ManagerStore, maxWallets } from "@vault-trader/core/manager/ManagerStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Handlers from "../wire/Handlers.ts"
import { write, query } from "../gate/ActorCall.ts"
import { KeyCache } from "../gate/KeyCache.ts"
import { RateLimit } from "../gate/RateLimit.ts"
import { BotOwner } from "../gas-wallet/BotOwner.ts"
import { BotScope } from "../gas-wallet/BotScope.ts"
import { Association } from "../manager/Association.ts"
import { ChangeNotifier } from "./ChangeNotifier.ts"
import { changeVoteCalls } from "./ChangeVoteCalls.ts"
import { mine } from "./SessionCalls.ts"
import { normalizedKey, signedActions } from "./SignedAction.ts"

const full = new ValidationFailure({
  code: "1010",
  message: `The list holds ${maxWallets} wallets, the maximum. Remove one first.`
})

const tooManyWallets = explain({ _tag: "TooManyWalletsCreated" }, "nothingAccepted")

/** Returns a keyring. Keyrings are stateless: a random name spreads them over the runners. */
const keyringOf = (keyrings: Effect.Success<typeof Keyring.client>) => keyrings(crypto.randomUUID().slice(0, 2))

const walletCalls = Handlers.part(
  ConsoleCalls,
  Effect.gen(function*() {
    const keyrings = yield* Keyring.client
    const keys = yield* ApiKeyStore
    const managers = yield* ManagerStore
    const associations = yield* Association
    const { notifyNow } = yield* ChangeNotifier
    const limiter = yield* RateLimit
    return {
      createWallet: ({ label }) =>
        Effect.gen(function*() {
          const session = yield* SignedIn
          // Checked before creation: a wallet in no list would be lost once the dialog with its secrets is closed.
          if ((yield* query(managers.walletsOf({ ...session, network: null }))).length >= maxWallets) {
            return yield* full
          }
          if (Option.isSome(yield* limiter.ofCreation("wallets", session.manager))) return yield* tooManyWallets
          const { address, apiKey, privateKey } = yield* write(
            keyringOf(keyrings).create({ actor: yield* Audit.Actor })
          )
          const caller = Option.getOrUndefined(yield* query(keys.activeOf(address)))
          if (caller === undefined) {
            return yield* new ValidationFailure({
              code: "1002",
              message: "The new wallet's key has already been revoked; create another wallet."
            })
          }
          yield* associations.enlist({ ...session, caller, label })
          yield* notifyNow
          return { address, apiKey, privateKey }
        }).pipe(Effect.uninterruptible),
      labelWallet: ({ label, wallet }) =>
        Effect.gen(function*() {
          const session = yield* SignedIn
          yield* mine(managers, session, wallet)
          yield* query(managers.rename(session, wallet, label))
          yield* notifyNow
        })
    }
  })
)

const signedCalls = Handlers.part(
  ConsoleCalls,
  Effect.gen(function*() {
    const keyrings = yield* Keyring.client
    const keyCache = yield* KeyCache
    const associations = yield* Association
    const switches = yield* KillSwitch
    const { notifyNow } = yield* ChangeNotifier
    const checkOwner = yield* BotOwner
    const scopeOf = yield* BotScope
    const { check, prepare } = yield* signedActions

    const resume = (scope: Scope, what: string) =>
      Effect.gen(function*() {
        const result = yield* query(switches.resumeAsOwner(scope))
        yield* notifyNow
        if (result === "operator") {
          return yield* new ValidationFailure({
            code: "1010",
            message: `The service's operator has stopped ${what}; only the operator can resume it.`
          })
        }
        return result === "resumed" ? `Resumed: ${what}.` : `Was not stopped: ${what}.`
      })

    return {
      toSign: prepare,
      associateWallet: ({ apiKey, label, privateKey, signature }) =>
        Effect.gen(function*() {
          const session = yield* SignedIn
          const { keyId = "", wallet } = yield* check(
            { action: "associateWallet", apiKey, label, privateKey },
            signature
          )
          const caller = { keyId, wallet }
          yield* associations.add({ ...session, caller, label, privateKey: normalizedKey(privateKey) })
          yield* notifyNow
          return wallet
        }),
      rotateKey: ({ signature, wallet }) =>
        Effect.gen(function*() {
          yield* check({ action: "rotateKey", wallet }, signature)
          const { manager } = yield* SignedIn
          // The transaction checks the list again: the wallet's owner may have removed the manager in the meantime.
          const { apiKey } = yield* write(keyringOf(keyrings).rotate({ wallet, manager, actor: yield* Audit.Actor }))
          yield* keyCache.forget(wallet)
          return apiKey
        }).pipe(Effect.uninterruptible),
      resumeWallet: ({ signature, wallet }) =>
        Effect.andThen(
          check({ action: "resumeWallet", wallet }, signature),
          resume(walletScope(wallet), "this wallet")
        ),
      resumeBot: ({ network, pair, pool, signature, wallet }) =>
        Effect.gen(function*() {
          yield* check({ action: "resumeBot", wallet, network, pool, pair }, signature)
          yield* checkOwner(wallet, network, pool)
          const { name, scope } = yield* scopeOf({ network, pool, pair })
          return yield* resume(scope, name)
        })
    }
  })
)

/** Handlers of the changes; they notify streams of the changed data immediately. */
export const ConsoleCallsLive = ConsoleCalls.toLayer(Effect.gen(function*() {
  return { ...(yield* walletCalls), ...(yield* signedCalls), ...(yield* changeVoteCalls) }
}))
