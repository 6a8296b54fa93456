/**
 * Telemetry of a process: one JSON line on standard output per log entry and, when OTLP_URL is set, traces, metrics and
 * logs over OTLP. Without it nothing is traced.
 */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { isRecorded } from "@vault-trader/core/telemetry/IntentTrace"
import * as RecordingTracer from "@vault-trader/core/telemetry/RecordingTracer"
import * as Redaction from "@vault-trader/core/telemetry/Redaction"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpBody from "effect/http/HttpBody"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpLogger from "effect/observability/OtlpLogger"
import * as OtlpMetrics from "effect/observability/OtlpMetrics"
import { OtlpSerialization } from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import * as Os from "node:os"
import { configured } from "./Networks.ts"
import { limited } from "./RepeatedEntries.ts"
import { version } from "./ServiceVersion.ts"
import type { Settings } from "./Settings.ts"

/** Timeout of the last export when the process ends, for each of traces, metrics and logs. */
const defaultShutdownTimeout = Duration.seconds(2)

/**
 * Returns configured secrets that must not be logged: operator keys in the URLs of nodes and databases and in the
 * collector's headers.
 */
const secretsOf = (settings: Settings) =>
  Effect.map(
    // An unreadable list of networks is reported by the layer that needs it.
    Effect.orElseSucceed(configured(settings), () => []),
    (books) => {
      const { databaseUrl, otlpHeaders } = settings.service
      const { awsSecretAccessKey, awsSessionToken, kyberSwapUrl, odosApiKey, odosUrl, oneInchApiKey, oneInchUrl } =
        settings.workers
      return [
        ...books.flatMap(({ privateRpcUrls, rpcUrls }) => [...rpcUrls, ...privateRpcUrls]).flatMap(
          Redaction.secretsOfNode
        ),
        ...[kyberSwapUrl, odosUrl, oneInchUrl].flatMap(Redaction.secretsOfNode),
        ...[awsSecretAccessKey, awsSessionToken, odosApiKey, oneInchApiKey].flatMap((key) =>
          key === undefined ? [] : [Redacted.value(key)]
        ),
        ...databaseUrl === undefined ? [] : Redaction.secretsOfDatabase(Redacted.value(databaseUrl)),
        ...Object.values(otlpHeaders).map(Redacted.value)
      ]
    }
  )

type Scrubber = (text: string) => string

/** Effect's own JSON line, with the trace id of the entry. */
const jsonLines = (scrub: Scrubber): Logger.Logger<unknown, void> =>
  Logger.withConsoleLog(Logger.make((options) => {
    const line = Logger.formatJson.log(options)
    const span = Context.getOption(options.fiber.context, Tracer.ParentSpan)
    return scrub(
      span._tag === "Some" && isRecorded(span.value)
        ? `{"traceId":"${span.value.traceId}","spanId":"${span.value.spanId}",${line.slice(1)}`
        : line
    )
  }))

/** Drops the all-zero ids of entries outside of any trace: a collector rejects a whole batch for one invalid id. */
const onlyRealIds = (key: string, value: unknown) =>
  (key === "traceId" || key === "spanId") && !/^(?!0+$)[0-9a-f]+$/.test(String(value)) ? undefined : value

const serialization = (scrub: Scrubber) => {
  const body = (data: unknown) => HttpBody.text(scrub(JSON.stringify(data, onlyRealIds)), "application/json")
  return Layer.succeed(OtlpSerialization, { traces: body, metrics: body, logs: body })
}

/**
 * Exports metrics, logs and sampled traces over OTLP, as compressed JSON over HTTP. Data that cannot be delivered is
 * dropped: nothing waits for a collector.
 */
const exporting = (
  { otlpHeaders, otlpSeconds, traceShare }: Settings["service"],
  baseUrl: string,
  serviceName: string,
  scrub: Scrubber
) => {
  const to = (path: string) => ({
    url: `${baseUrl.replace(/\/+$/, "")}${path}`,
    headers: Object.fromEntries(Object.entries(otlpHeaders).map(([name, value]) => [name, Redacted.value(value)])),
    resource: {
      serviceName,
      serviceVersion: version.version,
      attributes: {
        "service.namespace": "vault-trader",
        "service.instance.id": `${Os.hostname()}/${process.pid}`,
        "host.name": Os.hostname(),
        "process.pid": process.pid
      }
    },
    exportInterval: Duration.seconds(otlpSeconds),
    compression: "gzip" as const,
    shutdownTimeout: defaultShutdownTimeout
  })
  return Layer.mergeAll(
    Layer.provide(
      Layer.effect(
        Tracer.Tracer,
        Effect.map(OtlpTracer.make(to("/v1/traces")), (tracer) => RecordingTracer.over(tracer, traceShare))
      ),
      OtlpExporter.layerFlusher
    ),
    OtlpMetrics.layer(to("/v1/metrics")),
    Logger.layer([Effect.flatMap(OtlpLogger.make(to("/v1/logs")), limited)], { mergeWithExisting: true }).pipe(
      Layer.provide(OtlpExporter.layerFlusher)
    )
  ).pipe(Layer.provide([serialization(scrub), NodeHttpClient.layerUndici]))
}

/** Launches a layer as the service of this name, with telemetry as configured. */
export const launch =
  (settings: Settings, serviceName: string) => <A, E>(layer: Layer.Layer<A, E>): Effect.Effect<never, E> =>
    Effect.flatMap(secretsOf(settings), (secrets) => {
      const scrub = Redaction.make(secrets)
      const { logLevel, otlpUrl } = settings.service
      const telemetry = otlpUrl === undefined
        ? Layer.succeed(References.TracerEnabled, false)
        : exporting(settings.service, otlpUrl, serviceName, scrub)
      return Layer.launch(Layer.provide(layer, telemetry)).pipe(
        Effect.tapCauseIf(Cause.hasDies, (cause) => Effect.logFatal("the process ends because of a defect", cause)),
        Effect.provideService(References.MinimumLogLevel, logLevel),
        Effect.provide(Logger.layer([limited(jsonLines(scrub)), Logger.tracerLogger]))
      )
    })
