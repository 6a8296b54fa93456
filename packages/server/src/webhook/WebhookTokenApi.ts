/** Handlers of webhook tokens: their creation, rules and end. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { type Failure } from "@vault-trader/core/failure/Failure"
import { vaultId } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { type IndexSetting, notSet } from "@vault-trader/core/index-bot/IndexBot"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { isTighter, showQuiet, type SignalRules } from "@vault-trader/core/signal/SignalRules"
import { nameOf, type SignalTarget, type UnresolvedTarget } from "@vault-trader/core/signal/SignalTarget"
import { type Side, sides } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { legsOf } from "@vault-trader/core/chain/PairText"
import { WaitingSettings } from "@vault-trader/core/threshold-bot/WaitingSettings"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import { WebhookTokenApi } from "@vault-trader/core/webhook/WebhookTokenApi"
import { type ListedToken, maxTokens, WebhookTokenStore } from "@vault-trader/core/webhook/WebhookTokenStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { query } from "../gate/ActorCall.ts"
import * as TargetResolution from "../index-bot/TargetResolution.ts"
import { SignalDeliveryStores, targetsOf } from "../signal/SignalDelivery.ts"
import { isUnavailable } from "../threshold-bot/SetBot.ts"
import { alertHandlers, refuse, testHandlers, tokenDigest } from "./AlertCall.ts"
import { TraderNow } from "../vault/TraderNow.ts"
import * as Handlers from "../wire/Handlers.ts"

/** Generates a token of 256 random bits, in a format that log redaction recognizes. */
const freshToken = Effect.sync(() =>
  Redacted.make(
    `whk_${
      Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("")
    }`
  )
)

/** Builds the check that a wallet may have a token that drives bots of a vault. */
const tokenPermission = Effect.gen(function*() {
  const traderNow = yield* TraderNow
  const waiting = yield* WaitingSettings
  /**
   * Checks that the wallet may trade the vault. While no node responds, a vault that is known from rows passes: whether
   * the wallet is its trader is checked again when an alert's bot acts.
   */
  return (place: { readonly network: Network; readonly pool: Address }, wallet: Address) =>
    Effect.catchTag(traderNow(place, wallet), "ExecutionFailure", (failure) =>
      Effect.flatMap(
        isUnavailable(failure) ? query(waiting.isKnown(place.network, place.pool, wallet)) : Effect.succeed(false),
        (known) => known ? Effect.void : Effect.fail(failure)
      ))
})

const unknownToken = refuse(
  "1010",
  "token_id: the wallet has no such token, or it is already revoked; /getWebhookTokens lists its tokens"
)

const tokenHandlers = Handlers.part(
  WebhookTokenApi,
  Effect.gen(function*() {
    const tokens = yield* WebhookTokenStore
    const digestOf = yield* tokenDigest
    const mayHaveToken = yield* tokenPermission

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
            return yield* unknownToken
          }
          return { revoked, message: `Revoked ${revoked} token${revoked === 1 ? "" : "s"}.` }
        }),
      getWebhookTokens: () =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          return { tokens: (yield* query(tokens.ofWallet(wallet))).map(viewOf) }
        })
    }
  })
)

/** Shows a token to its owner. */
const viewOf = (token: ListedToken) => {
  const { base, createdAt, id, label, network, pool, quote, rules, usedAt } = token
  return {
    ...{ token_id: id, network, pool, pair: `${base}-${quote}`, label, muted: rules.muted },
    quiet_hours: rules.quiet === null ? null : showQuiet(rules.quiet),
    ...{ sources: rules.sources, rate: rules.perMinute, max_age: rules.maxAge },
    bots: targetsOf(token).map(nameOf),
    created_at: createdAt.toISOString(),
    used_at: usedAt?.toISOString() ?? null
  }
}

/** Returns the rules that a request names. */
const rulesOf = (
  { max_age, muted, quiet_hours, rate, sources }: Handlers.Params<typeof WebhookTokenApi, "setWebhookToken">
): Partial<SignalRules> => {
  const orNull = <A>(given: A | "none") => given === "none" ? null : given
  return {
    ...(muted === undefined ? {} : { muted }),
    ...(quiet_hours === undefined ? {} : { quiet: orNull(quiet_hours) }),
    ...(sources === undefined ? {} : { sources: orNull(sources) }),
    ...(rate === undefined ? {} : { perMinute: orNull(rate) }),
    ...(max_age === undefined ? {} : { maxAge: orNull(max_age) })
  }
}

const settingHandlers = Handlers.part(
  WebhookTokenApi,
  Effect.gen(function*() {
    const tokens = yield* WebhookTokenStore
    const limits = yield* KeyLimitStore
    const accounts = yield* ExchangeStore
    const indexes = yield* IndexBotStore
    const vaults = yield* Vault.client
    const mayHaveToken = yield* tokenPermission

    /** Checks that the wallet may drive a bot, and resolves the targets of an index. */
    const resolved = (target: UnresolvedTarget, wallet: Address): Effect.Effect<SignalTarget, Failure> =>
      Effect.gen(function*() {
        if (target.kind === "exchange") {
          return Option.isSome(yield* query(accounts.ofWallet(wallet, target.subaccount)))
            ? target
            : yield* refuse("1010", `bots: the wallet has no sub-account ${target.subaccount}`)
        }
        const { network, pool } = target
        const limited = yield* query(
          limits.refusalOfWrite({ wallet, vault: vaultId(network, pool), idempotencyKey: null })
        )
        if (Option.isSome(limited)) return yield* limited.value
        yield* mayHaveToken({ network, pool }, wallet)
        if (target.kind === "threshold") return target
        const bot = Option.getOrUndefined(yield* query(indexes.find(network, pool)))
        if (bot === undefined) return yield* notSet(pool)
        const sets: Partial<Record<Side, ReadonlyArray<IndexSetting["targets"][number]>>> = {}
        for (const side of sides) {
          const set = target.sets[side]
          if (set === undefined) continue
          const found = yield* TargetResolution.resolved(vaults(idOf(network, pool)), set, bot.quote.address)
          sets[side] = found.targets
        }
        return { ...target, sets }
      })

    return {
      setWebhookToken: (params) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const { bots, token_id } = params
          const found = yield* query(tokens.find(wallet, token_id))
          if (Option.isNone(found)) return yield* unknownToken
          const before = found.value
          const rules = rulesOf(params)
          // Tighter rules need no node: what wants to stop alerts has to work at once.
          if (!isTighter(before.rules, { ...before.rules, ...rules })) yield* mayHaveToken(before, wallet)
          const set = yield* query(tokens.set(wallet, token_id, {
            rules,
            targets: bots === undefined
              ? null
              : yield* Effect.forEach(bots, (target) => resolved(target, wallet), { concurrency: 4 })
          }))
          const listed = (yield* query(tokens.ofWallet(wallet))).find(({ id }) => id === token_id)
          return Option.isNone(set) || listed === undefined
            ? yield* unknownToken
            : { token: viewOf(listed), message: "The token is set." }
        })
    }
  })
)

export const WebhookTokenApiLive = Handlers.layer(
  WebhookTokenApi,
  Effect.gen(function*() {
    return {
      ...(yield* tokenHandlers),
      ...(yield* settingHandlers),
      ...(yield* alertHandlers),
      ...(yield* testHandlers)
    }
  })
).pipe(Layer.provide([WebhookTokenStore.layer, SignalDeliveryStores]))
