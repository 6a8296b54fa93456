/**
 * The state that a strategy gets, and the meaning of its decision: one piece of code for backtests, bots on paper and live bots. Pure.
 * USD has 18 decimals.
 */
import * as BigDecimal from "effect/BigDecimal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { format, max, min, percentOf, toRaw } from "../chain/Quantity.ts"
import type { Token } from "../chain/Token.ts"
import { type Holding, type Leg, percent18, plan, usd18Of } from "../index-bot/RebalancePlan.ts"
import type { Candle, Decision, Json, State } from "./Strategy.ts"
import type { InputValues } from "./StrategyInputs.ts"

const maxMemoryBytes = 16_384
const maxReasonLength = 300
const maxOrders = 20

const OrderSchema = Schema.Struct({
  side: Schema.Literals(["buy", "sell"]),
  base: Schema.String,
  quote: Schema.optional(Schema.String),
  share: Schema.optional(Schema.Finite),
  usd: Schema.optional(Schema.Finite)
})

const DecisionSchema = Schema.Struct({
  targets: Schema.optional(Schema.Record(Schema.String, Schema.Finite)),
  orders: Schema.optional(Schema.Array(OrderSchema)),
  memory: Schema.optional(Schema.Json),
  reason: Schema.optional(Schema.String)
})
const decodeDecision = Schema.decodeUnknownResult(DecisionSchema, { onExcessProperty: "error" })

/** The assets that a bot trades, without its quote, and the quote. */
export interface Universe {
  readonly assets: ReadonlyArray<Token>
  readonly quote: Token
}

/** The bounds of a decision's trades. Percentages as numbers. */
export interface DecisionTerms extends Universe {
  /** Points that a weight may be off its target before it is traded. */
  readonly tolerance: number
  /** The most that one decision trades. */
  readonly maxUsd18: bigint
  readonly minTradeUsd18: bigint
  readonly slippage: number
}

export const tokensOf = ({ assets, quote }: Universe): ReadonlyArray<Token> => [...assets, quote]

const tokenOf = (universe: Universe, symbol: string) =>
  tokensOf(universe).find((token) => token.symbol.toLowerCase() === symbol.toLowerCase())

const namesOf = (universe: Universe) => tokensOf(universe).map(({ symbol }) => symbol).join(", ")

const targetsFault = (targets: Readonly<Record<string, number>>, universe: Universe): string | undefined => {
  let sum = 0
  for (const [symbol, weight] of Object.entries(targets)) {
    if (tokenOf(universe, symbol) === undefined) return `targets names ${symbol}; the bot trades ${namesOf(universe)}`
    if (weight < 0 || weight > 100) return `the target of ${symbol} is ${weight}; accepted is 0 to 100`
    sum += weight
  }
  return sum > 100.000_001 ? `the targets sum up to ${sum}; accepted is at most 100` : undefined
}

const orderFault = (
  { base, quote, share, side, usd }: typeof OrderSchema.Type,
  universe: Universe
): string | undefined => {
  const [first, second] = [tokenOf(universe, base), tokenOf(universe, quote ?? universe.quote.symbol)]
  if (first === undefined) return `an order names ${base}; the bot trades ${namesOf(universe)}`
  if (second === undefined) return `an order names ${quote}; the bot trades ${namesOf(universe)}`
  if (first.address === second.address) return `an order to ${side} ${base} for itself`
  if ((share === undefined) === (usd === undefined)) return `the order to ${side} ${base} needs one of share and usd`
  if (share !== undefined && !(share > 0 && share <= 100)) {
    return `the order to ${side} ${base} has the share ${share}; accepted is above 0 and at most 100`
  }
  return usd !== undefined && !(usd > 0 && usd <= 1e15)
    ? `the order to ${side} ${base} has ${usd} USD; accepted is above 0`
    : undefined
}

/** Checks what a strategy has returned, which is untrusted. Null and undefined: it trades nothing. */
export const read = (returned: unknown, universe: Universe): Result.Result<Decision, string> => {
  const decoded = decodeDecision(returned ?? {})
  if (Result.isFailure(decoded)) {
    return Result.fail(`decide returned no decision: ${String(decoded.failure.message).slice(0, 300)}`)
  }
  const { memory, orders = [], reason, targets } = decoded.success
  if (targets !== undefined && orders.length > 0) return Result.fail("it returned both targets and orders")
  if (orders.length > maxOrders) return Result.fail(`it returned ${orders.length} orders; at most ${maxOrders}`)
  const size = memory === undefined ? 0 : JSON.stringify(memory).length
  if (size > maxMemoryBytes) return Result.fail(`its memory has ${size} characters of JSON; at most ${maxMemoryBytes}`)
  const fault = targets === undefined
    ? orders.map((order) => orderFault(order, universe)).find((each) => each !== undefined)
    : targetsFault(targets, universe)
  return fault !== undefined ? Result.fail(fault) : Result.succeed({
    ...(targets === undefined ? {} : { targets }),
    ...(orders.length === 0 ? {} : {
      orders: orders.map(({ base, quote, share, side, usd }) => ({
        ...{ side, base },
        ...(quote === undefined ? {} : { quote }),
        ...(share === undefined ? {} : { share }),
        ...(usd === undefined ? {} : { usd })
      }))
    }),
    ...(memory === undefined ? {} : { memory }),
    ...(reason === undefined ? {} : { reason: reason.slice(0, maxReasonLength) })
  })
}

const unitsOf = ({ decimals }: Token) => 10n ** BigInt(decimals)

/** Returns the trades of orders, one after the other: each sees what those before it have sold and bought. */
const legsOfOrders = (
  orders: NonNullable<Decision["orders"]>,
  terms: DecisionTerms,
  held: ReadonlyArray<Holding>
): ReadonlyArray<Leg> => {
  const known = new Map(held.map((each) => [each.token.address, each]))
  const balances = new Map(held.map(({ balance, token }) => [token.address, balance ?? 0n]))
  const legs: Array<Leg> = []
  let left18 = terms.maxUsd18
  for (const order of orders) {
    const [base, quote] = [tokenOf(terms, order.base), tokenOf(terms, order.quote ?? terms.quote.symbol)]
    if (base === undefined || quote === undefined) continue
    const [from, to] = order.side === "sell" ? [base, quote] : [quote, base]
    const [price, priceTo] = [known.get(from.address)?.price ?? 0n, known.get(to.address)?.price ?? 0n]
    if (price === 0n || priceTo === 0n) continue
    const balance = balances.get(from.address) ?? 0n
    const wanted = order.share === undefined
      ? toRaw(BigDecimal.fromNumberUnsafe(order.usd ?? 0), 18) * unitsOf(from) / price
      : percentOf(balance, order.share)
    const amount = min(min(wanted, balance), left18 * unitsOf(from) / price)
    const usd18 = amount * price / unitsOf(from)
    if (amount === 0n || usd18 < terms.minTradeUsd18) continue
    const fair = amount * price * unitsOf(to) / (priceTo * unitsOf(from))
    const hundred = percent18(100)
    const minOut = (fair * (hundred - percent18(terms.slippage)) + hundred - 1n) / hundred
    legs.push({ side: order.side, asset: base, from, to, amount, minOut, usd18 })
    left18 = max(0n, left18 - usd18)
    balances.set(from.address, balance - amount)
    balances.set(to.address, (balances.get(to.address) ?? 0n) + fair)
  }
  return legs
}

/**
 * Returns the trades of a decision at the present prices and holdings, within its bounds, sells before buys. Fails while
 * the value of an asset is unknown.
 */
export const legsOf = (
  { orders, targets }: Decision,
  terms: DecisionTerms,
  held: ReadonlyArray<Holding>
): Result.Result<ReadonlyArray<Leg>, string> => {
  if (targets === undefined) return Result.succeed(legsOfOrders(orders ?? [], terms, held))
  const weights = Object.entries(targets).flatMap(([symbol, weight]) => {
    const token = tokenOf(terms, symbol)
    return token === undefined ? [] : [{ token, weight, tolerance: null }]
  })
  const { maxUsd18, minTradeUsd18, quote, slippage, tolerance } = terms
  return Result.match(
    plan({ held, targets: weights, quote, tolerance, maxUsd18, minTradeUsd18, slippage, force: false }),
    {
      onFailure: ({ tokens }) => Result.fail(`${tokens.map(({ symbol }) => symbol).join(", ")} has no price now`),
      onSuccess: ({ legs }) => Result.succeed(legs)
    }
  )
}

const numberOf = (raw: bigint, decimals: number): number => Number(format(raw, decimals))

/** Prices of a closed candle, USD per whole token with 18 decimals. */
export interface Ohlc {
  readonly open: bigint
  readonly high: bigint
  readonly low: bigint
  readonly close: bigint
}

export const candleOf = (time: number, { close, high, low, open }: Ohlc): Candle => ({
  time,
  open: numberOf(open, 18),
  high: numberOf(high, 18),
  low: numberOf(low, 18),
  close: numberOf(close, 18)
})

/** Builds all that a strategy knows at a candle's close. `candles`: by symbol, the oldest first. */
export const stateOf = (
  universe: Universe,
  { candles, held, inputs, memory, time }: {
    readonly time: number
    readonly candles: Readonly<Record<string, ReadonlyArray<Candle>>>
    readonly held: ReadonlyArray<Holding>
    readonly inputs: InputValues
    readonly memory: Json
  }
): State => {
  const values = tokensOf(universe).map((token) => {
    const holding = held.find((each) => each.token.address === token.address)
    const usd18 = holding === undefined ? 0n : usd18Of(holding) ?? 0n
    return { token, balance: holding?.balance ?? 0n, price: holding?.price ?? 0n, usd18 }
  })
  const whole18 = values.reduce((sum, { usd18 }) => sum + usd18, 0n)
  const hundredth = (usd18: bigint) => whole18 === 0n ? 0 : Number(usd18 * 1_000_000n / whole18) / 10_000
  return {
    time,
    assets: universe.assets.map(({ symbol }) => symbol),
    quote: universe.quote.symbol,
    candles,
    holdings: Object.fromEntries(values.map(({ balance, price, token, usd18 }) => [token.symbol, {
      amount: numberOf(balance, token.decimals),
      price: numberOf(price, 18),
      usd: numberOf(usd18, 18),
      weight: hundredth(usd18)
    }])),
    usd: numberOf(whole18, 18),
    inputs: inputs as State["inputs"],
    memory
  }
}
