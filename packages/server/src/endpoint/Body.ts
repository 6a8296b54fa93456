/** Reads a request's body as parameters: a JSON object or a form; anything else carries none. */
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** Bytes. */
export const maximumBody = 64 * 1024

/** More than `maximumBody`, or cut off before it ended. */
export class BodyUnreadable extends Data.TaggedError("BodyUnreadable")<{ readonly tooLarge: boolean }> {}

const none: ReadonlyMap<string, unknown> = new Map()
const isRecord = Schema.is(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** Own members only, in a map: a `__proto__` in a body is a name like any other. */
const members = (value: unknown): ReadonlyMap<string, unknown> =>
  isRecord(value) && !Array.isArray(value) ? new Map(Object.entries(value)) : none

const formMembers = (text: string): ReadonlyMap<string, unknown> => {
  const map = new Map<string, unknown>()
  for (const [name, value] of new URLSearchParams(text)) map.set(name, map.has(name) ? `${String(map.get(name))},${value}` : value)
  return map
}

const parseJson = Schema.decodeUnknownOption(Schema.parseJson())

/** The parameters of a body. Text that is not JSON carries none: senders of webhooks post such. */
export const read = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<ReadonlyMap<string, unknown>, BodyUnreadable> =>
  Effect.gen(function*() {
    if (request.method === "GET" && request.headers["content-length"] === undefined && request.headers["transfer-encoding"] === undefined) {
      return none
    }
    if (Number(request.headers["content-length"] ?? 0) > maximumBody) return yield* new BodyUnreadable({ tooLarge: true })
    const text = yield* Effect.mapError(request.text, () => new BodyUnreadable({ tooLarge: true }))
    if (text.trim() === "") return none
    if ((request.headers["content-type"] ?? "").toLowerCase().startsWith("application/x-www-form-urlencoded")) return formMembers(text)
    const parsed = parseJson(text)
    return parsed._tag === "Some" ? members(parsed.value) : none
  })
