/** Reads the order of a backtest by the parameters of placeOrder, with the checks that the service makes. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import { OrderApi } from "@vault-trader/core/vault-order/OrderApi"
import { maxSeconds } from "@vault-trader/core/vault-order/OrderParams"
import { defaults, OrderTerms } from "@vault-trader/core/vault-order/VaultOrder"
import type * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import { mayOf, needsOf } from "../vault-order/OrderFields.ts"
import type { Fault, PlainFault, Values } from "./BacktestJob.ts"
import { readerOf } from "./BacktestValues.ts"

const reader = readerOf(OrderApi, "placeOrder")

/** Shortest time between two slices of a `twap`, seconds. */
const minIntervalSeconds = 10

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

const price18 = (value: BigDecimal.BigDecimal | undefined): bigint | null =>
  value === undefined ? null : Quantity.toRaw(value, 18)

/** Returns the seconds after which an order expires by default. */
const expiryOf = ({ intervalSeconds, slices, type }: OrderTerms): number => {
  const scheduled = (intervalSeconds ?? 0) * (slices ?? 0)
  return type === "twap" ? 2 * scheduled : type === "dca" ? scheduled + (intervalSeconds ?? 0) : defaults.expirySeconds
}

/** Checks the size, the schedule and the prices against each other. */
const checked = (terms: OrderTerms): Result.Result<OrderTerms, Fault> => {
  const { amount, intervalSeconds, profit18, share, side, slices, stop18, type } = terms
  if (amount === null && share === null) return faultOf("size")
  if (amount === 0n) return faultOf("smallAmount")
  if (type === "dca" && share !== null) return faultOf("dcaShare")
  if (type === "twap" && (intervalSeconds ?? 0) < minIntervalSeconds) return faultOf("shortSlices")
  if (type === "dca" && (intervalSeconds ?? 0) * (slices ?? 1) > maxSeconds) return faultOf("longSchedule")
  if (type === "bracket" && stop18 !== null && profit18 !== null) {
    const isOrdered = side === "sell" ? profit18 > stop18 : profit18 < stop18
    if (!isOrdered) return faultOf("bracketPrices")
  }
  return Result.succeed(terms)
}

/** Builds the order of the form's values for tokens that exist on no chain. */
export const orderOf = (values: Values, base: Token, quote: Token): Result.Result<PlacedOrder, Fault> =>
  Result.gen(function*() {
    const used = usedOf(values)
    const decimal = (name: string) => reader.optional<BigDecimal.BigDecimal>(used, name)
    const number = (name: string) => reader.optional<number>(used, name)
    const type = yield* reader.needed<OrderTerms["type"]>(used, "type")
    const side = yield* reader.needed<OrderTerms["side"]>(used, "side")
    for (const name of needsOf({ type })) yield* reader.needed<unknown>(used, name)
    const sold = side === "sell" ? base : quote
    const [amount, share] = [yield* decimal("amount"), yield* number("share")]
    const given = yield* number("slices")
    const slices = type === "twap" ? given ?? defaults.slices : type === "dca" ? given ?? 1 : null
    const duration = yield* number("duration")
    const isSliced = type === "twap" || type === "iceberg"
    const terms = yield* checked(OrderTerms.make({
      ...{ type, side, base, quote, pair: `${base.symbol}-${quote.symbol}` },
      amount: amount === undefined ? null : Quantity.toRaw(amount, sold.decimals),
      share: share ?? null,
      limit18: price18(yield* decimal("limit_price")),
      stop18: price18(yield* decimal("stop_price")),
      profit18: price18(yield* decimal("take_profit_price")),
      trailPercent: (yield* number("trail_percent")) ?? null,
      trail18: null,
      activation18: price18(yield* decimal("activation_price")),
      slices,
      intervalSeconds: type === "twap"
        ? Math.floor((duration ?? 0) / (slices ?? 1))
        : (yield* number("interval")) ?? null,
      catchUp: false,
      maxImpact: (yield* number("max_impact")) ?? (isSliced ? defaults.maxImpact : null),
      slippage: (yield* number("slippage")) ?? defaults.slippage,
      platform: "auto",
      reduceOnly: false,
      confirmations: defaults.confirmations
    }))
    return {
      terms,
      total: terms.amount === null ? null : type === "dca" ? terms.amount * BigInt(terms.slices ?? 1) : terms.amount,
      expirySeconds: (yield* number("expires_in")) ?? expiryOf(terms)
    }
  })
