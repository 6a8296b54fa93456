/** What is counted. Names and labels are an interface: dashboards and alerts are built on them. */
import type * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"

/** Seconds from 5 ms to about 3 minutes, doubling. */
const seconds = MetricBoundaries.exponential({ start: 0.005, factor: 2, count: 16 })

/** Answered requests by endpoint and HTTP status. */
export const httpRequests = Metric.counter("vault_trader_http_requests_total", { description: "Answered requests.", incremental: true })
/** Seconds from a request's arrival to its answer, by endpoint. */
export const httpSeconds = Metric.histogram("vault_trader_http_seconds", seconds, "Seconds from a request's arrival to its answer.")
/** Finished intents by action and outcome (`succeeded`, or the failure's error type). */
export const intents = Metric.counter("vault_trader_intents_total", { description: "Finished intents.", incremental: true })
/** USD booked, by action. */
export const chargedUsd = Metric.counter("vault_trader_charged_usd_total", { description: "USD booked for executed actions.", incremental: true })
/** Signed transactions by network and kind (`first`, `replacement`, `filler`). */
export const signatures = Metric.counter("vault_trader_signatures_total", { description: "Signed transactions.", incremental: true })
/** Seconds from signature to the block, by network. */
export const secondsToMine = Metric.histogram("vault_trader_seconds_to_mine", seconds, "Seconds from the first signature to the block.")
/** Signed submissions whose fate is open, by network. */
export const inFlight = Metric.gauge("vault_trader_in_flight", { description: "Signed submissions whose fate is open." })
/** Submissions whose fee cap is below what blocks take, by network. */
export const waitingForGas = Metric.counter("vault_trader_waiting_for_gas_total", { description: "Submissions that began to wait for fees to fall.", incremental: true })
/** Transactions a reorg took back, by network. */
export const reorged = Metric.counter("vault_trader_reorged_total", { description: "Mined transactions that a reorg removed.", incremental: true })
/** Nonces taken by a transaction that is not ours, by network. */
export const foreignNonces = Metric.counter("vault_trader_foreign_nonces_total", { description: "Nonces taken by somebody else's transaction.", incremental: true })
/** JSON-RPC calls by network, endpoint (host) and method. */
export const rpcCalls = Metric.counter("vault_trader_rpc_calls_total", { description: "JSON-RPC calls.", incremental: true })
/** HTTP requests to an endpoint that gave no answer, by network, endpoint (host) and reason. */
export const rpcErrors = Metric.counter("vault_trader_rpc_errors_total", { description: "RPC requests without an answer.", incremental: true })

/** Adds to a counter under labels. */
export const count = (
  metric: Metric.Metric.Counter<number>,
  labels: Readonly<Record<string, string>>,
  by = 1
): Effect.Effect<void> => Metric.incrementBy(Object.entries(labels).reduce((tagged, [key, value]) => Metric.tagged(tagged, key, value), metric), by)

/** Observes a duration in seconds under labels. */
export const observe = (
  metric: Metric.Metric.Histogram<number>,
  labels: Readonly<Record<string, string>>,
  value: number
): Effect.Effect<void> => Metric.update(Object.entries(labels).reduce((tagged, [key, label]) => Metric.tagged(tagged, key, label), metric), value)

/** Moves a gauge under labels up or down. */
export const shift = (
  metric: Metric.Metric.Gauge<number>,
  labels: Readonly<Record<string, string>>,
  by: number
): Effect.Effect<void> => Metric.incrementBy(Object.entries(labels).reduce((tagged, [key, value]) => Metric.tagged(tagged, key, value), metric), by)
