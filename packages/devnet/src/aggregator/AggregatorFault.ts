/** Faults that the fake aggregators can inject. */
import * as Schema from "effect/Schema"

/** Aggregators by venue name. */
export const AggregatorName = Schema.Literals(["1inch", "kyberswap", "odosV3"])
export type AggregatorName = typeof AggregatorName.Type

/**
 * An answer that does not match the request: calldata that pays another address (`otherReceiver`), for another router
 * (`otherRouter`), that accepts any price (`minOutOne`), buys another token (`wrongToken`) or sells twice as much
 * (`otherAmount`); or an outdated quote, a fifth above what the pools pay (`staleQuote`).
 */
export const Lie = Schema.Literals([
  "otherReceiver",
  "otherRouter",
  "minOutOne",
  "staleQuote",
  "wrongToken",
  "otherAmount"
])
type Lie = typeof Lie.Type

/**
 * No usable answer: HTTP 429, HTTP 500, half a body, no response for 30 seconds, "no route", "your key is not known".
 */
export const Breakdown = Schema.Literals([
  "rateLimited",
  "serverError",
  "truncated",
  "silence",
  "noRoute",
  "unauthorized"
])
export type Breakdown = typeof Breakdown.Type

/** Not a fault: 1inch answers with its `unoswap` functions, which the real API uses for routes through single pools. */
const Habit = Schema.Literal("unoswap")

export const Fault = Schema.Union([Lie, Breakdown, Habit])
export type Fault = typeof Fault.Type
