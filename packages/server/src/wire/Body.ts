/** Reads a request's body as parameters: a JSON object or a form; other text carries none. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as BodyText from "@vault-trader/core/endpoint/BodyText"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { Readable } from "node:stream"
import type { RequestHead } from "./RequestHead.ts"

/** Maximum size of a body in bytes. */
export const maximumBody = 64 * 1024

/** The body is larger than `maximumBody`, or ended early. */
export class BodyUnreadable extends Data.TaggedError("BodyUnreadable")<{ readonly tooLarge: boolean }> {}

/** The body did not arrive before the request's deadline. */
export class BodyLate extends Data.TaggedError("BodyLate") {}

/**
 * Reads the text of a body. The platform closes the connection if a body is not read completely, and a client that
 * sends everything before it reads would then miss the response; so a body that is too large is read and discarded.
 */
const textOf = (incoming: Readable): Effect.Effect<string, BodyUnreadable> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    let bytes = 0
    const leave = () => {
      incoming.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onClose)
      incoming.resume()
    }
    const done = (result: Effect.Effect<string, BodyUnreadable>) => {
      leave()
      resume(result)
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= maximumBody) chunks.push(chunk)
      else chunks.length = 0
    }
    const onEnd = () =>
      done(
        bytes > maximumBody
          ? new BodyUnreadable({ tooLarge: true })
          : Effect.sync(() => Buffer.concat(chunks).toString("utf8"))
      )
    const onClose = () => done(new BodyUnreadable({ tooLarge: false }))
    if (incoming.destroyed) return resume(new BodyUnreadable({ tooLarge: false }))
    incoming.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onClose)
    return Effect.sync(leave)
  })

/** A request's body as it was understood. */
export interface RequestBody extends BodyText.BodyText {
  /** The body as it was sent; empty if there was none. */
  readonly raw: string
}

const none: RequestBody = { ...BodyText.read("", ""), raw: "" }

/** Returns the body of a request that has none; undefined for a request that may have one. */
export const absent = ({ headers, method }: RequestHead): RequestBody | undefined =>
  method === "GET" && headers["content-length"] === undefined && headers["transfer-encoding"] === undefined
    ? none
    : undefined

/** Reads a body: a JSON object, a form, or other text, as some webhook senders post. */
export const read = (
  incoming: Readable,
  { headers }: RequestHead
): Effect.Effect<RequestBody, BodyUnreadable> =>
  Effect.map(textOf(incoming), (raw) => ({
    ...BodyText.read(raw, BodyText.mediaTypeOf(headers["content-type"])),
    raw
  }))

/** Reads the body of a request of the platform's handler. */
export const ofRequest = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<RequestBody, BodyUnreadable> => {
  const known = absent(request)
  return known === undefined ? read(NodeHttpServerRequest.toIncomingMessage(request), request) : Effect.succeed(known)
}
