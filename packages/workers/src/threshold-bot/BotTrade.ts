/**
 * Executes a bot's turn. It decides on the vault's holdings when the vault's queue reaches it, so that two turns never
 * act on the same state. It trades in one transaction: withdraws supplied assets, swaps, and supplies the proceeds.
 */
import type { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import { decide, type Decision, type Legs } from "@vault-trader/core/threshold-bot/ThresholdDecision"
import { type BotTradeRequest, isSame } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Contract from "../chain/Contract.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import type { Tokens } from "../chain/Tokens.ts"
import * as LendingMovements from "../lending/LendingMovements.ts"
import { approval, redemption, refuses, swap } from "../trading/TradeMovements.ts"
import { managerLogicAbi } from "../platform/PlatformAbi.ts"
import type { SliceSizer } from "../trading/SliceSizer.ts"
import * as Action from "../vault/Action.ts"
import type { AggregatorClient } from "../venue/AggregatorClient.ts"
import * as PairReader from "./PairReader.ts"
import * as TurnDetails from "./TurnDetails.ts"
import { completeRedemption, onPaper, park, throughQuote, trade } from "./TurnPlan.ts"

const alreadyTraded = (seconds: number) =>
  `The bot has already traded on the same terms within its check interval of ${seconds} s; the same signal ` +
  "causes only one trade. Nothing was sent."

const capUsed = (maxUsd: BigDecimal.BigDecimal, seconds: number) =>
  `The bot has already traded its max_usd of $${
    BigDecimal.format(maxUsd)
  } within its check interval of ${seconds} s; ` +
  "a later check trades the rest. Nothing was sent."

const enabledFirst = ({ symbol }: Token) =>
  `${symbol} is not enabled in the vault. The bot enables it first, by an intent of its own, and then trades. ` +
  "Nothing was sent."

/** Reads whether the vault may hold a token now: the planner's state of the vault can be a block old. */
const isEnabled = ({ chain, facts }: Action.VaultContext, { address }: Token) =>
  Effect.map(
    Effect.mapError(
      chain.readAll([Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [address])]),
      unavailable
    ),
    ([enabled]) => Result.isFailure(enabled) || enabled.success
  )

/**
 * Returns the decision within what the bot may still trade before its next check: nothing on the same terms again, and
 * on all terms together no more than `max_usd`. Otherwise returns why nothing is traded.
 */
const withinInterval = (
  context: Action.VaultContext,
  request: BotTradeRequest,
  legs: Legs,
  decision: Extract<Decision, { readonly _tag: "trade" }>,
  seconds: number
) =>
  Effect.gen(function*() {
    const bots = yield* ThresholdBotStore
    if (context.intentId === undefined) return decision
    const made = yield* Effect.orDie(bots.tradesJustBefore(context.intentId, seconds))
    if (made[0] !== undefined && isSame(made[0].request, request)) return alreadyTraded(seconds)
    const sold = made.filter((trade) => (trade.request.paper === null) === (request.paper === null))
      .reduce((sum, trade) => BigDecimal.sum(sum, trade.sold), BigDecimal.fromBigInt(0n))
    if (BigDecimal.isZero(sold)) return decision
    const left = decide({ ...request, maxUsd: BigDecimal.subtract(request.maxUsd, sold) }, legs)
    return left._tag === "trade" ? left : capUsed(request.maxUsd, seconds)
  })

/** Reads the pair, decides and plans. */
const plan = (context: Action.VaultContext, request: BotTradeRequest, floor: bigint, seconds: number) =>
  Effect.gen(function*() {
    const { base, inverse, lending, paper, quote } = request
    const pair = { pool: context.pool, base, quote, inverse, lending, paper: paper?.holdings ?? null }
    // One endpoint alone must not make a bot trade, where the network has several.
    const [found] = yield* PairReader.read(context.chain, [pair], { readAll: context.chain.readConfirmed })
    if (found === undefined || Option.isNone(found)) return yield* explain({ _tag: "LegNotAToken" })
    const legs = found.value
    const decided = decide(request, legs)
    const decision = decided._tag === "trade"
      ? yield* withinInterval(context, request, legs, decided, seconds)
      : decided
    if (typeof decision === "string") {
      return {
        calls: [],
        details: {
          ...TurnDetails.nothing,
          action: "hold" as const,
          reason: decision,
          paper: paper !== null,
          holdings: paper?.holdings ?? null
        },
        nothingToDo: decision
      }
    }
    // Also on paper: unknown balances must not be stored as holdings of 0.
    if (decision._tag === "hold" && decision.code === "balance_unknown") {
      return yield* explain({ _tag: "BotInputUnknown", detail: decision.reason })
    }
    if (paper !== null) return onPaper(legs, decision, request.slippage)
    if (decision._tag === "trade") {
      const possible = throughQuote(context, legs, decision)
      if (request.autoEnable && !(yield* isEnabled(context, possible.to.token))) {
        const reason = enabledFirst(possible.to.token)
        return {
          calls: [],
          details: { ...TurnDetails.nothing, action: "hold" as const, reason, paper: false },
          nothingToDo: reason
        }
      }
      return yield* trade(context, request, floor, possible)
    }
    if (decision._tag === "park") return yield* park(context, decision)
    if (decision.code === "price_unavailable") {
      return yield* explain({ _tag: "BotInputUnknown", detail: decision.reason })
    }
    return {
      calls: [],
      details: { ...TurnDetails.nothing, action: "hold" as const, reason: decision.reason, paper: false },
      nothingToDo: `${decision.reason} Nothing was sent.`
    }
  })

/**
 * Builds the action. `floor` is the health factor floor, 18 decimals. `seconds` is the interval in which a signal
 * causes one trade.
 */
export const BotTrade = (floor: bigint, seconds: number) =>
  Action.make<
    BotTradeRequest,
    TurnDetails.TurnDetails,
    typeof TurnDetails.TurnDetails.Encoded,
    Tokens | AggregatorClient | SliceSizer | ThresholdBotStore
  >({
    charge: "trade",
    lifetimeSeconds: Action.swapLifetimeSeconds,
    details: TurnDetails.TurnDetails,
    plan: (context, request) => plan(context, request, floor, seconds),
    steps: {
      stepOf: ({ redemption }) => redemption?.step ?? "only",
      planSecond: completeRedemption
    },
    refuses,
    decodeMovement: (chain, call) =>
      approval(chain, call) ?? swap(chain, call) ?? redemption(chain, call) ??
        LendingMovements.of("withdraw", "supply", "repay")(chain, call),
    describe: TurnDetails.describe,
    interpretReceipt: ({ pool }, details, receipt) => Effect.sync(() => TurnDetails.resultOf(pool, details, receipt))
  })
