/** Handlers of the billing endpoints. They read only the database, so they work while chains are unreachable. */
import { actionPrices, find } from "@vault-trader/core/billing/ActionPrices"
import { BillingApi } from "@vault-trader/core/billing/BillingApi"
import { type Booked, type Booking, ChargeStore } from "@vault-trader/core/billing/ChargeStore"
import { chargesCsv, keyReference, orderReference, viewOf } from "@vault-trader/core/billing/ChargeView"
import { nativeOf, PriceList } from "@vault-trader/core/billing/PriceList"
import { Pricing } from "@vault-trader/core/billing/Pricing"
import { reportCsv } from "@vault-trader/core/billing/Report"
import { ReportStore } from "@vault-trader/core/billing/ReportStore"
import type { Network } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { endpoints } from "@vault-trader/core/Catalogue"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { ChargeRow } from "@vault-trader/core/billing/Charge"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Handlers from "../wire/Handlers.ts"
import { read, query } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import * as RequestState from "../wire/RequestState.ts"
import { conflict } from "../gate/IdempotentWrites.ts"
import { unknownAction } from "./PricingApi.ts"

const kind = "exchangeTrade"

/** Refuses actions other than exchange trades: those are charged when they are executed, or are free. */
const chargeable = (actions: ReturnType<typeof actionPrices>, name: string) => {
  const action = find(actions, name)
  if (action === undefined) return unknownAction(name, actions)
  if (action.class === kind) return Effect.void
  return new ValidationFailure({
    code: "1010",
    message: action.billed
      ? `action: ${action.action} is charged when it is executed; only ${kind} is charged here`
      : `action: ${action.action} is free; there is nothing to charge`
  })
}

/** Refuses a range that ends before it begins; an empty result would hide the mistake. */
const inOrder = (from: Date | undefined, to: Date | undefined) =>
  from !== undefined && to !== undefined && from >= to
    ? Effect.fail(new ValidationFailure({ code: "1010", message: "to: must be later than from" }))
    : Effect.void

const chargedText = ({ action, isNew, network, usd }: Booked, what: string) =>
  isNew ? `Charged ${usd} USD for ${what}.` : `${what} was already charged: ${usd} USD for ${action} on ${network}.`

/** Returns the reference under which a trade is charged once: its order, or else its idempotency key. */
const referenceOf = (order: string | undefined, key: string | undefined) => {
  if (order !== undefined) return Effect.succeed(orderReference(order))
  if (key !== undefined) return Effect.succeed(keyReference(key))
  return new ValidationFailure({
    code: "1010",
    message: "Missing required parameter: order_id (or idempotency_key), needed to charge an order only once"
  })
}

/** Prices and books the charges of exchange trades. */
const exchangeCharges = Effect.gen(function*() {
  const pricing = yield* Pricing.client
  const charges = yield* ChargeStore
  const prices = yield* PriceList

  /**
   * Builds the charge. Without a price, or when the actor is unreachable, it is in USD only and is converted later.
   */
  const chargeOf = (network: Network): Effect.Effect<ChargeRow> =>
    Effect.map(Effect.orElseSucceed(read(pricing(network).chargePrice(), "5 seconds"), () => null), (price) => ({
      action: kind,
      usd: prices[kind],
      nativeWei: price === null ? null : nativeOf(prices[kind], price.usd18),
      nativePriceUsd18: price?.usd18 ?? null,
      priceSource: price?.source ?? null,
      priceAt: price?.readAt ?? null
    }))

  const book = (booking: Booking) => Effect.andThen(RequestState.note("offered"), query(charges.book(booking)))

  return { chargeOf, book }
})

/** Builds the response to a charge that is booked. */
const bookedAnswer = (booked: Booked, network: Network, order: string | undefined) => ({
  intent_id: null,
  tx_hash: null,
  order_id: order ?? null,
  message: chargedText(booked, order === undefined ? "the trade of this idempotency key" : `order ${order}`),
  charge_id: booked.id,
  network,
  charge_usd: booked.usd,
  charge_native: booked.nativeWei === null ? null : format(BigInt(booked.nativeWei), 18),
  already_charged: !booked.isNew
})

/** Builds the response for a wallet whose exchange trades are free. */
const freeAnswer = (network: Network, order: string | undefined) => ({
  intent_id: null,
  tx_hash: null,
  order_id: order ?? null,
  message: "Exchange trades of this wallet are free.",
  charge_id: null,
  network,
  charge_usd: 0,
  charge_native: "0",
  already_charged: false
})

const chargeHandlers = (exempt: ReadonlySet<string>) =>
  Handlers.part(
    BillingApi,
    Effect.gen(function*() {
      const charges = yield* ChargeStore
      const directory = yield* Directory
      const prices = yield* PriceList
      const actions = actionPrices(endpoints, prices)
      const { book, chargeOf } = yield* exchangeCharges
      const isFree = (wallet: string) => exempt.has(wallet) || prices[kind] === 0

      const preview = (network: Network, wallet: string) =>
        Effect.map(chargeOf(network), ({ nativeWei, usd }) => ({
          dryRun: true as const,
          plan: {
            action: kind,
            network,
            charge: { usd: exempt.has(wallet) ? 0 : usd, native_wei: nativeWei?.toString() ?? null }
          },
          intent_id: null,
          tx_hash: null,
          message: "Dry run: nothing was charged."
        }))

      return {
        "api/cex/chargeFee": (
          { action = kind, dryRun = false, idempotency_key, network = directory.defaultNetwork, order_id }
        ) =>
          Effect.gen(function*() {
            yield* chargeable(actions, action)
            const reference = yield* referenceOf(order_id, idempotency_key)
            const { repeats, wallet } = yield* Caller
            if (dryRun) return yield* preview(network, wallet)
            const earlier = repeats === undefined ? Option.none() : yield* query(charges.find(wallet, reference))
            if (Option.isNone(earlier) && isFree(wallet)) return freeAnswer(network, order_id)
            if (Option.isNone(earlier) && repeats !== undefined) return yield* conflict(repeats)
            const booked = Option.isSome(earlier)
              ? earlier.value
              : yield* book({ ...(yield* chargeOf(network)), wallet, network, reference })
            yield* RequestState.note("settled")
            if (booked.network !== network) {
              return yield* new ValidationFailure({
                code: "1010",
                message: `network: this order was charged on ${booked.network}`
              })
            }
            return bookedAnswer(booked, network, order_id)
          })
      }
    })
  )

const reportHandlers = Handlers.part(
  BillingApi,
  Effect.gen(function*() {
    const charges = yield* ChargeStore
    const reports = yield* ReportStore
    return {
      getCharges: ({ cursor, format: table, from, limit = 50, network, to }) =>
        Effect.gen(function*() {
          yield* inOrder(from, to)
          const { wallet } = yield* Caller
          const rows = yield* query(charges.list({ wallet, network, from, to, before: cursor, limit: limit + 1 }))
          const page = rows.slice(0, limit).map(viewOf)
          return {
            charges: page,
            cursor: rows.length > limit ? page.at(-1)?.charge_id ?? null : null,
            csv: table === "csv" ? chargesCsv(page) : null
          }
        }),
      getReport: ({ format: table, from, network, pool, to }) =>
        Effect.gen(function*() {
          yield* inOrder(from, to)
          const { wallet } = yield* Caller
          const report = yield* query(reports.report({ wallet, network, pool, from, to }))
          return { ...report, csv: table === "csv" ? reportCsv(report.days) : null }
        })
    }
  })
)

/** `exempt`: wallets that are charged nothing. */
export const layer = (exempt: ReadonlySet<string>) =>
  Handlers.layer(
    BillingApi,
    Effect.gen(function*() {
      return { ...(yield* chargeHandlers(exempt)), ...(yield* reportHandlers) }
    })
  ).pipe(Layer.provide([ChargeStore.layer, ReportStore.layer]))
