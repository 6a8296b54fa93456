/**
 * The wire's responses. Each field of a success or a validation failure is a one-element array, unless the caller prefers
 * the media type without boxes; execution failures are flat.
 */
import { executionCodes, type Failure } from "@vault-trader/core/failure/Failure"
import * as MediaType from "@vault-trader/core/introspection/MediaType"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Record from "effect/Record"
import type { AnswerForm } from "./AnswerForm.ts"

type Json = Readonly<Record<string, unknown>>

const json = (body: Json, status: number, form: AnswerForm = "boxed") =>
  HttpServerResponse.jsonUnsafe(body, form === "boxed" ? { status } : { status, contentType: MediaType.unboxed })

/** HTTP 200 with each top-level field in a one-element array unless the caller prefers none, `status` first. */
export const success = (fields: Json, form: AnswerForm = "boxed") =>
  form === "unboxed" ? json(fields, 200, form) : json(Record.map(fields, (value) => [value]), 200)

/** HTTP 200 with a 10xx code, or HTTP 400 with a 2xxx code. */
export const failure = (failed: Failure, form: AnswerForm = "boxed") =>
  failed._tag === "ValidationFailure"
    ? success({ status: "fail", status_code: failed.code, message: failed.message }, form)
    : json(
      {
        status: "fail",
        status_code: executionCodes[failed.errorType],
        error_type: failed.errorType,
        message: failed.message,
        intent_id: failed.intentId ?? null,
        ...(failed.txHash === undefined ? {} : { tx_hash: failed.txHash })
      },
      400,
      form
    )

/** A flat JSON error outside of any endpoint: unknown path, wrong method, body too large, internal error. */
export const error = (status: number, message: string, extra: Json = {}) =>
  json({ status: "fail", message, ...extra }, status)

/** HTTP 503 with the HTML body that throttled clients expect. */
export const throttled = HttpServerResponse.html(
  "<html>\r\n<head><title>503 Service Temporarily Unavailable</title></head>\r\n<body>\r\n" +
    "<center><h1>503 Service Temporarily Unavailable</h1></center>\r\n</body>\r\n</html>\r\n"
).pipe(HttpServerResponse.setStatus(503))
