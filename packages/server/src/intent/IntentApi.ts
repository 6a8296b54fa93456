/**
 * Handlers that report the outcome of accepted requests, and why it is not known. They read only the ledger, so they
 * work while chains are unreachable.
 */
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { executionCodes, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Intent } from "@vault-trader/core/intent/Intent"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import { IntentApi } from "@vault-trader/core/intent/IntentApi"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { type IntentSummary, IntentSummaryStore } from "@vault-trader/core/intent/IntentSummaryStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as exchange from "../exchange/ExchangeViews.ts"
import * as Handlers from "../wire/Handlers.ts"
import { query } from "../gate/ActorCall.ts"

/** Says what an intent without an outcome waits for. */
const progressOf = ({ txHash, waiting }: Pick<Intent, "txHash" | "waiting">): string =>
  waiting !== null
    ? `Waiting: ${waiting}`
    : txHash === null
    ? "Accepted; no transaction is signed yet."
    : "Sent; the outcome is not known yet."

const outcomeMessage = ({ outcome }: Intent) =>
  outcome === null ? null : outcome._tag === "Succeeded" ? outcome.message : outcome.failure.message

/** Says why a request does not go on: nodes contradict each other, or the ledger does not explain the wallet. */
const quarantined = (network: string, reason: string) =>
  ` Its wallet signs nothing on ${network} until that is explained: ${reason}.`

const statusOf = ({ status }: Pick<Intent, "status">) =>
  status === "succeeded" ? "success" as const : status === "failed" ? "fail" as const : "pending" as const

type Shown = Omit<IntentSummary, "hasExchangeOrders">

const summary = (intent: Shown) => ({
  intent_id: intent.id,
  endpoint: intent.endpoint,
  status: statusOf(intent),
  network: intent.network,
  pool: intent.pool,
  tx_hash: intent.txHash,
  message: intent.message ?? progressOf(intent),
  // The platform's own formatting is ten times faster than DateTime's.
  created_at: intent.createdAt.toISOString(),
  updated_at: intent.updatedAt.toISOString()
})

const summaryOf = (intent: Intent): Shown => ({
  ...intent,
  message: outcomeMessage(intent),
  createdAt: DateTime.toDateUtc(intent.createdAt),
  updatedAt: DateTime.toDateUtc(intent.updatedAt)
})

const failureOf = ({ outcome }: Intent) =>
  outcome === null || outcome._tag === "Succeeded" ? null : {
    status_code: outcome.failure._tag === "ValidationFailure"
      ? outcome.failure.code
      : executionCodes[outcome.failure.errorType],
    error_type: outcome.failure._tag === "ValidationFailure" ? null : outcome.failure.errorType,
    message: outcome.failure.message
  }

export const IntentApiLive = Handlers.layer(
  IntentApi,
  Effect.gen(function*() {
    const store = yield* IntentStore
    const summaries = yield* IntentSummaryStore
    const orders = yield* ExchangeOrderStore
    const quarantines = yield* LaneQuarantineStore
    return {
      getIntent: ({ intent_id }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const found = yield* query(store.findForDisplay(intent_id))
          // An intent of another wallet looks the same as one that does not exist.
          const intent = Option.filter(found, (row) => row.wallet === wallet)
          if (Option.isNone(intent)) {
            const order = Option.filter(yield* query(orders.find(intent_id)), (row) => row.wallet === wallet)
            if (Option.isSome(order)) {
              return {
                intent_id,
                tx_hash: null,
                message: exchange.messageOf(order.value),
                intent: exchange.intentOf(order.value)
              }
            }
            return yield* new ValidationFailure({
              code: "1010",
              message: `intent_id: the key's wallet has no intent ${intent_id}`
            })
          }
          const { network, outcome } = intent.value
          const quarantine = outcome === null ? yield* query(quarantines.find(network, wallet)) : Option.none()
          const plain = summary(summaryOf(intent.value))
          const message = plain.message +
            Option.match(quarantine, { onNone: () => "", onSome: ({ reason }) => quarantined(network, reason) })
          return {
            intent_id,
            tx_hash: intent.value.txHash,
            message,
            intent: {
              ...plain,
              message,
              result: outcome?._tag === "Succeeded" ? outcome.result : null,
              failure: failureOf(intent.value)
            }
          }
        }),
      getIntents: ({ network, pool, limit = 20, cursor }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const filter = { wallet, before: cursor, limit: limit + 1 }
          const rows = yield* query(summaries.list({ ...filter, network, pool }))
          // Exchange orders have no network and no vault.
          const hasOrders = network === undefined && pool === undefined && (rows[0]?.hasExchangeOrders ?? true)
          const exchangeOrders = hasOrders
            ? yield* query(orders.list({ ...filter, subaccount: undefined, pair: undefined }))
            : []
          // Ids of both kinds begin with their creation time.
          const all = [...rows.map(summary), ...exchangeOrders.map(exchange.summaryOf)].sort((one, other) =>
            one.intent_id < other.intent_id ? 1 : -1
          )
          const page = all.slice(0, limit)
          return {
            intents: page,
            cursor: all.length > limit ? page.at(-1)?.intent_id ?? null : null
          }
        })
    }
  })
).pipe(
  Layer.provide([
    IntentStore.layer,
    IntentSummaryStore.layer,
    LaneQuarantineStore.layer,
    Layer.provide(ExchangeOrderStore.layer, KeyLimitStore.layer)
  ])
)
