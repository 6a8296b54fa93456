/**
 * WebSocket connections with bounds: the size of a frame, what a client leaves unread, and how long it may be silent. The platform's HTTP server
 * makes its WebSocket server without options (frames up to 100 MiB), so the upgrade is done here by a WebSocket server that has them.
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

/** Bytes of a frame, and of a message of several frames. A larger one closes the socket with 1009 before it is read. */
export const maxFrame = 64 * 1024

/** Bytes that a client may leave unread. The next message to it ends the connection. */
export const maxUnsent = 1024 * 1024

/** How long an upgrade may take, and how long a refused one may stay open, in milliseconds. */
const handshakeTimeout = 15_000

/** How long a client may take to answer the close frame, in milliseconds. */
const closeTimeout = 1_000

const heads = new WeakMap<IncomingMessage, Buffer>()

/**
 * Keeps what arrived behind an upgrade request, and the connection from harm until somebody answers: Node leaves such a connection without a
 * timeout, and a reset of it without a listener would end the process.
 */
export const arrived = (request: IncomingMessage, connection: Duplex, head: Buffer): void => {
  heads.set(request, head)
  connection.on("error", () => connection.destroy())
  request.socket.setTimeout(handshakeTimeout, () => connection.destroy())
}

/** The connection ended before it was a WebSocket. */
const gone = new Socket.SocketError({ reason: new Socket.SocketOpenError({ kind: "Unknown", cause: "the connection ended during the upgrade" }) })

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

/** Ends with the connection when its client has been silent for so many milliseconds. */
const silence = (heardAt: () => number, idleMillis: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const left = heardAt() + idleMillis - now
    return left <= 0 ? Effect.void : Effect.andThen(Effect.sleep(left), silence(heardAt, idleMillis))
  })

export interface WebSockets {
  /** Upgrades the request and runs `use` with the socket, until one of both ends or the client is silent for too long. */
  readonly upgrade: <A, E, R>(
    request: HttpServerRequest.HttpServerRequest,
    use: (socket: Socket.Socket) => Effect.Effect<A, E, R>
  ) => Effect.Effect<void, E | Socket.SocketError, R>
}

/** `idleSeconds`: how long a client may send nothing. */
export const make = (idleSeconds: number): Effect.Effect<WebSockets, never, Scope.Scope> =>
  Effect.gen(function*() {
    const server = yield* Effect.acquireRelease(
      Effect.sync(() => new NodeWS.WebSocketServer({ noServer: true, maxPayload: maxFrame, clientTracking: false })),
      (server) => Effect.callback<void>((resume) => server.close(() => resume(Effect.void)))
    )

    const open = (request: IncomingMessage) =>
      Effect.callback<NodeWS.WebSocket, Socket.SocketError>((resume) => {
        const lost = () => resume(Effect.fail(gone))
        const leave = () => request.socket.off("close", lost)
        request.socket.once("close", lost)
        if (request.socket.destroyed) return lost()
        server.handleUpgrade(request, request.socket, heads.get(request) ?? Buffer.alloc(0), (ws) => {
          leave()
          // Until somebody reads: nothing that comes before is lost.
          ws.pause()
          resume(Effect.succeed(ws))
        })
        return Effect.sync(leave)
      })

    return {
      upgrade: (request, use) =>
        Effect.scoped(Effect.gen(function*() {
          // The other kind is HTTP/2's, which our server does not speak.
          const incoming = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
          const ws = yield* Effect.acquireRelease(Effect.interruptible(open(incoming)), (opened) => close(opened, incoming))
          const clock = yield* Clock.Clock
          const now = () => clock.currentTimeMillisUnsafe()
          let heardAt = now()
          const plain = yield* Socket.fromWebSocket(Effect.succeed(ws))
          const heard = Effect.sync(() => {
            heardAt = now()
          })
          const bounded = <A>(write: (data: A) => Effect.Effect<void, Socket.SocketError>) => (data: A) =>
            Effect.suspend(() => ws.bufferedAmount > maxUnsent ? Effect.sync(() => incoming.socket.destroy()) : write(data))
          const socket = Socket.make({
            reader: Effect.map(plain.reader, ({ pull, upgrade }) => ({ pull: Effect.tap(pull, heard), upgrade })),
            writer: Effect.map(plain.writer, ({ write, writeAll }) => ({ write: bounded(write), writeAll: bounded(writeAll) }))
          })
          // The platform runs apps uninterruptible; what is raced has to be interruptible.
          yield* Effect.interruptible(Effect.raceFirst(use(socket), silence(() => heardAt, idleSeconds * 1000)))
        }))
    }
  })
