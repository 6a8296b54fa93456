import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { HttpServer, serve } from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import type * as Socket from "effect/socket/Socket"
import { once } from "node:events"
import * as Http from "node:http"
import * as Net from "node:net"
import * as Listener from "../../src/gate/Listener.ts"
import * as WebSockets from "../../src/gate/WebSockets.ts"

/** Starts a server that upgrades every request, after `before`, and runs `use` with the socket. */
const started = (
  use: (socket: Socket.Socket) => Effect.Effect<void, Socket.SocketError>,
  before: Effect.Effect<void> = Effect.void
) =>
  Effect.gen(function*() {
    const webSockets = yield* WebSockets.make(60)
    const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.andThen(before, webSockets.upgrade(request, use)).pipe(
        Effect.ignore,
        Effect.as(HttpServerResponse.empty())
      ))
    const context = yield* Layer.build(Layer.provideMerge(
      serve(app),
      Listener.layer(() =>
        Http.createServer(), { host: "127.0.0.1", port: 0 })
    ))
    const { address } = Context.get(context, HttpServer)
    return NetAddress.isInetAddress(address) ? address.port : 0
  })

/** Reads all messages until the client disconnects. */
const drained = (socket: Socket.Socket) =>
  Effect.scoped(Effect.flatMap(socket.reader, ({ pull }) => Effect.forever(pull)))

const handshake = "GET / HTTP/1.1\r\nhost: a\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: " +
  "13\r\nsec-websocket-key: BwcHBwcHBwcHBwcHBwcHBw==\r\n\r\n"

/** A connection that has requested an upgrade. */
const client = (port: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const socket = Net.connect(port, "127.0.0.1")
      socket.on("error", () => undefined)
      await once(socket, "connect")
      socket.write(handshake)
      return socket
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

describe("a WebSocket", () => {
  it.live("whose client reads nothing is closed, with limited data buffered for it", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<number>()
      const chunk = "x".repeat(64 * 1024)
      const port = yield* started((socket) => {
        let written = 0
        return Effect.scoped(Effect.flatMap(socket.writer, ({ write }) =>
          Effect.raceFirst(
            drained(socket),
            Effect.forever(Effect.andThen(
              Effect.suspend(() => {
                written += chunk.length
                return write(chunk)
              }),
              Effect.sleep("1 millis")
            ))
          ))).pipe(Effect.ensuring(Effect.suspend(() => Deferred.succeed(ended, written))))
      })
      const reader = yield* client(port)
      reader.pause()
      // The kernels buffer more data beyond our limit, a few megabytes in total.
      assert.isBelow(yield* Deferred.await(ended), 64 * 1024 * 1024)
    }))

  it.live("that is reset during its upgrade does no harm", () =>
    Effect.gen(function*() {
      const [looking, looked] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const port = yield* started(drained, Effect.andThen(Deferred.succeed(looking, undefined), Deferred.await(looked)))
      const reset = yield* client(port)
      yield* Deferred.await(looking)
      reset.resetAndDestroy()
      const next = yield* client(port)
      yield* Deferred.succeed(looked, undefined)
      const [answer] = yield* Effect.promise(() => once(next, "data"))
      assert.match(String(answer), /^HTTP\/1\.1 101 /)
    }))
})
