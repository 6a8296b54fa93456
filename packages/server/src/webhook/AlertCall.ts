/** Handlers of chart alerts: each is recorded as a signal and carried to the bots of its token. */
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { type NewSignal, SignalResult } from "@vault-trader/core/signal/Signal"
import { addressesOf, refusalOf, type SignalRules } from "@vault-trader/core/signal/SignalRules"
import { SignalStore } from "@vault-trader/core/signal/SignalStore"
import { nameOf, type SignalTarget } from "@vault-trader/core/signal/SignalTarget"
import { understand } from "@vault-trader/core/signal/Understanding"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import { type Side } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { WebhookTokenApi } from "@vault-trader/core/webhook/WebhookTokenApi"
import { type CalledToken, WebhookTokenStore } from "@vault-trader/core/webhook/WebhookTokenStore"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { query } from "../gate/ActorCall.ts"
import { isIn } from "../gate/ClientAddress.ts"
import { IdempotentWrites } from "../gate/IdempotentWrites.ts"
import { answerTo } from "../signal/SignalAnswer.ts"
import { ownBot, percentRefusal, shareOf, SignalDelivery, targetsOf } from "../signal/SignalDelivery.ts"
import * as RepeatedBot from "../threshold-bot/RepeatedBot.ts"
import { isOfLegs } from "@vault-trader/core/chain/PairMatch"
import { reasonOf } from "../threshold-bot/SetBot.ts"
import { answerOf } from "../threshold-bot/ThresholdBotApi.ts"
import * as AuditActor from "../wire/AuditActor.ts"
import * as Handlers from "../wire/Handlers.ts"
import { RequestSource, type Source } from "../wire/RequestSource.ts"

export const refuse = (code: "1008" | "1010", message: string) => new ValidationFailure({ code, message })

/** Returns the function that computes the digest under which a token is stored. */
export const tokenDigest = Effect.map(
  ApiKeyDigest,
  ({ digest }) => (token: Redacted.Redacted<string>) => digest(Redacted.make(`webhook ${Redacted.value(token)}`))
)

/** A call of a token, as far as it is understood without its rules. */
const readCall = (source: Source | undefined) => {
  const message = { body: source?.body ?? "", mediaType: source?.mediaType ?? "", query: source?.query ?? "" }
  return { message, ...understand(message) }
}

/** Returns the request's syntactic refusal that the understanding of the body does not include. */
const keyRefusal = (source: Source | undefined) => {
  const refusal = source?.refusals.find(({ name }) => name === "idempotency_key")
  return refusal === undefined ? null : refuse("1010", `${refusal.name}: ${refusal.message}`)
}

/** Applies a token's rules to a call. */
const checkRules = (
  { recent, rules }: CalledToken,
  address: string,
  { maxLag, time }: Pick<ReturnType<typeof readCall>, "maxLag" | "time">
) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const refusal = refusalOf(rules, {
      ...{ now, time, maxLag, recent, source: address },
      isListed: rules.sources === null || isIn(addressesOf(rules.sources), address)
    })
    return refusal === null ? null : refuse("1010", refusal)
  })

/** Returns the time after which a call is too old to act on. */
const validUntil = (
  { maxAge }: SignalRules,
  { maxLag, time }: Pick<ReturnType<typeof readCall>, "maxLag" | "time">
): number | undefined => {
  const limits = [maxAge, maxLag].filter((limit) => limit !== null)
  return time === null || limits.length === 0 ? undefined : time + Math.min(...limits) * 1000
}

export const alertHandlers = Handlers.part(
  WebhookTokenApi,
  Effect.gen(function*() {
    const tokens = yield* WebhookTokenStore
    const signals = yield* SignalStore
    const switches = yield* KillSwitch
    const deliver = yield* SignalDelivery
    const writes = yield* IdempotentWrites
    const repeated = yield* RepeatedBot.make
    const digestOf = yield* tokenDigest

    /** Answers a repeat under an idempotency key from the ledger. */
    const repeat = (id: string, signal: NewSignal, token: CalledToken, side: Side) =>
      Effect.gen(function*() {
        const { network, pool, ...terms } = ownBot(token)
        const found = yield* Effect.tapError(
          repeated(id, { network, pool, terms: { base: terms.base, quote: terms.quote, side } }),
          (failure) => query(signals.record(signal, [], reasonOf(failure)))
        )
        const answer = yield* answerOf(found, switches)
        const result = SignalResult.make({
          ...{ kind: "threshold", network, pool, subaccount: null, pair: `${terms.base}-${terms.quote}`, side },
          ...{ state: "ignored", reason: "Its idempotency_key was used before.", intent_id: id }
        })
        yield* query(signals.record(signal, [result]))
        return { ...answer, signal_id: signal.id, results: [result] }
      })

    return {
      webhook: ({ idempotency_key, token }) =>
        Effect.gen(function*() {
          const found = yield* query(Effect.flatMap(digestOf(token), tokens.called))
          if (Option.isNone(found)) return yield* refuse("1010", "token: unknown or revoked")
          const called = found.value
          const source = yield* RequestSource
          const call = readCall(source)
          const { fault, message: { body, mediaType, query: urlQuery }, understood } = call
          const signal: NewSignal = {
            ...{ id: yield* Uuid.v7, source: "alert", wallet: called.wallet, token: called.id, understood },
            ...{ origin: source?.address ?? null, mediaType: mediaType === "" ? null : mediaType, replayOf: null },
            body: urlQuery === "" || body === "" ? `${urlQuery}${body}` : `${urlQuery}\n${body}`
          }
          const refused = (refusal: ValidationFailure) =>
            Effect.andThen(query(signals.record(signal, [], reasonOf(refusal))), Effect.fail(refusal))
          const unreadable = fault === null ? keyRefusal(source) : refuse(fault.code, fault.message)
          if (unreadable !== null) return yield* refused(unreadable)
          const side = understood.side ?? "hold"
          const repeats = idempotency_key === undefined
            ? Option.none()
            : yield* writes.named(called.wallet, { ledger: "requests", text: idempotency_key })
          if (Option.isSome(repeats)) return yield* repeat(repeats.value, signal, called, side)
          const against = yield* checkRules(called, source?.address ?? "", call)
          if (against !== null) return yield* refused(against)
          const delivered = yield* AuditActor.as({ kind: "webhookToken", id: called.id, credential: "webhookToken" })(
            deliver({
              ...{ token: called, signal, side, percent: understood.percent },
              idempotencyKey: idempotency_key ?? null,
              validUntil: validUntil(called.rules, call)
            })
          )
          return yield* answerTo(signal.id, delivered, switches)
        })
    }
  })
)

export const testHandlers = Handlers.part(
  WebhookTokenApi,
  Effect.gen(function*() {
    const tokens = yield* WebhookTokenStore
    const store = yield* ThresholdBotStore
    const digestOf = yield* tokenDigest

    /** Says what would be done at a bot, from rows: no node is asked. */
    const would = (target: SignalTarget, side: Side, percent: number | null): Effect.Effect<string> => {
      const name = nameOf(target)
      if (target.kind === "index") {
        const set = target.sets[side]
        return Effect.succeed(
          set === undefined
            ? `${name}: nothing, it has no targets for ${side}.`
            : `${name}: gets the targets ${set.map(({ token, weight }) => `${token.symbol} ${weight} %`).join(", ")}.`
        )
      }
      const unweighted = percentRefusal(target.weight, percent)
      if (unweighted !== null) return Effect.succeed(`${name}: refused, ${unweighted.message}.`)
      const share = shareOf(target.weight, percent)
      const sells = share === null ? "" : `, ${share} % of a balance a trade`
      if (target.kind === "exchange") {
        return Effect.succeed(
          side === "short" ? `${name}: refused, an exchange bot takes no short.` : `${name}: set to ${side}${sells}.`
        )
      }
      return Effect.map(query(store.ofVault(target.network, target.pool)), (bots) => {
        const bot = bots.find((each) => isOfLegs(each, target.base, target.quote))
        return side === "short" && bot?.inverse === null
          ? `${name}: refused, ${target.network} has no inverse token of ${target.base}.`
          : bot === undefined
          ? `${name}: a new bot, set to ${side}${sells}.`
          : bot.side === side
          ? `${name}: stays ${side}${sells}, and is checked at once.`
          : `${name}: set from ${bot.side} to ${side}${sells}.`
      })
    }

    return {
      testWebhook: ({ token }) =>
        Effect.gen(function*() {
          const found = yield* query(Effect.flatMap(digestOf(token), tokens.called))
          if (Option.isNone(found)) return yield* refuse("1010", "token: unknown or revoked")
          const source = yield* RequestSource
          const call = readCall(source)
          const { side } = call.understood
          // The tester may call from anywhere: only the alert's own source matters.
          const rules = { ...found.value.rules, sources: null }
          const refusal = call.fault?.message ??
            (yield* checkRules({ ...found.value, rules }, source?.address ?? "", call))?.message ?? null
          return {
            accepted: refusal === null,
            reason: refusal,
            understood: call.understood,
            would: refusal !== null || side === null
              ? []
              : yield* Effect.forEach(targetsOf(found.value), (target) => would(target, side, call.understood.percent)),
            message: refusal === null ? "It would be accepted." : `It would be refused. ${refusal}`
          }
        })
    }
  })
)
