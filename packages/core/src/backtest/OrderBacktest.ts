/**
 * Backtest of an order of a vault: calls the live orders' `decide` along the path of each bar's prices. The path goes from
 * the open to the extreme that is worse for the order, then to the other one, then to the close.
 */
import type { Token } from "../chain/Token.ts"
import { type Decided, decide, floorOf, type Observation, trailOf } from "../vault-order/OrderDecision.ts"
import {
  noProgress,
  type OrderProgress,
  type OrderState,
  type OrderTerms,
  tokensOf,
  type Trigger
} from "../vault-order/VaultOrder.ts"
import { type Candle, regularityOf } from "./Candle.ts"
import { type Costs, type Fill, heldOf, type Portfolio, swap, valueOf } from "./Portfolio.ts"
import { dollar, type Prices } from "./PriceSeries.ts"
import type { Equity, Outcome } from "./Replay.ts"

export interface Setup {
  readonly terms: OrderTerms
  /** All that the order sells; null with a share. */
  readonly total: bigint | null
  readonly expirySeconds: number
  readonly costs: Costs
  readonly start: Portfolio
}

export interface OrderOutcome extends Outcome {
  readonly state: OrderState
  readonly trigger: Trigger | null
  /** The condition that it waits for at the end, or how it ended. */
  readonly reason: string
  readonly sold: bigint
  readonly bought: bigint
}

/** A price at a time, unix seconds. */
interface Point {
  readonly time: number
  readonly price18: bigint
}

/** The order and the holdings between two points. */
interface Run {
  readonly order: Decided
  readonly bought: bigint
  readonly portfolio: Portfolio
  readonly fills: ReadonlyArray<Fill>
  readonly reason: string
  /** Counts observations: each is of a later block. */
  readonly block: number
}

/** Observations at one point after which an order has done all that it does there; a row of them confirms a trigger. */
const maxObservations = 64

const pricesOf = ({ base, quote }: OrderTerms, price18: bigint): Prices =>
  new Map([[base.address, price18], [quote.address, dollar]])

/** Returns the four points of a bar's path. */
const cornersOf = ({ close, high, low, open, time }: Candle, seconds: number, { side }: OrderTerms) => {
  const [first, second] = side === "sell" ? [low, high] : [high, low]
  return [open, first, second, close].map((price18, place): Point => ({
    time: time + Math.floor((seconds - 1) * place / 3),
    price18
  }))
}

/** Returns the price at which a slice at the costs meets the order's limit price; null without one. */
const netLimitOf = ({ limit18, side }: OrderTerms, { fee, slippage }: Costs): bigint | null => {
  if (limit18 === null) return null
  const kept = (1 - fee / 100) * (1 - slippage / 100)
  const parts = 10n ** 12n
  // Two millionths beyond it, because what is bought is rounded to whole units.
  const margin = parts / 500_000n
  const ratio = BigInt(Math.round((side === "sell" ? 1 / kept : kept) * 1e12)) + (side === "sell" ? margin : -margin)
  return limit18 * ratio / parts
}

/** Returns the prices at which the order may do something else than on either side of them. */
const boundsOf = ({ progress, terms }: Decided, costs: Costs): ReadonlyArray<bigint> => {
  const { activation18, limit18, profit18, stop18, type } = terms
  const trail = type !== "trailing_stop" || progress.peak18 === null ? null : trailOf(terms, progress.peak18)
  return [limit18, netLimitOf(terms, costs), stop18, profit18, activation18, trail].filter((each) => each !== null)
}

/** Returns the next time at which a slot of the order's schedule begins after a time, unix seconds. */
const slotAfter = ({ startsAt, terms: { intervalSeconds } }: Decided, time: number): number | undefined =>
  intervalSeconds === null
    ? undefined
    : (Math.floor((time - startsAt / 1_000) / intervalSeconds) + 1) * intervalSeconds + startsAt / 1_000

/** Returns the first point between two at which the order is to be observed; undefined when there is none. */
const firstBetween = (order: Decided, costs: Costs, from: Point, to: Point): Point | undefined => {
  const [risen, span] = [to.price18 - from.price18, to.time - from.time]
  const crossed = boundsOf(order, costs).filter((bound) =>
    risen > 0n
      ? bound > from.price18 && bound < to.price18
      : bound < from.price18 && bound > to.price18
  ).map((price18) => {
    const part = Number(price18 - from.price18) / Number(risen)
    return { part, point: { time: from.time + Math.floor(span * part), price18 } }
  })
  const time = slotAfter(order, from.time)
  const slots = time === undefined || time >= to.time ? [] : [(time - from.time) / span].map((part) => ({
    part,
    point: {
      time: Math.round(from.time + span * part),
      price18: from.price18 + risen * BigInt(Math.round(part * 1e9)) / 10n ** 9n
    }
  }))
  return [...crossed, ...slots].toSorted((one, other) => one.part - other.part)[0]?.point
}

/** Executes a slice at a price; undefined when the balance or the limit price does not allow it. */
const executed = (
  { costs }: Setup,
  { order, portfolio }: Run,
  { price18, time }: Point,
  slice: { readonly amount: bigint; readonly reason: string }
) => {
  const { bought: to, sold: from } = tokensOf(order.terms)
  const result = swap(
    portfolio,
    { time, from, to, amount: slice.amount, reason: slice.reason },
    pricesOf(order.terms, price18),
    costs
  )
  return result === undefined || result[1].bought < floorOf(order.terms, result[1].sold) ? undefined : result
}

/** Returns the run after one observation, and whether another one at the same point may change it. */
const observe = (setup: Setup, run: Run, point: Point): readonly [Run, boolean] => {
  const block = run.block + 1
  const { order } = run
  const seen: Observation = {
    price18: point.price18,
    held: heldOf(run.portfolio, tokensOf(order.terms).sold),
    block
  }
  const { progress, step } = decide(order, seen, point.time * 1_000)
  const after = (changes: Partial<Decided>, reason = step.reason): Run => ({
    ...{ ...run, block, reason },
    order: { ...order, progress, ...changes }
  })
  switch (step._tag) {
    case "wait":
      // Rows of confirmations grow by the observation of later blocks.
      return [after({}), progress.held !== null || progress.rise !== null]
    case "trigger": {
      const { condition, price18 } = step
      const triggered: OrderProgress = {
        ...progress,
        held: null,
        trigger: { condition, price18, at: point.time * 1_000 }
      }
      return [after({ progress: triggered, state: "triggered" }), true]
    }
    case "slice": {
      const result = executed(setup, run, point, step)
      if (result === undefined) return [after({}, "A slice buys less than the limit price allows."), false]
      const [portfolio, fill] = result
      const sold = order.sold + fill.sold
      const used = { ...progress, slot: step.slot }
      const next = after({
        ...{ progress: used, sold, total: step.total },
        state: sold >= step.total ? "done" : order.state
      })
      const done = sold >= step.total ? "All of it is executed." : step.reason
      return [
        { ...next, portfolio, reason: done, bought: run.bought + fill.bought, fills: [...run.fills, fill] },
        true
      ]
    }
    case "expire":
      return [after({ state: "expired" }), false]
    case "done":
      return [after({ state: "done" }), false]
  }
}

const hasEnded = ({ order: { state } }: Run) => state === "done" || state === "expired"

/** Observes a point until nothing more changes there. */
const observeFully = (setup: Setup, begin: Run, point: Point): Run => {
  let run = begin
  for (let left = maxObservations; left > 0 && !hasEnded(run); left--) {
    const [next, again] = observe(setup, run, point)
    run = next
    if (!again) break
  }
  return run
}

/** Moves along a line of the path, point by point. */
const moveTo = (setup: Setup, begin: Run, from: Point, to: Point): Run => {
  let [run, at] = [begin, from]
  while (!hasEnded(run)) {
    const next = firstBetween(run.order, setup.costs, at, to)
    run = observeFully(setup, run, next ?? to)
    if (next === undefined) return run
    at = next
  }
  return run
}

/** Runs an order over candles. It is placed at the first open. */
export const run = (candles: ReadonlyArray<Candle>, setup: Setup): OrderOutcome => {
  const { base, quote } = setup.terms
  const tokens: ReadonlyArray<Token> = [base, quote]
  const { step } = regularityOf(candles.map(({ time }) => time))
  const begins = candles[0]?.time ?? 0
  const equity: Array<Equity> = []
  let state: Run = {
    order: {
      ...{ terms: setup.terms, progress: noProgress, total: setup.total, sold: 0n, state: "open", openAmount: null },
      ...{ startsAt: begins * 1_000, expiresAt: (begins + setup.expirySeconds) * 1_000 }
    },
    ...{ bought: 0n, portfolio: setup.start, fills: [], reason: "It was placed.", block: 0 }
  }
  for (const [index, candle] of candles.entries()) {
    // After a gap the price is at the next bar's open at once.
    const seconds = Math.max(1, Math.min(step, (candles[index + 1]?.time ?? candle.time + step) - candle.time))
    const [open, ...corners] = cornersOf(candle, seconds, setup.terms)
    if (open !== undefined && !hasEnded(state)) {
      state = observeFully(setup, state, open)
      let from = open
      for (const to of corners) {
        if (hasEnded(state)) break
        state = moveTo(setup, state, from, to)
        from = to
      }
    }
    const prices = pricesOf(setup.terms, candle.close)
    equity.push({ time: candle.time, usd18: valueOf(state.portfolio, tokens, prices), portfolio: state.portfolio })
  }
  const { bought, fills, order, reason } = state
  return { fills, equity, state: order.state, trigger: order.progress.trigger, reason, sold: order.sold, bought }
}
