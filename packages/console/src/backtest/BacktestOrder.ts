/** Reads the order of a backtest by the parameters of placeOrder, with the checks that the service makes. */
import type { Token } from "@vault-trader/core/chain/Token"
import { OrderApi } from "@vault-trader/core/vault-order/OrderApi"
import { maxSeconds } from "@vault-trader/core/vault-order/OrderParams"
import * as OrderTermsCheck from "@vault-trader/core/vault-order/OrderTermsCheck"
import type { OrderTerms } from "@vault-trader/core/vault-order/VaultOrder"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mayOf, needsOf } from "../vault-order/OrderFields.ts"
import type { Fault, PlainFault, Values } from "./BacktestJob.ts"
import { readerOf } from "./BacktestValues.ts"

const reader = readerOf(OrderApi, "placeOrder")

export interface PlacedOrder {
  readonly terms: OrderTerms
  /** All that it sells; null with a share. */
  readonly total: bigint | null
  readonly expirySeconds: number
}

const faultOf = (code: PlainFault) => Result.fail<Fault>({ code })

/** Returns the values that the kind of order has; a share wins over an amount, as everywhere. */
const usedOf = (values: Values): Values => {
  const type = values["type"] as OrderTerms["type"]
  const size = (values["share"] ?? "").trim() === "" ? "amount" : "share"
  const names: ReadonlyArray<string> = ["type", "side", size, ...needsOf({ type }), ...mayOf({ type })]
  return Object.fromEntries(names.map((name) => [name, values[name] ?? ""]))
}

/** Checks the size and the schedule, in words of the form. */
const checked = (terms: OrderTerms): Result.Result<OrderTerms, Fault> => {
  const { amount, intervalSeconds, share, slices, type } = terms
  if (amount === null && share === null) return faultOf("size")
  if (type === "dca" && share !== null) return faultOf("dcaShare")
  if (type === "twap" && (intervalSeconds ?? 0) < OrderTermsCheck.minIntervalSeconds) return faultOf("shortSlices")
  if (type === "dca" && (intervalSeconds ?? 0) * (slices ?? 1) > maxSeconds) return faultOf("longSchedule")
  return Result.succeed(terms)
}

/** Builds the terms as the service does. Its codes are of an amount without a unit, and of a bracket's prices. */
const termsOf = (params: OrderTermsCheck.PlacedParams, base: Token, quote: Token): Result.Result<OrderTerms, Fault> =>
  Result.mapError(
    Effect.runSync(Effect.result(OrderTermsCheck.termsOf(params, { base, quote }))),
    ({ code }): Fault => ({ code: code === "1009" ? "smallAmount" : "bracketPrices" })
  )

/** Builds the order of the form's values for tokens that exist on no chain. */
export const orderOf = (values: Values, base: Token, quote: Token): Result.Result<PlacedOrder, Fault> =>
  Result.gen(function*() {
    const used = usedOf(values)
    const decimal = (name: string) => reader.optional<BigDecimal.BigDecimal>(used, name)
    const number = (name: string) => reader.optional<number>(used, name)
    const type = yield* reader.needed<OrderTerms["type"]>(used, "type")
    const side = yield* reader.needed<OrderTerms["side"]>(used, "side")
    for (const name of needsOf({ type })) yield* reader.needed<unknown>(used, name)
    const params: OrderTermsCheck.PlacedParams = {
      ...{ type, side },
      amount: yield* decimal("amount"),
      share: yield* number("share"),
      limit_price: yield* decimal("limit_price"),
      stop_price: yield* decimal("stop_price"),
      take_profit_price: yield* decimal("take_profit_price"),
      trail_percent: yield* number("trail_percent"),
      activation_price: yield* decimal("activation_price"),
      slices: yield* number("slices"),
      duration: yield* number("duration"),
      interval: yield* number("interval"),
      max_impact: yield* number("max_impact"),
      slippage: yield* number("slippage")
    }
    const terms = yield* checked(yield* termsOf(params, base, quote))
    return {
      terms,
      total: OrderTermsCheck.totalOf(terms),
      expirySeconds: (yield* number("expires_in")) ?? OrderTermsCheck.expirySeconds(terms)
    }
  })
