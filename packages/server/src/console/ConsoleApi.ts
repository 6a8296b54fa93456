/** Handlers of what only the console asks. */
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { Keyring } from "@vault-trader/core/gas-wallet/Keyring"
import { botScope, KillSwitch, walletScope } from "@vault-trader/core/gas-wallet/KillSwitch"
import type { Address } from "@vault-trader/core/chain/Address"
import { Chain } from "@vault-trader/core/chain/Chain"
import { ConsoleCalls, ConsoleReads } from "@vault-trader/core/console/ConsoleApi"
import { SignedIn } from "@vault-trader/core/console/Session"
import { ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import { usd } from "@vault-trader/core/chain/Quantity"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import { ActivityStore } from "@vault-trader/core/intent/ActivityStore"
import { ManagerStore, mostWallets } from "@vault-trader/core/manager/ManagerStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { answered, changed, stored } from "../gate/Asking.ts"
import { Directory, notServed } from "../gate/Directory.ts"
import { LinkedVaults } from "../gas-wallet/LinkedVaults.ts"
import { Changes } from "./Changes.ts"
import { mine } from "./OnBehalf.ts"

const full = new ValidationFailure({ code: "1010", message: `The list holds ${mostWallets} wallets, which is the most it may hold. Take one off first.` })

/** Rebalances that a chart shows. */
const mostRuns = 500

/** Handlers of what only looks. */
export const ConsoleReadsLive = (version: string) =>
  ConsoleReads.toLayer(Effect.gen(function*() {
    const managers = yield* ManagerStore
    const switches = yield* KillSwitch
    const activity = yield* ActivityStore
    const links = yield* LinkedVaults
    const runs = yield* IndexRunStore
    const chains = yield* Chain.client
    const directory = yield* Directory
    const bots = yield* ThresholdBotStore
    const indexes = yield* IndexBotStore
    const { explorers = {}, networks, protocols } = directory
    const walletsOf = (manager: Address) => stored(managers.walletsOf(manager))
    return {
      whoAmI: () => Effect.map(SignedIn, ({ manager }) => ({ manager, networks, explorers, protocol: protocols[0] ?? "", version })),
      platform: ({ network }) => networks.includes(network) ? answered(chains(network).platform()) : notServed(directory, network),
      switches: () =>
        Effect.gen(function*() {
          const { manager } = yield* SignedIn
          const addresses = (yield* walletsOf(manager)).map(({ wallet }) => wallet)
          const [on, threshold, index] = yield* stored(Effect.all([switches.list, bots.ofWallets(addresses), indexes.ofWallets(addresses)]))
          const own = new Set<string>(["service", ...addresses.map(walletScope), ...[...threshold, ...index].map(({ network, pool }) => botScope(network, pool))])
          return on.filter(({ scope }) => own.has(scope))
        }),
      managedVaults: () =>
        Effect.flatMap(SignedIn, ({ manager }) =>
          Effect.forEach(networks, (network) =>
            Effect.match(answered(chains(network).managedBy({ manager })), {
              onFailure: () => ({ network, vaults: null }),
              onSuccess: (vaults) => ({ network, vaults })
            }), { concurrency: "unbounded" })),
      links: () =>
        Effect.gen(function*() {
          const { manager } = yield* SignedIn
          const each = yield* Effect.forEach(yield* walletsOf(manager), ({ label, wallet }) =>
            Effect.map(links(wallet), (found) => found.map((link) => ({ ...link, wallet, label }))), { concurrency: 4 })
          return each.flat()
        }),
      activity: ({ cursor, limit, status, wallet, ...about }) =>
        Effect.gen(function*() {
          const { manager } = yield* SignedIn
          if (wallet !== undefined) yield* mine(managers, manager, wallet)
          const wallets = wallet === undefined ? (yield* walletsOf(manager)).map((each) => each.wallet) : [wallet]
          const rows = yield* stored(activity.list({ ...about, wallets, standing: status, before: cursor, limit: limit + 1 }))
          const entries = rows.slice(0, limit)
          return { entries, cursor: rows.length > limit ? entries.at(-1)?.id ?? null : null }
        }),
      runs: (vault) =>
        Effect.gen(function*() {
          const { manager } = yield* SignedIn
          yield* mine(managers, manager, vault.wallet)
          const past = yield* stored(runs.history(vault, mostRuns))
          return past.map(({ paper, startedAt, totalUsd18, tradeUsd18 }) => ({ at: startedAt.toISOString(), paper, total_usd: usd(totalUsd18), trade_usd: usd(tradeUsd18) }))
        })
    }
  }))

/** Handlers of what changes something; who follows what it changes is told at once. */
export const ConsoleCallsLive = ConsoleCalls.toLayer(Effect.gen(function*() {
  const keyrings = yield* Keyring.client
  const { digest } = yield* ApiKeyDigest
  const keys = yield* ApiKeyStore
  const managers = yield* ManagerStore
  const { stir } = yield* Changes
  const keyring = Effect.sync(() => keyrings(crypto.randomUUID().slice(0, 2)))

  const enlist = (manager: Address, wallet: Address, label: string | null) =>
    Effect.flatMap(stored(managers.associate({ manager, wallet, label })), (fits) => fits ? stir : full)

  return {
    createWallet: ({ label }) =>
      Effect.gen(function*() {
        const { manager } = yield* SignedIn
        // Looked at before: a wallet that is in no list would be lost with the dialog that shows its secrets.
        if ((yield* stored(managers.walletsOf(manager))).length >= mostWallets) return yield* full
        const { address, apiKey, privateKey } = yield* changed((yield* keyring).create())
        yield* enlist(manager, address, label)
        return { address, apiKey, privateKey }
      }).pipe(Effect.uninterruptible),
    associateWallet: ({ apiKey, label }) =>
      Effect.gen(function*() {
        const { manager } = yield* SignedIn
        const found = yield* stored(Effect.flatMap(digest(Redacted.make(Redacted.value(apiKey).trim().toLowerCase())), keys.find))
        if (Option.isNone(found)) return yield* new ValidationFailure({ code: "1002", message: "apiKey: unknown or revoked" })
        yield* enlist(manager, found.value.wallet, label)
        return found.value.wallet
      }),
    labelWallet: ({ label, wallet }) =>
      Effect.gen(function*() {
        const { manager } = yield* SignedIn
        yield* mine(managers, manager, wallet)
        yield* enlist(manager, wallet, label)
      }),
    rotateKey: ({ wallet }) =>
      Effect.gen(function*() {
        const { manager } = yield* SignedIn
        yield* mine(managers, manager, wallet)
        return (yield* changed((yield* keyring).rotate({ wallet }))).apiKey
      }).pipe(Effect.uninterruptible)
  }
}))
