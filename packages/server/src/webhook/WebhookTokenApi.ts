/** Handlers of chart alerts and their tokens. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { type BotTerms, type Side, defaults, type ThresholdBot } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { legsOf } from "@vault-trader/core/threshold-bot/ThresholdBotApi"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import { maxTokens, type WebhookToken, WebhookTokenStore } from "@vault-trader/core/webhook/WebhookTokenStore"
import * as AlertSide from "@vault-trader/core/webhook/AlertSide"
import { WebhookTokenApi } from "@vault-trader/core/webhook/WebhookTokenApi"
import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as AuditActor from "../wire/AuditActor.ts"
import * as Handlers from "../wire/Handlers.ts"
import { query } from "../gate/ActorCall.ts"
import { IdempotentWrites } from "../gate/IdempotentWrites.ts"
import * as RepeatedBot from "../threshold-bot/RepeatedBot.ts"
import { isOfLegs, isUnavailable, SetBot, SetBotStores } from "../threshold-bot/SetBot.ts"
import { answerOf, waits } from "../threshold-bot/ThresholdBotApi.ts"
import { TraderNow } from "../vault/TraderNow.ts"

/** Generates a token of 256 random bits, in a format that log redaction recognizes. */
const freshToken = Effect.sync(() =>
  Redacted.make(
    `whk_${
      Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("")
    }`
  )
)

const refuse = (code: "1008" | "1010", message: string) => new ValidationFailure({ code, message })

/** The parts of an alert that may name a side. */
type Sides = Pick<Handlers.Params<typeof WebhookTokenApi, "webhook">, "side" | "action" | "market_position" | "alert">

/**
 * Returns the side that an alert requests. The position after an order counts before the order, because an order to buy
 * may also close a short position. A text counts only if nothing else names a side.
 */
const sideOf = ({ action, alert, market_position: position, side }: Sides) => {
  if (side !== undefined && position !== undefined && side !== position) {
    return refuse("1008", `side: is ${side}, but market_position is ${position}; send one of them`)
  }
  if (side !== undefined && action !== undefined && side !== action) {
    return refuse("1008", `side: is ${side}, but action means ${action}; send one of them`)
  }
  const named = side ?? position ?? action
  if (named !== undefined) return Effect.succeed(named)
  if (alert === undefined) {
    return refuse("1010", "Missing required parameter: side (or market_position, action, or a text that is one word)")
  }
  const word = AlertSide.read(alert)
  return word === undefined ? refuse("1008", `alert: ${AlertSide.explainText(alert)}`) : Effect.succeed(word)
}

/** Refuses an alert that is older than `max_lag`. */
const inTime = (timestamp: number | undefined, maxLag: number | undefined) =>
  Effect.gen(function*() {
    if (maxLag === undefined) return
    if (timestamp === undefined) {
      return yield* refuse("1010", "timestamp: is required with max_lag; in TradingView use {{timenow}}")
    }
    const seconds = Math.floor(((yield* Clock.currentTimeMillis) - timestamp) / 1000)
    if (seconds > maxLag) {
      return yield* refuse(
        "1010",
        `timestamp: the alert is ${seconds} s old, and max_lag is ${maxLag} s; nothing was done`
      )
    }
  })

/** Builds the bot's terms: the new side with its current terms, or the default terms for a new bot. */
const termsOf = ({ base, quote }: WebhookToken, bot: ThresholdBot | undefined, side: Side): BotTerms => ({
  base,
  quote,
  side,
  threshold: bot?.threshold ?? defaults.threshold,
  share: bot?.share ?? defaults.share,
  maxUsd: bot?.maxUsd ?? BigDecimal.fromStringUnsafe(defaults.maxUsd),
  slippage: bot?.slippage ?? defaults.slippage,
  platform: bot?.platform ?? "auto",
  lending: bot?.lending ?? false,
  autoEnable: bot?.autoEnable ?? false,
  paper: bot?.paper ?? false
})

/** Returns the function that computes the digest under which a token is stored. */
const tokenDigest = Effect.map(
  ApiKeyDigest,
  ({ digest }) => (token: Redacted.Redacted<string>) => digest(Redacted.make(`webhook ${Redacted.value(token)}`))
)

const tokenHandlers = Handlers.part(
  WebhookTokenApi,
  Effect.gen(function*() {
    const tokens = yield* WebhookTokenStore
    const digestOf = yield* tokenDigest
    const traderNow = yield* TraderNow
    const waiting = yield* WaitingSettings

    /**
     * Checks that the wallet may trade the vault. While no node responds, a vault that is known from rows passes:
     * whether the wallet is its trader is checked again when an alert's bot acts.
     */
    const mayHaveToken = (place: { readonly network: Network; readonly pool: Address }, wallet: Address) =>
      Effect.catchTag(traderNow(place, wallet), "ExecutionFailure", (failure) =>
        Effect.flatMap(
          isUnavailable(failure) ? query(waiting.isKnown(place.network, place.pool, wallet)) : Effect.succeed(false),
          (known) => known ? Effect.void : Effect.fail(failure)
        ))

    return {
      createWebhookToken: ({ label, network, pair, pool }) =>
        Effect.gen(function*() {
          const { keyId, wallet } = yield* Caller
          yield* mayHaveToken({ network, pool }, wallet)
          const [base, quote] = legsOf(pair)
          const token = yield* freshToken
          const created = yield* query(
            tokens.create({
              digest: yield* digestOf(token),
              wallet,
              keyId,
              network,
              pool,
              base,
              quote,
              label: label ?? null
            })
          )
          if (Option.isNone(created)) {
            return yield* refuse(
              "1010",
              `apiKey: its wallet has ${maxTokens} webhook tokens, the maximum; revoke some first`
            )
          }
          const message = "Alerts are posted to the path. The token is shown only in this response."
          return {
            token_id: created.value.id,
            token,
            path: Redacted.make(`/webhook/${Redacted.value(token)}`),
            message
          }
        }),
      revokeWebhookToken: ({ token_id }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const revoked = yield* query(tokens.revoke(wallet, token_id === "all" ? null : token_id))
          if (revoked === 0 && token_id !== "all") {
            return yield* refuse(
              "1010",
              "token_id: the wallet has no such token, or it is already revoked; /getWebhookTokens lists its tokens"
            )
          }
          return { revoked, message: `Revoked ${revoked} token${revoked === 1 ? "" : "s"}.` }
        }),
      getWebhookTokens: () =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const found = yield* query(tokens.ofWallet(wallet))
          return {
            tokens: found.map(({ base, createdAt, id, label, network, pool, quote, usedAt }) => ({
              ...{ token_id: id, network, pool, pair: `${base}-${quote}`, label },
              created_at: createdAt.toISOString(),
              used_at: usedAt?.toISOString() ?? null
            }))
          }
        })
    }
  })
)

const alertHandlers = Handlers.part(
  WebhookTokenApi,
  Effect.gen(function*() {
    const tokens = yield* WebhookTokenStore
    const limits = yield* KeyLimitStore
    const store = yield* ThresholdBotStore
    const switches = yield* KillSwitch
    const setBot = yield* SetBot
    const writes = yield* IdempotentWrites
    const repeated = yield* RepeatedBot.make
    const digestOf = yield* tokenDigest

    /**
     * Applies the wallet's limits to an alert. Setting the bot checks later if the wallet is still the vault's trader.
     */
    const checkLimits = ({ network, pool, wallet }: WebhookToken) =>
      Effect.gen(function*() {
        const refused = yield* query(
          limits.refusalOfWrite({ wallet, vault: vaultId(network, pool), idempotencyKey: null })
        )
        if (Option.isSome(refused)) return yield* refused.value
      })

    return {
      webhook: ({ idempotency_key, max_lag, timestamp, token, ...alert }) =>
        Effect.gen(function*() {
          const found = yield* query(Effect.flatMap(digestOf(token), tokens.use))
          if (Option.isNone(found)) return yield* refuse("1010", "token: unknown or revoked")
          const requestedSide = yield* sideOf(alert)
          const { base, keyId, network, pool, quote, wallet } = found.value
          const repeats = idempotency_key === undefined
            ? Option.none()
            : yield* writes.named(wallet, { ledger: "requests", text: idempotency_key })
          if (Option.isSome(repeats)) {
            return yield* answerOf(
              yield* repeated(repeats.value, { network, pool, terms: { base, quote, side: requestedSide } }),
              switches
            )
          }
          yield* inTime(timestamp, max_lag)
          yield* checkLimits(found.value)
          const bot = (yield* query(store.ofVault(network, pool))).find((each) => isOfLegs(each, base, quote))
          const set = yield* AuditActor.as({
            kind: "webhookToken",
            id: found.value.id,
            credential: "webhookToken"
          })(setBot({
            ...{
              wallet,
              keyId,
              network,
              pool,
              terms: termsOf(found.value, bot, requestedSide),
              idempotencyKey: idempotency_key ?? null
            },
            token: found.value.id,
            validUntil: timestamp === undefined || max_lag === undefined ? undefined : timestamp + max_lag * 1000
          }))
          return set === "waiting" ? waits : yield* answerOf(set, switches)
        })
    }
  })
)

export const WebhookTokenApiLive = Handlers.layer(
  WebhookTokenApi,
  Effect.gen(function*() {
    return {
      ...(yield* tokenHandlers),
      ...(yield* alertHandlers)
    }
  })
).pipe(Layer.provide([WebhookTokenStore.layer, KeyLimitStore.layer, SetBotStores]))
