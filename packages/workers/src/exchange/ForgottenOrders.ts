/**
 * Compares an account with its exchange before anything is decided: a restored database has forgotten orders that were
 * executed after its copy was made, and would decide them again. They are adopted by their client ids, which contain the
 * ids of their intents, and charged once; their bots pause until they are set again.
 */
import type { ExchangeAccount, ExchangeBot } from "@vault-trader/core/exchange/ExchangeAccount"
import { type ExchangeOrder, idOfClientId } from "@vault-trader/core/exchange/ExchangeOrder"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { retryForever } from "../actor/Retry.ts"
import type { AccountClient, OrderPlaced, TradedOrder } from "../ccxt/ExchangeClient.ts"
import type { ExchangeFailure } from "../ccxt/ExchangeFailure.ts"

/** Milliseconds by which the exchange's clock may differ from the database's. */
const skewMillis = 600_000

/** An order that the exchange has executed and the ledger does not have as sent. */
interface Forgotten extends OrderPlaced, TradedOrder {
  /** The intent's id. */
  readonly id: string
  /** Null: the ledger has no row of it. */
  readonly row: ExchangeOrder | null
}

const pausedText = (count: number) =>
  `The exchange has executed ${count === 1 ? "an order" : `${count} orders`} of this bot that the database had ` +
  "forgotten, as a restored copy does. They are in the ledger now; compare the account, and set the bot again."

/** `finish` reads an order's outcome from the exchange and records it. */
export const make = (
  account: ExchangeAccount,
  client: AccountClient,
  finish: (order: ExchangeOrder) => Effect.Effect<void>
) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const orders = yield* ExchangeOrderStore
    /** Pairs that were compared since this actor started: the ledger has everything that it sent. */
    const compared = new Set<string>()

    const find = (symbol: string): Effect.Effect<ReadonlyArray<Forgotten>, ExchangeFailure> =>
      Effect.gen(function*() {
        const newest = yield* retryForever(orders.newestSentMillis(account.id, symbol))
        const since = Math.max(newest, account.createdAt.getTime()) - skewMillis
        const traded = (yield* client.traded(symbol)).filter(({ time }) => time >= since)
        const unknown = yield* retryForever(orders.unknownIds(account.id, symbol, traded.map(({ id }) => id)))
        const found: Array<Forgotten> = []
        for (const { id: exchangeId, time } of traded.filter(({ id }) => unknown.includes(id))) {
          const placed = Option.getOrUndefined(yield* client.placed(symbol, exchangeId))
          const id = placed === undefined ? undefined : idOfClientId(placed.clientId)
          if (placed === undefined || id === undefined) continue
          const row = Option.getOrNull(yield* retryForever(orders.find(id)))
          const isUnsent = row === null || row.status === "accepted" || row.status === "decided"
          if (isUnsent) found.push({ ...placed, id, time, row })
        }
        return found
      })

    const adopt = (bot: ExchangeBot, forgotten: ReadonlyArray<Forgotten>) =>
      Effect.gen(function*() {
        // A decided order is in progress: it is adopted first, or ended, because an account has one at a time.
        const inProgress = (each: Forgotten) => each.row?.status === "decided" ? 0 : 1
        for (const each of forgotten.toSorted((one, other) => inProgress(one) - inProgress(other))) {
          for (const { id, status } of yield* retryForever(orders.unfinished(account.id))) {
            if (status !== "decided" || id === each.id) continue
            const message = "It was decided before the exchange's orders were compared; nothing was sent."
            yield* retryForever(orders.end(id, { status: "held", message }))
          }
          const adopted = yield* retryForever(orders.adopt(account, bot, each))
          if (Option.isSome(adopted)) yield* finish(adopted.value)
        }
        // The row of a bot has the balance that a decided order left; of the other orders nothing is known.
        const lost = forgotten.filter(({ row }) => row?.status !== "decided")
        if (lost.length === 0) return
        yield* retryForever(store.pause(bot.id, pausedText(lost.length)))
        yield* Effect.logWarning("an exchange has orders that the ledger had forgotten; their bot is paused").pipe(
          Effect.annotateLogs({ account: account.id, pair: bot.pair, orders: lost.map(({ id }) => id).join(" ") })
        )
      })

    /** Compares the pairs of these bots, once each. Returns true when the ledger has changed. */
    return (bots: ReadonlyArray<ExchangeBot>) =>
      Effect.gen(function*() {
        let isChanged = false
        for (const bot of bots) {
          if (compared.has(bot.symbol)) continue
          const forgotten = yield* find(bot.symbol)
          if (forgotten.length > 0) {
            yield* adopt(bot, forgotten)
            isChanged = true
          }
          compared.add(bot.symbol)
        }
        return isChanged
      })
  })
