/** A tracer that stores its spans, as an exporting one does. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import * as RecordingTracer from "../../src/telemetry/RecordingTracer.ts"

export interface Recorded {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parent: string | undefined
  readonly attributes: ReadonlyMap<string, unknown>
  readonly links: number
  readonly sampled: boolean
}

let ids = 0
const id = (digits: number) => (++ids).toString(16).padStart(digits, "0")

/** Runs an effect under the recording tracer and returns the ended spans; this share of the traces is sampled. */
export const recorded = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  share = 1
): Effect.Effect<ReadonlyArray<Recorded>, E, R> =>
  Effect.suspend(() => {
    const ended: Array<Recorded> = []
    const tracer = Tracer.make({
      span: ({ annotations, kind, links, name, parent, sampled, startTime }) => {
        const attributes = new Map<string, unknown>()
        const traceId = Option.match(parent, { onNone: () => id(32), onSome: (found) => found.traceId })
        const spanId = id(16)
        const span: Tracer.Span = {
          _tag: "Span",
          name,
          traceId,
          spanId,
          parent,
          annotations,
          status: { _tag: "Started", startTime },
          attributes,
          links,
          sampled,
          kind,
          attribute: (key, value) => void attributes.set(key, value),
          event: () => {},
          addLinks: () => {},
          end: () => {
            ended.push({
              name,
              traceId,
              spanId,
              parent: Option.getOrUndefined(parent)?.spanId,
              attributes,
              links: links.length,
              sampled: span.sampled
            })
          }
        }
        return span
      }
    })
    return Effect.as(Effect.withTracer(effect, RecordingTracer.over(tracer, share)), ended)
  })

/** Returns the only span with a name. */
export const named = (spans: ReadonlyArray<Recorded>, name: string): Recorded => {
  const [found, ...others] = spans.filter((span) => span.name === name)
  if (found === undefined || others.length > 0) {
    throw new Error(
      `${found === undefined ? "no" : "more than one"} span ${name}: ${spans.map((span) => span.name).join(", ")}`
    )
  }
  return found
}
