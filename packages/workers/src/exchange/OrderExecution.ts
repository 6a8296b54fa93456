/**
 * Executes a committed order and records its outcome. An order is sent once. After any doubt the exchange is queried
 * for the client id; the order counts as never sent only when the exchange does not know it and is past the time in
 * which it would still accept it.
 */
import { show } from "@vault-trader/core/exchange/ExchangeDecision"
import type { ExchangeId } from "@vault-trader/core/exchange/Exchanges"
import type { ExchangeOrder, Fee } from "@vault-trader/core/exchange/ExchangeOrder"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { explain } from "@vault-trader/core/failure/Explanation"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { Prices } from "../billing/Prices.ts"
import { Ccxt } from "../ccxt/Ccxt.ts"
import type { AccountClient, OrderSeen } from "../ccxt/ExchangeClient.ts"
import { explainFailure } from "../ccxt/ExchangeFailure.ts"
import { retryForever, retryUnlessRefused } from "../actor/Retry.ts"

/** Margin added to the exchange's window, for small clock differences. */
const marginMillis = 500
/** Seconds after which an immediate-or-cancel order that is still open is cancelled. */
const openTimeoutSeconds = 60
/**
 * Retries for the fees of an order. Bounded, so that an exchange that cannot report them does not block the next order
 * forever.
 */
const feesRetry = Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: "5 minutes" }))

/** Describes what an order has exchanged. */
const describe = ({ amount, pair, side }: ExchangeOrder, { cost, filled }: OrderSeen) => {
  const [base = "", quote = ""] = pair.split("-")
  const whole = amount !== null && !BigDecimal.isLessThan(filled, amount)
  if (!BigDecimal.isPositive(filled)) {
    return `The order to ${side ?? ""} ${base} found no counterparty at its price; nothing was exchanged.`
  }
  const rest = whole ? "" : ` The rest of ${amount === null ? "" : show(amount)} ${base} expired.`
  return `${side === "buy" ? "Bought" : "Sold"} ${show(filled)} ${base} for ${show(cost)} ${quote}.${rest}`
}

/** Returns the order's fees, with a second query when the order's response has none. */
const feesOf = (
  client: AccountClient,
  order: ExchangeOrder,
  seen: OrderSeen
): Effect.Effect<ReadonlyArray<Fee> | null> =>
  seen.fees !== null || seen.id === null || !BigDecimal.isPositive(seen.filled)
    ? Effect.succeed(seen.fees)
    : Effect.retry(client.fees(order.symbol, seen.id), {
      schedule: feesRetry,
      while: ({ _tag }) => _tag === "ExchangeUnavailable"
    }).pipe(Effect.orElseSucceed(() => Option.none()), Effect.map(Option.getOrNull))

/** Builds the function that records an order with a known outcome, and charges an executed one. */
const makeClose = (client: AccountClient) =>
  Effect.gen(function*() {
    const store = yield* ExchangeOrderStore
    const prices = yield* Prices
    return (order: ExchangeOrder, seen: OrderSeen) =>
      Effect.flatMap(feesOf(client, order, seen), (fees) =>
        retryForever(store.close(order.id, {
          exchangeOrderId: seen.id,
          ...{ filled: seen.filled, cost: seen.cost, fees, message: describe(order, seen) },
          // Only an executed order is charged.
          chargeUsd: BigDecimal.isPositive(seen.filled)
            ? BigDecimal.fromNumberUnsafe(prices.usd("exchangeTrade", order.wallet))
            : null
        })))
  })

export const make = (client: AccountClient, exchange: ExchangeId) =>
  Effect.gen(function*() {
    const store = yield* ExchangeOrderStore
    const close = yield* makeClose(client)
    const switches = yield* KillSwitch
    const { lateMillis } = yield* Ccxt
    const late = (lateMillis(exchange) + marginMillis) / 1000

    /** Queries the order until its outcome is known; any other failure is retried. */
    const reconcile = (order: ExchangeOrder): Effect.Effect<unknown> =>
      Effect.gen(function*() {
        const { clientId, id, symbol } = order
        if (clientId === null) return yield* Effect.die(new Error(`the exchange order ${id} was sent without an id`))
        const age = yield* retryForever(store.secondsSinceSent(id))
        const found = yield* Effect.result(client.find(symbol, clientId))
        if (found._tag === "Failure") {
          yield* Effect.logDebug("the outcome of an exchange order is not known yet", found.failure)
        } else if (Option.isSome(found.success)) {
          const seen = found.success.value
          if (!seen.open) return yield* close(order, seen)
          if (age > openTimeoutSeconds && seen.id !== null) yield* Effect.ignore(client.cancel(symbol, seen.id))
        } else if (age > late) {
          const message =
            "The order did not reach the exchange, and is now too old to be accepted; nothing was exchanged."
          return yield* retryForever(store.end(id, { status: "lost", message }))
        }
        yield* Effect.sleep(`${Math.min(2000, Math.max(100, age * 200))} millis`)
        return yield* reconcile(order)
      })

    /**
     * Handles an order that this actor may not send: another actor has sent it, or signing was stopped after the
     * decision.
     */
    const notSent = (order: ExchangeOrder) =>
      Effect.gen(function*() {
        const [on] = yield* retryForever(switches.on(["service", walletScope(order.wallet)]))
        if (on !== undefined) {
          yield* retryForever(store.withdraw(order.id, explain({ _tag: "SigningStopped", ...on })))
        }
      })

    const send = (order: ExchangeOrder) =>
      Effect.gen(function*() {
        // Taken before the row is marked: the exchange sees the order's age despite any delay from here on.
        const stamp = yield* client.stamp
        const marked = yield* retryUnlessRefused(store.sending(order.id))
        if (Result.isFailure(marked)) return yield* retryForever(store.withdraw(order.id, marked.failure))
        const ours = marked.success
        const { amount, clientId, limit, side, symbol } = order
        if (Option.isNone(ours)) return yield* notSent(order)
        if (amount === null || clientId === null || limit === null || side === null) return
        const placed = yield* Effect.result(client.place({ symbol, side, amount, limit, clientId, stamp }))
        if (placed._tag === "Success" && !placed.success.open) return yield* close(order, placed.success)
        if (placed._tag === "Failure" && placed.failure._tag === "ExchangeRefused") {
          return yield* retryForever(store.refuse(order.id, explainFailure(placed.failure, "nothingExchanged")))
        }
        return yield* reconcile(ours.value)
      })

    return {
      /** Completes a committed order. */
      finish: (order: ExchangeOrder): Effect.Effect<void> =>
        Effect.asVoid(order.status === "sending" ? reconcile(order) : send(order)).pipe(
          Effect.withSpan("ExchangeOrder.finish", { attributes: { intent: order.id, exchange } })
        )
    }
  })
