/** Classifies HTTP failures. */
import type { HttpClientError } from "effect/http/HttpClientError"

/**
 * Returns the name used in metrics and messages for the failed part: before there was a response, or while reading it.
 */
export const partOf = ({ response }: HttpClientError): "RequestError" | "ResponseError" =>
  response === undefined ? "RequestError" : "ResponseError"
