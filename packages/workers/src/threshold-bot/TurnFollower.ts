/** Follows a bot's turns to their outcomes and records them for the bot. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Failed, Outcome } from "@vault-trader/core/intent/Intent"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import { type LastDecision, PaperHoldings } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { type Ended, ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as IntentFollower from "../vault/IntentFollower.ts"

/** Failures that are not the bot's: it tries again and is not paused for them. */
const uncounted: ReadonlySet<string> = new Set([
  "price_unavailable",
  "rpc_unavailable",
  "paused",
  "vault_paused",
  "busy",
  "guardian_hold"
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

const nowText = Effect.map(DateTime.now, DateTime.formatIso)

/** Builds `follow` for the bots of one vault. `seconds` is a bot's check interval. */
export const make = (
  { network, pool, seconds }: { readonly network: Network; readonly pool: Address; readonly seconds: number }
) =>
  Effect.gen(function*() {
    const store = yield* ThresholdBotStore
    return yield* IntentFollower.make({
      ...{ network, pool },
      record: (botId, intentId, outcome) =>
        Effect.gen(function*() {
          const end = endOf(intentId, outcome, yield* nowText, seconds)
          yield* store.recordEnd(botId, end)
          yield* Metrics.count(Metrics.botDecisions, { network, kind: "threshold", decision: end.decision.action })
        })
    })
  })
