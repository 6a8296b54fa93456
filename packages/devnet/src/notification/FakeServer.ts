/** An HTTP server of a fake on this machine: what arrived, and what is answered next. */
import * as Effect from "effect/Effect"
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

export interface Arrived {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** The same as it came, which need not be text. */
  readonly bytes: Buffer
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** A reply; `hang` never answers, `break` closes the connection without an answer. */
export type Answer = Reply | "hang" | "break"

/** Serves until the scope ends. `answer` decides about each request. */
export const serve = (answer: (arrived: Arrived) => Answer | Promise<Answer>) =>
  Effect.gen(function*() {
    const respond = async (request: Http.IncomingMessage, response: Http.ServerResponse, bytes: Buffer) => {
      const reply = await answer({
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers as Arrived["headers"],
        body: bytes.toString("utf8"),
        bytes
      })
      if (reply === "hang") return
      if (reply === "break") {
        request.socket.destroy()
        return
      }
      response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
      response.end(reply.body === undefined ? "" : JSON.stringify(reply.body))
    }
    const server = Http.createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
      }).on("end", () => {
        void respond(request, response, Buffer.concat(chunks))
      })
    })
    yield* Effect.acquireRelease(
      Effect.promise(async () => {
        server.listen(0, "127.0.0.1")
        await once(server, "listening")
      }),
      () =>
        Effect.sync(() => {
          server.closeAllConnections()
          server.close()
        })
    )
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
