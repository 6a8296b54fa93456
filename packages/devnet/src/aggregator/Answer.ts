/** Responses of a fake aggregator, including its failures. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { HttpServerError } from "effect/http/HttpServerError"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { SchemaError } from "effect/Schema"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import { realTime } from "../anvil/RealTime.ts"
import type { AggregatorName, Fault } from "./AggregatorFault.ts"
import type { FaultBoard, Step } from "./FaultBoard.ts"

/** The aggregator refuses a request. */
export class Refused
  extends Data.TaggedError("Refused")<{ readonly kind: keyof Complaints; readonly reason?: string }>
{}

/** One aggregator's response bodies for what can be wrong with a request or with itself. */
export interface Complaints {
  readonly badRequest: (reason: string) => object
  readonly noRoute: () => object
  readonly unauthorized: () => object
  readonly rateLimited: () => object
  readonly serverError: () => object
}

const statuses: Readonly<Record<keyof Complaints, number>> = {
  badRequest: 400,
  noRoute: 400,
  unauthorized: 401,
  rateLimited: 429,
  serverError: 500
}

export const json = (body: object, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, {
    status,
    headers: { "x-devnet-fake": "not the real API: devnet prices, devnet contracts" }
  })

const refuse = (complaints: Complaints, { kind, reason }: Pick<Refused, "kind" | "reason">) =>
  json(complaints[kind](reason ?? ""), statuses[kind])

/**
 * Returns the first half of a response, as when the connection behind a proxy is lost and the proxy does not notice.
 */
const truncate = (response: HttpServerResponse.HttpServerResponse) => {
  const { body } = response
  if (body._tag !== "Uint8Array") return response
  const half = body.body.slice(0, Math.floor(body.body.length / 2))
  return HttpServerResponse.uint8Array(half, { status: response.status, contentType: "application/json" })
}

type Handler<R> = (
  fault: Fault | undefined
) => Effect.Effect<object, Refused | SchemaError | HttpServerError | RpcFailure, R>

const breakdowns = {
  noRoute: "noRoute",
  rateLimited: "rateLimited",
  serverError: "serverError",
  unauthorized: "unauthorized"
} as const
const isComplaint = (fault: Fault | undefined): fault is keyof typeof breakdowns =>
  fault !== undefined && fault in breakdowns

/** Answers one kind of request: logs it, applies the current fault, and otherwise returns the body from `handler`. */
export const answering =
  (board: FaultBoard, aggregator: AggregatorName, complaints: Complaints) => <R>(step: Step, handler: Handler<R>) =>
    Effect.gen(function*() {
      const { method, originalUrl } = yield* HttpServerRequest.HttpServerRequest
      const fault = yield* board.meet({ aggregator, method, url: originalUrl.replace(/^https?:\/\/[^/]*/, "") }, step)
      if (fault === "rateLimited") {
        const seconds = yield* board.retryAfter(aggregator)
        return HttpServerResponse.setHeader(refuse(complaints, { kind: fault }), "retry-after", String(seconds))
      }
      if (isComplaint(fault)) return refuse(complaints, { kind: fault })
      if (fault === "silence") yield* realTime(Effect.sleep("30 seconds"))
      const response = yield* handler(fault).pipe(
        Effect.map((body) => json(body)),
        Effect.catchTags({
          Refused: (refused) => Effect.succeed(refuse(complaints, refused)),
          SchemaError: ({ message }) => Effect.succeed(refuse(complaints, { kind: "badRequest", reason: message })),
          HttpServerError: ({ message }) => Effect.succeed(refuse(complaints, { kind: "badRequest", reason: message }))
        }),
        Effect.catch((failure) =>
          Effect.as(
            Effect.logWarning("A fake aggregator could not read its chain", failure),
            refuse(complaints, { kind: "serverError" })
          )
        )
      )
      return fault === "truncated" ? truncate(response) : response
    })
