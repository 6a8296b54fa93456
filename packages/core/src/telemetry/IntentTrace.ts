/**
 * Which trace an intent's work belongs to. The work outlives its request and is done by fibers of actors, often for several intents
 * at once: so the trace is found by the intent's id. After a restart it begins anew, under the same id.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { intentOf } from "../gas-wallet/Submission.ts"

/** The attribute and annotation that says which intent something is about. */
export const attribute = "intent.id"

/** Intents remembered before the oldest is forgotten; its work would begin a trace of its own. */
const capacity = 10_000

/** By intent id, or by a submission's key. Of this process, as the tracer is. */
const known = new Map<string, Tracer.ExternalSpan>()

/** Whether a span has ids that others can refer to: an untraced one has none. */
export const isRecorded = ({ spanId, traceId }: Pick<Tracer.AnySpan, "spanId" | "traceId">): boolean =>
  /^(?!0+$)[0-9a-f]{32}$/.test(traceId) && /^(?!0+$)[0-9a-f]{16}$/.test(spanId)

const parentOf = (key: string) => known.get(key) ?? known.get(intentOf(key) ?? key)

/** Remembers the current span as the one that later work for this key belongs under; the first one stays. */
const remember = (key: string) =>
  Effect.map(Effect.serviceOption(Tracer.ParentSpan), (current) => {
    if (current._tag === "None" || known.has(key) || !isRecorded(current.value)) return
    const { sampled, spanId, traceId } = current.value
    known.set(key, Tracer.externalSpan({ sampled, spanId, traceId }))
    if (known.size > capacity) known.delete(known.keys().next().value ?? "")
  })

const whenTraced = <A, E, R>(traced: () => Effect.Effect<A, E, R>, untraced: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(References.TracerEnabled, (enabled) => enabled ? traced() : untraced)

/** Says that the current span is about this intent, or this submission of one, and that later work for it belongs under the span. */
export const join = (key: string) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  whenTraced(() => Effect.annotateCurrentSpan(attribute, intentOf(key)).pipe(Effect.andThen(remember(key)), Effect.andThen(effect)), effect)

/** What a log line about an intent, or about a submission of one, is annotated with. */
export const annotations = (key: string): Readonly<Record<string, string>> => {
  const intent = intentOf(key)
  return intent === undefined ? {} : { [attribute]: intent }
}

const traced = <A, E, R>(name: string, key: string, attributes: Readonly<Record<string, unknown>>, effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const parent = parentOf(key)
    return Effect.withSpan(parent === undefined ? Effect.andThen(remember(key), effect) : effect, name, {
      // Work that goes on after a restart has no request any more: the ledger handed it over.
      ...(parent === undefined ? { root: true, kind: "consumer" as const } : { parent }),
      attributes: { ...attributes, ...annotations(key) },
      captureStackTrace: false
    })
  })

/** Work for an intent, or for a submission of one, as a span of its trace; its log lines name the intent, traced or not. */
export const span = (name: string, key: string, attributes: Readonly<Record<string, unknown>> = {}) =>
<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.annotateLogs(whenTraced(() => traced(name, key, attributes, effect), effect), annotations(key))

/** Work done for several at once: a span in the trace of each. What happens inside belongs to none of them, unless there is only one. */
export const spans = (name: string, keys: ReadonlyArray<string>, attributes: Readonly<Record<string, unknown>> = {}) =>
<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  whenTraced(() => {
    // Parent spans are looked for, never needed: without one the context still has all that R names.
    const orphaned = Effect.updateContext(effect, (context: Context.Context<R>) => Context.omit(Tracer.ParentSpan)(context) as Context.Context<R>)
    return keys.reduce((all, key) => traced(name, key, attributes, all), keys.length === 1 ? effect : orphaned)
  }, effect)
