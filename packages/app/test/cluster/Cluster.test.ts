import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as Runners from "effect/cluster/Runners"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import { assert, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { once } from "node:events"
import * as Net from "node:net"
import * as Cluster from "../../src/Cluster.ts"

/** A runner that receives messages without answering, and can be killed. */
const mute = Effect.gen(function*() {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => Net.createServer().listen(0, "127.0.0.1")),
    (server) => Effect.sync(() => server.close())
  )
  const connected = once(server, "connection") as Promise<[Net.Socket]>
  yield* Effect.promise(() => once(server, "listening"))
  const spokenTo = Effect.promise(async () => {
    const [socket] = await connected
    await once(socket, "data")
    return socket
  })
  return { address: RunnerAddress.make("127.0.0.1", (server.address() as Net.AddressInfo).port), spokenTo }
})

/** Sends a message to a runner that has been killed before the sender noticed. */
const sentToTheDead = Effect.gen(function*() {
  const { address, spokenTo } = yield* mute
  const { send } = yield* (yield* Runners.RpcClientProtocol).make(address)
  yield* send(0, { _tag: "Ping" })
  const socket = yield* spokenTo
  // In one step: nothing is read from the connection before the message is written.
  return yield* Effect.flip(
    Effect.sandbox(Effect.andThen(Effect.sync(() => socket.resetAndDestroy()), send(0, { _tag: "Ping" })))
  )
})

const through = (connections: Layer.Layer<Runners.RpcClientProtocol, never, RpcSerialization.RpcSerialization>) =>
  Effect.scoped(Effect.provide(sentToTheDead, Layer.provide(connections, RpcSerialization.layerSchemaBinary())))

it.live("a message that could not be written to a runner fails as one of a connection that has ended, which the cluster sends again", () =>
  Effect.gen(function*() {
    const cause = yield* through(Cluster.connections)
    assert.deepStrictEqual(
      cause.reasons.filter(Cause.isFailReason).map(({ error }) => [error._tag, error.reason._tag]),
      [["RpcClientError", "SocketWriteError"]]
    )
    assert.isFalse(Cause.hasDies(cause))
  }))

it.live("with the library's own connections it is a defect, which a caller would get", () =>
  Effect.gen(function*() {
    const cause = yield* through(NodeClusterSocket.layerClientProtocol)
    assert.isFalse(Cause.hasFails(cause))
    assert.include(Cause.pretty(cause), "An error occurred during Write")
  }))
