/** `/metrics` on a port of its own: numbers for operators, not for callers. */
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as SqlClient from "@effect/sql/SqlClient"
import { text } from "@vault-trader/core/telemetry/Prometheus"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Http from "node:http"
import type { Settings } from "./Settings.ts"
import { CannotStart } from "./Stop.ts"

/** What only the database knows: how old the oldest unfinished intent and the oldest unread message are, in seconds. */
const ages = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly intent: number; readonly message: number }>`select
    coalesce((select extract(epoch from now() - min(created_at)) from intents where status in ('accepted', 'submitted')), 0)::float8 as intent,
    (select count(*) from cluster_messages where processed = false)::float8 as message`
  return [
    "# HELP vault_trader_oldest_intent_seconds Age of the oldest unfinished intent.",
    "# TYPE vault_trader_oldest_intent_seconds gauge",
    `vault_trader_oldest_intent_seconds ${row?.intent ?? 0}`,
    "# HELP vault_trader_unread_messages Cluster messages nobody has read.",
    "# TYPE vault_trader_unread_messages gauge",
    `vault_trader_unread_messages ${row?.message ?? 0}`,
    ""
  ].join("\n")
}).pipe(Effect.timeout("2 seconds"), Effect.catchAllCause(() => Effect.succeed("")))

/** Serves the process's metrics when METRICS_PORT is set. */
export const Metrics = (settings: Settings) => {
  const { metricsPort, metricsHost } = settings.service
  if (metricsPort === undefined) return Layer.empty
  const route = HttpLayerRouter.use((router) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      router.add(
        "GET",
        "/metrics",
        Effect.map(Effect.zip(Metric.snapshot, Effect.provideService(ages, SqlClient.SqlClient, sql)), ([snapshot, rows]) =>
          HttpServerResponse.text(text(snapshot) + rows, { contentType: "text/plain; version=0.0.4" }))
      )))
  return HttpLayerRouter.serve(route, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(NodeHttpServer.layer(() => Http.createServer(), { host: metricsHost, port: metricsPort })),
    Layer.mapError(() => new CannotStart({ message: `Nothing can listen on ${metricsHost}:${metricsPort}; METRICS_PORT chooses another port.` }))
  )
}
