/** The workers' client of a chain inside the process. */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Changes } from "@vault-trader/testing/test-chain/TestNetworkConfig"
import type { Request } from "@vault-trader/testing/test-chain/Rpc"
import type { TestChain } from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as ChainClient from "../../src/chain/ChainClient.ts"
import * as JsonRpc from "../../src/chain/JsonRpc.ts"
import type { RpcEndpoint } from "../../src/chain/RpcEndpoint.ts"
import { RpcRefused, RpcUnavailable } from "../../src/chain/RpcFailure.ts"

/** An endpoint that answers by a function, ranked by its latency. */
export const endpointOf = (name: string, request: Request, latency = 50): RpcEndpoint => ({
  name,
  score: () => ({ latency, errors: 0, head: 0n }),
  send: ({ method, params }) =>
    Effect.mapError(
      request(method, params),
      (failure) => failure._tag === "RpcRefused" ? new RpcRefused(failure) : new RpcUnavailable(failure)
    )
})

/** The client of a chain over these endpoints. */
export const clientOver = (chain: TestChain, endpoints: ReadonlyArray<RpcEndpoint>, changes: Changes = {}) =>
  ChainClient.make(chain.book(changes), JsonRpc.overEndpoints(chain.network, endpoints))

/** The client of a network over endpoints that answer by these functions. The first one is the first to be asked. */
export const clientOfBook = (book: NetworkBook, requests: ReadonlyArray<Request>) =>
  ChainClient.make(
    book,
    JsonRpc.overEndpoints(
      book.network,
      requests.map((request, index) => endpointOf(`rpc${index}.invalid`, request, 50 + index))
    )
  )

/** The same for a chain. */
export const clientOverRequests = (chain: TestChain, requests: ReadonlyArray<Request>, changes: Changes = {}) =>
  clientOfBook(chain.book(changes), requests)

export const clientOf = (chain: TestChain, changes: Changes = {}) =>
  clientOver(chain, [endpointOf("test-chain", chain.request)], changes)
