/**
 * From a committed order to what the exchange made of it. An order leaves once. After any doubt the exchange is asked for its client id;
 * it counts as never sent only when the exchange knows none and would not take it any more.
 */
import { show } from "@vault-trader/core/exchange/ExchangeDecision"
import type { ExchangeId } from "@vault-trader/core/exchange/Exchanges"
import type { ExchangeOrder, Fee } from "@vault-trader/core/exchange/ExchangeOrder"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { KillSwitch, stoppedText, walletScope } from "@vault-trader/core/gas-wallet/KillSwitch"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schedule from "effect/Schedule"
import { Prices } from "../billing/Prices.ts"
import { Ccxt } from "../ccxt/Ccxt.ts"
import type { AccountClient, OrderSeen } from "../ccxt/ExchangeClient.ts"
import { told } from "../ccxt/ExchangeFailure.ts"
import { retryForever, retryUnlessRefused } from "../actor/Retry.ts"

/** Beyond the exchange's window, for clocks that differ a little. */
const marginMillis = 500
/** An order that was to be filled at once and is still open is cancelled after this. */
const patienceSeconds = 60
/** What was paid for an order is asked for until it is told; an exchange that cannot tell must not hold up the next order for ever. */
const patienceWithFees = Schedule.spaced("1 second").pipe(Schedule.upTo({ duration: "5 minutes" }))

const sentence = ({ amount, pair, side }: ExchangeOrder, { cost, filled }: OrderSeen) => {
  const [base = "", quote = ""] = pair.split("-")
  const whole = amount !== null && !BigDecimal.isLessThan(filled, amount)
  if (!BigDecimal.isPositive(filled)) return `Nobody took the order to ${side ?? ""} ${base} at its price; nothing was exchanged.`
  const rest = whole ? "" : ` The rest of ${amount === null ? "" : show(amount)} ${base} expired.`
  return `${side === "buy" ? "Bought" : "Sold"} ${show(filled)} ${base} for ${show(cost)} ${quote}.${rest}`
}

export const make = (client: AccountClient, exchange: ExchangeId) =>
  Effect.gen(function*() {
    const store = yield* ExchangeOrderStore
    const prices = yield* Prices
    const switches = yield* KillSwitch
    const { lateMillis } = yield* Ccxt
    const late = (lateMillis(exchange) + marginMillis) / 1000

    /** What was paid, where the exchange tells it at a second question. */
    const feesOf = (order: ExchangeOrder, seen: OrderSeen): Effect.Effect<ReadonlyArray<Fee> | null> =>
      seen.fees !== null || seen.id === null || !BigDecimal.isPositive(seen.filled)
        ? Effect.succeed(seen.fees)
        : Effect.retry(client.fees(order.symbol, seen.id), { schedule: patienceWithFees, while: ({ _tag }) => _tag === "ExchangeUnavailable" }).pipe(Effect.orElseSucceed(() => Option.none()), Effect.map(Option.getOrNull))

    const close = (order: ExchangeOrder, seen: OrderSeen) =>
      Effect.flatMap(feesOf(order, seen), (fees) =>
        retryForever(store.close(order.id, {
          exchangeOrderId: seen.id,
          ...{ filled: seen.filled, cost: seen.cost, fees, message: sentence(order, seen) },
          // What is due for an order that was executed.
          chargeUsd: BigDecimal.isPositive(seen.filled) ? BigDecimal.fromNumberUnsafe(prices.usd("exchangeTrade", order.wallet)) : null
        })))

    /** Asks for the order until its fate is known. Whatever else goes wrong, it is asked again. */
    const reconcile = (order: ExchangeOrder): Effect.Effect<unknown> =>
      Effect.gen(function*() {
        const { clientId, id, symbol } = order
        if (clientId === null) return yield* Effect.die(new Error(`the exchange order ${id} was sent without an id`))
        const age = yield* retryForever(store.secondsSinceSent(id))
        const found = yield* Effect.result(client.find(symbol, clientId))
        if (found._tag === "Failure") {
          yield* Effect.logDebug("an exchange order's fate is not known yet", found.failure)
        } else if (Option.isSome(found.success)) {
          const seen = found.success.value
          if (!seen.open) return yield* close(order, seen)
          if (age > patienceSeconds && seen.id !== null) yield* Effect.ignore(client.cancel(symbol, seen.id))
        } else if (age > late) {
          const message = "The order did not reach the exchange, and is too old to do so any more; nothing was exchanged."
          return yield* retryForever(store.end(id, { status: "lost", message }))
        }
        yield* Effect.sleep(`${Math.min(2000, Math.max(100, age * 200))} millis`)
        return yield* reconcile(order)
      })

    /** It was not ours to send: somebody else has sent it, or signing was stopped after it was decided. */
    const notSent = (order: ExchangeOrder) =>
      Effect.gen(function*() {
        const [on] = yield* retryForever(switches.on(["service", walletScope(order.wallet)]))
        if (on !== undefined) yield* retryForever(store.withdraw(order.id, { errorType: "paused", message: `${stoppedText(on)}; nothing was sent.` }))
      })

    const send = (order: ExchangeOrder) =>
      Effect.gen(function*() {
        // Before it is marked: whatever holds us up from here on, the exchange sees how old the order is.
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
          const message = `${told(placed.failure).message} Nothing was exchanged.`
          return yield* retryForever(store.refuse(order.id, { errorType: "exchange_rejected", message }))
        }
        return yield* reconcile(ours.value)
      })

    return {
      /** Brings a committed order to its end. */
      finish: (order: ExchangeOrder): Effect.Effect<void> =>
        Effect.asVoid(order.status === "sending" ? reconcile(order) : send(order)).pipe(
          Effect.withSpan("ExchangeOrder.finish", { attributes: { intent: order.id, exchange } })
        )
    }
  })
