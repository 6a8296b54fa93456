/**
 * Handlers of orders of vaults. Cancelling an order, and showing it to the wallet that placed it, needs only the
 * database, so it works without nodes.
 */
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { KillSwitch, stopping } from "@vault-trader/core/gas-wallet/KillSwitch"
import { AcceptanceUnknown } from "@vault-trader/core/intent/IntentInsert"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { type NewOrder, OrderSliceStore } from "@vault-trader/core/intent/OrderSliceStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import { isDatabaseError } from "@vault-trader/core/telemetry/DatabaseErrors"
import { legsOf } from "@vault-trader/core/chain/PairText"
import { OrderApi } from "@vault-trader/core/vault-order/OrderApi"
import { sliceViewOf, viewOf } from "@vault-trader/core/vault-order/OrderView"
import { type VaultOrder, VaultOrders } from "@vault-trader/core/vault-order/VaultOrder"
import { VaultOrderStore } from "@vault-trader/core/vault-order/VaultOrderStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import * as Handlers from "../wire/Handlers.ts"
import { query, read } from "../gate/ActorCall.ts"
import { conflict } from "../gate/IdempotentWrites.ts"
import * as StrategyReaders from "../vault/StrategyReaders.ts"
import { TraderNow } from "../vault/TraderNow.ts"
import * as RequestState from "../wire/RequestState.ts"
import * as OrderTermsCheck from "@vault-trader/core/vault-order/OrderTermsCheck"

const commitRetry = Schedule.spaced("200 millis").pipe(Schedule.upTo({ duration: "5 seconds" }))

const unknownOrder = new ValidationFailure({
  code: "1010",
  message: "order: is not an order of this key's wallet; getOrders lists them"
})

const hiddenMessage =
  "Orders of other wallets are shown only to keys of the vault's trader, its manager and wallets in " +
  "the manager's list."

/**
 * Commits an order. The database may commit and then disconnect, so this retries with the same id until it confirms.
 */
const untilCertain = (orders: OrderSliceStore["Service"], order: NewOrder) =>
  orders.place(order).pipe(
    Effect.timeoutOrElse({
      duration: "5 seconds",
      orElse: () => Effect.fail(new AcceptanceUnknown({ id: order.id }))
    }),
    // A commit whose confirmation is lost arrives as a defect.
    Effect.catchCause((cause) =>
      isDatabaseError(cause) || Cause.hasFails(cause)
        ? new AcceptanceUnknown({ id: order.id })
        : Effect.failCause(cause)
    ),
    Effect.retry(commitRetry)
  )

/** Places an order and returns it; refuses a key that another request has, and more orders than the maximum. */
const placement = Effect.map(OrderSliceStore, (orders) => (order: NewOrder) =>
  Effect.gen(function*() {
    const timeout = yield* RequestState.within("1 minute")
    yield* RequestState.note("offered")
    const placed = yield* Effect.orDie(
      Effect.timeoutOrElse(RequestState.committed(untilCertain(orders, order)), {
        duration: timeout,
        orElse: () => Effect.fail(new AcceptanceUnknown({ id: order.id }))
      })
    )
    yield* RequestState.note("settled")
    if (placed._tag === "conflict") return yield* conflict(placed.id)
    if (placed._tag === "full") {
      return yield* new ValidationFailure({
        code: "1010",
        message: `pool: the wallet has ${placed.maximum} open orders of this vault, the maximum; cancelOrder ends some`
      })
    }
    return placed.order
  }))

const placingHandlers = Handlers.part(
  OrderApi,
  Effect.gen(function*() {
    const actors = yield* VaultOrders.client
    const orders = yield* OrderSliceStore
    const switches = yield* KillSwitch
    const place = yield* placement

    const answerOf = (order: VaultOrder) =>
      Effect.map(query(switches.list), (on) => {
        const stopped = stopping(on, order)
        const { pair, side, type } = order.terms
        const sentence = `The ${type} order to ${side} ${pair} is placed${order.paper ? " on paper" : ""}.`
        return {
          intent_id: null,
          tx_hash: null,
          message: `${sentence} ${
            stopped === null ? "" : `${stopped}; the order waits. `
          }Call getOrder for its progress.`,
          data: viewOf(order, stopped)
        }
      })

    return {
      placeOrder: (params) =>
        Effect.gen(function*() {
          const { keyId, repeats, wallet } = yield* Caller
          const { dryRun, idempotency_key, network, pair: named, paper = false, pool } = params
          const [base, quote] = legsOf(named)
          const request = OrderTermsCheck.requestText(params, [base, quote])
          if (repeats !== undefined) {
            const found = yield* query(orders.findRepeat(repeats, request))
            return yield* Option.isSome(found) ? answerOf(found.value) : conflict(repeats)
          }
          yield* OrderTermsCheck.checkShape(params)
          const actor = actors(idOf(network, pool))
          const terms = yield* OrderTermsCheck.termsOf(params, yield* read(actor.pair({ wallet, base, quote })))
          if (dryRun === true) {
            const plan = yield* read(actor.preview({ wallet, terms }))
            return {
              ...{ status: "success" as const, dryRun: true as const, plan, intent_id: null, tx_hash: null },
              message: `Dry run: nothing was placed. ${plan.reason}`
            }
          }
          const now = yield* Clock.currentTimeMillis
          const placed = yield* place({
            ...{ id: yield* Uuid.v7, network, pool, wallet, keyId, terms, paper, request, startsAt: now },
            idempotencyKey: idempotency_key ?? null,
            total: OrderTermsCheck.totalOf(terms),
            expiresAt: now + (params.expires_in ?? OrderTermsCheck.expirySeconds(terms)) * 1_000
          })
          // Begins now, in the background: without this, the next observation would begin it.
          yield* Effect.forkDetach(Effect.ignore(Effect.timeout(actor.wake({ orderId: placed.id }), "30 seconds")))
          return yield* answerOf(placed)
        })
    }
  })
)

const changingHandlers = Handlers.part(
  OrderApi,
  Effect.gen(function*() {
    const store = yield* VaultOrderStore
    const orders = yield* OrderSliceStore
    const switches = yield* KillSwitch
    const traderNow = yield* TraderNow

    const shown = (order: VaultOrder) => Effect.map(query(switches.list), (on) => viewOf(order, stopping(on, order)))

    return {
      amendOrder: (params) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const order = Option.getOrUndefined(yield* query(store.find(params.order)))
          if (order === undefined || order.wallet !== wallet) return yield* unknownOrder
          const triggered = order.progress.trigger !== null
          const terms = yield* OrderTermsCheck.amendedTerms(order.terms, params, triggered)
          const now = yield* Clock.currentTimeMillis
          const amended = yield* query(orders.amend(order, {
            terms,
            total: OrderTermsCheck.totalOf(terms) ?? order.total,
            expiresAt: params.expires_in === undefined ? null : now + params.expires_in * 1_000
          }))
          switch (amended._tag) {
            case "amended":
              return { data: yield* shown(amended.order), message: "The order is amended." }
            case "ended":
              return yield* new ValidationFailure({ code: "1010", message: "order: has ended; it cannot be amended" })
            case "changed":
              return yield* explain({ _tag: "ServiceBusy" }, "nothingAccepted")
            case "sold":
              return yield* new ValidationFailure({
                code: "1009",
                message: "amount: the order has already sold as much, or is selling it; more than that is accepted"
              })
          }
        }),
      cancelOrder: ({ network, order: id, pool }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const open = yield* query(store.openOf(network, pool))
          const named = id === undefined ? open : open.filter((order) => order.id === id)
          const [own, others] = [
            named.filter((each) => each.wallet === wallet),
            named.filter((each) => each.wallet !== wallet)
          ]
          const cancelled = [...(yield* query(orders.cancel(own.map((order) => order.id))))]
          // Only the vault's trader may cancel orders of other wallets.
          const allowed = others.length === 0 ? Result.void : yield* Effect.result(traderNow({ network, pool }, wallet))
          if (Result.isSuccess(allowed)) {
            cancelled.push(...(yield* query(orders.cancel(others.map((order) => order.id)))))
          } else if (own.length === 0) return yield* allowed.failure
          const ended = id === undefined || named.length > 0
            ? undefined
            : Option.getOrUndefined(yield* query(store.find(id)))
          if (ended !== undefined && ended.wallet === wallet) cancelled.push(ended)
          return {
            orders: yield* Effect.forEach(cancelled, shown),
            message: cancelMessage(cancelled, Result.isFailure(allowed) ? allowed.failure.message : undefined)
          }
        })
    }
  })
)

/** Words what a cancellation did. */
const cancelMessage = (orders: ReadonlyArray<VaultOrder>, refused: string | undefined): string => {
  const count = (state: VaultOrder["state"]) => orders.filter((order) => order.state === state).length
  const plural = (number: number) => `${number} order${number === 1 ? "" : "s"}`
  const ended = orders.length - count("cancelled") - count("cancelling")
  return [
    orders.length === 0 ? "There is no such open order; nothing changed." : "",
    count("cancelled") > 0 ? `Cancelled ${plural(count("cancelled"))}.` : "",
    count("cancelling") > 0
      ? `${plural(count("cancelling"))} with a slice in progress: nothing more begins, and the slice's outcome counts.`
      : "",
    ended > 0 ? `${plural(ended)} had ended before.` : "",
    refused === undefined ? "" : `Orders of other wallets are not cancelled. ${refused}`
  ].filter((text) => text !== "").join(" ")
}

const readingHandlers = Handlers.part(
  OrderApi,
  Effect.gen(function*() {
    const store = yield* VaultOrderStore
    const switches = yield* KillSwitch
    const accessOf = yield* StrategyReaders.make
    return {
      getOrders: ({ all = false, cursor = null, limit = 50, network, pool }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const of = { network, pool, open: !all, before: cursor, limit }
          const [found, on] = yield* query(Effect.all([store.ofVault({ ...of, wallet: null }), switches.list]))
          const isOwn = found.length > 0 && found.every((order) => order.wallet === wallet)
          const reads = isOwn || (yield* accessOf({ network, pool }, wallet)).reads
          const visible = reads ? found : yield* query(store.ofVault({ ...of, wallet }))
          return {
            orders: visible.map((order) => viewOf(order, stopping(on, order))),
            cursor: visible.length < limit ? null : visible.at(-1)?.id ?? null,
            message: reads ? null : hiddenMessage
          }
        }),
      getOrder: ({ order: id }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const order = Option.getOrUndefined(yield* query(store.find(id)))
          if (order === undefined) return yield* unknownOrder
          if (order.wallet !== wallet && !(yield* accessOf(order, wallet)).reads) return yield* unknownOrder
          const [slices, events, on] = yield* query(Effect.all([store.slices(id), store.events(id), switches.list]))
          return {
            data: viewOf(order, stopping(on, order)),
            slices: slices.map((slice) => sliceViewOf(order, slice)),
            events: events.map(({ at, kind, reason }) => ({ at: at.toISOString(), kind, reason }))
          }
        })
    }
  })
)

export const OrderApiLive = Handlers.layer(
  OrderApi,
  Effect.gen(function*() {
    return { ...(yield* placingHandlers), ...(yield* changingHandlers), ...(yield* readingHandlers) }
  })
).pipe(
  Layer.provide([OrderSliceStore.layer, VaultOrderStore.layer, ManagerStore.layer]),
  Layer.provide([IntentStore.layer, KillSwitch.layer])
)
