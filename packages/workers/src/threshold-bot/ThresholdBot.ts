/** The bots of one vault: finds the legs of their pairs, begins their turns, and follows each turn to its end. Its state is in the rows. */
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Address } from "@vault-trader/core/chain/Address"
import { symbolOf } from "@vault-trader/core/chain/Token"
import { type Failed, type Outcome } from "@vault-trader/core/intent/Intent"
import { BotLegs, type LastDecision, PaperHoldings, type Side, ThresholdBots } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { type Ended, ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { refusable, BotTurnStore } from "@vault-trader/core/intent/BotTurnStore"
import { type WaitingSetting, WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import { mayTrade } from "@vault-trader/core/vault/Authority"
import { idOf, parseId, Vault } from "@vault-trader/core/vault/Vault"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Arr from "effect/Array"
import * as Entity from "effect/cluster/Entity"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Chains } from "../chain/Chains.ts"
import { Tokens } from "../chain/Tokens.ts"
import { RpcUnavailable, unavailable } from "../chain/RpcFailure.ts"
import { retryForever } from "../actor/Retry.ts"
import * as VaultReader from "../vault/VaultReader.ts"

/** How long setting a bot may ask the chain: its caller is answered within three seconds whatever the chain does. */
const patience = "1 second"

/** What says nothing about the bot: it is tried again, and not paused for it. */
const blameless: ReadonlySet<string> = new Set(["price_unavailable", "rpc_unavailable", "paused", "vault_paused", "busy"])

const told = (failure: Failed["failure"]) => failure._tag === "ExecutionFailure" ? { name: failure.errorType, message: failure.message } : { name: failure.code, message: failure.message }

const holdingsIn = (result: Readonly<Record<string, unknown>>) => Option.getOrNull(Schema.decodeUnknownOption(PaperHoldings)(result["holdings"]))

/** What a turn's outcome means for its bot. */
const endOf = (intentId: string, outcome: Outcome, at: string, seconds: number): Ended => {
  if (outcome._tag === "Failed") {
    const { message, name } = told(outcome.failure)
    const decision: LastDecision = { action: "failed", reason: `${name}: ${message}`, at }
    return { intentId, decision, counts: blameless.has(name) ? "neither" : "failed", paperHoldings: null, restSeconds: 0 }
  }
  const { message, result } = outcome
  const action = result["action"] === "trade" || result["action"] === "park" ? result["action"] : "hold"
  return { intentId, decision: { action, reason: message, at }, counts: "succeeded", paperHoldings: holdingsIn(result), restSeconds: action === "trade" ? seconds : 0 }
}

/** For so long a database that fails is asked again. */
const patienceWithDatabase = "1 second"

const doubtful = new ExecutionFailure({
  errorType: "busy",
  message: "The database does not answer; whether the turn began is not known. The next check looks again."
})

/** What a caller waits for: not for as long as a turn would. */
const kept = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, ExecutionFailure, R> =>
  Effect.timeoutOrElse(retryForever(effect), { duration: patienceWithDatabase, orElse: () => Effect.fail(doubtful) })

const nowText = Effect.map(DateTime.now, DateTime.formatIso)

/** `seconds`: a bot's check interval. */
export const ThresholdBotLive = (seconds: number) => ThresholdBots.toLayer(
  Effect.gen(function*() {
    const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
    const store = yield* ThresholdBotStore
    const turns = yield* BotTurnStore
    const waiting = yield* WaitingSettings
    const vaults = yield* Vault.client
    const tokens = yield* Tokens
    const scope = yield* Effect.scope
    const found = yield* Effect.result((yield* Chains).get(network))
    if (found._tag === "Failure") {
      const notServed = () => found.failure
      return { legs: notServed, settle: () => Effect.void, wake: notServed }
    }
    const chain = found.success
    const reader = yield* VaultReader.make({ network, pool, chain })
    const following = new Set<string>()

    /** Waits for the turn's outcome and writes it down. */
    const follow = (botId: string, intentId: string) =>
      Effect.suspend(() => {
        if (following.has(intentId)) return Effect.void
        following.add(intentId)
        return vaults(idOf(network, pool)).execute({ intentId }).pipe(
          Effect.timeout("30 seconds"),
          retryForever,
          Effect.flatMap((outcome) => Effect.flatMap(nowText, (at) => {
            const end = endOf(intentId, outcome, at, seconds)
            return Effect.andThen(retryForever(store.ended(botId, end)), Metrics.count(Metrics.botDecisions, { network, kind: "threshold", decision: end.decision.action }))
          })),
          Effect.ensuring(Effect.sync(() => following.delete(intentId))),
          Effect.catchCause((cause) => Effect.logWarning("a bot's turn could not be followed", cause)),
          Effect.forkIn(scope),
          Effect.asVoid
        )
      })

    const legs = (base: string, quote: string, side: Side, wallet: Address) =>
      Effect.gen(function*() {
        const { assets, facts } = yield* reader.state
        yield* mayTrade(facts, wallet)
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
        return BotLegs.make({ base: first.address, quote: second.address, inverse, pair: `${first.symbol}-${second.symbol}` })
      }).pipe(Effect.timeoutOrElse({
        duration: patience,
        orElse: () => Effect.fail(unavailable(new RpcUnavailable({ network, reason: "timeout" })))
      }))

    /** Sets the bot that a waiting setting is about, or keeps why it cannot be. Without a node it goes on waiting. */
    const tried = ({ id, idempotencyKey, keyId, terms, wallet }: WaitingSetting) =>
      Effect.gen(function*() {
        const { base, quote, ...rest } = terms
        const pair = yield* legs(base, quote, terms.side, wallet)
        const setting = turns.setWaiting(id, { network, pool, wallet, keyId, ...rest, ...pair }, idempotencyKey)
        const set = yield* Effect.flatMap(retryForever(refusable(setting)), Effect.fromResult)
        if (Option.isSome(set)) yield* follow(set.value.bot.id, set.value.intentId)
      }).pipe(
        Effect.catchTags({
          ValidationFailure: ({ code, message }) => retryForever(waiting.refuse(id, `${code}: ${message}`)),
          ExecutionFailure: ({ message }) => Effect.logDebug(`a bot's setting goes on waiting: ${message}`)
        })
      )

    return {
      legs: ({ payload: { base, quote, side, wallet } }) => legs(base, quote, side, wallet),
      settle: () =>
        Effect.gen(function*() {
          const all = (yield* retryForever(waiting.ofVault(network, pool))).filter(({ refused }) => refused === null)
          // Those of the vault's own wallets first: no number of strangers' settings keeps them waiting.
          const state = yield* Effect.option(Effect.timeout(reader.state, patience))
          const isOwn = ({ wallet }: WaitingSetting) => Option.exists(state, ({ facts }) => facts.trader === wallet || facts.manager === wallet)
          const [own, strangers] = Arr.partition(all, Filter.fromPredicate(isOwn))
          yield* Effect.forEach([...own, ...strangers], tried, { discard: true })
        }),
      wake: ({ payload: { botId } }) =>
        Effect.gen(function*() {
          const bot = yield* kept(store.find(botId))
          if (Option.isNone(bot)) return
          const { openIntent } = bot.value
          const intentId = openIntent === null ? yield* kept(turns.begin(botId)) : Option.some(openIntent)
          if (Option.isSome(intentId)) yield* follow(botId, intentId.value)
        })
    }
  }),
  // Nothing waits for a look at the chain; what changes rows locks them.
  { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
)
