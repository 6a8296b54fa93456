/**
 * The fake aggregators: one HTTP server on this machine that serves their real paths below `/1inch`, `/kyberswap` and
 * `/odos`.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import type { ServeError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { createServer } from "node:http"
import { json } from "./Answer.ts"
import type { AggregatorName } from "./AggregatorFault.ts"
import * as FaultBoard from "./FaultBoard.ts"
import type { Grounds } from "./ServedNetworks.ts"
import * as KyberSwap from "./KyberSwap.ts"
import * as Odos from "./Odos.ts"
import * as OneInch from "./OneInch.ts"

/** The key that 1inch and Odos accept here; KyberSwap needs none. It is worth nothing elsewhere. */
export const apiKey = "devnet"

interface Aggregators {
  readonly port: number
  /** Base URLs to use in place of the real ones. */
  readonly urls: Readonly<Record<AggregatorName, string>>
  readonly board: FaultBoard.FaultBoard
}

const about = HttpServerResponse.text(
  "These are fakes of 1inch, KyberSwap and Odos for tests: devnet prices, devnet contracts, nothing real.\n"
)

/** Serves the fault board over HTTP, for tests in other processes. */
const control = (board: FaultBoard.FaultBoard) => [
  HttpRouter.route(
    "POST",
    "/faults",
    Effect.flatMap(
      HttpServerRequest.schemaBodyJson(FaultBoard.FaultOrder),
      (order) => Effect.as(board.inject(order), json({ told: order }))
    ).pipe(
      Effect.catch((error) => Effect.succeed(json({ error: String(error) }, 400)))
    )
  ),
  HttpRouter.route("DELETE", "/faults", Effect.as(board.heal, json({ healed: true }))),
  HttpRouter.route("GET", "/requests", Effect.map(board.seen, (requests) => json({ requests }))),
  HttpRouter.route("DELETE", "/requests", Effect.as(board.forget, json({ forgotten: true })))
]

const listen = (port: number) =>
  Effect.gen(function*() {
    const node = createServer()
    const server = yield* NodeHttpServer.make(() => node, { host: "127.0.0.1", port, disablePreemptiveShutdown: true })
    // Otherwise shutdown would wait for clients that keep a connection open, and for unanswered requests.
    yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
    return server
  })

/** Serves until the scope closes, on `port` if it is free, otherwise on any port. */
export const start = (options: {
  readonly grounds: Grounds
  readonly port: number | undefined
}): Effect.Effect<Aggregators, ServeError, Scope.Scope> =>
  Effect.gen(function*() {
    const { grounds, port = 0 } = options
    const board = yield* FaultBoard.make
    const server = yield* Effect.catch(listen(port), () => listen(0))
    const app = yield* HttpRouter.toHttpEffect(Layer.mergeAll(
      HttpRouter.add("GET", "/", about),
      HttpRouter.addAll(OneInch.routes(board, grounds, apiKey), { prefix: "/1inch" }),
      HttpRouter.addAll(KyberSwap.routes(board, grounds), { prefix: "/kyberswap" }),
      HttpRouter.addAll(Odos.routes(board, grounds, apiKey), { prefix: "/odos" }),
      HttpRouter.addAll(control(board), { prefix: "/__devnet" })
    ))
    const withNotFound = Effect.catchReason(app, "HttpServerError", "RouteNotFound", () =>
      Effect.succeed(json({ error: "the fakes have no such path" }, 404)))
    yield* Effect.provideService(HttpServer.serveEffect(withNotFound), HttpServer.HttpServer, server)
    const bound = server.address._tag === "InetAddressV4" ? server.address.port : 0
    const url = `http://127.0.0.1:${bound}`
    return {
      port: bound,
      urls: { "1inch": `${url}/1inch`, kyberswap: `${url}/kyberswap`, odosV3: `${url}/odos` },
      board
    }
  })
