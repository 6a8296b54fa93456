/**
 * The fake exchanges: one HTTP server on this machine that serves their real paths below `/binance` and `/coinbase`.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpMiddleware from "effect/http/HttpMiddleware"
import * as HttpServer from "effect/http/HttpServer"
import type { ServeError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import { createServer } from "node:http"
import { realTime } from "../anvil/RealTime.ts"
import * as Binance from "./Binance.ts"
import * as Coinbase from "./Coinbase.ts"
import * as ExchangeControl from "./ExchangeControl.ts"

export interface FakeExchange {
  readonly port: number
  /** Base URLs to use in place of the real ones, by the exchange's ccxt id. */
  readonly urls: Readonly<Record<"binance" | "coinbase", string>>
  readonly desk: ExchangeControl.ExchangeControl
}

/** A play-money account that any caller may use. It is worth nothing elsewhere. */
export const demoAccount = {
  apiKey: "devnetdevnetdevnetdevnetdevnetdevnetdevnetdevnetdevnetdevnetdevn",
  secret: "playmoneyplaymoneyplaymoneyplaymoneyplaymoneyplaymoneyplaymoneyp",
  balances: { USDT: 10_000, USDC: 10_000, BTC: 0.1, ETH: 1 }
}

const fake = { "x-devnet-fake": "not a real exchange: play money, made-up prices" }
const about = HttpServerResponse.text(
  "These are fakes of Binance and Coinbase for tests: made-up prices, play money, nothing real.\n",
  { headers: fake }
)

const respond = (desk: ExchangeControl.ExchangeControl, answer: Binance.Answer) =>
  Effect.gen(function*() {
    if (answer._tag === "json") {
      return HttpServerResponse.jsonUnsafe(answer.body, {
        status: answer.status,
        headers: { ...fake, ...(answer.status === 429 ? { "retry-after": "1" } : {}) }
      })
    }
    const { after } = answer
    if (after !== undefined) yield* Effect.forkDetach(realTime(Effect.delay(Effect.sync(after.run), after.millis)))
    yield* realTime(Effect.sleep(desk.silence))
    return HttpServerResponse.empty({ status: 504, headers: fake })
  })

const routes = (desk: ExchangeControl.ExchangeControl) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const [whole = "", query = ""] = request.url.split("?")
    const [, exchange, path] = /^\/(binance|coinbase)(\/.*)$/.exec(whole) ?? []
    const body = yield* Effect.orElseSucceed(request.text, () => "")
    if (path === undefined) return about
    if (exchange === "coinbase") {
      return yield* respond(desk, Coinbase.answer(desk, { method: request.method, path, query }))
    }
    return yield* respond(
      desk,
      Binance.answer(desk, { method: request.method, path, query, body, apiKey: request.headers["x-mbx-apikey"] })
    )
  })

const listen = (port: number) =>
  Effect.gen(function*() {
    const node = createServer()
    const server = yield* NodeHttpServer.make(() => node, { host: "127.0.0.1", port, disablePreemptiveShutdown: true })
    // Otherwise shutdown would wait for unanswered requests.
    yield* Effect.addFinalizer(() => Effect.sync(() => node.closeAllConnections()))
    return server
  })

/** Serves until the scope closes, on `port` if it is free, otherwise on any port. */
export const start = (port = 0): Effect.Effect<FakeExchange, ServeError, Scope.Scope> =>
  Effect.gen(function*() {
    const desk = ExchangeControl.make()
    desk.books.open(demoAccount)
    const server = yield* Effect.catch(listen(port), () => listen(0))
    // Customer data of an exchange must not appear in our traces.
    yield* HttpServer.serveEffect(routes(desk)).pipe(
      Effect.provideService(HttpServer.HttpServer, server),
      Effect.provideService(HttpMiddleware.TracerDisabledWhen, () => true)
    )
    const bound = server.address._tag === "InetAddressV4" ? server.address.port : 0
    const url = `http://127.0.0.1:${bound}`
    return { port: bound, urls: { binance: `${url}/binance`, coinbase: `${url}/coinbase` }, desk }
  })
