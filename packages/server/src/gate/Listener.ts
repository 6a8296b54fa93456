/**
 * Node's HTTP server, so that it ends when it is asked to. Between the moment when the gate answers no more and the one when the last connection is
 * closed, a request may still come on a connection that was kept alive: nobody would answer it, and the server would wait for it for ever.
 */
import type * as Http from "node:http"

/** How long requests under way may still take once the server is closing. */
const graceMillis = 1_000

const body = JSON.stringify({ status: "fail", message: "The service is starting or ending; nothing was accepted. Try again in a moment." })

/** The same server: it answers 503 while nobody else does, and lets nobody keep it from closing. */
export const around = <S extends Http.Server>(server: S): S => {
  server.on("request", (_: Http.IncomingMessage, response: Http.ServerResponse) => {
    if (server.listenerCount("request") > 1) return
    response.writeHead(503, { "content-type": "application/json", connection: "close" }).end(body)
  })
  const close = server.close.bind(server)
  server.close = (done) => {
    const end = setTimeout(() => server.closeAllConnections(), graceMillis)
    return close((error) => {
      clearTimeout(end)
      done?.(error)
    })
  }
  return server
}
