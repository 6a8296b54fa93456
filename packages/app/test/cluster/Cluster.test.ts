import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as Runners from "effect/cluster/Runners"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import { assert, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { once } from "node:events"
import * as Net from "node:net"
import * as Tls from "node:tls"
import * as Cluster from "../../src/Cluster.ts"
import * as RunnerSecurity from "../../src/RunnerSecurity.ts"

const security = RunnerSecurity.withSecret(Redacted.make("a".repeat(64)))

/** A runner that receives messages without answering, and can be killed. */
const mute = (runner: { readonly server: () => Net.Server; readonly connected: string }) =>
  Effect.gen(function*() {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => runner.server().listen(0, "127.0.0.1")),
      (server) => Effect.sync(() => server.close())
    )
    const accepted = once(server, "connection") as Promise<[Net.Socket]>
    const connected = once(server, runner.connected) as Promise<[Net.Socket]>
    yield* Effect.promise(() => once(server, "listening"))
    const spokenTo = Effect.promise(async () => {
      const [[raw], [socket]] = await Promise.all([accepted, connected])
      socket.on("error", () => undefined)
      await once(socket, "data")
      return raw
    })
    return { address: RunnerAddress.make("127.0.0.1", (server.address() as Net.AddressInfo).port), spokenTo }
  })

/** Sends a message to a runner that has been killed before the sender noticed. */
const sentToTheDead = (runner: Parameters<typeof mute>[0]) =>
  Effect.gen(function*() {
    const { address, spokenTo } = yield* mute(runner)
    const { send } = yield* (yield* Runners.RpcClientProtocol).make(address)
    yield* send(0, { _tag: "Ping" })
    const socket = yield* spokenTo
    // In one step: nothing is read from the connection before the message is written.
    return yield* Effect.flip(
      Effect.sandbox(Effect.andThen(Effect.sync(() => socket.resetAndDestroy()), send(0, { _tag: "Ping" })))
    )
  })

const through = (
  connections: Layer.Layer<Runners.RpcClientProtocol, never, RpcSerialization.RpcSerialization>,
  runner: Parameters<typeof mute>[0]
) =>
  Effect.scoped(Effect.provide(sentToTheDead(runner), Layer.provide(connections, RpcSerialization.layerSchemaBinary())))

it.live("a message that could not be written to a runner fails as one of a connection that has ended, which the cluster sends again", () =>
  Effect.gen(function*() {
    const cause = yield* through(
      Layer.provide(Cluster.connections, Layer.succeed(RunnerSecurity.RunnerSecurity, security)),
      { server: () => Tls.createServer(security.server), connected: "secureConnection" }
    )
    assert.deepStrictEqual(
      cause.reasons.filter(Cause.isFailReason).map(({ error }) => [error._tag, error.reason._tag]),
      [["RpcClientError", "SocketWriteError"]]
    )
    assert.isFalse(Cause.hasDies(cause))
  }))

it.live("with the library's own connections it is a defect, which a caller would get", () =>
  Effect.gen(function*() {
    const cause = yield* through(NodeClusterSocket.layerClientProtocol, {
      server: () => Net.createServer(),
      connected: "connection"
    })
    assert.isFalse(Cause.hasFails(cause))
    assert.include(Cause.pretty(cause), "An error occurred during Write")
  }))
