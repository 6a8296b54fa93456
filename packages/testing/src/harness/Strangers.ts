/**
 * Strangers that flood a service on this machine: each kind of flood is a loop that is bounded in time and in pace. They
 * come from many addresses, as a trusted proxy on loopback forwards them.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import { once } from "node:events"
import * as Http from "node:http"
import * as Net from "node:net"
import type { Duplex } from "node:stream"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { ask, type Answer, type Fields } from "./Harness.ts"

/** Counts what happened, by name. */
export interface FloodCounts {
  readonly note: (name: string) => void
  readonly all: () => Readonly<Record<string, number>>
}

export const counts = (): FloodCounts => {
  const found = new Map<string, number>()
  return {
    note: (name) => void found.set(name, (found.get(name) ?? 0) + 1),
    all: () => Object.fromEntries([...found].sort(([a], [b]) => a.localeCompare(b)))
  }
}

/** The flood's target, and when the flood ends. */
export interface Flood {
  readonly baseUrl: string
  readonly untilMillis: number
  readonly counts: FloodCounts
}

/**
 * Starts one of these at a fixed pace until the end, without waiting for the earlier ones; then waits for all. Fails
 * with the first of them that fails.
 */
export const paced = <E, R>(
  everyMillis: number,
  untilMillis: number,
  one: (index: number) => Effect.Effect<unknown, E, R>
) =>
  Effect.scoped(Effect.gen(function*() {
    const started = yield* Clock.currentTimeMillis
    const running = yield* FiberSet.make<unknown, E>()
    const count = Math.max(0, Math.floor((untilMillis - started) / everyMillis))
    const all = Effect.gen(function*() {
      for (let index = 0; index < count; index++) {
        const wait = started + index * everyMillis - (yield* Clock.currentTimeMillis)
        if (wait > 0) yield* Effect.sleep(wait)
        yield* FiberSet.run(running, one(index))
      }
      yield* FiberSet.awaitEmpty(running)
    })
    yield* Effect.raceFirst(all, FiberSet.join(running))
  }))

/** The address of the n-th stranger: a few hundred /64 of several /48. */
const addressOf = (index: number) =>
  `2001:db8:${(index % 7).toString(16)}:${(index % 300).toString(16)}::${(index % 60_000 + 1).toString(16)}`

const from = (index: number) => ({ "x-forwarded-for": addressOf(index) })

const outcomeOf = ({ fields, status }: Answer) => status === 200 ? String(fields["status"]) : `${status}`

/** Creates wallets from many addresses. */
export const creations = ({ baseUrl, counts: { note }, untilMillis }: Flood, everyMillis: number) =>
  paced(everyMillis, untilMillis, (index) =>
    Effect.map(
      ask(baseUrl)("/createGasWallet", { headers: from(index) }),
      (answer) => note(`creation ${outcomeOf(answer)}`)
    ))

/** Mints the fee of a vault that is not theirs, from wallets whose webhooks never answer. */
export const failingMints = (
  { baseUrl, counts: { note }, untilMillis }: Flood,
  { everyMillis, keys, vault }: {
    readonly everyMillis: number
    readonly keys: ReadonlyArray<string>
    readonly vault: Fields
  }
) =>
  paced(everyMillis, untilMillis, (index) =>
    Effect.map(
      ask(baseUrl)("/mintManagerFee", {
        headers: from(index),
        json: { ...vault, apiKey: keys[index % keys.length] ?? "" }
      }),
      (answer) => note(`mint ${outcomeOf(answer)}`)
    ))

/** Opens a session as a manager that has nothing here, and returns its cookie. */
const signedIn = (baseUrl: string, index: number) =>
  Effect.gen(function*() {
    const account = privateKeyToAccount(generatePrivateKey())
    const headers = { origin: baseUrl, ...from(index) }
    const json = { address: account.address, chainId: 8453 }
    const { body } = yield* ask(baseUrl)("/console/sign-in", { json, headers })
    const signature = yield* Effect.promise(() => account.signMessage({ message: String(body["message"]) }))
    const opened = yield* ask(baseUrl)("/console/session", { json: { nonce: body["nonce"], signature }, headers })
    return (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
  })

/** Requests a WebSocket; undefined when it is refused. */
const webSocket = (baseUrl: string, cookie: string, index: number) =>
  Effect.acquireRelease(
    Effect.callback<Duplex | undefined>((resume) => {
      const request = Http.get(`${baseUrl}/console/rpc`, {
        agent: false,
        headers: {
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": Buffer.alloc(16, 7).toString("base64"),
          origin: baseUrl,
          cookie,
          ...from(index)
        }
      })
      request.on("upgrade", (_, stream) => resume(Effect.succeed(stream.on("error", () => undefined))))
      request.on("response", (response) => {
        response.resume()
        resume(Effect.succeed(undefined))
      })
      request.on("error", () => resume(Effect.succeed(undefined)))
    }),
    (stream) => Effect.sync(() => stream?.destroy())
  )

/** The header of a client's frame that announces a megabyte, and the first part of it. */
const oversized = (() => {
  const header = Buffer.alloc(14)
  header.writeUInt8(0x81, 0)
  header.writeUInt8(0x80 | 127, 1)
  header.writeBigUInt64BE(1_048_576n, 2)
  return Buffer.concat([header, Buffer.alloc(256 * 1024, "x")])
})()

const closed = (stream: Duplex | Net.Socket) =>
  stream.destroyed ? Effect.void : Effect.promise(async () => {
    stream.resume()
    await once(stream, "close")
  })

/** Opens sockets of a few sessions, in turn silent ones and ones that send an oversized frame. */
export const sockets = ({ baseUrl, counts: { note }, untilMillis }: Flood, everyMillis: number) =>
  Effect.gen(function*() {
    const sessions = yield* Effect.forEach(
      Array.from({ length: 6 }, (_, index) => index),
      (index) => signedIn(baseUrl, index)
    )
    yield* paced(everyMillis, untilMillis, (index) =>
      Effect.scoped(Effect.gen(function*() {
        const stream = yield* webSocket(baseUrl, sessions[index % sessions.length] ?? "", index % sessions.length)
        if (stream === undefined) return note("socket refused")
        if (index % 2 === 0) {
          stream.write(oversized)
          yield* Effect.timeoutOption(closed(stream), "10 seconds")
          return note(
            stream.destroyed ? "socket with an oversized frame closed" : "socket with an oversized frame open"
          )
        }
        yield* Effect.timeoutOption(closed(stream), "10 seconds")
        note("silent socket")
      })))
  })

/** Asks for a large document again and again on one connection, and reads nothing. */
export const slowReaders = ({ baseUrl, counts: { note }, untilMillis }: Flood, everyMillis: number) => {
  const { host, hostname, port } = new URL(baseUrl)
  return paced(everyMillis, untilMillis, (index) =>
    Effect.scoped(Effect.gen(function*() {
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => Net.connect(Number(port), hostname).on("error", () => undefined).pause()),
        (made) => Effect.sync(() => made.destroy())
      )
      const request = `GET /openapi.json HTTP/1.1\r\nhost: ${host}\r\nx-forwarded-for: ${addressOf(index)}\r\n\r\n`
      socket.write(request.repeat(20))
      // Half a request after them, which never ends.
      socket.write(`POST /createGasWallet HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 5000\r\n\r\n{`)
      yield* Effect.sleep("8 seconds")
      note("slow reader")
    })))
}
