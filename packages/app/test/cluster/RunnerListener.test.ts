/** The port of a runner, over real sockets: which connections reach the cluster, and how the others end. */
import * as SelfSignedCertificate from "@vault-trader/testing/harness/SelfSignedCertificate"
import { assert, describe, it } from "@effect/vitest"
import * as RunnerAddress from "effect/cluster/RunnerAddress"
import * as Runners from "effect/cluster/Runners"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as SocketServer from "effect/socket/SocketServer"
import { once } from "node:events"
import * as Net from "node:net"
import * as Tls from "node:tls"
import * as Cluster from "../../src/Cluster.ts"
import * as RunnerListener from "../../src/RunnerListener.ts"
import * as RunnerSecurity from "../../src/RunnerSecurity.ts"

const secret = (character: string) => RunnerSecurity.withSecret(Redacted.make(character.repeat(64)))
const [right, wrong] = [secret("a"), secret("b")]

/** A runner's port, the connections that reached the cluster behind it, and the first bytes on one of them. */
const listening = (
  security: RunnerSecurity.RunnerSecurity["Service"],
  options: Partial<RunnerListener.ListenOptions> = {}
) =>
  Effect.gen(function*() {
    const reached: Array<Uint8Array> = []
    const first = yield* Deferred.make<void>()
    const server = yield* Effect.provide(
      SocketServer.SocketServer,
      yield* Layer.build(RunnerListener.layer({ host: "localhost", port: 0, ...options })).pipe(
        Effect.provideService(RunnerSecurity.RunnerSecurity, security)
      )
    )
    yield* Effect.forkScoped(server.run((socket) =>
      Effect.scoped(Effect.gen(function*() {
        const { pull } = yield* socket.reader
        for (const bytes of yield* pull) reached.push(Buffer.from(bytes))
        yield* Deferred.succeed(first, undefined)
        return yield* Effect.never
      }))
    ))
    const { port } = server.address as { readonly port: number }
    return { port, reached, first: Deferred.await(first) }
  })

/** Sends a message as a server does, over the connections of the cluster. */
const send = (security: RunnerSecurity.RunnerSecurity["Service"], port: number) =>
  Effect.gen(function*() {
    const { make } = yield* Effect.provide(
      Runners.RpcClientProtocol,
      yield* Layer.build(Cluster.connections.pipe(
        Layer.provide(RpcSerialization.layerSchemaBinary()),
        Layer.provide(Layer.succeed(RunnerSecurity.RunnerSecurity, security))
      ))
    )
    const protocol = yield* make(RunnerAddress.make("localhost", port))
    yield* Effect.forkScoped(Effect.ignore(protocol.send(0, { _tag: "Ping" })))
  })

/** Completes when the socket has closed, whether or not with an error. */
const closing = (socket: Net.Socket): Promise<void> => {
  socket.on("error", () => undefined)
  socket.resume()
  return new Promise((resolve) => socket.once("close", () => resolve()))
}

/** Opens a TCP connection, writes these bytes, and completes when the runner has closed it. */
const closedAfter = (port: number, bytes: Uint8Array) =>
  Effect.promise(async () => {
    const socket = Net.connect({ host: "localhost", port })
    const closed = closing(socket)
    if (bytes.length > 0) socket.write(bytes)
    await closed
  })

/** Completes when the runner refused a TLS handshake with these options. */
const refused = (port: number, options: Tls.ConnectionOptions) =>
  Effect.promise(async () => {
    const socket = Tls.connect({ ...options, host: "localhost", port })
    socket.once("secureConnect", () => socket.write("a message"))
    await closing(socket)
  })

/** A TCP proxy before the port that records what clients send. */
const recorder = (port: number) =>
  Effect.gen(function*() {
    const recorded: Array<Buffer> = []
    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const made = Net.createServer((client) => {
          const runner = Net.connect({ host: "localhost", port })
          for (const socket of [client, runner]) socket.on("error", () => undefined)
          client.on("data", (bytes) => recorded.push(bytes))
          client.pipe(runner).pipe(client)
        }).listen(0, "localhost")
        await once(made, "listening")
        return made
      }),
      (made) => Effect.sync(() => made.close())
    )
    return { port: (server.address() as Net.AddressInfo).port, recorded }
  })

const shortHandshake = { handshakeMillis: 100 }

describe("the port of a runner", () => {
  it.live("passes a message from a process with its secret", () =>
    Effect.scoped(Effect.gen(function*() {
      const runner = yield* listening(right)
      yield* send(right, runner.port)
      yield* runner.first
      assert.isAbove(Buffer.concat(runner.reached).length, 0)
    })))

  it.live("passes no byte of a stranger without handshake, and closes", () =>
    Effect.scoped(Effect.gen(function*() {
      const runner = yield* listening(right)
      const ping = (yield* Effect.provide(RpcSerialization.RpcSerialization, RpcSerialization.layerSchemaBinary()))
        .makeUnsafe().encode({ _tag: "Ping" }) as Uint8Array
      yield* closedAfter(runner.port, ping)
      yield* closedAfter(runner.port, Buffer.from("GET / HTTP/1.1\r\n\r\n"))
      yield* refused(runner.port, { rejectUnauthorized: false })
      assert.deepStrictEqual(runner.reached, [])
    })))

  it.live("refuses another secret, and the other process says which setting differs, once", () => {
    const said: Array<string> = []
    return Effect.scoped(Effect.gen(function*() {
      const runner = yield* listening(right)
      yield* refused(runner.port, wrong.client)
      const logged = yield* Deferred.make<void>()
      yield* send(wrong, runner.port).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => {
        said.push(String(message))
        Deferred.doneUnsafe(logged, Effect.void)
      })])))
      yield* Deferred.await(logged)
      assert.deepStrictEqual(runner.reached, [])
      assert.deepStrictEqual(said, [
        `The runner at localhost:${runner.port} cannot be used: it or this process has another value of ` +
        "RUNNER_SECRET_FILE. Requests to its actors fail until both have the same."
      ])
    }))
  })

  it.live("refuses the recorded bytes of a good connection", () =>
    Effect.scoped(Effect.gen(function*() {
      // Long enough for the good connection, whose handshake is over in time on a machine with other load.
      const runner = yield* listening(right, { handshakeMillis: 2_000 })
      const { port, recorded } = yield* recorder(runner.port)
      yield* send(right, port)
      yield* runner.first
      const before = runner.reached.length
      // At once, and flight by flight.
      yield* closedAfter(runner.port, Buffer.concat(recorded))
      yield* Effect.promise(async () => {
        const socket = Net.connect({ host: "localhost", port: runner.port })
        const closed = closing(socket)
        for (const flight of recorded) {
          const answered = new Promise((resolve) => socket.once("data", resolve))
          socket.write(flight)
          await Promise.race([answered, closed])
        }
        await closed
      })
      assert.isAbove(recorded.length, 1)
      assert.lengthOf(runner.reached, before)
    })))

  it.live("closes a connection whose handshake does not end, and one that begins with an oversized frame", () =>
    Effect.scoped(Effect.gen(function*() {
      const runner = yield* listening(right, shortHandshake)
      yield* closedAfter(runner.port, new Uint8Array())
      // The first bytes of a client's hello.
      yield* closedAfter(runner.port, Buffer.from("16030100c8010000c40303", "hex"))
      // A record that claims 65,535 bytes, and a megabyte after it.
      yield* closedAfter(runner.port, Buffer.concat([Buffer.from("160303ffff", "hex"), Buffer.alloc(1024 * 1024, 1)]))
      assert.deepStrictEqual(runner.reached, [])
    })))

  it.live("bounds silent strangers by closing the oldest, and passes its own processes meanwhile", () =>
    Effect.scoped(Effect.gen(function*() {
      const runner = yield* listening(right, { maxUnproven: 4, handshakeMillis: 60_000 })
      const strangers = yield* Effect.forEach(Array.from({ length: 12 }), () =>
        Effect.acquireRelease(
          Effect.promise(async () => {
            const socket = Net.connect({ host: "localhost", port: runner.port })
            const closed = closing(socket)
            await once(socket, "connect")
            return { socket, closed }
          }),
          ({ socket }) => Effect.sync(() => socket.destroy())
        ))
      yield* Effect.promise(() => Promise.all(strangers.slice(0, 8).map(({ closed }) => closed)))
      yield* send(right, runner.port)
      yield* runner.first
      assert.isAtLeast(strangers.filter(({ socket }) => !socket.destroyed).length, 3)
    })))

  it.live("with certificates, passes those of its authority for its host only", () =>
    Effect.scoped(Effect.gen(function*() {
      const own = SelfSignedCertificate.make("localhost")
      const security = RunnerSecurity.withCertificate({ ...own, ca: own.cert })
      const runner = yield* listening(security)
      const stranger = SelfSignedCertificate.make("localhost")
      yield* refused(runner.port, { ca: own.cert })
      yield* refused(runner.port, { ...stranger, ca: own.cert })
      yield* refused(runner.port, right.client)
      yield* closedAfter(runner.port, Buffer.from("not a handshake"))
      assert.deepStrictEqual(runner.reached, [])
      yield* send(security, runner.port)
      yield* runner.first

      // A runner of another authority gets no message.
      const other = yield* listening(RunnerSecurity.withCertificate({ ...stranger, ca: own.cert }))
      yield* refused(other.port, security.client)
      assert.deepStrictEqual(other.reached, [])
    })))
})
