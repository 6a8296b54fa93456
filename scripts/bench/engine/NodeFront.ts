/**
 * A proxy between the service and a node: records calls and their times, and on request answers a share of them with
 * 429.
 */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { once } from "node:events"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import * as SeededRandom from "@vault-trader/app/SeededRandom"

/** A recorded HTTP request. Times are unix milliseconds, by the same clock as the database's. */
export interface Seen {
  readonly methods: ReadonlyArray<string>
  /** The signed transactions in it. */
  readonly raw: ReadonlyArray<string>
  readonly arrived: number
  /** Time of the node's answer. */
  readonly answered: number
  readonly refused: boolean
}

export interface NodeFront {
  readonly url: string
  /** Requests since `forget`, in the order of their answers. */
  readonly seen: () => ReadonlyArray<Seen>
  /** Also synchronizes the clock again. */
  readonly forget: () => void
  /** Answers this share of the requests with 429 from now on; they never reach the node. */
  readonly refuse: (share: number) => void
  /** Answers this many milliseconds later than the node from now on. */
  readonly delay: (millis: number) => void
  /** Accepts requests without answering them; the end of that resets their connections. */
  readonly hang: (on: boolean) => void
}

/**
 * Returns the offset of `performance.now()`: read when the wall clock ticks, so that its milliseconds have their
 * fractions.
 */
const wallClock = () => {
  const before = Date.now()
  let now = before
  while (now === before) now = Date.now()
  return now - performance.now()
}

const textOf = async (stream: Http.IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

interface RpcCall {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
}

export const start = (node: string, seed = 1): Effect.Effect<NodeFront, never, Scope> =>
  Effect.gen(function*() {
    const agent = new Http.Agent({ keepAlive: true })
    const chance = SeededRandom.make(seed).next
    let seen: Array<Seen> = []
    let share = 0
    let hangs = false
    let lateMillis = 0
    const held = new Set<Http.ServerResponse>()
    let offset = wallClock()
    const now = () => offset + performance.now()

    const forwarded = (body: string) =>
      new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
        const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
        const request = Http.request(node, { agent, method: "POST", headers }, (response) => {
          textOf(response).then((text) => resolve({ status: response.statusCode ?? 502, text }), reject)
        })
        request.on("error", reject)
        request.end(body)
      })

    const answer = async (request: Http.IncomingMessage, response: Http.ServerResponse) => {
      const body = await textOf(request)
      if (hangs) return void held.add(response)
      const arrived = now()
      const parsed = JSON.parse(body) as RpcCall | ReadonlyArray<RpcCall>
      const calls = Array.isArray(parsed) ? parsed as ReadonlyArray<RpcCall> : [parsed as RpcCall]
      const refused = chance() < share
      const { status, text } = refused ? { status: 429, text: "too many requests" } : await forwarded(body)
      if (lateMillis > 0) await sleep(lateMillis)
      seen.push({
        methods: calls.map(({ method }) => method),
        raw: calls.flatMap(({ method, params }) => method === "eth_sendRawTransaction" ? [String(params[0])] : []),
        arrived,
        answered: now(),
        refused
      })
      response.writeHead(status, { "content-type": refused ? "text/plain" : "application/json" }).end(text)
    }

    const server = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const listening = Http.createServer((request, response) =>
          void answer(request, response).catch(() => response.destroy())
        )
        listening.listen(0, "127.0.0.1")
        await once(listening, "listening")
        return listening
      }),
      (listening) =>
        Effect.callback<void>((resume) => {
          listening.close(() => resume(Effect.void))
          listening.closeAllConnections()
          agent.destroy()
        })
    )
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      seen: () => seen,
      forget: () => {
        seen = []
        offset = wallClock()
      },
      refuse: (part) => {
        share = part
      },
      delay: (millis) => {
        lateMillis = millis
      },
      hang: (on) => {
        hangs = on
        if (on) return
        for (const response of held) response.destroy()
        held.clear()
      }
    }
  })

/** Sums the milliseconds in which the node had at least one call to answer. */
export const busyMillis = (
  seen: ReadonlyArray<Pick<Seen, "arrived" | "answered">>,
  from: number,
  until: number
): number => {
  let [busy, counted] = [0, from]
  for (const { answered, arrived } of [...seen].sort((a, b) => a.arrived - b.arrived)) {
    const begin = Math.max(arrived, counted)
    const end = Math.min(answered, until)
    if (end <= begin) continue
    busy += end - begin
    counted = end
  }
  return busy
}
