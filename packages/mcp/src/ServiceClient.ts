/** Calls the endpoints of a running service. The API key is sent in a header, and appears in no answer and no error. */
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"

type Json = Readonly<Record<string, unknown>>

/** An endpoint's answer with its fields unboxed. */
export interface Answer {
  readonly httpStatus: number
  readonly fields: Json
}

/** There is no answer of the endpoint. */
export class NoAnswer extends Data.TaggedError("NoAnswer")<{
  readonly message: string
  readonly next: string
  /** True when the service cannot have accepted the request. */
  readonly refused: boolean
  /** The id of the request that may have been accepted, if the service named one. */
  readonly intentId: string | undefined
}> {}

/** Longer than any request may take (REQUEST_SECONDS, WAIT_SECONDS). */
const answerTimeout = Duration.minutes(2)

/** Bytes of an answer that are read. */
const maxAnswer = 8 * 1024 * 1024

interface Options {
  readonly url: string
  readonly apiKey: Redacted.Redacted<string>
}

export class ServiceClient extends Context.Service<ServiceClient, {
  readonly call: (
    facts: EndpointFacts,
    params: Json,
    idempotencyKey?: string
  ) => Effect.Effect<Answer, NoAnswer>
}>()("vault-trader/mcp/ServiceClient") {
  static readonly layer = (options: Options): Layer.Layer<ServiceClient> =>
    Layer.succeed(ServiceClient, {
      call: (facts, params, idempotencyKey) =>
        Effect.flatMap(send(options, facts, params, idempotencyKey), (received) => read(options.url, received))
    })
}

interface Received {
  readonly httpStatus: number
  readonly text: string
  readonly retryAfter: string | null
}

/** Encodes a segment of a path. A segment of dots would lead to another endpoint, so it is sent as one that is absent. */
const segmentOf = (value: unknown): string => {
  const text = String(value)
  return /^\.*$/.test(text) ? "undefined" : encodeURIComponent(text)
}

/** Returns the path without parameters in it if there is one. */
const pathOf = ({ paths }: EndpointFacts, params: Json): string => {
  const [first = "/"] = paths
  const plain = paths.find((path) => !path.includes(":"))
  return plain ?? first.replace(/:(\w+)/g, (_, name: string) => segmentOf(params[name]))
}

const headersOf = (facts: EndpointFacts, { apiKey }: Options, idempotencyKey: string | undefined) => ({
  accept: "application/json",
  "content-type": "application/json",
  ...(facts.access === "open" ? {} : { "x-api-key": Redacted.value(apiKey) }),
  ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
})

const unreachable = (url: string) =>
  new NoAnswer({
    message: `The service at ${url} did not answer.`,
    next: "Check that the service runs and that --url names it, then call the tool again. " +
      "A confirmed change may be repeated with the same confirmation: it is the same request.",
    refused: false,
    intentId: undefined
  })

/** Reads the body up to the maximum; longer bodies are given up. */
const textOf = async (response: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  let size = 0
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array
    size += bytes.byteLength
    if (size > maxAnswer) throw new Error("the answer is too long")
    text += decoder.decode(bytes, { stream: true })
  }
  return text + decoder.decode()
}

const send = (options: Options, facts: EndpointFacts, params: Json, idempotencyKey: string | undefined) =>
  Effect.tryPromise({
    try: async (signal): Promise<Received> => {
      const response = await fetch(new URL(pathOf(facts, params), options.url), {
        method: "POST",
        headers: headersOf(facts, options, idempotencyKey),
        body: JSON.stringify(params),
        // The key follows no redirect to another host.
        redirect: "manual",
        signal
      })
      const text = await textOf(response)
      return {
        httpStatus: response.status,
        // A service that repeats the key in an answer must not put it before the agent.
        text: text.replaceAll(Redacted.value(options.apiKey), "<API key>"),
        retryAfter: response.headers.get("retry-after")
      }
    },
    catch: () => unreachable(options.url)
  }).pipe(Effect.timeoutOrElse({ duration: answerTimeout, orElse: () => Effect.fail(unreachable(options.url)) }))

const readJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** Takes every field out of its one-element array; an answer that is not boxed is returned as it is. */
export const unboxed = (body: Json): Json =>
  Array.isArray(body["status"])
    ? Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, Array.isArray(value) && value.length === 1 ? value[0] : value])
    )
    : body

/** Returns the answer, or the reason why a response is not one of an endpoint. */
const read = (url: string, { httpStatus, retryAfter, text }: Received): Effect.Effect<Answer, NoAnswer> => {
  const fields = Option.map(readJson(text), unboxed)
  if (Option.isSome(fields) && (httpStatus === 200 || httpStatus === 400)) {
    return Effect.succeed({ httpStatus, fields: fields.value })
  }
  if (httpStatus === 503 && Option.isNone(fields)) {
    const seconds = /^\d{1,6}$/.test(retryAfter ?? "") ? `${retryAfter} seconds` : "a minute"
    return Effect.fail(
      new NoAnswer({
        message: "The service has too many requests of this client or key; nothing was accepted.",
        next: `Wait ${seconds}, then call the tool again.`,
        refused: true,
        intentId: undefined
      })
    )
  }
  const { intent_id: id, message } = Option.getOrElse(fields, (): Json => ({}))
  return Effect.fail(
    new NoAnswer({
      message: typeof message === "string" ? message : `The server at ${url} answered with HTTP ${httpStatus}.`,
      next: httpStatus === 404 || httpStatus === 405 || (httpStatus >= 300 && httpStatus < 400) || httpStatus === 200
        ? "Check that --url names a Vault Trader service of the same version."
        : "Wait a moment and call the tool again. " +
          "A confirmed change may be repeated with the same confirmation: it is the same request.",
      refused: httpStatus < 500 && httpStatus !== 408,
      intentId: typeof id === "string" ? id : undefined
    })
  )
}
