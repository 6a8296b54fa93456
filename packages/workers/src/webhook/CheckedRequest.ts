/** Sends one HTTP request to a checked address, without redirects, and reads a bounded part of the response. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Http from "node:http"
import * as Https from "node:https"
import type { LookupFunction } from "node:net"
import type { Target } from "./WebhookUrl.ts"

/** A checked address; or a URL alone, of a host that the operator configured. */
type Checked = Target | { readonly url: URL; readonly address?: undefined; readonly family?: undefined }

/** There is no response. `sent`: the request may have arrived. */
export class NotAnswered extends Data.TaggedError("NotAnswered")<{
  readonly message: string
  readonly sent: boolean
}> {}

interface Request {
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Bytes of the response that are read; 0: the status only. */
  readonly maxBytes: number
  readonly timeoutMillis: number
}

export interface Response {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly text: string
}

/** Sends a request. Fails with a readable message, which names no URL, when there is no response. */
export const send = (
  { address, family, url }: Checked,
  { body, headers, maxBytes, method, timeoutMillis }: Request
): Effect.Effect<Response, NotAnswered> =>
  Effect.callback<Response, NotAnswered>((resume) => {
    let sent = false
    const fail = (message: string) => resume(Effect.fail(new NotAnswered({ message, sent })))
    const isTls = url.protocol === "https:"
    const request = (isTls ? Https : Http).request(url, {
      method,
      // Opens a new connection to the checked address. The certificate must still match the host name.
      agent: false,
      ...(address === undefined ? {} : {
        lookup: ((_, options, done) =>
          options.all === true
            ? done(null, [{ address, family }])
            : done(null, address, family)) satisfies LookupFunction
      }),
      headers: {
        ...headers,
        ...(method === "POST" ? { "content-length": String(Buffer.byteLength(body)) } : {})
      }
    }, (response) => {
      const chunks: Array<Buffer> = []
      let size = 0
      const end = () => {
        const { headers: received, statusCode = 0 } = response
        const text = Buffer.concat(chunks).subarray(0, maxBytes).toString("utf8")
        resume(Effect.succeed({ status: statusCode, headers: received, text }))
        request.destroy()
      }
      if (maxBytes === 0) return end()
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk)
        size += chunk.length
        if (size >= maxBytes) {
          end()
        }
      }).on("end", end)
    })
    const timer = setTimeout(() => {
      fail(`no response within ${timeoutMillis / 1000} seconds`)
      request.destroy()
    }, timeoutMillis)
    request.on("socket", (socket) =>
      socket.once(isTls ? "secureConnect" : "connect", () => {
        sent = true
      }))
    request.on("error", (error: NodeJS.ErrnoException) => fail(`the connection failed (${error.code ?? "unknown"})`))
    request.on("close", () => clearTimeout(timer))
    request.end(method === "POST" ? body : undefined)
    return Effect.sync(() => request.destroy())
  })
