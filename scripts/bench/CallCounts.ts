/** Counts the calls the engine makes for each unit of work: spans by name, statements by text. */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

/** Normalizes a statement, so that it counts the same whatever its number of rows. */
const statement = (text: string) =>
  text.replace(/\s+/g, " ").replace(/\(\$\d+[^)]*\)(,\s*\(\$\d+[^)]*\))*/g, "(…)").slice(0, 110)

class CountingSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly spanId = ""
  readonly traceId = ""
  readonly sampled = true
  readonly attributes = new Map<string, unknown>()
  readonly links = []
  readonly name: string
  readonly parent: Tracer.Span["parent"]
  readonly annotations: Tracer.Span["annotations"]
  readonly kind: Tracer.SpanKind
  readonly status: Tracer.SpanStatus
  readonly ended: (name: string) => void
  constructor(
    { annotations, kind, name, parent, startTime }: Parameters<Tracer.Tracer["span"]>[0],
    ended: (name: string) => void
  ) {
    this.name = name
    this.parent = parent
    this.annotations = annotations
    this.kind = kind
    this.status = { _tag: "Started", startTime }
    this.ended = ended
  }
  end() {
    const text = this.attributes.get("db.query.text")
    this.ended(typeof text === "string" ? `sql  ${statement(text)}` : `span ${this.name}`)
  }
  attribute(key: string, value: unknown) {
    this.attributes.set(key, value)
  }
  event() {}
  addLinks() {}
}

/** Runs the work and returns the number of calls per unit of `units`, most frequent first. */
export const around = <A, E, R>(work: Effect.Effect<A, E, R>, units: number): Effect.Effect<string, E, R> =>
  Effect.suspend(() => {
    const counts = new Map<string, number>()
    const ended = (name: string) => void counts.set(name, (counts.get(name) ?? 0) + 1)
    const tracer = Tracer.make({ span: (options) => new CountingSpan(options, ended) })
    return work.pipe(
      Effect.withTracerEnabled(true),
      Effect.withTracer(tracer),
      Effect.map(() =>
        [...counts]
          .sort(([, a], [, b]) => b - a)
          .slice(0, 40)
          .map(([name, count]) => `${(count / units).toFixed(3).padStart(9)}  ${name}`)
          .join("\n")
      )
    )
  })
