/**
 * The actor of one vault's bots: resolves their pairs, starts their turns and records each turn's outcome. Its state is
 * in the rows.
 */
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Address } from "@vault-trader/core/chain/Address"
import { symbolOf } from "@vault-trader/core/chain/Token"
import { type Failed, type Outcome } from "@vault-trader/core/intent/Intent"
import {
  BotLegs,
  type LastDecision,
  PaperHoldings,
  type Side,
  ThresholdBots
} from "@vault-trader/core/threshold-bot/ThresholdBot"
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

/**
 * Timeout of chain reads when a bot is set: its caller gets a response within three seconds whatever the chain does.
 */
const chainTimeout = "1 second"

/** Failures that are not the bot's: it tries again and is not paused for them. */
const uncounted: ReadonlySet<string> = new Set([
  "price_unavailable",
  "rpc_unavailable",
  "paused",
  "vault_paused",
  "busy"
])

const failureDetails = (failure: Failed["failure"]) =>
  failure._tag === "ExecutionFailure"
    ? { name: failure.errorType, message: failure.message }
    : { name: failure.code, message: failure.message }

const holdingsIn = (result: Readonly<Record<string, unknown>>) =>
  Option.getOrNull(Schema.decodeUnknownOption(PaperHoldings)(result["holdings"]))

/** Converts a turn's outcome to the bot's new state. */
const endOf = (intentId: string, outcome: Outcome, at: string, seconds: number): Ended => {
  if (outcome._tag === "Failed") {
    const { message, name } = failureDetails(outcome.failure)
    const decision: LastDecision = { action: "failed", reason: `${name}: ${message}`, at }
    return {
      intentId,
      decision,
      counts: uncounted.has(name) ? "neither" : "failed",
      paperHoldings: null,
      restSeconds: 0
    }
  }
  const { message, result } = outcome
  const action = result["action"] === "trade" || result["action"] === "park" ? result["action"] : "hold"
  return {
    intentId,
    decision: { action, reason: message, at },
    counts: "succeeded",
    paperHoldings: holdingsIn(result),
    restSeconds: action === "trade" ? seconds : 0
  }
}

/** How long a failing database operation is retried while a caller waits. */
const databaseTimeout = "1 second"

const outcomeUnknown = new ExecutionFailure({
  errorType: "busy",
  message: "The database does not respond, so it is unknown whether the turn began. The next check reads it again."
})

/** Retries a database operation, but no longer than its timeout, because a caller waits for it. */
const persist = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, ExecutionFailure, R> =>
  Effect.timeoutOrElse(retryForever(effect), { duration: databaseTimeout, orElse: () => Effect.fail(outcomeUnknown) })

const nowText = Effect.map(DateTime.now, DateTime.formatIso)

/** Builds the actor's layer. `seconds` is a bot's check interval. */
export const ThresholdBotLive = (seconds: number) =>
  ThresholdBots.toLayer(
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

      /** Waits for the turn's outcome and records it. */
      const follow = (botId: string, intentId: string) =>
        Effect.suspend(() => {
          if (following.has(intentId)) return Effect.void
          following.add(intentId)
          return vaults(idOf(network, pool)).execute({ intentId }).pipe(
            Effect.timeout("30 seconds"),
            retryForever,
            Effect.flatMap((outcome) =>
              Effect.flatMap(nowText, (at) => {
                const end = endOf(intentId, outcome, at, seconds)
                return Effect.andThen(
                  retryForever(store.ended(botId, end)),
                  Metrics.count(Metrics.botDecisions, { network, kind: "threshold", decision: end.decision.action })
                )
              })
            ),
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
          const resolve = (text: string) =>
            Effect.mapError(tokens.resolve(network, text, assets), (failure) =>
              failure._tag === "ValidationFailure"
                ? new ValidationFailure({ code: "1003", message: `pair: ${failure.message}` })
                : failure)
          const [first, second] = yield* Effect.all([resolve(base), resolve(quote)])
          if (first.address === second.address) {
            return yield* new ValidationFailure({
              code: "1003",
              message: `pair: ${base} and ${quote} are the same asset; two different ones are accepted`
            })
          }
          const inverse = chain.book.inverseTokens[symbolOf(first.symbol)] ?? null
          if (side === "short" && inverse === null) {
            const known = Object.keys(chain.book.inverseTokens)
            return yield* new ValidationFailure({
              code: "1008",
              message: `side: ${network} has no inverse token of ${first.symbol}, so short is not accepted for it; ${
                known.length === 0 ? "long, neutral and hold are" : `it is for ${known.join(", ")}`
              }`
            })
          }
          const missing = [first, second].find(({ address }) => !assets.some((asset) => asset.address === address))
          if (
            missing !== undefined || (side === "short" && !assets.some(({ address }) => address === inverse))
          ) {
            const symbol = missing?.symbol ?? `the inverse token of ${first.symbol}`
            return yield* new ValidationFailure({
              code: "1003",
              message: `pair: the vault cannot hold ${symbol}; its manager can enable it. It holds ${
                assets.map((asset) => asset.symbol).join(", ")
              }`
            })
          }
          return BotLegs.make({
            base: first.address,
            quote: second.address,
            inverse,
            pair: `${first.symbol}-${second.symbol}`
          })
        }).pipe(Effect.timeoutOrElse({
          duration: chainTimeout,
          orElse: () => Effect.fail(unavailable(new RpcUnavailable({ network, reason: "timeout" })))
        }))

      /**
       * Applies a waiting setting to its bot, or records why it is refused. Without a node the setting keeps waiting.
       */
      const applySetting = ({ id, idempotencyKey, keyId, terms, wallet }: WaitingSetting) =>
        Effect.gen(function*() {
          const { base, quote, ...rest } = terms
          const pair = yield* legs(base, quote, terms.side, wallet)
          const setting = turns.setWaiting(id, { network, pool, wallet, keyId, ...rest, ...pair }, idempotencyKey)
          const set = yield* Effect.flatMap(retryForever(refusable(setting)), Effect.fromResult)
          if (Option.isSome(set)) yield* follow(set.value.bot.id, set.value.intentId)
        }).pipe(
          Effect.catchTags({
            ValidationFailure: ({ code, message }) => retryForever(waiting.refuse(id, `${code}: ${message}`)),
            ExecutionFailure: ({ message }) => Effect.logDebug(`a bot's setting keeps waiting: ${message}`)
          })
        )

      return {
        legs: ({ payload: { base, quote, side, wallet } }) => legs(base, quote, side, wallet),
        settle: () =>
          Effect.gen(function*() {
            const all = (yield* retryForever(waiting.ofVault(network, pool))).filter(({ refused }) => refused === null)
            // Settings by the vault's trader and manager come first, so that no number of other wallets' settings
            // delays them.
            const state = yield* Effect.option(Effect.timeout(reader.state, chainTimeout))
            const isOwn = ({ wallet }: WaitingSetting) =>
              Option.exists(state, ({ facts }) => facts.trader === wallet || facts.manager === wallet)
            const [own, others] = Arr.partition(all, Filter.fromPredicate(isOwn))
            yield* Effect.forEach([...own, ...others], applySetting, { discard: true })
          }),
        wake: ({ payload: { botId } }) =>
          Effect.gen(function*() {
            const bot = yield* persist(store.find(botId))
            if (Option.isNone(bot)) return
            const { openIntent } = bot.value
            const intentId = openIntent === null ? yield* persist(turns.begin(botId)) : Option.some(openIntent)
            if (Option.isSome(intentId)) yield* follow(botId, intentId.value)
          })
      }
    }),
    // Handlers run concurrently, so none waits for another's chain reads; changes lock their rows.
    { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
  )
