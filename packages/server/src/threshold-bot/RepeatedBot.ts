/** Answers a repeated setting of a bot from the rows: neither the vault's chain nor the bot's actor is asked. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { symbolOf } from "@vault-trader/core/chain/Token"
import type { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import type { Intent } from "@vault-trader/core/intent/Intent"
import { BotSet, type BotTerms, type BotTradeRequest, ThresholdBot } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as BigDecimal from "effect/BigDecimal"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { query } from "../gate/ActorCall.ts"
import { conflict, released } from "../intent/IdempotentWrites.ts"

/** A bot's terms as a caller gives them again; an alert gives the legs and the side alone. */
export interface AskedAgain {
  readonly network: Network
  readonly pool: Address
  readonly terms: Pick<BotTerms, "base" | "quote" | "side"> & Partial<BotTerms>
}

const compared = ["side", "threshold", "share", "slippage", "platform", "lending"] as const

/** Whether both are about the same legs, each named by its address or its symbol. */
const sameLegs = (request: BotTradeRequest, { base, quote }: AskedAgain["terms"]): boolean => {
  const pair = request.pair.toUpperCase()
  return (base.toLowerCase() === request.base || pair.startsWith(`${symbolOf(base)}-`)) &&
    (quote.toLowerCase() === request.quote || pair.endsWith(`-${symbolOf(quote)}`))
}

const sameTerms = (request: BotTradeRequest, { maxUsd, paper, ...terms }: AskedAgain["terms"]): boolean =>
  compared.every((name) => terms[name] === undefined || terms[name] === request[name]) &&
  (maxUsd === undefined || BigDecimal.equals(maxUsd, request.maxUsd)) &&
  (paper === undefined || paper === (request.paper !== null))

/** The bot of a turn whose row was deleted since. */
const deletedBot = ({ keyId, network, pool, updatedAt, wallet }: Intent, { botId, paper, ...request }: BotTradeRequest): ThresholdBot =>
  ThresholdBot.make({
    ...request,
    ...{ id: botId, network, pool, wallet, keyId, paper: paper !== null, paperHoldings: paper?.holdings ?? null },
    ...{ active: false, pausedReason: "It was deleted.", failures: 0, revision: 0, turn: 0 },
    ...{ openIntent: null, lastIntent: null, lastDecision: null, nextCheck: DateTime.toDateUtc(updatedAt) }
  })

export const make = Effect.gen(function*() {
  const intents = yield* IntentStore
  const bots = yield* ThresholdBotStore
  /** `id`: what the request's idempotency key names. */
  return (id: string, asked: AskedAgain): Effect.Effect<BotSet, ExecutionFailure | ValidationFailure> =>
    Effect.gen(function*() {
      const { network, pool, terms } = asked
      const intent = Option.getOrUndefined(yield* query(intents.find(id)))
      if (intent === undefined) return yield* conflict(id)
      const { request } = intent
      if (intent.idempotencyKey === null) return yield* released
      const same = intent.endpoint === "setBot" && intent.network === network && intent.pool === pool
      if (!same || request._tag !== "BotTrade" || !sameLegs(request, terms) || !sameTerms(request, terms)) return yield* conflict(id)
      const bot = (yield* query(bots.ofVault(network, pool))).find((each) => each.id === request.botId)
      return BotSet.make({ bot: bot ?? deletedBot(intent, request), intentId: id })
    })
})
