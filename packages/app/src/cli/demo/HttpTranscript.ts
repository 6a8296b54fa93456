/** Calls a running service and prints every request and every response. */
import * as Effect from "effect/Effect"
import { CannotStart } from "../../StartupFailure.ts"

/** The service that the demo calls. */
export const baseUrl = process.env["BASE_URL"] ?? `http://127.0.0.1:${process.env["PORT"] ?? "8080"}`

export type Fields = Readonly<Record<string, unknown>>
type Params = Readonly<Record<string, string>>

export const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))

/** Masks a secret except for its ends: a terminal's scrollback is a log too. */
const mask = (name: string, value: unknown) =>
  /^(private_?key|apikey)$/i.test(name) && typeof value === "string" ? `${value.slice(0, 4)}…${value.slice(-4)}` : value

const paramsText = (params: Params) =>
  Object.entries(params).map(([name, value]) => `${name}=${String(mask(name, value))}`).join("&")

/** Unwraps one-element arrays, as every client does. */
const unwrap = (body: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))

/** Sends one request that must succeed; otherwise the demo stops with the service's message. */
export const ask = (method: "GET" | "POST", path: string, params: Params): Effect.Effect<Fields, CannotStart> =>
  Effect.gen(function*() {
    const url = method === "GET" ? `${baseUrl}${path}?${new URLSearchParams(params).toString()}` : `${baseUrl}${path}`
    const init = method === "GET"
      ? { method }
      : { method, headers: { "content-type": "application/json" }, body: JSON.stringify(params) }
    yield* say(`\n→ ${method} ${path} ${paramsText(params)}`)
    const response = yield* Effect.tryPromise({
      try: () => fetch(url, init),
      catch: () => new CannotStart({ message: `Nothing answers at ${baseUrl}; run npm start first.` })
    })
    if (response.status === 503) {
      const wait = Number(response.headers.get("retry-after") ?? 2)
      yield* say(`  throttled; trying again in ${wait} s`)
      return yield* Effect.delay(ask(method, path, params), `${wait} seconds`)
    }
    const body = yield* Effect.promise(() => response.json() as Promise<Record<string, unknown>>)
    const fields = unwrap(body)
    yield* say(`← ${response.status} ${JSON.stringify(fields, mask)}`)
    if (fields["status"] !== "success") {
      return yield* new CannotStart({ message: `The demo stops: ${String(fields["message"])}` })
    }
    return fields
  })

/** Returns the smallest units of a quantity in a response. */
export const rawOf = (quantity: unknown): bigint => BigInt(String((quantity as Fields)["raw"]))

/** Stops the demo when the service and the chain disagree. */
export const mustBe = (agreed: boolean, otherwise: string): Effect.Effect<void, CannotStart> =>
  agreed ? Effect.void : new CannotStart({ message: `The demo stops: ${otherwise}` })
