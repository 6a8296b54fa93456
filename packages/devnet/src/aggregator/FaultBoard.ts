/** Tells the fake aggregators how to behave, and what they were asked. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { AggregatorName, Breakdown, Fault } from "./AggregatorFault.ts"

export const Telling = Schema.Struct({
  aggregator: AggregatorName,
  fault: Fault,
  /** For so many requests; until told otherwise when absent. */
  times: Schema.optional(Schema.Int.check(Schema.isGreaterThan(0)))
})
export type Telling = typeof Telling.Type

export const SeenRequest = Schema.Struct({ aggregator: AggregatorName, method: Schema.String, url: Schema.String })
export type SeenRequest = typeof SeenRequest.Type

/** Of an aggregator's requests some only quote, some only make calldata, 1inch's does both. */
export type Step = "quote" | "calldata" | "both"

export interface FaultBoard {
  /** Replaces what the aggregator was told before. */
  readonly tell: (telling: Telling) => Effect.Effect<void>
  /** All behave again. */
  readonly heal: Effect.Effect<void>
  /** The last thousand requests since the last `forget`, in order. */
  readonly seen: Effect.Effect<ReadonlyArray<SeenRequest>>
  readonly forget: Effect.Effect<void>
  /** Notes a request and takes the fault it meets, if any. */
  readonly meet: (request: SeenRequest, step: Step) => Effect.Effect<Fault | undefined>
}

/** A devnet may run for days. */
const remembered = 1000

/** Breakdowns can happen to every request; lies are told where the thing lied about is told. */
const concerns = (fault: Fault, step: Step) =>
  step === "both" || Schema.is(Breakdown)(fault) || (fault === "staleQuote") === (step === "quote")

export const make: Effect.Effect<FaultBoard> = Effect.sync(() => {
  const told = new Map<AggregatorName, { readonly fault: Fault; left: number }>()
  let seen: ReadonlyArray<SeenRequest> = []
  return {
    tell: ({ aggregator, fault, times }) =>
      Effect.sync(() => { told.set(aggregator, { fault, left: times ?? Number.POSITIVE_INFINITY }) }),
    heal: Effect.sync(() => told.clear()),
    seen: Effect.sync(() => seen),
    forget: Effect.sync(() => { seen = [] }),
    meet: (request, step) =>
      Effect.sync(() => {
        seen = [...seen, request].slice(-remembered)
        const entry = told.get(request.aggregator)
        if (entry === undefined || entry.left === 0 || !concerns(entry.fault, step)) return undefined
        entry.left -= 1
        return entry.fault
      })
  }
})
