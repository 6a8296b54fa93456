/** Counts the responses of an endpoint and their durations in metrics. */
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Context from "effect/Context"
import * as Metric from "effect/Metric"

/** Prepares the count of an endpoint: the series of each status is looked up once. Durations are in milliseconds. */
export const make = (endpoint: string): (status: number, millis: number) => void => {
  const seconds = Metric.withAttributes(Metrics.httpSeconds, { endpoint })
  const requests = new Map<number, Metric.Metric<number, unknown>>()
  const context = Context.empty()
  return (status, millis) => {
    const series = requests.get(status) ??
      Metric.withAttributes(Metrics.httpRequests, { endpoint, status: String(status) })
    requests.set(status, series)
    series.updateUnsafe(1, context)
    seconds.updateUnsafe(millis / 1000, context)
  }
}
