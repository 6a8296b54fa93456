/** Handlers of threshold bots. Stopping one, and showing it to the wallet that set it, asks the rows alone, so that it works when no node does. */
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { KillSwitch, stopping } from "@vault-trader/core/gas-wallet/KillSwitch"
import { Caller, Principal } from "@vault-trader/core/endpoint/Admission"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { type BotSet, type ThresholdBot, standard, viewOf } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { legsOf, ThresholdBotApi } from "@vault-trader/core/threshold-bot/ThresholdBotApi"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { Turns } from "@vault-trader/core/threshold-bot/Turns"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { query } from "../gate/ActorCall.ts"
import { botOf } from "../index-bot/IndexBotViews.ts"
import * as StrategyReaders from "../vault/StrategyReaders.ts"
import { TraderNow } from "../vault/TraderNow.ts"
import * as RepeatedBot from "./RepeatedBot.ts"
import { isOfLegs, SetBot } from "./SetBot.ts"

/** What the caller is told of a bot that was set. */
const sentence = ({ pair, side }: ThresholdBot) =>
  side === "hold"
    ? `The bot of ${pair} is set to hold: it does nothing until it is set to a side.`
    : `The bot of ${pair} is set to ${side}; a rebalance is under way. Ask getIntent for what becomes of it.`

/** The answer to a setting that waits for a node. */
export const waits = {
  status: "pending" as const,
  intent_id: null,
  tx_hash: null,
  message: "No node of the network answers. The setting is kept: the bot is set and its rebalance begins when one does. getBotStatus shows it under `waiting`."
}

/** Why a status shows less than there is. */
const hiddenMessage = ({ known }: StrategyReaders.Standing) =>
  known
    ? "The strategy is shown to keys of the vault's trader, of its manager, of wallets in the manager's list and of the wallet that set the bot."
    : "The vault's trader and manager could not be read just now, so the strategy is shown to the key of the wallet that set the bot only. Try again."

/** What setting a bot answers with; a kill switch that keeps it from acting is told. */
export const answerOf = ({ bot, intentId }: BotSet, switches: KillSwitch["Service"]) =>
  Effect.map(query(switches.list), (on) => {
    const stopped = stopping(on, bot)
    const message = stopped === null ? sentence(bot) : `${sentence(bot)} ${stopped}; the bot waits.`
    return { status: "success" as const, intent_id: intentId, tx_hash: null, message, data: viewOf(bot, stopped) }
  })

export const ThresholdBotApiLive = ThresholdBotApi.toLayer(Effect.gen(function*() {
  const setBot = yield* SetBot
  const traderNow = yield* TraderNow
  const turns = yield* Turns
  const waiting = yield* WaitingSettings
  const store = yield* ThresholdBotStore
  const indexes = yield* IndexBotStore
  const switches = yield* KillSwitch
  const managers = yield* ManagerStore
  const mayRead = yield* StrategyReaders.make
  const repeated = yield* RepeatedBot.make
  return {
    setBot: (params) =>
      Effect.gen(function*() {
        const { keyId, repeats, wallet } = yield* Caller
        const [base, quote] = legsOf(params.pair)
        const terms = {
          base,
          quote,
          side: params.side,
          threshold: params.threshold ?? standard.threshold,
          share: params.share ?? standard.share,
          maxUsd: params.max_usd ?? BigDecimal.fromStringUnsafe(standard.maxUsd),
          slippage: params.slippage ?? standard.slippage,
          platform: params.platform ?? "auto",
          lending: params.lending ?? false,
          paper: params.paper ?? false
        } as const
        const { network, pool } = params
        if (repeats !== undefined) return yield* answerOf(yield* repeated(repeats, { network, pool, terms }), switches)
        const set = yield* setBot({ wallet, keyId, network, pool, terms, idempotencyKey: params.idempotency_key ?? null })
        return set === "waiting" ? waits : yield* answerOf(set, switches)
      }),
    deleteBot: ({ network, pair, pool }) =>
      Effect.gen(function*() {
        const { wallet } = yield* Caller
        const [base, quote] = pair === undefined ? [] : legsOf(pair)
        const forgotten = yield* query(waiting.remove({ network, pool, wallet }, base === undefined || quote === undefined ? null : [base, quote]))
        const found = yield* query(store.ofVault(network, pool))
        const named = base === undefined || quote === undefined ? found : found.filter((bot) => isOfLegs(bot, base, quote))
        const own = named.filter((bot) => bot.wallet === wallet)
        const others = named.filter((bot) => bot.wallet !== wallet)
        const removal = (bots: ReadonlyArray<ThresholdBot>) => query(turns.remove(bots.map(({ id }) => id)))
        const removed = [...(yield* removal(own))]
        // Bots of other wallets are for the vault's trader to delete.
        const allowed = others.length === 0 ? Result.void : yield* Effect.result(traderNow({ network, pool }, wallet))
        if (Result.isSuccess(allowed)) removed.push(...(yield* removal(others)))
        else if (own.length === 0 && forgotten === 0) return yield* allowed.failure
        const pairs = removed.map((bot) => bot.pair)
        const left = Result.isFailure(allowed) ? `Of other wallets: ${others.map((bot) => bot.pair).join(", ")}; not removed. ${allowed.failure.message}` : ""
        const message = [
          pairs.length > 0 ? `Removed the bot of ${pairs.join(", ")}.` : forgotten === 0 ? "There is no such bot; nothing changed." : "",
          forgotten > 0 ? "A setting that waited for a node is removed." : "",
          left
        ].filter((text) => text !== "").join(" ")
        return { status: "success" as const, removed: pairs, message }
      }),
    getBotStatus: ({ network, pool }) =>
      Effect.gen(function*() {
        const { wallet } = yield* Caller
        const [found, index, on, settings] = yield* query(
          Effect.all([store.ofVault(network, pool), indexes.find(network, pool), switches.list, waiting.ofVault(network, pool)])
        )
        const views = found.map((bot) => ({ setter: bot.wallet, view: viewOf(bot, stopping(on, bot)) }))
        const basket = Option.getOrNull(Option.map(index, (bot) => botOf(bot, Option.none(), stopping(on, bot))))
        const setters = [...found.map((bot) => bot.wallet), ...(basket === null ? [] : [basket.gasWallet])]
        const standing = setters.every((setter) => setter === wallet) ? { reads: true, known: true } : yield* mayRead({ network, pool }, wallet)
        const visible = (setter: string) => standing.reads || setter === wallet
        const bots = views.filter(({ setter }) => visible(setter))
        const shown = basket !== null && visible(basket.gasWallet) ? basket : null
        const data = {
          network,
          pool,
          gasWallet: bots[0]?.setter ?? shown?.gasWallet ?? null,
          active: views.some(({ view }) => view.active) || basket?.active === true,
          hasBot: found.length > 0,
          bots: bots.map(({ view }) => view),
          waiting: settings.filter((setting) => setting.wallet === wallet).map(({ createdAt, refused, terms }) =>
            ({ pair: `${terms.base}-${terms.quote}`, side: terms.side, since: createdAt.toISOString(), refused })),
          hasAllocations: basket !== null,
          allocations: shown?.targets ?? [],
          index: shown
        }
        return { status: "success" as const, message: setters.every(visible) ? null : hiddenMessage(standing), data }
      }),
    getAllBots: ({ network }) =>
      Effect.gen(function*() {
        const principal = yield* Principal
        const wallets = principal._tag === "key" ? [principal.caller] : yield* query(managers.walletsOf({ manager: principal.manager, network: network ?? null }))
        const shown = (bot: { readonly network: string }) => network === undefined || bot.network === network
        const addresses = wallets.map(({ wallet }) => wallet)
        const [found, index, on] = yield* query(Effect.all([store.ofWallets(addresses), indexes.ofWallets(addresses), switches.list]))
        return {
          status: "success" as const,
          bots: found.filter(shown).map((bot) => ({ network: bot.network, pool: bot.pool, gasWallet: bot.wallet, ...viewOf(bot, stopping(on, bot)) })),
          index_bots: index.filter(shown).map((bot) => botOf(bot, Option.none(), stopping(on, bot)))
        }
      })
  }
}))
