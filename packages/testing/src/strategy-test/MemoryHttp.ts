/** An HTTP server without a socket: requests and responses pass through memory, and through Node's own parser. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as NetAddress from "effect/net/NetAddress"
import * as Http from "node:http"
import { type Duplex, duplexPair } from "node:stream"
import type { Response } from "./CallRefused.ts"
import type { Params } from "./TestedService.ts"

export interface MemoryHttp {
  /** Serves an application. */
  readonly server: HttpServer.HttpServer["Service"]
  /** Sends the parameters as a JSON body to a path. */
  readonly post: (path: string, params: Params) => Promise<Response>
}

const send = (connection: Duplex, path: string, body: string): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = Http.request({
      createConnection: () => connection,
      method: "POST",
      path,
      headers: {
        host: "localhost",
        connection: "close",
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body)
      }
    }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk
      })
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text })).on("error", reject)
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
          node.on("request", handler)
        })
    }),
    post: (path, params) => {
      const [ours, theirs] = duplexPair()
      node.emit("connection", theirs)
      return send(ours, path, JSON.stringify(params))
    }
  }
}
