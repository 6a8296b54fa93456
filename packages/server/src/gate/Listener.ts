/**
 * Node's HTTP server, so that it keeps connections longer than who speaks on them, and ends when it is asked to. Between the moment when the gate
 * answers no more and the one when the last connection is closed, a request may still come on a connection that was kept alive: nobody would
 * answer it, and the server would wait for it for ever.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import type * as Http from "node:http"
import type { ListenOptions } from "node:net"
import type { Duplex } from "node:stream"
import * as WebSockets from "./WebSockets.ts"

/**
 * How long a connection nobody uses is kept, in milliseconds: longer than proxies and load balancers keep theirs (a minute, as a rule), so that it is
 * they who close it. Node's five seconds have a request now and then sent on a connection that is being closed, and its caller cannot know what became of it.
 */
const idle = 75_000

/** How long answers may still take to go out once the server is closing; what is under way then has had its time (`Ending`). */
const grace = "1 second"

const body = JSON.stringify({ status: "fail", message: "The service is starting or ending and did not read this request. Repeat it in a moment, a write with the same idempotency key." })

const turnAway = (server: Http.Server) =>
  server.on("request", (_: Http.IncomingMessage, response: Http.ServerResponse) => {
    if (server.listenerCount("request") > 1) return
    response.writeHead(503, { "content-type": "application/json", connection: "close" }).end(body)
  })

/** Upgrades: one that comes while nobody answers is ended, and none harms the process while it waits. */
const guardUpgrades = (server: Http.Server) =>
  server.on("upgrade", (request: Http.IncomingMessage, connection: Duplex, head: Buffer) => {
    WebSockets.arrived(request, connection, head)
    if (server.listenerCount("upgrade") === 1) connection.destroy()
  })

/** Our own upgrades have bounds (`WebSockets`), so nobody asks the platform for one. */
const noUpgrades = Effect.die(new Error("a WebSocket without bounds was asked for"))

/**
 * The platform's server, but for who answers requests, and how that ends: no more are taken, what is under way goes on until its connection is closed,
 * and the WebSockets are closed at once. The platform would go on taking requests, and then end those under way.
 */
const listening = (server: Http.Server, options: ListenOptions) =>
  Effect.gen(function*() {
    const underWay = yield* Effect.acquireRelease(Scope.make("parallel"), Scope.close)
    const { address } = yield* NodeHttpServer.make(() => server, { ...options, disablePreemptiveShutdown: true })
    return HttpServer.make({
      address,
      serve: (app, middleware) =>
        Effect.gen(function*() {
          const sockets = yield* Effect.acquireRelease(Scope.make("parallel"), Scope.close)
          const answer = yield* NodeHttpServer.makeHandler(app, { scope: underWay, middleware })
          const upgrade = yield* NodeHttpServer.makeUpgradeHandler(noUpgrades, app, { scope: sockets, middleware })
          yield* Effect.addFinalizer(() => Effect.sync(() => server.off("request", answer).off("upgrade", upgrade)))
          server.on("request", answer).on("upgrade", upgrade)
        })
    })
  })

/** A server that answers 503 while nobody else does, and that no connection keeps from closing. */
export const layer = (make: () => Http.Server, options: ListenOptions): ReturnType<typeof NodeHttpServer.layer> =>
  Layer.suspend(() => {
    const server = guardUpgrades(turnAway(make()))
    server.keepAliveTimeout = idle
    // Ahead of the server's own end, which waits for its connections.
    const cut = Layer.effectDiscard(Effect.addFinalizer(() => Effect.forkDetach(Effect.delay(Effect.sync(() => server.closeAllConnections()), grace))))
    const platform = Layer.merge(Layer.effect(HttpServer.HttpServer, listening(server, options)), NodeHttpServer.layerHttpServices)
    return Layer.provideMerge(cut, platform)
  })
