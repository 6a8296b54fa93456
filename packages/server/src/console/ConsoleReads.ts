/** Handlers of the reads that only the console makes. */
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { botScope, wideScopeOf, walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { Chain } from "@vault-trader/core/network/Chain"
import { ConsoleReads } from "@vault-trader/core/console/ConsoleApi"
import { SignedIn } from "@vault-trader/core/console/Session"
import { usd } from "@vault-trader/core/chain/Quantity"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import { ActivityStore } from "@vault-trader/core/intent/ActivityStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { read, query } from "../gate/ActorCall.ts"
import { Directory, networkNotServed } from "../gate/ServedNetworks.ts"
import { gasBalances } from "../gas-wallet/GasBalances.ts"
import { LinkedVaults } from "../gas-wallet/LinkedVaults.ts"
import { orderReads, walletsAsked } from "./OrderReads.ts"
import { portfolioReads } from "./PortfolioReads.ts"
import { mine } from "./SessionCalls.ts"

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
