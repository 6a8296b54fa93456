/** Cluster layers: a single runner in this process, or any number of runners and servers on one PostgreSQL. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { runnersPrefix } from "@vault-trader/core/storage/ClusterTables"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SocketRunner from "effect/cluster/SocketRunner"
import * as SqlMessageStorage from "effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "effect/cluster/SqlRunnerStorage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RpcClient from "effect/rpc/RpcClient"
import { RpcClientError } from "effect/rpc/RpcClientError"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as Socket from "effect/socket/Socket"
import * as OldRunners from "./OldRunners.ts"
import * as RunnerListener from "./RunnerListener.ts"
import * as RunnerSecurity from "./RunnerSecurity.ts"
import type { Settings } from "./Settings.ts"
import * as ShardLocks from "./ShardLocks.ts"

/**
 * Few shards and short locks, as measured: the actors of a crashed runner are available again within seconds. Equal on
 * all runners. A runner that stops or gives shards away finishes only requests that end within a moment. An actor that
 * waits for the chain would hold its shards until then, so it is interrupted, and the next owner continues from its
 * rows.
 */
const shardingConfig = {
  shardsPerGroup: 32,
  shardLockExpiration: "6 seconds",
  shardLockRefreshInterval: "2 seconds",
  entityMessagePollInterval: "1 second",
  refreshAssignmentsInterval: "1 second",
  runnerHealthCheckInterval: "3 seconds",
  entityTerminationTimeout: "250 millis",
  // Every gas wallet, vault and bot is an actor: their number depends on the service's use and needs no limit here.
  maxResidentEntities: "unbounded"
} as const

const messages = Layer.provide(SqlMessageStorage.layer, NodeCrypto.layerDigest)

/** The session that holds a runner's shard locks ends when it has been idle for as long as a lock lasts. */
const runners = Layer.orDie(SqlRunnerStorage.layerWith({ prefix: runnersPrefix }))

/** A cluster of one process. Messages between its actors are passed without serialization. */
export const Alone = Sharding.layer.pipe(
  Layer.provideMerge(Runners.layerNoop),
  Layer.provideMerge(messages),
  Layer.provide([runners, RunnerHealth.layerNoop]),
  Layer.provide(ShardingConfig.layerFromEnv({ ...shardingConfig, simulateRemoteSerialization: false })),
  Layer.provide(OldRunners.refused)
)

/**
 * Turns a broken connection into a retryable failure. The library makes it a defect when a connection breaks while a
 * message is written, and the cluster passes the defect to the caller: a request to a runner that is just crashing
 * would be answered with 500. Here it fails like a closed connection, so the cluster sends the request again, to the
 * runner that has the actor by then.
 */
const failOnBrokenConnection = (protocol: RpcClient.Protocol["Service"]): RpcClient.Protocol["Service"] => ({
  ...protocol,
  send: (clientId, request, transferables) =>
    Effect.catchDefect(
      protocol.send(clientId, request, transferables),
      (defect) =>
        Socket.isSocketError(defect) ? Effect.fail(new RpcClientError({ reason: defect.reason })) : Effect.die(defect)
    )
})

/** Returns true if the runner answered, but its handshake failed: not for failures of the network. */
const isHandshakeFailure = ({ reason }: Socket.SocketError): boolean => {
  const cause: unknown = reason._tag === "SocketOpenError" ? reason.cause : undefined
  return cause instanceof Error && "code" in cause && !("syscall" in cause)
}

/** Logs, once per runner, that this process and the runner do not have the same secret. */
const warnOnMismatch = (socket: Socket.Socket, { host, port }: RunnerAddress.RunnerAddress, settings: string) => {
  let warned = false
  const warn = (error: Socket.SocketError) =>
    Effect.suspend(() => {
      if (warned || !isHandshakeFailure(error)) return Effect.void
      warned = true
      return Effect.logWarning(
        `The runner at ${host}:${port} cannot be used: it or this process has another value of ${settings}. ` +
          "Requests to its actors fail until both have the same."
      )
    })
  return Socket.make({ reader: Effect.tapError(socket.reader, warn), writer: socket.writer })
}

/** How long a connection to a runner may take to open, with its handshake. */
const openTimeout = "2 seconds"

/**
 * Connections to runners. A runner that sent nothing for as long as a shard lock lasts has lost its shards: the
 * requests in flight to it fail, and the cluster sends them again, to the runners that have the actors by then. The
 * library's own connections wait twice as long, and prove nothing to either end.
 */
export const connections: Layer.Layer<
  Runners.RpcClientProtocol,
  never,
  RpcSerialization.RpcSerialization | RunnerSecurity.RunnerSecurity
> = Layer.effect(
  Runners.RpcClientProtocol,
  Effect.gen(function*() {
    const serialization = yield* RpcSerialization.RpcSerialization
    const { client, settings } = yield* RunnerSecurity.RunnerSecurity
    return {
      codecFor: serialization.codecFor,
      make: Effect.fnUntraced(function*(address: RunnerAddress.RunnerAddress) {
        const { host, port } = address
        const socket = yield* NodeSocket.makeTls({ ...client, host, port, openTimeout })
        const protocol = yield* RpcClient.makeProtocolSocket({
          pingInterval: shardingConfig.shardLockRefreshInterval,
          pingTimeout: shardingConfig.shardLockExpiration
        }).pipe(
          Effect.provideService(Socket.Socket, warnOnMismatch(socket, address, settings)),
          Effect.provideService(RpcSerialization.RpcSerialization, serialization)
        )
        return failOnBrokenConnection(protocol)
      }, Effect.orDie)
    }
  })
)

/**
 * The layers of `NodeClusterSocket.layer` for runners and clients with SQL storage, with our own connections and table
 * names.
 */
const socketCluster = (runnerAddress: Option.Option<RunnerAddress.RunnerAddress>) =>
  connections.pipe(
    Layer.provideMerge(RpcSerialization.layerSchemaBinary()),
    Layer.provideMerge(messages),
    Layer.provideMerge(runners),
    Layer.provideMerge(ShardingConfig.layerFromEnv({ ...shardingConfig, runnerAddress })),
    Layer.provide(OldRunners.refused)
  )

/** A runner among others, reachable at RUNNER_HOST:RUNNER_PORT by processes with the same secret. */
export const Runner = (settings: Settings) => {
  const { runnerHost: host, runnerPort: port } = settings.workers
  return SocketRunner.layer.pipe(
    Layer.provide([RunnerListener.layer({ host, port }), Layer.provide(RunnerHealth.layerPing, Runners.layerRpc)]),
    Layer.provide(socketCluster(Option.some(RunnerAddress.make(host, port)))),
    Layer.provide(RunnerSecurity.layer(settings, host)),
    Layer.merge(ShardLocks.watch(shardingConfig.shardLockExpiration))
  )
}

/** Hosts no actors; sends requests to the runners. */
export const Client = (settings: Settings) =>
  Layer.provide(SocketRunner.layerClientOnly, socketCluster(Option.none())).pipe(
    Layer.provide(RunnerSecurity.layer(settings))
  )
