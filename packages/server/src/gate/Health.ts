/** Health and version endpoints. */
import { Chain } from "@vault-trader/core/network/Chain"
import { type Network, parse } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import { Directory } from "./ServedNetworks.ts"
import * as HealthChecks from "./HealthChecks.ts"

/** `commit` is "unknown" if the build does not set it. */
export interface Version {
  readonly version: string
  readonly commit: string
}

/** Returns the network named by `?network=`, undefined if absent, or "unknown" if not served. */
const requiredOf = (url: string, networks: ReadonlyArray<Network>): Network | "unknown" | undefined => {
  const named = new URLSearchParams(url.split("?")[1] ?? "").get("network")
  if (named === null) return undefined
  return networks.find((network) => network === parse(named)) ?? "unknown"
}

/** Serves `/health/live` and `/health/ready`. `read` reads a network's state from a node. */
export const routes = <E, R>(
  networks: ReadonlyArray<Network>,
  read: (network: Network) => Effect.Effect<HealthChecks.NetworkState, E, R>
) =>
  HttpRouter.use((router) =>
    Effect.gen(function*() {
      const context = yield* Effect.context<R | SqlClient.SqlClient>()
      const check = yield* HealthChecks.make(networks, read)
      const ready = Effect.gen(function*() {
        const { url } = yield* HttpServerRequest.HttpServerRequest
        const required = requiredOf(url, networks)
        if (required === "unknown") {
          return HttpServerResponse.jsonUnsafe({
            status: "fail",
            message: `network: not served here; served: ${networks.join(", ")}`
          }, { status: 400 })
        }
        const found = yield* Effect.provide(check(required), context)
        return HttpServerResponse.jsonUnsafe(found, { status: found.status === "not ready" ? 503 : 200 })
      })
      yield* router.add("GET", "/health/live", Effect.succeed(HttpServerResponse.jsonUnsafe({ status: "live" })))
      yield* router.add("GET", "/health/ready", ready)
    })
  )

/** Serves the same for the gate, which reads networks through their actors, and `/version`. */
export const layer = (version: Version) =>
  Layer.unwrap(Effect.gen(function*() {
    const { networks } = yield* Directory
    const chains = yield* Chain.client
    const own = HttpRouter.use((router) =>
      router.add("GET", "/version", Effect.succeed(HttpServerResponse.jsonUnsafe({ ...version })))
    )
    const stateOf = (network: Network) =>
      Effect.matchEffect(chains(network).head(), {
        onSuccess: ({ disputed }) => Effect.succeed<HealthChecks.NetworkState>(disputed ? "disputed" : "ok"),
        onFailure: (failure) =>
          failure._tag === "ExecutionFailure" && failure.errorType === "market_not_available"
            ? Effect.succeed<HealthChecks.NetworkState>("no platform")
            : Effect.fail(failure)
      })
    return Layer.merge(own, routes(networks, stateOf))
  }))
