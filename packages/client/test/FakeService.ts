/** A fetch that answers from a list and records what it was called with. */
import { vi } from "@effect/vitest"
import type { Fetch } from "../src/Transport.ts"

export interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

interface Response {
  readonly status: number
  readonly text: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A response, an error that fetch throws, or no answer until the signal. */
export type Reply = Response | Error | "silence"

/** Boxes the fields as the service does. */
export const boxed = (fields: Readonly<Record<string, unknown>>): Reply => ({
  status: 200,
  text: JSON.stringify(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]])))
})

export const success = (fields: Readonly<Record<string, unknown>> = {}): Reply =>
  boxed({ status: "success", ...fields })

export const pending = (fields: Readonly<Record<string, unknown>> = {}): Reply =>
  boxed({ status: "pending", intent_id: "intent-1", tx_hash: null, message: "Accepted.", ...fields })

/** A flat body, as of execution failures and errors. */
export const flat = (status: number, body: Readonly<Record<string, unknown>>): Reply => ({
  status,
  text: JSON.stringify(body)
})

export const throttled = (retryAfter = "2"): Reply => ({
  status: 503,
  text: "<html><head><title>503 Service Temporarily Unavailable</title></head></html>",
  headers: { "retry-after": retryAfter }
})

export const unreachable = (): Error =>
  Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) })

/** Returns a fetch that gives these replies, one each, and the requests it received. */
export const fakeService = (...replies: ReadonlyArray<Reply>) => {
  const sent: Array<Sent> = []
  const left = [...replies]
  const fetch: Fetch = async (url, { body, headers, method, signal }) => {
    sent.push({ url, method, headers, body: JSON.parse(body) as Sent["body"] })
    const reply = left.shift()
    if (reply === undefined) throw new Error("the fake service has no reply left")
    if (reply === "silence") {
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted"))))
    }
    if (reply instanceof Error) throw reply
    return { status: reply.status, headers: new Headers(reply.headers), text: async () => reply.text }
  }
  return { fetch, sent }
}

/** Runs a call while virtual time passes, and returns its result or its error. */
export const run = async <A>(call: () => Promise<A>): Promise<A | Error> => {
  const ended = call().catch((error: unknown) => error as Error)
  await vi.runAllTimersAsync()
  return ended
}

/** Runs a call that must fail with an instance of `kind`. */
export const failing = async <E extends Error>(
  kind: abstract new(...args: never) => E,
  call: () => Promise<unknown>
): Promise<E> => {
  const error = await run(call)
  if (error instanceof kind) return error
  throw new Error(`expected a ${kind.name}, not ${String(error)}`)
}
