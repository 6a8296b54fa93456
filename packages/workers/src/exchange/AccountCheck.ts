/**
 * Checks an account once: completes orders in progress, then lets each bot decide on fresh balances, one order at a
 * time.
 */
import { hasBracket, type Quotation } from "@vault-trader/core/exchange/ExchangeBracket"
import type { MarketRules, PairView } from "@vault-trader/core/exchange/ExchangeDecision"
import { type ExchangeAccount, type ExchangeBot, isWatched } from "@vault-trader/core/exchange/ExchangeAccount"
import { dollars } from "@vault-trader/core/exchange/Exchanges"
import type { ExchangeOrder } from "@vault-trader/core/exchange/ExchangeOrder"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { explain } from "@vault-trader/core/failure/Explanation"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { walletScope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { Ccxt } from "../ccxt/Ccxt.ts"
import type { AccountClient, Market } from "../ccxt/ExchangeClient.ts"
import { type ExchangeFailure, type ExchangeRefused, explainFailure } from "../ccxt/ExchangeFailure.ts"
import { retryForever, retryUnlessRefused } from "../actor/Retry.ts"
import * as BracketCheck from "./BracketCheck.ts"
import * as ForgottenOrders from "./ForgottenOrders.ts"
import * as OrderExecution from "./OrderExecution.ts"
import * as TrendStrategy from "./TrendStrategy.ts"
import * as TurnOutcome from "./TurnOutcome.ts"

const zero = BigDecimal.fromBigInt(0n)
const one = BigDecimal.fromBigInt(1n)

/** Returns US dollars per unit of the quote; none when the exchange has no market for it. */
const usdOf = (
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

/** A pair as a check sees it. */
export type Sight = PairView & Quotation

/** Reads balances, prices and the quote's dollar value for a bot's pair. */
export const sightOf = (client: AccountClient, market: Market, balances: ReadonlyMap<string, BigDecimal.BigDecimal>) =>
  Effect.gen(function*() {
    const usd = yield* usdOf(client, yield* client.markets, market.quote)
    const { ask, bid, last } = yield* client.ticker(market.symbol)
    return Option.map(
      usd,
      (perQuote): Sight => ({
        base: balances.get(market.base) ?? zero,
        quote: balances.get(market.quote) ?? zero,
        ...{ bid, ask, last: BigDecimal.fromNumberUnsafe(last) },
        usd: perQuote
      })
    )
  })

/** Services that a check requires. */
export type Needs = ExchangeStore | ExchangeOrderStore | KeyLimitStore | Ccxt

type TurnOutcomes = Effect.Success<typeof TurnOutcome.make>

/** Builds the function that completes an order and records it for its bot, unless the bot has a newer revision. */
const makeSettlement = (account: ExchangeAccount, client: AccountClient, outcome: TurnOutcomes) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const { finish } = yield* OrderExecution.make(client, account.exchange)
    return (order: ExchangeOrder) =>
      Effect.gen(function*() {
        yield* finish(order)
        const bot = (yield* retryForever(store.bots(account.id))).find(({ id }) => id === order.botId)
        if (bot !== undefined && bot.revision === order.revision) yield* outcome.recordOrder(bot, order.id)
      })
  })
type Settle = Effect.Success<ReturnType<typeof makeSettlement>>

/** Builds the function that decides for one bot on fresh balances and prices, and executes what it decides. */
const makeTurn = (account: ExchangeAccount, client: AccountClient, outcome: TurnOutcomes, settle: Settle) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const orders = yield* ExchangeOrderStore
    const limits = yield* KeyLimitStore
    const switches = yield* KillSwitch
    const brackets = yield* BracketCheck.make(account)

    /** Decides for one bot; returns true when an order was sent. */
    const decideAndOrder = (given: ExchangeBot, accepted: ExchangeOrder | undefined, market: Market & MarketRules) =>
      Effect.gen(function*() {
        const sight = yield* sightOf(client, market, yield* client.balances)
        if (Option.isNone(sight)) {
          return yield* outcome.hold(
            given,
            accepted,
            `${account.exchange} has no price of ${market.quote} in US dollars.`
          )
        }
        const { bot, decision } = yield* brackets.decideBot(given, sight.value, market)
        if (decision._tag === "hold") {
          return yield* outcome.hold(bot, accepted, decision.reason)
        }
        const [activeSwitch] = yield* retryForever(switches.on(["service", walletScope(account.wallet)]))
        if (activeSwitch !== undefined) {
          return yield* outcome.refuse(
            bot,
            accepted,
            explain({ _tag: "SigningStopped", ...activeSwitch }),
            "neither"
          )
        }
        const limitFailure = yield* retryForever(
          limits.refusal({ wallet: account.wallet, vaults: [], usd18: BigDecimal.scale(decision.usd, 18).value })
        )
        if (Option.isSome(limitFailure)) {
          return yield* outcome.refuse(bot, accepted, limitFailure.value, TurnOutcome.countOf(limitFailure.value))
        }
        const order = accepted ?? Option.getOrUndefined(yield* retryForever(orders.begin({ account, bot })))
        if (order === undefined) {
          return false
        }
        const decided = yield* retryUnlessRefused(orders.decide(order.id, bot.revision, decision))
        // Another sale of the wallet was counted in the meantime.
        if (Result.isFailure(decided)) {
          return yield* outcome.refuse(bot, order, decided.failure, TurnOutcome.countOf(decided.failure))
        }
        if (Option.isNone(decided.success)) return false
        yield* settle(decided.success.value)
        return true
      })

    /** Returns the bot with the side its strategy now chooses. */
    const withStrategySide = (bot: ExchangeBot) =>
      bot.strategy === "custom" ?
        Effect.succeed(bot) :
        Effect.flatMap(TrendStrategy.chooseSide(client, bot.symbol), (side) =>
          Option.isNone(side) || side.value === bot.side
            ? Effect.succeed(bot)
            : retryForever(store.turn(bot.id, side.value)))

    return (bot: ExchangeBot, accepted: ExchangeOrder | undefined, market: Market) =>
      Effect.flatMap(withStrategySide(bot), (now) => decideAndOrder(now, accepted, market)).pipe(
        Effect.catchTag(
          "ExchangeRefused",
          (refused: ExchangeRefused) => outcome.refuse(bot, accepted, explainFailure(refused, "nothingSent"), "failed")
        )
      )
  })

/** Checks whether a bot has nothing to decide until it is set again. */
const isIdle = (bot: ExchangeBot) =>
  bot.exit !== null ? bot.exit.ended : bot.side === "hold" && bot.strategy === "custom" && !hasBracket(bot)

export const make = (account: ExchangeAccount, client: AccountClient) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const orders = yield* ExchangeOrderStore
    const outcome = yield* TurnOutcome.make
    const settle = yield* makeSettlement(account, client, outcome)
    const takeTurn = yield* makeTurn(account, client, outcome, settle)
    const compareOrders = yield* ForgottenOrders.make(account, client, settle)

    /** Compares the ledger with the exchange. False: the exchange refuses it, so that nothing may be decided. */
    const compare = (bots: ReadonlyArray<ExchangeBot>, unfinished: ReadonlyArray<ExchangeOrder>) =>
      Effect.as(compareOrders(bots), true).pipe(
        Effect.catchTag("ExchangeRefused", (refused: ExchangeRefused) =>
          Effect.as(
            Effect.forEach(bots.filter(isWatched), (bot) =>
              outcome.refuse(
                bot,
                unfinished.find(({ botId, status }) => botId === bot.id && status === "accepted"),
                explainFailure(refused, "nothingSent"),
                "failed"
              )),
            false
          ))
      )

    const check = Effect.gen(function*() {
      const unfinished = yield* retryForever(orders.unfinished(account.id))
      for (const order of unfinished) if (order.status === "sending") yield* settle(order)
      const now = yield* Clock.currentTimeMillis
      const awake = (yield* retryForever(store.bots(account.id))).filter((bot) =>
        isWatched(bot) && !BracketCheck.waits(bot, now) || unfinished.some(({ botId }) => botId === bot.id)
      )
      if (!(yield* compare(awake, unfinished))) return
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
        const order of acceptedOrders.filter(({ botId }) => !bots.some((bot) => bot.id === botId && isWatched(bot)))
      ) {
        yield* retryForever(
          orders.end(order.id, { status: "held", message: "The bot was stopped before it decided; nothing was sent." })
        )
      }
      const markets = yield* client.markets
      // Nothing is decided in a pair that was not compared.
      for (const bot of bots.filter((each) => isWatched(each) && awake.some(({ id }) => id === each.id))) {
        const accepted = acceptedOrders.find(({ botId }) => botId === bot.id)
        if (accepted === undefined && (isIdle(bot) || BracketCheck.waits(bot, now))) continue
        const market = markets.get(bot.symbol)
        if (market === undefined) yield* outcome.hold(bot, accepted, `${account.exchange} no longer lists ${bot.pair}.`)
        else yield* takeTurn(bot, accepted, market)
      }
    }).pipe(Effect.withSpan("ExchangeAccount.look", { attributes: { exchange: account.exchange } }))
    return { check }
  })
