/**
 * Node's HTTP server with a longer keep-alive timeout than its clients' and an orderly shutdown. After the gate has
 * stopped answering, a request may still arrive on a connection that was kept alive. Without an answer to it, the
 * server would wait for it forever.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type * as Http from "node:http"
import type { ListenOptions } from "node:net"
import type { Duplex } from "node:stream"
import { DirectListener } from "./DirectListener.ts"
import * as WebSockets from "./WebSockets.ts"

/**
 * Keep-alive timeout in milliseconds. It is longer than that of proxies and load balancers (usually a minute), so that
 * they close the connection. With Node's five seconds, a request is occasionally sent on a connection that is being
 * closed, and its caller cannot know the outcome.
 */
const keepAliveTimeout = 75_000

/**
 * How long responses may still be sent once the server is closing; `GracefulShutdown` has already waited for requests
 * in progress.
 */
const closeGrace = "1 second"

const body = JSON.stringify({
  status: "fail",
  message: "The service is starting or shutting down and did not read this request. Repeat it in a moment; repeat a " +
    "write with the same idempotency key."
})

/**
 * Answers while there is no gate, and keeps a listener for errors on every request. Node emits one when a client
 * disconnects in the middle of its body; the reader of the body may have stopped listening by then, and an error
 * without a listener ends the process.
 */
const answerUnserved = (server: Http.Server) =>
  server.on("request", (request: Http.IncomingMessage, response: Http.ServerResponse) => {
    request.on("error", () => undefined)
    if (server.listenerCount("request") > 1) return
    response.writeHead(503, { "content-type": "application/json", connection: "close" }).end(body)
  })

/** Ends upgrades that arrive while no gate answers, and protects the process from errors of waiting ones. */
const guardUpgrades = (server: Http.Server) =>
  server.on("upgrade", (request: Http.IncomingMessage, connection: Duplex, head: Buffer) => {
    WebSockets.arrived(request, connection, head)
    if (server.listenerCount("upgrade") === 1) connection.destroy()
  })

/** The platform's upgrade is never used: `WebSockets` upgrades connections with limits. */
const noUpgrades = Effect.die(new Error("a WebSocket without limits was requested"))

/**
 * The platform's server with a different shutdown: it accepts no more requests, requests in progress continue until
 * their connection is closed, and WebSockets are closed immediately. The platform's own would keep accepting requests
 * and then interrupt those in progress.
 */
const listening = (server: Http.Server, options: ListenOptions) =>
  Effect.gen(function*() {
    const inProgress = yield* Effect.acquireRelease(Scope.make("parallel"), Scope.close)
    const { address } = yield* NodeHttpServer.make(() => server, { ...options, disablePreemptiveShutdown: true })
    const direct = yield* DirectListener
    return HttpServer.make({
      address,
      serve: (app, middleware) =>
        Effect.gen(function*() {
          const sockets = yield* Effect.acquireRelease(Scope.make("parallel"), Scope.close)
          const answerRouted = yield* NodeHttpServer.makeHandler(app, { scope: inProgress, middleware })
          const answer = (request: Http.IncomingMessage, response: Http.ServerResponse) => {
            if (!direct.take(request, response, inProgress)) answerRouted(request, response)
          }
          const upgrade = yield* NodeHttpServer.makeUpgradeHandler(noUpgrades, app, { scope: sockets, middleware })
          yield* Effect.addFinalizer(() => Effect.sync(() => server.off("request", answer).off("upgrade", upgrade)))
          server.on("request", answer).on("upgrade", upgrade)
        })
    })
  })

/** Builds a server that returns 503 while no gate answers, and that closes despite open connections. */
export const layer = (
  make: () => Http.Server,
  options: ListenOptions
): Layer.Layer<
  Layer.Success<ReturnType<typeof NodeHttpServer.layer>> | DirectListener,
  Layer.Error<ReturnType<typeof NodeHttpServer.layer>>
> =>
  Layer.suspend(() => {
    const server = guardUpgrades(answerUnserved(make()))
    server.keepAliveTimeout = keepAliveTimeout
    // Runs before the server's own shutdown, which waits for its connections.
    const cut = Layer.effectDiscard(
      Effect.addFinalizer(() =>
        Effect.forkDetach(Effect.delay(Effect.sync(() => server.closeAllConnections()), closeGrace))
      )
    )
    const platform = Layer.merge(
      Layer.effect(HttpServer.HttpServer, listening(server, options)),
      NodeHttpServer.layerHttpServices
    )
    return Layer.provideMerge(cut, Layer.provideMerge(platform, DirectListener.layer))
  })
