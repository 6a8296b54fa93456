/** How actors find their messages: one runner in this process, or any number of runners and servers on one PostgreSQL. */
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as Runners from "@effect/cluster/Runners"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as SingleRunner from "@effect/cluster/SingleRunner"
import * as SocketRunner from "@effect/cluster/SocketRunner"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as Socket from "@effect/platform/Socket"
import type * as RpcClient from "@effect/rpc/RpcClient"
import { RpcClientError } from "@effect/rpc/RpcClientError"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Settings } from "./Settings.ts"

/**
 * Few shards and short locks, as measured: a dead runner's actors live again within seconds. Equal on all runners. One that is asked to end,
 * or gives shards away, answers what takes no longer than a moment; an actor that waits for the chain would hold its shards until then, so it
 * ends where it stands, and the next owner goes on from its rows.
 */
const tuned = {
  shardsPerGroup: 32,
  shardLockExpiration: "6 seconds",
  shardLockRefreshInterval: "2 seconds",
  entityMessagePollInterval: "1 second",
  refreshAssignmentsInterval: "1 second",
  runnerHealthCheckInterval: "3 seconds",
  entityTerminationTimeout: "250 millis"
} as const

/** One process is all there is. Messages between its actors are handed over as they are. */
export const Alone = SingleRunner.layer({ runnerStorage: "sql", shardingConfig: { ...tuned, simulateRemoteSerialization: false } })

const notWritten = (defect: unknown) =>
  Socket.isSocketError(defect)
    ? Option.some(Effect.fail(new RpcClientError({ reason: "Protocol", message: "the connection ended before the message was written", cause: defect })))
    : Option.none()

/**
 * How runners are reached. @effect/rpc makes a defect of a connection that breaks while a message is written, and the cluster hands it to the
 * caller: a request to a runner in the moment of its death would be answered with 500. Here it fails as one whose connection has ended before,
 * which the cluster sends again, to whoever has the actor then.
 */
export const connections: Layer.Layer<Runners.RpcClientProtocol, never, RpcSerialization.RpcSerialization> = Layer.effect(
  Runners.RpcClientProtocol,
  Effect.map(Runners.RpcClientProtocol, (connect) => (address) =>
    Effect.map(connect(address), (protocol): RpcClient.Protocol["Type"] => ({
      ...protocol,
      send: (message, transferables) => Effect.catchSomeDefect(protocol.send(message, transferables), notWritten)
    })))
).pipe(Layer.provide(NodeClusterSocket.layerClientProtocol))

/** What `NodeClusterSocket.layer` provides to runners and clients with SQL storage, but for the connections. */
const shared = (runnerAddress: Option.Option<RunnerAddress.RunnerAddress>) =>
  connections.pipe(
    Layer.provideMerge(RpcSerialization.layerMsgPack),
    Layer.provideMerge(Layer.orDie(SqlMessageStorage.layer)),
    Layer.provideMerge(Layer.orDie(SqlRunnerStorage.layer)),
    Layer.provideMerge(ShardingConfig.layerFromEnv({ ...tuned, runnerAddress }))
  )

/** A runner among others, reachable at RUNNER_HOST:RUNNER_PORT. */
export const Runner = (settings: Settings) =>
  SocketRunner.layer.pipe(
    Layer.provide([NodeClusterSocket.layerSocketServer, Layer.provide(RunnerHealth.layerPing, Runners.layerRpc)]),
    Layer.provide(shared(Option.some(RunnerAddress.make(settings.workers.runnerHost, settings.workers.runnerPort))))
  )

/** Hosts nothing, talks to whatever runners there are. */
export const Client = Layer.provide(SocketRunner.layerClientOnly, shared(Option.none()))
