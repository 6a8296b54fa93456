/** Answers a repeated setBot from the database, without calling the vault's chain or the bot's actor. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { symbolOf } from "@vault-trader/core/chain/Token"
import type { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import type { Intent } from "@vault-trader/core/intent/Intent"
import {
  BotSet,
  type BotTerms,
  type BotTradeRequest,
  ThresholdBot
} from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as BigDecimal from "effect/BigDecimal"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import { conflict, released } from "../gate/IdempotentWrites.ts"

/** A bot's terms in a repeated request; an alert gives only legs and side. */
interface RepeatedRequest {
  readonly network: Network
  readonly pool: Address
  readonly terms: Pick<BotTerms, "base" | "quote" | "side"> & Partial<BotTerms>
}

const compared = ["side", "threshold", "share", "slippage", "platform", "lending", "autoEnable", "maxImpact"] as const

/** Returns true if both have the same legs, each named by address or symbol. */
const sameLegs = (request: BotTradeRequest, { base, quote }: RepeatedRequest["terms"]): boolean => {
  const pair = request.pair.toUpperCase()
  return (base.toLowerCase() === request.base || pair.startsWith(`${symbolOf(base)}-`)) &&
    (quote.toLowerCase() === request.quote || pair.endsWith(`-${symbolOf(quote)}`))
}

const sameTerms = (request: BotTradeRequest, { maxUsd, paper, ...terms }: RepeatedRequest["terms"]): boolean =>
  compared.every((name) => terms[name] === undefined || terms[name] === request[name]) &&
  (maxUsd === undefined || BigDecimal.equals(maxUsd, request.maxUsd)) &&
  (paper === undefined || paper === (request.paper !== null))

/** Rebuilds a deleted bot from its turn's request. */
const deletedBot = (
  { keyId, network, pool, updatedAt, wallet }: Intent,
  { botId, paper, ...request }: BotTradeRequest
): ThresholdBot =>
  ThresholdBot.make({
    ...request,
    ...{ id: botId, network, pool, wallet, keyId, paper: paper !== null, paperHoldings: paper?.holdings ?? null },
    ...{ active: false, pausedReason: "It was deleted.", failures: 0, revision: 0, turn: 0 },
    ...{ openIntent: null, lastIntent: null, lastDecision: null, nextCheck: DateTime.toDateUtc(updatedAt) }
  })

export const make = Effect.gen(function*() {
  const intents = yield* IntentStore
  const bots = yield* ThresholdBotStore
  /** `id`: the intent of the request's idempotency key. */
  return (id: string, request: RepeatedRequest): Effect.Effect<BotSet, ExecutionFailure | ValidationFailure> =>
    Effect.gen(function*() {
      const { network, pool, terms } = request
      const intent = Option.getOrUndefined(yield* query(intents.find(id)))
      if (intent === undefined) return yield* conflict(id)
      const { request: trade } = intent
      if (intent.idempotencyKey === null) return yield* released
      const same = intent.endpoint === "setBot" && intent.network === network && intent.pool === pool
      if (!same || trade._tag !== "BotTrade" || !sameLegs(trade, terms) || !sameTerms(trade, terms)) {
        return yield* conflict(id)
      }
      const bot = (yield* query(bots.ofVault(network, pool))).find((each) => each.id === trade.botId)
      return BotSet.make({ bot: bot ?? deletedBot(intent, trade), intentId: id })
    })
})
