/**
 * Looks after the bots of a network: reads the vaults of all of them in batched calls, and wakes only those with something to do. Some
 * singletons share a network's vaults; the cluster gives a dead runner's to another. A bot that has nothing to do costs a row.
 */
import * as Singleton from "@effect/cluster/Singleton"
import type { Network } from "@vault-trader/core/chain/Network"
import { decide, type Decision } from "@vault-trader/core/threshold-bot/Decide"
import { type LastDecision, type ThresholdBot, ThresholdBots } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { type Noted, ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Arr from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Chains } from "../chain/Chains.ts"
import * as Legs from "./Legs.ts"

/** Seconds between two looks at a vault, where nobody says another number. */
export const standardBotSeconds = 15
/** Parts a network's vaults are looked after in, wherever the runners are. */
export const shards = 4
/** Vaults read in one call. */
const vaultsAtOnce = 100

/** What a round found: who has something to do, and what is news about the others. */
export interface Round {
  readonly due: ReadonlyArray<ThresholdBot>
  readonly notes: ReadonlyArray<Noted>
}

const isNews = (last: LastDecision | null, decision: Extract<Decision, { readonly _tag: "hold" }>) =>
  last === null || last.action !== "hold" || last.reason !== decision.reason

/** Looks at bots, at one block a hundred vaults. Those whose turn is under way are due too: somebody has to follow it. */
export const look = (chain: ChainClient, bots: ReadonlyArray<ThresholdBot>) =>
  Effect.gen(function*() {
    const at = DateTime.formatIso(yield* DateTime.now)
    const [idle, open] = Arr.partition(bots, ({ openIntent }) => openIntent !== null)
    const due: Array<ThresholdBot> = [...open]
    const notes: Array<Noted> = []
    yield* Effect.forEach(Arr.chunksOf(idle, vaultsAtOnce), (chunk) =>
      Effect.map(Legs.read(chain, chunk.map((bot) => ({ ...bot, paper: bot.paperHoldings }))), (found) => {
        for (const [index, bot] of chunk.entries()) {
          const legs = found[index]
          if (legs === undefined || Option.isNone(legs)) continue
          const decision = decide(bot, legs.value)
          if (decision._tag !== "hold") due.push(bot)
          else if (isNews(bot.lastDecision, decision)) notes.push({ id: bot.id, decision: { action: "hold", reason: decision.reason, at } })
        }
      }), { concurrency: 4, discard: true })
    return { due, notes } satisfies Round
  })

/** One part of a network, round after round. */
const watch = (network: Network, shard: number, pace: { readonly seconds: number }) =>
  Effect.gen(function*() {
    const store = yield* ThresholdBotStore
    const bots = yield* ThresholdBots.client
    const chain = yield* (yield* Chains).get(network)
    const round = Effect.gen(function*() {
      const rows = yield* store.due(network, shard, shards)
      if (rows.length === 0) return
      const { due, notes } = yield* look(chain, rows)
      yield* store.noted(notes)
      yield* Effect.forEach(due, ({ id, pool }) =>
        bots(idOf(network, pool)).wake({ botId: id }).pipe(Effect.timeout("5 seconds"), Effect.catchAllCause((cause) => Effect.logDebug("a bot was not woken", cause))), {
        concurrency: 16,
        discard: true
      })
    }).pipe(Effect.catchAllCause((cause) => Effect.logWarning("a round of the bots' watch failed", cause)), Effect.withSpan("ThresholdBots.round", { attributes: { network, shard } }))
    yield* Effect.forever(Effect.zipRight(round, Effect.sleep(`${pace.seconds} seconds`)))
  }).pipe(Effect.catchAll((failure) => Effect.logError(`the bots of ${network} are not looked after: ${failure.message}`)))

/** The watch of every network this runner serves. */
export const WatchLive = (pace: { readonly seconds: number }) =>
  Layer.unwrapEffect(Effect.map(Chains, ({ networks }) =>
    Layer.mergeAll(
      Layer.empty,
      ...networks.flatMap((network) => Arr.makeBy(shards, (shard) => Singleton.make(`ThresholdBots/${network}/${shard}`, watch(network, shard, pace))))
    )))
