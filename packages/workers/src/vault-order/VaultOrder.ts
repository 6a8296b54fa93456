/**
 * The actor of one vault's orders: decides on an order, commits its trigger and its slices, and records the slices'
 * outcomes. Its state is in the rows.
 */
import type { Failure } from "@vault-trader/core/failure/Failure"
import { OrderSliceStore } from "@vault-trader/core/intent/OrderSliceStore"
import { sliceEndOf } from "@vault-trader/core/intent/SliceOutcome"
import { decide, type Step } from "@vault-trader/core/vault-order/OrderDecision"
import {
  noProgress,
  type OrderProgress,
  type OrderTerms,
  OrderPreview,
  tokensOf,
  type VaultOrder,
  VaultOrders
} from "@vault-trader/core/vault-order/VaultOrder"
import { VaultOrderStore } from "@vault-trader/core/vault-order/VaultOrderStore"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { parseId } from "@vault-trader/core/vault/Vault"
import * as Clock from "effect/Clock"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Prices } from "../billing/Prices.ts"
import { Chains } from "../chain/Chains.ts"
import { orNotServed } from "../chain/ServedChain.ts"
import { Tokens } from "../chain/Tokens.ts"
import { contextOf, type VaultSource } from "../vault/VaultSource.ts"
import { SliceSizer } from "../trading/SliceSizer.ts"
import * as IntentFollower from "../vault/IntentFollower.ts"
import { persist } from "../vault/BoundedPersist.ts"
import * as VaultReader from "../vault/VaultReader.ts"
import * as OrderObservation from "./OrderObservation.ts"
import * as OrderPairs from "./OrderPairs.ts"
import * as SlicePlan from "./SlicePlan.ts"

/** Builds `preview`: what an order with these terms would do now. */
const makePreview = (source: VaultSource, pool: Address) =>
  Effect.map(
    SliceSizer,
    (sizer) => ({ terms, wallet }: { readonly terms: OrderTerms; readonly wallet: Address }) =>
      Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        const context = yield* contextOf(source, pool, wallet)
        const [seen] = yield* OrderObservation.read(source.chain, [{ pool, terms }])
        const market = seen ?? { price18: null, held: null, block: 0 }
        const total = terms.amount === null
          ? null
          : terms.type === "dca"
          ? terms.amount * BigInt(terms.slices ?? 1)
          : terms.amount
        const order = { terms, progress: noProgress, total, sold: 0n, state: "open", openAmount: null } as const
        const span = { startsAt: now, expiresAt: Number.MAX_SAFE_INTEGER }
        const { step } = decide({ ...order, ...span }, market, now)
        // The first slice as it would be if its price condition were met.
        const triggered = { ...noProgress, trigger: { condition: "stop", price18: 0n, at: now } } as const
        const first =
          decide({ ...order, ...span, terms: { ...terms, limit18: null }, progress: triggered }, market, now)
            .step
        const planned = first._tag === "slice" && first.amount > 0n
          ? yield* Effect.provideService(
            SlicePlan.quoted(context, { ...terms, limit18: null }, first.amount),
            SliceSizer,
            sizer
          )
          : undefined
        const { bought, sold } = tokensOf(terms)
        const quote = planned?._tag === "slice" ? planned.quote : null
        return OrderPreview.make({
          step: step._tag,
          reason: step.reason,
          price: market.price18 === null ? null : Quantity.format(market.price18, 18),
          slice: planned?._tag !== "slice" || quote === null ? null : {
            sold: Quantity.of(sold, planned.amount),
            bought: Quantity.of(bought, quote.bought),
            min_bought: Quantity.of(bought, quote.minBought),
            venue: quote.venue
          }
        })
      })
  )

/** Builds `settle`: carries out a step of an order that has none in progress. True when the order is to be decided again. */
const makeSettle = (
  source: VaultSource,
  pool: Address,
  follow: (orderId: string, intentId: string) => Effect.Effect<void>
) =>
  Effect.gen(function*() {
    const orders = yield* VaultOrderStore
    const slices = yield* OrderSliceStore
    const prices = yield* Prices
    const sizer = yield* SliceSizer

    const noted = (order: VaultOrder, progress: OrderProgress, reason: string, until: number | null = null) =>
      Effect.as(persist(orders.recordNotes([{ order, progress, reason, until }])), false)

    const trigger = (order: VaultOrder, progress: OrderProgress, step: Extract<Step, { readonly _tag: "trigger" }>) =>
      Effect.gen(function*() {
        const unconfirmed = yield* OrderObservation.disagreement(prices, source.network, order.terms)
        if (unconfirmed !== undefined) {
          return yield* noted(
            order,
            order.progress,
            `${step.reason} A second source does not confirm it: ${unconfirmed}.`
          )
        }
        const at = yield* Clock.currentTimeMillis
        const { condition, price18, reason } = step
        return yield* persist(
          orders.recordTrigger(order, { ...progress, held: null, trigger: { condition, price18, at } }, reason)
        )
      })

    const slice = (order: VaultOrder, progress: OrderProgress, step: Extract<Step, { readonly _tag: "slice" }>) =>
      Effect.gen(function*() {
        const context = yield* contextOf(source, pool, order.wallet)
        const planned = yield* Effect.provideService(
          SlicePlan.make(context, order.terms, step.amount),
          SliceSizer,
          sizer
        )
        if (planned._tag === "wait") return yield* noted(order, progress, planned.reason)
        const request = SlicePlan.requestOf(order, planned.amount)
        const { reason, slot, total } = step
        const intentId = yield* persist(slices.begin(order, { request, total, slot, reason }))
        if (Option.isSome(intentId)) yield* follow(order.id, intentId.value)
        return false
      })

    return (order: VaultOrder, progress: OrderProgress, step: Step): Effect.Effect<boolean, Failure> => {
      switch (step._tag) {
        case "wait":
          return noted(order, progress, step.reason, step.until)
        case "trigger":
          return trigger(order, progress, step)
        case "slice":
          return slice(order, progress, step).pipe(
            // A failure to size a slice moves nothing: the order says so, and waits.
            Effect.catch((failure) => noted(order, progress, failure.message))
          )
        case "expire":
          return Effect.as(persist(slices.end(order.id, "expired", step.reason)), false)
        case "done":
          return Effect.as(persist(slices.end(order.id, "done", step.reason)), false)
      }
    }
  })

export const VaultOrderLive = VaultOrders.toLayer(
  Effect.gen(function*() {
    const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
    const orders = yield* VaultOrderStore
    const slices = yield* OrderSliceStore
    const tokens = yield* Tokens
    const chain = yield* (yield* Chains).get(network)
    const reader = yield* VaultReader.make({ network, pool, chain })
    const source: VaultSource = { chain, network, reader, tokens }
    const { follow } = yield* IntentFollower.make({
      ...{ network, pool },
      record: (orderId, intentId, outcome) => slices.endSlice(orderId, intentId, sliceEndOf(outcome))
    })
    const settle = yield* makeSettle(source, pool, follow)
    const preview = yield* makePreview(source, pool)

    /** Decides on an order from its row, again after its trigger is committed. */
    const wake = (orderId: string): Effect.Effect<void, Failure> =>
      Effect.gen(function*() {
        const order = Option.getOrUndefined(yield* persist(orders.find(orderId)))
        if (order === undefined || order.endedAt !== null) return
        if (order.openIntent !== null) return yield* follow(orderId, order.openIntent)
        if ((yield* persist(slices.stoppedBy(order))) !== null) return
        // One endpoint alone must not trigger or end anything, where the network has several.
        const [seen] = yield* OrderObservation.read(chain, [order], { readAll: chain.readConfirmed })
        if (seen === undefined) return
        const { progress, step } = decide(
          { ...order, startsAt: order.startsAt.getTime(), expiresAt: order.expiresAt.getTime() },
          seen,
          yield* Clock.currentTimeMillis
        )
        if (yield* settle(order, progress, step)) yield* wake(orderId)
      })

    return VaultOrders.of({
      pair: ({ payload }) => OrderPairs.resolve(source, payload),
      preview: ({ payload }) => preview(payload),
      wake: ({ payload: { orderId } }) => wake(orderId)
    })
  }).pipe(orNotServed((refuse) => ({ pair: refuse, preview: refuse, wake: refuse }))),
  // Handlers run concurrently, so none waits for another's chain reads; changes lock their rows.
  { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
)
