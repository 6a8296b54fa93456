/** A local HTTP server of a webhook's receiver, with configurable answers. */
import * as Effect from "effect/Effect"
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"

export interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly path: string
}

/** Closes with the scope. `answer` sets the status of the next answers; 302 redirects to `/elsewhere`. */
export const receiver = Effect.gen(function*() {
  const messages: Array<Message> = []
  const state = { status: 204 }
  const server = Http.createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text
    }).on("end", () => {
      messages.push({ headers: request.headers as Record<string, string>, body, path: request.url ?? "" })
      response.writeHead(state.status, { location: "/elsewhere" }).end("x".repeat(100_000))
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
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages,
    answer: (status: number) =>
      Effect.sync(() => {
        state.status = status
      })
  }
})
