/** Checks the parameters of an order against its type, and turns them into terms. Every refusal names its parameter. */
import * as Quantity from "../chain/Quantity.ts"
import { symbolOf, type Token } from "../chain/Token.ts"
import { ValidationFailure } from "../failure/Failure.ts"
import type { Platform } from "../venue/VenueName.ts"
import { maxSeconds } from "./OrderParams.ts"
import { defaults, type OrderSide, OrderTerms, type OrderType } from "./VaultOrder.ts"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"

type Decimal = BigDecimal.BigDecimal | undefined

/** The terms that can be amended, as the caller gives them. */
export interface AmendedParams {
  readonly amount?: Decimal
  readonly limit_price?: Decimal
  readonly stop_price?: Decimal
  readonly take_profit_price?: Decimal
  readonly trail_percent?: number | undefined
  readonly trail_amount?: Decimal
  readonly activation_price?: Decimal
  readonly max_impact?: number | undefined
  readonly slippage?: number | undefined
  readonly expires_in?: number | undefined
}

/** The parameters of an order that is placed. */
export interface PlacedParams extends AmendedParams {
  readonly type: OrderType
  readonly side: OrderSide
  readonly share?: number | undefined
  readonly duration?: number | undefined
  readonly interval?: number | undefined
  readonly slices?: number | undefined
  readonly catch_up?: boolean | undefined
  readonly platform?: Platform | undefined
  readonly reduce_only?: boolean | undefined
  readonly confirmations?: number | undefined
}

/** Parameters that belong to some types only: which types need them, and which accept them. */
const rules: Readonly<
  Partial<
    Record<keyof PlacedParams, { readonly needs: ReadonlyArray<OrderType>; readonly accepts: ReadonlyArray<OrderType> }>
  >
> = {
  limit_price: { needs: ["limit"], accepts: ["limit", "stop_loss", "take_profit", "twap", "dca", "iceberg"] },
  stop_price: { needs: ["stop_loss", "bracket"], accepts: ["stop_loss", "bracket"] },
  take_profit_price: { needs: ["take_profit", "bracket"], accepts: ["take_profit", "bracket"] },
  trail_percent: { needs: [], accepts: ["trailing_stop"] },
  trail_amount: { needs: [], accepts: ["trailing_stop"] },
  activation_price: { needs: [], accepts: ["trailing_stop"] },
  duration: { needs: ["twap"], accepts: ["twap"] },
  interval: { needs: ["dca"], accepts: ["dca"] },
  slices: { needs: ["dca"], accepts: ["twap", "dca"] },
  catch_up: { needs: [], accepts: ["dca"] },
  confirmations: { needs: [], accepts: ["stop_loss", "take_profit", "bracket", "trailing_stop"] }
}

const refused = (message: string) => new ValidationFailure({ code: "1010", message })

/** Shortest time between two slices of a `twap`, seconds. */
export const minIntervalSeconds = 10

/** Returns the first parameter that the type lacks, or does not have; undefined when all fit. */
const faultOf = (params: PlacedParams): string | undefined => {
  const { type } = params
  for (const [name, { accepts, needs }] of Object.entries(rules)) {
    const given = params[name as keyof PlacedParams] !== undefined
    if (given && !accepts.includes(type)) return `${name}: a ${type} order has none; accepted for ${accepts.join(", ")}`
    if (!given && needs.includes(type)) return `${name}: missing; a ${type} order needs it`
  }
  if (params.amount === undefined && params.share === undefined) {
    return "amount: missing; give amount (of the sold asset) or share (percent of the vault's balance)"
  }
  if (type === "dca" && params.share !== undefined) return "share: a dca order has none; give amount, of each purchase"
  if (type === "trailing_stop" && (params.trail_percent === undefined) === (params.trail_amount === undefined)) {
    return "trail_percent: a trailing_stop order needs either trail_percent or trail_amount"
  }
  if (params.reduce_only === true && params.side === "buy") return "reduce_only: accepted with side=sell only"
  return undefined
}

/** Checks that of the two prices of a bracket, one is above the other. */
const bracketFault = ({ profit18, side, stop18, type }: OrderTerms): string | undefined => {
  if (type !== "bracket" || stop18 === null || profit18 === null) return undefined
  const above = side === "sell" ? profit18 > stop18 : profit18 < stop18
  return above
    ? undefined
    : `take_profit_price: must be ${side === "sell" ? "above" : "below"} stop_price for side=${side}`
}

/** Checks the schedule of a `twap` or `dca`. */
const scheduleFault = ({ duration, interval, slices = defaults.slices, type }: PlacedParams): string | undefined => {
  if (type === "twap" && (duration ?? 0) / slices < minIntervalSeconds) {
    return `slices: must leave ${minIntervalSeconds} seconds for each of the ${slices} slices of the duration`
  }
  if (type === "dca" && (interval ?? 0) * slices > maxSeconds) {
    return `slices: ${slices} purchases take longer than the maximum of ${maxSeconds} seconds`
  }
  return undefined
}

const price18 = (value: Decimal): bigint | null => value === undefined ? null : Quantity.toRaw(value, 18)

/** Converts an amount in human units of the sold asset. */
const rawOf = (amount: BigDecimal.BigDecimal, token: Token): Effect.Effect<bigint, ValidationFailure> => {
  const raw = Quantity.toRaw(amount, token.decimals)
  return raw > 0n ? Effect.succeed(raw) : new ValidationFailure({
    code: "1009",
    message: `amount: is less than the smallest unit of ${token.symbol}, which has ${token.decimals} decimals`
  })
}

/** Checks what does not depend on the tokens. */
export const checkShape = (params: PlacedParams): Effect.Effect<void, ValidationFailure> => {
  const fault = faultOf(params) ?? scheduleFault(params)
  return fault === undefined ? Effect.void : refused(fault)
}

const checked = (terms: OrderTerms): Effect.Effect<OrderTerms, ValidationFailure> => {
  const fault = bracketFault(terms)
  return fault === undefined ? Effect.succeed(terms) : refused(fault)
}

/** Builds the terms of an order whose shape was checked. */
export const termsOf = (
  params: PlacedParams,
  { base, quote }: { readonly base: Token; readonly quote: Token }
): Effect.Effect<OrderTerms, ValidationFailure> =>
  Effect.gen(function*() {
    const { side, type } = params
    const sold = side === "sell" ? base : quote
    const sliced = type === "twap" || type === "iceberg"
    const slices = type === "twap" ? params.slices ?? defaults.slices : type === "dca" ? params.slices ?? 1 : null
    const seconds = type === "twap" ? Math.floor((params.duration ?? 0) / (slices ?? 1)) : params.interval
    return yield* checked(OrderTerms.make({
      ...{ type, side, base, quote, pair: `${base.symbol}-${quote.symbol}` },
      // A share wins over an amount, as everywhere.
      amount: params.share !== undefined || params.amount === undefined ? null : yield* rawOf(params.amount, sold),
      share: params.share ?? null,
      limit18: price18(params.limit_price),
      stop18: price18(params.stop_price),
      profit18: price18(params.take_profit_price),
      trailPercent: params.trail_percent ?? null,
      trail18: price18(params.trail_amount),
      activation18: price18(params.activation_price),
      slices,
      intervalSeconds: seconds ?? null,
      catchUp: params.catch_up ?? false,
      maxImpact: params.max_impact ?? (sliced ? defaults.maxImpact : null),
      slippage: params.slippage ?? defaults.slippage,
      platform: params.platform ?? "auto",
      reduceOnly: params.reduce_only ?? false,
      confirmations: params.confirmations ?? defaults.confirmations
    }))
  })

/** Returns all that an order with an amount sells; null with a share. */
export const totalOf = ({ amount, slices, type }: OrderTerms): bigint | null =>
  amount === null ? null : type === "dca" ? amount * BigInt(slices ?? 1) : amount

/** Returns the seconds after which an order expires by default. */
export const expirySeconds = ({ intervalSeconds, slices, type }: OrderTerms): number => {
  const scheduled = (intervalSeconds ?? 0) * (slices ?? 0)
  return type === "twap" ? 2 * scheduled : type === "dca" ? scheduled + (intervalSeconds ?? 0) : defaults.expirySeconds
}

/** The terms that decide when an order triggers. */
const ofTrigger = [
  "stop_price",
  "take_profit_price",
  "trail_percent",
  "trail_amount",
  "activation_price"
] as const

/** The names of the terms that can be amended. */
const amended = [
  ...ofTrigger,
  ...["amount", "limit_price", "max_impact", "slippage", "expires_in"] as const
]

/** Builds the terms of an order as amended. `triggered`: the order's trigger is committed. */
export const amendedTerms = (
  terms: OrderTerms,
  params: AmendedParams,
  triggered: boolean
): Effect.Effect<OrderTerms, ValidationFailure> =>
  Effect.gen(function*() {
    const given = amended.filter((name) => params[name] !== undefined)
    if (given.length === 0) return yield* refused("amount: missing; give at least one term that is to change")
    const foreign = given.find((name) => rules[name]?.accepts.includes(terms.type) === false)
    if (foreign !== undefined) return yield* refused(`${foreign}: a ${terms.type} order has none`)
    const late = ofTrigger.find((name) => triggered && params[name] !== undefined)
    if (late !== undefined) return yield* refused(`${late}: the order is triggered; its trigger cannot be changed`)
    if (params.amount !== undefined && terms.share !== null) {
      return yield* refused("amount: the order sells a share of the balance; place another one for an amount")
    }
    const [percent, distance] = [params.trail_percent, params.trail_amount]
    if (percent !== undefined && distance !== undefined) {
      return yield* refused("trail_percent: either trail_percent or trail_amount")
    }
    const sold = terms.side === "sell" ? terms.base : terms.quote
    const replaces = percent !== undefined || distance !== undefined
    return yield* checked(OrderTerms.make({
      ...terms,
      amount: params.amount === undefined ? terms.amount : yield* rawOf(params.amount, sold),
      limit18: price18(params.limit_price) ?? terms.limit18,
      stop18: price18(params.stop_price) ?? terms.stop18,
      profit18: price18(params.take_profit_price) ?? terms.profit18,
      trailPercent: replaces ? percent ?? null : terms.trailPercent,
      trail18: replaces ? price18(distance) : terms.trail18,
      activation18: price18(params.activation_price) ?? terms.activation18,
      maxImpact: params.max_impact ?? terms.maxImpact,
      slippage: params.slippage ?? terms.slippage
    }))
  })

/** Returns the parameters of an order as JSON text, the same for a repeat: names are spelled in one way. */
export const requestText = (
  params: PlacedParams & { readonly network: string; readonly pool: string; readonly paper?: boolean | undefined },
  [base, quote]: readonly [base: string, quote: string]
): string => {
  const named = (text: string) => text.startsWith("0x") ? text.toLowerCase() : symbolOf(text)
  const entries = Object.entries(params)
    .filter(([name, value]) =>
      value !== undefined && !["apiKey", "idempotency_key", "dryRun", "protocol", "pair"].includes(name)
    )
    .map(([name, value]): readonly [string, unknown] => [
      name,
      BigDecimal.isBigDecimal(value) ? BigDecimal.format(BigDecimal.normalize(value)) : value
    ])
  return JSON.stringify({ ...Object.fromEntries(entries), pair: `${named(base)}/${named(quote)}` })
}
