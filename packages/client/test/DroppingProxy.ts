/** A TCP proxy before a service that loses the answer to the first connection, once the service has given it. */
import * as Effect from "effect/Effect"
import * as Net from "node:net"

export interface DroppingProxy {
  readonly url: string
  readonly connections: () => number
}

/** Starts the proxy; it ends with the scope. */
export const droppingProxy = (baseUrl: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ readonly server: Net.Server; readonly count: () => number }>((resume) => {
        let count = 0
        // The service answers only requests to its own host.
        const withHost = (data: Buffer) => {
          const own = `127.0.0.1:${(server.address() as Net.AddressInfo).port}`
          return Buffer.from(data.toString("latin1").replace(own, new URL(baseUrl).host), "latin1")
        }
        const server = Net.createServer((client) => {
          count += 1
          const drops = count === 1
          const service = Net.connect(Number(new URL(baseUrl).port), "127.0.0.1")
          for (const socket of [client, service]) socket.on("error", () => {})
          client.on("data", (data) => service.write(withHost(data)))
          client.on("end", () => service.end())
          if (drops) service.once("data", () => client.resetAndDestroy())
          else service.pipe(client)
          client.on("close", () => service.destroy())
          service.on("close", () => client.destroy())
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, count: () => count })))
      }),
      ({ server }) => Effect.sync(() => server.close())
    ),
    ({ count, server }): DroppingProxy => ({
      url: `http://127.0.0.1:${(server.address() as Net.AddressInfo).port}`,
      connections: count
    })
  )
