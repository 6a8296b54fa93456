/**
 * The configured networks, each with its client. A node on the wrong chain is detected at start, not at the first
 * trade.
 */
import { facts, type Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as ChainClient from "./ChainClient.ts"
import * as ChainIdGuard from "./ChainIdGuard.ts"
import * as JsonRpc from "./JsonRpc.ts"
import * as RpcEndpoint from "./RpcEndpoint.ts"

/** An endpoint serves a chain other than its network's: everything signed for it would be wrong. */
export class WrongChain extends Schema.TaggedError<WrongChain>()("WrongChain", {
  message: Schema.String
}) {}

export class Chains extends Context.Service<Chains, {
  readonly networks: ReadonlyArray<Network>
  /** Returns the network's client; fails with 1000 when the network is not configured. */
  readonly get: (network: Network) => Effect.Effect<ChainClient.ChainClient, ValidationFailure>
}>()("vault-trader/workers/chain/Chains") {
  /** `timeoutMillis`: hard limit of one JSON-RPC request. */
  static readonly layer = (
    books: ReadonlyArray<NetworkBook>,
    timeoutMillis = 10_000
  ): Layer.Layer<Chains, WrongChain, HttpClient.HttpClient> =>
    Layer.effect(
      Chains,
      Effect.gen(function*() {
        const clients = new Map<Network, ChainClient.ChainClient>()
        yield* Effect.forEach(books, (book) =>
          Effect.gen(function*() {
            const endpoints = yield* Effect.forEach(
              book.rpcUrls,
              (url) => RpcEndpoint.make({ network: book.network, url, timeout: timeoutMillis })
            )
            // Guarded after this check, too: an endpoint may serve another chain when it comes back.
            const guarded = yield* Effect.forEach(
              endpoints,
              (endpoint) => Effect.map(verify(book, endpoint), (readAt) => ChainIdGuard.make(book, endpoint, readAt)),
              { concurrency: "unbounded" }
            )
            // Unguarded: many of them answer no read, and bytes are signed for one chain only.
            const privateEndpoints = yield* Effect.forEach(
              book.privateRpcUrls,
              (url) => RpcEndpoint.make({ network: book.network, url, timeout: timeoutMillis })
            )
            // At zero from the start: an alert cannot notice the first increment of a missing series.
            yield* Effect.forEach(
              endpoints,
              ({ name }) => Metrics.count(Metrics.rpcContradictions, { network: book.network, endpoint: name }, 0),
              { discard: true }
            )
            const rpc = JsonRpc.overEndpoints(book.network, guarded, privateEndpoints)
            clients.set(book.network, yield* ChainClient.make(book, rpc))
          }), { concurrency: "unbounded", discard: true })
        return of(clients)
      })
    )

  /** Builds the service over existing clients. */
  static readonly layerOf = (clients: ReadonlyMap<Network, ChainClient.ChainClient>): Layer.Layer<Chains> =>
    Layer.succeed(Chains, of(clients))
}

const of = (clients: ReadonlyMap<Network, ChainClient.ChainClient>): Chains["Service"] => ({
  networks: [...clients.keys()],
  get: (network) => {
    const client = clients.get(network)
    return client === undefined
      ? new ValidationFailure({
        code: "1000",
        message: `network: '${network}' is not configured on this service; configured: ${
          [...clients.keys()].join(", ")
        }`
      })
      : Effect.succeed(client)
  }
})

/**
 * Fails when an endpoint serves another chain. Returns the time at which the right id was read, clock milliseconds;
 * `undefined` for an endpoint that cannot be reached, which is verified when it comes back.
 */
const verify = (book: NetworkBook, endpoint: RpcEndpoint.RpcEndpoint): Effect.Effect<number | undefined, WrongChain> =>
  endpoint.send({ method: "eth_chainId", params: [] }).pipe(
    Effect.flatMap((answer) =>
      Number(answer) === book.chainId && book.chainId === facts[book.network].chainId
        ? Clock.currentTimeMillis
        : new WrongChain({
          message: `The RPC endpoint ${endpoint.name} of ${book.network} serves chain ${
            Number(answer)
          }, but ${book.network} is chain ${facts[book.network].chainId}.`
        })
    ),
    Effect.catchTags({
      RpcUnavailable: ({ reason }) =>
        Effect.logWarning(`The RPC endpoint ${endpoint.name} of ${book.network} does not answer yet: ${reason}.`).pipe(
          Effect.as(undefined)
        ),
      RpcRefused: () =>
        Effect.logWarning(`The RPC endpoint ${endpoint.name} of ${book.network} does not return its chain id.`).pipe(
          Effect.as(undefined)
        )
    })
  )
