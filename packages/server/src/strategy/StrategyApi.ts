/** Handlers of strategy bots. Showing and deleting one needs only the database, for the wallet that set it. */
import { Caller } from "@vault-trader/core/endpoint/Admission"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { KillSwitch, stopping } from "@vault-trader/core/gas-wallet/KillSwitch"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { StrategyTradeStore } from "@vault-trader/core/intent/StrategyTradeStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { StrategyApi } from "@vault-trader/core/strategy/StrategyApi"
import { defaults, type StrategyBot, StrategyBots } from "@vault-trader/core/strategy/StrategyBot"
import { StrategyBotStore } from "@vault-trader/core/strategy/StrategyBotStore"
import type { CandleRow } from "@vault-trader/core/strategy/StrategyCandle"
import { decisionViewOf, eventViewOf, viewOf } from "@vault-trader/core/strategy/StrategyView"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { query, read } from "../gate/ActorCall.ts"
import * as NamedAsset from "../vault/NamedAsset.ts"
import * as StrategyReaders from "../vault/StrategyReaders.ts"
import { TraderNow } from "../vault/TraderNow.ts"
import * as Handlers from "../wire/Handlers.ts"

const hiddenMessage =
  "Strategy bots of other wallets are shown only to keys of the vault's trader, its manager and wallets in the " +
  "manager's list."

/** Decisions, candles and entries of the history that are shown of a bot. */
const shown = 50

const candleViewOf = ({ terms: { assets } }: StrategyBot) => ({ prices, time }: CandleRow) => ({
  time,
  prices: Object.fromEntries(assets.flatMap(({ address, symbol }) => {
    const found = prices[address]
    if (found === undefined) return []
    const { close, high, low, open } = found
    const text = (raw: bigint) => Quantity.format(raw, 18)
    return [[symbol, { open: text(open), high: text(high), low: text(low), close: text(close) }]]
  }))
})

const settingHandlers = Handlers.part(
  StrategyApi,
  Effect.gen(function*() {
    const actors = yield* StrategyBots.client
    const store = yield* StrategyTradeStore
    const switches = yield* KillSwitch

    return {
      getStrategies: ({ network, pool }) =>
        Effect.map(read(actors(idOf(network, pool)).strategies()), (strategies) => ({ strategies })),
      setStrategyBot: (params) =>
        Effect.gen(function*() {
          const { keyId, wallet } = yield* Caller
          const { assets: names, interval, mode = "paper", network, pool, strategy } = params
          const actor = actors(idOf(network, pool))
          const { assets, digest, history, inputs, quote } = yield* read(actor.prepare({
            ...{ wallet, strategy, assets: names, inputs: params.inputs ?? {} },
            quote: params.quote ?? defaults.quote
          })).pipe(
            Effect.mapError((failure) => NamedAsset.withParamName(failure, NamedAsset.namedIn("assets", names)))
          )
          const minimum = params.min_trade_usd ?? BigDecimal.fromStringUnsafe(defaults.minTradeUsd)
          const terms = {
            ...{ inputs, assets, quote, history, length: interval },
            maxUsd18: Quantity.toRaw(params.max_usd, 18),
            minTradeUsd18: Quantity.toRaw(minimum, 18),
            tolerance: params.tolerance ?? defaults.tolerance,
            slippage: params.slippage ?? defaults.slippage,
            maxImpact: params.max_impact ?? null,
            platform: params.platform ?? "auto"
          }
          const bot = yield* query(store.set({ network, pool, strategy, digest, wallet, keyId, terms, mode }))
          // Samples now, in the background: without this, the next reading would be the first.
          yield* Effect.forkDetach(Effect.ignore(Effect.timeout(actor.wake({ botId: bot.id }), "30 seconds")))
          const stopped = stopping(yield* query(switches.list), bot)
          return {
            data: viewOf(bot, stopped),
            message: `The bot of ${strategy} is set${mode === "paper" ? " on paper" : ""}. ${
              stopped === null ? "" : `${stopped}; the bot waits. `
            }Call getStrategyBots for what it does.`
          }
        })
    }
  })
)

const changingHandlers = Handlers.part(
  StrategyApi,
  Effect.gen(function*() {
    const store = yield* StrategyBotStore
    const changes = yield* StrategyTradeStore
    const switches = yield* KillSwitch
    const traderNow = yield* TraderNow
    const accessOf = yield* StrategyReaders.make

    return {
      deleteStrategyBot: ({ network, pool, strategy }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const found = (yield* query(store.ofVault(network, pool))).find((bot) => bot.strategy === strategy)
          if (found?.wallet !== wallet) yield* traderNow({ network, pool }, wallet)
          const removed = found === undefined
            ? undefined
            : Option.getOrUndefined(yield* query(changes.remove(found.id)))
          return removed === undefined
            ? { data: null, message: `The vault has no bot of ${strategy}; nothing changed.` }
            : {
              data: viewOf(removed, stopping(yield* query(switches.list), removed)),
              message: `The bot of ${strategy} is deleted.`
            }
        }),
      getStrategyBots: ({ network, pool }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const [found, on] = yield* query(Effect.all([store.ofVault(network, pool), switches.list]))
          const isOwn = found.length > 0 && found.every((bot) => bot.wallet === wallet)
          const reads = isOwn || (yield* accessOf({ network, pool }, wallet)).reads
          const visible = reads ? found : found.filter((bot) => bot.wallet === wallet)
          const bots = yield* Effect.forEach(visible, (bot) =>
            Effect.map(
              query(
                Effect.all([store.decisions(bot.id, shown), store.candles(bot.id, shown), store.events(bot.id)])
              ),
              ([decisions, candles, events]) => ({
                data: viewOf(bot, stopping(on, bot)),
                decisions: decisions.map(decisionViewOf),
                candles: candles.map(candleViewOf(bot)),
                events: events.map(eventViewOf)
              })
            ))
          return { bots, message: reads ? null : hiddenMessage }
        })
    }
  })
)

export const StrategyApiLive = Handlers.layer(
  StrategyApi,
  Effect.gen(function*() {
    return { ...(yield* settingHandlers), ...(yield* changingHandlers) }
  })
).pipe(
  Layer.provide([StrategyTradeStore.layer, StrategyBotStore.layer, ManagerStore.layer]),
  Layer.provide([IntentStore.layer, KillSwitch.layer])
)
