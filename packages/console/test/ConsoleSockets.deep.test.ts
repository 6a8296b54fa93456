import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Http from "node:http"
import type { Duplex } from "node:stream"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { Running, running } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"

/** Opens a session like the page and returns its cookie. */
const signedIn = Effect.gen(function*() {
  const { ask, baseUrl } = yield* Running
  const account = privateKeyToAccount(generatePrivateKey())
  const headers = { origin: baseUrl }
  const { body } = yield* ask("/console/sign-in", { json: { address: account.address, chainId: 8453 }, headers })
  const signature = yield* Effect.promise(() => account.signMessage({ message: String(body["message"]) }))
  const opened = yield* ask("/console/session", { json: { nonce: body["nonce"], signature }, headers })
  const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";")
  assert.match(cookie, /^vault_trader_session=[0-9a-f]{64}$/)
  return cookie
})

/** Requests a socket and returns the response, with the socket if there is one; it is closed with the scope. */
const socket = (cookie: string) =>
  Effect.gen(function*() {
    const { baseUrl } = yield* Running
    return yield* Effect.acquireRelease(
      Effect.callback<{ readonly status: number; readonly stream: Duplex | undefined }>((resume) => {
        const handshake = {
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": Buffer.alloc(16, 7).toString("base64")
        }
        const request = Http.get(`${baseUrl}/console/rpc`, {
          agent: false,
          headers: { ...handshake, origin: baseUrl, cookie }
        })
        request.on("upgrade", ({ statusCode = 0 }, stream) => resume(Effect.succeed({ status: statusCode, stream })))
        request.on("response", (response) => {
          response.resume()
          resume(Effect.succeed({ status: response.statusCode ?? 0, stream: undefined }))
        })
      }),
      ({ stream }) => Effect.sync(() => stream?.destroy())
    )
  })

const statuses = (cookie: string, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => Effect.map(socket(cookie), ({ status }) => status))

/** Builds a client frame with a zero mask, so that the payload is unchanged. */
const frame = (
  payload: Buffer,
  { final = true, opcode = 1 }: { readonly final?: boolean; readonly opcode?: 0 | 1 } = {}
) => {
  const header = Buffer.alloc(14)
  header.writeUInt8((final ? 0x80 : 0) | opcode, 0)
  header.writeUInt8(0x80 | 127, 1)
  header.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([header, payload])
}

/** Returns the code of the close frame that ends the stream; 0 without one. */
const closed = (stream: Duplex) =>
  Effect.callback<number>((resume) => {
    const chunks: Array<Buffer> = []
    stream.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", () => undefined).on("close", () => {
      const all = Buffer.concat(chunks)
      const at = all.indexOf(0x88)
      resume(Effect.succeed(at < 0 || all.length < at + 4 ? 0 : all.readUInt16BE(at + 2)))
    })
  })

const opened = (cookie: string) =>
  Effect.flatMap(
    socket(cookie),
    ({ status, stream }) =>
      stream === undefined ? Effect.die(new Error(`no socket, but ${status}`)) : Effect.succeed(stream)
  )

/** Returns true if the page behind the socket is served. */
const answersPing = (stream: Duplex) =>
  Effect.callback<boolean>((resume) => {
    let text = ""
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1")
      if (text.includes("\"Pong\"")) resume(Effect.succeed(true))
    }).on("close", () => resume(Effect.succeed(false)))
    stream.write(frame(Buffer.from(`${JSON.stringify({ _tag: "Ping" })}\n`)))
  })

layer(running({ networks: ["base"], env: { MAX_SOCKETS_PER_CLIENT: "56", MAX_SOCKETS: "60" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("a flood of sockets", (it) => {
  it.effect("with frames of 15 MB, 48 of six sessions, is closed with 1009 frame by frame, while another page is served", () =>
    Effect.gen(function*() {
      const page = yield* Effect.flatMap(signedIn, opened)
      const sessions = yield* Effect.replicateEffect(signedIn, 6)
      const streams = yield* Effect.forEach(sessions.flatMap((cookie) => Array<string>(8).fill(cookie)), opened, {
        concurrency: 8
      })
      assert.lengthOf(streams, 48)
      const huge = frame(Buffer.alloc(15 * 1024 * 1024, "x"))
      const codes = yield* Effect.forEach(streams, (stream) => {
        stream.write(huge)
        return closed(stream)
      }, { concurrency: "unbounded" })
      assert.deepStrictEqual(codes, Array(48).fill(1009))
      assert.isTrue(yield* answersPing(page))
    }))

  it.effect("is also closed with 1009 if several frames of one message or one line are too large", () =>
    Effect.gen(function*() {
      const cookie = yield* signedIn
      const half = Buffer.alloc(48 * 1024, "x")
      const [pieces, line] = [yield* opened(cookie), yield* opened(cookie)]
      pieces.write(Buffer.concat([frame(half, { final: false }), frame(half, { opcode: 0 })]))
      line.write(Buffer.concat([frame(half), frame(half)]))
      assert.deepStrictEqual([yield* closed(pieces), yield* closed(line)], [1009, 1009])
    }))

  it.effect("of many sessions is limited per client, and closing one makes room", () =>
    Effect.gen(function*() {
      const sessions = yield* Effect.replicateEffect(signedIn, 8)
      const [first, ...rest] = yield* Effect.forEach(
        sessions.flatMap((cookie) => Array<string>(7).fill(cookie)),
        socket
      )
      assert.deepStrictEqual([...new Set([first, ...rest].map((each) => each?.status))], [101])
      assert.lengthOf(rest, 55)
      assert.deepStrictEqual(yield* Effect.map(socket(yield* signedIn), ({ status }) => status), 429)
      first?.stream?.destroy()
      yield* until(
        "room for another",
        Effect.map(Effect.scoped(socket(sessions[0] ?? "")), ({ status }) => status === 101 ? true : undefined)
      )
    }))
})

layer(running({ networks: ["base"], env: { SOCKET_IDLE_SECONDS: "1" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("a socket on which nothing comes", (it) => {
  it.effect("is closed; its session is not", () =>
    Effect.gen(function*() {
      const cookie = yield* signedIn
      yield* Effect.flatMap(opened(cookie), closed)
      // A socket whose answer takes longer than a second is closed too; the session opens the next one.
      yield* until(
        "an answer to a ping",
        Effect.map(Effect.flatMap(opened(cookie), answersPing), (isAnswered) => isAnswered || undefined)
      )
    }))
})

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })(
  "the console's sockets",
  (it) => {
    it.effect("are limited to eight per session, and closing one makes room", () =>
      Effect.gen(function*() {
        const [mine, other] = [yield* signedIn, yield* signedIn]
        const [first] = yield* Effect.all([socket(mine)])
        assert.deepStrictEqual(yield* statuses(mine, 7), Array(7).fill(101))
        assert.strictEqual((yield* socket(mine)).status, 429)
        assert.strictEqual((yield* socket(other)).status, 101)
        first.stream?.destroy()
        yield* until(
          "room for another",
          Effect.map(Effect.scoped(socket(mine)), ({ status }) => status === 101 ? true : undefined)
        )
      }))
  }
)

layer(running({ networks: ["base"], env: { RATE_LIMIT: "on", RATE_LIMIT_BURST: "5", RATE_LIMIT_PER_MINUTE: "1" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("opening sockets", (it) => {
  it.effect("counts as a request of its address", () =>
    Effect.gen(function*() {
      // Two of five requests signed it in.
      const cookie = yield* signedIn
      assert.deepStrictEqual(yield* statuses(cookie, 4), [101, 101, 101, 503])
    }))
})
