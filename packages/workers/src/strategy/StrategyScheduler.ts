/** Wakes the strategy bots of a network whose reading is due. One singleton per network; the cluster moves it. */
import type { Network } from "@vault-trader/core/chain/Network"
import { type StrategyBot, StrategyBots } from "@vault-trader/core/strategy/StrategyBot"
import { StrategyBotStore } from "@vault-trader/core/strategy/StrategyBotStore"
import { withoutTracing } from "@vault-trader/core/telemetry/UntracedLoop"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Singleton from "effect/cluster/Singleton"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Chains } from "../chain/Chains.ts"

/** Default for the longest time between two readings of a bot's prices, seconds. */
export const defaultStrategySeconds = 10

/** The longest time between two readings of a bot's prices in this process, seconds. */
export const StrategyInterval = Context.Reference<number>("vault-trader/workers/strategy/StrategyInterval", {
  defaultValue: () => defaultStrategySeconds
})

/** Maximum number of bots in memory at a time. */
const pageSize = 200
/** Bots that read at the same time. */
const concurrency = 4

/** Wakes the bots that are due, page by page. */
const round = (network: Network, wake: (bot: StrategyBot) => Effect.Effect<void>) =>
  withoutTracing((traced) =>
    Effect.gen(function*() {
      const store = yield* StrategyBotStore
      let after: string | null = null
      for (;;) {
        const rows: ReadonlyArray<StrategyBot> = yield* store.due(network, { after, size: pageSize })
        if (rows.length > 0) {
          yield* Effect.forEach(rows, wake, { concurrency, discard: true }).pipe(
            Effect.withSpan("StrategyBots.round", { attributes: { network, due: rows.length } }),
            traced
          )
        }
        after = rows.at(-1)?.id ?? after
        if (rows.length < pageSize) return
      }
    })
  )

const runRounds = (network: Network) =>
  Effect.gen(function*() {
    const bots = yield* StrategyBots.client
    const wake = (bot: StrategyBot) =>
      bots(idOf(bot.network, bot.pool)).wake({ botId: bot.id }).pipe(
        Effect.timeout("30 seconds"),
        Effect.catchCause((cause) => Effect.logDebug("a strategy bot was not woken", cause))
      )
    const checked = round(network, wake).pipe(
      Effect.catchCause((cause) => Effect.logWarning("a round of the strategy bots' watch failed", cause))
    )
    return yield* Effect.forever(Effect.andThen(checked, Effect.sleep("1 second")))
  })

/** Watches every network that this runner serves. */
export const WatchLive = Layer.unwrap(Effect.map(Chains, ({ networks }) =>
  Layer.mergeAll(
    Layer.empty,
    ...networks.map((network) => Singleton.make(`StrategyBots/${network}`, runRounds(network)))
  )))
