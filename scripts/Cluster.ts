/** How actors find their messages: one runner in this process, or any number of runners and servers on one PostgreSQL. */
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as SingleRunner from "effect/cluster/SingleRunner"
import * as SocketRunner from "effect/cluster/SocketRunner"
import * as SqlMessageStorage from "effect/cluster/SqlMessageStorage"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as Socket from "effect/socket/Socket"
import type * as RpcClient from "effect/rpc/RpcClient"
import { RpcClientError } from "effect/rpc/RpcClientError"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Settings } from "./Settings.ts"
import * as ShardLocks from "./ShardLocks.ts"

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

const silent = new RpcClientError({ reason: "Protocol", message: "the runner does not answer", cause: undefined })

/** Pings without any response after which a runner has lost its shards. */
const maxUnanswered = Duration.toMillis(tuned.shardLockExpiration) / Duration.toMillis(tuned.shardLockRefreshInterval)

/**
 * Fails the requests in flight to a runner from which nothing was received for as long as a shard lock lasts: its shards belong to others by
 * then, to which the cluster sends them again. The library's own ping takes up to 20 seconds. Counts pings instead of time, because this process
 * may be the one that stood still.
 */
const withSilenceDetected = (protocol: RpcClient.Protocol["Service"]): Effect.Effect<RpcClient.Protocol["Service"], never, Scope.Scope> =>
  Effect.gen(function*() {
    let unanswered = 0
    let deliver: Parameters<RpcClient.Protocol["Service"]["run"]>[0] = () => Effect.void
    const turn = Effect.suspend(() => {
      if (unanswered >= maxUnanswered) return deliver({ _tag: "ClientProtocolError", error: silent })
      unanswered++
      // A connection that is not open yet, or takes no more, must not hold up the count.
      return Effect.ignore(Effect.timeout(protocol.send({ _tag: "Ping" }), "1 second"))
    })
    yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.catchCause(turn, () => Effect.void), tuned.shardLockRefreshInterval)))
    return {
      ...protocol,
      run: (receive) => {
        deliver = receive
        return protocol.run((response) => {
          if (response._tag !== "ClientProtocolError") unanswered = 0
          return receive(response)
        })
      }
    }
  })

/**
 * How runners are reached. @effect/rpc makes a defect of a connection that breaks while a message is written, and the cluster hands it to the
 * caller: a request to a runner in the moment of its death would be answered with 500. Here it fails as one whose connection has ended before,
 * which the cluster sends again, to whoever has the actor then.
 */
export const connections: Layer.Layer<Runners.RpcClientProtocol, never, RpcSerialization.RpcSerialization> = Layer.effect(
  Runners.RpcClientProtocol,
  Effect.map(Runners.RpcClientProtocol, (connect) => (address) =>
    Effect.flatMap(connect(address), (protocol) =>
      withSilenceDetected({
        ...protocol,
        send: (message, transferables) => Effect.catchSomeDefect(protocol.send(message, transferables), notWritten)
      })))
).pipe(Layer.provide(NodeClusterSocket.layerClientProtocol))

/** What `NodeClusterSocket.layer` provides to runners and clients with SQL storage, but for the connections. */
const shared = (runnerAddress: Option.Option<RunnerAddress.RunnerAddress>) =>
  connections.pipe(
    Layer.provideMerge(RpcSerialization.layerSchemaBinary()),
    Layer.provideMerge(Layer.orDie(SqlMessageStorage.layer)),
    Layer.provideMerge(Layer.orDie(ShardLocks.layer(tuned.shardLockExpiration))),
    Layer.provideMerge(ShardingConfig.layerFromEnv({ ...tuned, runnerAddress }))
  )

/** A runner among others, reachable at RUNNER_HOST:RUNNER_PORT. */
export const Runner = (settings: Settings) =>
  SocketRunner.layer.pipe(
    Layer.provide([NodeClusterSocket.layerSocketServer, Layer.provide(RunnerHealth.layerPing, Runners.layerRpc)]),
    Layer.provide(shared(Option.some(RunnerAddress.make(settings.workers.runnerHost, settings.workers.runnerPort)))),
    Layer.merge(ShardLocks.watch(tuned.shardLockExpiration))
  )

/** Hosts nothing, talks to whatever runners there are. */
export const Client = Layer.provide(SocketRunner.layerClientOnly, shared(Option.none()))
