/** Sets the faults of the fake aggregators, and logs the requests they receive. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AggregatorName, Breakdown, Fault } from "./AggregatorFault.ts"

export const FaultOrder = Schema.Struct({
  aggregator: AggregatorName,
  fault: Fault,
  /** Number of requests it applies to; until it is replaced or removed when absent. */
  times: Schema.optional(Schema.Int.check(Schema.isGreaterThan(0))),
  /** Seconds of the header `Retry-After` of HTTP 429; 1 when absent. */
  retryAfter: Schema.optional(Schema.Int.check(Schema.isGreaterThan(0)))
})
export type FaultOrder = typeof FaultOrder.Type

export const SeenRequest = Schema.Struct({ aggregator: AggregatorName, method: Schema.String, url: Schema.String })
type SeenRequest = typeof SeenRequest.Type

/** The part of a swap that a request covers: some only quote, some only return calldata, 1inch's does both. */
export type Step = "quote" | "calldata" | "both"

export interface FaultBoard {
  /** Replaces the aggregator's current fault. */
  readonly inject: (order: FaultOrder) => Effect.Effect<void>
  /** Removes all faults. */
  readonly heal: Effect.Effect<void>
  /** Returns the last thousand requests since the last `forget`, in order. */
  readonly seen: Effect.Effect<ReadonlyArray<SeenRequest>>
  readonly forget: Effect.Effect<void>
  /** Logs a request and returns the fault that applies to it, if any. */
  readonly meet: (request: SeenRequest, step: Step) => Effect.Effect<Fault | undefined>
  /** Returns the `Retry-After` of an aggregator's current fault, in seconds. */
  readonly retryAfter: (aggregator: AggregatorName) => Effect.Effect<number>
}

/** Maximum number of logged requests: a devnet may run for days. */
const maxSeen = 1000

/**
 * Returns whether a fault applies to a step. Breakdowns apply to every request, lies only to the one that returns the
 * false value.
 */
const appliesTo = (fault: Fault, step: Step) =>
  step === "both" || Schema.is(Breakdown)(fault) || (fault === "staleQuote") === (step === "quote")

export const make: Effect.Effect<FaultBoard> = Effect.sync(() => {
  const faults = new Map<AggregatorName, { readonly fault: Fault; readonly retryAfter: number; left: number }>()
  let seen: ReadonlyArray<SeenRequest> = []
  return {
    inject: ({ aggregator, fault, retryAfter = 1, times }) =>
      Effect.sync(() => {
        faults.set(aggregator, { fault, retryAfter, left: times ?? Number.POSITIVE_INFINITY })
      }),
    retryAfter: (aggregator) => Effect.sync(() => faults.get(aggregator)?.retryAfter ?? 1),
    heal: Effect.sync(() => faults.clear()),
    seen: Effect.sync(() => seen),
    forget: Effect.sync(() => {
      seen = []
    }),
    meet: (request, step) =>
      Effect.sync(() => {
        seen = [...seen, request].slice(-maxSeen)
        const entry = faults.get(request.aggregator)
        if (entry === undefined || entry.left === 0 || !appliesTo(entry.fault, step)) return undefined
        entry.left -= 1
        return entry.fault
      })
  }
})
