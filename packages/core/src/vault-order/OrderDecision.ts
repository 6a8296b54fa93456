/**
 * Decides what an order does at an observation of its market. Pure; used by the watch, the actor, dry runs and
 * backtests. All times are unix milliseconds.
 */
import * as Quantity from "../chain/Quantity.ts"
import { type Condition, type OrderProgress, type OrderTerms, tokensOf, type VaultOrder } from "./VaultOrder.ts"

/** The parts of an order that a decision depends on. */
export interface Decided extends Pick<VaultOrder, "terms" | "progress" | "total" | "sold" | "state" | "openAmount"> {
  readonly startsAt: number
  readonly expiresAt: number
}

/** The market at a time. */
export interface Observation {
  /** The quote per whole base by the vault's oracle, 18 decimals; null while it has no fresh price. */
  readonly price18: bigint | null
  /** The vault's balance of the sold asset; null while it is unknown. */
  readonly held: bigint | null
  /**
   * The time of the block that was read, or a later time on a chain without new blocks, unix seconds: two readings of
   * one block are one observation.
   */
  readonly block: number
}

export type Step =
  /** `until`: when something can change by time alone. */
  | { readonly _tag: "wait"; readonly reason: string; readonly until: number | null }
  /** The condition was confirmed; it is committed before anything is traded. */
  | { readonly _tag: "trigger"; readonly condition: Condition; readonly price18: bigint; readonly reason: string }
  /** Sell `amount` of the sold asset at most, smallest units. `total`: all that the order sells. */
  | {
    readonly _tag: "slice"
    readonly amount: bigint
    readonly total: bigint
    readonly slot: number
    readonly reason: string
  }
  | { readonly _tag: "expire"; readonly reason: string }
  | { readonly _tag: "done"; readonly reason: string }

export interface Decision {
  readonly progress: OrderProgress
  readonly step: Step
}

const one18 = 10n ** 18n

const wait = (reason: string, until: number | null = null): Step => ({ _tag: "wait", reason, until })

/** Formats a price with 18 decimals. */
const priceText = (price18: bigint): string => Quantity.format(price18, 18)

/** Returns the quote per whole base, 18 decimals, of two prices in USD; null where one is missing. */
export const ratio18 = (base: bigint | null, quote: bigint | null): bigint | null =>
  base === null || quote === null || base === 0n || quote === 0n ? null : base * one18 / quote

/** Returns the least that a sale of `amount` must buy at a limit price, rounded up; 0 without a limit. */
export const floorOf = ({ base, limit18, quote, side }: OrderTerms, amount: bigint): bigint => {
  if (limit18 === null) return 0n
  const [ofBase, ofQuote] = [10n ** BigInt(base.decimals), 10n ** BigInt(quote.decimals)]
  const [value, whole] = side === "sell"
    ? [amount * limit18 * ofQuote, one18 * ofBase]
    : [amount * one18 * ofBase, limit18 * ofQuote]
  return (value + whole - 1n) / whole
}

/** Checks whether a price is at a bound, or beyond it in the direction. */
const isBeyond = (price: bigint, bound: bigint, direction: "up" | "down") =>
  direction === "up" ? price >= bound : price <= bound

/** Returns the price at which a trailing stop with this peak triggers. */
export const trailOf = ({ side, trail18, trailPercent }: OrderTerms, peak18: bigint): bigint => {
  const distance = trail18 ?? Quantity.percentOf(peak18, trailPercent ?? 0)
  return side === "sell" ? Quantity.max(0n, peak18 - distance) : peak18 + distance
}

type Peak = Pick<OrderProgress, "peak18" | "rise">

/**
 * Returns the peak after a price. It only rises for a sale, and only falls for a purchase; and only to a price that a
 * row of observations has confirmed, so that an oracle that jumps and comes back moves no trailing stop.
 */
const peakAfter = (
  { activation18, confirmations, side, type }: OrderTerms,
  { peak18, rise }: Peak,
  price: bigint,
  block: number
): Peak => {
  if (type !== "trailing_stop") return { peak18, rise }
  const direction = side === "sell" ? "up" : "down"
  const isBetter = peak18 === null
    ? activation18 === null || isBeyond(price, activation18, direction)
    : price !== peak18 && isBeyond(price, peak18, direction)
  if (!isBetter) return { peak18, rise: null }
  if (rise !== null && block <= rise.block) return { peak18, rise }
  const least = rise === null
    ? price
    : side === "sell"
    ? Quantity.min(rise.price18, price)
    : Quantity.max(rise.price18, price)
  const times = (rise?.times ?? 0) + 1
  return times >= confirmations ? { peak18: least, rise: null } : { peak18, rise: { price18: least, times, block } }
}

/** A price condition of an order. */
interface Bound {
  readonly condition: Condition
  readonly at: bigint
  readonly direction: "up" | "down"
}

/** Returns the conditions of an order; of the two of a bracket, one triggers and the other ends with it. */
const boundsOf = (terms: OrderTerms, peak18: bigint | null): ReadonlyArray<Bound> => {
  const [against, inFavour] = terms.side === "sell" ? ["down", "up"] as const : ["up", "down"] as const
  return [
    ...(terms.stop18 === null ? [] : [{ condition: "stop", at: terms.stop18, direction: against } as const]),
    ...(terms.profit18 === null ? [] : [{ condition: "profit", at: terms.profit18, direction: inFavour } as const]),
    ...(peak18 === null ? [] : [{ condition: "trail", at: trailOf(terms, peak18), direction: against } as const])
  ]
}

const conditionText: Readonly<Record<Condition, string>> = {
  stop: "stop price",
  profit: "take-profit price",
  trail: "trailing stop"
}

/** Returns how often a condition was observed in a row. Without a later block nothing is counted. */
const observed = ({ held }: OrderProgress, condition: Condition, block: number): OrderProgress["held"] =>
  held === null || held.condition !== condition
    ? { condition, times: 1, block }
    : block <= held.block
    ? held
    : { condition, times: held.times + 1, block }

/** Decides on an order that waits for its trigger. */
const awaitTrigger = ({ progress, terms }: Decided, price18: bigint, block: number): Decision => {
  const { peak18, rise } = peakAfter(terms, progress, price18, block)
  const met = boundsOf(terms, peak18).find(({ at, direction }) => isBeyond(price18, at, direction))
  if (met === undefined) {
    const bounds = boundsOf(terms, peak18).map(({ at, condition }) => `${conditionText[condition]} ${priceText(at)}`)
    const reason = bounds.length === 0
      ? `The price is ${priceText(price18)}; the trailing stop does not trail yet.`
      : `The price is ${priceText(price18)}: ${bounds.join(", ")} not reached.`
    return { progress: { ...progress, peak18, rise, held: null }, step: wait(reason) }
  }
  const held = observed(progress, met.condition, block)
  const next = { ...progress, peak18, rise, held }
  const what = `The price ${priceText(price18)} has reached the ${conditionText[met.condition]} ${priceText(met.at)}`
  if (held === null || held.times < terms.confirmations) {
    return { progress: next, step: wait(`${what}; ${held?.times ?? 0} of ${terms.confirmations} confirmations.`) }
  }
  return { progress: next, step: { _tag: "trigger", condition: met.condition, price18, reason: `${what}.` } }
}

/** The slot of a schedule at a time: its number, and when the next one begins. */
const slotAt = ({ startsAt, terms }: Decided, now: number): { readonly slot: number; readonly next: number } => {
  const length = (terms.intervalSeconds ?? 60) * 1_000
  const slot = Math.floor((now - startsAt) / length)
  return { slot, next: startsAt + (slot + 1) * length }
}

/**
 * Decides on a `twap`. What is left is spread over the slots that are left, but no slice exceeds twice the even share:
 * neither an outage nor a clock that jumps sells much at once. After the last slot, the rest is sold at the same pace.
 */
const twap = (order: Decided, total: bigint, remaining: bigint, now: number): Step => {
  const count = order.terms.slices ?? 1
  const { next, slot } = slotAt(order, now)
  if (slot <= order.progress.slot) return wait(`Slot ${slot + 1} of ${count} is used; the next one follows.`, next)
  const left = BigInt(Math.max(1, count - slot))
  const even = (total + BigInt(count) - 1n) / BigInt(count)
  const amount = Quantity.min(Quantity.min((remaining + left - 1n) / left, 2n * even), remaining)
  return { _tag: "slice", amount, total, slot, reason: `Slot ${slot + 1} of ${count}.` }
}

/** Decides on a `dca`. A slot is used once; a missed one is made up only with `catchUp`, one at each check. */
const dca = (order: Decided, total: bigint, remaining: bigint, now: number): Step => {
  const { amount, catchUp, slices } = order.terms
  const count = slices ?? 1
  const used = order.progress.slot
  const { next, slot: current } = slotAt(order, now)
  if (used >= count - 1) return { _tag: "done", reason: "Its last purchase was made." }
  if (!catchUp && current >= count) return { _tag: "done", reason: "Its last slot is over." }
  const slot = catchUp ? used + 1 : current
  if (slot > current || slot <= used) return wait(`Purchase ${used + 1} of ${count} is made.`, next)
  const size = Quantity.min(amount ?? 0n, remaining)
  return { _tag: "slice", amount: size, total, slot, reason: `Purchase ${slot + 1} of ${count}.` }
}

/** Returns the slice that an order makes now, before it is bounded by the balance. */
const sliceOf = (order: Decided, total: bigint, price18: bigint, now: number): Step => {
  const { progress, sold, terms } = order
  const remaining = total - sold
  if (remaining <= 0n) return { _tag: "done", reason: "All of it is executed." }
  if (terms.limit18 !== null) {
    const direction = terms.side === "sell" ? "up" : "down"
    if (!isBeyond(price18, terms.limit18, direction)) {
      return wait(`The price is ${priceText(price18)}; the limit is ${priceText(terms.limit18)}.`)
    }
  }
  if (terms.type === "twap") return twap(order, total, remaining, now)
  if (terms.type === "dca") return dca(order, total, remaining, now)
  const reason = progress.trigger === null
    ? `The price is ${priceText(price18)}.`
    : `The ${conditionText[progress.trigger.condition]} was reached at ${priceText(progress.trigger.price18)}.`
  return { _tag: "slice", amount: remaining, total, slot: progress.slot, reason }
}

/** Bounds a slice by the vault's balance. */
const withinBalance = ({ terms }: Decided, step: Extract<Step, { readonly _tag: "slice" }>, held: bigint): Step => {
  const { sold: { decimals, symbol } } = tokensOf(terms)
  if (terms.reduceOnly) {
    return held === 0n
      ? { _tag: "done", reason: `The vault has no ${symbol} left to sell.` }
      : { ...step, amount: Quantity.min(step.amount, held) }
  }
  return held >= step.amount ? step : wait(
    `The vault has ${Quantity.format(held, decimals)} ${symbol}, less than the slice of ${
      Quantity.format(step.amount, decimals)
    }.`
  )
}

/** Returns all that an order sells; null while that depends on an unknown balance. */
const totalOf = ({ terms, total }: Decided, held: bigint | null): bigint | null =>
  total ?? (terms.share === null || held === null ? null : Quantity.percentOf(held, terms.share))

/** True for the types that wait for a price condition. */
const isConditional = ({ type }: OrderTerms): boolean =>
  type === "stop_loss" || type === "take_profit" || type === "bracket" || type === "trailing_stop"

export const decide = (order: Decided, { block, held, price18 }: Observation, now: number): Decision => {
  const { progress, terms } = order
  const stay = (step: Step): Decision => ({ progress, step })
  if (order.openAmount !== null) return stay(wait("A slice is in progress."))
  if (order.state === "cancelling") return stay({ _tag: "done", reason: "It was cancelled." })
  if (now >= order.expiresAt) return stay({ _tag: "expire", reason: "It has expired." })
  if (price18 === null) {
    // A gap in the prices also ends a row of confirmations.
    const step = wait(`The vault's oracle has no fresh price for ${terms.pair}; nothing is traded.`)
    return { progress: { ...progress, rise: null, held: null }, step }
  }
  if (isConditional(terms) && progress.trigger === null) return awaitTrigger(order, price18, block)
  if (now < order.startsAt) return stay(wait("It has not begun.", order.startsAt))
  const total = totalOf(order, held)
  if (held === null || total === null) {
    return stay(wait(`The vault's balance of ${tokensOf(terms).sold.symbol} is unknown; nothing is traded.`))
  }
  if (total === 0n) return stay(wait(`The vault has no ${tokensOf(terms).sold.symbol} to sell.`))
  const step = sliceOf(order, total, price18, now)
  return stay(step._tag === "slice" ? withinBalance(order, step, held) : step)
}
