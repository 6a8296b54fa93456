/**
 * WebSocket connections with limits on frame size, unread data and idle time. The platform's HTTP server creates its
 * WebSocket server without options (frames up to 100 MiB), so connections are upgraded here by a WebSocket server with
 * options.
 */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as NodeWS from "@effect/platform-node/NodeWS"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as Scope from "effect/Scope"
import * as Socket from "effect/socket/Socket"
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"

/**
 * Maximum bytes of a frame, and of a message of several frames. A larger one closes the socket with 1009 before it is
 * read.
 */
export const maxFrame = 64 * 1024

/** Maximum bytes that a client may leave unread. Beyond it, the next message ends the connection. */
export const maxUnsent = 1024 * 1024

/** How long an upgrade may take, and how long a refused one may stay open, in milliseconds. */
const handshakeTimeout = 15_000

/** How long a client may take to answer the close frame, in milliseconds. */
const closeTimeout = 1_000

const heads = new WeakMap<IncomingMessage, Buffer>()

/**
 * Stores the bytes that arrived after an upgrade request and guards the connection until it is upgraded: Node gives
 * such a connection no timeout, and a reset without an error listener would end the process.
 */
export const arrived = (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
  heads.set(request, head)
  connection.on("error", () => connection.destroy())
  request.socket.setTimeout(handshakeTimeout, () => connection.destroy())
}

/** The connection ended before it was a WebSocket. */
const closedEarly = new Socket.SocketError({
  reason: new Socket.SocketOpenError({ kind: "Unknown", cause: "the connection ended during the upgrade" })
})

/** Closes the WebSocket, and ends its connection when the client does not answer in time. */
const close = (ws: NodeWS.WebSocket, { socket }: IncomingMessage) =>
  Effect.callback<void>((resume) => {
    if (socket.destroyed) return resume(Effect.void)
    const timer = setTimeout(() => socket.destroy(), closeTimeout)
    socket.once("close", () => {
      clearTimeout(timer)
      resume(Effect.void)
    })
    ws.close()
  })

/** Completes when the client has been silent for `idleMillis`. */
const untilIdle = (lastReceivedAt: () => number, idleMillis: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const left = lastReceivedAt() + idleMillis - now
    return left <= 0 ? Effect.void : Effect.andThen(Effect.sleep(left), untilIdle(lastReceivedAt, idleMillis))
  })

export interface WebSockets {
  /** Upgrades the request and runs `use` with the socket, until either ends or the client is silent for too long. */
  readonly upgrade: <A, E, R>(
    request: HttpServerRequest.HttpServerRequest,
    use: (socket: Socket.Socket) => Effect.Effect<A, E, R>
  ) => Effect.Effect<void, E | Socket.SocketError, R>
}

/** `idleSeconds`: how long a client may be silent. */
export const make = (idleSeconds: number): Effect.Effect<WebSockets, never, Scope.Scope> =>
  Effect.gen(function*() {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => new NodeWS.WebSocketServer({ noServer: true, maxPayload: maxFrame, clientTracking: false })),
      (server) => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
    )

    const open = (request: IncomingMessage) =>
      Effect.callback<NodeWS.WebSocket, Socket.SocketError>((resume) => {
        const lost = () => resume(Effect.fail(closedEarly))
        const leave = () => request.socket.off("close", lost)
        request.socket.once("close", lost)
        if (request.socket.destroyed) return lost()
        server.handleUpgrade(request, request.socket, heads.get(request) ?? Buffer.alloc(0), (ws) => {
          leave()
          // Paused until the first read, so that no message is lost.
          ws.pause()
          resume(Effect.succeed(ws))
        })
        return Effect.sync(leave)
      })

    return {
      upgrade: (request, use) =>
        Effect.scoped(Effect.gen(function*() {
          // The other type is for HTTP/2, which our server does not support.
          const incoming = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
          const ws = yield* Effect.acquireRelease(Effect.interruptible(open(incoming)), (opened) =>
            close(opened, incoming))
          const clock = yield* Clock.Clock
          const now = () =>
            clock.currentTimeMillisUnsafe()
          let lastReceivedAt = now()
          const plain = yield* Socket.fromWebSocket(Effect.succeed(ws))
          const noteReceived = Effect.sync(() => {
            lastReceivedAt = now()
          })
          const bounded = <A>(write: (data: A) => Effect.Effect<void, Socket.SocketError>) => (data: A) =>
            Effect.suspend(() =>
              ws.bufferedAmount > maxUnsent ? Effect.sync(() => incoming.socket.destroy()) : write(data)
            )
          const socket = Socket.make({
            reader: Effect.map(
              plain.reader,
              ({ pull, upgrade }) => ({ pull: Effect.tap(pull, noteReceived), upgrade })
            ),
            writer: Effect.map(
              plain.writer,
              ({ write, writeAll }) => ({ write: bounded(write), writeAll: bounded(writeAll) })
            )
          })
          // The platform runs apps uninterruptibly, but a race needs interruptible effects.
          yield* Effect.interruptible(
            Effect.raceFirst(use(socket), untilIdle(() => lastReceivedAt, idleSeconds * 1000))
          )
        }))
    }
  })
