/**
 * What is recorded of the spans that libraries and we make: work that somebody asked for, under its intent's id, and nothing that may
 * hold a secret. A URL holds API keys here, and those of nodes hold their operator's.
 */
import type * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { attribute as intentAttribute, isRecorded } from "./IntentTrace.ts"

/** What the HTTP libraries write of requests; of ours the gate says what may be said. */
const unspeakable = /^(url\.|http\.(request|response)\.header\.|server\.address$|client\.address$|user_agent\.)/

const noAttributes: ReadonlyMap<string, unknown> = new Map()

/** Says nothing, and is nobody's parent: all zeros name no trace. */
const unrecorded = (name: string, parent: Option.Option<Tracer.AnySpan>, annotations: Context.Context<never>, startTime: bigint, kind: Tracer.SpanKind): Tracer.Span => ({
  _tag: "Span",
  name,
  spanId: "0".repeat(16),
  traceId: "0".repeat(32),
  parent,
  annotations,
  status: { _tag: "Started", startTime },
  attributes: noAttributes,
  links: [],
  sampled: false,
  kind,
  end: () => {},
  attribute: () => {},
  event: () => {},
  addLinks: () => {}
})

/** The spans of this process that a span is inside of, nearest first. */
const enclosing = (span: Tracer.AnySpan): ReadonlyArray<Tracer.Span> =>
  span._tag === "Span" ? [span, ...Option.match(span.parent, { onNone: () => [], onSome: enclosing })] : []

/** An intent gets its id in the middle of its request: the spans around hear of it, those begun later inherit it. */
const withIntent = (span: Tracer.Span): Tracer.Span => {
  const write = span.attribute.bind(span)
  const recording = Object.assign(span, {
    attribute: (key: string, value: unknown) => {
      if (unspeakable.test(key) || value === undefined) return
      write(key, value)
      if (key !== intentAttribute) return
      const [outer] = Option.match(span.parent, { onNone: () => [], onSome: enclosing })
      if (outer !== undefined && outer.status._tag === "Started" && !outer.attributes.has(key)) outer.attribute(key, value)
    }
  })
  const [outer] = Option.match(span.parent, { onNone: () => [], onSome: enclosing })
  const inherited = outer?.attributes.get(intentAttribute)
  if (inherited !== undefined) write(intentAttribute, inherited)
  return recording
}

/**
 * Over a tracer that exports. A trace begins with a request (`server`) or with an intent that is taken up (`consumer`); what a
 * process does for itself, polling and watching, begins none. Parents that name no trace, as strangers' headers may, are no parents.
 */
export const over = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    ...(tracer.context === undefined ? {} : { context: tracer.context.bind(tracer) }),
    span: (options) => {
      const parent = Option.filter(options.parent, isRecorded)
      const { annotations, kind, name, startTime } = options
      if (Option.isNone(parent) && kind !== "server" && kind !== "consumer") return unrecorded(name, options.parent, annotations, startTime, kind)
      // An entity's spans are named after the actor; which one it was is an attribute.
      const plain = name.replace(/\([^)]*\)/, "")
      // A parent that is not recorded is not sampled either; the trace that begins here does not inherit that.
      const sampled = Option.isNone(parent) || options.sampled
      return withIntent(tracer.span({ ...options, name: plain, parent, sampled, links: options.links.filter(({ span }) => isRecorded(span)) }))
    }
  })
