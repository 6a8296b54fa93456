/**
 * Filters and samples the spans of this service and its libraries. Recorded is requested work, with its intent's id, and
 * no attribute that may contain a secret: URLs of requests contain API keys, and URLs of nodes contain the operator's
 * keys. Of the recorded traces a share is exported, and of the others the spans that fail, with their ancestors.
 */
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { attribute as intentAttribute, isRecorded } from "./IntentTrace.ts"

/** Attributes that HTTP libraries add to spans. The gate adds the permitted ones of its requests itself. */
const forbiddenAttributes = /^(url\.|http\.(request|response)\.header\.|server\.address$|client\.address$|user_agent\.)/

/** The attribute of a span that ends an intent: `Succeeded` or `Failed`. */
export const outcomeAttribute = "outcome"

const noAttributes: ReadonlyMap<string, unknown> = new Map()

/** Builds a no-op span with the all-zero id, which is not a valid parent. */
const unrecorded = (
  name: string,
  parent: Option.Option<Tracer.AnySpan>,
  annotations: Context.Context<never>,
  startTime: bigint,
  kind: Tracer.SpanKind
): Tracer.Span => ({
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

/** Returns a span and its ancestors in this process, nearest first. */
const enclosing = (span: Tracer.AnySpan): ReadonlyArray<Tracer.Span> =>
  span._tag === "Span" ? [span, ...Option.match(span.parent, { onNone: () => [], onSome: enclosing })] : []

/** Marks a span, and its open ancestors in this process, for export when they end. */
const exportFailure = (span: Tracer.Span) => {
  for (const each of enclosing(span)) if (each.status._tag === "Started") Object.assign(each, { sampled: true })
}

const isFailure = (exit: Exit.Exit<unknown, unknown>) => Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)

/** True for attributes that say that a span's work failed, although its effect succeeded. */
const saysFailure = (key: string, value: unknown) =>
  (key === "http.response.status_code" && typeof value === "number" && value >= 500) ||
  (key === outcomeAttribute && value === "Failed")

/**
 * Propagates the intent's id, which is set in the middle of a request: open ancestor spans receive it, later spans
 * inherit it. Failures are exported.
 */
const recordedSpan = (span: Tracer.Span): Tracer.Span => {
  const write = span.attribute.bind(span)
  const end = span.end.bind(span)
  const recording = Object.assign(span, {
    end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => {
      if (isFailure(exit)) exportFailure(span)
      end(endTime, exit)
    },
    attribute: (key: string, value: unknown) => {
      if (forbiddenAttributes.test(key) || value === undefined) return
      write(key, value)
      if (saysFailure(key, value)) exportFailure(span)
      if (key !== intentAttribute) return
      const [outer] = Option.match(span.parent, { onNone: () => [], onSome: enclosing })
      if (outer !== undefined && outer.status._tag === "Started" && !outer.attributes.has(key)) {
        outer.attribute(key, value)
      }
    }
  })
  const [outer] = Option.match(span.parent, { onNone: () => [], onSome: enclosing })
  const inherited = outer?.attributes.get(intentAttribute)
  if (inherited !== undefined) write(intentAttribute, inherited)
  return recording
}

/**
 * Wraps an exporting tracer, of whose traces this share is exported; a caller's trace is exported when the caller has
 * sampled it. A trace begins with a request (`server`) or with a resumed intent (`consumer`); a
 * process's own polling and watching begins none. Parents with invalid ids, which external headers may contain, are
 * ignored.
 */
export const over = (tracer: Tracer.Tracer, share = 1): Tracer.Tracer =>
  Tracer.make({
    ...(tracer.context === undefined ? {} : { context: tracer.context.bind(tracer) }),
    span: (options) => {
      const parent = Option.filter(options.parent, isRecorded)
      const { annotations, kind, name, startTime } = options
      if (Option.isNone(parent) && kind !== "server" && kind !== "consumer") {
        return unrecorded(name, options.parent, annotations, startTime, kind)
      }
      // An entity's spans are named after the actor type; the entity id is an attribute.
      const plain = name.replace(/\([^)]*\)/, "")
      // An unrecorded parent is not sampled; the trace that begins here must not inherit that.
      const sampled = Option.isNone(parent) ? Math.random() < share : options.sampled
      return recordedSpan(
        tracer.span({
          ...options,
          name: plain,
          parent,
          sampled,
          links: options.links.filter(({ span }) => isRecorded(span))
        })
      )
    }
  })
