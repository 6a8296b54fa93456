/** An OpenTelemetry collector that records what it receives: OTLP over HTTP, as JSON. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { gunzipSync } from "node:zlib"

const Attributes = Schema.Array(
  Schema.Struct({ key: Schema.String, value: Schema.Record(Schema.String, Schema.Unknown) })
)
const Resource = Schema.Struct({ attributes: Attributes })
const Id = (digits: number) => Schema.String.check(Schema.isPattern(new RegExp(`^[0-9a-f]{${digits}}$`)))

const Traces = Schema.fromJsonString(Schema.Struct({
  resourceSpans: Schema.Array(Schema.Struct({
    resource: Resource,
    scopeSpans: Schema.Array(Schema.Struct({
      spans: Schema.Array(Schema.Struct({
        name: Schema.String,
        traceId: Id(32),
        spanId: Id(16),
        parentSpanId: Schema.optional(Id(16)),
        startTimeUnixNano: Schema.BigIntFromString,
        endTimeUnixNano: Schema.BigIntFromString,
        attributes: Attributes
      }))
    }))
  }))
}))
const Logs = Schema.fromJsonString(Schema.Struct({
  resourceLogs: Schema.Array(Schema.Struct({
    scopeLogs: Schema.Array(Schema.Struct({
      logRecords: Schema.Array(Schema.Struct({
        body: Schema.Struct({ stringValue: Schema.optional(Schema.String) }),
        traceId: Schema.optional(Id(32)),
        attributes: Attributes
      }))
    }))
  }))
}))
const Numbers = Schema.fromJsonString(Schema.Struct({
  resourceMetrics: Schema.Array(Schema.Struct({
    resource: Resource,
    scopeMetrics: Schema.Array(Schema.Struct({ metrics: Schema.Array(Schema.Struct({ name: Schema.String })) }))
  }))
}))

export interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  /** Unix nanoseconds. */
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly service: string
  readonly instance: string
}

interface Log {
  readonly message: string
  readonly traceId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface Collector {
  readonly url: string
  readonly spans: Effect.Effect<ReadonlyArray<Span>>
  readonly logs: Effect.Effect<ReadonlyArray<Log>>
  /** Names of metrics with the service that sent them. */
  readonly metrics: Effect.Effect<ReadonlyArray<readonly [service: string, name: string]>>
  /** Every received body, unchanged, with its path. */
  readonly received: Effect.Effect<
    ReadonlyArray<{ readonly path: string; readonly authorization: string; readonly body: string }>
  >
}

const plain = (attributes: typeof Attributes.Type) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Listens until the scope closes. */
export const listen: Effect.Effect<Collector, never, Scope.Scope> = Effect.gen(function*() {
  const received: Array<{ readonly path: string; readonly authorization: string; readonly body: string }> = []
  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const listening = Http.createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
          received.push({
            path: request.url ?? "",
            authorization: request.headers.authorization ?? "",
            body: (request.headers["content-encoding"] === "gzip"
              ? gunzipSync(Buffer.concat(chunks))
              : Buffer.concat(chunks)).toString("utf8")
          })
          response.writeHead(200, { "content-type": "application/json" }).end("{}")
        })
      })
      listening.listen(0, "127.0.0.1")
      await once(listening, "listening")
      return listening
    }),
    (listening) =>
      Effect.callback<void>((resume) => {
        listening.close(() => resume(Effect.void))
        listening.closeAllConnections()
      })
  )
  const bodies = <A>(path: string, schema: Schema.Codec<A, string>) =>
    Effect.suspend(() =>
      Effect.orDie(
        Effect.forEach(received.filter((each) => each.path === path), ({ body }) => Schema.decodeEffect(schema)(body))
      )
    )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: Effect.sync(() => received),
    spans: Effect.map(
      bodies("/v1/traces", Traces),
      (all) =>
        all.flatMap(({ resourceSpans }) => resourceSpans).flatMap(({ resource, scopeSpans }) => {
          const { "service.instance.id": instance, "service.name": service } = plain(resource.attributes)
          return scopeSpans.flatMap(({ spans }) => spans).map((
            { attributes, endTimeUnixNano, startTimeUnixNano, ...span }
          ): Span => ({
            ...span,
            parentSpanId: span.parentSpanId,
            start: startTimeUnixNano,
            end: endTimeUnixNano,
            attributes: plain(attributes),
            service: String(service),
            instance: String(instance)
          }))
        })
    ),
    logs: Effect.map(
      bodies("/v1/logs", Logs),
      (all) =>
        all.flatMap(({ resourceLogs }) => resourceLogs).flatMap(({ scopeLogs }) => scopeLogs).flatMap((
          { logRecords }
        ) => logRecords).map((record): Log => ({
          message: record.body.stringValue ?? "",
          traceId: record.traceId,
          attributes: plain(record.attributes)
        }))
    ),
    metrics: Effect.map(
      bodies("/v1/metrics", Numbers),
      (all) =>
        all.flatMap(({ resourceMetrics }) => resourceMetrics).flatMap(({ resource, scopeMetrics }) =>
          scopeMetrics.flatMap(({ metrics }) => metrics).map(({ name }) =>
            [String(plain(resource.attributes)["service.name"]), name] as const
          )
        )
    )
  }
})
