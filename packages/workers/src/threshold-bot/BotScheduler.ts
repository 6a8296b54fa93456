/**
 * Schedules the bots of a network: reads all their vaults in batched calls, and wakes only those with something to do.
 * Several singletons share a network's vaults; the cluster moves those of a dead runner to another. A bot with nothing
 * to do costs only a row.
 */
import type { Network } from "@vault-trader/core/chain/Network"
import { withoutTracing } from "@vault-trader/core/telemetry/UntracedLoop"
import { decide, type Decision, withFigures } from "@vault-trader/core/threshold-bot/ThresholdDecision"
import { type LastDecision, type ThresholdBot, ThresholdBots } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { type DecisionNote, ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import { idOf } from "@vault-trader/core/vault/Vault"
import * as Arr from "effect/Array"
import * as Singleton from "effect/cluster/Singleton"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ChainClient } from "../chain/ChainClient.ts"
import { Chains } from "../chain/Chains.ts"
import * as PairReader from "./PairReader.ts"

/** Default seconds between two checks of a vault. */
export const defaultBotSeconds = 15

/** Seconds between two checks of a bot's vault in this process. */
export const BotInterval = Context.Reference<number>("vault-trader/workers/threshold-bot/BotInterval", {
  defaultValue: () => defaultBotSeconds
})

/** Number of singletons that share a network's vaults; the cluster places each on a runner. */
export const shards = 4
/** Maximum number of bots in memory at a time. */
const pageSize = 1_000
/**
 * Balances and positions read in one call: 200 vaults of a pair, or 100 that lend. About 25 million gas; nodes allow 50
 * million.
 */
const batchSize = 400

/** A part of a network's vaults. */
interface VaultShard {
  readonly network: Network
  readonly shard: number
}

/** The result of a round: the bots with something to do, and new decisions of the others. */
interface Round {
  readonly due: ReadonlyArray<ThresholdBot>
  readonly notes: ReadonlyArray<DecisionNote>
}

/** Maximum age of the figures in a status, so that rows are not written at every price change. */
const figuresMillis = 600_000

/** Returns true when a decision differs from the last one, or repeats it with figures that have become too old. */
const isNews = (
  last: LastDecision | null,
  decision: Extract<Decision, { readonly _tag: "hold" }>,
  now: number
): boolean =>
  last === null || last.action !== "hold" || last.code !== decision.code ||
  (last.reason !== decision.reason && (!withFigures.has(decision.code) || now - Date.parse(last.at) >= figuresMillis))

const readsOf = ({ inverse, lending }: ThresholdBot) => (inverse === null ? 2 : 3) * (lending ? 2 : 1)

/** Groups bots whose vaults are read in one call. */
const groupByCall = (bots: ReadonlyArray<ThresholdBot>): ReadonlyArray<ReadonlyArray<ThresholdBot>> => {
  const groups: Array<Array<ThresholdBot>> = []
  let room = 0
  for (const bot of bots) {
    if (readsOf(bot) > room) [room] = [batchSize, groups.push([])]
    groups.at(-1)?.push(bot)
    room -= readsOf(bot)
  }
  return groups
}

/**
 * Decides for each bot; the vaults of one call are read at one block. Bots with a turn in progress are due too, to have
 * it followed.
 */
const decideAll = (chain: ChainClient, bots: ReadonlyArray<ThresholdBot>) =>
  Effect.gen(function*() {
    const now = yield* DateTime.now
    const at = DateTime.formatIso(now)
    const [open, idle] = Arr.partition(
      bots,
      Filter.fromPredicate(({ openIntent }: ThresholdBot) => openIntent !== null)
    )
    const due: Array<ThresholdBot> = [...open]
    const notes: Array<DecisionNote> = []
    yield* Effect.forEach(groupByCall(idle), (chunk) =>
      Effect.map(PairReader.read(chain, chunk.map((bot) => ({ ...bot, paper: bot.paperHoldings }))), (found) => {
        for (const [index, bot] of chunk.entries()) {
          const legs = found[index]
          if (legs === undefined || Option.isNone(legs)) {
            continue
          }
          const decision = decide(bot, legs.value)
          if (decision._tag !== "hold") {
            due.push(bot)
          } else if (isNews(bot.lastDecision, decision, DateTime.toEpochMillis(now))) {
            notes.push({ id: bot.id, decision: { action: "hold", code: decision.code, reason: decision.reason, at } })
          }
        }
      }), { concurrency: 4, discard: true })
    return { due, notes } satisfies Round
  })

/**
 * Checks the bots of one part of a network, page by page, and wakes those that are due. Returns how many it could
 * check.
 */
export const round = (chain: ChainClient, part: VaultShard, wake: (bot: ThresholdBot) => Effect.Effect<void>) =>
  withoutTracing((traced) =>
    Effect.gen(function*() {
      const store = yield* ThresholdBotStore
      const { network, shard } = part
      let [checked, after]: [number, string | null] = [0, null]
      for (;;) {
        const rows: ReadonlyArray<ThresholdBot> = yield* store.due(network, shard, shards, { after, size: pageSize })
        if (rows.length > 0) {
          checked += yield* Effect.gen(function*() {
            const { due, notes } = yield* decideAll(chain, rows)
            yield* store.recordDecisions(notes)
            if (due.length > 0) {
              const woken = Effect.forEach(due, wake, { concurrency: 16, discard: true })
              yield* woken.pipe(
                Effect.withSpan("ThresholdBots.round", { attributes: { ...part, due: due.length } }),
                traced
              )
            }
            return rows.length
          }).pipe(
            // Continues with the next page; otherwise a node that fails occasionally would keep the last pages from
            // ever being checked.
            Effect.catchCause((cause) => Effect.as(Effect.logWarning("a page of the bots' watch failed", cause), 0))
          )
        }
        after = rows.at(-1)?.id ?? after
        if (rows.length < pageSize) return checked
      }
    })
  )

/** Runs rounds over one part of a network forever. */
const runRounds = (part: VaultShard, pace: { readonly seconds: number }) =>
  Effect.gen(function*() {
    const bots = yield* ThresholdBots.client
    const waiting = yield* WaitingSettings
    const chain = yield* (yield* Chains).get(part.network)
    const wake = ({ id, network, pool }: ThresholdBot) =>
      bots(idOf(network, pool)).wake({ botId: id }).pipe(
        Effect.timeout("5 seconds"),
        Effect.catchCause((cause) => Effect.logDebug("a bot was not woken", cause))
      )
    const checked = round(chain, part, wake).pipe(
      Effect.catchCause((cause) => Effect.logWarning("a round of the bots' watch failed", cause))
    )
    const settle = Effect.flatMap(
      waiting.vaults(part.network, part.shard, shards),
      Effect.forEach((pool) =>
        bots(idOf(part.network, pool)).settle().pipe(
          Effect.timeout("5 seconds"),
          Effect.catchCause((cause) => Effect.logDebug("a vault's waiting settings were not processed", cause))
        ), { concurrency: 16, discard: true })
    ).pipe(
      Effect.catchCause((cause) => Effect.logWarning("the settings that wait for a node were not processed", cause))
    )
    return yield* Effect.forever(
      Effect.andThen(Effect.andThen(settle, checked), Effect.sleep(`${pace.seconds} seconds`))
    )
  }).pipe(Effect.catch((failure) => Effect.logError(`the bots of ${part.network} are not watched: ${failure.message}`)))

/** Watches every network that this runner serves. */
export const WatchLive = (pace: { readonly seconds: number }) =>
  Layer.unwrap(Effect.map(Chains, ({ networks }) =>
    Layer.mergeAll(
      Layer.empty,
      ...networks.flatMap((network) =>
        Arr.makeBy(shards, (shard) =>
          Singleton.make(`ThresholdBots/${network}/${shard}`, runRounds({ network, shard }, pace)))
      )
    )))
