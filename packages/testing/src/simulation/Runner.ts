/** One runner of a run: the real actors, with their own database client, chain clients and clock. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import type { Request } from "../test-chain/Rpc.ts"
import * as ChainClient from "@vault-trader/workers/chain/ChainClient"
import * as ChainIdGuard from "@vault-trader/workers/chain/ChainIdGuard"
import { Chains } from "@vault-trader/workers/chain/Chains"
import * as JsonRpc from "@vault-trader/workers/chain/JsonRpc"
import type { RpcEndpoint } from "@vault-trader/workers/chain/RpcEndpoint"
import { RpcRefused, RpcUnavailable } from "@vault-trader/workers/chain/RpcFailure"
import type { Kek } from "@vault-trader/workers/gas-wallet/Envelope"
import { type Access, ExchangeAccess } from "@vault-trader/workers/ccxt/Ccxt"
import { SigningRecord } from "@vault-trader/workers/gas-wallet/SigningRecord"
import * as SubmissionMac from "@vault-trader/workers/gas-wallet/SubmissionMac"
import { SettlementPolicy } from "@vault-trader/workers/billing/Settlements"
import { ExchangeInterval } from "@vault-trader/workers/exchange/AccountScheduler"
import * as Workers from "@vault-trader/workers/Workers"
import * as Clock from "effect/Clock"
import { PersistenceError } from "effect/cluster/ClusterError"
import * as MachineId from "effect/cluster/MachineId"
import * as MessageStorage from "effect/cluster/MessageStorage"
import type * as ClusterRunner from "effect/cluster/Runner"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import { RunnerStorage } from "effect/cluster/RunnerStorage"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import type { Process } from "./Process.ts"

export const kek: Kek = { version: 1, key: Redacted.make("11".repeat(32)) }
/** Under it the rows of every run get their MACs. */
const plannerKey = Redacted.make("22".repeat(32))
/** No run authenticates an API key: a constant digest avoids the thread pool, whose timing is not deterministic. */
const constantDigest = ApiKeyDigest.of({ digest: () => Effect.succeed("00".repeat(32)) })

/** The services of a running process that others call. */
export type Services = Context.Context<Sharding.Sharding | SqlClient.SqlClient>

/**
 * Locks as in production. Other parts of the cluster are hardly used: no actor is sent a message that outlives its
 * runner.
 */
const shardingConfig = {
  shardsPerGroup: 8,
  shardLockExpiration: "6 seconds",
  shardLockRefreshInterval: "2 seconds",
  entityMessagePollInterval: "5 seconds",
  refreshAssignmentsInterval: "10 seconds",
  simulateRemoteSerialization: false
} as const

/**
 * Simulates the cluster's locks for one process: refused while `locksFail`, lost once another process has taken over.
 */
const locks = (process: Process, locksFail: () => boolean) =>
  Effect.sync(() => {
    let known: ClusterRunner.Runner | undefined
    const grant = <A>(ids: Iterable<A>) =>
      Effect.suspend(() =>
        locksFail()
          ? new PersistenceError({ cause: new Error("the locks cannot be refreshed") })
          : Effect.succeed(process.owns() ? Array.from(ids) : [])
      )
    return RunnerStorage.of({
      getRunners: Effect.sync(() => known === undefined ? [] : [[known, true] as const]),
      register: (runner) =>
        Effect.sync(() => {
          known = runner
          return MachineId.make(0)
        }),
      unregister: () => Effect.void,
      setRunnerHealth: () => Effect.void,
      acquire: (_, ids) => grant(ids),
      refresh: (_, ids) => grant(ids),
      release: () => Effect.void,
      releaseAll: () => Effect.void
    })
  })

const cluster = (process: Process, locksFail: () => boolean) =>
  Sharding.layer.pipe(
    Layer.provideMerge(Runners.layerNoop),
    Layer.provide([
      MessageStorage.layerNoop,
      Layer.effect(RunnerStorage, locks(process, locksFail)),
      RunnerHealth.layerNoop
    ]),
    Layer.provide(ShardingConfig.layer(shardingConfig))
  )

/** Builds the pool's client over the nodes as this process reaches them, each guarded as in production. */
const rpcOver = (book: NetworkBook, nodes: ReadonlyArray<Request>): JsonRpc.JsonRpc =>
  JsonRpc.overEndpoints(
    book.network,
    nodes.map((node, index): RpcEndpoint => ({
      name: `node-${index}`,
      score: () => ({ latency: 50, errors: 0, head: 0n }),
      send: ({ method, params }) =>
        Effect.mapError(
          node(method, params),
          (failure) => failure._tag === "RpcRefused" ? new RpcRefused(failure) : new RpcUnavailable(failure)
        )
    })).map((endpoint) => ChainIdGuard.make(book, endpoint))
  )

/** Starts a process. */
export const start = (options: {
  readonly process: Process
  readonly books: ReadonlyMap<Network, { readonly book: NetworkBook; readonly nodes: ReadonlyArray<Request> }>
  readonly sql: Layer.Layer<SqlClient.SqlClient>
  readonly clock: Clock.Clock
  readonly locksFail: () => boolean
  /** Receives the payments for charges; some runs have none. */
  readonly treasury: Address | undefined
  /** Access to exchanges and the seconds between polls; absent in runs on a chain. */
  readonly exchanges?: { readonly access: Access; readonly seconds: number }
  /** The signing record of the process's machine. */
  readonly record: Effect.Effect<SigningRecord["Service"]>
  /** Digest of API keys; by default the same one for every key. */
  readonly digest?: ApiKeyDigest["Service"]
}): Effect.Effect<Services> =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    const clients = new Map<Network, ChainClient.ChainClient>()
    for (const [network, { book, nodes }] of options.books) {
      clients.set(network, yield* Scope.provide(ChainClient.make(book, rpcOver(book, nodes)), scope))
    }
    const treasuries = new Map(
      options.treasury === undefined
        ? []
        : [...options.books.keys()].map((network) => [network, options.treasury!] as const)
    )
    const exchanges = options.exchanges === undefined
      ? Layer.empty
      : Layer.merge(
        Layer.succeed(ExchangeAccess, options.exchanges.access),
        Layer.succeed(ExchangeInterval, options.exchanges.seconds)
      )
    const settlements = Layer.succeed(SettlementPolicy, { treasuries, aboveUsd: 0 })
    const actors = Workers.layer(kek).pipe(
      Layer.provide([
        Chains.layerOf(clients),
        Layer.succeed(ApiKeyDigest, options.digest ?? constantDigest),
        Layer.succeed(SigningRecord, yield* options.record),
        SubmissionMac.layer(plannerKey),
        settlements,
        exchanges
      ]),
      Layer.provideMerge(cluster(options.process, options.locksFail)),
      Layer.provideMerge(options.sql)
    )
    return yield* Layer.buildWithScope(actors, scope)
  }).pipe(Effect.provideService(Clock.Clock, options.clock))
