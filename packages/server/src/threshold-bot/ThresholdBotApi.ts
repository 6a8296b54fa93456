/** Handlers of threshold bots: setting and forgetting asks the vault's bots; status is read from the rows. */
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { KillSwitch, stopping } from "@vault-trader/core/gas-wallet/KillSwitch"
import { Caller, Principal } from "@vault-trader/core/endpoint/Admission"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { type BotSet, ThresholdBots, type ThresholdBot, standard, viewOf } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { legsOf, ThresholdBotApi } from "@vault-trader/core/threshold-bot/ThresholdBotApi"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { changed, stored } from "../gate/Asking.ts"
import { botOf } from "../index-bot/Views.ts"

/** A bot is set, or its caller is told that it is not, within three seconds; admission has had its part of them. */
export const patience = "1500 millis"

/** What the caller is told of a bot that was set. */
const sentence = ({ pair, side }: ThresholdBot) =>
  side === "hold"
    ? `The bot of ${pair} is set to hold: it does nothing until it is set to a side.`
    : `The bot of ${pair} is set to ${side}; a rebalance is under way. Ask getIntent for what becomes of it.`

/** What setting a bot answers with; a kill switch that keeps it from acting is told. */
export const answerOf = ({ bot, intentId }: BotSet, switches: KillSwitch["Type"]) =>
  Effect.map(stored(switches.list), (on) => {
    const stopped = stopping(on, bot)
    const message = stopped === null ? sentence(bot) : `${sentence(bot)} ${stopped}; the bot waits.`
    return { status: "success" as const, intent_id: intentId, tx_hash: null, message, data: viewOf(bot, stopped) }
  })

export const ThresholdBotApiLive = ThresholdBotApi.toLayer(Effect.gen(function*() {
  const bots = yield* ThresholdBots.client
  const store = yield* ThresholdBotStore
  const indexes = yield* IndexBotStore
  const switches = yield* KillSwitch
  const managers = yield* ManagerStore
  return {
    setBot: (params) =>
      Effect.gen(function*() {
        const { keyId, wallet } = yield* Caller
        const [base, quote] = legsOf(params.pair)
        const terms = {
          base,
          quote,
          side: params.side,
          threshold: params.threshold ?? standard.threshold,
          share: params.share ?? standard.share,
          maxUsd: params.max_usd ?? BigDecimal.unsafeFromString(standard.maxUsd),
          slippage: params.slippage ?? standard.slippage,
          platform: params.platform ?? "auto",
          lending: params.lending ?? false,
          paper: params.paper ?? false
        } as const
        const set = yield* changed(
          bots(idOf(params.network, params.pool)).set({ wallet, keyId, terms, idempotencyKey: params.idempotency_key ?? null }),
          patience
        )
        return yield* answerOf(set, switches)
      }),
    deleteBot: ({ network, pair, pool }) =>
      Effect.gen(function*() {
        const legs = pair === undefined ? null : legsOf(pair)
        const removed = yield* changed(bots(idOf(network, pool)).remove({ legs }))
        const message = removed.length === 0 ? "There is no such bot; nothing changed." : `Removed the bot of ${removed.join(", ")}.`
        return { status: "success" as const, removed, message }
      }),
    getBotStatus: ({ network, pool }) =>
      Effect.gen(function*() {
        const [found, index, on] = yield* stored(Effect.all([store.ofVault(network, pool), indexes.find(network, pool), switches.list]))
        const views = found.map((bot) => viewOf(bot, stopping(on, bot)))
        const shown = Option.getOrNull(Option.map(index, (bot) => botOf(bot, Option.none(), stopping(on, bot))))
        const data = {
          network,
          pool,
          gasWallet: found[0]?.wallet ?? shown?.gasWallet ?? null,
          active: views.some(({ active }) => active) || shown?.active === true,
          hasBot: found.length > 0,
          bots: views,
          hasAllocations: shown !== null,
          allocations: shown?.targets ?? [],
          index: shown
        }
        return { status: "success" as const, data }
      }),
    getAllBots: () =>
      Effect.gen(function*() {
        const principal = yield* Principal
        const wallets = principal._tag === "key" ? [principal.caller] : yield* stored(managers.walletsOf(principal.manager))
        const addresses = wallets.map(({ wallet }) => wallet)
        const [found, index, on] = yield* stored(Effect.all([store.ofWallets(addresses), indexes.ofWallets(addresses), switches.list]))
        return {
          status: "success" as const,
          bots: found.map((bot) => ({ network: bot.network, pool: bot.pool, gasWallet: bot.wallet, ...viewOf(bot, stopping(on, bot)) })),
          index_bots: index.map((bot) => botOf(bot, Option.none(), stopping(on, bot)))
        }
      })
  }
}))
