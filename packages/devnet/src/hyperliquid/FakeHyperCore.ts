/**
 * Serves the fake derivatives exchange on this machine: `POST /info` in the real one's format, with play money only.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import type { ServeError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { createServer } from "node:http"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import { realTime } from "../anvil/RealTime.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Deployed } from "../contract/Deployed.ts"
import * as Info from "./Info.ts"
import * as EventReplay from "./EventReplay.ts"

/** Failures of the info API: HTTP 429, HTTP 500, or no response for 30 seconds. */
export const InfoFault = Schema.Literals(["rateLimited", "serverError", "silence"])
export type InfoFault = typeof InfoFault.Type

export const FaultOrder = Schema.Struct({
  fault: InfoFault,
  /** Number of requests that fail; until the fault is replaced or removed when absent. */
  times: Schema.optional(Schema.Int.check(Schema.isGreaterThan(0)))
})
export type FaultOrder = typeof FaultOrder.Type

interface FakeCore {
  readonly infoUrl: string
  readonly controlUrl: string
}

/** Interval of the polls of the chain. */
const pollInterval = "50 millis"

const headers = { "x-devnet-fake": "not the real exchange: play money, devnet prices" }
const json = (body: unknown, status = 200) => HttpServerResponse.jsonUnsafe(body, { status, headers })

const about = HttpServerResponse.text(
  "This is a fake of the derivatives exchange for tests: play money, devnet prices, nothing real.\n",
  { headers }
)

const board = () => {
  let current: { readonly fault: InfoFault; left: number } | undefined
  return {
    inject: ({ fault, times = Number.POSITIVE_INFINITY }: FaultOrder) => {
      current = { fault, left: times }
    },
    heal: () => {
      current = undefined
    },
    meet: () => {
      if (current === undefined || current.left <= 0) return undefined
      current.left -= 1
      return current.fault
    }
  }
}

const info = (pump: EventReplay.Pump, meet: () => InfoFault | undefined) =>
  Effect.gen(function*() {
    const fault = meet()
    if (fault === "rateLimited") return json(null, 429)
    if (fault === "serverError") return json(null, 500)
    if (fault === "silence") {
      return yield* Effect.as(realTime(Effect.sleep("30 seconds")), HttpServerResponse.empty({ status: 504, headers }))
    }
    const question = yield* HttpServerRequest.schemaBodyJson(Info.Question)
    return json(Info.answer(pump.state(), pump.time(), question))
  }).pipe(
    // The real API's text for a request it does not know.
    Effect.catch(() =>
      Effect.succeed(
        HttpServerResponse.text("Failed to deserialize the JSON body into the target type", { status: 422, headers })
      )
    )
  )

const badRequest = (error: unknown) => Effect.succeed(json({ error: String(error) }, 400))

const routes = (pump: EventReplay.Pump) => {
  const { heal, meet, inject } = board()
  return [
    HttpRouter.route("GET", "/", about),
    HttpRouter.route("POST", "/info", info(pump, meet)),
    HttpRouter.route(
      "POST",
      "/__devnet/faults",
      Effect.map(HttpServerRequest.schemaBodyJson(FaultOrder), (order) => {
        inject(order)
        return json({ current: order })
      }).pipe(Effect.catch(badRequest))
    ),
    HttpRouter.route(
      "DELETE",
      "/__devnet/faults",
      Effect.sync(() => {
        heal()
        return json({ healed: true })
      })
    ),
    HttpRouter.route(
      "POST",
      "/__devnet/settled",
      Effect.as(pump.settled, json({ settled: true })).pipe(Effect.catch(badRequest))
    )
  ]
}

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
  readonly rpc: AnvilRpc
  readonly deployed: Deployed
  readonly perpetuals: NonNullable<Deployed["perpetuals"]>
  readonly port: number | undefined
}): Effect.Effect<FakeCore, ServeError | RpcFailure, Scope.Scope> =>
  Effect.gen(function*() {
    const { deployed, perpetuals, port = 0, rpc } = options
    const pump = yield* EventReplay.make(rpc, deployed, perpetuals)
    yield* pump.turn
    const turns = pump.turn.pipe(
      Effect.catch((failure) => Effect.logDebug("The fake exchange could not read its chain", failure)),
      Effect.andThen(Effect.sleep(pollInterval)),
      Effect.forever
    )
    yield* Effect.forkScoped(realTime(turns))
    const server = yield* Effect.catch(listen(port), () => listen(0))
    const app = Effect.catchReason(
      yield* HttpRouter.toHttpEffect(HttpRouter.addAll(routes(pump))),
      "HttpServerError",
      "RouteNotFound",
      () => Effect.succeed(json({ error: "the fake has no such path" }, 404))
    )
    yield* HttpServer.serveEffect(app).pipe(
      Effect.provideService(HttpServer.HttpServer, server),
      Effect.provideService(HttpMiddleware.TracerDisabledWhen, () => true)
    )
    const bound = server.address._tag === "InetAddressV4" ? server.address.port : 0
    const url = `http://127.0.0.1:${bound}`
    return { infoUrl: `${url}/info`, controlUrl: `${url}/__devnet` }
  })
