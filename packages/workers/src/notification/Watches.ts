/**
 * Watches the nodes of each network and the health factors of borrowing vaults, and writes events of the audit log's
 * entries.
 */
import type { Network } from "@vault-trader/core/chain/Network"
import { Lenders } from "@vault-trader/core/lending/Lenders"
import { noDebt } from "@vault-trader/core/lending/LendingAccount"
import * as AuditFeed from "@vault-trader/core/notification/AuditFeed"
import { type WatchedVault, WatchStore } from "@vault-trader/core/notification/WatchStore"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as IdleWait from "../actor/IdleWait.ts"
import { Chains } from "../chain/Chains.ts"

/** A health factor below this is low. Borrowing is refused below 1.1 by default, and below 1 it is liquidated. */
const healthThreshold = 1.2

/** Readings in trouble after which a network is reported: with the interval, about a minute and a half. */
const patience = 3
const networkPause = "30 seconds"
const healthPause = "2 minutes"
const feedPause = "2 seconds"
/** The same while no receiver is set: the events of a new one begin at most so long before it. */
const idleFeedPause = "10 seconds"

/** Reads one network, and reports a change. */
export const checkNetwork = (network: Network) =>
  Effect.gen(function*() {
    const store = yield* WatchStore
    const chain = yield* (yield* Chains).get(network)
    const head = yield* Effect.exit(Effect.timeout(chain.head, "20 seconds"))
    const disputed = yield* chain.isDisputed
    const troubled = Exit.isFailure(head) || disputed
    const wallets = yield* store.walletsOn(network, troubled ? "network.down" : "network.recovered")
    yield* store.report({
      ...{ watch: "network", subject: network, troubled, patience, wallets },
      events: { troubled: "network.down", recovered: "network.recovered" },
      data: {
        network,
        message: !troubled
          ? "its nodes answer again."
          : disputed
          ? "its nodes contradict each other."
          : "no node answers."
      }
    })
  })

/** Reads the health factor of a vault, and reports a change. */
export const checkHealth = ({ network, pool, wallets }: WatchedVault) =>
  Effect.gen(function*() {
    const lenders = yield* Lenders.client
    const { data: { healthFactor } } = yield* lenders(network).account({ pool })
    const factor = healthFactor === noDebt ? Number.POSITIVE_INFINITY : Number(healthFactor)
    yield* (yield* WatchStore).report({
      ...{ watch: "health", subject: `${network}/${pool}`, troubled: factor < healthThreshold, patience: 1, wallets },
      events: { troubled: "health.low", recovered: "health.recovered" },
      data: {
        ...{ network, pool, lender: "lenderA", health_factor: healthFactor, threshold: String(healthThreshold) }
      }
    })
  })

const logged = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) => Effect.logWarning(`${what} failed and is repeated`, cause))

const networks = Effect.flatMap(
  Chains,
  (chains) =>
    Effect.forEach(chains.networks, (network) => logged(`the watch of ${network}`, checkNetwork(network)), {
      concurrency: "unbounded",
      discard: true
    })
)

const health = Effect.gen(function*() {
  const vaults = yield* (yield* WatchStore).borrowers((yield* Chains).networks)
  yield* Effect.forEach(
    vaults,
    (vault) => logged("the watch of a health factor", Effect.timeout(checkHealth(vault), "30 seconds")),
    { concurrency: 4, discard: true }
  )
})

const feedWait = Effect.flatMap(
  IdleWait.IdleWait,
  ({ until }) => Effect.andThen(Effect.sleep(feedPause), Effect.timeoutOption(until("receivers"), idleFeedPause))
)

export const WatchesLive = Singleton.make(
  "EventWatches",
  Effect.all([
    IdleWait.forever("receivers", logged("the watch of networks", networks), networkPause),
    IdleWait.forever("receivers", logged("the watch of health factors", health), healthPause),
    Effect.forever(Effect.andThen(logged("the feed of the audit log", AuditFeed.round), feedWait))
  ], { concurrency: "unbounded", discard: true })
)
