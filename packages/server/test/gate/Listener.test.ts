import { assert, describe, it } from "@effect/vitest"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { HttpServer, serve } from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import * as Scope from "effect/Scope"
import { once } from "node:events"
import * as Http from "node:http"
import * as Net from "node:net"
import * as Listener from "../../src/gate/Listener.ts"

/** Starts a server behind this layer and returns how to close it. */
const startedWith = (gate: Layer.Layer<never, never, HttpServer>) =>
  Effect.gen(function*() {
    const scope = yield* Scope.make()
    const listener = Listener.layer(() => Http.createServer(), { host: "127.0.0.1", port: 0 })
    const context = yield* Layer.buildWithScope(Layer.provideMerge(gate, listener), scope)
    return { port: portOf(Context.get(context, HttpServer)), close: Scope.close(scope, Exit.void) }
  })

const started = startedWith(Layer.empty)

const portOf = ({ address }: HttpServer["Service"]) => NetAddress.isInetAddress(address) ? address.port : 0

/** A connection that has sent this text. */
const connection = (port: number, text: string) =>
  Effect.promise(async () => {
    const socket = Net.connect(port, "127.0.0.1")
    await once(socket, "connect")
    socket.on("error", () => undefined)
    socket.write(text)
    return socket
  })

describe("the listener", () => {
  it.live("answers 503 while there is no gate, and closes the connection", () =>
    Effect.gen(function*() {
      const { close, port } = yield* started
      const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/vaultTrade`))
      const { message, status } = yield* Effect.promise(() => response.json() as Promise<Record<string, string>>)
      assert.deepStrictEqual([response.status, response.headers.get("connection"), status], [503, "close", "fail"])
      assert.match(message ?? "", /did not read this request/)
      yield* close
    }))

  it.live("keeps a connection longer than a proxy does, announces that, and closes it on shutdown", () =>
    Effect.gen(function*() {
      const { close, port } = yield* startedWith(serve(Effect.succeed(HttpServerResponse.text("here"))))
      const socket = yield* connection(port, "GET / HTTP/1.1\r\nhost: a\r\n\r\n")
      const [answer] = yield* Effect.promise(() => once(socket, "data"))
      assert.match(String(answer), /^HTTP\/1\.1 200 [^]*\r\nkeep-alive: timeout=75\r\n/i)
      const gone = once(socket, "close")
      yield* close
      yield* Effect.promise(() => gone)
    }))

  it.live("survives a client that disconnects in the middle of a body whose reader has just stopped listening", () =>
    Effect.gen(function*() {
      const reading = yield* Deferred.make<void>()
      const left = yield* Deferred.make<void>()
      const app = Effect.gen(function*() {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (request.method === "GET") return HttpServerResponse.text("here")
        const incoming = NodeHttpServerRequest.toIncomingMessage(request)
        const onError = () => undefined
        // Node decides in the first tick after this to emit an error, because there is a listener, and emits it in the
        // second.
        const leave = () => {
          incoming.off("error", onError)
          Deferred.doneUnsafe(left, Effect.void)
        }
        incoming.on("error", onError).on("aborted", () => process.nextTick(() => process.nextTick(leave)))
        yield* Deferred.succeed(reading, undefined)
        yield* Deferred.await(left)
        return HttpServerResponse.empty()
      })
      const { close, port } = yield* startedWith(serve(app))
      const socket = yield* connection(port, "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf")
      yield* Deferred.await(reading)
      socket.resetAndDestroy()
      yield* Deferred.await(left)
      const response = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/`))
      assert.strictEqual(response.status, 200)
      yield* close
    }))

  it.live("closes although a client has sent half a request and then nothing", () =>
    Effect.gen(function*() {
      const { close, port } = yield* started
      const socket = yield* connection(port, "POST /vaultTrade HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nhalf")
      const [answer] = yield* Effect.promise(() => once(socket, "data"))
      assert.match(String(answer), /^HTTP\/1.1 503 /)
      const silent = yield* connection(port, "POST /vaultTrade HTTP/1.1\r\nhost: a\r\n")
      const gone = once(silent, "close")
      yield* close
      yield* Effect.promise(() => gone)
    }))
})
