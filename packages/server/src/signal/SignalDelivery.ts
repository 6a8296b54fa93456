/** Carries a signal to the bots of its token, and words the answer. */
import * as Audit from "@vault-trader/core/audit/Audit"
import { ExchangeAccounts, idOf as accountIdOf } from "@vault-trader/core/exchange/ExchangeAccount"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { notSet } from "@vault-trader/core/index-bot/IndexBot"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import type { Accepted, Step } from "@vault-trader/core/intent/SignalAcceptance"
import type { NewSignal, SignalResult } from "@vault-trader/core/signal/Signal"
import { SignalStore } from "@vault-trader/core/signal/SignalStore"
import type {
  ExchangeTarget,
  IndexTargetSets,
  SignalTarget,
  ThresholdTarget
} from "@vault-trader/core/signal/SignalTarget"
import { type BotTerms, defaults, type Side, type ThresholdBot } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import type { WebhookToken } from "@vault-trader/core/webhook/WebhookTokenStore"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { query, write } from "../gate/ActorCall.ts"
import { isOfLegs } from "@vault-trader/core/chain/PairMatch"
import { BotPreparation, reasonOf, refusedAt, SetBotStores, SignalCommit } from "../threshold-bot/SetBot.ts"

/** A signal that counts, and whose it is. */
export interface Call {
  readonly token: WebhookToken
  readonly signal: NewSignal
  readonly side: Side
  /** The percentage that the signal names; null: as the bots are set. */
  readonly percent: number | null
  readonly idempotencyKey: string | null
  /** After this time the signal is too old to act on, unix milliseconds. */
  readonly validUntil?: number | undefined
}

/** A bot's step. `failure`: why it is refused; `call`: what an actor does once the signal is recorded. */
interface Planned {
  readonly step: Step
  readonly failure: Failure | null
  readonly call: Effect.Effect<string, Failure> | null
}

/** The result of a signal at one bot. `failure`: why it was refused. */
export interface Delivered extends Accepted {
  readonly failure: Failure | null
}

/** Returns the threshold bot of a token that an idempotency key names: the first one, or its own. */
export const ownBot = (token: WebhookToken): ThresholdTarget => {
  const { base, network, pool, quote, targets } = token
  const first = targets.find((target) => target.kind === "threshold")
  return first ?? { kind: "threshold", network, pool, base, quote, weight: null }
}

/** Returns the bots of a token: those it was given, or the bot of its vault and pair. */
export const targetsOf = (token: WebhookToken): ReadonlyArray<SignalTarget> =>
  token.targets.length > 0 ? token.targets : [ownBot(token)]

/**
 * Returns the percent of a balance that a trade sells: a signal's percentage is taken of the bot's weight. Null: as the
 * bot is set.
 */
export const shareOf = (weight: number | null, percent: number | null): number | null =>
  percent === null || weight === null ? weight : Number(((percent * weight) / 100).toPrecision(12))

/**
 * Returns why a signal's percentage does not count at a bot; null if it does. Without a weight, which its owner sets, an
 * alert changes nothing but the side.
 */
export const percentRefusal = (weight: number | null, percent: number | null): ValidationFailure | null =>
  percent === null || percent === 100 || weight !== null
    ? null
    : new ValidationFailure({
      code: "1010",
      message: "percent: counts only at a bot with a weight, of which it is taken; setWebhookToken with bots sets one"
    })

/** Builds the bot's terms: the new side with its current terms, or the default terms for a new bot. */
const termsOf = (
  { base, quote, weight }: ThresholdTarget,
  bot: ThresholdBot | undefined,
  { percent, side }: Call
): BotTerms => ({
  base,
  quote,
  side,
  threshold: bot?.threshold ?? defaults.threshold,
  share: shareOf(weight, percent) ?? bot?.share ?? defaults.share,
  maxUsd: bot?.maxUsd ?? BigDecimal.fromStringUnsafe(defaults.maxUsd),
  slippage: bot?.slippage ?? defaults.slippage,
  platform: bot?.platform ?? "auto",
  lending: bot?.lending ?? false,
  autoEnable: bot?.autoEnable ?? false,
  maxImpact: bot?.maxImpact ?? null,
  paper: bot?.paper ?? false
})

const decided = (result: SignalResult, failure: Failure | null): Planned => ({
  step: { _tag: "decided", result },
  failure,
  call: null
})

/** Builds the plan of a threshold bot's step. */
const thresholdPlans = Effect.gen(function*() {
  const store = yield* ThresholdBotStore
  const limits = yield* KeyLimitStore
  const prepare = yield* BotPreparation
  return (target: ThresholdTarget, call: Call, key: string | null, isFresh: boolean): Effect.Effect<Planned> =>
    Effect.gen(function*() {
      const { network, pool } = target
      const { keyId, token, validUntil, wallet } = { ...call, ...call.token, token: call.token.id }
      const refused = (failure: Failure) =>
        decided(refusedAt({ network, pool, terms: { ...target, side: call.side } }, failure), failure)
      const limited = yield* query(
        limits.refusalOfWrite({ wallet, vault: vaultId(network, pool), idempotencyKey: null })
      )
      if (Option.isSome(limited)) return refused(limited.value)
      const unweighted = percentRefusal(target.weight, call.percent)
      if (unweighted !== null) return refused(unweighted)
      const bots = yield* query(store.ofVault(network, pool))
      const bot = bots.find((each) => isOfLegs(each, target.base, target.quote))
      const prepared = yield* Effect.result(
        prepare(
          {
            wallet,
            keyId,
            network,
            pool,
            terms: termsOf(target, bot, call),
            idempotencyKey: key,
            token,
            validUntil
          },
          isFresh,
          bots
        )
      )
      return Result.isFailure(prepared)
        ? refused(prepared.failure)
        : { step: prepared.success.step, failure: prepared.success.otherwise, call: null }
    })
})

/** Builds the plan of an index bot's step. */
const indexPlans = Effect.gen(function*() {
  const store = yield* IndexBotStore
  const limits = yield* KeyLimitStore
  return ({ network, pool, sets }: IndexTargetSets, { side, token: { keyId, wallet } }: Call): Effect.Effect<Planned> =>
    Effect.gen(function*() {
      const result = { kind: "index" as const, network, pool, subaccount: null, pair: null, side, intent_id: null }
      const refused = (failure: Failure) => decided({ ...result, state: "refused", reason: reasonOf(failure) }, failure)
      const limited = yield* query(
        limits.refusalOfWrite({ wallet, vault: vaultId(network, pool), idempotencyKey: null })
      )
      if (Option.isSome(limited)) return refused(limited.value)
      const targets = sets[side]
      if (targets === undefined) {
        return decided({ ...result, state: "ignored", reason: `It has no targets for ${side}.` }, null)
      }
      const bot = Option.getOrUndefined(yield* query(store.find(network, pool)))
      if (bot === undefined) return refused(notSet(pool))
      if (bot.wallet !== wallet) {
        return refused(
          new ValidationFailure({ code: "1006", message: `pool: another wallet has set the index bot of ${pool}` })
        )
      }
      return { step: { _tag: "index", setting: { ...bot, keyId, targets }, side }, failure: null, call: null }
    })
})

/** Builds the plan of an exchange bot's step: its account's actor sets it once the signal is recorded. */
const exchangePlans = Effect.gen(function*() {
  const accounts = yield* ExchangeAccounts.client
  const store = yield* ExchangeStore
  return ({ pair, subaccount, weight }: ExchangeTarget, call: Call, position: number): Effect.Effect<Planned> =>
    Effect.gen(function*() {
      const { percent, side, signal, token: { wallet } } = call
      const result = { kind: "exchange" as const, network: null, pool: null, subaccount, pair, side, intent_id: null }
      const refused = (message: string) => {
        const failure = new ValidationFailure({ code: "1010", message })
        return decided({ ...result, state: "refused", reason: reasonOf(failure) }, failure)
      }
      if (side === "short") return refused("side: an exchange bot takes long, neutral or hold")
      const unweighted = percentRefusal(weight, percent)
      if (unweighted !== null) return refused(unweighted.message)
      const account = Option.getOrUndefined(yield* query(store.ofWallet(wallet, subaccount)))
      if (account === undefined) return refused(`subaccount: the wallet has no sub-account ${subaccount}`)
      const bot = (yield* query(store.bots(account.id))).find((each) => each.pair === pair)
      if (bot === undefined) return refused(`pair: ${subaccount} has no bot of ${pair}; setCEXSide makes one`)
      const actor = yield* Audit.Actor
      const send = write(
        accounts(accountIdOf(account.manager, account.exchange, account.name)).setSide({
          ...{ wallet, pair, side, strategy: "custom", maxUsd: bot.maxUsd, actor },
          ...{ share: shareOf(weight, percent) ?? bot.share, takeProfit: bot.takeProfit, stopLoss: bot.stopLoss },
          idempotencyKey: `signal/${signal.id}/${position}`
        })
      )
      return {
        step: { _tag: "decided", result: { ...result, state: "waiting", reason: "Its account has not answered yet." } },
        failure: null,
        call: Effect.map(send, ({ intentId }) => intentId)
      }
    })
})

/** Builds the function that carries a signal to its bots. It returns nothing for a replay that was accepted before. */
export const SignalDelivery = Effect.gen(function*() {
  const signals = yield* SignalStore
  const commit = yield* SignalCommit
  const ofThreshold = yield* thresholdPlans
  const ofIndex = yield* indexPlans
  const ofExchange = yield* exchangePlans

  const plan = (call: Call, isFresh: boolean) => {
    const targets = targetsOf(call.token)
    // An idempotency key names one turn: the first threshold bot's.
    const named = targets.findIndex(({ kind }) => kind === "threshold")
    return Effect.forEach(
      targets,
      (target, position) =>
        target.kind === "threshold"
          ? ofThreshold(target, call, position === named ? call.idempotencyKey : null, isFresh)
          : target.kind === "index"
          ? ofIndex(target, call)
          : ofExchange(target, call, position),
      { concurrency: 4 }
    )
  }

  /** Has the account's actor set an exchange bot, and records the result. */
  const send = (call: Call, position: number, accepted: Accepted, sent: Effect.Effect<string, Failure>) =>
    Effect.gen(function*() {
      const answer = yield* Effect.result(sent)
      const change = Result.isSuccess(answer)
        ? { state: "accepted" as const, reason: null, intentId: answer.success }
        : { state: "refused" as const, reason: reasonOf(answer.failure), intentId: null }
      yield* query(signals.settle({ signal: call.signal.id, position }, change))
      const { intentId, reason, state } = change
      return {
        ...accepted,
        result: { ...accepted.result, state, reason, intent_id: intentId },
        failure: Result.isSuccess(answer) ? null : answer.failure
      }
    })

  return (call: Call): Effect.Effect<ReadonlyArray<Delivered>, Failure> =>
    Effect.gen(function*() {
      let planned: ReadonlyArray<Planned> = []
      const committed = yield* commit(call.signal, (isFresh) =>
        Effect.map(plan(call, isFresh), (all) => {
          planned = all
          return all.map(({ step }) => step)
        }))
      return yield* Effect.forEach(committed, (accepted, position): Effect.Effect<Delivered> => {
        const { call: sent = null, failure = null } = planned[position] ?? {}
        return sent === null
          ? Effect.succeed({
            ...accepted,
            failure: accepted.result.state === "refused" ? accepted.refusal ?? failure : null
          })
          : send(call, position, accepted, sent)
      }, { concurrency: 4 })
    })
})

/** The stores that a signal's delivery needs. */
export const SignalDeliveryStores = Layer.mergeAll(
  SetBotStores,
  KeyLimitStore.layer,
  IndexBotStore.layer,
  ExchangeStore.layer
)
