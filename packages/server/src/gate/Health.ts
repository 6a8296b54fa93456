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

/** Serves `/health/live` and `/health/ready`. `head` reads the latest block of a network. */
export const routes = <E, R>(
  networks: ReadonlyArray<Network>,
  head: (network: Network) => Effect.Effect<unknown, E, R>
) =>
  HttpRouter.use((router) =>
    Effect.gen(function*() {
      const context = yield* Effect.context<R | SqlClient.SqlClient>()
      const check = yield* HealthChecks.make(networks, head)
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
    return Layer.merge(own, routes(networks, (network) => chains(network).head()))
  }))
