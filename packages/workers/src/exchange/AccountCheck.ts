/**
 * Checks an account once: completes orders in progress, then lets each bot decide on fresh balances, one order at a
 * time.
 */
import { decide, type MarketRules, type Sight } from "@vault-trader/core/exchange/ExchangeDecision"
import type { ExchangeAccount, ExchangeBot, LastDecision } from "@vault-trader/core/exchange/ExchangeAccount"
import { dollars } from "@vault-trader/core/exchange/Exchanges"
import { type ExchangeOrder, isOver } from "@vault-trader/core/exchange/ExchangeOrder"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { KillSwitch, stoppedText, walletScope } from "@vault-trader/core/gas-wallet/KillSwitch"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import * as BigDecimal from "effect/BigDecimal"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Ccxt } from "../ccxt/Ccxt.ts"
import type { AccountClient, Market } from "../ccxt/ExchangeClient.ts"
import { type ExchangeFailure, type ExchangeRefused, told } from "../ccxt/ExchangeFailure.ts"
import { retryForever, retryUnlessRefused } from "../actor/Retry.ts"
import * as OrderExecution from "./OrderExecution.ts"
import * as TrendStrategy from "./TrendStrategy.ts"

const zero = BigDecimal.fromBigInt(0n)
const one = BigDecimal.fromBigInt(1n)

/** Returns US dollars per unit of the quote; none when the exchange has no market for it. */
export const usdOf = (
  client: AccountClient,
  markets: ReadonlyMap<string, Market>,
  quote: string
): Effect.Effect<Option.Option<BigDecimal.BigDecimal>, ExchangeFailure> => {
  if (dollars.has(quote)) return Effect.succeedSome(one)
  const market = [...dollars].map((dollar) => markets.get(`${quote}/${dollar}`)).find((found) => found !== undefined)
  return market === undefined
    ? Effect.succeedNone
    : Effect.map(client.ticker(market.symbol), ({ bid }) => Option.some(bid))
}

/** Reads balances, prices and the quote's dollar value for a bot's pair. */
export const sightOf = (client: AccountClient, market: Market, balances: ReadonlyMap<string, BigDecimal.BigDecimal>) =>
  Effect.gen(function*() {
    const usd = yield* usdOf(client, yield* client.markets, market.quote)
    const { ask, bid } = yield* client.ticker(market.symbol)
    return Option.map(
      usd,
      (perQuote): Sight => ({
        base: balances.get(market.base) ?? zero,
        quote: balances.get(market.quote) ?? zero,
        bid,
        ask,
        usd: perQuote
      })
    )
  })

const nowText = Effect.map(DateTime.now, DateTime.formatIso)

/** Services that a check requires. */
export type Needs = ExchangeStore | ExchangeOrderStore | KeyLimitStore | Ccxt

export const make = (account: ExchangeAccount, client: AccountClient) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const orders = yield* ExchangeOrderStore
    const limits = yield* KeyLimitStore
    const switches = yield* KillSwitch
    const { finish } = yield* OrderExecution.make(client, account.exchange)

    /** Records how a turn ended. A turn without an order only updates the bot's last decision. */
    const conclude = (
      bot: ExchangeBot,
      end: Omit<LastDecision, "at">,
      orderId: string | null,
      counts: "succeeded" | "failed" | "neither",
      owed: BigDecimal.BigDecimal | null = null
    ) =>
      Effect.gen(function*() {
        const { lastDecision } = bot
        if (
          orderId === null && counts === "neither" && lastDecision?.action === end.action &&
          lastDecision.reason === end.reason
        ) return
        yield* retryForever(store.ended(bot.id, { decision: { ...end, at: yield* nowText }, orderId, counts, owed }))
      })

    const afterOrder = (bot: ExchangeBot, id: string) =>
      Effect.gen(function*() {
        const order = Option.getOrUndefined(yield* retryForever(orders.find(id)))
        if (order === undefined || !isOver(order.status)) return
        const reason = order.message ?? ""
        if (order.status === "refused") {
          return yield* conclude(bot, { action: "failed", reason }, id, counting(order.failure), missing(order))
        }
        yield* conclude(
          bot,
          { action: order.status === "closed" ? "order" : "failed", reason },
          id,
          order.status === "closed" ? "succeeded" : "neither",
          missing(order)
        )
      })

    /** Completes an order and records it for its bot, unless the bot has a newer revision. */
    const settle = (order: ExchangeOrder) =>
      Effect.gen(function*() {
        yield* finish(order)
        const bot = (yield* retryForever(store.bots(account.id))).find(({ id }) => id === order.botId)
        if (bot !== undefined && bot.revision === order.revision) yield* afterOrder(bot, order.id)
      })

    const hold = (bot: ExchangeBot, accepted: ExchangeOrder | undefined, reason: string) =>
      Effect.gen(function*() {
        if (accepted !== undefined) {
          yield* retryForever(orders.end(accepted.id, { status: "held", message: `${reason} Nothing was sent.` }))
        }
        yield* conclude(
          bot,
          { action: "hold", reason },
          accepted?.id ?? null,
          accepted === undefined ? "neither" : "succeeded"
        )
        return false
      })

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

    /** Decides for one bot; returns true when an order was sent. */
    const turn = (bot: ExchangeBot, accepted: ExchangeOrder | undefined, market: Market & MarketRules) =>
      Effect.gen(function*() {
        const sight = yield* sightOf(client, market, yield* client.balances)
        if (Option.isNone(sight)) {
          return yield* hold(bot, accepted, `${account.exchange} has no price of ${market.quote} in US dollars.`)
        }
        const decision = decide({ ...bot, slippage: account.settings.slippage }, sight.value, market, [
          market.base,
          market.quote
        ])
        if (decision._tag === "hold") {
          return yield* hold(bot, accepted, decision.reason)
        }
        const [activeSwitch] = yield* retryForever(switches.on(["service", walletScope(account.wallet)]))
        if (activeSwitch !== undefined) {
          return yield* refuse(bot, accepted, {
            errorType: "paused",
            message: `${stoppedText(activeSwitch)}; nothing was sent.`
          }, "neither")
        }
        const limitFailure = yield* retryForever(
          limits.refusal({ wallet: account.wallet, vaults: [], usd18: BigDecimal.scale(decision.usd, 18).value })
        )
        if (Option.isSome(limitFailure)) {
          return yield* refuse(bot, accepted, limitFailure.value, counting(limitFailure.value))
        }
        const order = accepted ?? Option.getOrUndefined(yield* retryForever(orders.begin({ account, bot })))
        if (order === undefined) {
          return false
        }
        const decided = yield* retryUnlessRefused(orders.decide(order.id, bot.revision, decision))
        // Another sale of the wallet was counted in the meantime.
        if (Result.isFailure(decided)) {
          return yield* refuse(bot, order, decided.failure, counting(decided.failure))
        }
        if (Option.isNone(decided.success)) return false
        yield* settle(decided.success.value)
        return true
      })

    /** Returns the bot with the side its strategy now chooses. */
    const withStrategySide = (bot: ExchangeBot) =>
      bot.strategy === "custom" ?
        Effect.succeed(bot) :
        Effect.flatMap(TrendStrategy.wanted(client, bot.symbol), (side) =>
          Option.isNone(side) || side.value === bot.side
            ? Effect.succeed(bot)
            : retryForever(store.turn(bot.id, side.value)))

    const attempt = (bot: ExchangeBot, accepted: ExchangeOrder | undefined, market: Market) =>
      Effect.flatMap(withStrategySide(bot), (now) => turn(now, accepted, market)).pipe(
        Effect.catchTag("ExchangeRefused", (refused: ExchangeRefused) =>
          refuse(bot, accepted, {
            errorType: "exchange_rejected",
            message: `${told(refused).message} Nothing was sent.`
          }, "failed"))
      )

    const check = Effect.gen(function*() {
      for (const order of yield* retryForever(orders.unfinished(account.id))) {
        if (order.status !== "accepted") {
          yield* settle(order)
        }
      }
      const bots = yield* retryForever(store.bots(account.id))
      const acceptedOrders = (yield* retryForever(orders.unfinished(account.id))).filter(({ status }) =>
        status === "accepted"
      )
      // Ends accepted turns whose bot was removed or deactivated.
      for (
        const order of acceptedOrders.filter(({ botId }) => !bots.some(({ active, id }) => id === botId && active))
      ) {
        yield* retryForever(
          orders.end(order.id, { status: "held", message: "The bot was stopped before it decided; nothing was sent." })
        )
      }
      const markets = yield* client.markets
      for (const bot of bots.filter(({ active }) => active)) {
        const accepted = acceptedOrders.find(({ botId }) => botId === bot.id)
        if (accepted === undefined && bot.side === "hold" && bot.strategy === "custom") continue
        const market = markets.get(bot.symbol)
        if (market === undefined) yield* hold(bot, accepted, `${account.exchange} no longer lists ${bot.pair}.`)
        else yield* attempt(bot, accepted, market)
      }
    }).pipe(Effect.withSpan("ExchangeAccount.look", { attributes: { exchange: account.exchange } }))
    return { look: check }
  })

/**
 * Returns whether a failure counts against the bot. Stops and limits do not: they end without the bot, such as a daily
 * limit.
 */
const counting = (failure: { readonly errorType: string } | null): "failed" | "neither" =>
  failure?.errorType === "paused" || failure?.errorType === "limit_exceeded" ? "neither" : "failed"

/** Returns the unfilled part of an order, in the asset it sells. */
const missing = ({ amount, filled, limit, side, status }: ExchangeOrder): BigDecimal.BigDecimal => {
  if (amount === null || limit === null || status === "held") return zero
  const rest = BigDecimal.subtract(amount, filled ?? zero)
  return !BigDecimal.isPositive(rest) ? zero : side === "buy" ? BigDecimal.multiply(rest, limit) : rest
}
