/** An HTTP server without a socket: requests and responses pass through memory, and through Node's own parser. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as NetAddress from "effect/net/NetAddress"
import * as Http from "node:http"
import { type Duplex, duplexPair } from "node:stream"
import type { Response } from "./CallRefused.ts"

/** A response and its headers. */
interface Answered extends Response {
  readonly headers: Http.IncomingHttpHeaders
}

export interface MemoryHttp {
  /** Serves an application. */
  readonly server: HttpServer.HttpServer["Service"]
  /** Sends the parameters as a JSON body to a path, with further headers. */
  readonly post: (
    path: string,
    params: Readonly<Record<string, unknown>>,
    headers?: Http.OutgoingHttpHeaders
  ) => Promise<Answered>
}

const send = (
  connection: Duplex,
  path: string,
  body: string,
  headers: Http.OutgoingHttpHeaders
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const request = Http.request({
      createConnection: () => connection,
      method: "POST",
      path,
      headers: {
        host: "localhost",
        connection: "close",
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        ...headers
      }
    }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers })).on(
        "error",
        reject
      )
    })
    request.on("error", reject).end(body)
  })

/** Makes a server and its only client. */
export const make = (): MemoryHttp => {
  const node = Http.createServer()
  return {
    server: HttpServer.make({
      address: NetAddress.unixPathAddress("memory"),
      serve: (app, middleware) =>
        Effect.gen(function*() {
          const scope = yield* Effect.scope
          const handler = yield* NodeHttpServer.makeHandler(app, { scope, middleware })
          // A killed process no longer serves.
          node.removeAllListeners("request").on("request", handler)
        })
    }),
    post: (path, params, headers = {}) => {
      const [ours, theirs] = duplexPair()
      node.emit("connection", theirs)
      return send(ours, path, JSON.stringify(params), headers)
    }
  }
}
