/**
 * Handlers of threshold bots. Stopping a bot, and showing it to the wallet that set it, needs only the database, so it
 * works without nodes.
 */
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { KillSwitch, stopping, stoppingThresholdBot } from "@vault-trader/core/gas-wallet/KillSwitch"
import { VaultLinkStore } from "@vault-trader/core/gas-wallet/VaultLinkStore"
import { Caller, Principal } from "@vault-trader/core/endpoint/Admission"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import {
  type BotSet,
  type BotTerms,
  type ThresholdBot,
  defaults,
  viewOf
} from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotApi } from "@vault-trader/core/threshold-bot/ThresholdBotApi"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { BotTurnStore } from "@vault-trader/core/intent/BotTurnStore"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Handlers from "../wire/Handlers.ts"
import { query } from "../gate/ActorCall.ts"
import { botOf } from "../index-bot/IndexBotViews.ts"
import * as StrategyReaders from "../vault/StrategyReaders.ts"
import { TraderNow } from "../vault/TraderNow.ts"
import * as RepeatedBot from "./RepeatedBot.ts"
import { isOfLegs } from "@vault-trader/core/chain/PairMatch"
import { legsOf } from "@vault-trader/core/chain/PairText"
import { SetBot, SetBotStores } from "./SetBot.ts"

/** Describes a bot that was set. */
const setMessage = ({ pair, side }: ThresholdBot) =>
  side === "hold"
    ? `The bot of ${pair} is set to hold: it does nothing until it is set to a side.`
    : `The bot of ${pair} is set to ${side}; a rebalance is in progress. Call getIntent for the outcome.`

/** The response to a setting that waits for a node. */
export const waits = {
  status: "pending" as const,
  intent_id: null,
  tx_hash: null,
  message: "No node of the network responds. The setting is stored; the bot is set and rebalances as soon as one " +
    "responds. getBotStatus lists it under `waiting`."
}

/** Explains why a status omits bots of other wallets. It does not depend on whether there are any. */
const hiddenMessage = ({ known }: StrategyReaders.ReaderCheck) =>
  known
    ? "Bots are shown only to keys of the vault's trader, its manager, wallets in the manager's list and the wallet " +
      "that set the bot."
    : "The vault's trader and manager could not be read, so a bot is shown only to keys of the wallet that set it. Try again."

/** Builds the response to setting a bot. It mentions a kill switch that stops the bot. */
export const answerOf = ({ bot, intentId }: BotSet, switches: KillSwitch["Service"]) =>
  Effect.map(query(switches.list), (on) => {
    const stopped = stoppingThresholdBot(on, bot)
    const message = stopped === null ? setMessage(bot) : `${setMessage(bot)} ${stopped}; the bot waits.`
    return { intent_id: intentId, tx_hash: null, message, data: viewOf(bot, stopped) }
  })

/** Builds a bot's terms from the parameters of setBot. */
const termsOf = (params: Handlers.Params<typeof ThresholdBotApi, "setBot">): BotTerms => {
  const [base, quote] = legsOf(params.pair)
  return {
    base,
    quote,
    side: params.side,
    threshold: params.threshold ?? defaults.threshold,
    share: params.share ?? defaults.share,
    maxUsd: params.max_usd ?? BigDecimal.fromStringUnsafe(defaults.maxUsd),
    slippage: params.slippage ?? defaults.slippage,
    platform: params.platform ?? "auto",
    lending: params.lending ?? false,
    autoEnable: params.auto_enable ?? false,
    maxImpact: params.max_impact ?? null,
    paper: params.paper ?? false
  }
}

const settingHandlers = Handlers.part(
  ThresholdBotApi,
  Effect.gen(function*() {
    const setBot = yield* SetBot
    const switches = yield* KillSwitch
    const repeated = yield* RepeatedBot.make
    return {
      setBot: (params) =>
        Effect.gen(function*() {
          const { keyId, repeats, wallet } = yield* Caller
          const terms = termsOf(params)
          const { network, pool } = params
          if (repeats !== undefined) {
            return yield* answerOf(yield* repeated(repeats, { network, pool, terms }), switches)
          }
          const set = yield* setBot({
            wallet,
            keyId,
            network,
            pool,
            terms,
            idempotencyKey: params.idempotency_key ?? null
          })
          return set === "waiting" ? waits : yield* answerOf(set, switches)
        })
    }
  })
)

const deletionHandlers = Handlers.part(
  ThresholdBotApi,
  Effect.gen(function*() {
    const traderNow = yield* TraderNow
    const turns = yield* BotTurnStore
    const waiting = yield* WaitingSettings
    const store = yield* ThresholdBotStore
    return {
      deleteBot: ({ network, pair, pool }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const [base, quote] = pair === undefined ? [] : legsOf(pair)
          const discarded = yield* query(
            waiting.remove({ network, pool, wallet }, base === undefined || quote === undefined ? null : [base, quote])
          )
          const found = yield* query(store.ofVault(network, pool))
          const named = base === undefined || quote === undefined
            ? found
            : found.filter((bot) => isOfLegs(bot, base, quote))
          const own = named.filter((bot) => bot.wallet === wallet)
          const others = named.filter((bot) => bot.wallet !== wallet)
          const removal = (bots: ReadonlyArray<ThresholdBot>) => query(turns.remove(bots.map(({ id }) => id)))
          const removed = [...(yield* removal(own))]
          // Only the vault's trader may delete bots of other wallets.
          const allowed = others.length === 0 ? Result.void : yield* Effect.result(traderNow({ network, pool }, wallet))
          if (Result.isSuccess(allowed)) removed.push(...(yield* removal(others)))
          else if (own.length === 0 && discarded === 0) return yield* allowed.failure
          const pairs = removed.map((bot) => bot.pair)
          const notRemoved = Result.isFailure(allowed)
            ? `Of other wallets: ${others.map((bot) => bot.pair).join(", ")}; not removed. ${allowed.failure.message}`
            : ""
          const message = [
            pairs.length > 0
              ? `Removed the bot of ${pairs.join(", ")}.`
              : discarded === 0
              ? "There is no such bot; nothing changed."
              : "",
            discarded > 0 ? "A setting that waited for a node is removed." : "",
            notRemoved
          ].filter((text) => text !== "").join(" ")
          return { removed: pairs, message }
        })
    }
  })
)

const statusHandlers = Handlers.part(
  ThresholdBotApi,
  Effect.gen(function*() {
    const waiting = yield* WaitingSettings
    const store = yield* ThresholdBotStore
    const indexes = yield* IndexBotStore
    const switches = yield* KillSwitch
    const links = yield* VaultLinkStore
    const accessOf = yield* StrategyReaders.make
    return {
      getBotStatus: ({ network, pool }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const [found, indexBot, on, settings] = yield* query(
            Effect.all([
              store.ofVault(network, pool),
              indexes.find(network, pool),
              switches.list,
              waiting.ofVault(network, pool)
            ])
          )
          const views = found.map((bot) => ({ setter: bot.wallet, view: viewOf(bot, stoppingThresholdBot(on, bot)) }))
          const indexView = Option.getOrNull(
            Option.map(indexBot, (bot) => botOf(bot, Option.none(), stopping(on, bot)))
          )
          const setters = [...found.map((bot) => bot.wallet), ...(indexView === null ? [] : [indexView.gasWallet])]
          // Without a bot, only a link makes the vault the wallet's; to a stranger this looks like a hidden bot.
          const isOwn = setters.length > 0
            ? setters.every((setter) => setter === wallet)
            : (yield* query(links.ofWallet(wallet, network))).some((link) => link.pool === pool)
          const access = isOwn ? { reads: true, known: true } : yield* accessOf({ network, pool }, wallet)
          const isVisible = (setter: string) => access.reads || setter === wallet
          const bots = views.filter(({ setter }) => isVisible(setter))
          const index = indexView !== null && isVisible(indexView.gasWallet) ? indexView : null
          const data = {
            network,
            pool,
            gasWallet: bots[0]?.setter ?? index?.gasWallet ?? null,
            active: bots.some(({ view }) => view.active) || index?.active === true,
            hasBot: bots.length > 0,
            bots: bots.map(({ view }) => view),
            waiting: settings.filter((setting) => setting.wallet === wallet).map(({ createdAt, refused, terms }) => ({
              pair: `${terms.base}-${terms.quote}`,
              side: terms.side,
              since: createdAt.toISOString(),
              refused
            })),
            hasAllocations: index !== null,
            allocations: index?.targets ?? [],
            index
          }
          return { message: access.reads ? null : hiddenMessage(access), data }
        })
    }
  })
)

const listHandlers = Handlers.part(
  ThresholdBotApi,
  Effect.gen(function*() {
    const store = yield* ThresholdBotStore
    const indexes = yield* IndexBotStore
    const switches = yield* KillSwitch
    const managers = yield* ManagerStore
    return {
      getAllBots: ({ network }) =>
        Effect.gen(function*() {
          const principal = yield* Principal
          const wallets = principal._tag === "key"
            ? [principal.caller]
            : yield* query(managers.walletsOf({ manager: principal.manager, network: network ?? null }))
          const isIncluded = (bot: { readonly network: string }) => network === undefined || bot.network === network
          const addresses = wallets.map(({ wallet }) => wallet)
          const [found, index, on] = yield* query(
            Effect.all([store.ofWallets(addresses), indexes.ofWallets(addresses), switches.list])
          )
          return {
            bots: found.filter(isIncluded).map((bot) => ({
              network: bot.network,
              pool: bot.pool,
              gasWallet: bot.wallet,
              ...viewOf(bot, stoppingThresholdBot(on, bot))
            })),
            index_bots: index.filter(isIncluded).map((bot) => botOf(bot, Option.none(), stopping(on, bot)))
          }
        })
    }
  })
)

export const handlers = Handlers.layer(
  ThresholdBotApi,
  Effect.gen(function*() {
    return {
      ...(yield* settingHandlers),
      ...(yield* deletionHandlers),
      ...(yield* statusHandlers),
      ...(yield* listHandlers)
    }
  })
)

export const ThresholdBotApiLive = Layer.provide(handlers, [
  SetBotStores,
  IndexBotStore.layer,
  ManagerStore.layer,
  VaultLinkStore.layer
])
