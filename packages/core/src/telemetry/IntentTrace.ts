/**
 * Assigns an intent's work to its trace. The work outlives its request and runs in fibers of actors, often for several
 * intents at once, so the trace is found by the intent's id. After a restart, a new trace begins with the same intent
 * id.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { intentOf } from "../gas-wallet/Submission.ts"

/** The span attribute and log annotation with the intent's id. */
export const attribute = "intent.id"

/** Maximum number of remembered intents. Beyond it the oldest is forgotten, and its later work begins a new trace. */
const capacity = 10_000

/** Parent spans by intent id or submission key, for this process. */
const known = new Map<string, Tracer.ExternalSpan>()

/** Checks whether a span has valid ids; an untraced one has none. */
export const isRecorded = ({ spanId, traceId }: Pick<Tracer.AnySpan, "spanId" | "traceId">): boolean =>
  /^(?!0+$)[0-9a-f]{32}$/.test(traceId) && /^(?!0+$)[0-9a-f]{16}$/.test(spanId)

const parentOf = (key: string) => known.get(key) ?? known.get(intentOf(key) ?? key)

/** Remembers the current span as the parent of later work for this key; the first one is kept. */
const remember = (key: string) =>
  Effect.map(Effect.serviceOption(Tracer.ParentSpan), (current) => {
    if (current._tag === "None" || known.has(key) || !isRecorded(current.value)) return
    const { sampled, spanId, traceId } = current.value
    known.set(key, Tracer.externalSpan({ sampled, spanId, traceId }))
    if (known.size > capacity) known.delete(known.keys().next().value ?? "")
  })

const whenTraced = <A, E, R>(
  traced: () => Effect.Effect<A, E, R>,
  untraced: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.flatMap(References.TracerEnabled, (enabled) => enabled ? traced() : untraced)

/** Marks the current span as work for this intent or submission, and as the parent of later work for it. */
export const join = (key: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  whenTraced(
    () =>
      Effect.annotateCurrentSpan(attribute, intentOf(key)).pipe(Effect.andThen(remember(key)), Effect.andThen(effect)),
    effect
  )

/** Returns the log annotations for an intent or a submission. */
export const annotations = (key: string): Readonly<Record<string, string>> => {
  const intent = intentOf(key)
  return intent === undefined ? {} : { [attribute]: intent }
}

const traced = <A, E, R>(
  name: string,
  key: string,
  attributes: Readonly<Record<string, unknown>>,
  effect: Effect.Effect<A, E, R>
) =>
  Effect.suspend(() => {
    const parent = parentOf(key)
    return Effect.withSpan(parent === undefined ? Effect.andThen(remember(key), effect) : effect, name, {
      // Work resumed after a restart has no request; it comes from the ledger.
      ...(parent === undefined ? { root: true, kind: "consumer" as const } : { parent }),
      attributes: { ...attributes, ...annotations(key) },
      captureStackTrace: false
    })
  })

/** Runs work for an intent or a submission as a span of its trace; its log lines name the intent, traced or not. */
export const span =
  (name: string, key: string, attributes: Readonly<Record<string, unknown>> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.annotateLogs(whenTraced(() => traced(name, key, attributes, effect), effect), annotations(key))

/**
 * Runs work for several intents with a span in the trace of each. Inner spans belong to none of them, unless there is
 * only one.
 */
export const spans =
  (name: string, keys: ReadonlyArray<string>, attributes: Readonly<Record<string, unknown>> = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    whenTraced(() => {
      // A parent span is optional: without it the context still provides everything in R.
      const orphaned = Effect.updateContext(effect, (context: Context.Context<R>) =>
        Context.omit(Tracer.ParentSpan)(context) as Context.Context<R>)
      return keys.reduce((all, key) =>
        traced(name, key, attributes, all), keys.length === 1 ? effect : orphaned)
    }, effect)
