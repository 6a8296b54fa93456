/**
 * Watches the bracket of a bot: commits its trigger once two checks have seen it at believable prices, and decides what
 * is sold until the position is closed. After a death it resumes from the bot's row and the ledger of orders.
 */
import type { ExchangeAccount, ExchangeBot } from "@vault-trader/core/exchange/ExchangeAccount"
import {
  conditionOf,
  confirms,
  describe,
  doubtText,
  hasBracket,
  isConfirmedBid,
  type Position,
  positionOf,
  type Quotation,
  remainderOf,
  type Sighting,
  waitText
} from "@vault-trader/core/exchange/ExchangeBracket"
import {
  decide,
  type Decision,
  type MarketRules,
  type PairView,
  show,
  type Terms
} from "@vault-trader/core/exchange/ExchangeDecision"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { retryForever } from "../actor/Retry.ts"
import type { Market } from "../ccxt/ExchangeClient.ts"

const zero = BigDecimal.fromBigInt(0n)
/** More US dollars than any order is worth. */
const noMaximum = BigDecimal.make(1n, -30)
/** Seconds before a failed attempt is repeated: doubled with each failure. */
const [firstPause, longestPause] = [15, 900]

/** Decides what a bot that paused itself does until its bracket is triggered. */
const watches: Decision = {
  ...{ _tag: "hold", isTooSmall: false },
  reason: "The bot has paused itself; its take-profit and stop-loss are watched."
}

/** Checks whether an exit that failed, or a paused bot whose prices could not be read, waits before its next attempt. */
export const waits = ({ exit, failures, lastDecision, watching }: ExchangeBot, nowMillis: number): boolean =>
  (exit !== null || watching) && failures > 0 && lastDecision !== null &&
  nowMillis < Date.parse(lastDecision.at) + 1000 * Math.min(longestPause, firstPause * 2 ** (failures - 1))

/** Returns the terms on which what is left of a position is sold. */
const exitTerms = ({ maxUsd }: Pick<Terms, "maxUsd">, base: BigDecimal.BigDecimal, left: BigDecimal.BigDecimal) => ({
  ...{ side: "neutral", share: 100, maxUsd, owed: zero, closes: true } as const,
  rest: BigDecimal.isGreaterThan(base, left) ? BigDecimal.subtract(base, left) : zero
})

/**
 * Builds the function that commits the exit of a bot whose bracket is triggered, and returns the bot as it then is; or
 * why a bid that fulfils its condition does not trigger it.
 */
const makeTriggered = (account: ExchangeAccount) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const orders = yield* ExchangeOrderStore
    const { slippage } = account.settings

    /** The positions of pairs, each with the newest executed order that it was computed from. */
    const known = new Map<string, { readonly newest: string | undefined; readonly position: Position | undefined }>()

    /** Returns what the pair's executed orders have built. They are read again after another one was executed. */
    const positionIn = ({ base, symbol }: Pick<Market, "base"> & { readonly symbol: string }) =>
      Effect.gen(function*() {
        const newest = yield* retryForever(orders.newestExecuted(account.id, symbol))
        const found = known.get(symbol)
        if (found !== undefined && found.newest === newest) return found.position
        const executed = yield* retryForever(orders.executed(account.id, symbol))
        const position = positionOf(executed, base)
        known.set(symbol, { newest: executed.at(-1)?.id, position })
        return position
      })

    /** Of each bot the first check in a row that saw its condition. A restart forgets it, and confirms again. */
    const sightings = new Map<string, Sighting>()

    /** Returns true once two checks have seen the condition; notes the first one. */
    const isConfirmed = ({ id, revision }: ExchangeBot, condition: Sighting["condition"]) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        const [earlier, now] = [sightings.get(id), { condition, revision, at }]
        if (earlier?.condition !== condition || earlier.revision !== revision) sightings.set(id, now)
        return confirms(earlier, now)
      })

    return (bot: ExchangeBot, sight: PairView & Quotation, market: Market & MarketRules) =>
      Effect.gen(function*() {
        if (bot.exit !== null || bot.side === "neutral" || !hasBracket(bot)) return { bot, waits: null }
        const position = yield* positionIn({ base: market.base, symbol: bot.symbol })
        const condition = position === undefined ? undefined : conditionOf(bot, position.entry, sight.bid)
        if (position === undefined || condition === undefined) {
          sightings.delete(bot.id)
          return { bot, waits: null }
        }
        // A bid that nothing confirms is no sighting, and takes none away.
        if (!isConfirmedBid(sight)) return { bot, waits: doubtText(sight, market.quote) }
        // Others may have taken some of it out of the account.
        const amount = BigDecimal.isGreaterThan(position.amount, sight.base) ? sight.base : position.amount
        const terms = { ...exitTerms({ maxUsd: noMaximum }, sight.base, amount), slippage }
        if (decide(terms, sight, market, [market.base, market.quote])._tag === "hold") return { bot, waits: null }
        if (!(yield* isConfirmed(bot, condition))) return { bot, waits: waitText(condition, sight, market.quote) }
        sightings.delete(bot.id)
        const begun = yield* retryForever(store.beginExit(bot, {
          ...{ condition, entry: show(position.entry), price: show(sight.bid), amount: show(amount) },
          at: DateTime.formatIso(yield* DateTime.now)
        }))
        return { bot: Option.getOrElse(begun, () => bot), waits: null }
      })
  })

/** Builds the decision on the next sale of an exit, which ends it when what is left is not worth an order. */
const makeDecideExit = (account: ExchangeAccount) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const orders = yield* ExchangeOrderStore
    const { slippage } = account.settings
    return (
      bot: ExchangeBot,
      exit: NonNullable<ExchangeBot["exit"]>,
      sight: PairView & Quotation,
      market: Market & MarketRules
    ) =>
      Effect.gen(function*() {
        const sold = yield* retryForever(orders.soldBy(bot, exit.revision))
        const left = remainderOf(exit, sold)
        const pair = [market.base, market.quote] as const
        const about = describe(exit, market.quote)
        const whole = decide(
          { ...exitTerms({ maxUsd: noMaximum }, left, left), slippage },
          { ...sight, base: left },
          market,
          pair
        )
        if (exit.ended || (whole._tag === "hold" && whole.isTooSmall)) {
          yield* retryForever(store.endExit(bot))
          return { ...whole, _tag: "hold", reason: `${about} What the bot bought is sold.`, isTooSmall: true } as const
        }
        if (!isConfirmedBid(sight)) {
          return { _tag: "hold", reason: `${about} ${doubtText(sight, market.quote)}`, isTooSmall: false } as const
        }
        const decision: Decision = decide({ ...exitTerms(bot, sight.base, left), slippage }, sight, market, pair)
        return { ...decision, reason: `${about} ${decision.reason}` }
      })
  })

export const make = (account: ExchangeAccount) =>
  Effect.gen(function*() {
    const { slippage } = account.settings
    const triggered = yield* makeTriggered(account)
    const decideExit = yield* makeDecideExit(account)

    /** Decides for a bot; returns it as it is once its bracket was checked. */
    const decideBot = (given: ExchangeBot, sight: PairView & Quotation, market: Market & MarketRules) =>
      Effect.gen(function*() {
        const { bot, waits } = yield* triggered(given, sight, market)
        // Nothing is bought at a price at which the bracket may be about to sell.
        if (waits !== null) return { bot, decision: { _tag: "hold", reason: waits, isTooSmall: false } as const }
        if (bot.exit === null && bot.watching) return { bot, decision: watches }
        const decision: Decision = bot.exit === null
          ? decide({ ...bot, slippage }, sight, market, [market.base, market.quote])
          : yield* decideExit(bot, bot.exit, sight, market)
        return { bot, decision }
      })
    return { decideBot }
  })
