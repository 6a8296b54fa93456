/** The read that sums the vaults of a manager's wallets. */
import { ConsoleReads } from "@vault-trader/core/console/ConsoleApi"
import { SignedIn } from "@vault-trader/core/console/Session"
import { VaultLinkStore } from "@vault-trader/core/gas-wallet/VaultLinkStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { portfolioOf } from "@vault-trader/core/performance/PortfolioReport"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { query } from "../gate/ActorCall.ts"
import { PerformanceReads, untilOf } from "../performance/PerformanceReads.ts"
import * as Handlers from "../wire/Handlers.ts"
import { mine } from "./SessionCalls.ts"

/** Maximum number of vaults in the sum of a portfolio. */
const maxPortfolio = 200

export const portfolioReads = Handlers.part(
  ConsoleReads,
  Effect.gen(function*() {
    const managers = yield* ManagerStore
    const links = yield* VaultLinkStore
    const { series } = yield* PerformanceReads
    return {
      portfolio: ({ range, wallet: named }) =>
        Effect.gen(function*() {
          const session = yield* SignedIn
          if (named !== undefined) yield* mine(managers, session, named)
          const wallets = named === undefined
            ? (yield* query(managers.walletsOf(session))).map(({ wallet }) => wallet)
            : [named]
          const found = yield* Effect.forEach(wallets, (wallet) =>
            Effect.map(
              query(links.ofWallet(wallet, session.network ?? undefined)),
              (each) => each.map(({ network, pool }) => ({ wallet, network, pool }))
            ), { concurrency: 4 })
          // Several wallets may be linked to one vault.
          const vaults = [...new Map(found.flat().map((vault) => [idOf(vault.network, vault.pool), vault])).values()]
          const sampled = yield* Effect.forEach(
            vaults.slice(0, maxPortfolio),
            (vault) => Effect.map(series(vault), (samples) => ({ ...vault, series: samples })),
            { concurrency: 4 }
          )
          const now = yield* Clock.currentTimeMillis
          return portfolioOf(sampled, range, untilOf(now, sampled.flatMap((each) => each.series.slice(-1))))
        })
    }
  })
)
