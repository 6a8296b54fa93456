/** The workers' client of a chain inside the process. */
import type { Changes } from "@vault-trader/testing/test-chain/TestNetworkConfig"
import type { TestChain } from "@vault-trader/testing/test-chain/TestChain"
import * as Effect from "effect/Effect"
import * as ChainClient from "../../src/chain/ChainClient.ts"
import * as JsonRpc from "../../src/chain/JsonRpc.ts"
import { RpcRefused, RpcUnavailable } from "../../src/chain/RpcFailure.ts"

export const clientOf = (chain: TestChain, changes: Changes = {}) =>
  ChainClient.make(
    chain.book(changes),
    JsonRpc.overEndpoints(chain.network, [{
      name: "test-chain",
      score: () => ({ latency: 50, errors: 0, head: 0n }),
      send: ({ method, params }) =>
        Effect.mapError(
          chain.request(method, params),
          (failure) => failure._tag === "RpcRefused" ? new RpcRefused(failure) : new RpcUnavailable(failure)
        )
    }])
  )
