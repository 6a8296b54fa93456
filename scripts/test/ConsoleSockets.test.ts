import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Http from "node:http"
import type { Duplex } from "node:stream"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { Running, running } from "./Harness.ts"
import { until } from "./Until.ts"

/** A session as the page opens one, by its cookie. */
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

/** What asking for a socket is answered with, and the socket where there is one; it is closed with the scope. */
const socket = (cookie: string) =>
  Effect.gen(function*() {
    const { baseUrl } = yield* Running
    return yield* Effect.acquireRelease(
      Effect.async<{ readonly status: number; readonly stream: Duplex | undefined }>((resume) => {
        const handshake = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": Buffer.alloc(16, 7).toString("base64") }
        const request = Http.get(`${baseUrl}/console/rpc`, { agent: false, headers: { ...handshake, origin: baseUrl, cookie } })
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

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })("the console's sockets", (it) => {
  it.scoped("are eight a session; another session has its own, and one that is closed makes room", () =>
    Effect.gen(function*() {
      const [mine, other] = [yield* signedIn, yield* signedIn]
      const [first] = yield* Effect.all([socket(mine)])
      assert.deepStrictEqual(yield* statuses(mine, 7), Array(7).fill(101))
      assert.strictEqual((yield* socket(mine)).status, 429)
      assert.strictEqual((yield* socket(other)).status, 101)
      first.stream?.destroy()
      yield* until("room for another", Effect.map(Effect.scoped(socket(mine)), ({ status }) => status === 101 ? true : undefined))
    }))
})

layer(running({ networks: ["base"], env: { RATE_LIMIT: "on", RATE_LIMIT_BURST: "5", RATE_LIMIT_PER_MINUTE: "1" } }), { timeout: 240_000, excludeTestServices: true })("opening sockets", (it) => {
  it.scoped("is counted among the requests of an address", () =>
    Effect.gen(function*() {
      // Two of five requests signed it in.
      const cookie = yield* signedIn
      assert.deepStrictEqual(yield* statuses(cookie, 4), [101, 101, 101, 503])
    }))
})
