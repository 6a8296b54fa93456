/** Reads a request's body as parameters: a JSON object or a form; anything else carries none. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import type { Readable } from "node:stream"

/** Maximum size of a body in bytes. */
export const maximumBody = 64 * 1024

/** The body is larger than `maximumBody`, or ended early. */
export class BodyUnreadable extends Data.TaggedError("BodyUnreadable")<{ readonly tooLarge: boolean }> {}

/** The body did not arrive before the request's deadline. */
export class BodyLate extends Data.TaggedError("BodyLate") {}

const none: ReadonlyMap<string, unknown> = new Map()
const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Unknown))

/** Returns own members in a map, so that `__proto__` in a body is an ordinary name. */
const members = (value: unknown): ReadonlyMap<string, unknown> =>
  isRecord(value) && !Array.isArray(value) ? new Map(Object.entries(value)) : none

/** Parses a form. A name with several values is a list, as in JSON; empty values next to others are ignored. */
const formMembers = (text: string): ReadonlyMap<string, unknown> => {
  const form = new URLSearchParams(text)
  return new Map(Array.from(new Set(form.keys()), (name) => {
    const values = Array.from(new Set(form.getAll(name))).filter((value) => value !== "")
    return [name, values.length > 1 ? values : values[0]]
  }))
}

const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

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

/** Reads the parameters of a body. Text that is not JSON, as some webhook senders post, has none. */
export const read = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<ReadonlyMap<string, unknown>, BodyUnreadable> =>
  Effect.gen(function*() {
    if (
      request.method === "GET" && request.headers["content-length"] === undefined &&
      request.headers["transfer-encoding"] === undefined
    ) {
      return none
    }
    const text = yield* textOf(NodeHttpServerRequest.toIncomingMessage(request))
    if (text.trim() === "") return none
    if (
      (request.headers["content-type"] ?? "").toLowerCase().startsWith("application/x-www-form-urlencoded")
    ) return formMembers(text)
    const parsed = parseJson(text)
    return parsed._tag === "Some" ? members(parsed.value) : none
  })
