/**
 * Watches the orders of a network: observes their markets in batched calls, records what changed, and wakes only those
 * with something to do. Several singletons share a network's vaults; the cluster moves those of a dead runner to another.
 */
import type { Network } from "@vault-trader/core/chain/Network"
import { withoutTracing } from "@vault-trader/core/telemetry/UntracedLoop"
import { decide } from "@vault-trader/core/vault-order/OrderDecision"
import { type VaultOrder, VaultOrders } from "@vault-trader/core/vault-order/VaultOrder"
import { encodeProgress, type Note, VaultOrderStore } from "@vault-trader/core/vault-order/VaultOrderStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Singleton from "effect/cluster/Singleton"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Chains } from "../chain/Chains.ts"
import * as OrderObservation from "./OrderObservation.ts"

/** Default seconds between two observations of an order's market. */
export const defaultOrderSeconds = 5

/** Seconds between two observations of an order's market in this process. */
export const OrderInterval = Context.Reference<number>("vault-trader/workers/vault-order/OrderInterval", {
  defaultValue: () => defaultOrderSeconds
})

/** Number of singletons that share a network's vaults; the cluster places each on a runner. */
const shards = 4
/** Maximum number of orders in memory at a time. */
const pageSize = 1_000
/** Orders observed in one call. */
const batchSize = 150

/** A part of a network's vaults. */
interface VaultShard {
  readonly network: Network
  readonly shard: number
}

/** Decides for each order; those of one call are observed at one block. An order with a slice in progress is due. */
const decideAll = (chain: ChainClient, orders: ReadonlyArray<VaultOrder>) =>
  Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const due = orders.filter(({ openIntent }) => openIntent !== null)
    const notes: Array<Note> = []
    const idle = orders.filter(({ openIntent }) => openIntent === null)
    yield* Effect.forEach(Arr.chunksOf(idle, batchSize), (chunk) =>
      Effect.map(OrderObservation.read(chain, chunk), (seen) => {
        for (const [index, order] of chunk.entries()) {
          const market = seen[index]
          if (market === undefined) {
            continue
          }
          const { progress, step } = decide(
            { ...order, startsAt: order.startsAt.getTime(), expiresAt: order.expiresAt.getTime() },
            market,
            now
          )
          if (step._tag !== "wait") {
            due.push(order)
          } // Only what the order must remember is written at each observation.
          else if (encodeProgress(progress) !== encodeProgress(order.progress) || step.until !== null) {
            notes.push({ order, progress, reason: step.reason, until: step.until })
          }
        }
      }), { concurrency: 4, discard: true })
    return { due, notes }
  })

/** Observes the orders of one part of a network, page by page, and wakes those that are due. */
const round = (chain: ChainClient, part: VaultShard, wake: (order: VaultOrder) => Effect.Effect<void>) =>
  withoutTracing((traced) =>
    Effect.gen(function*() {
      const store = yield* VaultOrderStore
      const { network, shard } = part
      let after: string | null = null
      for (;;) {
        const rows: ReadonlyArray<VaultOrder> = yield* store.due(network, shard, shards, { after, size: pageSize })
        if (rows.length > 0) {
          yield* Effect.gen(function*() {
            const { due, notes } = yield* decideAll(chain, rows)
            yield* store.recordNotes(notes)
            if (due.length === 0) return
            yield* Effect.forEach(due, wake, { concurrency: 16, discard: true }).pipe(
              Effect.withSpan("VaultOrders.round", { attributes: { ...part, due: due.length } }),
              traced
            )
          }).pipe(
            // Continues with the next page, as the bots' watch does.
            Effect.catchCause((cause) => Effect.logWarning("a page of the orders' watch failed", cause))
          )
        }
        after = rows.at(-1)?.id ?? after
        if (rows.length < pageSize) return
      }
    })
  )

/** Runs rounds over one part of a network forever. */
const runRounds = (part: VaultShard, seconds: number) =>
  Effect.gen(function*() {
    const orders = yield* VaultOrders.client
    const chain = yield* (yield* Chains).get(part.network)
    const wake = ({ id, network, pool }: VaultOrder) =>
      orders(idOf(network, pool)).wake({ orderId: id }).pipe(
        Effect.timeout("10 seconds"),
        Effect.catchCause((cause) => Effect.logDebug("an order was not woken", cause))
      )
    const checked = round(chain, part, wake).pipe(
      Effect.catchCause((cause) => Effect.logWarning("a round of the orders' watch failed", cause))
    )
    return yield* Effect.forever(Effect.andThen(checked, Effect.sleep(`${seconds} seconds`)))
  }).pipe(
    Effect.catch((failure) => Effect.logError(`the orders of ${part.network} are not watched: ${failure.message}`))
  )

/** Watches every network that this runner serves. */
export const WatchLive = (seconds: number) =>
  Layer.unwrap(Effect.map(Chains, ({ networks }) =>
    Layer.mergeAll(
      Layer.empty,
      ...networks.flatMap((network) =>
        Arr.makeBy(
          shards,
          (shard) => Singleton.make(`VaultOrders/${network}/${shard}`, runRounds({ network, shard }, seconds))
        )
      )
    )))
