/**
 * The actor of one vault's bots: resolves their pairs, starts their turns and records each turn's outcome. Its state is
 * in the rows.
 */
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { Address } from "@vault-trader/core/chain/Address"
import { BotTurnStore, refusable } from "@vault-trader/core/intent/BotTurnStore"
import { type ThresholdBot, ThresholdBots, wantedAsset } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { type WaitingSetting, WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import { parseId } from "@vault-trader/core/vault/Vault"
import * as Arr from "effect/Array"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import * as Option from "effect/Option"
import { Chains } from "../chain/Chains.ts"
import { Tokens } from "../chain/Tokens.ts"
import { retryForever } from "../actor/Retry.ts"
import { persist } from "../vault/BoundedPersist.ts"
import * as VaultReader from "../vault/VaultReader.ts"
import { chainTimeout, resolvePair } from "./PairResolution.ts"
import type { VaultSource } from "../vault/VaultSource.ts"
import * as TurnFollower from "./TurnFollower.ts"

type Follow = Effect.Success<ReturnType<typeof TurnFollower.make>>["follow"]

/** Builds `settle`: applies all waiting settings of the vault. */
const makeSettle = (source: VaultSource, pool: Address, follow: Follow) =>
  Effect.map(Effect.all([BotTurnStore, WaitingSettings]), ([turns, waiting]) => {
    const { network } = source

    /**
     * Applies a waiting setting to its bot, or records why it is refused. Without a node the setting keeps waiting.
     */
    const applySetting = ({ id, idempotencyKey, keyId, terms, wallet }: WaitingSetting) =>
      Effect.gen(function*() {
        const { base, quote, ...rest } = terms
        const pair = yield* resolvePair(source, {
          base,
          quote,
          side: terms.side,
          wallet,
          autoEnable: terms.autoEnable
        })
        const setting = turns.setWaiting(id, { network, pool, wallet, keyId, ...rest, ...pair }, idempotencyKey)
        const set = yield* Effect.flatMap(retryForever(refusable(setting)), Effect.fromResult)
        if (Option.isSome(set)) yield* follow(set.value.bot.id, set.value.intentId)
      }).pipe(
        Effect.catchTags({
          ValidationFailure: ({ code, message }) => retryForever(waiting.refuse(id, `${code}: ${message}`)),
          ExecutionFailure: ({ message }) => Effect.logDebug(`a bot's setting keeps waiting: ${message}`)
        })
      )

    return Effect.gen(function*() {
      const all = (yield* retryForever(waiting.ofVault(network, pool))).filter(({ refused }) => refused === null)
      // Settings by the vault's trader and manager come first, so that no number of other wallets' settings
      // delays them.
      const state = yield* Effect.option(Effect.timeout(source.reader.state, chainTimeout))
      const isOwn = ({ wallet }: WaitingSetting) =>
        Option.exists(state, ({ facts }) => facts.trader === wallet || facts.manager === wallet)
      const [own, others] = Arr.partition(all, Filter.fromPredicate(isOwn))
      yield* Effect.forEach([...own, ...others], applySetting, { discard: true })
    })
  })

/**
 * Returns the asset that a bot's next turn enables; null when the turn trades. A bot enables only the asset that it is
 * to hold, never one that a stranger has sent to the vault.
 */
const assetToEnable = ({ reader }: VaultSource, bot: ThresholdBot): Effect.Effect<Address | null, Failure> => {
  const wanted = wantedAsset(bot)
  return !bot.autoEnable || bot.paper || wanted === null
    ? Effect.succeed(null)
    : Effect.map(reader.state, ({ assets }) => assets.some(({ address }) => address === wanted) ? null : wanted)
}

/** Builds the actor's layer. `seconds` is a bot's check interval. */
export const ThresholdBotLive = (seconds: number) =>
  ThresholdBots.toLayer(
    Effect.gen(function*() {
      const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
      const store = yield* ThresholdBotStore
      const turns = yield* BotTurnStore
      const tokens = yield* Tokens
      const { follow } = yield* TurnFollower.make({ network, pool, seconds })
      const found = yield* Effect.result((yield* Chains).get(network))
      if (found._tag === "Failure") {
        const notServed = () => found.failure
        return { legs: notServed, settle: () => Effect.void, wake: notServed }
      }
      const chain = found.success
      const reader = yield* VaultReader.make({ network, pool, chain })
      const source = { chain, network, reader, tokens }
      const settle = yield* makeSettle(source, pool, follow)

      return ThresholdBots.of({
        legs: ({ payload }) => resolvePair(source, payload),
        settle: () => settle,
        wake: ({ payload: { botId } }) =>
          Effect.gen(function*() {
            const bot = yield* persist(store.find(botId))
            if (Option.isNone(bot)) return
            const { openIntent } = bot.value
            const intentId = openIntent === null
              ? yield* persist(turns.begin(botId, yield* assetToEnable(source, bot.value)))
              : Option.some(openIntent)
            if (Option.isSome(intentId)) yield* follow(botId, intentId.value)
          })
      })
    }),
    // Handlers run concurrently, so none waits for another's chain reads; changes lock their rows.
    { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
  )
