/** Records how a bot's turn on an exchange ended: in the order's row, and in the bot's last decision. */
import type { ExchangeBot, LastDecision } from "@vault-trader/core/exchange/ExchangeAccount"
import { type ExchangeOrder, isOver } from "@vault-trader/core/exchange/ExchangeOrder"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import * as BigDecimal from "effect/BigDecimal"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { retryForever } from "../actor/Retry.ts"

const zero = BigDecimal.fromBigInt(0n)

const nowText = Effect.map(DateTime.now, DateTime.formatIso)

/**
 * Returns whether a failure counts against the bot. Stops and limits do not: they end without the bot, such as a daily
 * limit.
 */
export const countOf = (failure: { readonly errorType: string } | null): "failed" | "neither" =>
  failure?.errorType === "paused" || failure?.errorType === "limit_exceeded" ? "neither" : "failed"

/** Returns the unfilled part of an order, in the asset it sells. */
const unfilledPart = ({ amount, filled, limit, side, status }: ExchangeOrder): BigDecimal.BigDecimal => {
  if (amount === null || limit === null || status === "held") return zero
  const rest = BigDecimal.subtract(amount, filled ?? zero)
  return !BigDecimal.isPositive(rest) ? zero : side === "buy" ? BigDecimal.multiply(rest, limit) : rest
}

export const make = Effect.gen(function*() {
  const store = yield* ExchangeStore
  const orders = yield* ExchangeOrderStore

  /** Records how a turn ended. A turn without an order only updates the bot's last decision. */
  const conclude = (
    bot: ExchangeBot,
    end: Omit<LastDecision, "at">,
    orderId: string | null,
    outcome: "succeeded" | "failed" | "neither",
    owed: BigDecimal.BigDecimal | null = null
  ) =>
    Effect.gen(function*() {
      const { exit, lastDecision } = bot
      // An exit is tried until it has sold all: its owner may be asleep.
      const counts = outcome === "failed" && exit !== null ? "retried" : outcome
      if (
        orderId === null && counts === "neither" && lastDecision?.action === end.action &&
        lastDecision.reason === end.reason
      ) return
      yield* retryForever(store.recordEnd(bot.id, { decision: { ...end, at: yield* nowText }, orderId, counts, owed }))
    })

  /** Records the outcome of an order that is over. */
  const recordOrder = (bot: ExchangeBot, id: string) =>
    Effect.gen(function*() {
      const order = Option.getOrUndefined(yield* retryForever(orders.find(id)))
      if (order === undefined || !isOver(order.status)) return
      const reason = order.message ?? ""
      if (order.status === "refused") {
        return yield* conclude(bot, { action: "failed", reason }, id, countOf(order.failure), unfilledPart(order))
      }
      yield* conclude(
        bot,
        { action: order.status === "closed" ? "order" : "failed", reason },
        id,
        order.status === "closed" ? "succeeded" : "neither",
        unfilledPart(order)
      )
    })

  /**
   * Ends a turn in which nothing is to be done. Returns false: no order was sent. That the prices of a paused bot could
   * be read ends its row of failures.
   */
  const hold = (bot: ExchangeBot, accepted: ExchangeOrder | undefined, reason: string) =>
    Effect.gen(function*() {
      if (accepted !== undefined) {
        yield* retryForever(orders.end(accepted.id, { status: "held", message: `${reason} Nothing was sent.` }))
      }
      yield* conclude(
        bot,
        { action: "hold", reason },
        accepted?.id ?? null,
        accepted === undefined && !(bot.watching && bot.failures > 0) ? "neither" : "succeeded"
      )
      return false
    })

  /** Ends a turn that failed before an order was sent. Returns false: no order was sent. */
  const refuse = (
    bot: ExchangeBot,
    accepted: ExchangeOrder | undefined,
    failure: { readonly errorType: Parameters<typeof orders.refuse>[1]["errorType"]; readonly message: string },
    counts: "failed" | "neither"
  ) =>
    Effect.gen(function*() {
      if (accepted !== undefined) {
        yield* retryForever(orders.refuse(accepted.id, { errorType: failure.errorType, message: failure.message }))
      }
      yield* conclude(bot, { action: "failed", reason: failure.message }, accepted?.id ?? null, counts)
      return false
    })

  return { hold, recordOrder, refuse }
})
