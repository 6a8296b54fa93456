/** Handlers of the calls that only the console makes. */
import * as Audit from "@vault-trader/core/audit/Audit"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { Keyring } from "@vault-trader/core/gas-wallet/Keyring"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { botScope, type Scope, wideScopeOf, walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { Chain } from "@vault-trader/core/network/Chain"
import { ConsoleCalls, ConsoleReads } from "@vault-trader/core/console/ConsoleApi"
import { SignedIn } from "@vault-trader/core/console/Session"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { usd } from "@vault-trader/core/chain/Quantity"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import { ActivityStore } from "@vault-trader/core/intent/ActivityStore"
import { ManagerStore, maxWallets } from "@vault-trader/core/manager/ManagerStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Handlers from "../wire/Handlers.ts"
import { read, write, query } from "../gate/ActorCall.ts"
import { Directory, networkNotServed } from "../gate/ServedNetworks.ts"
import { KeyCache } from "../gate/KeyCache.ts"
import { RateLimit } from "../gate/RateLimit.ts"
import { BotOwner } from "../gas-wallet/BotOwner.ts"
import { BotScope } from "../gas-wallet/BotScope.ts"
import { gasBalances } from "../gas-wallet/GasBalances.ts"
import { LinkedVaults } from "../gas-wallet/LinkedVaults.ts"
import { Association } from "../manager/Association.ts"
import { ChangeNotifier } from "./ChangeNotifier.ts"
import { changeVoteCalls } from "./ChangeVoteCalls.ts"
import { orderReads, walletsAsked } from "./OrderReads.ts"
import { portfolioReads } from "./PortfolioReads.ts"
import { mine } from "./SessionCalls.ts"
import { normalizedKey, signedActions } from "./SignedAction.ts"

const full = new ValidationFailure({
  code: "1010",
  message: `The list holds ${maxWallets} wallets, the maximum. Remove one first.`
})

const tooManyWallets = explain({ _tag: "TooManyWalletsCreated" }, "nothingAccepted")

/** Returns a keyring. Keyrings are stateless: a random name spreads them over the runners. */
const keyringOf = (keyrings: Effect.Success<typeof Keyring.client>) => keyrings(crypto.randomUUID().slice(0, 2))

/** Maximum number of rebalances on a chart. */
const maxRuns = 500

const serviceReads = (version: string, devnet: boolean) =>
  Handlers.part(
    ConsoleReads,
    Effect.gen(function*() {
      const chains = yield* Chain.client
      const directory = yield* Directory
      const { explorers = {}, networks, protocols } = directory
      return {
        whoAmI: () =>
          Effect.map(
            SignedIn,
            ({ manager, network }) => ({
              ...{ manager, network, networks, explorers, protocol: protocols[0] ?? "", version, devnet }
            })
          ),
        platform: ({ network }) =>
          networks.includes(network) ? read(chains(network).platform()) : networkNotServed(directory, network),
        managedVaults: ({ network: asked }) =>
          Effect.flatMap(SignedIn, ({ manager, network: own }) =>
            Effect.forEach(
              networks.filter((network) => (own ?? network) === network && (asked ?? network) === network),
              (network) =>
                Effect.match(read(chains(network).managedBy({ manager })), {
                  onFailure: () => ({ network, vaults: null }),
                  onSuccess: (vaults) => ({ network, vaults })
                }),
              { concurrency: "unbounded" }
            ))
      }
    })
  )

const walletReads = Handlers.part(
  ConsoleReads,
  Effect.gen(function*() {
    const managers = yield* ManagerStore
    const switches = yield* KillSwitch
    const links = yield* LinkedVaults
    const directory = yield* Directory
    const { balanceOrError } = yield* gasBalances
    const bots = yield* ThresholdBotStore
    const indexes = yield* IndexBotStore
    return {
      switches: () =>
        Effect.gen(function*() {
          const addresses = (yield* query(managers.walletsOf(yield* SignedIn))).map(({ wallet }) => wallet)
          const [on, threshold, index] = yield* query(
            Effect.all([switches.list, bots.ofWallets(addresses), indexes.ofWallets(addresses)])
          )
          const own = new Set<string>([
            "service",
            ...addresses.map(walletScope),
            ...[...threshold, ...index].map(({ network, pool }) => botScope(network, pool))
          ])
          return on.filter(({ scope }) => own.has(wideScopeOf(scope)))
        }),
      gasBalances: ({ network }) =>
        Effect.gen(function*() {
          const session = yield* SignedIn
          if (session.network !== null && session.network !== network) return []
          if (!directory.networks.includes(network)) return yield* networkNotServed(directory, network)
          return yield* Effect.forEach(
            yield* query(managers.walletsOf(session)),
            ({ label, wallet }) =>
              Effect.map(
                balanceOrError(network, wallet, true),
                (balance) => ({ network, address: wallet, label, ...balance })
              ),
            { concurrency: 32 }
          )
        }),
      links: ({ network: asked }) =>
        Effect.gen(function*() {
          const session = yield* SignedIn
          if (session.network !== null && asked !== undefined && session.network !== asked) return []
          const each = yield* Effect.forEach(
            yield* query(managers.walletsOf(session)),
            ({ label, wallet }) =>
              Effect.map(
                links(wallet, session.network ?? asked),
                (found) => found.map((link) => ({ ...link, wallet, label }))
              ),
            { concurrency: 4 }
          )
          return each.flat()
        })
    }
  })
)

const historyReads = Handlers.part(
  ConsoleReads,
  Effect.gen(function*() {
    const managers = yield* ManagerStore
    const activity = yield* ActivityStore
    const runs = yield* IndexRunStore
    const walletsOf = yield* walletsAsked
    return {
      activity: ({ cursor, limit, network, status, wallet, ...about }) =>
        Effect.gen(function*() {
          const session = yield* SignedIn
          const wallets = yield* walletsOf(wallet)
          const rows = yield* query(
            activity.list({
              ...about,
              network: session.network ?? network,
              wallets,
              standing: status,
              before: cursor,
              limit: limit + 1
            })
          )
          const entries = rows.slice(0, limit)
          return { entries, cursor: rows.length > limit ? entries.at(-1)?.id ?? null : null }
        }),
      runs: (vault) =>
        Effect.gen(function*() {
          yield* mine(managers, yield* SignedIn, vault.wallet)
          const past = yield* query(runs.history(vault, maxRuns))
          return past.map(({ paper, startedAt, totalUsd18, tradeUsd18 }) => ({
            at: startedAt.toISOString(),
            paper,
            total_usd: usd(totalUsd18),
            trade_usd: usd(tradeUsd18)
          }))
        })
    }
  })
)

/** Handlers of the reads. */
export const ConsoleReadsLive = (version: string, devnet: boolean) =>
  ConsoleReads.toLayer(Effect.gen(function*() {
    return {
      ...(yield* serviceReads(version, devnet)),
      ...(yield* walletReads),
      ...(yield* historyReads),
      ...(yield* orderReads),
      ...(yield* portfolioReads)
    }
  }))

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
