/**
 * The port of a runner. A connection reaches the cluster only after its TLS handshake, which proves that it is from a
 * server or runner of this service. Until then it is bounded in time, and the number of such connections is bounded.
 */
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import * as Socket from "effect/socket/Socket"
import * as SocketServer from "effect/socket/SocketServer"
import type * as Net from "node:net"
import * as Tls from "node:tls"
import { RunnerSecurity } from "./RunnerSecurity.ts"

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** How long a handshake may take. */
  readonly handshakeMillis?: number
  /** Maximum number of connections whose handshake is not complete. Beyond it, the oldest of them is closed. */
  readonly maxUnproven?: number
}

const failure = (cause: unknown) =>
  new SocketServer.SocketServerError({ reason: new SocketServer.SocketServerOpenError({ cause }) })

const nameOf = ({ remoteAddress, remotePort }: Net.Socket) => `${remoteAddress} ${remotePort}`

/**
 * Closes the oldest connection without a complete handshake when there are too many. The newest is never refused:
 * strangers that connect and stay silent would lock out this service's own processes.
 */
const boundUnproven = (server: Tls.Server, max: number) => {
  const unproven = new Map<string, Net.Socket>()
  server.on("connection", (socket: Net.Socket) => {
    const name = nameOf(socket)
    unproven.set(name, socket)
    socket.once("close", () => {
      if (unproven.get(name) === socket) unproven.delete(name)
    })
    if (unproven.size > max) unproven.values().next().value?.destroy()
  })
  server.on("secureConnection", (socket) => unproven.delete(nameOf(socket)))
  server.on("tlsClientError", (_error, socket) => socket.destroy())
}

/** Returns the connection when the cluster begins to read it, unless it has ended by then. */
const asSocket = (connection: Tls.TLSSocket) =>
  Effect.acquireRelease(
    Effect.suspend(() =>
      connection.destroyed
        ? Effect.fail(new Socket.SocketError({ reason: new Socket.SocketCloseError({ code: 1006 }) }))
        : Effect.succeed(connection)
    ),
    (open) => Effect.sync(() => open.destroySoon())
  )

const make = ({ handshakeMillis = 5_000, host, maxUnproven = 64, port }: ListenOptions) =>
  Effect.gen(function*() {
    const security = yield* RunnerSecurity
    const proven = yield* Queue.unbounded<Tls.TLSSocket>()
    const open = new Set<Net.Socket>()
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => Tls.createServer({ ...security.server, handshakeTimeout: handshakeMillis })),
      (server) =>
        Effect.callback<void>((resume) => {
          server.close(() => resume(Effect.void))
          for (const socket of open) socket.destroy()
        })
    )
    boundUnproven(server, maxUnproven)
    server.on("connection", (socket: Net.Socket) => {
      open.add(socket)
      socket.once("close", () => open.delete(socket))
    })
    server.on("secureConnection", (socket) => {
      // Paused until the first read, so that no message is lost. A reset without a listener would end the process.
      socket.pause()
      socket.on("error", () => socket.destroy())
      Queue.offerUnsafe(proven, socket)
    })
    yield* Effect.callback<void, SocketServer.SocketServerError>((resume) => {
      server.once("error", (error) => resume(Effect.fail(failure(error))))
      server.listen({ host, port }, () => resume(Effect.void))
    })
    server.on("error", () => undefined)
    const run = Effect.fnUntraced(function*<R, E, _>(handler: (socket: Socket.Socket) => Effect.Effect<_, E, R>) {
      const context = yield* Effect.context<R>()
      const scope = yield* Effect.acquireRelease(Scope.make(), (made) => Scope.close(made, Exit.void))
      const track = Fiber.runIn(scope)
      return yield* Queue.take(proven).pipe(
        Effect.map((connection) =>
          NodeSocket.fromDuplex(asSocket(connection), { tlsServer: true }).pipe(
            Effect.flatMap(handler),
            Effect.ignoreCause({ log: "Unhandled", message: "a connection to this runner failed" }),
            Effect.runForkWith(context),
            track
          )
        ),
        Effect.forever
      )
    }, Effect.scoped)
    const bound = server.address() as Net.AddressInfo
    return SocketServer.SocketServer.of({
      address: yield* Effect.mapError(
        Effect.fromResult(NetAddress.inetAddressFromIpString(bound.address, bound.port)),
        failure
      ),
      run
    })
  })

export const layer = (
  options: ListenOptions
): Layer.Layer<SocketServer.SocketServer, SocketServer.SocketServerError, RunnerSecurity> =>
  Layer.effect(SocketServer.SocketServer, make(options))
