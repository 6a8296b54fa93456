/** Handlers of index bots. Settings are stored in the bot's row; a rebalance is a run that the bot's actor executes. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { type IndexBot, IndexBots, notSet, defaults } from "@vault-trader/core/index-bot/IndexBot"
import { IndexBotApi } from "@vault-trader/core/index-bot/IndexBotApi"
import { KillSwitch, stopping } from "@vault-trader/core/gas-wallet/KillSwitch"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import { IndexLegStore } from "@vault-trader/core/intent/IndexLegStore"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Handlers from "../wire/Handlers.ts"
import { read, query } from "../gate/ActorCall.ts"
import { TraderNow } from "../vault/TraderNow.ts"
import * as TargetResolution from "./TargetResolution.ts"
import * as RebalanceRuns from "./RebalanceRuns.ts"
import { retiredAllocations } from "./RetiredAllocations.ts"
import * as IndexBotViews from "./IndexBotViews.ts"

const day = 86_400

interface VaultAddress {
  readonly network: Network
  readonly pool: Address
}

const usd18 = (amount: BigDecimal.BigDecimal): bigint => Quantity.toRaw(amount, 18)

const everySeconds = (seconds: number): string => {
  const [count, unit] = seconds % day === 0
    ? [seconds / day, "day"]
    : seconds % 3_600 === 0
    ? [seconds / 3_600, "hour"]
    : seconds % 60 === 0
    ? [seconds / 60, "minute"]
    : [seconds, "second"]
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`
}

const setMessage = ({ enabled, intervalSeconds, paper, targets }: IndexBot): string =>
  `The index of ${targets.length} targets is set and ` +
  (enabled
    ? `checked ${everySeconds(intervalSeconds)}${paper ? ", on paper" : ""}.`
    : "not checked automatically: set enabled=true for that.")

type VaultClient = Effect.Success<typeof Vault.client>

const vaultAt = (vaults: VaultClient, { network, pool }: VaultAddress) => vaults(idOf(network, pool))

/** Finds and shows the bots that the caller may see. */
const ownBots = Effect.gen(function*() {
  const store = yield* IndexBotStore
  const runs = yield* IndexRunStore
  const switches = yield* KillSwitch
  const traderNow = yield* TraderNow

  /** Returns the vault's bot to the wallet that set it, as its row says, or to the vault's trader. */
  const botOf = (place: VaultAddress) =>
    Effect.gen(function*() {
      const { wallet } = yield* Caller
      const bot = Option.getOrUndefined(yield* query(store.find(place.network, place.pool)))
      if (bot === undefined) return yield* notSet(place.pool)
      if (bot.wallet !== wallet) yield* traderNow(place, wallet)
      return bot
    })

  const view = (bot: IndexBot) =>
    Effect.map(
      query(Effect.all([runs.last(bot.network, bot.pool), switches.list])),
      ([run, on]) => IndexBotViews.botOf(bot, run, stopping(on, bot))
    )
  return { botOf, view }
})

/** Reads what a run of a bot would trade now. */
const previews = Effect.gen(function*() {
  const vaults = yield* Vault.client
  const bots = yield* IndexBots.client

  const quoteOf = (place: VaultAddress, quote: string | undefined): Effect.Effect<Token | null, Failure> =>
    quote === undefined
      ? Effect.succeed(null)
      : Effect.map(read(vaultAt(vaults, place).describe({ assets: [quote] })), ({ tokens: [token] }) => token ?? null)

  const preview = (
    { force = false, quote, ...place }: VaultAddress & {
      readonly force?: boolean | undefined
      readonly quote?: string | undefined
    }
  ) =>
    Effect.gen(function*() {
      const token = yield* quoteOf(place, quote)
      return yield* read(bots(idOf(place.network, place.pool)).preview({ quote: token, force }))
    })

  /** Previews a run. Fails with 2012 if the vault's value is unknown, because a run would trade nothing then. */
  const valued = (params: Parameters<typeof preview>[0]) =>
    Effect.filterOrFail(
      preview(params),
      ({ reason }) => reason === null,
      ({ reason }) => explain({ _tag: "WeightsUnknown", detail: reason ?? "" })
    )
  return { quoteOf, preview, valued }
})

const settingHandlers = Handlers.part(
  IndexBotApi,
  Effect.gen(function*() {
    const store = yield* IndexBotStore
    const legs = yield* IndexLegStore
    const vaults = yield* Vault.client
    const { botOf, view } = yield* ownBots
    return {
      setIndexBot: (params) =>
        Effect.gen(function*() {
          const { keyId, wallet } = yield* Caller
          const { network, pool } = params
          const { quote, targets } = yield* TargetResolution.resolved(
            vaultAt(vaults, params),
            params.targets,
            params.quote ?? defaults.quote
          )
          const bot = yield* query(store.put({
            network,
            pool,
            wallet,
            keyId,
            targets,
            quote,
            intervalSeconds: params.interval,
            maxUsd18: usd18(params.max_usd),
            minTradeUsd18: usd18(params.min_trade_usd ?? BigDecimal.fromStringUnsafe(defaults.minTradeUsd)),
            tolerance: params.tolerance ?? defaults.tolerance,
            slippage: params.slippage ?? defaults.slippage,
            platform: params.platform ?? "auto",
            enabled: params.enabled ?? false,
            paper: params.paper ?? false
          }))
          return { data: yield* view(bot), message: setMessage(bot) }
        }),
      getIndexBot: (place) => Effect.map(Effect.flatMap(botOf(place), view), (data) => ({ data })),
      disableIndexBot: (place) =>
        Effect.gen(function*() {
          yield* botOf(place)
          const bot = Option.getOrUndefined(yield* query(legs.disable(place.network, place.pool)))
          if (bot === undefined) {
            return yield* notSet(place.pool)
          }
          return { data: yield* view(bot), message: "Scheduled checks are stopped; the targets are kept." }
        })
    }
  })
)

const previewHandlers = Handlers.part(
  IndexBotApi,
  Effect.gen(function*() {
    const { botOf } = yield* ownBots
    const { preview, valued } = yield* previews
    return {
      getCurrentAllocations: (place) =>
        Effect.gen(function*() {
          const { maxUsd18, platform } = yield* botOf(place)
          const { allocations, needsRebalance, reason, totalValueUsd, unmanagedAssets } = yield* preview({
            network: place.network,
            pool: place.pool
          })
          return {
            data: {
              totalValueUsd,
              needsRebalance,
              reason,
              max_usd: Quantity.usd(maxUsd18),
              platform,
              allocations,
              unmanagedAssets
            }
          }
        }),
      previewIndexBot: (params) =>
        Effect.gen(function*() {
          yield* botOf(params)
          const { plan, totalValueUsd } = yield* valued(params)
          return {
            data: { executed: false, totalValueUsd, plan, trades: [] },
            message: IndexBotViews.planned(plan)
          }
        })
    }
  })
)

const rebalanceHandlers = (waitSeconds: number) =>
  Handlers.part(
    IndexBotApi,
    Effect.gen(function*() {
      const { botOf } = yield* ownBots
      const { quoteOf, valued } = yield* previews
      const rebalance = yield* RebalanceRuns.make(waitSeconds)
      return {
        rebalancePool: (params) =>
          Effect.gen(function*() {
            const { keyId, repeats, wallet } = yield* Caller
            const { execute = false, force = false, idempotency_key, network, pool, quote } = params
            if (!execute) {
              const { plan, totalValueUsd } = yield* valued(params)
              const data = { executed: false, totalValueUsd, plan, trades: [] }
              return {
                intent_id: null,
                tx_hash: null,
                message: `Dry run: nothing was sent. ${IndexBotViews.planned(plan)}`,
                data
              }
            }
            if (repeats !== undefined && idempotency_key !== undefined) {
              return yield* rebalance.repeat(repeats, wallet, idempotency_key, { network, pool, force, quote })
            }
            const bot = yield* botOf(params)
            return yield* rebalance.begin({
              network,
              pool,
              wallet,
              keyId,
              quote: (yield* quoteOf(params, quote)) ?? bot.quote,
              force,
              idempotencyKey: idempotency_key ?? null
            })
          })
      }
    })
  )

const stores = IndexLegStore.layer.pipe(
  Layer.provideMerge([IndexBotStore.layer, IndexRunStore.layer, IntentStore.layer]),
  Layer.merge(KillSwitch.layer)
)

/** `waitSeconds`: how long a rebalance waits for its run before it answers. */
export const layer = (waitSeconds: number) =>
  Handlers.layer(
    IndexBotApi,
    Effect.gen(function*() {
      return {
        ...(yield* settingHandlers),
        ...(yield* retiredAllocations),
        ...(yield* previewHandlers),
        ...(yield* rebalanceHandlers(waitSeconds))
      }
    })
  ).pipe(Layer.provide(stores))
