/** One process of a life: the real actors, on a database client, chain clients and a clock of its own. Death silences all at once. */
import * as TestRunner from "@effect/cluster/TestRunner"
import type { Sharding } from "@effect/cluster/Sharding"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkBook"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import type { Faults } from "@vault-trader/devnet/test-chain/Faults"
import * as ChainClient from "@vault-trader/workers/chain/ChainClient"
import { Chains } from "@vault-trader/workers/chain/Chains"
import type { JsonRpc } from "@vault-trader/workers/chain/JsonRpc"
import * as JsonRpcPool from "@vault-trader/workers/chain/JsonRpc"
import type { RpcEndpoint } from "@vault-trader/workers/chain/RpcEndpoint"
import { RpcRefused, RpcUnavailable } from "@vault-trader/workers/chain/RpcFailure"
import type { Kek } from "@vault-trader/workers/gas-wallet/Envelope"
import * as Workers from "@vault-trader/workers/Workers"
import type * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"

export const kek: Kek = { version: 1, key: Redacted.make("11".repeat(32)) }
/** No life asks for a key: a digest without the thread pool, whose time is not ours. */
export const Digest = Layer.succeed(ApiKeyDigest, { digest: () => Effect.succeed("00".repeat(32)) })

/** What can be asked of a process that stands. */
export type Runner = Context.Context<Sharding | SqlClient.SqlClient>

/** The pool's client over faulty nodes; a dead process's calls never come back. */
const rpcOver = (network: Network, nodes: ReadonlyArray<Faults>, dead: () => boolean): JsonRpc =>
  JsonRpcPool.over(network, nodes.map((node, index): RpcEndpoint => ({
    name: `node-${index}`,
    score: () => ({ latency: 50, errors: 0, head: 0n }),
    send: ({ method, params }) =>
      Effect.suspend(() => dead() ? Effect.never : node.request(method, params)).pipe(
        Effect.flatMap((result) => dead() ? Effect.never : Effect.succeed(result)),
        Effect.catchAll((failure) =>
          dead() ? Effect.never : Effect.fail(failure._tag === "RpcRefused" ? new RpcRefused(failure) : new RpcUnavailable(failure)))
      )
  })))

/** Starts a process. */
export const start = (options: {
  readonly books: ReadonlyMap<Network, { readonly book: NetworkBook; readonly nodes: ReadonlyArray<Faults> }>
  readonly sql: Layer.Layer<SqlClient.SqlClient>
  /** Once true, no statement, no call and no sleep of it ever comes back: as `kill -9` would, with nothing tidied up. */
  readonly dead: () => boolean
  readonly clock: Clock.Clock
}): Effect.Effect<Runner> =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    const clients = new Map<Network, ChainClient.ChainClient>()
    for (const [network, { book, nodes }] of options.books) {
      clients.set(network, yield* Scope.extend(ChainClient.make(book, rpcOver(network, nodes, options.dead)), scope))
    }
    const actors = Workers.layer({ kek }).pipe(
      Layer.provide([Chains.layerOf(clients), Digest]),
      Layer.provideMerge(TestRunner.layer),
      Layer.provideMerge(options.sql)
    )
    return yield* Layer.buildWithScope(actors, scope)
  }).pipe(Effect.withClock(options.clock))
