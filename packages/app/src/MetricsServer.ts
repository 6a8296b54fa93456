/** `/metrics` and `/health/*` on a separate port: for operators, not for callers. */
import { ApprovalPolicy } from "@vault-trader/core/change-approval/ApprovalSettings"
import type { Network } from "@vault-trader/core/chain/Network"
import * as LedgerMetrics from "@vault-trader/core/telemetry/LedgerMetrics"
import * as Names from "@vault-trader/core/telemetry/Metrics"
import { text } from "@vault-trader/core/telemetry/Prometheus"
import * as Health from "@vault-trader/server/gate/Health"
import type { NetworkState } from "@vault-trader/server/gate/HealthChecks"
import * as Listener from "@vault-trader/server/gate/Listener"
import * as Effect from "effect/Effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as SqlClient from "effect/sql/SqlClient"
import * as Http from "node:http"
import * as EventLoopDelay from "./EventLoopDelay.ts"
import { version } from "./ServiceVersion.ts"
import type { Settings } from "./Settings.ts"
import { explained } from "./StartupFailure.ts"

const declared = (networks: ReadonlyArray<Network>) =>
  Layer.effectDiscard(Effect.andThen(Names.declare(networks), Names.set(Names.info, version, 1)))

/** Reads a network's state from a node in this process; a process without nodes has none. */
type ReadState<R> = (network: Network) => Effect.Effect<NetworkState, unknown, R>

/** Reads the gauges that no event updates: those of the database and of the event loop. */
const readGauges = (networks: ReadonlyArray<Network>) =>
  Effect.map(EventLoopDelay.measure, (readDelay) => Effect.andThen(readDelay, LedgerMetrics.readGauges(networks)))

const served = <R>(
  host: string,
  port: number,
  networks: ReadonlyArray<Network>,
  readState: ReadState<R> | undefined
) => {
  const route = HttpRouter.use((router) =>
    Effect.flatMap(Effect.all([SqlClient.SqlClient, readGauges(networks)]), ([sql, read]) =>
      router.add(
        "GET",
        "/metrics",
        read.pipe(
          Effect.provideService(SqlClient.SqlClient, sql),
          Effect.andThen(Metric.snapshot),
          Effect.map((snapshot) =>
            HttpServerResponse.text(text(snapshot), { contentType: "text/plain; version=0.0.4" })
          )
        )
      ))
  )
  const health = Health.routes(
    readState === undefined ? [] : networks,
    readState ?? (() => Effect.succeed("ok" as const))
  )
  const serving = HttpRouter.serve(Layer.merge(route, health), { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provide(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)),
    Layer.provide(Listener.layer(() => Http.createServer(), { host, port }))
  )
  // Built separately: the router is a shared layer, and these routes must not be added to the gate's.
  const separateRoutes = Effect.flatMap(
    Effect.scope,
    (scope) => Layer.buildWithMemoMap(serving, Layer.makeMemoMapUnsafe(), scope)
  )
  return explained(
    Layer.effectDiscard(separateRoutes),
    `Nothing can listen on ${host}:${port}; METRICS_PORT chooses another port.`
  )
}

/** Updates the gauges at an interval when metrics are exported; otherwise each scrape updates them. */
const updateEvery = (seconds: number, networks: ReadonlyArray<Network>) =>
  Layer.effectDiscard(
    Effect.flatMap(readGauges(networks), (read) =>
      read.pipe(Effect.delay(`${seconds} seconds`), Effect.forever, Effect.forkScoped))
  )

/**
 * Serves the process's metrics and health when METRICS_PORT is set, and keeps metrics current for OTLP when OTLP_URL is
 * set.
 */
export const Metrics = <R = never>(
  { approvals, service }: Settings,
  networks: ReadonlyArray<Network>,
  readState?: ReadState<R>
) =>
  Layer.mergeAll(
    declared(networks),
    service.metricsPort === undefined
      ? Layer.empty
      : served(service.metricsHost, service.metricsPort, networks, readState),
    service.otlpUrl === undefined ? Layer.empty : updateEvery(service.otlpSeconds, networks)
  ).pipe(Layer.provide(Layer.succeed(ApprovalPolicy, approvals)))
