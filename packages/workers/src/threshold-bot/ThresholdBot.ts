/** The bots of one vault: sets and forgets them, begins their turns, and sees each turn to its end. What it knows is in the rows. */
import * as Entity from "@effect/cluster/Entity"
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import { symbolOf } from "@vault-trader/core/chain/Token"
import { type Failed, type Outcome } from "@vault-trader/core/intent/Intent"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { BotTradeRequest, isOf, type LastDecision, PaperHoldings, requestOf, ThresholdBot, ThresholdBots } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { BotSet } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { type Ended, type Setting, ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { idOf, parseId, Vault } from "@vault-trader/core/vault/Vault"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Chains } from "../chain/Chains.ts"
import { Tokens } from "../chain/Tokens.ts"
import { RpcUnavailable, unavailable } from "../chain/RpcFailure.ts"
import { persistently } from "../gas-wallet/Persistence.ts"
import * as VaultReader from "../vault/VaultReader.ts"

/** How long setting a bot may ask the chain: its caller is answered within three seconds whatever the chain does. */
const patience = "1 second"

/** What says nothing about the bot: it is tried again, and not paused for it. */
const blameless: ReadonlySet<string> = new Set(["price_unavailable", "rpc_unavailable", "paused", "vault_paused", "busy"])

const told = (failure: Failed["failure"]) => failure._tag === "ExecutionFailure" ? { name: failure.errorType, message: failure.message } : { name: failure.code, message: failure.message }

const holdingsIn = (result: Readonly<Record<string, unknown>>) => Option.getOrNull(Schema.decodeUnknownOption(PaperHoldings)(result["holdings"]))

/** What a turn's outcome means for its bot. */
const endOf = (intentId: string, outcome: Outcome, at: string): Ended => {
  if (outcome._tag === "Failed") {
    const { message, name } = told(outcome.failure)
    const decision: LastDecision = { action: "failed", reason: `${name}: ${message}`, at }
    return { intentId, decision, counts: blameless.has(name) ? "neither" : "failed", paperHoldings: null }
  }
  const { message, result } = outcome
  const action = result["action"] === "trade" || result["action"] === "park" ? result["action"] : "hold"
  return { intentId, decision: { action, reason: message, at }, counts: "succeeded", paperHoldings: holdingsIn(result) }
}

/** For so long a database that fails is asked again. */
const patienceWithDatabase = "1 second"

const doubtful = new ExecutionFailure({
  errorType: "busy",
  message: "The database does not answer, so it is not known whether the bot was changed. Ask getBotStatus, or set it again."
})

/** What a caller waits for: not for as long as a turn would. */
const kept = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, ExecutionFailure, R> =>
  Effect.timeoutFail(persistently(effect), { duration: patienceWithDatabase, onTimeout: () => doubtful })

const otherRequest = new ValidationFailure({
  code: "1010",
  message: "idempotency_key: was used for another request; a repeat must be the same request, a new one needs a new key"
})

const nowText = Effect.map(DateTime.now, DateTime.formatIso)

export const ThresholdBotLive = ThresholdBots.toLayer(
  Effect.gen(function*() {
    const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
    const store = yield* ThresholdBotStore
    const intents = yield* IntentStore
    const vaults = yield* Vault.client
    const tokens = yield* Tokens
    const scope = yield* Effect.scope
    const found = yield* Effect.either((yield* Chains).get(network))
    if (found._tag === "Left") {
      const notServed = () => found.left
      return { set: notServed, remove: notServed, wake: notServed }
    }
    const chain = found.right
    const reader = yield* VaultReader.make({ network, pool, chain })
    const following = new Set<string>()

    /** Waits for the turn's outcome and writes it down. */
    const follow = (botId: string, intentId: string) =>
      Effect.suspend(() => {
        if (following.has(intentId)) return Effect.void
        following.add(intentId)
        return vaults(idOf(network, pool)).execute({ intentId }).pipe(
          Effect.timeout("30 seconds"),
          persistently,
          Effect.flatMap((outcome) => Effect.flatMap(nowText, (at) => {
            const end = endOf(intentId, outcome, at)
            return Effect.zipRight(persistently(store.ended(botId, end)), Metrics.count(Metrics.botDecisions, { network, kind: "threshold", decision: end.decision.action }))
          })),
          Effect.ensuring(Effect.sync(() => following.delete(intentId))),
          Effect.catchAllCause((cause) => Effect.logWarning("a bot's turn could not be followed", cause)),
          Effect.forkIn(scope),
          Effect.asVoid
        )
      })

    /** Commits the intent of the bot's turn. The same turn of the same terms is the same intent, however often it is begun. */
    const begin = (bot: ThresholdBot, key: string | null = null) =>
      Effect.gen(function*() {
        const { _tag, id } = yield* intents.accept({
          wallet: bot.wallet,
          keyId: bot.keyId,
          endpoint: "setBot",
          network,
          pool,
          request: requestOf(bot),
          idempotencyKey: key ?? `bot/${bot.id}/${bot.revision}/${bot.turn}`
        })
        // Another request took the caller's key since it was looked for.
        if (_tag === "conflict" && key !== null) return otherRequest
        yield* store.began(bot.id, id)
        yield* follow(bot.id, id)
        return id
      }).pipe(kept, Effect.flatMap((begun) => typeof begun === "string" ? Effect.succeed(begun) : Effect.fail(begun)))

    const legs = (base: string, quote: string, side: ThresholdBot["side"]) =>
      Effect.gen(function*() {
        const { assets } = yield* reader.recentState
        const named = (text: string) =>
          Effect.mapError(tokens.resolve(network, text, assets), (failure) =>
            failure._tag === "ValidationFailure" ? new ValidationFailure({ code: "1003", message: `pair: ${failure.message}` }) : failure)
        const [first, second] = yield* Effect.all([named(base), named(quote)])
        if (first.address === second.address) {
          return yield* new ValidationFailure({ code: "1003", message: `pair: ${base} and ${quote} are the same asset; two different ones are accepted` })
        }
        const inverse = chain.book.inverseTokens[symbolOf(first.symbol)] ?? null
        if (side === "short" && inverse === null) {
          const known = Object.keys(chain.book.inverseTokens)
          return yield* new ValidationFailure({
            code: "1008",
            message: `side: ${network} has no inverse token of ${first.symbol}, so short is not accepted for it; ${known.length === 0 ? "long, neutral and hold are" : `it is for ${known.join(", ")}`}`
          })
        }
        const missing = [first, second].find(({ address }) => !assets.some((asset) => asset.address === address))
        if (missing !== undefined || (side === "short" && !assets.some(({ address }) => address === inverse))) {
          const symbol = missing?.symbol ?? `the inverse token of ${first.symbol}`
          return yield* new ValidationFailure({
            code: "1003",
            message: `pair: the vault cannot hold ${symbol}; its manager can enable it. It holds ${assets.map((asset) => asset.symbol).join(", ")}`
          })
        }
        return { base: first.address, quote: second.address, inverse, pair: `${first.symbol}-${second.symbol}` }
      }).pipe(Effect.timeoutFail({
        duration: patience,
        onTimeout: () => unavailable(new RpcUnavailable({ network, reason: "timeout" }))
      }))

    /** What a repeat under the same key is told: nothing is set again. */
    const repeated = (setting: Setting, key: string) =>
      Effect.gen(function*() {
        const request = BotTradeRequest.make({ botId: "", ...setting, paper: null })
        const known = yield* intents.known({ ...setting, endpoint: "setBot", request, idempotencyKey: key })
        if (Option.isNone(known)) return undefined
        const [found, bots] = yield* Effect.all([intents.find(known.value.id), store.ofVault(network, pool)])
        const bot = bots.find(({ base, quote }) => base === setting.base && quote === setting.quote)
        const asked = Option.getOrUndefined(found)?.request
        if (bot === undefined || asked?._tag !== "BotTrade" || !isOf(asked, ThresholdBot.make({ ...bot, ...setting }))) return Effect.fail(otherRequest)
        return Effect.succeed(BotSet.make({ bot, intentId: known.value.id }))
      })

    return {
      set: ({ payload: { idempotencyKey, keyId, terms, wallet } }) =>
        Effect.gen(function*() {
          const { base, quote, ...rest } = terms
          const pair = yield* legs(base, quote, terms.side)
          const setting = { network, pool, wallet, keyId, ...rest, ...pair }
          const earlier = idempotencyKey === null ? undefined : yield* kept(repeated(setting, idempotencyKey))
          if (earlier !== undefined) return yield* earlier
          const bot = yield* kept(store.put(setting))
          // The same terms again while their turn is under way: that turn is the answer.
          if (bot.openIntent !== null) {
            const open = yield* kept(intents.find(bot.openIntent))
            if (Option.isSome(open) && open.value.outcome === null && open.value.idempotencyKey === `bot/${bot.id}/${bot.revision}/${bot.turn}`) {
              yield* follow(bot.id, bot.openIntent)
              return BotSet.make({ bot, intentId: bot.openIntent })
            }
          }
          return BotSet.make({ bot, intentId: yield* begin(bot, idempotencyKey) })
        }),
      remove: ({ payload: { legs: asked } }) =>
        Effect.gen(function*() {
          const bots = yield* kept(store.ofVault(network, pool))
          const gone = asked === null ? bots : bots.filter(({ base, pair, quote }) =>
            (asked[0] === base && asked[1] === quote) || pair === `${symbolOf(asked[0])}-${symbolOf(asked[1])}`)
          yield* kept(store.remove(gone.map(({ id }) => id)))
          return gone.map(({ pair }) => pair)
        }),
      wake: ({ payload: { botId } }) =>
        Effect.gen(function*() {
          const bot = yield* kept(store.find(botId))
          if (Option.isNone(bot)) return
          const { active, openIntent, side } = bot.value
          if (openIntent !== null) return yield* follow(botId, openIntent)
          if (active && side !== "hold") yield* begin(bot.value)
        })
    }
  }),
  // One change at a time: two settings of one bot never begin the same turn twice.
  { concurrency: 1, disableFatalDefects: true, maxIdleTime: "10 minutes" }
)
